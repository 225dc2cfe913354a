"""`kexplain lsp` with a client of the protocol, in a process of its own, as editors start it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient

from tests.cli.command import ROOT, kexplain

CASE = ROOT / "fixtures" / "insufficient-cpu-different-reasons"
WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: wéb, image: "web:1", resources: {requests: {cpu: CPU}}}]
"""
SLIP = WEB.replace("wéb", "web").replace("CPU", "1000")


class Typing:
    """An editor with one text, whose diagnostics come one after the other."""

    def __init__(self, client: Any, path: Path) -> None:
        self._client, self.uri, self._version = client, path.as_uri(), 0
        self._shown: asyncio.Queue[Any] = asyncio.Queue()
        client.feature("textDocument/publishDiagnostics")(partial(self._shown.put_nowait))

    async def opens(self, text: str) -> list[Any]:
        item = lsp.TextDocumentItem(self.uri, "yaml", self._version, text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.sees()

    async def types(self, text: str) -> None:
        self._version += 1
        document = lsp.VersionedTextDocumentIdentifier(self._version, self.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def sees(self) -> list[Any]:
        shown = await asyncio.wait_for(self._shown.get(), 60)
        assert shown.version == self._version, "of a text that is no longer there"
        return [*shown.diagnostics]

    async def fixes(self, diagnostic: Any) -> list[Any]:
        context = lsp.CodeActionContext([diagnostic])
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(self.uri), diagnostic.range, context)
        return [*(await self._client.text_document_code_action_async(asked) or ())]

    async def hovers(self, line: int) -> str:
        asked = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri), lsp.Position(line, 0))
        shown = await self._client.text_document_hover_async(asked)
        return shown.contents.value if shown else ""


def edit(question: Callable[[Typing], Awaitable[None]], folder: Path, *words: str, **settings: Any) -> None:
    """Ask the server that an editor has started for a text in a folder."""

    async def run() -> None:
        client = BaseLanguageClient("test", "1")
        await client.start_io(sys.executable, "-m", "kexplain", "lsp", *words, cwd=ROOT)
        asked = lsp.InitializeParams(
            lsp.ClientCapabilities(), root_uri=folder.as_uri(), initialization_options=settings
        )
        await client.initialize_async(asked)
        client.initialized(lsp.InitializedParams())
        await question(Typing(client, folder / "web.yaml"))
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()

    asyncio.run(run())


def test_a_slip_is_shown_and_mended_by_its_quick_fix(tmp_path: Path) -> None:
    async def question(editor: Typing) -> None:
        (slip,) = await editor.opens(SLIP)
        assert (slip.code, slip.source, slip.severity) == ("cpu-unit", "kexplain", 2)
        line = SLIP.splitlines()[slip.range.start.line]
        assert line[slip.range.start.character : slip.range.end.character] == "1000"
        (fix,) = await editor.fixes(slip)
        (change,) = fix.edit.changes[editor.uri]
        assert change.new_text == line.replace("1000", "1000m")
        await editor.types(SLIP.replace(line, change.new_text))
        assert await editor.fixes(slip) == [], "it was found in another text"
        assert await editor.sees() == []
        assert await editor.hovers(0) == "", "no cluster is named"

    edit(question, tmp_path)


def test_only_the_last_of_what_was_typed_is_looked_at(tmp_path: Path) -> None:
    async def question(editor: Typing) -> None:
        await editor.opens("")
        for text in ("kind: Pod", SLIP, WEB.replace("CPU", '"1"')):
            await editor.types(text)
        (found,) = await editor.sees()
        # Columns are counted as the protocol counts them.
        assert found.code == "refused"
        assert WEB.splitlines()[9][found.range.start.character : found.range.end.character] == "wéb"

    edit(question, tmp_path)


@pytest.mark.parametrize("way", ["option", "editor", "settings"])
def test_the_cluster_is_the_one_that_is_named(way: str, tmp_path: Path) -> None:
    fits = SLIP.replace("1000", "800m").replace("replicas: 3", "replicas: 1")

    async def question(editor: Typing) -> None:
        text = f"# first\n---\n{fits}---\n{SLIP.replace('1000', '900').replace('name: web}', 'name: big}')}"
        found = await editor.opens(text)
        assert "request-exceeds-every-node" in {each.code for each in found}
        first, second = await editor.hovers(3), await editor.hovers(16)
        assert first.startswith(f"Room for 3 on {CASE.name} (it asks for 1). What stops the next one: no room")
        assert second.startswith(f"Room for 0 on {CASE.name} (it asks for 3). What stops the next one: the request")
        assert await editor.hovers(0) == ""

    words = ["--cluster", str(CASE)] if way == "option" else []
    settings = {"cluster": str(CASE)} if way == "editor" else {}
    if way == "settings":
        (tmp_path / ".kexplain.yaml").write_text(f"cluster: [{CASE}]\n")
    edit(question, tmp_path, *words, **settings)


def test_what_cannot_be_read_is_said_in_the_text(tmp_path: Path) -> None:
    async def question(editor: Typing) -> None:
        (found,) = await editor.opens(SLIP)
        assert "nowhere.json" in found.message

    edit(question, tmp_path, cluster=["nowhere.json"])


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    monkeypatch.delitem(sys.modules, "kexplain.cli.editor", raising=False)
    done = kexplain("lsp")
    assert done.returncode == 2
    assert b"install kexplain[lsp]" in done.stderr
