"""Where reports go, and what the place they go to can show."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from msgspec.structs import replace

from kexplain.cli.flags.report import OutputFlags, Target
from kexplain.render import render
from kexplain.render.harmless import log_lines, printable
from kexplain.render.view import View

if TYPE_CHECKING:
    from kexplain.explain.output import Output
    from kexplain.render.blocks import Block

#: What runs have built, for the process to end with: taking a large cluster apart first would cost a third of a second.
kept: list[object] = []

#: What makes a text, or something for a console, of how it is to be looked at.
Render = Callable[[View], "str | Block"]

#: Formats that people read as they come; a stream in another encoding shows them as well as it can.
_FOR_THE_EYE = ("text", "wide")
#: Wide enough that no table is ever folded.
UNLIMITED = 100_000
DEFAULT_WIDTH = 80
#: Formats whose lines build servers and browsers are to take for their own.
_SPOKEN = ("github", "html")


def write(report: Output, shown: OutputFlags, targets: Sequence[Target], view: View | None = None) -> None:
    """Render to wherever it goes; the view is that of the flags without one of its own.

    Raises KexplainError if a file cannot be written.
    """
    view = view or shown.view()
    kept.append(report)
    for target in targets:
        rendering = partial(render, target.kind, target.format, report)
        if target.path:
            write_text(target.path, as_text(rendering, view, color="never", terminal=False))
        else:
            make_exact(target.format)
            text = as_text(rendering, view, color=shown.color, terminal=sys.stdout.isatty())
            sys.stdout.write(text if target.format in _SPOKEN else log_lines(text))


def make_exact(form: str) -> None:
    """Have stdout take a report in this format as it is, where programs are to read it: UTF-8, line ends kept."""
    out = sys.stdout
    if form not in _FOR_THE_EYE and isinstance(out, TextIOWrapper) and not out.isatty():
        out.reconfigure(encoding="utf-8", newline="\n")


def write_patch(text: str) -> None:
    """Print a text that is to be applied, as it is; a terminal gets to see what control characters are in it."""
    make_exact("patch")
    shown = "".join(f"{printable(line)}\n" for line in text.splitlines()) if sys.stdout.isatty() else text
    sys.stdout.write(shown)


def write_text(path: str, text: str) -> None:
    """Have a file hold a text, its line ends as they are. Raises KexplainError if it cannot be written."""
    from kexplain.cli.atomic import write_atomically  # noqa: PLC0415 (most reports go to a terminal)

    write_atomically(path, text.encode())


def as_text(render: Render, view: View, *, color: str, terminal: bool) -> str:
    """What is rendered as characters: on a terminal as wide as it is, elsewhere as wide as it takes."""
    width = view.width or (terminal_width(sys.stdout) if terminal else None)
    columns = os.environ.get("COLUMNS", "")
    piped = int(columns) if columns.isdecimal() and int(columns) else view.piped
    rendered = render(replace(view, width=width, piped=piped))
    if isinstance(rendered, str):
        return rendered
    colored = wants_color(color, terminal=terminal)
    drawn = (line.ansi() if colored else line.plain for line in rendered.lines(width or UNLIMITED))
    return "".join(f"{line.rstrip(' ')}\n" for line in drawn)


def terminal_width(stream: TextIO) -> int:
    """How many columns the terminal of a stream has."""
    with suppress(OSError):
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
    return DEFAULT_WIDTH


def wants_color(color: str, *, terminal: bool) -> bool:
    """`--color` counts most, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else terminal and os.environ.get("TERM") != "dumb"
