"""The language server: what lint finds in a text as it is typed, quick fixes, and how often a workload fits.

Each answer is a run of its own, in the folder of the text, so that settings count as they do there. A text that changes
while it is looked at is looked at again, and the run before ends.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import yaml
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from kexplain import __version__
from kexplain.cli.flags.declaring import with_absolute_paths, words_for
from kexplain.cli.requests.lsp import Request
from kexplain.errors import KexplainError
from kexplain.lint.corrections import applied
from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.lint.registry import RULE_BY_ID
from kexplain.lint.settings import find_settings, read_settings

#: How long nothing is typed before a text is looked at, in seconds.
PAUSE = 0.3
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error, Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}  # fmt: skip


class Editor:
    """One editor at the other end, and the texts that are open in it."""

    def __init__(self, request: Request) -> None:
        """The cluster of the request is meant, whatever the editor says."""
        self._is_live = request.cluster.live
        self._files = [*with_absolute_paths(request.cluster).files]
        groups = map(with_absolute_paths, (request.cluster, request.connection))
        self._words = [word for group in groups for word in words_for(group, ("live",), are_joined=True)]
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._found: dict[str, tuple[Finding, ...]] = {}
        self._server = LanguageServer("kexplain", __version__)
        for method, answer in (
            (lsp.INITIALIZE, self._start),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._changed),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, self._changed),
            (lsp.TEXT_DOCUMENT_DID_SAVE, self._changed),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed),
            (lsp.TEXT_DOCUMENT_HOVER, self._hover),
        ):
            self._server.feature(method)(partial(answer))  # which takes the marks that it puts on functions
        kinds = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
        self._server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)(partial(self._actions))

    def serve(self) -> None:
        """Answer until the editor goes."""
        self._server.start_io()

    # ---------------------------------------------------------------------------------------------- diagnostics

    def _start(self, asked: lsp.InitializeParams) -> None:
        """Take the cluster that the editor's settings name, unless the command line names one."""
        given: Any = asked.initialization_options
        named = given.get("cluster") if isinstance(given, dict) else getattr(given, "cluster", None)
        if named and not self._files and not self._is_live:
            root = Path(self._server.workspace.root_path or ".")
            self._files = [str(root / each) for each in ([named] if isinstance(named, str) else named)]
            self._words += [f"--cluster={each}" for each in self._files]

    def _changed(self, asked: Any) -> None:
        uri = asked.text_document.uri
        self._forget(uri)
        self._looking[uri] = asyncio.ensure_future(self._look(uri))

    def _closed(self, asked: lsp.DidCloseTextDocumentParams) -> None:
        self._forget(asked.text_document.uri)

    def _forget(self, uri: str) -> None:
        """Drop what was found in a text that is no longer there: its corrections would damage the new one."""
        self._found.pop(uri, None)
        if uri in self._looking:
            self._looking.pop(uri).cancel()

    async def _look(self, uri: str) -> None:
        await asyncio.sleep(PAUSE)
        document = self._server.workspace.get_text_document(uri)
        words = ["lint", "-", "-o", "json", "--allow-empty", *(["--live"] if self._is_live else []), *self._words]
        said, complaint = await _run(words, document.source, _folder(document.path))
        self._found[uri] = msgspec.json.decode(said, type=LintReport).findings if said else ()
        shown = [self._diagnostic(document, finding) for finding in self._found[uri]]
        if complaint and not said:
            start = lsp.Position(0, 0)
            error = lsp.DiagnosticSeverity.Error
            shown = [lsp.Diagnostic(lsp.Range(start, start), complaint, error, source="kexplain")]
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, document.version))

    def _diagnostic(self, document: Any, finding: Finding) -> lsp.Diagnostic:
        line, column = finding.line - 1, finding.column - 1
        text = document.lines[line].rstrip("\r\n") if line < len(document.lines) else ""
        end = column + finding.length if finding.length else max(len(text), column)
        there = lsp.Range(lsp.Position(line, column), lsp.Position(line, end))
        span = document.position_codec.range_to_client_units(document.lines, there)
        level = _SEVERITIES[finding.severity]
        said = finding.message
        return lsp.Diagnostic(range=span, message=said, severity=level, code=finding.rule, source="kexplain")

    # ------------------------------------------------------------------------------------- corrections and hover

    def _actions(self, asked: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """A quick fix for each finding on these lines that is certain."""
        uri = asked.text_document.uri
        document = self._server.workspace.get_text_document(uri)
        lines = range(asked.range.start.line, asked.range.end.line + 1)
        return [
            lsp.CodeAction(
                title=f"Write {finding.instead}"
                if finding.instead
                else f"Move it to the {'right' if finding.indent > 0 else 'left'}",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[self._diagnostic(document, finding)],
                edit=lsp.WorkspaceEdit(changes={uri: [_edit(document.source, finding)]}),
                is_preferred=True,
            )
            for finding in self._found.get(uri, ())
            if finding.is_certain and finding.line - 1 in lines
        ]

    async def _hover(self, asked: lsp.HoverParams) -> lsp.Hover | None:
        """How often the workload under the cursor fits; nothing where no cluster is named."""
        document = self._server.workspace.get_text_document(asked.text_document.uri)
        folder = _folder(document.path)
        settled = [] if self._files or self._is_live else _settled_files(folder)
        files = self._files or settled
        text = _manifest_at(document.lines, asked.position.line)
        if not (files or self._is_live) or not text.strip():
            return None
        words = [*self._words, *(f"--cluster={each}" for each in settled)]
        said, _ = await _run(["capacity", "-", "-o", "json", *words], text, folder)
        if not said:
            return None
        capacity = msgspec.json.decode(said)["pods"][0]
        where = ", ".join(Path(each).name for each in files) or "the cluster"
        stopped = ((capacity.get("stoppedBy") or {}).get("diagnosis") or {}).get("text", "")
        shown = f"Room for {capacity['fits']} on {where}{_wanted(text)}."
        shown += f" What stops the next one: {stopped}." if stopped else ""
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, shown))


def _settled_files(folder: Path) -> list[str]:
    """The cluster that the settings of a folder name."""
    path = find_settings(folder)
    try:
        held = read_settings(path, list(RULE_BY_ID)) if path else None
    except KexplainError:
        return []  # lint says what is wrong with them
    return [held.beside(each) for each in held.settings.cluster or ()] if held else []


def _wanted(text: str) -> str:
    """How many replicas a manifest asks for, if it does."""
    try:
        replicas = yaml.load(text, yaml.CSafeLoader)["spec"]["replicas"]
    except (yaml.YAMLError, LookupError, TypeError):
        return ""
    return f" (it asks for {replicas})" if isinstance(replicas, int) else ""


def _manifest_at(lines: Sequence[str], line: int) -> str:
    """The manifest of a text that a line is in."""
    marks = [number for number, text in enumerate(lines) if text.startswith("---")]
    first = max((number + 1 for number in marks if number < line), default=0)
    last = min((number for number in marks if number >= max(line, first)), default=len(lines))
    return "".join(lines[first:last])


def _edit(text: str, finding: Finding) -> lsp.TextEdit:
    """What turns a text into the corrected one: its lines from the first that differs to the last."""
    before, after = text.split("\n"), applied(text.encode(), [finding]).decode().split("\n")
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    first, last = changed[0], changed[-1]
    there = lsp.Range(lsp.Position(first, 0), lsp.Position(last, len(before[last].encode("utf-16-le")) // 2))
    return lsp.TextEdit(there, "\n".join(after[first : last + 1]))


def _folder(path: str) -> Path:
    """The folder that a text is in, or will be."""
    folder = Path(path).parent
    return folder if folder.is_dir() else Path.cwd()


async def _run(words: Sequence[str], text: str, folder: Path) -> tuple[bytes, str]:
    """What a run says on standard output, and without that why not."""
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kexplain", *words, "--quiet",
        cwd=folder, env={**os.environ, "PYTHONSAFEPATH": "1"},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        said, complaint = await run.communicate(text.encode())
    except asyncio.CancelledError:
        run.kill()
        raise
    return (said if run.returncode in (0, 1) else b""), complaint.decode(errors="replace").strip()
