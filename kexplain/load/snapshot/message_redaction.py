"""The message of a scheduler under other names: what is known is kept word by word, with every name in it replaced."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from kexplain.load.snapshot.new_names import Names
from kexplain.messages.message import parse_message
from kexplain.messages.part import Part, Section, known
from kexplain.messages.texts import CAUSE_TEXTS, EVERY_TEXT, NODE_TEXTS
from kexplain.patterns import regex

REDACTED = "redacted"

_PLUGINS = frozenset(text.source for text in EVERY_TEXT)
_RESOURCE = regex(r"[\w./-]+")
_TAINT = regex(r"(?P<key>[^:]*): ?(?P<value>.*)", re.DOTALL)
#: What may stand between the parts of a message.
_GLUE = regex(r"(?:[\d/,.: ]|nodes are available|preemption)*")


class _UnknownError(Exception):
    """A text, or a name within it, of which nobody knows what it gives away."""


def redacted_message(names: Names, message: str) -> str:
    """The message with its names replaced as everywhere else, and all that is not known left out."""
    pieces: list[str] = []
    end = 0
    for part in parse_message(message).parts:
        start = message.index(part.words, end)
        pieces += (message[end:start], _part(part, names))
        end = start + len(part.words)
    pieces.append(message[end:])
    return "".join(pieces) if all(map(_GLUE.fullmatch, pieces[::2])) else REDACTED


def _part(part: Part, names: Names) -> str:
    with suppress(_UnknownError):
        return _renamed(part, names)
    return REDACTED


def _renamed(part: Part, names: Names) -> str:
    """The words of a part with other names. Raises _UnknownError where they are not a known text, all of them."""
    found = part.names or {}
    if part.text is None or part.text.filled(found) != part.words or not found.keys() <= _RENEWALS.keys():
        if part.words:
            raise _UnknownError
        return ""
    return part.text.filled({name: _RENEWALS[name](names, old) for name, old in found.items()})


def _name(names: Names, old: str) -> str:
    """A name, or a namespace and a name."""
    return "/".join(names.name(each) for each in old.split("/"))


def _names(names: Names, old: str) -> str:
    return " ".join(names.name(each) for each in old.split(" "))


def _resource(names: Names, old: str) -> str:
    if not _RESOURCE.fullmatch(old):
        raise _UnknownError
    return names.resource(old)


def _taint(names: Names, old: str) -> str:
    match = _TAINT.fullmatch(old)
    if match is None:
        raise _UnknownError
    value = match["value"]
    return f"{names.key(match['key'])}: {names.name(value) if value else ''}"


def _number(_: Names, old: str) -> str:
    if not old.isdecimal():
        raise _UnknownError
    return old


def _plugins(_: Names, old: str) -> str:
    """Plugins of kube-scheduler itself; those of others are somebody's."""
    if not _PLUGINS.issuperset(old.split(" ")):
        raise _UnknownError
    return old


def _cause(names: Names, old: str) -> str:
    return _renamed(known(old, Section.POD, (*CAUSE_TEXTS, *NODE_TEXTS)), names)


#: What becomes of what stands for each placeholder of a text.
_RENEWALS: Mapping[str, Callable[[Names, str], str]] = {
    **dict.fromkeys(("claim", "volume", "storage_class", "device_class", "pod", "node"), _name),
    "gates": _names,
    "value": lambda names, old: names.name(old) if old else old,
    "nodes": _number,
    "resource": _resource,
    "taint": _taint,
    "plugin": _plugins,
    "cause": _cause,
}
