"""Reports in formats, each a module with `render(report, view)`, which returns text or a block for a console.

A renderer takes a finished report: it decides no facts and never looks at the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, field

from kexplain.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kexplain.explain.output import Output
    from kexplain.explanation.records import PodExplanation
    from kexplain.render.blocks import Block
    from kexplain.render.view import View
    from kexplain.report.records import Report

__all__ = ["FORMATS", "Format", "Kind", "Stream", "formats", "render", "stream"]


class Kind(StrEnum):
    """The kinds of documents: reports, each with formats of its own, and the settings of lint, which are only read."""

    EXPLANATION = "report"
    DIFFERENCE = "diff"
    CAPACITY = "capacity"
    DRAIN = "drain"
    WHAT_IF = "what-if"
    EVENT = "event"
    TRACE = "trace"
    FLEET = "fleet"
    REPLAY = "replay"
    PACK = "pack"
    STATUS = "status"
    PLUGINS = "plugins"
    PLUGIN = "plugin"
    FINDINGS = "lint"
    RULES = "rules"
    SETTINGS = "settings"


class Format(Struct, frozen=True):
    """A format: what it is for, and the module that writes it for each kind of report that it can show.

    What hardly anybody needs `is_rare`.
    """

    name: str
    purpose: str
    modules: Mapping[Kind, str]
    is_rare: bool = field(default=False, name="rare")


#: Every format. Parsing, help, completion, manual pages and errors read nothing else.
FORMATS = table("formats", tuple[Format, ...])
#: Those that fill a console, whose width is limited.
_CONSOLE = ("text", "wide")
#: Formats that explanations of many pods are written in as they come, by modules of the same names.
_STREAMED = ("json", "yaml", "csv")


def formats(kind: Kind) -> tuple[Format, ...]:
    """The formats that can show a kind of report."""
    return tuple(each for each in FORMATS if kind in each.modules)


class Stream(Struct, frozen=True):
    """A report on several pods, written as it comes: what stands before them, each pod, and what stands behind them.

    The pods of the report are left aside behind them.
    """

    begin: str
    pod: Callable[[PodExplanation], str]
    end: Callable[[Report], str]


def stream(name: str, head: Report, node_names: Sequence[str], view: View) -> Stream | None:
    """The report on pods in the format of that name, as it comes; None for formats that need it whole."""
    if name not in _STREAMED:
        return None
    made: Callable[[Report, Sequence[str], View], Stream] = import_module(f"{__name__}.{name}").stream
    return made(head, node_names, view)


def render(kind: Kind, name: str, report: Output, view: View) -> str | Block:
    """The report in the format of that name; the format's module, and what it needs, is imported only now."""
    modules = {each.name: each.modules[kind] for each in formats(kind)}
    renderer = cast("Callable[[Output, View], str | Block]", import_module(f"{__name__}.{modules[name]}").render)
    if name not in _CONSOLE or view.width is None:
        return renderer(report, view)
    from kexplain.render.short_names import WithFootnote, with_short_names  # noqa: PLC0415 (pages are not as narrow)

    report, view, ending = with_short_names(report, view)
    rendered: Any = renderer(report, view)
    return WithFootnote(rendered, ending) if ending.text else rendered
