"""Kubeconfig files as kubectl merges them. Source: client-go `tools/clientcmd` (`ClientConfigLoadingRules.Load`)."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from kexplain.errors import InputError
from kexplain.load.live.entries import Entry, with_files_beside
from kexplain.load.text.plain_values import read_plain


class Kubeconfig(Struct, frozen=True):
    """What several files say together: of each name the first entry counts, and the first current context."""

    current_context: str
    clusters: Mapping[str, Entry]
    users: Mapping[str, Entry]
    contexts: Mapping[str, Entry]


def read_kubeconfig(files: Sequence[str]) -> Kubeconfig:
    """The files together. Raises ValueError on one that is no kubeconfig, OSError on one that cannot be read."""
    current = ""
    found: dict[str, dict[str, Entry]] = {"cluster": {}, "user": {}, "context": {}}
    for path in files:
        config = _read(path)
        current = current or _text(config.get("current-context") or "", "current-context")
        for kind, entries in found.items():
            for name, entry in _named(config.get(f"{kind}s"), kind):
                entries.setdefault(name, with_files_beside(entry, os.path.dirname(os.path.abspath(path))))
    return Kubeconfig(current, found["cluster"], found["user"], found["context"])


def _read(path: str) -> Mapping[str, Any]:
    try:
        documents = read_plain(path)
    except InputError as error:
        fault = error.faults[0]
        raise ValueError(f"line {fault.line}: {fault.message}" if fault.line else fault.message) from None
    if not documents:
        raise ValueError(f"{path} is empty")
    return _object(documents[0].value, "it")


def _named(entries: Any, kind: str) -> list[tuple[str, Entry]]:
    if not isinstance(entries, list | None):
        raise ValueError(f"{kind}s is not a list")  # noqa: TRY004 - a wrong value, as any other
    checked = [_object(each, f"an entry of {kind}s") for each in entries or ()]
    return [(_text(each.get("name"), f"the name of a {kind}"), _object(each.get(kind), kind)) for each in checked]


def _object(value: Any, what: str) -> Entry:
    if not isinstance(value, dict | None):
        raise ValueError(f"{what} is not an object")  # noqa: TRY004
    return value or {}


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what} is not a string")  # noqa: TRY004
    return value
