"""What `kexplain diff` found, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kexplain.explain.records import Verdict
from kexplain.parameters import parameter
from kexplain.render.blocks import Block, Group, Item, Text
from kexplain.render.layout import cut_off, indented, new_table, section, stacked, text
from kexplain.render.sentences import DASH
from kexplain.render.view import View
from kexplain.report.difference import (
    NODE,
    VERDICT,
    DifferenceReport,
    NodeDifference,
    NodeStanding,
    PluginShift,
    PodDifference,
    Side,
    Standing,
)
from kexplain.words import plural, some


def render(report: DifferenceReport, view: View) -> Block:
    """Pods with another verdict or node in full; those with other ranks in a line, unless all is asked for."""
    changed = [pod for pod in report.pods if pod.changed]
    in_full = [pod for pod in changed if is_moved(pod) or view.verbose or len(report.pods) == 1]
    blocks: list[Block] = [_head(report, changed)]
    blocks += [indented(text(line, "dim")) for line in sides(report)]
    for pod in in_full[: view.top or None]:
        blocks += [Text(), *_pod(pod, view)]
    blocks += cut_off(len(in_full), view)
    others = [] if view.verbose or len(report.pods) == 1 else [pod for pod in changed if not is_moved(pod)]
    if others:
        names = some([name(pod) for pod in others], 3)
        verb = "keeps its" if len(others) == 1 else "keep their"
        alike = f"{plural(len(others), 'pod')} {verb} verdict, but ranks or reasons differ"
        line = f"{alike}: {names} ({parameter('verbose')} shows more)"
        blocks += [Text(), text(line)]
    return Group(*blocks)


def _head(report: DifferenceReport, changed: Sequence[PodDifference]) -> Text:
    return text(headline(report, changed), "bold" if changed else "bold green")


def is_moved(pod: PodDifference) -> bool:
    """Whether it has another verdict, or another node."""
    return VERDICT in pod.changed or NODE in pod.changed


def headline(report: DifferenceReport, changed: Sequence[PodDifference]) -> str:
    """How many pods change, and in what."""
    if not changed:
        return f"nothing changes for {plural(len(report.pods), 'pod')}"
    kinds = Counter("verdict" if VERDICT in pod.changed else "node" for pod in changed if is_moved(pod))
    what = [plural(count, kind) for kind, count in kinds.items()] or ["only ranks or reasons"]
    verb = "changes" if len(changed) == 1 else "change"
    return f"{len(changed)} of {plural(len(report.pods), 'pod')} {verb}: {', '.join(what)}"


def sides(report: DifferenceReport) -> Iterator[str]:
    """What each side was made with."""
    yield f"before  {_side(report.before, report.after)}"
    yield f"after   {_side(report.after, report.before)}"


def _side(side: Side, other: Side) -> str:
    """The side by what it does not share with the other."""
    own = (setting for setting in side.settings if setting not in other.settings)
    return " ".join((f"kubernetes {side.kubernetes_version}", *own))


def name(pod: PodDifference) -> str:
    """`namespace/name`."""
    return f"{pod.pod.namespace}/{pod.pod.name}"


def _pod(pod: PodDifference, view: View) -> Iterator[Block]:
    yield text(f"{name(pod)} {what_happens(pod)}", "bold")
    fates = new_table("", "OUTCOME", "NODE", "POINTS", "FITS ON")
    for label, standing in (("before", pod.before), ("after", pod.after)):
        points = DASH if standing.total is None else str(standing.total)
        fates.add_row(label, text(standing.outcome), text(where(standing)), points, str(standing.feasible))
    yield indented(fates)
    if pod.moved_before and pod.changed:
        line = f"placed earlier, and now on another node: {some(pod.moved_before, 3)}"
        yield indented(Item(Text("! ", style="bold yellow"), text(line, "yellow")))
    for label, standing in (("before", pod.before), ("after", pod.after)):
        if standing.message and pod.before.message != pod.after.message:
            yield indented(text(f"{label}: {standing.message}", "dim"))
    if pod.moved_by:
        yield from section("MOVED BY", stacked([shift(by) for by in pod.moved_by]))
    counts = list(stopped(pod.nodes))
    if counts:
        yield from section("STOPPED BY", stacked(counts))
    if pod.nodes:
        yield from section("NODES", _nodes(pod.nodes))
        yield from cut_off(pod.changed_nodes, view)


def what_happens(pod: PodDifference) -> str:
    """The change behind the pod's name."""
    before, after = pod.before, pod.after
    if VERDICT in pod.changed:
        if after.node:
            return f"now fits, on {after.node}"
        return f"no longer lands on {before.node}" if before.node else f"is now {after.outcome}"
    if NODE in pod.changed:
        if set(before.best) & set(after.best):
            return f"is now picked from {_drawn(after)}, before from {_drawn(before)}"
        return f"moves from {before.node} to {after.node}"
    return f"still lands on {after.node}" if after.node else "still does not fit"


def _drawn(standing: Standing) -> str:
    return some(standing.best, 3)


def where(standing: Standing) -> str:
    """The node, and whether others are as good."""
    if not standing.node:
        return DASH
    others = len(standing.best) - 1
    return f"{standing.node} (tied with {plural(others, 'other')})" if others else standing.node


def shift(by: PluginShift) -> str:
    """A plugin's part in a change."""
    before, after = (DASH if points is None else f"{points:+d}" for points in (by.before, by.after))
    return f"{by.plugin} {by.points:+d}: it led by {before} before, by {after} after"


def stopped(nodes: Sequence[NodeDifference]) -> Iterator[str]:
    """By plugin, how many nodes more or fewer it stops than before."""
    counts = Counter(node.after.stopped_by for node in nodes)
    counts.subtract(node.before.stopped_by for node in nodes)
    for plugin, count in counts.most_common():
        if plugin and count:
            yield f"{plugin}: {plural(abs(count), 'more node' if count > 0 else 'fewer node')} than before"


def _nodes(nodes: Sequence[NodeDifference]) -> Block:
    has_shifts = any(node.moved_by for node in nodes)
    rows = new_table("NODE", "BEFORE", "AFTER", *(["MOVED BY"] if has_shifts else []))
    for node in nodes:
        moved = ", ".join(f"{shift.plugin} {shift.points:+d}" for shift in node.moved_by)
        cells = [text(node.node), text(fate(node.before)), text(fate(node.after))]
        rows.add_row(*cells, *([text(moved or DASH, "dim")] if has_shifts else []))
    return rows


def fate(standing: NodeStanding) -> str:
    """How a node fared."""
    match standing.verdict:
        case Verdict.FEASIBLE if standing.total is None:
            return "fits"
        case Verdict.FEASIBLE:
            return f"rank {standing.rank}, {standing.total} points"
        case Verdict.NOT_EVALUATED:
            return "not looked at"
        case Verdict.ABSENT:
            return "does not exist"
        case _:
            return f"{standing.stopped_by}: {standing.detail}"
