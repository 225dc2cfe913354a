"""Reads the recipes of CONTRIBUTING.md and follows them to the letter.

A recipe is a section. Its steps are sentences that end in a colon and a code block, and name a file first:

    Create `FILE`:                          the block is the new file
    At the end of `FILE`, add:              the block goes there
    In `FILE`, after `TEXT`, add:           below the only line with that text, indented as that line is
    In `FILE`, before `TEXT`, add:          above it
    In `FILE`, replace `TEXT` with:         in place of that line

Words may stand between these and the colon. A `console` block holds commands behind `$ `. A recipe with a block that
is neither is an error, so that nothing in it goes untested.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

ROOT = Path(__file__).parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"

#: What has been compiled and checked of the repository stands for the copy, which is dated alike.
_NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", "venv", ".ruff_cache", ".pytest_cache", ".hypothesis", "build", "dist", "*.egg-info"
)
_CORPORA = Path("fixtures", "conformance")
_FENCE = re.compile(r"^ *(?P<ticks>`{3,})(?P<language>\w*)\n(?P<text>.*?)^ *(?P=ticks)$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(
    r"(?:(?P<create>[Cc]reate)|(?P<end>[Aa]t\s+the\s+end\s+of)|[Ii]n)\s+`(?P<file>[^`\s]+)`"
    r"(?:,\s+(?P<where>after|before|replace)\s+`(?P<anchor>[^`]+)`)?[^`:]*:\s*\Z"
)


@dataclass(frozen=True, slots=True)
class Step:
    """One edit: `where` is create, end, after, before or replace; the last three need an anchor."""

    file: str
    where: str
    anchor: str
    text: str

    def follow(self, copy: Path) -> None:
        """Make the edit in a copy of the repository."""
        path = copy / self.file
        if self.where == "create":
            assert not path.exists(), f"{self.file} exists already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text, encoding="utf-8")
            return
        before = path.read_text(encoding="utf-8")
        path.write_text(before + self.text if self.where == "end" else self._inserted(before), encoding="utf-8")

    def _inserted(self, before: str) -> str:
        lines = before.splitlines(keepends=True)
        (at,) = [number for number, line in enumerate(lines) if self.anchor in line]
        margin = re.match(r" *", lines[at])
        added = indent(self.text, margin[0] if margin else "")
        kept = {"after": (at + 1, at + 1), "before": (at, at), "replace": (at, at + 1)}[self.where]
        return "".join([*lines[: kept[0]], added, *lines[kept[1] :]])


@dataclass(frozen=True, slots=True)
class Recipe:
    """A section of CONTRIBUTING.md: its edits, and the commands that it says to run, in their order."""

    title: str
    steps: tuple[Step, ...]
    commands: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it touches, each once."""
        return tuple(dict.fromkeys(step.file for step in self.steps))

    def follow(self, copy: Path) -> None:
        """Make all edits, format and check the Python among them, and run the commands; each must succeed."""
        for step in self.steps:
            step.follow(copy)
        python = " ".join(file for file in self.files if file.endswith(".py"))
        checks = (f"ruff format {python}", f"ruff check {python}") if python else ()
        for command in (*checks, *self.commands):
            run(command, copy)


def recipe(title: str) -> Recipe:
    """The recipe of the section with this title, whatever its level."""
    return parse(title, section(title))


def section(title: str) -> str:
    """The text below a heading, up to the next of its level or above."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    heading = re.search(rf"^(#+) {re.escape(title)}\n", text, re.MULTILINE)
    assert heading is not None, f"CONTRIBUTING.md has no section {title!r}"
    following = re.search(rf"^#{{1,{len(heading[1])}}} ", _without_blocks(text)[heading.end() :], re.MULTILINE)
    return text[heading.end() :][: following.start() if following else None]


def parse(title: str, text: str) -> Recipe:
    """The steps and commands of a section."""
    steps: list[Step] = []
    commands: list[str] = []
    last = 0
    for block in _FENCE.finditer(text):
        content = dedent(block["text"])
        if block["language"] == "console":
            commands += [line.removeprefix("$ ") for line in content.splitlines() if line.startswith("$ ")]
        else:
            steps.append(_step(text[last : block.start()], content))
        last = block.end()
    return Recipe(title, tuple(steps), tuple(commands))


def _step(before: str, content: str) -> Step:
    found = _STEP.search(before)
    assert found is not None, f"no step says what to do with this block:\n{content}"
    where = "create" if found["create"] else "end" if found["end"] else found["where"]
    assert where is not None, f"nothing says where in {found['file']} this goes:\n{content}"
    return Step(found["file"], where, found["anchor"] or "", content)


def _without_blocks(text: str) -> str:
    """The text with its code blocks blanked, so that a comment in one is no heading."""
    return _FENCE.sub(lambda block: "." * len(block[0]), text)


def copied(target: Path) -> Path:
    """A copy of the repository that shares the recorded corpora, which are large and which no recipe changes."""
    shutil.copytree(ROOT, target, ignore=_not_copied)
    (target / _CORPORA).symlink_to(ROOT / _CORPORA, target_is_directory=True)
    return target


def _not_copied(folder: str, names: list[str]) -> set[str]:
    corpora = {_CORPORA.name} if Path(folder) == ROOT / _CORPORA.parent else set()
    return _NOT_COPIED(folder, names) | corpora


def run(command: str, copy: Path) -> str:
    """What a command printed in the copy, which must succeed; its modules are those of the copy."""
    done = subprocess.run(
        shlex.split(command),
        cwd=copy,
        env={"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return done.stdout
