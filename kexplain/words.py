"""The small arts of words: lists, counts, and guesses at what somebody meant."""

import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache

from kexplain.bounds import MAX_WORD

#: How much of two names has to be alike, as difflib measures it, for one to be suggested for the other.
_LIKENESS = 0.6
#: Names of so many letters may have two slips in them.
_LONG = 8
#: Names in one sentence.
_NAMED = 12
#: So many letters of the beginning of a message stay.
_BEGINNING = 60
#: What stands in clauses about who was asked.
_ADDRESSES = ("://", "dial ")
#: A slip is often made again.
_WORDS_KEPT = 1024


def shortened(text: str, most: int) -> str:
    """At most so many letters of a message: its first clauses, and the last ones, which say what is wrong."""
    whole = " ".join(text.split())
    *starts, end = whole.split(": ")
    if len(whole) <= most or not starts or len(end) > most - _BEGINNING:
        return textwrap.shorten(whole, most, placeholder=" …")
    # An address says nothing of what is wrong, nor does what stands before it.
    while len(f"{starts[-1]}: {end}") <= most - _BEGINNING and not any(each in starts[-1] for each in _ADDRESSES):
        end = f"{starts.pop()}: {end}"
    left = most - len(f": …: {end}")
    whole_clauses = start = ": ".join(starts)
    while len(whole_clauses) > left:
        whole_clauses = whole_clauses.rpartition(": ")[0]
    if 2 * len(whole_clauses) < left:
        return f"{textwrap.shorten(start, left, placeholder=' …')}: {end}"
    return f"{whole_clauses}: …: {end}"


def some(names: Sequence[str], limit: int = 3) -> str:
    """The first names, and how many more there are."""
    return ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")


def listed(names: Sequence[str], between: str = ", ") -> str:
    """The names with this between them; of many only the first, and how many more there are."""
    return between.join(_first(names))


def _first(names: Sequence[str]) -> Sequence[str]:
    more = len(names) - _NAMED
    return [*names[: _NAMED - 1], f"{more + 1} more"] if more > 0 else names


def plural(count: int, noun: str, many: str = "") -> str:
    """The count with its noun: `1 node`, `2 nodes`, `2 policies`."""
    return f"{count} {noun if count == 1 else many or f'{noun}s'}"


_IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do"}


def verb(count: int, one: str) -> str:
    """The verb for so many, by its form for one: is or are, comes or come; a bool says whether it is one."""
    return one if count == 1 else _IRREGULAR.get(one, one.removesuffix("s"))


def joined(names: Sequence[str], word: str = "and") -> str:
    """The names: `a`, `a and b`, `a, b and c`; of many only the first, and how many more there are."""
    names = _first(names)
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
    return [*_near(name, tuple(known), limit)] if len(name) <= MAX_WORD else []


@lru_cache(maxsize=_WORDS_KEPT)
def _near(name: str, known: Sequence[str], limit: int) -> Sequence[str]:
    from difflib import get_close_matches  # noqa: PLC0415 (only a slip of the pen needs it)

    wanted = name.lower()
    known_by_key = {each.lower(): each for each in known}
    domain, bare = _split(wanted)
    key_by_bare = {_split(key)[1]: key for key in known_by_key if _split(key)[0] == domain}
    found = [key_by_bare[each] for each in get_close_matches(bare, key_by_bare, limit, _LIKENESS)]
    found += sorted(key for key in known_by_key if bare and _split(key)[1] == bare)
    found += get_close_matches(wanted, [] if domain else known_by_key, limit, _LIKENESS)
    found += sorted(key for key in known_by_key if wanted and key.startswith(wanted))
    word = _meant_by(bare, key_by_bare)
    found = [*([key_by_bare[word]] if word else []), *found]
    return [known_by_key[key] for key in list(dict.fromkeys(found))[:limit]]


def _meant_by(name: str, known: Iterable[str]) -> str:
    """The one that it is a slip for, or a word of it, which tells more than letters in common: `mem` of `mem-pool`."""
    if slip := slip_of(name, known):
        return slip
    words = name.replace("_", "-").split("-")
    found = [each for each in known if each in words and each != name]
    return found[0] if len(found) == 1 else ""


def slip_of(name: str, known: Iterable[str]) -> str:
    """The one known name that `name` is a slip for beyond doubt; empty if there is none, or if there are several.

    Case, dashes and underscores do not count. Otherwise one letter may be missing, added, wrong or in the wrong place,
    in names of eight letters two. Of several words the one with the same first letter is meant, which few get wrong;
    numbers tell nothing of the kind.
    """
    return _slip_of(name, tuple(known)) if len(name) <= MAX_WORD else ""


@lru_cache(maxsize=_WORDS_KEPT)
def _slip_of(name: str, known: Sequence[str]) -> str:
    wanted = _letters(name)
    allowed = 2 if len(wanted) >= _LONG else 1
    slips = sorted((_slips_between(wanted, _letters(each)), each) for each in known)
    fewest = [each for count, each in slips if count == slips[0][0] <= allowed]
    if len(fewest) > 1 and wanted.isalpha():
        fewest = [each for each in fewest if each[:1].lower() == wanted[:1]]
    return fewest[0] if len(fewest) == 1 and len(wanted) > allowed + 1 else ""


def _letters(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def _slips_between(one: str, other: str) -> int:
    """How many letters are missing, added, wrong or swapped with their neighbour."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        now = [row]
        for column, against in enumerate(other, 1):
            fewest = min(last[column] + 1, now[-1] + 1, last[column - 1] + (letter != against))
            if row > 1 < column and (letter, one[row - 2]) == (other[column - 2], against):
                fewest = min(fewest, before[column - 2] + 1)
            now.append(fewest)
        before, last = last, now
    return last[-1]


def _split(name: str) -> tuple[str, str]:
    """The domain with its slash, if there is one, and what follows it."""
    domain, slash, bare = name.rpartition("/")
    return domain + slash, bare
