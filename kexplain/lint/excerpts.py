"""What findings repeat of texts, which are read once more for it: the lines around them, and the word that is meant."""

import os
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from kexplain.grouping import grouped
from kexplain.lint.findings import Excerpt, Finding
from kexplain.load.loaded import Mark, Origin
from kexplain.load.raw_manifests import Written
from kexplain.load.text.source import Text, is_json, leads_out
from kexplain.objects.problem import WordEdit
from kexplain.patterns import regex

#: Lines above and below the one that is meant.
_AROUND = 2
#: Nobody wants lines of a larger text.
_SIZE_MAX = 32 << 20
#: Of longer lines, such as those of minified JSON, only this many characters around the place are kept.
_LENGTH_MAX = 400
#: What a report must not repeat: Secrets, also where they cannot be read as such, and what they are generated from.
_SECRET = regex(rb"\bkind[\"']?[ \t]*:[ \t]*[\"']?Secret\b|\bsecretGenerator\b")
#: What a document begins with.
_START = regex(rb"---(?:[ \t\r]|$)")
_HIDDEN_KIND = "Secret"
_TEXTS_KEPT = 8


class _Text(NamedTuple):
    """Lines, the indices of those that begin a document, and which of these documents hold a Secret."""

    is_json: bool

    lines: list[bytes]
    starts: list[int]
    secret: set[int]


@lru_cache(maxsize=4)
def _decoded(line: bytes) -> str:
    """A line of any length, in which many findings may be."""
    return line.decode(errors="replace")


def mentions_secret(text: Text) -> bool:
    """Whether a text says that it holds a Secret, or what one is generated from."""
    return _SECRET.search(text) is not None


def holds_secret(written: Written, source: str) -> bool:
    """Whether a text holds a Secret, which a report must not repeat."""
    text = written.text(source)
    if text is not None and mentions_secret(text):
        return True
    return any(each.identity.kind == _HIDDEN_KIND for each in written.manifests if each.origin.source == source)


def in_columns(edit: WordEdit | None, mark: Mark, origin: Origin) -> WordEdit | None:
    """The edit, and for a key that moves beside another by how many columns; None where it stays."""
    if edit is None or not edit.beside:
        return edit
    beside = origin.mark(edit.beside, of_key=True)
    columns = beside.column - mark.column if beside.line and beside.source == mark.source else 0
    return replace(edit, indent=columns) if columns else None


class Excerpts:
    """Cuts excerpts out of what was read."""

    def __init__(self, written: Written) -> None:
        self._written = written
        hidden = (each.origin for each in written.manifests if each.identity.kind == _HIDDEN_KIND)
        self._secrets = grouped((origin.source, origin.locate()[0]) for origin in hidden)
        self._text = lru_cache(_TEXTS_KEPT)(self._read)

    def edited(self, source: str, mark: Mark, edit: WordEdit | None) -> str | None:
        """The word at a place after an edit; None without an edit, for Secrets, and where there is no such word."""
        found = self._document(source, mark.line) if edit and mark.length else None
        if edit is None or edit.indent or found is None:
            return None
        text, _ = found
        line = _decoded(text.lines[mark.line - 1])
        edit = replace(edit, is_quoted=True) if text.is_json and edit.text is not None else edit
        return edit.applied(line[mark.column - 1 :][: mark.length])

    def indent(self, source: str, mark: Mark, edit: WordEdit | None) -> int:
        """By how much a key moves to the right: 0 without such an edit, and where it does not begin its line."""
        found = self._document(source, mark.line) if edit and edit.indent else None
        if edit is None or found is None:
            return 0
        before = _decoded(found[0].lines[mark.line - 1])[: mark.column - 1]
        return 0 if before.strip() else edit.indent

    def of(self, finding: Finding) -> Excerpt | None:
        """The lines around a finding, within its document; None for Secrets, and where the text is gone or huge."""
        found = self._document(finding.source, finding.line)
        if found is None:
            return None
        text, document = found
        end = text.starts[document + 1] if document + 1 < len(text.starts) else len(text.lines)
        first = max(text.starts[document], finding.line - 1 - _AROUND)
        shown = [_decoded(line).rstrip("\r") for line in text.lines[first : finding.line + _AROUND]]
        shown = shown[: end - first]
        while shown[finding.line - first :] and not shown[-1].strip():
            shown.pop()
        skipped = max(0, finding.column - _LENGTH_MAX // 2) if len(shown[finding.line - 1 - first]) > _LENGTH_MAX else 0
        lines = tuple(line[skipped : skipped + _LENGTH_MAX] for line in shown)
        return Excerpt(first_line=first + 1, first_column=skipped + 1, lines=lines)

    def _document(self, source: str, line: int) -> tuple[_Text, int] | None:
        """The text and the number of its document that a line is in; None for Secrets and where it is not there."""
        text = self._text(source)
        if text is None or line > len(text.lines):
            return None
        document = bisect_right(text.starts, line - 1) - 1
        return None if document in text.secret else (text, document)

    def _read(self, source: str) -> _Text | None:
        text = self._written.text(source)
        if text is None or len(text) > _SIZE_MAX or leads_out(source, os.path.dirname(source)):  # noqa: PTH120 - as it is
            return None
        lines = bytes(text).split(b"\n")
        starts = [0, *(index for index, line in enumerate(lines) if index and _START.match(line))]
        hidden = [index for index, line in enumerate(lines) if b"ecret" in line and _SECRET.search(line)]
        hidden += (line - 1 for line in self._secrets.get(source, ()))
        return _Text(is_json(text), lines, starts, {bisect_right(starts, index) - 1 for index in hidden})
