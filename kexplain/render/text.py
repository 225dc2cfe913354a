"""The report for people: causes first, then nodes, then preemption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from kexplain.explain.records import NodeVerdict, PodExplanation, Report, Score
from kexplain.parameters import parameter
from kexplain.render.layout import cut_off, indented, new_table, section, stacked, text
from kexplain.render.pod_groups import (
    causes_of_all,
    event_lines,
    group_verdict,
    grouped,
    is_alike,
    nothing_pending,
    owners,
    remedies_of_all,
    shared_room,
)
from kexplain.render.sentences import (
    DASH,
    advice,
    counts,
    extender_lines,
    ladder_lines,
    mean,
    node_lines,
    pod_name,
    preemption_lines,
    request_lines,
    term_cells,
    warnings,
    why_chosen,
)
from kexplain.render.sentences import (
    verdict as verdict_of,
)
from kexplain.render.view import View, objections, printable, restricted
from kexplain.words import plural, some

MARKS = {"Scheduled": ("✓", "bold green"), "Gated": ("‖", "bold yellow"), "NoProfile": ("–", "bold yellow")}
FAILED = ("✗", "bold red")
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
#: From these widths on there is room for plugin names as column heads, and for node names beside causes.
ROOMY = 160
NAMED = 120


def render(report: Report, view: View) -> RenderableType:
    """All pods one after the other, those of one kind and one fate together."""
    report = restricted(report, view)
    blocks: list[RenderableType] = []
    briefly = len(report.pods) > 1 and not (view.verbose or view.wide or view.node or view.plugin)
    placed = [pod for pod in report.pods if pod.outcome == "Scheduled" and briefly]
    if placed:
        blocks += _placed(placed, report, view)
    for group in grouped((pod for pod in report.pods if pod.outcome != "Scheduled" or not briefly), report):
        if blocks:
            blocks.append(Text())
        blocks += _pod(group, report, view)
    if len(report.pods) > 1 and not placed:
        blocks += [Text(), Text(_summary(report), style="bold")]
    if shared_room(report):
        blocks += [Text(), text(shared_room(report), "dim")]
    if nothing_pending(report):
        blocks.append(text(nothing_pending(report)))
    return Group(*blocks)


def _placed(pods: Sequence[PodExplanation], report: Report, view: View) -> Iterator[RenderableType]:
    """Where pods land, a line each, if there are several."""
    yield (
        Text("✓ ", style="bold green")
        .append_text(text(f"{len(pods)} of {plural(len(report.pods), 'pod')} fit", "bold"))
        .append_text(text(f"  (kubernetes {report.kubernetes_version}; {parameter('verbose')} explains each)", "dim"))
    )
    table = new_table("POD", "LANDS ON", "POINTS", "FITS ON", "BEST")
    for pod in pods[: view.top or None]:
        choice = pod.choice
        tie = "" if choice is None or len(choice.best) < 2 else f"one of {len(choice.best)}, drawn at random"
        table.add_row(
            text(pod_name(pod)),
            text(choice.node if choice else ""),
            str(choice.total) if choice and choice.total is not None else DASH,
            f"{pod.nodes.feasible} of {pod.nodes.total}",
            Text(tie or "alone", style="dim"),
        )
    yield indented(table)
    yield from cut_off(len(pods), view)
    for warning in dict.fromkeys(f"{pod.pod.name}: {line}" for pod in pods for line in warnings(pod)):
        yield indented(Text("! ", style="bold yellow").append_text(text(warning, "yellow")))


def _summary(report: Report) -> str:
    fitting = sum(1 for pod in report.pods if pod.outcome == "Scheduled")
    return f"{fitting} of {plural(len(report.pods), 'pod')} fit"


def _pod(group: Sequence[PodExplanation], report: Report, view: View) -> Iterator[RenderableType]:
    pod = group[0]
    yield _headline(group, report)
    if len(group) > 1 and report.search is not None:
        yield indented(text(owners(group)))
    if pod.outcome == "Unschedulable" and pod.message:
        yield indented(text(pod.message, "dim"))
    yield from (indented(text(line)) for line in event_lines(group))
    if advice(pod):
        yield indented(text(advice(pod)))
    if pod.nodes.total and pod.outcome == "Scheduled":
        yield indented(text(counts(pod.nodes, pod.sampling)))
    for warning in dict.fromkeys(line for each in group for line in warnings(each)):
        yield indented(Text("! ", style="bold yellow").append_text(text(warning, "yellow")))
    yield from _reasons(pod, view) if is_alike(group) else _differing(group, view)


def _reasons(pod: PodExplanation, view: View) -> Iterator[RenderableType]:
    """Everything behind the outcome of one pod, or of several that are alike."""
    if pod.choice is not None and not view.plugin:
        yield from section(f"WHY {printable(pod.choice.node)}", stacked(why_chosen(pod.choice)))
    if pod.causes:
        yield from section("WHY" if pod.choice is None else "WHY NOT THE OTHERS", _causes(pod, view))
        yield from cut_off(len(pod.causes), view)
    for line in request_lines(pod):
        yield indented(text(line, "dim"))
    if pod.remedies and not view.node and not view.plugin:
        yield from section("WHAT WOULD HELP", _remedies(pod))
    if view.node:
        yield from _one_node(pod, view)
    else:
        yield from _nodes(pod, view)
    if pod.extender_calls and (view.verbose or view.wide) and not view.plugin:
        yield from section("EXTENDERS", stacked(extender_lines(pod)))
    # That a pod is bound in the end is no news.
    if len(pod.binding) > 1 and (view.verbose or view.wide) and not view.plugin:
        steps = [f"{step.extension_point}: {step.plugin} would {step.action}" for step in pod.binding]
        yield from section("NEXT, WITH NOTHING DONE", stacked(steps))
    if pod.preemption is not None and not view.plugin:
        lines = preemption_lines(pod.preemption, view.top)
        if view.verbose or view.wide:
            lines += ladder_lines(pod.preemption)
        yield from section("PREEMPTION", stacked(lines))


def _differing(group: Sequence[PodExplanation], view: View) -> Iterator[RenderableType]:
    """What stops pods of which one message is told, but not the very same of every node."""
    rows = causes_of_all(group)
    table = new_table("PODS", "STOPPED BY", "BECAUSE")
    for count, plugin, because in rows[: view.top or None]:
        table.add_row(str(count), text(plugin), text(because))
    yield from section("WHY", table)
    yield from cut_off(len(rows), view)
    remedies = remedies_of_all(group)
    if remedies and not view.node and not view.plugin:
        yield from section("WHAT WOULD HELP", stacked([f"→ {line}" for line in remedies[: view.top or None]]))
        yield from cut_off(len(remedies), view)
    yield indented(text(f"what each node says: kexplain pod/{group[0].pod.name} -n {group[0].pod.namespace}", "dim"))


def _headline(group: Sequence[PodExplanation], report: Report) -> Text:
    pod = group[0]
    mark, style = MARKS.get(pod.outcome, FAILED)
    looked_for = len(group) > 1 and report.search is not None
    sentence = group_verdict(group) if looked_for else verdict_of(pod)
    line = Text(f"{mark} ", style=style).append_text(text(sentence, "bold"))
    if len(group) > 1 and not looked_for:
        names = some([each.pod.name for each in group[1:]], 3)
        verb = "does" if len(group) == 2 else "do"
        line.append_text(text(f", nor {verb} {len(group) - 1} more for the same reasons: {names}", "bold"))
    return line.append_text(text(f"  (kubernetes {report.kubernetes_version}, {pod.scheduler_name})", "dim"))


def _causes(pod: PodExplanation, view: View) -> RenderableType:
    # Where there is little room, the names are left to the table of nodes.
    named = view.width is None or view.width >= NAMED
    table = new_table("NODES", "STOPPED BY", "BECAUSE", *(["WHICH"] if named else []))
    for cause in pod.causes[: view.top or None]:
        names = some(cause.nodes, 8 if view.wide else 3)
        cells = [text(str(cause.count)), text(cause.plugin), text(cause.text)]
        table.add_row(*cells, *([text(names, "dim")] if named else []))
    return table


def _remedies(pod: PodExplanation) -> RenderableType:
    lines = []
    for remedy in pod.remedies:
        line = Text("→ ", style="green").append_text(text(remedy.text))
        if remedy.nodes:
            line.append_text(text(f": then it fits on {some(remedy.nodes, 3)}", "green"))
        lines.append(line)
    return Group(*lines)


# --------------------------------------------------------------------------------------------------- node tables


def _nodes(pod: PodExplanation, view: View) -> Iterator[RenderableType]:
    feasible = [verdict for verdict in pod.node_verdicts if verdict.verdict == "Feasible"]
    rejected = [verdict for verdict in pod.node_verdicts if objections(verdict) and verdict.verdict != "Feasible"]
    if any(verdict.scores for verdict in feasible):
        yield from section("RANKED", _ranked(view.limited(feasible), view))
        yield from cut_off(len(feasible), view)
        if view.verbose or view.wide:
            yield from _arithmetic(view.limited(feasible))
    elif view.all_failures and feasible:
        yield from section("FITS ON", stacked([some([verdict.node for verdict in feasible], 20)]))
    shown = rejected if pod.choice is None or view.all_failures or view.plugin else []
    if shown:
        table = _every_objection(view.limited(shown)) if view.all_failures else _stopped(view.limited(shown), view)
        yield from section("NODES" if pod.choice is None else "REJECTED", table)
        yield from cut_off(len(shown), view)


def _stopped(verdicts: Sequence[NodeVerdict], view: View) -> RenderableType:
    """A row a node; those of which the very same is said share one."""
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


def _every_objection(verdicts: Sequence[NodeVerdict]) -> RenderableType:
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


def _ranked(verdicts: Sequence[NodeVerdict], view: View) -> RenderableType:
    """Scores by plugin; those that are the same everywhere decide nothing and are told in a line below."""
    detailed = view.verbose or view.wide
    plugins = [score.plugin for score in verdicts[0].scores]
    same = {} if detailed or len(verdicts) < 2 else _same_everywhere(verdicts, plugins)
    shown = [plugin for plugin in plugins if plugin not in same]
    long_names = detailed or view.width is None or view.width >= ROOMY
    heads = [plugin if long_names else SHORT_NAMES.get(plugin, plugin) for plugin in shown]
    table = new_table("RANK", "NODE", "TOTAL", *heads)
    for index in (0, 2, *range(3, 3 + len(heads))):
        table.columns[index].justify = "right"
    for verdict in verdicts:
        by_plugin = {score.plugin: score for score in verdict.scores}
        cells = [_cell(by_plugin[plugin], detailed=detailed) for plugin in shown]
        warning = (
            f" (evicted after {verdict.evicted_after_seconds} s)" if verdict.evicted_after_seconds is not None else ""
        )
        total = "" if view.plugin else str(verdict.total)
        table.add_row(str(verdict.rank), text(f"{verdict.node}{warning}"), total, *cells)
    notes = []
    if same:
        notes.append("the same on all: " + ", ".join(f"{plugin} {points}" for plugin, points in same.items()))
    if detailed:
        notes.append("raw / normalized / weighted")
    return Group(table, *(Text(note, style="dim") for note in notes))


def _arithmetic(verdicts: Sequence[NodeVerdict]) -> Iterator[RenderableType]:
    """How scores come about: a row a resource, and their mean below."""
    explained = [(verdict.node, found) for verdict in verdicts for found in verdict.score_terms]
    for plugin in dict.fromkeys(found.plugin for _, found in explained):
        scores = [(node, found) for node, found in explained if found.plugin == plugin]
        table = new_table("NODE", "RESOURCE", "WITH THE POD", "OF", "USED", "POINTS", "WEIGHT")
        for column in table.columns[2:]:
            column.justify = "right"
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


def _one_node(pod: PodExplanation, view: View) -> Iterator[RenderableType]:
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
