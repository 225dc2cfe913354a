"""What a message says, part by part, and how a text is found among all that are known."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache

from msgspec import Struct

from kexplain.messages.text import Text, any_of
from kexplain.messages.texts import CAUSE_TEXTS, EVERY_TEXT, NODE_TEXTS, POST_FILTER_TEXTS
from kexplain.patterns import regex
from kexplain.shell import filled

#: How releases before 1.20 say that a reason holds for several volumes of the pod.
_REPEATED = regex(r" \(repeated \d+ times\)$")
_COUNTED = regex(r"(?P<count>\d{1,9}) (?P<words>.*)", re.DOTALL)
#: Commas, which people leave out between lines.
_BETWEEN_COUNTS = regex(r", (?=\d+ )|(?:,| )(?=\d+ (?:node\(s\)|Insufficient) )")
#: Where somebody left reasons out.
_LEFT_OUT = regex(r"(?:^|,?\s+)(?:\.{3,}|\u2026),?\s+")
_CAUSES = (*CAUSE_TEXTS, *NODE_TEXTS)
#: To make one pattern of many texts takes as long as to look for so many words text by text.
_FEW = 50


class Section(StrEnum):
    """Which part of a message a text stands in."""

    #: What filters said, node by node.
    FILTER = "filter"
    #: What came of looking for a way to make room.
    POST_FILTER = "postFilter"
    #: Why evicting pods would not make room, node by node.
    PREEMPTION = "preemption"
    #: A message about the pod as a whole.
    POD = "pod"
    #: What an autoscaler says, node group by node group.
    AUTOSCALER = "autoscaler"


class Part(Struct, frozen=True):
    """A text of a message as it stands there.

    `count` is on how many nodes (or node groups) it holds; None where it is not about nodes. `text` is what it is
    known as, and `names` what stands for the names in it; None and empty where the text is unknown. `candidates` are
    the texts that it may be the beginning of where the message was cut off within it.
    """

    words: str
    section: Section
    count: int | None = None
    text: Text | None = None
    names: dict[str, str] | None = None
    candidates: tuple[Text, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the tables have the text, or at least one that begins like it where it was cut off."""
        return self.text is not None or bool(self.candidates)

    @property
    def is_of_nodes(self) -> bool:
        """Whether it is what a plugin finds wrong with nodes, whoever says so."""
        return self.text in NODE_TEXTS

    @property
    def source(self) -> str:
        """The plugin or component that says it; empty if it is not known."""
        if self.text is not None:
            return self.text.source or (self.names or {}).get("plugin", "")
        sources = {candidate.source for candidate in self.candidates}
        return sources.pop() if len(sources) == 1 else ""

    @property
    def meaning(self) -> str:
        """What it means, with the names in it; that of its cause follows where it names one."""
        if self.text is None:
            return ""
        names = self.names or {}
        # A taint stands there as Go prints a map: the key, a colon, and the value if it has one.
        readable = {**names, "taint": "=".join(filter(None, names.get("taint", "").split(": ", 1)))}
        meaning = self.text.meaning.format(**readable)
        cause = names.get("cause")
        return f"{meaning}: {_cause(cause).meaning or cause}" if cause else meaning

    @property
    def check(self) -> str:
        """What to look at; empty where the meaning says it all."""
        if self.text is None:
            return ""
        names = self.names or {}
        if "cause" in names and not self.text.check:
            return _cause(names["cause"]).check
        return filled(self.text.check, names)


class Message(Struct, frozen=True):
    """A message and its parts, in order. `nodes` is None where it counts no nodes; `is_cut` if its end is missing.

    `said_by` is the component whose messages have this form; empty where the form belongs to nobody.
    """

    nodes: int | None
    parts: tuple[Part, ...]
    is_cut: bool = False
    said_by: str = ""

    def counts(self, section: Section) -> list[int]:
        """The counts of one section."""
        return [part.count for part in self.parts if part.section is section and part.count is not None]

    @property
    def unsaid(self) -> int:
        """On how many nodes at least the reason is missing, as the filters' counts come to less than all nodes."""
        return max((self.nodes or 0) - sum(self.counts(Section.FILTER)), 0)

    @property
    def counts_add_up(self) -> bool:
        """Whether every node can have a reason, and none has one twice.

        A node may have several reasons, such as too little CPU and too little memory: the sum may exceed the nodes.
        """
        if self.nodes is None:
            return True
        for section in (Section.FILTER, Section.PREEMPTION):
            counts = self.counts(section)
            if counts and (max(counts) > self.nodes or (sum(counts) < self.nodes and not self.is_cut)):
                return False
        return True


def known(
    words: str, section: Section, table: Iterable[Text], count: int | None = None, *, is_cut: bool = False
) -> Part:
    """The part that these words are: by the first text in the table that they match, else by one of somebody else.

    Other releases and other components are looked at only for what the table lacks.
    """
    table = tuple(table)
    plain = _REPEATED.sub("", words)
    likely: list[_Texts] = []
    for texts in _groups(section, table, plain[:1].casefold()):
        if texts.may_have(plain):
            if found := texts.first(plain, is_typed=False):
                return Part(words, section, count, *found)
            likely.append(texts)
    for texts in likely:
        if found := texts.first(plain, is_typed=True):
            return Part(words, section, count, *found)
    candidates = tuple(text for text in table if text.may_continue(words)) if is_cut else ()
    return Part(words, section, count, candidates=candidates)


def counted(
    reasons: str, section: Section, table: Sequence[Text], nodes: int | None, *, is_cut: bool = False
) -> Iterator[Part]:
    """The reasons with their counts; one without a count is that of a PreFilter plugin for all nodes."""
    told = [each for each in _LEFT_OUT.split(reasons) if each.strip(" .")]
    pieces = [piece for each in told for piece in _BETWEEN_COUNTS.split(each)]
    for index, piece in enumerate(pieces):
        match = _COUNTED.fullmatch(piece)
        count, words = (int(match["count"]), match["words"]) if match else (nodes, piece)
        yield known(words, section, table, count, is_cut=is_cut and index == len(pieces) - 1)


class _Texts:
    """Texts of a table that begin alike, among which words are looked for."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self._texts = tuple(texts)
        self._asked = 0

    def may_have(self, words: str) -> bool:
        """Whether one of them may be these words."""
        self._asked += 1
        # Few runs look for many words.
        return self._asked <= _FEW or self._any.fullmatch(words) is not None

    def first(self, words: str, *, is_typed: bool) -> tuple[Text, dict[str, str]] | None:
        """The first that is these words, and what stands for its names."""
        for text in self._texts:
            names = text.match(words, is_typed=is_typed)
            if names is not None:
                return text, names
        return None

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return any_of(self._texts)


def _groups(section: Section, table: tuple[Text, ...], letter: str) -> Iterator[_Texts]:
    """The texts of the table, and behind them all others, but for those that begin with another letter."""
    yield _own(table, letter)
    yield _others(section, table, letter)


@lru_cache(maxsize=1024)
def _own(table: tuple[Text, ...], letter: str) -> _Texts:
    return _Texts(text for text in table if text.first_letter in ("", letter))


@lru_cache(maxsize=1024)
def _others(section: Section, table: tuple[Text, ...], letter: str) -> _Texts:
    if section is Section.AUTOSCALER or (table and table[0] not in EVERY_TEXT):
        return _Texts(())
    from kexplain.messages import other_texts as others  # noqa: PLC0415 (few messages have what kube-scheduler lacks)

    of_pods = (*others.ADMISSION_TEXTS, *others.KUBELET_TEXTS) if section is Section.POD else ()
    every = (
        *(*others.EARLIER_NODE_TEXTS, *others.OTHER_NODE_TEXTS, *others.EARLIER_POD_TEXTS, *others.OTHER_POD_TEXTS),
        *of_pods,
        # What came of preemption has the form of what filters say, where a log has it alone.
        *POST_FILTER_TEXTS,
    )
    return _Texts(text for text in every if text.first_letter in ("", letter))


def _cause(words: str) -> Part:
    from kexplain.messages.other_texts import KARPENTER_TEXTS  # noqa: PLC0415

    words = words.rstrip(".")
    found = known(words, Section.POD, _CAUSES)
    return found if found.is_known else known(words, Section.AUTOSCALER, KARPENTER_TEXTS)
