"""What is so, as data: which statement it is, and what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, json

from kexplain.explain.output import Output
from kexplain.tables import table
from kexplain.words import clauses, some


class Words(Struct, frozen=True):
    """What people read of a statement.

    `text` is a clause that stands behind `pending:`, `amounts` the numbers behind it, or names, and `detail` whole
    sentences where more is to be said than the amounts and where the other nodes stand.
    """

    text: str
    amounts: str = ""
    detail: str = ""


class Statement(Struct, frozen=True):
    """A statement about some things, by their names; nothing else goes into its words, and nothing reads those again.

    told("node-unknown", node="g9", meant=["g1"])
    {"type": "node-unknown", "node": "g9", "meant": ["g1"]}
    spec.nodeName is g9, and there is no such node; did you mean g1?

    Its name has a slash where it is one of several of a type. `more` is what else is to be said behind it.
    """

    name: str
    about: Mapping[str, Any]
    more: tuple[str, ...] = ()

    def with_more(self, *more: str) -> Statement:
        """The same with what else is to be said behind it."""
        return Statement(self.name, self.about, (*self.more, *more))

    @property
    def in_words(self) -> Words:
        """The words for it."""
        from kexplain.diagnosis.findings.templates import filled  # noqa: PLC0415 (nothing is to be said of what fits)

        row, facts = rows()[self.name], self.about
        facts = {**facts, **{name: filled(part, facts) for name, part in row.parts.items()}}
        text, amounts, detail = (filled(each, facts) for each in (row.text, row.amounts, row.detail))
        return Words(clauses(text, *self.more), amounts, detail)

    def __str__(self) -> str:
        return self.in_words.text

    @property
    def published(self) -> dict[str, Any]:
        """The same for programs, without what is empty."""
        about = {**self.about, "more": self.more} if self.more else self.about
        about = {_camel(name): _published(value) for name, value in about.items() if value or value == 0}
        return {"type": self.name.partition("/")[0], **about}


def told(name: str, /, *values: object, more: Iterable[str] = (), **about: object) -> Statement:
    """The statement of that name; `values` are what the table says that it is about, in that order."""
    return Statement(name, {**dict(zip(rows()[name].about.split(), values, strict=False)), **about}, tuple(more))


def knows(name: str) -> bool:
    """Whether there is a statement of that name."""
    return name in rows()


def _published(value: object) -> object:
    if isinstance(value, Statement):
        return value.published
    return [*map(_published, value)] if isinstance(value, list | tuple) else json.decode(json.encode(value))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


class Few(Output, frozen=True):
    """The first of some names, and how many there are: `a, b, c and 2 more`."""

    names: tuple[str, ...]
    count: int

    @classmethod
    def of(cls, names: Iterable[str], most: int = 3) -> Few:
        """The first `most` of these."""
        every = tuple(names)
        return cls(names=every[:most], count=len(every))

    def __bool__(self) -> bool:
        return bool(self.count)

    def __str__(self) -> str:
        more = self.count - len(self.names)
        return f"{some(self.names, len(self.names))}{f' and {more} more' if more else ''}"


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statement as the table has it: the names of what it is `about`, and templates of its words.

    The templates can name `parts` of them as if they were facts.
    """

    text: str
    about: str = ""
    amounts: str = ""
    detail: str = ""
    parts: Mapping[str, str] = {}


@cache
def rows() -> Mapping[str, Row]:
    """All statements of the table, by name."""
    sections = table("statements", dict[str, dict[str, str | Row]])
    found = (row for section in sections.values() for row in section.items())
    return {name: Row(text=row) if isinstance(row, str) else row for name, row in found}
