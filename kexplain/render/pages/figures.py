"""What is drawn of nodes: a map of all, the table that belongs to it, and bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from kexplain.explain.distance import rejections
from kexplain.explain.records import NodeVerdict, Verdict
from kexplain.explanation.records import PodExplanation
from kexplain.grouping import counted
from kexplain.render.pages import Bar, Bars, Cell, Column, NodeMap, NodeTable, Segment, Sheet, in_a_row, worded
from kexplain.render.pages.circles import NAMES, Circles
from kexplain.render.pages.node_columns import In, for_people
from kexplain.render.view import DRAWN_NODES, View
from kexplain.report.places import NodePlaces
from kexplain.report.records import Report
from kexplain.words import plural

#: So many colours there are in the style sheet: for plugins that reject, for plugins that give points, and for totals.
REJECTING, SCORING, LEVELS = 16, 12, 5
FITS, UNSEEN = f"f{LEVELS - 1}", "unseen"
_KINDS = worded("nodes", dict[Verdict, str])


class Figures:
    """Draws the nodes of one pod after the other, in the same colours and as long as there is room."""

    def __init__(self, report: Report) -> None:
        self._room = DRAWN_NODES
        self._colors = Colors(report.plugins)
        self._places = _Places(report.places)

    def of(self, pod: PodExplanation, view: View) -> Drawn | None:
        """Map, table and bars; None where the report has not all nodes, or there is no room for them any more."""
        count = len(pod.node_verdicts)
        if not 0 < count <= self._room or (count < pod.nodes.total and not (view.node or view.plugin)):
            return None
        self._room -= count
        circles = Circles(pod.circles)
        # What the pod is about comes first, in the map and in the table.
        verdicts = sorted(pod.node_verdicts, key=lambda each: circles.place(each.node))
        drawn = _map(verdicts, self._colors, self._places, circles)
        points = list(_points(pod, self._colors, view))
        return Drawn(list(_circles(pod, circles)), drawn, _table(verdicts, drawn, view), points, self._way(pod))

    def _way(self, pod: PodExplanation) -> Bars:
        """How many nodes each plugin stopped, in the order in which they ran, and what became of the others."""
        stopped = counted((cause.plugin, cause.count) for cause in pod.causes)
        order = {plugin: place for place, plugin in enumerate(self._colors.rejecting)}
        total = pod.nodes.total
        known = sorted(stopped, key=lambda each: order.get(each, len(order)))
        steps = [(f"stopped by {plugin}", stopped[plugin], self._colors.of(plugin)) for plugin in known]
        steps += [("not looked at", pod.nodes.not_evaluated, UNSEEN)] if pod.nodes.not_evaluated else []
        steps.append(("fit", pod.nodes.feasible, FITS))
        shares = ((*step, round(step[1] * 100 / total, 2) if total else 0) for step in steps)
        bars = [Bar((name, str(count)), [Segment(name, count, 0, part, color)]) for name, count, color, part in shares]
        return Bars(f"HOW {plural(total, 'node')} FARED", ("Step", "Nodes", "Share"), bars, {})


class Drawn(Struct, frozen=True):
    """What is drawn of one pod's nodes."""

    circles: Sequence[Bars]
    map: NodeMap
    table: NodeTable
    points: Sequence[Bars]
    way: Bars


class Colors:
    """One colour for each plugin that rejects, and others for those that give points, the same on all pages."""

    def __init__(self, plugins: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self.rejecting = {name: None for points in plugins.values() for name in points.get("filter", ())}
        self._colors = {name: f"k{place % REJECTING}" for place, name in enumerate(self.rejecting)}
        scoring = {name: None for points in plugins.values() for name in points.get("score", ())}
        self._points = {name: f"p{place % SCORING}" for place, name in enumerate(scoring)}

    def of(self, plugin: str) -> str:
        """Where it rejects; extenders come after all plugins."""
        return self._colors.setdefault(plugin, f"k{len(self._colors) % REJECTING}")

    def of_points(self, plugin: str) -> str:
        return self._points.setdefault(plugin, f"p{len(self._points) % SCORING}")


class _Places:
    """The pool and the zone of each node, where there is more than one."""

    def __init__(self, places: NodePlaces | None) -> None:
        found = {"pool": places.pools, "zone": places.zones} if places else {}
        several = ((name, by_place.items()) for name, by_place in found.items() if len(by_place) > 1)
        self._by_node = {name: {node: place for place, nodes in every for node in nodes} for name, every in several}
        self.groupings = list(self._by_node)

    def of(self, node: str) -> dict[str, str]:
        """By what it may be grouped by."""
        return {name: found[node] for name, found in self._by_node.items() if node in found}


def _kind(each: NodeVerdict) -> str:
    against = rejections(each)
    return against[0].plugin if against and each.verdict is not Verdict.FEASIBLE else _KINDS[each.verdict]


def _circles(pod: PodExplanation, circles: Circles) -> Iterator[Bars]:
    """How many nodes are in each circle, as one bar."""
    counts = Counter(circles.name(each.node) for each in pod.node_verdicts)
    total = sum(counts.values())
    if pod.circles is None or not total:
        return
    segments = in_a_row([(name, counts[name], f"c{place}") for place, name in enumerate(NAMES)], total)
    legend = {f"{each.name} ({each.amount})": each.color for each in segments if each.amount}
    yield Bars("WHERE THE NODES STAND", (), [Bar((), segments)], legend)


def _map(verdicts: Sequence[NodeVerdict], colors: Colors, places: _Places, circles: Circles) -> NodeMap:
    kinds = Counter(map(_kind, verdicts))
    totals = [each.total for each in verdicts if each.total is not None]
    lowest, highest = (min(totals), max(totals)) if totals else (0, 0)
    plain = dict.fromkeys(_KINDS.values(), UNSEEN) | {_KINDS[Verdict.FEASIBLE]: FITS}
    legend = {kind: (count, plain.get(kind) or colors.of(kind)) for kind, count in kinds.most_common()}

    def color(each: NodeVerdict) -> str:
        is_fit = each.verdict is Verdict.FEASIBLE
        return f"f{_level(each.total, lowest, highest)}" if is_fit else legend[_kind(each)][1]

    points = ([f"{score.raw}/{score.normalized}" for score in each.scores] for each in verdicts)
    cells = [
        Cell(color(each), places.of(each.node), said, circles.is_aside(each.node))
        for each, said in zip(verdicts, points, strict=True)
    ]
    return NodeMap(cells, legend, places.groupings)


def _level(total: int | None, lowest: int, highest: int) -> int:
    """Where a total stands between the lowest and the highest."""
    return LEVELS - 1 if total is None or highest == lowest else (total - lowest) * (LEVELS - 1) // (highest - lowest)


def _table(verdicts: Sequence[NodeVerdict], drawn: NodeMap, view: View) -> NodeTable:
    """Node, what became of it, then all columns and the points by plugin."""
    plugins = next(([score.plugin for score in each.scores] for each in verdicts if each.scores), [])
    found, rows = for_people(In.ALL, verdicts, view)
    points = [Column(plugin, is_number=True) for plugin in plugins]
    heads = (Column("NODE"), Column("WHAT"), *found, *points)
    blank = [""] * len(plugins)
    said = ([str(score.weighted) for score in each.scores] or blank for each in verdicts)
    cells = [(each.node, _kind(each), *row, *own) for each, row, own in zip(verdicts, rows, said, strict=True)]
    return NodeTable(Sheet(f"ALL {plural(len(verdicts), 'node')}", heads, cells), drawn, points)


def _points(pod: PodExplanation, colors: Colors, view: View) -> Iterator[Bars]:
    """The totals of the best nodes as bars of their parts."""
    scored = view.limited([each for each in pod.node_verdicts if each.scores])
    if not scored:
        return
    longest = max(sum(max(score.weighted, 0) for score in each.scores) for each in scored)
    best = pod.choice.best if pod.choice and len(pod.choice.best) > 1 else ()
    chosen = pod.choice.node if pod.choice else ""
    bars = []
    for each in scored:
        remarks = (["tied"] if each.node in best else []) + (["lands here"] if each.node == chosen else [])
        says = (str(each.total), ", ".join(remarks))
        bars.append(Bar((str(each.rank), each.node), _segments(each, longest, colors), says))
    legend = {score.plugin: colors.of_points(score.plugin) for score in scored[0].scores}
    heads = ("Rank", "Node", "Points by plugin", "Total", "Remark")
    yield Bars(f"POINTS OF THE BEST {plural(len(bars), 'node')}", heads, bars, legend)


def _segments(each: NodeVerdict, longest: int, colors: Colors) -> list[Segment]:
    return in_a_row([(score.plugin, score.weighted, colors.of_points(score.plugin)) for score in each.scores], longest)
