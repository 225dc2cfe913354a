"""Messages as people paste them: what kubectl describes, lists or prints as YAML, lines of logs, quotations, or bare.

Words may be one space apart, as chats leave them, and a line may end where a terminal ended. Source: `DescribeEvents`
of kubectl, `kubectl events`, `printEvent` of the API server for `kubectl get events`, and klog.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kexplain.messages.heads import heads_in
from kexplain.messages.message import parse_message, unknown_parts
from kexplain.messages.plain_text import plain_lines, unquoted, without_doubled
from kexplain.messages.quotations import counted_before, decisions, quoted_reasons, reasons_within
from kexplain.messages.texts import EVERY_TEXT
from kexplain.patterns import regex

_AGE = r"(?:<\w+>|\d\w*)"
_TYPE = r"(?:Normal|Warning)"
_TIMES = rf"(?:\(x\d+ over {_AGE}\)\s+)?"
#: One word that is followed by a gap, or by any space where it looks like the name of a component.
_REPORTER = r"(?:(?P<reporter>karpenter|\w+(?:-\w+)+(?:/[\w-]+)?|\S+(?:, \S+)?(?=\s{2}))\s+)?"
_DESCRIBED = regex(rf"{_TYPE}\s+(?P<reason>\w+)\s+{_AGE}\s+{_TIMES}{_REPORTER}(?P<message>\S.*)")
_LISTED = regex(
    rf"(?:(?P<namespace>[a-z0-9-]+)\s+)?{_AGE}\s+{_TIMES}{_TYPE}\s+(?P<reason>\w+)\s+"
    r"(?P<kind>[A-Za-z]+)[\w.]*/(?P<name>\S+)\s+(?P<message>\S.*)"
)
#: How `-o wide` goes on behind the message: when it was first seen, how often, and the name of the event.
_WIDE_END = regex(rf"\s{{2,}}{_AGE}\s{{2,}}\d+\s{{2,}}\S+")
_HEADER = regex(
    r"(?:NAMESPACE\s+)?LAST SEEN\s.*|Type\s+Reason\s+Age\s+From\s+Message|FirstSeen\s.*|[-\s|+]+|Events:(?:\s+<none>)?"
    r"|PodUnschedulable"
)
_IDENTITY = regex(r"(?P<field>Name|Namespace):\s+(?P<value>\S+)")
#: A field of an object, a shell's prompt, or the start of a paragraph: no message goes on there.
_ENDS = regex(
    r"(?!available: |preemption: )(?:[A-Z][\w -]*|[\w.\"-]+):(?:\s.*)?|.{0,60}[$#%\u276f\u279c]\s+\S.*|[-*]\s.*|`.*"
    r"|</?\w+>.*"
)
#: The beginning of a log's line, or a stack trace: no message of a line before goes on there.
_LOGGED = regex(
    r"[IWEF]\d{4} \d\d:\d\d:|(?:[\w/.-]+ [\w.-]+ )?\d{4}-\d\d-\d\dT\d\d:|\{\"\w+\":|\S+\.(?:\(\*\w+\)\.\w|go:\d)"
)
#: How the messages begin that are found wherever they stand.
_HEAD = regex(
    r"0 ?/\d+\s+nodes? (?:are |is )?(?:un)?available"
    r"|all nodes are unavailable:"
    r"|[Nn]o nodes available to schedule pods"
    r"|No nodes are available that match all of the"
    r"|[Pp]od didn['\u2019]t trigger scale-up|pod triggered scale-up|Unschedulable pod didn['\u2019]t trigger"
    r"|Pod \S+ can['\u2019]t be scheduled on |predicate (?:checking error|failed): |No pod can fit to "
    r"|No expansion opti|Skipping (?:node group |\S+ - node group min)|Node group \S+ is not ready for scale"
    r"|Failed to scale up: |Pod \S+ (?:is unschedulable$|marked as unschedulable can be|has priority below )"
    r"|Pod \S+ will be scheduled after low|pod \([^()\s]+\) failed to fit in any node"
    r"|[Ff]ailed for reason \w+ and possibly others|failed to find (?:a )?fit for pod[:,] "
    r"|no nodes are registered to the cluster|Cannot schedule pods: "
    r"|Pod \S+ can possibly be assigned to |\d+ out of \d+ instance types were excluded because"
    r"|Node scale up in zones |(?:Failed to|[Cc]ould not) schedule pod, |Pod should schedule on"
    r"|did not tolerate (?:taint \(|\S+=)|incompatible requirements, "
    r"|incompatible with (?:nodepool|provisioner) \\?\"|all available instance types exceed"
    r"|no instance type (?:met|has|had|which|satisf)"
    r"|(?:couldn['\u2019]t|failed to) assign flavors to pod set|\d+/\d+ tasks in gang unschedulable"
    r"|pod group is not ready,"
    r"|[Nn]o nodes with enough resources were found|Non-preemptible workload is over quota"
    r"|Resources were (?:not )?found for |insufficient (?:unused )?quota (?:in cohort )?for \S+ in flavor "
    r"|Pod provisioning timed out|Insufficient (?:non-preemptible )?quotas,"
    r"|(?:error while )?running \\?\"\w+\\?\" \w+ plugin|running \w+ plugin \\?\"|SchedulerPredicates failed due to"
    r"|Preempted by \S+ |pod has unbound (?:immediate )?PersistentVolumeClaims|rejected due to timeout after waiting"
    r"|Operation cannot be fulfilled on pods|pre-filter pod |Pod not supported on Fargate|Misconfigured Fargate Profile"
    r"|waiting for scheduling gates|Request '[^']*' (?:does not fit|exceeds)|skip schedule deleting pod"
    r"|persistentvolumeclaim \S+ (?:not found|is being deleted|bound to)|Cannot (?:disrupt|deprovision) \w+"
    r"|virtualMachineScaleSetsClient\.|Only \d+ nodes can be added to |(?i:pdb) \\?\"[^\"]*\" prevents pod evictions"
    r"|[\w.]+ \\?\"[^\"\\]*\\?\" is forbidden: |The \w+ \\?\"[^\"\\]*\\?\" is invalid: |[Ee]rror from server [(:]"
)
#: Those of them that stand in no other message.
_ALONE = regex(
    r"(?<!preemption: )(?<![\w/])(?:0/\d+ nodes are available:|[Pp]od didn['\u2019]t trigger scale-up"
    r"|Pod should schedule on|Failed to schedule pod, )"
)
#: `field: value` of YAML and JSON, whose value may be the message.
_FIELD = regex(r"(?:-\s+)?[\"']?(?:message|note|err|error|msg)[\"']?\s*:\s*(?P<value>.*)")
#: `field="value"` of klog, and what says there whom a message is about.
_ASSIGNED = regex(r"\b(?:err|error|message|msg|reason|note)=(?P<value>\"(?:[^\"\\]|\\.)*\"?)")
#: What klog or a log in JSON says, and the error behind it.
_FAILED = regex(
    r"(?:\]\s*|\"(?:message|msg)\":\s*)\"(?P<what>[^\"]+)\".*?(?:\berr=|\"error\":\s*)(?P<value>\"(?:[^\"\\]|\\.)*\"?)"
)
_NAME = r"[a-z0-9][a-z0-9.-]*[a-z0-9]"
#: A word behind "pod" is a name where it stands behind its namespace or in quotation marks, or looks like no word.
_ABOUT = regex(
    rf"(?:\b[Pp]ods?(?P<mark>[/=]\\?[\"']?| \\?[\"'])|\b[Pp]od(?P<field>\\?[\"']: ?\\?[\"'])|\b[Pp]ods? |object=\")"
    rf"(?:(?P<namespace>[a-z0-9-]+)/)?(?P<name>{_NAME})"
)
#: The pod that a log of events is about, and the pod among the fields of a log in JSON.
_REFERRED = regex(rf'Kind:"Pod", Namespace:"(?P<namespace>[^"]*)", Name:"(?P<name>{_NAME})"')
_OBJECT = regex(rf'"[Pp]od":\s*\{{"name":\s*"(?P<name>{_NAME})"(?:,\s*"namespace":\s*"(?P<namespace>[^"]*)")?')
_REASON = regex(
    r"\b(?P<reason>FailedScheduling|NotTriggerScaleUp|TriggeredScaleUp|FailedScaleUp|Preempted|Nominated)\b"
)
#: How a message goes on where it cannot end, and how it goes on behind the reasons.
_CUT = ("...", "\u2026")
_UNFINISHED = (",", ";", ":")
_BEHIND_REASONS = ("no new claims", "preemption:")
_PREEMPTION = regex(r"(?!.*0/\d+ nodes are available.*preemption: ).*\bpreemption: |fit failure (?:on|summary)\b")
_PREEMPTION_HEAD = "preemption: "
_TELLING = 20
_GAPS = regex(r"[ \t]{2,}")
#: The fields that a log has as JSON behind the message, a tab or a gap away.
_FIELDS_BEHIND = regex(r"(?:(?:\t|\\t|\s{2,})\{\\?\"|\s\{\\?\"commit\\?\":).*$")
#: What kube-scheduler's log adds to a message.
_LOGGED_END = regex(r"\.?; (?:waiting|retrying)$")
_SENTENCE = regex(r"\.(?=\s|[A-Z][a-z])|\)(?=\s)")
_ESCAPED_BREAK = regex(r"(?<!\\)\\n")
_QUOTES = ("'", '"', "`")
_QUOTE_ENDS = regex(r"\"(?=\s)")
_STRING_END = regex(r"\w\"$")
_ESCAPED_MARK = regex(r"\\+([\"'])")
_STRING_ENDS = regex(r"[\"'](?=\s*[,)\]}])")
_CLOSING = regex(r"(?:[\"'][),;]*|\s*[?!]+|(?<=\.)[}\])]+)$")
_REPEATED = "(combined from similar events): "


class Pasted(NamedTuple):
    """A message, with what stands beside it in a table; `kind` is in lower case, and empty where nothing says it."""

    message: str
    reason: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""
    reporter: str = ""


class Found(NamedTuple):
    """The messages that are recognized in a text, in their order, and the lines that belong to none."""

    messages: Sequence[Pasted]
    others: Sequence[str] = ()


def pasted(text: str) -> Found:
    """What is recognized in a text, by the form of its lines or by how messages begin."""
    if decided := [*decisions(text)]:
        return Found([*map(Pasted, decided)])
    found = _found(text)
    if "\\n" in text and (not found.messages or any(unknown_parts(each.message) for each in found.messages)):
        # A string as programs print it, with its line breaks escaped.
        again = _found(_ESCAPED_BREAK.sub("\n", text).replace('\\"', '"'))
        if again.messages and not any(unknown_parts(each.message) for each in again.messages):
            return again
    return found


def _found(text: str) -> Found:
    reader = _Reader()
    for line in plain_lines(text):
        for part in _parts(line):
            reader.read(part)
    found = reader.result()
    if not found.messages and len(found.others) > 1 and (row := _row(" ".join(found.others))):
        # Where a line ends within the first words of the message.
        return Found([row])
    within = [Pasted(each) for line in found.others for each in _reasons(line, is_alone=not found.messages)]
    return Found([*within, *found.messages], found.others)


def _reasons(line: str, *, is_alone: bool) -> Sequence[str]:
    """The reasons in a sentence; beside a message, only what stands in quotation marks is more than a remark on it."""
    found = [*reasons_within(line)] if is_alone else []
    return found or [*quoted_reasons(line)]


def _parts(line: str) -> Iterator[str]:
    """The line, cut before each further message that stands on its own."""
    starts = [found.start() for found in _ALONE.finditer(line)][1:]
    yield from (line[start:end] for start, end in zip([0, *starts], [*starts, len(line)], strict=True))


class _Reader:
    """Goes through the lines, and knows what stood before."""

    def __init__(self) -> None:
        self.found: list[Pasted] = []
        self.others: list[str] = []
        #: The lines of messages that are known by their first words only.
        self._begun: dict[int, str] = {}
        self._about: dict[str, str] = {}
        #: Whether the next line may go on with the last message.
        self._is_open = False

    def read(self, line: str) -> None:
        """Takes in one more line."""
        stripped = line.strip().rstrip("| ")
        ends_row = stripped != line.strip()
        self._is_open = self._is_open and not _LOGGED.match(stripped)
        if not stripped or _HEADER.fullmatch(stripped):
            self._is_open = False
        elif identity := _IDENTITY.fullmatch(line):
            self._is_open = False
            if identity["field"] == "Name":
                self._about = {}
            self._about[identity["field"].lower()] = identity["value"]
        elif self._goes_on(stripped):
            self.found[-1] = _joined(self.found[-1], stripped)
        elif row := _row(stripped):
            self._add(row, stripped)
        elif joined := self._continued(stripped):
            self.found[-1] = joined
        elif row := _row_of_tables(stripped):
            self._begun[len(self.found)] = stripped
            self._add(row, stripped, is_begun=True)
        elif joined := self._continued(stripped, is_sure=False):
            self.found[-1] = joined
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
        return Found(found, [*self.others, *begun.values()])

    def _continued(self, line: str, *, is_sure: bool = True) -> Pasted | None:
        """The last message with this line behind it: surely if all of it is known then, else if it may be."""
        if not self._is_open or _ENDS.fullmatch(line):
            return None
        joined = _joined_if_sensible(self.found[-1], line)
        return joined if joined and (not is_sure or not unknown_parts(joined.message)) else None

    def _goes_on(self, line: str) -> bool:
        """Whether the last message cannot be at its end, so that this line belongs to it whatever it looks like."""
        if not self._is_open or _DESCRIBED.match(line) or _LISTED.match(line):
            return False
        return self.found[-1].message.endswith(_UNFINISHED) or _PREEMPTION.match(line) is not None

    def _add(self, row: Pasted, line: str, *, is_begun: bool = False) -> None:
        if not row.name and self._about:
            row = row._replace(name=self._about.get("name", ""), namespace=self._about.get("namespace", ""))
        message = row.message.replace(_REPEATED, "", 1).partition("`")[0]
        message = _without_prose(_readable(_GAPS.sub(" ", message).strip()))
        before = line.partition(row.message[:_TELLING])[0]
        if before.endswith(_PREEMPTION_HEAD) and (reasons := counted_before(before)):
            # The beginning of the message is missing, up to some of its reasons.
            message = f"{message.partition(':')[0]}: {reasons}{message}"
        elif before != line and not is_begun:
            self.found += [Pasted(each) for each in quoted_reasons(before)]
        self.found.append(row._replace(message=message))
        self._is_open = not _is_closed(line, row.message)


def _readable(message: str) -> str:
    """The message without what programs put into and behind strings, where that leaves more of it known."""
    unescaped = _ESCAPED_MARK.sub(r"\1", message).rstrip("\\")
    tried = (message, unescaped, _STRING_ENDS.split(unescaped, maxsplit=1)[0], _CLOSING.sub("", unescaped))
    return min(dict.fromkeys(tried), key=unknown_parts)


def _is_closed(line: str, message: str) -> bool:
    """Whether the message is a whole string in the line."""
    before, found, behind = line.partition(message[:_TELLING])
    mark = before[-1:] if found else ""
    if _STRING_END.search(line) and line.count('"') % 2:
        # A string whose beginning is missing.
        return True
    rest = behind[len(message) - _TELLING :] if behind.startswith(message[_TELLING:]) else behind.rstrip(",;)}] ")[-1:]
    return mark in _QUOTES and rest[:1] == mark


def _joined(before: Pasted, line: str) -> Pasted:
    """The message with the line that goes on with it: behind a space, unless a word was cut in two."""
    line = _GAPS.sub(" ", line.partition("`")[0]).rstrip()
    cut = (each.split(line, maxsplit=1)[0] for each in (_QUOTE_ENDS, _STRING_ENDS))
    ends = (line, _CLOSING.sub("", without_doubled(line)), *cut, line.rstrip(")"))
    if line[-1:] in _QUOTES and f"{before.message}{line}".count(line[-1]) % 2:
        # The end of a string whose beginning is not part of the message.
        ends = ends[1:]
    spaces = (" ",) if before.message.endswith(_UNFINISHED) else (" ", "")
    messages = [f"{before.message}{space}{_readable(end)}" for end in dict.fromkeys(ends) for space in spaces]
    return before._replace(message=min(messages, key=unknown_parts))


def _joined_if_sensible(before: Pasted, line: str) -> Pasted | None:
    """The same, unless the message is complete without the line and not with it, or was cut before the line."""
    joined = _joined(before, line)
    if unknown_parts(before.message) == 0 < unknown_parts(joined.message):
        return None
    return None if _senseless_parts(before.message) == 0 < _senseless_parts(joined.message) else joined


def _senseless_parts(message: str) -> int:
    """How many parts are no known text, nor may become one as the message goes on."""
    parts = parse_message(message).parts
    unknown = [part.words for part in parts if not part.is_known]
    if unknown and parts[-1].words == unknown[-1] and any(map(unknown[-1].startswith, _long_heads())):
        unknown.pop()
    return len(unknown)


def _long_heads() -> Iterator[str]:
    """How texts begin, where that says which they are."""
    return (text.head for text in EVERY_TEXT if len(text.head) >= _TELLING)


def _without_prose(message: str) -> str:
    """The message without what somebody wrote behind it, if it can be told where it ends."""
    if unknown_parts(message):
        for end in _SENTENCE.finditer(message):
            before, behind = message[: end.end()], message[end.end() :].lstrip()
            goes_on = any(each.startswith(behind[: len(each)]) for each in _BEHIND_REASONS)
            if not goes_on and not unknown_parts(before):
                return before
    return message


def _row(line: str) -> Pasted | None:
    """The message in a line, by the form of the line or by how messages begin."""
    if described := _DESCRIBED.match(line):
        # Of a table that is a string within a line.
        message = described["message"].partition("\\n")[0]
        return Pasted(message, described["reason"], reporter=described["reporter"] or "")
    if listed := _LISTED.fullmatch(line):
        message = listed["message"]
        if end := _WIDE_END.search(message):
            message = re.split(r"\s{2,}", message[: end.start()])[-1]
        return Pasted(message, listed["reason"], listed["kind"].lower(), listed["name"], listed["namespace"] or "")
    for value in _values(line):
        if head := _HEAD.search(value):
            return _found_in(line, value[head.start() :])
    if head := _HEAD.search(line):
        return _found_in(line, unquoted(line, head.start()))
    return None


def _row_of_tables(line: str) -> Pasted | None:
    """The message in a line that begins as one of the texts about pods does, if it is one as far as it goes."""
    for value in _values(line):
        for start in heads_in(value):
            if _is_text(found := _found_in(line, value[start:])):
                return found
    for start in heads_in(line):
        if _is_text(found := _found_in(line, unquoted(line, start))):
            return found
    return None


def _is_text(found: Pasted) -> bool:
    return found.message.endswith(_UNFINISHED) or all(part.is_known for part in parse_message(found.message).parts)


def _values(line: str) -> Iterator[str]:
    """What fields of a log's line, of YAML or of JSON say."""
    for assigned in _ASSIGNED.finditer(line):
        yield unquoted(assigned["value"] + " ", 1)
    if failed := _FAILED.search(line):
        yield f"{failed['what']}: {unquoted(failed['value'] + ' ', 1)}"
    if field := _FIELD.fullmatch(line):
        value = field["value"]
        if value[:1] not in _QUOTES or value.rstrip(",")[-1:] == value[:1]:
            value = value.rstrip(",")
        yield unquoted(value + " ", 1) if value[:1] in {'"', "'"} else value


def _found_in(line: str, message: str) -> Pasted:
    """The message that begins somewhere in a line, with whom it is about, if the line says so."""
    message = _FIELDS_BEHIND.sub("", message.partition("`")[0])
    message = _LOGGED_END.sub("", _GAPS.sub(" ", message).rstrip(" |"))
    if message.count(")") > message.count("("):
        message = message.removesuffix(")")
    if message.count('"') % 2:
        message = _CLOSING.sub("", message)
    outside = line.replace(message, " ")
    about, reason = _whom(outside), _REASON.search(outside)
    named = {"kind": "pod", "name": about["name"], "namespace": about["namespace"] or ""} if about else {}
    return Pasted(_without_prose(message), reason["reason"] if reason else "", **named)


def _whom(words: str) -> re.Match[str] | None:
    """The pod that is named there."""
    if about := _REFERRED.search(words) or _OBJECT.search(words):
        return about
    for about in _ABOUT.finditer(words):
        is_marked = about["mark"] or about["field"] or about["namespace"] or about[0].startswith("object")
        if is_marked or "-" in about["name"] or any(map(str.isdigit, about["name"])):
            return about
    return None
