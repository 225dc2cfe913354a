"""The pages that people read, and what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SKILL = ROOT / "fixtures" / "skill" / "SKILL.md"
PAGES = (README, SKILL, *sorted((ROOT / "kexplain" / "cli" / "manual").glob("*.md")))

_SHELL = re.compile(r"```sh\n(?P<lines>.*?)```", re.DOTALL)
_PYTHON = re.compile(r"```python\n(?P<lines>.*?)```", re.DOTALL)


def shell_lines() -> Iterator[tuple[Path, str]]:
    """Every command that a page tells to run, with the page; comments behind it are left out."""
    for page in PAGES:
        for block in _SHELL.finditer(page.read_text(encoding="utf-8")):
            yield from ((page, re.sub(r"\s+#\s.*$", "", line)) for line in block["lines"].splitlines() if line.strip())


def programs() -> Iterator[str]:
    """Every program in Python that a page shows."""
    for page in PAGES:
        yield from (block["lines"] for block in _PYTHON.finditer(page.read_text(encoding="utf-8")))
