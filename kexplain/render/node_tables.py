"""Tables of nodes: what stopped each, how those that fit rank, how scores come about, and one node in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.explain.records import NodeVerdict, Score, Verdict
from kexplain.explanation.records import PodExplanation
from kexplain.render.blocks import Block, Group, Text
from kexplain.render.layout import cut_off, indented, new_table, section, stacked, text
from kexplain.render.sentences import DASH, mean, node_lines, term_cells
from kexplain.render.view import View, objections, printable
from kexplain.words import some

#: Column heads where the plugins' names do not fit.
SHORT_NAMES = {
    "TaintToleration": "Taints",
    "NodeAffinity": "NodeAff",
    "NodeResourcesFit": "Fit",
    "VolumeBinding": "Volumes",
    "PodTopologySpread": "Spread",
    "InterPodAffinity": "PodAff",
    "DynamicResources": "Devices",
    "NodeResourcesBalancedAllocation": "Balance",
    "ImageLocality": "Images",
}
#: From this width on there is room for plugin names as column heads.
ROOMY = 160
UNLIMITED = 100_000


def node_sections(pod: PodExplanation, view: View) -> Iterator[Block]:
    """The nodes that fit, ranked, and those that do not, where nothing fits or they are asked for."""
    yield from _feasible([each for each in pod.node_verdicts if each.verdict is Verdict.FEASIBLE], view)
    if pod.choice is None or view.all_failures or view.plugin:
        rejected = [each for each in pod.node_verdicts if objections(each) and each.verdict is not Verdict.FEASIBLE]
        if _is_one_for_all(pod, rejected) and not (view.all_failures or view.plugin or view.is_detailed):
            return
        yield from _rejected(rejected, "NODES" if pod.choice is None else "REJECTED", view)


def _is_one_for_all(pod: PodExplanation, rejected: Sequence[NodeVerdict]) -> bool:
    """Whether one cause stops the pod on all nodes, in the same words on each."""
    if len(pod.causes) != 1 or pod.causes[0].count < pod.nodes.total:
        return False
    return all(each.stopped_by and each.stopped_by.detail == pod.causes[0].text for each in rejected)


def _feasible(verdicts: Sequence[NodeVerdict], view: View) -> Iterator[Block]:
    if any(verdict.scores for verdict in verdicts):
        yield from section("RANKED", _ranked(view.limited(verdicts), view))
        yield from cut_off(len(verdicts), view)
        if view.is_detailed:
            yield from _arithmetic(view.limited(verdicts))
    elif view.all_failures and verdicts:
        yield from section("FITS ON", stacked([some([verdict.node for verdict in verdicts], 20)]))


def _rejected(verdicts: Sequence[NodeVerdict], title: str, view: View) -> Iterator[Block]:
    if verdicts:
        shown = view.limited(verdicts)
        yield from section(title, _every_objection(shown) if view.all_failures else _stopped(shown, view))
        yield from cut_off(len(verdicts), view)


def _stopped(verdicts: Sequence[NodeVerdict], view: View) -> Block:
    """A row a node; nodes with the very same objections share one."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for verdict in verdicts:
        # Only what stands behind the first objection may be asked for.
        stopped = verdict.stopped_by or verdict.also[0]
        also = ", ".join(rejection.plugin for rejection in verdict.also) if verdict.stopped_by else ""
        detail = f"{stopped.detail} [{'; '.join(stopped.reasons)}]" if view.wide else stopped.detail
        groups.setdefault((stopped.plugin, detail, also), []).append(verdict.node)
    has_others = any(also for _, _, also in groups)
    table = new_table("NODE", "STOPPED BY", "DETAIL", *(["ALSO"] if has_others else []))
    for (plugin, detail, also), names in groups.items():
        cells = [text(", ".join(names)), text(plugin), text(detail)]
        table.add_row(*cells, *([text(also or DASH, "dim")] if has_others else []))
    return table


def _every_objection(verdicts: Sequence[NodeVerdict]) -> Block:
    """A row an objection; the node is named on its first."""
    table = new_table("NODE", "PLUGIN", "DETAIL", "EVICTION")
    for verdict in verdicts:
        for index, rejection in enumerate(objections(verdict)):
            first = index == 0 and verdict.stopped_by is not None
            eviction = "may help" if rejection.code == "Unschedulable" else "no help"
            table.add_row(
                text(verdict.node if index == 0 else ""),
                text(rejection.plugin, "bold" if first else ""),
                text(rejection.detail),
                Text(eviction, style="dim"),
            )
    return table


def _ranked(verdicts: Sequence[NodeVerdict], view: View) -> Block:
    """Scores by plugin; those that are the same everywhere decide nothing and share a line below."""
    plugins = [score.plugin for score in verdicts[0].scores]
    same = {} if view.is_detailed or len(verdicts) < 2 else _same_everywhere(verdicts, plugins)
    shown = [plugin for plugin in plugins if plugin not in same]
    tables = [_ranks(verdicts, part, view) for part in _side_by_side(verdicts, shown, view)]
    notes = ["raw / normalized / weighted"] if view.is_detailed else []
    if same:
        notes.append("the same on all nodes: " + ", ".join(f"{plugin} {points}" for plugin, points in same.items()))
    return Group(*tables, *(Text(note, style="dim") for note in notes))


def _ranks(verdicts: Sequence[NodeVerdict], plugins: Sequence[str], view: View) -> Block:
    heads = [_head(plugin, view) for plugin in plugins]
    table = new_table("RANK", "NODE", "TOTAL", *heads, right=(0, *range(2, 3 + len(plugins))))
    for verdict in verdicts:
        by_plugin = {score.plugin: score for score in verdict.scores}
        cells = [_cell(by_plugin[plugin], detailed=view.is_detailed) for plugin in plugins]
        table.add_row(str(verdict.rank), text(_lasting(verdict)), "" if view.plugin else str(verdict.total), *cells)
    return table


def _side_by_side(verdicts: Sequence[NodeVerdict], plugins: Sequence[str], view: View) -> Iterator[Sequence[str]]:
    """The plugins, as many at a time as there is room for beside the nodes."""
    names = max(len(_lasting(verdict)) for verdict in verdicts)
    room = (view.width or UNLIMITED) - max(names, len("NODE")) - len("  RANK    TOTAL  ")
    points = [len(_cell(score, detailed=view.is_detailed)) for verdict in verdicts for score in verdict.scores]
    part: list[str] = []
    left = room
    for plugin in plugins:
        width = max(len(_head(plugin, view)), *points) + 2
        if part and width > left:
            yield part
            part, left = [], room
        part.append(plugin)
        left -= width
    yield part


def _head(plugin: str, view: View) -> str:
    has_room = view.width is None or view.width >= ROOMY
    return plugin if has_room else SHORT_NAMES.get(plugin, plugin)


def _lasting(verdict: NodeVerdict) -> str:
    """The node, and how long the pod would stay on it if not for good."""
    seconds = verdict.evicted_after_seconds
    return verdict.node if seconds is None else f"{verdict.node} (evicted after {seconds} s)"


def _arithmetic(verdicts: Sequence[NodeVerdict]) -> Iterator[Block]:
    """How scores come about: a row a resource, and their mean below."""
    explained = [(verdict.node, found) for verdict in verdicts for found in verdict.score_terms]
    for plugin in dict.fromkeys(found.plugin for _, found in explained):
        scores = [(node, found) for node, found in explained if found.plugin == plugin]
        table = new_table("NODE", "RESOURCE", "WITH THE POD", "OF", "USED", "POINTS", "WEIGHT", right=range(2, 7))
        for node, found in scores:
            for place, term in enumerate(found.terms):
                table.add_row(text("" if place else node), *(text(cell) for cell in term_cells(term)))
        means = [f"{node}: {mean(found)}" for node, found in scores]
        title = f"HOW {plugin} SCORES ({scores[0][1].strategy})"
        yield from section(title, Group(table, *(text(line, "dim") for line in means)))


def _same_everywhere(verdicts: Sequence[NodeVerdict], plugins: Sequence[str]) -> dict[str, int]:
    same = {}
    for plugin in plugins:
        points = {score.weighted for verdict in verdicts for score in verdict.scores if score.plugin == plugin}
        if len(points) == 1:
            same[plugin] = points.pop()
    return same


def _cell(score: Score, *, detailed: bool) -> str:
    return f"{score.raw}/{score.normalized}/{score.weighted}" if detailed else str(score.weighted)


def one_node(pod: PodExplanation, view: View) -> Iterator[Block]:
    """Everything about one node."""
    for each in pod.node_verdicts:
        facts = [f"{each.verdict.lower()}" + (f", rank {each.rank} with {each.total} points" if each.scores else "")]
        if each.evicted_after_seconds is not None:
            facts.append(f"would evict the pod again after {each.evicted_after_seconds} s")
        yield from section(f"NODE {printable(each.node)}", stacked(facts))
        if pod.node_state is not None:
            yield indented(stacked(node_lines(pod.node_state)))
        if objections(each):
            yield from section("OBJECTIONS", _every_objection([each]))
        if each.scores:
            yield from section("SCORES", _ranked([each], View(verbose=True, width=view.width)))
            yield from _arithmetic([each])
