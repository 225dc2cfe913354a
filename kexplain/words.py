"""The small arts of words: lists, counts, and guesses at what somebody meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: How much of two names has to be alike, as difflib measures it, for one to be suggested for the other.
_LIKENESS = 0.6


def some(names: Sequence[str], limit: int = 3) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{more}"


def plural(count: int, noun: str, many: str = "") -> str:
    """The count with its noun: `1 node`, `2 nodes`, `2 policies`."""
    return f"{count} {noun if count == 1 else many or f'{noun}s'}"


def joined(names: Sequence[str], word: str = "and") -> str:
    """All the names: `a`, `a and b`, `a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def clauses(*parts: str) -> str:
    """One sentence of these parts, without those that are empty."""
    return "; ".join(filter(None, parts))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The question after a name that does not exist; empty if no known one comes close."""
    return ask(*near(name, known))


def ask(*names: str) -> str:
    """The question whether one of these names was intended; empty without names."""
    return f"did you mean {joined(names, 'or')}?" if names else ""


def near(name: str, known: Iterable[str], limit: int = 1) -> list[str]:
    """The known names that `name` may be a slip for, the likeliest first.

    Case does not count. A name with a domain, such as `example.com/gpu`, is compared without it, as long domains are
    alike whatever follows: first with names of its own domain, then with equal ones of others. Names that only begin
    like it come last: pods of a workload, for instance.
    """
    from difflib import get_close_matches  # noqa: PLC0415 (only a slip of the pen needs it)

    wanted = name.lower()
    known_by_key = {each.lower(): each for each in known}
    domain, bare = _split(wanted)
    key_by_bare = {_split(key)[1]: key for key in known_by_key if _split(key)[0] == domain}
    found = [key_by_bare[each] for each in get_close_matches(bare, key_by_bare, limit, _LIKENESS)]
    found += sorted(key for key in known_by_key if bare and _split(key)[1] == bare)
    found += get_close_matches(wanted, [] if domain else known_by_key, limit, _LIKENESS)
    found += sorted(key for key in known_by_key if wanted and key.startswith(wanted))
    return [known_by_key[key] for key in list(dict.fromkeys(found))[:limit]]


def _split(name: str) -> tuple[str, str]:
    """The domain with its slash, if there is one, and what follows it."""
    domain, slash, bare = name.rpartition("/")
    return domain + slash, bare
