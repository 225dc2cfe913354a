"""A report in a terminal as SVG, and its page in a browser as PNG."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tests.browser.chromium import browser

FIXTURES = Path(__file__).parents[2] / "fixtures"
PICTURES = FIXTURES / "pictures"
SCENARIO = FIXTURES / "insufficient-cpu-different-reasons"
COMMAND = ("pod.yaml", "--cluster", ".")
COLUMNS = 104
PAGE = (1000, 780)
#: Fonts that rich would have a reader fetch.
_FONT_FACES = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)


def terminal() -> str:
    """The report for people as SVG, which fetches nothing."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(_printed("--color", "always", "--width", str(COLUMNS))))
    return console.export_svg(
        title=f"kexplain {' '.join(COMMAND)}", code_format=_FONT_FACES.sub("", CONSOLE_SVG_FORMAT), unique_id="kexplain"
    )


def page() -> bytes:
    """The top of its page as PNG."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, browser(Path(folder) / "profile") as opened:
        file = Path(folder) / "report.html"
        _printed("-o", f"html={file}")
        tab = opened()
        tab.open(file, width=PAGE[0], height=PAGE[1])
        return tab.screenshot()


def _printed(*options: str) -> str:
    words = [sys.executable, "-m", "kexplain", *COMMAND, *options]
    return subprocess.run(words, cwd=SCENARIO, capture_output=True, text=True, timeout=60, check=False).stdout
