"""Which lines of the package are new, as git tells."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

_FILE = re.compile(r"\+\+\+ b/(?P<path>.+)")
_LINES = re.compile(r"@@ -\S+ \+(?P<first>\d+)(?:,(?P<count>\d+))? @@")
#: How many commits count as new where nobody says since when.
LATEST = 10


def changed_lines(root: Path, since: str = "") -> Mapping[str, set[int]]:
    """The new lines of each module, by path; none where there is no history to tell them by."""
    base = since or _base(root)
    if not base:
        return {}
    found: dict[str, set[int]] = {}
    lines: set[int] = set()
    for line in _git(
        root, "diff", "--unified=0", "--no-color", "--no-ext-diff", base, "HEAD", "--", "kexplain"
    ).splitlines():
        if file := _FILE.fullmatch(line):
            lines = found.setdefault(file["path"], set()) if file["path"].endswith(".py") else set()
        elif hunk := _LINES.match(line):
            first = int(hunk["first"])
            lines.update(range(first, first + int(hunk["count"] or 1)))
    return {path: lines for path, lines in found.items() if lines}


def _base(root: Path) -> str:
    """Where a branch left main; on main itself, some commits ago, or as many as a shallow clone has."""
    head = _git(root, "rev-parse", "HEAD")
    forked = _git(root, "merge-base", "HEAD", "origin/main")
    if forked and forked != head:
        return forked
    latest = _git(root, "rev-list", "--first-parent", f"--max-count={LATEST + 1}", "HEAD").split()
    return latest[-1] if len(latest) > 1 else ""


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
