"""Events as people paste them: what kubectl describes or lists, or bare messages.

Words may be one space apart, as chats leave them. Source: `DescribeEvents` of kubectl, `kubectl events`, and
`printEvent` of the API server for `kubectl get events`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kexplain.patterns import regex

_AGE = r"(?:<\w+>|\d\w*)"
_TYPE = r"(?:Normal|Warning)"
#: One word that is followed by a gap, or by any space where it looks like the name of a component.
_REPORTER = r"(?:(?:karpenter|\w+(?:-\w+)+)\s+|\S+(?:, \S+)?\s{2,})?"
_DESCRIBED = regex(rf"{_TYPE}\s+(?P<reason>\w+)\s+{_AGE}(?:\s+\(x\d+ over {_AGE}\))?\s+{_REPORTER}(?P<message>\S.*)")
_LISTED = regex(
    rf"(?:(?P<namespace>[a-z0-9-]+)\s+)?{_AGE}\s+(?:\(x\d+ over {_AGE}\)\s+)?{_TYPE}\s+(?P<reason>\w+)\s+"
    r"(?P<kind>[A-Za-z]+)[\w.]*/(?P<name>\S+)\s+(?P<message>\S.*)"
)
#: How `-o wide` goes on behind the message: when it was first seen, how often, and the name of the event.
_WIDE_END = regex(rf"\s{{2,}}{_AGE}\s{{2,}}\d+\s{{2,}}\S+")
_HEADER = regex(r"(?:NAMESPACE\s+)?LAST SEEN\s.*|Type\s+Reason\s+Age\s+From\s+Message|[-\s]+|Events:(?:\s+<none>)?")
_EVENTS = regex(r"^Events:", re.MULTILINE)
_IDENTITY = regex(r"^(?P<field>Name|Namespace):\s+(?P<value>\S+)", re.MULTILINE)


class Pasted(NamedTuple):
    """A message, with what stands beside it in a table; `kind` is in lower case, and empty where nothing says it."""

    message: str
    reason: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""


def pasted(text: str) -> Sequence[Pasted]:
    """The messages of a text, in their order."""
    events = _EVENTS.search(text)
    if events is None:
        return [_row(line) or Pasted(line) for line in _lines(text)]
    identity = {each["field"]: each["value"] for each in _IDENTITY.finditer(text, 0, events.start())}
    about = {"name": identity.get("Name", ""), "namespace": identity.get("Namespace", "")}
    found: list[Pasted] = []
    for line in _lines(text[events.start() :]):
        if row := _row(line):
            found.append(row._replace(**about))
        elif found:
            found[-1] = found[-1]._replace(message=f"{found[-1].message} {line}")
    return found


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not _HEADER.fullmatch(stripped):
            yield stripped


def _row(line: str) -> Pasted | None:
    if described := _DESCRIBED.fullmatch(line):
        return Pasted(described["message"], described["reason"])
    if listed := _LISTED.fullmatch(line):
        message = listed["message"]
        if end := _WIDE_END.search(message):
            message = re.split(r"\s{2,}", message[: end.start()])[-1]
        return Pasted(message, listed["reason"], listed["kind"].lower(), listed["name"], listed["namespace"] or "")
    return None
