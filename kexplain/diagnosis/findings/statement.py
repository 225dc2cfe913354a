"""What is so, as data: which statement it is, and what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec

from msgspec import Struct, json

from kexplain.explain.output import Output
from kexplain.patterns import regex
from kexplain.words import some

P = ParamSpec("P")


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

    node_unknown(node="g9", meant=["g1"])
    {"type": "node-unknown", "node": "g9", "meant": ["g1"]}
    spec.nodeName is g9, and there is no such node; did you mean g1?
    """

    words: Callable[..., str | Words]
    about: Mapping[str, Any]
    #: What it is called, if not as its words are.
    name: str = ""

    def with_more(self, *more: str) -> Statement:
        """The same with what else is to be said behind it, for one that takes more."""
        return Statement(self.words, {**self.about, "more": (*self.about["more"], *more)}, self.name)

    @property
    def in_words(self) -> Words:
        """The words for it."""
        found = self.words(**self.about)
        return Words(found) if isinstance(found, str) else found

    def __str__(self) -> str:
        return self.in_words.text

    @property
    def published(self) -> dict[str, Any]:
        """The same for programs, without what is empty."""
        about = {_camel(name): _published(value) for name, value in self.about.items() if value or value == 0}
        return {"type": self.name or self.words.__name__.strip("_").replace("_", "-"), **about}


def _published(value: object) -> object:
    if isinstance(value, Statement):
        return value.published
    return [*map(_published, value)] if isinstance(value, list | tuple) else json.decode(json.encode(value))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def statement(words: Callable[P, str | Words]) -> Callable[P, Statement]:
    """Makes a function that words a statement one that makes the statement: its parameters are what it is about."""
    names = words.__code__.co_varnames

    def made(*args: P.args, **about: P.kwargs) -> Statement:
        return Statement(words, {**dict(zip(names, args, strict=False)), **about})

    return made


def plain(name: str, text: str, *about: str) -> Callable[..., Statement]:
    """What makes a statement of just these words: `{…}` in them stands for what it is `about`, in that order if given.

    suspended = plain("suspended", "the {kind} is suspended")
    """
    names = about or tuple(regex(r"{(\w+)}").findall(text))

    def made(*args: Any, **more: Any) -> Statement:
        return Statement(text.format, {**dict(zip(names, args, strict=False)), **more}, name)

    return made


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
