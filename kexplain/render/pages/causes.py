"""Why nodes turn a pod down, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.grouping import grouped
from kexplain.render.pages import NAMED, Column, Sheet, Style, columns, numbers
from kexplain.render.pages.circles import Circles
from kexplain.words import some

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from kexplain.diagnosis.records import Finding, NodeCircles
    from kexplain.explain.records import Cause
    from kexplain.report.capacity import StoppedBy
    from kexplain.report.drain_records import DrainedPod

#: From this width on, there is room for where causes are.
_CIRCLED = 80
#: Of pods that are stopped by one thing, so many groups are shown, and so many pods of each are named.
_GROUPS, _NAMES = 3, 2


def causes_sheet(
    title: str,
    causes: Sequence[Cause],
    said: Finding | None,
    lines: Sequence[str] = (),
    circles: NodeCircles | None = None,
    names_shown: int = 3,
) -> Sheet:
    """Why nodes turn a pod down, those that are at fault first.

    Where there is little room, the names are left to the table of nodes.
    """
    in_order = Circles(circles).in_order(causes, said.nodes if said else ())
    which = Column("WHICH", Style.DIM, from_width=NAMED)
    where_at = Column("WHERE", Style.DIM, from_width=_CIRCLED)
    heads = (*numbers("NODES"), where_at, *columns("STOPPED BY", "BECAUSE"), which)
    named = ((each, where, some(each.nodes, names_shown)) for where, each in in_order)
    rows = [(str(each.count), where, each.plugin, each.text, names) for each, where, names in named]
    return Sheet(title, heads, rows, lines)


def causes_below(title: str, by: StoppedBy | DrainedPod) -> Sheet:
    """The same below what is wrong, or else the text of the event."""
    said = by.diagnosis
    sheet = causes_sheet(title, by.causes, said, [*filter(None, (said.text, said.detail))] if said else [])
    return replace(sheet, quote="" if said else by.message or "")


def causes_of_groups(stopped: Iterable[tuple[Hashable, tuple[str, StoppedBy | DrainedPod]]]) -> list[Sheet]:
    """The causes behind pods, by their names, those with one key together; only of the largest groups."""
    largest = sorted(grouped(stopped).values(), key=lambda group: -len(group))[:_GROUPS]
    return [causes_below(f"WHY {some([name for name, _ in group], _NAMES)}", group[0][1]) for group in largest]
