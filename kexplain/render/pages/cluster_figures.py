"""Figures of one cluster, or of two side by side, in a table, in rows, and as bars of nodes by how full they are."""

from collections.abc import Iterator, Mapping, Sequence

from kexplain.explain.wording import amount
from kexplain.objects.requests import CPU
from kexplain.render.pages import Bar, Bars, Part, Rows, Segment, Sheet, columns, in_a_row, numbers, worded
from kexplain.render.view import View
from kexplain.report.cluster_figures import ClusterFigures, ComparedFigures, LargestPod

Sides = Mapping[str, ClusterFigures]
#: The bands that bars show, by their first and last tenth, and their colours.
_BANDS = worded("bands of shares", dict[str, tuple[int, int, str]])
_ANEW = "all pods but those of DaemonSets and kubelets placed in turn, on nodes without them"


def parts(figures: ComparedFigures | ClusterFigures | None, view: View) -> Iterator[Part]:
    """The table, and bars where they can be drawn; nothing without figures."""
    if figures is None:
        return
    sides = _sides(figures)
    notes = [_ANEW] if isinstance(figures, ComparedFigures) and figures.anew else []
    heads = (*columns("FIGURE"), *numbers(*map(str.upper, sides)))
    cells = [(name, *(text for _, text in found)) for name, found in _lines(figures)]
    yield Sheet("FIGURES", heads, cells, notes=notes, is_whole=True)
    if view.draws:
        yield _bars(sides)


def with_rows(rows: Rows, figures: ComparedFigures | ClusterFigures | None) -> Rows:
    """The rows of a report with those of its figures behind them, as numbers in columns of their own."""
    if figures is None:
        return rows
    heads = ("figure", *(f"figure{name.capitalize()}" for name in _sides(figures)))
    blank, own = [""] * len(heads), [""] * len(rows.heads)
    lines = [(*own, name, *(number for number, _ in found)) for name, found in _lines(figures)]
    return Rows((*rows.heads, *heads), [*((*row, *blank) for row in rows.rows), *lines])


def _sides(figures: ComparedFigures | ClusterFigures) -> Sides:
    return (
        {"now": figures} if isinstance(figures, ClusterFigures) else {"before": figures.before, "after": figures.after}
    )


def _lines(figures: ComparedFigures | ClusterFigures) -> Iterator[tuple[str, Sequence[tuple[object, str]]]]:
    """A line a figure: of each side the number, and how people read it."""
    found = [{name: (number, text) for name, number, text in _figures(each)} for each in _sides(figures).values()]
    for name in dict.fromkeys(name for each in found for name in each):
        yield name, [each.get(name, ("", "")) for each in found]
    if isinstance(figures, ComparedFigures):
        yield "pods with another node", [("", ""), (figures.moved, str(figures.moved))]


def _figures(each: ClusterFigures) -> Iterator[tuple[str, float, str]]:
    """Each figure by name; of CPU, thousandths."""
    yield "nodes used", each.used, f"{each.used} of {each.nodes}"
    yield "pods with a node", each.pods, str(each.pods)
    yield "pods pending", each.pending, str(each.pending)
    for use in each.resources:
        yield f"{use.resource} requested, mean of nodes", use.mean, f"{use.mean} %"
        yield f"{use.resource}, spread", use.spread, f"{use.spread} %"
        yield f"{use.resource}, highest", use.highest, f"{use.highest} % ({use.highest_on})"
    yield from ((f"largest pod, {pod.shape}", next(iter(pod.amounts.values())), _largest(pod)) for pod in each.largest)


def _largest(pod: LargestPod) -> str:
    amounts = [f"{amount(name, most)}{' cpu' if name == CPU else ''}" for name, most in pod.amounts.items()]
    return f"{', '.join(amounts)} ({pod.node})" if pod.node else "none"


def _bars(sides: Sides) -> Bars:
    """For each resource and side, the nodes by how much of it is requested."""
    uses = [(use.resource, side, use) for side, each in sides.items() for use in each.resources]
    uses.sort(key=lambda each: each[0])
    bars = [Bar((name, side), _segments(use.nodes_by_tenth), (f"{use.mean} %",)) for name, side, use in uses]
    legend = {name: color for name, (_, _, color) in _BANDS.items()}
    return Bars("NODES BY WHAT IS REQUESTED", ("Resource", "Side", "Nodes", "Mean"), bars, legend)


def _segments(nodes_by_tenth: Sequence[int]) -> list[Segment]:
    counted = [(name, sum(nodes_by_tenth[first:last]), color) for name, (first, last, color) in _BANDS.items()]
    return in_a_row(counted, sum(nodes_by_tenth))
