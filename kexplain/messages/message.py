"""A message taken apart: how many nodes it is about, and every text in it with its count and its meaning.

Source: framework `FitError.Error`, scheduler `truncateMessage`, cluster-autoscaler `EventingScaleUpStatusProcessor`,
Karpenter `FailedScheduling`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from kexplain.messages.text import Text
from kexplain.messages.texts import (
    CAUSE_TEXTS,
    CLUSTER_AUTOSCALER_TEXTS,
    EVERY_TEXT,
    KARPENTER_TEXTS,
    NODE_TEXTS,
    POD_TEXTS,
    POST_FILTER_TEXTS,
)
from kexplain.patterns import regex
from kexplain.shell import filled

_FIT_ERROR = regex(r"0/(?P<nodes>\d+) nodes are available: ?(?P<reasons>.*?)(?:\.(?: (?P<after>.*))?)?", re.DOTALL)
_PREEMPTION = regex(r"0/(?P<nodes>\d+) nodes are available: ?(?P<reasons>.*?)\.*", re.DOTALL)
_COUNTED = regex(r"(?P<count>\d+) (?P<words>.*)", re.DOTALL)
_BETWEEN_COUNTS = regex(r", (?=\d+ )")
_PREEMPTION_HEAD = "preemption: "
#: How the scheduler ends a message that was too long for an event.
_CUT = " ..."
_NOT_TRIGGERED = regex(
    r"pod didn't trigger scale-up(?: \(it wouldn't fit if a new node is added\))?:? ?(?P<reasons>.*)"
)
_KARPENTER = regex(r"Failed to schedule pod, (?P<reasons>.*)", re.DOTALL)
_NODE_POOL = regex(
    r'incompatible with nodepool "(?P<pool>[^"]*)", (?:daemonset overhead=\{.*?\}, )?(?P<words>.*)', re.DOTALL
)
#: What a message that was cut off may have gone on with.
_PREEMPTION_ANSWER = Text(_PREEMPTION_HEAD + "<answer>", "DefaultPreemption", "evicting pods would not help: {answer}")
_PREEMPTION_COUNTS = Text("0/<nodes> nodes are available", "DefaultPreemption", "evicting pods would not help")


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
        """Whether the table has the text, or at least one that begins like it where it was cut off."""
        return self.text is not None or bool(self.candidates)

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
        if not cause:
            return meaning
        inner = known(cause, Section.POD, (*CAUSE_TEXTS, *NODE_TEXTS))
        return f"{meaning}: {inner.meaning or cause}"

    @property
    def check(self) -> str:
        """What to look at; empty where the meaning says it all."""
        if self.text is None:
            return ""
        names = self.names or {}
        if "cause" in names and not self.text.check:
            return known(names["cause"], Section.POD, (*CAUSE_TEXTS, *NODE_TEXTS)).check
        return filled(self.text.check, names)


class Message(Struct, frozen=True):
    """A message and its parts, in order. `nodes` is None where it counts no nodes; `is_cut` if its end is missing."""

    nodes: int | None
    parts: tuple[Part, ...]
    is_cut: bool = False

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


def parse_message(message: str) -> Message:
    """The message of an event or a condition, taken apart; of what is unknown at least the words are kept."""
    message = message.strip()
    is_cut = message.endswith(_CUT)
    whole = message.removesuffix(_CUT) if is_cut else message
    if match := _FIT_ERROR.fullmatch(whole):
        parts = list(_fit_error(match, is_cut=is_cut))
        return Message(int(match["nodes"]), tuple(parts), is_cut)
    if match := _NOT_TRIGGERED.fullmatch(whole):
        return Message(None, tuple(_autoscaler(match["reasons"])), is_cut)
    if match := _KARPENTER.fullmatch(whole):
        return Message(None, tuple(_karpenter(match["reasons"])), is_cut)
    return Message(None, (known(whole, Section.POD, EVERY_TEXT, is_cut=is_cut),), is_cut)


def known(
    words: str, section: Section, table: Iterable[Text], count: int | None = None, *, is_cut: bool = False
) -> Part:
    """The part that these words are, by the first text in the table that they match."""
    for text in table:
        names = text.match(words)
        if names is not None:
            return Part(words, section, count, text, names)
    candidates = tuple(text for text in table if text.may_continue(words)) if is_cut else ()
    return Part(words, section, count, candidates=candidates)


def _fit_error(match: re.Match[str], *, is_cut: bool) -> Iterator[Part]:
    nodes, after = int(match["nodes"]), match["after"]
    yield from _counted(match["reasons"], Section.FILTER, NODE_TEXTS, nodes, is_cut=is_cut and after is None)
    if after:
        yield from _post_filters(after.strip(), is_cut=is_cut)


def _counted(
    reasons: str, section: Section, table: Sequence[Text], nodes: int | None, *, is_cut: bool = False
) -> Iterator[Part]:
    """The reasons with their counts; one without a count is that of a PreFilter plugin for all nodes."""
    pieces = _BETWEEN_COUNTS.split(reasons) if reasons else []
    for index, piece in enumerate(pieces):
        match = _COUNTED.fullmatch(piece)
        count, words = (int(match["count"]), match["words"]) if match else (nodes, piece)
        yield known(words, section, table, count, is_cut=is_cut and index == len(pieces) - 1)


def _post_filters(after: str, *, is_cut: bool) -> Iterator[Part]:
    before, found, preemption = after.partition(_PREEMPTION_HEAD)
    for words in filter(None, before.rstrip(". ").rstrip(",").split(", ")):
        table = (*POST_FILTER_TEXTS, _PREEMPTION_ANSWER)
        yield known(words, Section.POST_FILTER, table, is_cut=is_cut and not found)
    if not found:
        return
    match = _PREEMPTION.fullmatch(preemption)
    if match is not None:
        table = (*POST_FILTER_TEXTS, *NODE_TEXTS)
        yield from _counted(match["reasons"], Section.PREEMPTION, table, int(match["nodes"]), is_cut=is_cut)
    elif preemption:
        table = (*POST_FILTER_TEXTS, *POD_TEXTS, _PREEMPTION_COUNTS)
        yield known(preemption.rstrip("."), Section.POST_FILTER, table, is_cut=is_cut)


def _autoscaler(reasons: str) -> Iterator[Part]:
    yield from _counted(reasons, Section.AUTOSCALER, (*CLUSTER_AUTOSCALER_TEXTS, *NODE_TEXTS), None)


def _karpenter(reasons: str) -> Iterator[Part]:
    """What stops the pod on each NodePool, one after the other."""
    for piece in re.split(r"; (?=incompatible with nodepool )", reasons):
        match = _NODE_POOL.fullmatch(piece)
        part = known(match["words"] if match else piece, Section.AUTOSCALER, KARPENTER_TEXTS)
        yield Part(piece, part.section, None, part.text, part.names)
