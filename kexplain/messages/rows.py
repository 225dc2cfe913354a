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
from kexplain.messages.named_patterns import NamedPatterns
from kexplain.messages.plain_text import unquoted

FORM = NamedPatterns("rows")

QUOTES = ("'", '"', "`")
TELLING = 20
#: How a message goes on where it cannot end.
UNFINISHED = (",", ";", ":")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_MOST_LABELS = 12


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
    return FORM.described.match(line) is not None or FORM.listed.match(line) is not None


def row(line: str) -> Pasted | None:
    """The message in a line, by the form of the line or by how messages begin."""
    if described := FORM.described.match(line):
        # Of a table that is a string within a line.
        message = described["message"].partition("\\n")[0]
        if not described["reporter"] and " " not in message:
            # Cut behind the reporter.
            return None
        return Pasted(message, described["reason"], reporter=described["reporter"] or "")
    if listed := FORM.listed.fullmatch(line):
        message = listed["message"]
        if end := FORM.wide_end.search(message):
            message = re.split(r"\s{2,}", message[: end.start()])[-1]
        return Pasted(message, listed["reason"], listed["kind"].lower(), listed["name"], listed["namespace"] or "")
    for value in _values(line):
        if head := FORM.head.search(value):
            return _found_in(line, unquoted(value, head.start()))
    return _found_in(line, unquoted(line, head.start())) if (head := FORM.head.search(line)) else None


def row_of_tables(line: str) -> Pasted | None:
    """The message in a line that begins as one of the texts about pods does, if it is one as far as it goes."""
    values = (*_values(line), *(each[2] for each in FORM.strings.finditer(line)))
    for value in (line, *values) if FORM.plain_log.match(line) else (*values, line):
        heads = {*heads_in(value)}
        labels = (each.end() for each in islice(FORM.labels.finditer(value), _MOST_LABELS))
        for start in sorted(heads.union(labels)):
            message = _trimmed(unquoted(value, start))
            if _is_text(message) if start in heads else len(message) >= TELLING and not unknown_parts(message):
                return _about(line, message)
    return None


def _is_text(message: str) -> bool:
    return message.endswith(UNFINISHED) or all(part.is_known for part in parse_message(message).parts)


def _values(line: str) -> Iterator[str]:
    """What fields of a log's line, of YAML or of JSON say."""
    yield from (unquoted(assigned["value"] + " ", 1) for assigned in FORM.assigned.finditer(line))
    if failed := FORM.failed.search(line):
        yield f"{failed['what']}: {unquoted(failed['value'] + ' ', 1)}"
    if field := FORM.field.fullmatch(line):
        value = field["value"]
        if value[:1] not in QUOTES or value.rstrip(",")[-1:] == value[:1]:
            value = value.rstrip(",")
        yield unquoted(value + " ", 1) if value[:1] in {'"', "'"} else value


def _found_in(line: str, message: str) -> Pasted:
    """The message that begins somewhere in a line, with whom it is about, if the line says so."""
    return _about(line, _trimmed(message))


def _trimmed(message: str) -> str:
    """The message without what stands behind it."""
    message = FORM.fields_behind.sub("", message.partition("`")[0])
    message = FORM.logged_end.sub("", FORM.gaps.sub(" ", message).rstrip(" |"))
    for opening, closing in _BRACKETS.items():
        if message.count(closing) > message.count(opening):
            message = message.removesuffix(closing)
    if message.count('"') % 2:
        message = FORM.closing.sub("", message)
    return message


def _about(line: str, message: str) -> Pasted:
    """The message with whom it is about, if the rest of the line says so."""
    outside = line.replace(message, " ")
    about, reason = _whom(outside), FORM.reason.search(outside)
    named = {"kind": "pod", "name": about["name"], "namespace": about["namespace"] or ""} if about else {}
    return Pasted(message, reason["reason"] if reason else "", **named)


def _whom(words: str) -> re.Match[str] | None:
    """The pod that is named there."""
    if about := FORM.referred.search(words) or FORM.object.search(words):
        return about
    for about in FORM.about.finditer(words):
        is_marked = about["mark"] or about["field"] or about["namespace"] or about[0].startswith("object")
        if is_marked or "-" in about["name"] or any(map(str.isdigit, about["name"])):
            return about
    return None
