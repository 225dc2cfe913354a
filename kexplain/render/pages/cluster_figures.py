"""Figures of one cluster, or of two side by side, in a table, in rows, and as bars of nodes by how full they are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from kexplain.explain.wording import amount
from kexplain.objects.requests import CPU
from kexplain.render.pages import Bar, Bars, Part, Rows, Segment, Sheet, columns, numbers
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.cluster_figures import ClusterFigures, ComparedFigures, LargestPod

T = TypeVar("T")
Sides = Mapping[str, ClusterFigures]
#: The bands that bars show, by their first and last tenth, and their colours.
_BANDS = {
    "below 20 %": (0, 2, "f0"),
    "20 to 50 %": (2, 5, "f1"),
    "50 to 80 %": (5, 8, "f3"),
    "from 80 %": (8, 10, "f4"),
}
_ANEW = "all pods but those of DaemonSets and kubelets placed in turn, on nodes without them"


def parts(figures: ComparedFigures | ClusterFigures | None, view: View) -> Iterator[Part]:
    """The table, and bars where they can be drawn; nothing without figures."""
    if figures is None:
        return
    sides = _sides(figures)
    notes = [_ANEW] if isinstance(figures, ComparedFigures) and figures.anew else []
    heads = (*columns("FIGURE"), *numbers(*map(str.upper, sides)))
    yield Sheet(
        "FIGURES", heads, [(name, *cells) for name, cells in _lines(figures, sides)], notes=notes, is_whole=True
    )
    if view.draws:
        yield from _bars(sides)


def with_rows(rows: Rows, figures: ComparedFigures | ClusterFigures | None) -> Rows:
    """The rows of a report with those of its figures behind them, in columns of their own."""
    if figures is None:
        return rows
    sides = _sides(figures)
    heads = ("figure", *(f"figure{name.capitalize()}" for name in sides))
    blank, own = [""] * len(heads), [""] * len(rows.heads)
    found = [_numbers(each) for each in sides.values()]
    names = dict.fromkeys(name for each in found for name in each)
    lines = [(*own, name, *(each.get(name, "") for each in found)) for name in names]
    if isinstance(figures, ComparedFigures):
        lines.append((*own, "moved", "", figures.moved))
    return Rows((*rows.heads, *heads), [*((*row, *blank) for row in rows.rows), *lines])


def _numbers(each: ClusterFigures) -> dict[str, float]:
    """The figures of one side without words, for who works out more."""
    found: dict[str, float] = {name: getattr(each, name) for name in ("nodes", "used", "pods", "pending")}
    for use in each.resources:
        found |= {f"{use.resource} {name}": getattr(use, name) for name in ("mean", "spread", "highest")}
    return found | {f"{pod.shape}: {name}": most for pod in each.largest for name, most in pod.amounts.items()}


def _sides(figures: ComparedFigures | ClusterFigures) -> Sides:
    return (
        {"now": figures} if isinstance(figures, ClusterFigures) else {"before": figures.before, "after": figures.after}
    )


def _lines(figures: ComparedFigures | ClusterFigures, sides: Sides) -> Iterator[tuple[str, Sequence[str]]]:
    """A line a figure, with a cell a side."""
    every = [*sides.values()]
    yield "nodes used", [f"{each.used} of {each.nodes}" for each in every]
    yield "pods with a node", [str(each.pods) for each in every]
    yield "pods pending", [str(each.pending) for each in every]
    if isinstance(figures, ComparedFigures):
        yield "pods with another node", ["", str(figures.moved)]
    yield from _use_lines(every)
    for shape, pods in _matched([{pod.shape: pod for pod in each.largest} for each in every]):
        yield f"largest pod, {shape}", [_largest(pod) for pod in pods]


def _use_lines(every: Sequence[ClusterFigures]) -> Iterator[tuple[str, Sequence[str]]]:
    """How full nodes are, resource by resource."""
    for name, found in _matched([{use.resource: use for use in each.resources} for each in every]):
        yield f"{name} requested, mean of nodes", [f"{use.mean} %" if use else DASH for use in found]
        yield f"{name}, spread", [f"{use.spread} %" if use else DASH for use in found]
        yield f"{name}, highest", [f"{use.highest} % ({use.highest_on})" if use else DASH for use in found]


def _matched(sides: Sequence[Mapping[str, T]]) -> Iterator[tuple[str, Sequence[T | None]]]:
    """What each side has under a name, name by name."""
    for name in dict.fromkeys(name for side in sides for name in side):
        yield name, [side.get(name) for side in sides]


def _largest(pod: LargestPod | None) -> str:
    if pod is None or not pod.node:
        return "none"
    amounts = [f"{amount(name, most)}{' cpu' if name == CPU else ''}" for name, most in pod.amounts.items()]
    return f"{', '.join(amounts)} ({pod.node})"


def _bars(sides: Sides) -> Iterator[Bars]:
    """For each resource and side, the nodes by how much of it is requested."""
    bars = [
        Bar((use.resource, side), _segments(use.nodes_by_tenth), (f"{use.mean} %",))
        for name in dict.fromkeys(use.resource for each in sides.values() for use in each.resources)
        for side, each in sides.items()
        for use in each.resources
        if use.resource == name
    ]
    legend = {name: color for name, (_, _, color) in _BANDS.items()}
    yield Bars("NODES BY WHAT IS REQUESTED", ("Resource", "Side", "Nodes", "Mean"), bars, legend)


def _segments(nodes_by_tenth: Sequence[int]) -> list[Segment]:
    whole, start, segments = sum(nodes_by_tenth) or 1, 0.0, []
    for name, (first, last, color) in _BANDS.items():
        count = sum(nodes_by_tenth[first:last])
        width = count * 100 / whole
        segments.append(Segment(name, count, round(start, 2), round(width, 2), color))
        start += width
    return segments
