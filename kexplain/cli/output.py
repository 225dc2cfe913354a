"""Where reports go, and what the place they go to can show."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kexplain.errors import KexplainError, UsageError
from kexplain.render import FORMATS, View

if TYPE_CHECKING:
    from rich.console import RenderableType

#: What makes a text, or something for a console, of how it is to be looked at.
Render = Callable[[View], "str | RenderableType"]

#: Wide enough that no table is ever folded.
UNLIMITED = 100_000
DEFAULT_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Target:
    """A format, and the file that it goes to; without one, stdout."""

    format: str
    path: str = ""


def parse_targets(outputs: list[str], formats: Sequence[str] = FORMATS) -> list[Target]:
    """The targets of `-o FORMAT[=FILE]`. Raises UsageError on an unknown format, or two for one place."""
    targets = []
    for output in outputs:
        name, _, path = output.partition("=")
        if name not in formats:
            raise UsageError(f'"{name}" is not a format', f"formats are {', '.join(formats)}")
        targets.append(Target(name, path))
    if sum(1 for target in targets if not target.path) > 1:
        raise UsageError("only one report can go to stdout", "give the others a file: -o json=report.json")
    twice = [path for path, count in Counter(target.path for target in targets if target.path).items() if count > 1]
    if twice:
        raise UsageError(f"two reports cannot go to one file: {twice[0]}", "give each a file of its own")
    return targets


def write(render: Render, view: View, target: Target, *, color: str) -> None:
    """Render to where it goes. Raises KexplainError if its file cannot be written."""
    if not target.path:
        sys.stdout.write(as_text(render, view, color=color, terminal=sys.stdout.isatty()))
        return
    text = as_text(render, view, color="never", terminal=False)
    try:
        Path(target.path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise KexplainError(f"{target.path}: cannot be written: {error.strerror or error}") from error


def as_text(render: Render, view: View, *, color: str, terminal: bool) -> str:
    """What is rendered as characters: on a terminal as wide as it is, elsewhere as wide as it takes."""
    width = view.width or (_terminal_width() if terminal else None)
    rendered = render(replace(view, width=width))
    if isinstance(rendered, str):
        return rendered
    from rich.console import Console  # noqa: PLC0415 (not all formats need it)

    colored = wants_color(color, terminal=terminal)
    console = Console(
        width=width or UNLIMITED,
        color_system="standard" if colored else None,
        force_terminal=colored,
        no_color=not colored,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(rendered)
    return "".join(f"{line.rstrip(' ')}\n" for line in capture.get().splitlines())


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or DEFAULT_WIDTH
    except OSError:
        return DEFAULT_WIDTH


def wants_color(color: str, *, terminal: bool) -> bool:
    """`--color` counts most, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return terminal and os.environ.get("TERM") != "dumb"
