"""A text that a component says, as a template: what it means, who says it, and since when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from kexplain.messages.named_patterns import sources
from kexplain.patterns import regex


class Eviction(StrEnum):
    """Whether evicting pods from the node can lift what a text says."""

    HELPS = "helps"
    NO = "no"
    #: The text is not about a node, or says nothing of it.
    UNSAID = ""


class Releases(Struct, frozen=True):
    """The releases of Kubernetes that say a text; empty where it is older than 1.22, or still said."""

    first: str = ""
    last: str = ""

    def __str__(self) -> str:
        """The range in words; empty where every known release says the text."""
        if self.first and self.last:
            return self.first if self.first == self.last else f"{self.first} to {self.last}"
        return f"since {self.first}" if self.first else f"until {self.last}" if self.last else ""

    def excludes(self, other: Releases) -> bool:
        """Whether no release is in both."""
        ranges = ((self.last, other.first), (other.last, self.first))
        return any(last and first and _minor(last) < _minor(first) for last, first in ranges)


def _minor(release: str) -> int:
    return int(release.partition(".")[2])


_PLACEHOLDER = regex(r"<([a-z_]+)>")
_NAMED = regex(r"\(\?P<\w+>")
_LOOSELY = re.DOTALL | re.IGNORECASE
_SHAPES = sources("placeholders")
#: With fewer of its own letters, the beginning of a text says nothing: within its first words, and behind a name.
_FEWEST_LETTERS, _FEWEST_AROUND_NAMES = 8, 16


class Text(Struct, frozen=True, eq=False, dict=True):
    """One text. In `template`, `<name>` stands for what differs; `meaning` and `check` may refer to it as `{name}`.

    `source` is the plugin, or the component where it is not a plugin's; a `<plugin>` in the template names it.
    """

    template: str
    source: str
    meaning: str
    check: str = ""
    eviction: Eviction = Eviction.UNSAID
    releases: Releases = Releases()

    @cached_property
    def _loose_pattern(self) -> re.Pattern[str]:
        return re.compile(self.loose, _LOOSELY)

    @cached_property
    def loose(self) -> str:
        """The pattern of the text as people type it."""
        # Quotation marks and braces get lost where people type, and escaped where logs quote; so do spaces at colons.
        loose = self._exact.replace('"', r'\\*"?').replace(r"\ :", r"\s?:").replace(r":\ ", r":\s?")
        loose = loose.replace(r"\{", r"\{?").replace(r"\}", r"\}?").replace("n['\u2019]t", "(?:n['\u2019]t| not)")
        return loose.replace(r"taints\ ", r"taints?\ ") + ("" if self.is_open else r"(?:\s\([^()]*\))?")

    @cached_property
    def _pieces(self) -> list[str]:
        """What stands there to the letter, and the names between."""
        return _PLACEHOLDER.split(self.template)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._exact, re.DOTALL)

    @cached_property
    def _exact(self) -> str:
        return "".join(
            # What people paste, and Karpenter itself, has curly apostrophes too.
            f"(?P<{piece}>{_SHAPES.get(piece, '.*')})" if index % 2 else re.escape(piece).replace("'", "['\u2019]")
            for index, piece in enumerate(self._pieces)
        )

    @cached_property
    def is_open(self) -> bool:
        """Whether anything may stand at its end."""
        return not self._pieces[-1] and len(self._pieces) > 1 and self._pieces[-2] not in _SHAPES

    @cached_property
    def _steps(self) -> list[tuple[str, str, re.Pattern[str]]]:
        """What stands there to the letter, each with the name behind it and what that may be."""
        names = [*self._pieces[1::2], ""]
        shapes = (re.compile(_SHAPES.get(name, ".*"), re.DOTALL) for name in names)
        return [*zip(self._pieces[::2], names, shapes, strict=True)]

    @cached_property
    def head(self) -> str:
        """What the text always begins with."""
        return self._pieces[0]

    @cached_property
    def first_letter(self) -> str:
        """The letter or digit with which the text begins, in lower case; empty where people may write another."""
        first = self.head[:1].casefold()
        return first if first.isalnum() else ""

    @cached_property
    def _beginning(self) -> str:
        """Its head up to an apostrophe, which may be a curly one."""
        return self.head.partition("'")[0]

    def match(self, words: str, *, is_typed: bool = False) -> dict[str, str] | None:
        """What stands for each name if these words are this text, as people type it or to the letter; else None."""
        if not is_typed and not words.startswith(self._beginning):
            # Most patterns are never made.
            return None
        found = (self._loose_pattern if is_typed else self._pattern).fullmatch(words)
        return found.groupdict() if found else None

    def general(self, words: str) -> str:
        """The meaning or the check with `<name>` for what differs."""
        return words.format(**{name: f"<{name}>" for name in _PLACEHOLDER.findall(self.template)})

    def filled(self, names: Mapping[str, str]) -> str:
        """The words of the text with these names in it: the inverse of `match`."""
        return _PLACEHOLDER.sub(lambda match: names[match[1]], self.template)

    def may_continue(self, words: str) -> bool:
        """Whether words that were cut off may be the beginning of this text."""
        return self.head.startswith(words) or (bool(self.head) and words.startswith(self.head))

    def begins_as(self, words: str) -> bool:
        """Whether these words are the beginning of this text, with something for each name, and tell that they are."""
        said = 0
        for literal, name, shape in self._steps:
            if literal.startswith(words) and words != literal + name:
                return said + len(words) >= (_FEWEST_AROUND_NAMES if said else _FEWEST_LETTERS)
            if not words.startswith(literal):
                return False
            filled = shape.match(words[len(literal) :])
            if filled is None:
                return False
            words, said = filled.string[filled.end() :], said + len(literal)
        return False


def any_of(texts: Iterable[Text]) -> re.Pattern[str]:
    """The pattern of what is one of these texts, to the letter or as people type it."""
    return re.compile("|".join(_NAMED.sub("(?:", text.loose) for text in texts) or "(?!)", _LOOSELY)
