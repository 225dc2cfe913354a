"""A message taken apart: how many nodes it is about, and every text in it with its count and its meaning.

Source: framework `FitError.Error`, scheduler `truncateMessage`, cluster-autoscaler `EventingScaleUpStatusProcessor`,
Karpenter `FailedScheduling`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from kexplain.messages.named_patterns import NamedPatterns
from kexplain.messages.part import Message, Part, Section, counted, known
from kexplain.messages.text import Text
from kexplain.messages.texts import EVERY_TEXT, NODE_TEXTS, OF_ANY_PROGRAM, POD_TEXTS, POST_FILTER_TEXTS, SCHEDULER

_FORM = NamedPatterns("message")

PREEMPTION_HEAD = "preemption: "
#: What a message that was cut off may have gone on with.
_PREEMPTION_ANSWER = Text(PREEMPTION_HEAD + "<answer>", "DefaultPreemption", "evicting pods would not help: {answer}")
_PREEMPTION_COUNTS = Text("0/<nodes> nodes are available", "DefaultPreemption", "evicting pods would not help")


#: More different messages than these nobody pastes.
_MOST_KEPT = 1 << 15
#: So many letters tell most texts from each other.
_BEGINNING = 6
#: Texts up to this length need no look at how they are made up.
_SHORT = 2_000


def bounded(text: str) -> str:
    """The text with runs of a mark, and words, no longer than anybody writes: patterns may look at each many times."""
    return _FORM.long_word.sub(r"\1…", _FORM.long_run.sub(r"\1", text)) if len(text) > _SHORT else text


@lru_cache(maxsize=_MOST_KEPT)
def parse_message(message: str) -> Message:
    """The message of an event or a condition, taken apart; of what is unknown at least the words are kept."""
    message = bounded(message.strip())
    cut = _FORM.cut.search(message)
    whole = message[: cut.start()] if cut else message
    if match := _FORM.fit_error.fullmatch(whole):
        if count := _FORM.count_cut.search(whole):
            cut, match = count, _FORM.fit_error.fullmatch(whole[: count.start()]) or match
        return _fit_error_message(match, is_cut=cut is not None)
    if (nodes := _FORM.counts_cut.fullmatch(whole)) and nodes["nodes"]:
        return Message(int(nodes["nodes"]), (), is_cut=True, said_by=SCHEDULER)
    for words in dict.fromkeys((whole, whole.rstrip("."))):
        part = known(words, Section.POD, POD_TEXTS, is_cut=cut is not None)
        if part.text is not None and part.text in EVERY_TEXT:
            return Message(None, (part,), cut is not None, "" if part.text in OF_ANY_PROGRAM else SCHEDULER)
    before, dot, preemption = whole.partition(". " + PREEMPTION_HEAD)
    if dot and (part := known(before, Section.FILTER, EVERY_TEXT)).text is not None:
        # The beginning is missing, up to one reason.
        after = _post_filters(PREEMPTION_HEAD + preemption, is_cut=cut is not None)
        return Message(None, (part, *after), cut is not None, SCHEDULER)
    from kexplain.messages.other_forms import other_form  # noqa: PLC0415 (most messages have the scheduler's form)

    if other := other_form(whole, is_cut=cut is not None):
        return _with_beginning(other)
    without_stop = known(whole.rstrip("."), Section.POD, EVERY_TEXT)
    part = without_stop if without_stop.text else known(whole, Section.POD, EVERY_TEXT, is_cut=cut is not None)
    return _with_beginning(Message(None, (part,), cut is not None))


def unknown_parts(message: str) -> int:
    """How many parts of a message are no known text; one that was cut, or has no reason yet, counts as well."""
    return doubts(message)[0]


@lru_cache(maxsize=_MOST_KEPT)
def doubts(message: str) -> tuple[int, bool]:
    """How many parts are no known text, and whether the last one would be known whatever stood at its end."""
    parsed = parse_message(message)
    last = parsed.parts[-1].text if parsed.parts else None
    unknown = sum(part.text is None for part in parsed.parts)
    return unknown or int(parsed.is_cut or not parsed.parts), last is not None and last.is_open


def _fit_error_message(match: re.Match[str], *, is_cut: bool) -> Message:
    parts = list(_fit_error(match, is_cut=is_cut))
    if not is_cut and parts and (beginning := _beginnings(parts[-1])):
        # Cut by a table or a terminal, which say nothing of it.
        parts[-1], is_cut = replace(parts[-1], candidates=beginning), True
    return Message(int(match["nodes"]), tuple(parts), is_cut, SCHEDULER)


def _with_beginning(message: Message) -> Message:
    """The message; one that ends within a known text was cut."""
    last = message.parts[-1] if message.parts else None
    if last is None or last.is_known:
        return message
    beginning = tuple(text for text in _texts_from(last.words[:_BEGINNING]) if text.begins_as(last.words))
    if not beginning:
        return message
    return replace(message, parts=(*message.parts[:-1], replace(last, candidates=beginning)), is_cut=True)


@lru_cache(maxsize=1024)
def _texts_from(beginning: str) -> Sequence[Text]:
    """The texts that begin like this, or with what differs."""
    from kexplain.messages.heads import texts_of_pods  # noqa: PLC0415 (few messages end within a text)

    every = (*NODE_TEXTS, *POST_FILTER_TEXTS, *texts_of_pods())
    return tuple(text for text in every if text.head.startswith(beginning) or beginning.startswith(text.head))


def _beginnings(part: Part) -> tuple[Text, ...]:
    """The texts that begin with these words, if they are none by themselves."""
    if part.is_known:
        return ()
    if part.section is Section.POST_FILTER and _FORM.counts_cut.fullmatch(part.words):
        return (_PREEMPTION_COUNTS,)
    table = NODE_TEXTS if part.section is Section.FILTER else (*POST_FILTER_TEXTS, *NODE_TEXTS)
    return tuple(text for text in table if text.head.startswith(part.words) or text.begins_as(part.words))


def _fit_error(match: re.Match[str], *, is_cut: bool) -> Iterator[Part]:
    nodes, after = int(match["nodes"]), match["after"] or match["unpunctuated"]
    yield from counted(match["reasons"], Section.FILTER, NODE_TEXTS, nodes, is_cut=is_cut and after is None)
    if after:
        yield from _post_filters(after.strip(), is_cut=is_cut)


def _post_filters(after: str, *, is_cut: bool) -> Iterator[Part]:
    before, found, preemption = after.partition(PREEMPTION_HEAD)
    for words in filter(None, before.rstrip(". ").rstrip(",").split(", ")):
        table = (*POST_FILTER_TEXTS, _PREEMPTION_ANSWER)
        yield known(words, Section.POST_FILTER, table, is_cut=is_cut and not found)
    if not found:
        return
    match = _FORM.preemption.fullmatch(preemption)
    if match is not None:
        table = (*POST_FILTER_TEXTS, *NODE_TEXTS)
        yield from counted(match["reasons"], Section.PREEMPTION, table, int(match["nodes"]), is_cut=is_cut)
        yield from _post_filters(match["after"] or "", is_cut=is_cut)
    elif preemption:
        table = (*POST_FILTER_TEXTS, *POD_TEXTS, _PREEMPTION_COUNTS)
        yield known(preemption.rstrip("."), Section.POST_FILTER, table, is_cut=is_cut)
