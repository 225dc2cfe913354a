"""Corrections of manifests, as a diff or written to their files."""

import os
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

from kexplain.cli.atomic import write_atomically
from kexplain.errors import KexplainError
from kexplain.lint.corrections import Correction
from kexplain.load.text.source import BOM
from kexplain.patterns import regex
from kexplain.words import plural, some

_LINE = regex(r"[^\n]*\n|[^\n]+")


def diff(source: str, before: str, after: str, around: int = 3) -> str:
    """What `git apply` and `patch -p1` take; without lines `around` what changes, `git apply` needs --unidiff-zero.

    Files are named as seen from here, and those that stand elsewhere from the root of the file system.
    """
    name = _name(source)
    lines = unified_diff(_LINE.findall(before), _LINE.findall(after), f"a/{name}", f"b/{name}", n=around)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _name(source: str) -> str:
    path = Path(os.path.normpath(Path.cwd() / source))
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path).removeprefix("/")


def diffs(corrections: Iterable[Correction]) -> str:
    """All corrections as one diff."""
    return "".join(
        diff(each.source, each.before.decode(errors="replace"), each.after.decode(errors="replace"), each.around)
        for each in corrections
    )


def write_corrections(corrections: Sequence[Correction]) -> str:
    """Change the files, and say what was changed.

    Raises KexplainError, before any of them is changed, if one is not what was read.
    """
    texts = [_in_full(each) for each in corrections]
    for correction, text in zip(corrections, texts, strict=True):
        write_atomically(correction.source, text)
    return f"{count(corrections)}, written to {some([each.source for each in corrections], 3)}"


def _in_full(correction: Correction) -> bytes:
    """The file as it is to be, with its byte order mark if it has one."""
    try:
        text = Path(correction.source).read_bytes()
    except OSError as error:
        raise KexplainError(f"{correction.source}: cannot be read again: {error.strerror or error}") from error
    mark = BOM if text.startswith(BOM) else b""
    if text != mark + correction.before:
        said = f"{correction.source}: not corrected, as its text is not what was read"
        raise KexplainError(said, "nothing was changed; run it again")
    return mark + correction.after


def count(corrections: Sequence[Correction]) -> str:
    """How much is corrected, in words."""
    return f"{plural(sum(each.count for each in corrections), 'correction')} in {plural(len(corrections), 'file')}"
