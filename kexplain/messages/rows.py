"""The message in one line: of a table, of a log, in a field's value, or wherever it begins, with whom it is about.

Source: `DescribeEvents` of kubectl, `kubectl events`, `printEvent` of the API server for `kubectl get events`, klog.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from kexplain.messages.heads import heads_in
from kexplain.messages.message import parse_message, unknown_parts
from kexplain.messages.plain_text import unquoted
from kexplain.patterns import regex

_AGE = r"(?:<\w+>|\d\w*)"
_TYPE = r"(?:Normal|Warning)"
_TIMES = rf"(?:\(x\d+ over {_AGE}\)\s+)?"
#: One word that is followed by a gap, or by any space where it looks like the name of a component.
_REPORTER = r"(?:(?P<reporter>karpenter|\w+(?:-\w+)+(?:/[\w-]+)?|\S+(?:, \S+)?(?=\s{2}))\s+)?"
_DESCRIBED = regex(rf"{_TYPE}\s+(?P<reason>\w+)\s+{_AGE}\s+{_TIMES}{_REPORTER}(?P<message>\S.*)")
_LISTED = regex(
    rf"(?:(?P<namespace>[a-z0-9-]+)\s+)?{_AGE}\s+{_TIMES}{_TYPE}\s+(?P<reason>\w+)\s+"
    rf"(?P<kind>[A-Za-z]+)[\w.]*/(?P<name>\S+)\s+{_REPORTER}(?P<message>\S.*)"
)
#: How `-o wide` goes on behind the message: when it was first seen, how often, and the name of the event.
_WIDE_END = regex(rf"\s{{2,}}{_AGE}\s{{2,}}\d+\s{{2,}}\S+")
#: How messages begin that are put together from several texts, or whose first words say little.
_HEAD = regex(
    r"0 ?/\d+\s+[Nn]odes? (?:are |is )?(?:un)?available|all nodes are unavailable:"
    r"|No nodes are available that match all of|[Pp]od didn['\u2019]t trigger scale-up"
    r"|Pod \S+ can['\u2019]t be scheduled on |predicate (?:checking error|failed): "
    r"|Pod \S+ (?:is unschedulable$|marked as unschedulable can be|has priority below |will be scheduled after low)"
    r"|Node group \S+ is not ready for scale|pod \([^()\s]+\) failed to fit in any node"
    r"|failed to find (?:a )?fit for pod[:,] |Pod \S+ can possibly be assigned to "
    r"|\d+ out of \d+ instance types were excluded because|Node scale up in zones "
    r"|(?:Failed to|[Cc]ould not) schedule pod, |incompatible with (?:nodepool|provisioner) \\?\""
    r"|(?:couldn['\u2019]t|failed to) assign flavors to pod set|\d+/\d+ tasks in gang unschedulable"
    r"|[Nn]o nodes with enough resources were found|(?:error while )?running \\?\"\w+\\?\" \w+ plugin"
    r"|running \w+ plugin \\?\"|Preempted by \S+ |Request '[^']*' (?:does not fit|exceeds)"
    r"|persistentvolumeclaim \S+ (?:not found|is being deleted|bound to)|Only \d+ nodes can be added to "
    r"|(?i:pdb) \\?\"[^\"]*\" prevents pod evictions|[\w.]+ \\?\"[^\"\\]*\\?\" is forbidden: "
    r"|The \w+ \\?\"[^\"\\]*\\?\" is invalid: |[Ee]rror from server [(:]"
)
#: `field: value` of YAML and JSON, whose value may be the message.
_FIELD = regex(r"(?:-\s+)?[\"']?(?:message|note|err|error|msg)[\"']?\s*:\s*(?P<value>.*)")
#: `field="value"` of klog, and what says there whom a message is about.
_ASSIGNED = regex(r"\b(?:err|error|message|msg|reason|note)=(?P<value>\"(?:[^\"\\]|\\.)*\"?)")
#: What klog or a log in JSON says, and the error behind it.
_FAILED = regex(
    r"(?:\]\s*|\"(?:message|msg)\":\s*)\"(?P<what>[^\"]+)\".*?(?:\berr=|\"error\":\s*)(?P<value>\"(?:[^\"\\]|\\.)*\"?)"
)
_NAME = r"(?!anti-affinity\b)[a-z0-9][a-z0-9.-]*[a-z0-9]"
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
QUOTES = ("'", '"', "`")
TELLING = 20
CLOSING = regex(r"(?:[\"'][),;]*|\s*[?!]+|(?<=\.)[}\])]+)$")
#: How a message goes on where it cannot end.
UNFINISHED = (",", ";", ":")
GAPS = regex(r"[ \t]{2,}")
#: The fields that a log has as JSON behind the message, a tab or a gap away.
_FIELDS_BEHIND = regex(
    r"(?:(?:\t|\\t|\s{2,})\{\\?\"|\s\{\\?\"commit\\?\":|\t\d[\d :/-]*(?:\t|$)|,Source:EventSource\{).*$|(?:\\+[nrt])+$"
)
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
#: A line of klog whose message is no string.
_PLAIN_LOG = regex(r".*?\b[IWEF]\d{4} [\d:.]+\s+\d+ [\w.]+:\d+\] [^\"]")
#: What kube-scheduler's log adds to a message.
_LOGGED_END = regex(r"\.?; (?:waiting|retrying)$")
_STRINGS = regex(r"(?:(?<!\w)|(?<=\bb))([\"'])((?:\\.|(?!\1)[^\\])*)\1")
_MOST_LABELS = 12
#: What stands before a message on its line.
_LABELS = regex(r"^|: |\] | - |\d [AP]M |[)>|\t`] ?| {2,}")


class Pasted(NamedTuple):
    """A message, with what stands beside it in a table; `kind` is in lower case, and empty where nothing says it."""

    message: str
    reason: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""
    reporter: str = ""


def is_row(line: str) -> bool:
    """Whether the line is one of a table of events."""
    return _DESCRIBED.match(line) is not None or _LISTED.match(line) is not None


def row(line: str) -> Pasted | None:
    """The message in a line, by the form of the line or by how messages begin."""
    if described := _DESCRIBED.match(line):
        # Of a table that is a string within a line.
        message = described["message"].partition("\\n")[0]
        if not described["reporter"] and " " not in message:
            # Cut behind the reporter.
            return None
        return Pasted(message, described["reason"], reporter=described["reporter"] or "")
    if listed := _LISTED.fullmatch(line):
        message = listed["message"]
        if end := _WIDE_END.search(message):
            message = re.split(r"\s{2,}", message[: end.start()])[-1]
        return Pasted(message, listed["reason"], listed["kind"].lower(), listed["name"], listed["namespace"] or "")
    for value in _values(line):
        if head := _HEAD.search(value):
            return _found_in(line, unquoted(value, head.start()))
    if head := _HEAD.search(line):
        return _found_in(line, unquoted(line, head.start()))
    return None


def row_of_tables(line: str) -> Pasted | None:
    """The message in a line that begins as one of the texts about pods does, if it is one as far as it goes."""
    values = (*_values(line), *(each[2] for each in _STRINGS.finditer(line)))
    for value in (line, *values) if _PLAIN_LOG.match(line) else (*values, line):
        heads = {*heads_in(value)}
        labels = (each.end() for each in islice(_LABELS.finditer(value), _MOST_LABELS))
        for start in sorted(heads.union(labels)):
            message = _trimmed(unquoted(value, start))
            if _is_text(message) if start in heads else _is_whole(message):
                return _about(line, message)
    return None


def _is_whole(message: str) -> bool:
    return len(message) >= TELLING and not unknown_parts(message)


def _is_text(message: str) -> bool:
    return message.endswith(UNFINISHED) or all(part.is_known for part in parse_message(message).parts)


def _values(line: str) -> Iterator[str]:
    """What fields of a log's line, of YAML or of JSON say."""
    for assigned in _ASSIGNED.finditer(line):
        yield unquoted(assigned["value"] + " ", 1)
    if failed := _FAILED.search(line):
        yield f"{failed['what']}: {unquoted(failed['value'] + ' ', 1)}"
    if field := _FIELD.fullmatch(line):
        value = field["value"]
        if value[:1] not in QUOTES or value.rstrip(",")[-1:] == value[:1]:
            value = value.rstrip(",")
        yield unquoted(value + " ", 1) if value[:1] in {'"', "'"} else value


def _found_in(line: str, message: str) -> Pasted:
    """The message that begins somewhere in a line, with whom it is about, if the line says so."""
    return _about(line, _trimmed(message))


def _trimmed(message: str) -> str:
    """The message without what stands behind it."""
    message = _FIELDS_BEHIND.sub("", message.partition("`")[0])
    message = _LOGGED_END.sub("", GAPS.sub(" ", message).rstrip(" |"))
    for opening, closing in _BRACKETS.items():
        if message.count(closing) > message.count(opening):
            message = message.removesuffix(closing)
    if message.count('"') % 2:
        message = CLOSING.sub("", message)
    return message


def _about(line: str, message: str) -> Pasted:
    """The message with whom it is about, if the rest of the line says so."""
    outside = line.replace(message, " ")
    about, reason = _whom(outside), _REASON.search(outside)
    named = {"kind": "pod", "name": about["name"], "namespace": about["namespace"] or ""} if about else {}
    return Pasted(message, reason["reason"] if reason else "", **named)


def _whom(words: str) -> re.Match[str] | None:
    """The pod that is named there."""
    if about := _REFERRED.search(words) or _OBJECT.search(words):
        return about
    for about in _ABOUT.finditer(words):
        is_marked = about["mark"] or about["field"] or about["namespace"] or about[0].startswith("object")
        if is_marked or "-" in about["name"] or any(map(str.isdigit, about["name"])):
            return about
    return None
