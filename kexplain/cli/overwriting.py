"""Reports never take the place of what they are about."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec

from kexplain.errors import UsageError
from kexplain.load.text.source import SUFFIXES
from kexplain.patterns import regex

_MOST = 1 << 26
_API_VERSION = regex(rb"""^(?:- )?["']?apiVersion["']?[ \t]*:[ \t]*["']?([^\s"']+)""", re.MULTILINE)


class _Head(msgspec.Struct, rename="camel"):
    api_version: str = ""


def check_outputs(outputs: Iterable[str], inputs: Sequence[str]) -> None:
    """Raise UsageError if a file to write is one to read: by name, by a link, or as a manifest in a directory."""
    for output in outputs:
        if output and os.path.isfile(output) and any(_is_read(output, each) for each in inputs):  # noqa: PTH113
            raise UsageError(f"{output} is read, so it is not written", "give the report a file of its own")


def _is_read(output: str, path: str) -> bool:
    with suppress(OSError, ValueError):
        if os.path.isfile(path):  # noqa: PTH113 - a name is taken as it is
            return os.path.samefile(output, path)  # noqa: PTH121 - as above
        if os.path.isdir(path):  # noqa: PTH112 - as above
            above = os.path.join(os.path.realpath(path), "")  # noqa: PTH118 - as above
            return os.path.realpath(output).startswith(above) and _is_manifest(output)
    return False


def _is_manifest(path: str) -> bool:
    """Whether a file is one that a directory is read for, and holds an object that is no report of ours."""
    if not path.endswith(SUFFIXES):
        return False
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        text = file.read(_MOST)
    if text.lstrip()[:1] == b"{":
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            return _is_foreign(msgspec.json.decode(text, type=_Head).api_version)
        return False
    found = _API_VERSION.search(text)
    return found is not None and _is_foreign(found[1].decode(errors="replace"))


def _is_foreign(api_version: str) -> bool:
    return bool(api_version) and not api_version.startswith("kexplain/")
