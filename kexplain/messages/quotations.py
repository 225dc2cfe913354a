"""What of messages stands within other text: reasons that somebody quotes, and decisions that GKE logs."""

from collections.abc import Iterator

from kexplain.messages.heads import reasons_in
from kexplain.messages.message import unknown_parts
from kexplain.messages.named_patterns import NamedPatterns
from kexplain.messages.texts import OF_ANY_PROGRAM

_FORM = NamedPatterns("quotations")

#: Fewer letters in quotation marks are a name as well.
_FEWEST_LETTERS = 11
#: More of them are no part of a reason.
_MOST_LETTERS = 120
#: What people leave out before a reason.
_LEFT_OUT = ("", "node(s) ", "node(s) had ")
_OF_ANY_PROGRAM = tuple(text.template for text in OF_ANY_PROGRAM)


def reasons_within(line: str) -> Iterator[str]:
    """The reasons in a sentence, each as long as it can be."""
    done = 0
    marks = [(one.start(), one.end("count") + 1 if one["count"] else one.start()) for one in _FORM.begin.finditer(line)]
    for _, begin in sorted([*marks, *((one, one) for one in reasons_in(line))]):
        if begin < done:
            continue
        words = _FORM.end.split(line[begin:])[0].split(" ")
        ends = (" ".join(words[:end]).rstrip(" .,;:") for end in range(len(words), 1, -1))
        found = ((before + words, begin + len(words)) for words in ends for before in _LEFT_OUT)
        reason, done = next((one for one in found if not unknown_parts(one[0])), ("", done))
        if reason:
            yield reason


def quoted_reasons(line: str) -> Iterator[str]:
    """The reasons in a sentence that stand in quotation marks, or are an item of a list."""
    if item := _whole(_FORM.item.sub("", line).strip(" .,;")):
        yield item
        return
    for quoted in _FORM.quoted.finditer(line):
        words = quoted[1] or quoted[2]
        if len(words.strip()) >= _FEWEST_LETTERS and words not in _OF_ANY_PROGRAM:
            whole = _whole(words)
            yield from [whole] if whole else reasons_within(words)


def _whole(words: str) -> str:
    """The words, if they are a reason with what people leave out before it; else empty."""
    left_out = _LEFT_OUT if " " in words and len(words) <= _MOST_LETTERS else _LEFT_OUT[:1]
    return next((before + words for before in left_out if not unknown_parts(before + words)), "")


def counted_before(words: str) -> str:
    """The reasons with their counts at the end of some words whose beginning is missing; empty if there are none."""
    begin = next((each.start() for each in _FORM.begin.finditer(words) if each["count"]), None)
    return "" if begin is None else words[begin:]


def decisions(text: str) -> Iterator[str]:
    """What GKE's log of its autoscaler's decisions says, by message and parameters."""
    for decision in dict.fromkeys(found[0] for found in _FORM.decision.finditer(text)):
        named = [each[1] for each in _FORM.string.finditer(decision.replace('\\"', "'"))]
        message = next(each for each in named if "scale." in each)
        details = ", ".join(each for each in named if each not in {message, "messageId", "parameters", ""})
        yield f"{message}: {details}" if details else message
