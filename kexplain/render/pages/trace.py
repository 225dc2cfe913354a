"""What is on the page of a traced pod: the search over the nodes, each node in its turn, and the steps of the cycle."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.explain.preemption import PreemptionReport
from kexplain.explanation.steps import CycleStep
from kexplain.explanation.walk import Walk, WalkedNode
from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.render.pages import (
    Cell,
    Column,
    Document,
    NodeMap,
    NodeTable,
    Page,
    Part,
    Prose,
    Sheet,
    State,
    Style,
    columns,
    decided_by,
    number_text,
    numbers,
    resting_on,
    scheduling_groups,
    too_optimistic,
    walks,
)
from kexplain.render.pages.figures import FITS, UNSEEN, Colors
from kexplain.render.pages.nodes import SHORT_NAMES
from kexplain.render.pages.walks import kinds, missed, strip, walk_lines
from kexplain.render.view import DRAWN_NODES, View
from kexplain.report.trace import PodTrace, TraceReport
from kexplain.words import plural, some

_ENDS = {Outcome.SCHEDULED: State.GOOD, Outcome.GATED: State.WAITING, Outcome.NO_PROFILE: State.PASSED_OVER}
#: So many of the best nodes are shown, wherever they stand, and of those that were missed.
_BEST = 3
#: The criteria by which candidates for preemption are told apart.
_COSTS = ("PDB VIOLATIONS", "HIGHEST PRIORITY", "SUM WITH 2^31 EACH", "COUNT", "STARTED")
_COLORS = {walks.FITS: FITS, walks.UNSEEN: UNSEEN, walks.PREFERRED: "p0"}


def page(report: TraceReport, view: View) -> Document:
    """A page a pod, in the order of the queue."""
    decided = ((each, decided_by(report.kubernetes_version, each.scheduler_name)) for each in report.pods)
    pages = [Page(_headline(one), _ENDS.get(one.outcome, State.BAD), by, [*_parts(one, view)]) for one, by in decided]
    title = pages[0].headline if len(pages) == 1 else f"{plural(len(pages), 'pod')} traced"
    pages += (Page("", parts=[*scheduling_groups.sheets(group)]) for group in report.scheduling_groups)
    return Document(title, pages or [Page("nothing to trace", State.NONE)], f"kubernetes {report.kubernetes_version}")


def _headline(pod: PodTrace) -> str:
    if pod.outcome is Outcome.NO_PROFILE:
        return f'{pod.pod} is left to scheduler "{pod.scheduler_name}"'
    return f"{pod.pod} lands on {pod.node}" if pod.node else f"{pod.pod}: {pod.outcome.value.lower()}"


def _parts(pod: PodTrace, view: View) -> Iterator[Part]:
    yield Prose([pod.message], style=Style.QUOTE)
    yield from resting_on(too_optimistic(pod.not_evaluated))
    nodes = pod.walk.nodes
    yield search(pod.walk)
    if view.draws and 0 < len(nodes) <= DRAWN_NODES:
        drawn = _map(pod, nodes)
        yield drawn
        yield NodeTable(_table(pod.walk, nodes, (1, 3, 0, 2)), drawn, [])
    elif nodes:
        yield from node_tables(pod.walk, view)
    heads = columns("EXTENSION POINT", "PLUGIN", "ANSWER", "DETAIL")
    yield Sheet("THE CYCLE", heads, [*_cycle(pod.steps)], is_whole=True)
    if pod.preemption and pod.preemption.steps:
        yield _candidates(pod.preemption, view)


def _candidates(preemption: PreemptionReport, view: View) -> Sheet:
    """What each candidate for preemption costs by each criterion in turn, and at which of them it is out."""
    shown = preemption.candidates[: view.top or None]
    rows = []
    for each in shown:
        out = next((step.criterion for step in preemption.steps if each.node not in step.remaining), "")
        stands = "nominated" if each.node == preemption.nominated_node else f"out: {out}" if out else "as good"
        victims, costs = some([victim.pod for victim in each.victims], 2), (by.text for by in each.criteria)
        rows.append((each.node, victims, *costs, stands))
    heads = (*columns("NODE", "VICTIMS"), *numbers(*_COSTS), *columns("REMARK"))
    note = "the lowest go on, criterion by criterion from left to right; of starts, the latest"
    return Sheet("WHO IS EVICTED", heads, rows, notes=[note], more=len(preemption.candidates) - len(shown))


def search(walk: Walk) -> Prose:
    """How the search went, with the nodes in their order where they are known."""
    lines = [strip(walk)] if len(walk.nodes) == walk.total else []
    return Prose([*walk_lines(walk), *lines], "THE SEARCH")


def _map(pod: PodTrace, nodes: Sequence[WalkedNode]) -> NodeMap:
    """Every node in its turn, in the colour of who turned it down, with marks where the search began and ended."""
    found = kinds(pod.walk, nodes)
    colors, counts = Colors({}), Counter(found)
    legend = {name: (count, _COLORS.get(name) or colors.of(name)) for name, count in counts.most_common()}
    by_zone = len({each.zone for each in nodes}) > 1
    marks = {pod.walk.first: " edge", pod.walk.last: " edge", pod.node: " picked"}
    said = (legend[kind][1] + marks.get(each.node, "") for kind, each in zip(found, nodes, strict=True))
    cells = [*map(Cell, said, ({"zone": each.zone} if by_zone else {} for each in nodes))]
    note = "outlined: where the search began and ended; round: the node that was picked"
    return NodeMap(cells, legend, ["zone"] if by_zone else [], in_order=True, note=note)


def node_tables(walk: Walk, view: View) -> Iterator[Sheet]:
    """The first nodes in their order, and those further on that have or would have the most points, or were last."""
    shown = walk.nodes[: view.top or None]
    yield replace(_table(walk, shown), more=len(walk.nodes) - len(shown))
    best = sorted(walk.nodes, key=lambda each: -(each.total or 0))[:_BEST]
    names = {walk.last, *walk.preferred[:_BEST], *(each.node for each in best if each.total is not None)}
    if further := [each for each in walk.nodes[len(shown) :] if each.node in names]:
        yield replace(_table(walk, further), title="THE BEST, THE LAST, AND WHAT WAS MISSED")


def _table(walk: Walk, nodes: Sequence[WalkedNode], first: Sequence[int] = range(4)) -> Sheet:
    """A row a node, with the first columns in that order."""
    plugins, same = _plugins(nodes)
    rows = [
        (
            *(str(each.turn), each.node, each.zone, kind, number_text(each.total)),
            *(number_text(each.points.get(plugin)) for plugin in plugins),
            each.detail if each.plugin else missed(each, is_preferred=kind == walks.PREFERRED),
        )
        for kind, each in zip(kinds(walk, nodes), nodes, strict=True)
    ]
    points = (Column(plugin, is_number=True, short=SHORT_NAMES.get(plugin, "")) for plugin in plugins)
    turns = (*numbers("TURN"), *columns("NODE", "ZONE", "WHAT"), *numbers("POINTS"))
    heads = (*turns, *points, Column("WHY", Style.DIM))
    order = (*first, *range(4, len(heads)))
    moved = [tuple(row[place] for place in order) for row in rows]
    heads = tuple(heads[place] for place in order)
    return Sheet("EACH NODE IN ITS TURN", heads, moved, notes=same, keys=2)


def _plugins(nodes: Sequence[WalkedNode]) -> tuple[list[str], list[str]]:
    """The plugins whose points differ among these nodes, and a line with those of the others."""
    points = grouped(pair for each in nodes for pair in each.points.items())
    same = ", ".join(f"{plugin} {found[0]}" for plugin, found in points.items() if len({*found}) == 1)
    differing = [plugin for plugin, found in points.items() if len({*found}) > 1]
    return differing, [f"the same on all nodes shown: {same}"] if same else []


def _cycle(steps: Sequence[CycleStep]) -> Iterator[tuple[str, str, str, str]]:
    """A row a step; an extension point is named on its first."""
    before = ""
    for each in steps:
        yield "" if each.extension_point == before else each.extension_point, each.plugin, each.answer, each.detail
        before = each.extension_point
