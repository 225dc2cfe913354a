"""Slips of the pen: kinds and versions that there are not, and what else is refused only because a field is misspelt.

Source: `kubectl apply` ("no matches for kind"); the groups of CustomResourceDefinitions have a dot, by
`apiextensions/validation`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kexplain.grouping import grouped
from kexplain.objects.problem import Path, Problem, Stage, WordEdit
from kexplain.validation.schema import schema
from kexplain.words import ask, clauses, joined, near, slip_of

#: What is sent to an API server, or kept beside it, in versions of its own groups and is no stored object.
_NOT_STORED = ("Binding", "ComponentStatus", "Config", "Eviction", "List", "Scale", "Status")
#: A field that is mended may reveal others below it, but not forever.
_ROUNDS = 5


def no_such_kind(version: str, kind: str) -> Iterator[Problem]:
    """The problem with a version that Kubernetes never had of a kind, or with a kind that it never had."""
    versions_by_kind = _versions_by_kind()
    group = version.rpartition("/")[0]
    own = {each.rpartition("/")[0] for versions in versions_by_kind.values() for each in versions}
    # Alpha versions came and went, and are served where somebody enabled them.
    if kind in _NOT_STORED or ("." in group and group not in own) or "alpha" in version:
        return
    known = versions_by_kind.get(kind, ())
    if known:
        edit = WordEdit(known[0]) if len(known) == 1 else None
        message = f"there is no {kind} in {version}: use {joined(known, 'or')}"
        yield Problem(("apiVersion",), message, "apiVersion", edit=edit, stage=Stage.DECODING)
        return
    siblings = [each for each, versions in versions_by_kind.items() if version in versions]
    meant = near(kind, siblings)
    if meant:
        message = clauses(f"there is no {kind} in {version}", ask(*meant))
        certain = slip_of(kind, siblings)
        yield Problem(("kind",), message, "kind", edit=WordEdit(certain) if certain else None, stage=Stage.DECODING)


def _versions_by_kind() -> Mapping[str, Sequence[str]]:
    return grouped((kind, version) for version, _, kind in (each.rpartition("/") for each in schema()["kinds"]))


def without_consequences(
    manifest: dict[str, Any], problems: Iterable[Problem], check: Callable[[dict[str, Any]], Iterable[Problem]]
) -> tuple[Problem, ...]:
    """The problems but those that are gone once every misspelt field has the name that was meant."""
    problems = tuple(problems)
    slips = _misspelt(problems)
    if not slips or len(slips) == len(problems):
        return problems
    mended: Any = manifest
    left = problems
    for _ in range(_ROUNDS):
        found = _misspelt(left)
        for path, name in found.items():
            mended = _renamed(mended, path, name)
        left = tuple(check(mended)) if found else left
    known = {(each.field, each.message) for each in left}
    return tuple(each for each in problems if each.path in slips or (each.field, each.message) in known)


def _misspelt(problems: Iterable[Problem]) -> dict[Path, str]:
    """The fields that are misspelt, and how each is written."""
    return {each.path: each.edit.text for each in problems if each.is_about_key and each.edit and each.edit.text}


def _renamed(value: Any, path: Path, name: str) -> Any:
    """The value with another name for a field, unless there is one of that name; nothing is changed in place."""
    step, *further = path
    if further:
        inner = _renamed(value[step], tuple(further), name)
        if isinstance(value, list):
            return [inner if index == step else each for index, each in enumerate(value)]
        return {**value, step: inner}
    if name in value:
        return value
    return {name if key == step else key: each for key, each in value.items()}
