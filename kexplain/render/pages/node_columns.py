"""The columns of all tables of nodes: one row of `COLUMNS` each, whatever the table and the format."""

from collections.abc import Callable, Iterable
from enum import Flag, auto

from msgspec import Struct

from kexplain.explain.distance import rejections
from kexplain.explain.records import NodeVerdict, Rejection
from kexplain.render.pages import Column, Style, number_text
from kexplain.render.view import View


class In(Flag):
    """The tables that a column can be in."""

    #: The nodes that do not fit.
    REJECTED = auto()
    #: The nodes that fit, ranked.
    RANKED = auto()
    #: All nodes, below a map.
    ALL = auto()


class NodeColumn(Struct, frozen=True):
    """What one column says of a node, for programs under `name` and in the tables for people under `head`.

    `full` is for programs, if it says more. Where no row has anything in it, people do not see the column.
    """

    name: str
    cell: Callable[[NodeVerdict, View], str]
    head: str = ""
    tables: In = In(0)
    style: Style = Style.PLAIN
    is_number: bool = False
    full: Callable[[NodeVerdict], str] | None = None


def _plugin(each: NodeVerdict, view: View) -> str:
    # Only what stands behind the first objection may be asked for.
    against = rejections(each)
    return against[0].plugin if against else ""


def _detail(each: NodeVerdict, view: View) -> str:
    against = rejections(each)
    if not against:
        return "" if each.evicted_after_seconds is None else f"evicted after {each.evicted_after_seconds} s"
    return detail_of(against[0], view)


def detail_of(rejection: Rejection, view: View) -> str:
    """What is said of it, with upstream's own reasons where there is room."""
    reasons = f" [{'; '.join(rejection.reasons)}]" if view.wide else ""
    return f"{rejection.detail}{reasons}"


def _also(each: NodeVerdict, view: View) -> str:
    return ", ".join(rejection.plugin for rejection in rejections(each)[1:])


def _all_also(each: NodeVerdict) -> str:
    return "; ".join(f"{rejection.plugin}: {rejection.detail}" for rejection in each.also)


def _total(each: NodeVerdict, view: View) -> str:
    return "" if view.plugin else number_text(each.total)


def _lasting(each: NodeVerdict, view: View) -> str:
    """The node, and how long the pod would stay on it if not for good."""
    seconds = each.evicted_after_seconds
    return each.node if seconds is None else f"{each.node} (evicted after {seconds} s)"


def _stopped(attribute: str) -> Callable[[NodeVerdict], str]:
    return lambda each: getattr(each.stopped_by, attribute) if each.stopped_by else ""


STOPPED_BY = "STOPPED BY"
#: In the order in which programs get them.
COLUMNS = (
    NodeColumn("node", _lasting, "NODE", In.REJECTED | In.RANKED, full=lambda each: each.node),
    NodeColumn("verdict", lambda each, _: each.verdict.value),
    NodeColumn("rank", lambda each, _: number_text(each.rank), "RANK", In.RANKED | In.ALL, is_number=True),
    NodeColumn("total", _total, "TOTAL", In.RANKED | In.ALL, is_number=True, full=lambda each: number_text(each.total)),
    NodeColumn("plugin", _plugin, STOPPED_BY, In.REJECTED, full=_stopped("plugin")),
    NodeColumn("code", lambda each, _: _stopped("code")(each)),
    NodeColumn("detail", _detail, "DETAIL", In.REJECTED | In.ALL, full=_stopped("detail")),
    NodeColumn("also", _also, "ALSO", In.REJECTED | In.ALL, Style.DIM, full=_all_also),
    NodeColumn("evictedAfterSeconds", lambda each, _: number_text(each.evicted_after_seconds)),
    NodeColumn("scores", lambda each, _: " ".join(f"{score.plugin}={score.weighted}" for score in each.scores)),
)


def for_programs(each: NodeVerdict) -> list[str]:
    """What all columns say of a node."""
    return [column.full(each) if column.full else column.cell(each, View()) for column in COLUMNS]


def for_people(table: In, verdicts: Iterable[NodeVerdict], view: View) -> tuple[list[Column], list[tuple[str, ...]]]:
    """The columns of a table, a rank first, and their cells by node."""
    found = sorted((each for each in COLUMNS if table in each.tables), key=lambda each: each.name != "rank")
    heads = [Column(each.head, each.style, each.is_number) for each in found]
    return heads, [tuple(column.cell(each, view) for column in found) for each in verdicts]
