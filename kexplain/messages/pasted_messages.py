"""Messages as people paste them: what kubectl describes, lists or prints as YAML, lines of logs, quotations, or bare.

Words may be one space apart, as chats leave them, and a line may end where a terminal ended. What is put around text is
taken off first (`plain_text`); then each line is either a message of its own (`rows`) or goes on with the one before;
in what is left, quoted reasons are looked for (`quotations`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from kexplain.messages.message import PREEMPTION_HEAD, bounded, doubts, parse_message, unknown_parts
from kexplain.messages.named_patterns import NamedPatterns
from kexplain.messages.plain_text import plain_lines, without_doubled
from kexplain.messages.quotations import counted_before, decisions, quoted_reasons, reasons_within
from kexplain.messages.rows import FORM as ROW_FORM
from kexplain.messages.rows import QUOTES, TELLING, UNFINISHED, Pasted, is_row, row, row_of_tables

_FORM = NamedPatterns("pasted-messages")

#: How a message ends that was cut, and how one goes on behind its reasons.
_CUT = ("...", "\u2026")
_BEHIND_REASONS = ("no new claims", "preemption:")
#: The least width of a terminal.
_NARROWEST = 40
_MOST_SENTENCES = 60
#: How sure it is of a text all of which is known.
_WHOLE = 3
_REPEATED = "(combined from similar events): "
#: An event holds 1,024 characters, a condition 32,768.
_LONGEST_LINE = 32_768


class Found(NamedTuple):
    """The messages that are recognized in a text, in their order, and the lines that belong to none."""

    messages: Sequence[Pasted]
    others: Sequence[str] = ()


def pasted(text: str) -> Found:
    """What is recognized in a text, by the form of its lines or by how messages begin."""
    text = bounded(text)
    if decided := [*decisions(text)]:
        return Found([*map(Pasted, decided)])
    found = _likeliest(_Reader(lines).result() for lines in _readings(text))
    within = [Pasted(each) for line in found.others for each in _reasons(line, is_alone=not found.messages)]
    return Found([*within, *found.messages], found.others)


def _likeliest(readings: Iterable[Found]) -> Found:
    """The reading that is surest; the first that leaves nothing over and has nothing unknown, without the others."""
    best, how_sure = Found(()), (-1, 0)
    for found in readings:
        certainty = _certainty(found)
        if certainty > how_sure:
            best, how_sure = found, certainty
        if certainty[0] == _WHOLE and not found.others:
            break
    return best


def _readings(text: str) -> Iterator[Iterable[str]]:
    """The lines, and ways to put them together that are right only if all is understood then."""
    lines = [*plain_lines(text)]
    yield lines
    for is_by_width in (False, True) if len(lines) > 1 else ():
        joined = [*_unwrapped(lines, is_by_width=is_by_width)]
        if [*filter(None, joined)] != [*filter(None, lines)]:
            yield joined
    if "\\n" in text:
        # A string as programs print it, with its line breaks escaped.
        yield plain_lines(_FORM.escaped_break.sub("\n", text).replace('\\"', '"'))


def _unwrapped(lines: Iterable[str], *, is_by_width: bool) -> Iterator[str]:
    """Each paragraph, row or field in one line: broken at spaces, or wherever the width of a terminal ended."""
    whole, before, width = "", "", 0
    for line in lines:
        stripped = line.strip()
        begins = not whole or not stripped or is_row(stripped) or bool(_FORM.logged.match(stripped))
        begins = begins or (not is_by_width and bool(_FORM.ends.fullmatch(stripped)))
        # A space where a line was cut may be lost.
        gap = max(width, len(line)) - len(before) if is_by_width else 1
        if begins or gap not in {0, 1} or width < _NARROWEST * is_by_width or _FORM.header.fullmatch(stripped):
            yield whole
            whole, width = line, 0
        else:
            whole += " " * gap + (line if is_by_width else stripped)
        before, width = line, max(width, len(line))
    yield whole


def _certainty(found: Found) -> tuple[int, int]:
    """How sure it is that this is what the text says: all of it known, none only begun, and the more text the better.

    The length counts for nothing where one of the messages would be known whatever stood at its end.
    """
    parts = [part for each in found.messages for part in parse_message(each.message).parts or (None,)]
    if not parts or not all(part is not None and part.is_known for part in parts):
        return 0, 0
    if any(doubts(each.message)[1] for each in found.messages):
        return 2, 0
    is_whole = all(part is not None and part.text is not None for part in parts)
    return _WHOLE if is_whole else 1, sum(len(each.message) for each in found.messages)


def _reasons(line: str, *, is_alone: bool) -> Sequence[str]:
    """The reasons in a sentence; beside a message, only what stands in quotation marks is more than a remark on it."""
    found = [*reasons_within(line)] if is_alone else []
    return found or [*quoted_reasons(line)]


def _pieces(line: str) -> Iterator[str]:
    """The line, cut at spaces where it is longer than any message: what begins in it is looked for from each word."""
    start = 0
    while len(line) - start > _LONGEST_LINE:
        end = line.rfind(" ", start + 1, start + _LONGEST_LINE)
        end = end if end > 0 else start + _LONGEST_LINE
        yield line[start:end]
        start = end
    yield line[start:]


def _parts(line: str) -> Iterator[str]:
    """The line, cut before each further message that stands on its own."""
    starts = [found.start() for found in _FORM.alone.finditer(line)][1:]
    further = (each.start() for each in _FORM.one_of_errors.finditer(line) if each["words"] not in line[: each.start()])
    starts = sorted([*starts, *further])
    yield from (line[start:end] for start, end in zip([0, *starts], [*starts, len(line)], strict=True))


class _Reader:
    """Goes through the lines, and knows what stood before."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.found: list[Pasted] = []
        self.others: list[str] = []
        #: The lines of messages that are known by their first words only.
        self._begun: dict[int, str] = {}
        self._about: dict[str, str] = {}
        #: Whether the next line may go on with the last message.
        self._is_open = False
        for line in lines:
            for piece in _pieces(line):
                for part in _parts(piece):
                    self._read(part)

    def _read(self, line: str) -> None:
        """Takes in one more line."""
        stripped = line.strip().rstrip("| ")
        ends_row = stripped != line.strip()
        self._is_open = self._is_open and not _FORM.logged.match(stripped)
        if not stripped or _FORM.header.fullmatch(stripped):
            self._is_open = False
        elif identity := _FORM.identity.fullmatch(line):
            self._is_open = False
            if identity["field"] == "Name":
                self._about = {}
            self._about[identity["field"].lower()] = identity["value"]
        elif self._is_open and not is_row(stripped) and (joined := self._with(stripped)):
            self.found[-1] = joined
        elif found := row(stripped):
            self._add(found, stripped)
        elif found := row_of_tables(stripped):
            self._begun[len(self.found)] = stripped
            self._add(found, stripped, is_begun=True)
            behind = stripped.partition(found.message)[2]
            if behind[:1] == "`" and "`" in behind[1:]:
                self._read(behind[1:])
        else:
            self._is_open = False
            if not self._about:
                self.others.append(stripped)
        self._is_open = self._is_open and not ends_row

    def result(self) -> Found:
        """What was found; what only begins as a message does is none, unless it ends as one that was cut."""
        begun = {
            index: line
            for index, line in self._begun.items()
            if unknown_parts(self.found[index].message) and not self.found[index].message.endswith(_CUT)
        }
        found = [each for index, each in enumerate(self.found) if index not in begun]
        told = [each._replace(message=_told(each.message)) for each in found]
        behind = (whole.message[len(each.message) :].strip() for whole, each in zip(found, told, strict=True))
        return Found(told, [*self.others, *begun.values(), *filter(None, behind)])

    def _with(self, line: str) -> Pasted | None:
        """The last message with this line behind it, if all of it is known then and not already without the line."""
        if self._goes_on(line):
            return _joined(self.found[-1], line)
        if _FORM.alone.match(line) or _FORM.ends.fullmatch(line) or self.found[-1].message.endswith(_CUT):
            return None
        before, joined = self.found[-1].message, _joined(self.found[-1], line)
        is_either = doubts(before) == doubts(joined.message) == (0, True)
        return None if is_either or unknown_parts(joined.message) or _closes(before, joined.message) else joined

    def _goes_on(self, line: str) -> bool:
        """Whether the last message cannot be at its end, so that this line belongs to it whatever it looks like."""
        message = self.found[-1].message
        is_within = message.endswith(UNFINISHED) or message.count("{") > message.count("}")
        is_behind = PREEMPTION_HEAD in message[-len(PREEMPTION_HEAD) :] + line[: len(PREEMPTION_HEAD)]
        return is_within or is_behind or _FORM.preemption.match(line) is not None

    def _add(self, found: Pasted, line: str, *, is_begun: bool = False) -> None:
        if not found.name and self._about:
            found = found._replace(name=self._about.get("name", ""), namespace=self._about.get("namespace", ""))
        message = found.message.replace(_REPEATED, "", 1).partition("`")[0]
        message = _readable(ROW_FORM.gaps.sub(" ", message).strip())
        mark = line.partition(found.message)[2][:1]
        self._is_open = mark not in QUOTES or f"{mark}{found.message}{mark}" not in line
        before = line.partition(found.message[:TELLING])[0]
        if before.endswith(PREEMPTION_HEAD) and (reasons := counted_before(before)):
            # The beginning of the message is missing, up to some of its reasons.
            message = f"{message.partition(':')[0]}: {reasons}{message}"
        elif before != line and not is_begun and not is_row(line):
            self.found += [Pasted(each) for each in quoted_reasons(before)]
        self.found.append(found._replace(message=message))


def _readable(message: str) -> str:
    """The message without what programs put into and behind strings, where that leaves more of it known."""
    unescaped = _unescaped(message)
    tried = (message, unescaped, _FORM.string_ends.split(unescaped, maxsplit=1)[0], ROW_FORM.closing.sub("", unescaped))
    return min(dict.fromkeys(tried), key=doubts)


def _unescaped(words: str) -> str:
    return _FORM.escaped_mark.sub(r"\1", words).rstrip("\\")


def _joined(before: Pasted, line: str) -> Pasted:
    """The message with the line that goes on with it: behind a space, unless a word was cut in two."""
    line = ROW_FORM.gaps.sub(" ", line.partition("`")[0]).rstrip()
    both = f"{before.message}{line}"
    cuts = (_FORM.quote_ends, _FORM.string_ends) if both.count('"') % 2 else (_FORM.apostrophe_ends,)
    cut = (each.split(line, maxsplit=1)[0] for each in cuts)
    ends = (line, ROW_FORM.closing.sub("", without_doubled(line)), *cut, line.rstrip(")"))
    if line.endswith(UNFINISHED) and (line[-2:-1] not in QUOTES or both.count(line[-2]) % 2 == 0):
        ends = ends[:1]
    if line[-1:] in QUOTES and both.count(line[-1]) % 2:
        # The end of a string whose beginning is not part of the message.
        ends = ends[1:]
    is_sentence = before.message.endswith(".") and not unknown_parts(before.message)
    spaces = (" ",) if is_sentence or before.message.endswith(UNFINISHED) else (" ", "")
    ends = tuple(dict.fromkeys((*ends, *map(_unescaped, ends))))
    messages = [f"{before.message}{space}{end}" for end in ends for space in spaces]
    return before._replace(message=min(messages, key=doubts))


def _told(message: str) -> str:
    """The message without what somebody wrote behind it, if it can be told where it ends."""
    for end in islice(_FORM.sentence.finditer(message), _MOST_SENTENCES):
        before, behind = message[: end.end()].rstrip("\u2026"), message[end.end() :].lstrip()
        if behind and not behind.startswith(_BEHIND_REASONS) and _closes(before, message):
            return before
    return message


def _closes(shorter: str, longer: str) -> bool:
    """Whether the message is complete and understood where the shorter one ends, and not where the longer one does."""
    if doubts(shorter) != (0, False):
        return False
    if unknown_parts(longer):
        return True
    *before, last = parse_message(longer).parts
    is_swallowed = len([*(last.names or {"": ""}).values()][-1]) > len(longer) - len(shorter)
    return doubts(longer)[1] and is_swallowed and len(before) + 1 == len(parse_message(shorter).parts)
