"""Templates of sentences, as `tables/statements.json` has them, and what fills them: facts by their names.

{nodes}                         a fact; of several things all of them, `a, b and c`; nothing where it is empty
{place.what}  {nodes.count}     an attribute of it, or how many there are
{names:or}                      shown in one of the `ways`
{resource:amount needed most}   together with other facts
{pods.count:pod}                counted, where there is no such way: `2 pods`
{held?, where its {held} is}    only where the fact is not empty, which no number is
{pods.count=1?runs|run}         only where it reads so; else what stands behind the bar
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from kexplain.diagnosis.findings.ways import WAYS
from kexplain.patterns import regex
from kexplain.words import joined, plural

_MARKS = regex(r"(\{[\w.]+(?::[\w ]+)?(?:=[^?|{}]*)?\?|\{[\w.]+(?::[\w ]+)?\}|[|}])")


class _Gap(Struct, frozen=True):
    """`{path}` or `{path:way other}`"""

    path: str
    way: str

    def value(self, facts: Mapping[str, Any]) -> Any:
        """What it stands for; words where it is shown in some way."""
        value, (way, *others) = _fact(facts, self.path), self.way.split() or [""]
        if way in WAYS:
            return WAYS[way](value, *(_fact(facts, each) for each in others))
        return plural(value, self.way) if way else value

    def filled(self, facts: Mapping[str, Any]) -> str:
        return _read(self.value(facts))


class _Choice(Struct, frozen=True):
    """`{path?then|otherwise}` or `{path=wanted?then|otherwise}`"""

    gap: _Gap
    wanted: str | None
    then: _Template
    otherwise: _Template

    def filled(self, facts: Mapping[str, Any]) -> str:
        value = self.gap.value(facts)
        is_there = bool(value) or type(value) is int if self.wanted is None else _read(value) == self.wanted
        return _filled(self.then if is_there else self.otherwise, facts)


_Template = tuple[str | _Gap | _Choice, ...]


def filled(text: str, facts: Mapping[str, Any]) -> str:
    """The sentence with these facts."""
    return _filled(_template(text), facts)


def _filled(parts: _Template, facts: Mapping[str, Any]) -> str:
    return "".join(each if isinstance(each, str) else each.filled(facts) for each in parts)


@cache
def _template(text: str) -> _Template:
    return _parts(iter(_MARKS.split(text)))[0]


def _parts(marks: Iterator[str], *ends: str) -> tuple[_Template, str]:
    """The parts up to one of these ends, and which it was."""
    found: list[str | _Gap | _Choice] = []
    for mark in marks:
        if mark in ends:
            return tuple(found), mark
        if not (mark.startswith("{") and _MARKS.fullmatch(mark)):
            found.append(mark)
            continue
        head, equals, wanted = mark[1:-1].partition("=")
        path, _, way = head.partition(":")
        if mark.endswith("}"):
            found.append(_Gap(path, way))
            continue
        then, end = _parts(marks, "|", "}")
        otherwise = _parts(marks, "}")[0] if end == "|" else ()
        found.append(_Choice(_Gap(path, way), wanted if equals else None, then, otherwise))
    return tuple(found), ""


def _fact(facts: Mapping[str, Any], path: str) -> Any:
    """A fact, or an attribute of one; None where there is none of that name."""
    name, *attributes = path.split(".")
    found = facts.get(name)
    for each in attributes if found is not None else ():
        found = len(found) if each == "count" and isinstance(found, list | tuple) else getattr(found, each)
    return found


def _read(value: Any) -> str:
    """A fact as it reads in a sentence."""
    if isinstance(value, list | tuple | dict):
        return joined([*map(str, value)])
    return "" if value is None else str(value)
