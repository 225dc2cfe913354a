"""The site: it builds, every link in it leads somewhere, and its tutorial shows what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from kexplain.diagnosis.records import Kind
from kexplain.lint.registry import RULES

from .pages import ROOT

SITE = ROOT / ".github" / "site"
TUTORIAL = SITE / "pages" / "tutorial.md"
_BLOCK = re.compile(
    r"Save this as `(?P<saved>[^`]+)`|And this as `(?P<also>[^`]+)`|```(?P<kind>\w+)\n(?P<body>.*?)```", re.DOTALL
)


class _Links(HTMLParser):
    """What a page links and embeds, and what can be linked in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in {"href", "src"} and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NO_MKDOCS_2_WARNING": "1"}
    words = [sys.executable, str(SITE / "build.py"), str(out)]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: _Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 70
    broken = []
    for path, page in pages.items():
        for link in page.links:
            address, fragment = urldefrag(link)
            if re.match(r"[a-z]+:", address) or fragment.startswith("__"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (
                fragment and target in pages and unquote(fragment) not in pages[target].anchors
            ):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?://(?!OWNER)[^"]+"', index) == []


def test_rules_and_kinds_of_diagnosis_have_addresses(site: Path) -> None:
    assert [rule.id for rule in RULES if not (site / "rules" / rule.id / "index.html").is_file()] == []
    assert {kind.value for kind in Kind} <= _Links(site / "diagnoses" / "index.html").anchors


def test_the_tutorial_shows_what_the_program_prints(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    name = ""
    for block in list(_BLOCK.finditer(text)):
        name = block["saved"] or block["also"] or name
        if block["kind"] == "yaml":
            (tmp_path / name).write_text(block["body"], encoding="utf-8")
        elif block["kind"] == "console":
            if " lint " in block["body"]:  # after the change that the page asks for
                manifest = tmp_path / "web.yaml"
                manifest.write_text(manifest.read_text().replace('cpu: "3"', "cpu: 3000"))
            command = block["body"].splitlines()[0].removeprefix("$ kexplain ")
            printed = _printed(command, tmp_path)
            if request.config.getoption("--rewrite-golden"):
                text = text.replace(block[0], f"```console\n$ kexplain {command}\n{printed}```")
                TUTORIAL.write_text(text, encoding="utf-8")
            else:
                assert block["body"] == f"$ kexplain {command}\n{printed}"


def _printed(command: str, folder: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONUTF8": "1"}
    words = [sys.executable, "-m", "kexplain", *command.split()]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, timeout=60, check=False)
    return done.stdout.decode()
