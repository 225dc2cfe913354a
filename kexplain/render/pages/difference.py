"""What is on the page of a difference."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, starmap

from kexplain.explain.records import Verdict
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.render.pages import (
    Column,
    Page,
    Part,
    Prose,
    Sheet,
    State,
    Style,
    cluster_figures,
    columns,
    group_differences,
    number_text,
    numbers,
)
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.cluster_changes import ClusterChange
from kexplain.report.difference import (
    NODE,
    VERDICT,
    DifferenceReport,
    GroupDifference,
    NodeDifference,
    NodeStanding,
    PluginShift,
    PodDifference,
    Side,
    Standing,
)
from kexplain.report.release_changes import ReleaseChange
from kexplain.report.scheduler_changes import SettingChange
from kexplain.words import joined, plural, some, verb

#: So many letters of a setting are shown where not all is asked for.
_LONG = 60


def page(report: DifferenceReport, view: View) -> Page:
    """What differs between the sides, the pods, and what the clusters come to."""
    changed = [pod for pod in report.pods if pod.changed]
    settings = _settings(report.scheduler_changes, _LONG if not view.verbose else sys.maxsize)
    parts: list[Part] = [Prose(list(_sides(report)), style=Style.DIM), *settings, *_changed_parts(report)]
    parts += _pods(report, view)
    parts += cluster_figures.parts(report.figures, view)
    versions = list(dict.fromkeys((report.before.kubernetes_version, report.after.kubernetes_version)))
    state = State.NONE if changed else State.GOOD
    return Page(_headline(report, changed), state, f"kubernetes {joined(versions)}", parts)


def _pods(report: DifferenceReport, view: View) -> Iterator[Part]:
    """Groups, then pods that are not said with these: with another verdict or node in full, a line of the others."""
    groups = _changed_groups(report)
    yield from chain.from_iterable(starmap(group_differences.parts, groups))
    told = set() if view.verbose else {group.scheduling_group for group, _ in groups}
    pods = [pod for pod in report.pods if pod.scheduling_group not in told and (pod.changed or pod.nodes)]
    is_alone = len(report.pods) == 1
    by_room = grouped((bool(view.verbose or is_moved(pod) or (is_alone and pod.changed)), pod) for pod in pods)
    in_full = sorted(by_room.get(True, ()), key=lambda pod: not pod.changed)
    shown = in_full[: view.top or None]
    yield from chain.from_iterable(map(in_full_parts, shown))
    yield Prose([], more=len(in_full) - len(shown))
    left = grouped((bool(pod.changed), pod) for pod in by_room.get(False, ()))
    yield from _others(left.get(True, ()), view, ("verdict", "ranks or reasons differ"))
    yield from _others(left.get(False, ()), view, ("ranks", "points differ"))


def _changed_groups(report: DifferenceReport) -> Sequence[tuple[GroupDifference, Sequence[PodDifference]]]:
    """The groups a pod of which has another verdict or node, each with its pods."""
    pods = grouped((pod.scheduling_group, pod) for pod in report.pods)
    members = ((group, pods.get(group.scheduling_group, ())) for group in report.scheduling_groups)
    return [(group, theirs) for group, theirs in members if any(map(is_moved, theirs))]


def _changed_parts(report: DifferenceReport) -> Iterator[Part]:
    """How much has changed in between, and what the other release changes for what is in this cluster."""
    if report.since is not None:
        counts = joined([plural(count, kind) for kind, count in report.since.items()])
        yield Prose([f"changed in between: {counts or 'nothing'}"], style=Style.DIM)
    heads = columns("CHANGED IN", "WHAT IT TOUCHES", f"IN {report.after.kubernetes_version}")
    cells = [(each.release, _touched(each), each.then) for each in report.releases]
    yield Sheet("what differs between the releases for this cluster", heads, cells)


def _settings(changes: Sequence[SettingChange], longest: int) -> Iterator[Part]:
    """How the schedulers themselves differ; of what is longer than that, its beginning."""
    several = len({each.profile for each in changes} - {""}) > 1
    sides = [[each.before or DASH, each.after or DASH] for each in changes]
    cut = [[text if len(text) <= longest else f"{text[:longest]}…" for text in pair] for pair in sides]
    both = zip(changes, cut, strict=True)
    rows = [(each.profile if several else "", each.plugin, each.what, *pair, each.bearing) for each, pair in both]
    if rows:
        heads = columns("PROFILE", "PLUGIN", "WHERE, OR WHICH ARGUMENT", "BEFORE", "AFTER", "FOR THESE PODS")
        yield Sheet("HOW THE SCHEDULERS DIFFER", heads, rows, is_whole=True)


def _touched(change: ReleaseChange) -> str:
    left = change.count - len(change.examples)
    return f"{change.objects}: {', '.join(change.examples)}{f' and {left} more' if left else ''}"


def _others(pods: Sequence[PodDifference], view: View, says: tuple[str, str]) -> Iterator[Part]:
    more = "" if view.draws else f" ({parameter('verbose')} shows more)"
    names = some([pod.pod.key for pod in pods], 3)
    verb = "keeps its" if len(pods) == 1 else "keep their"
    kept, differs = says
    alike = f"{plural(len(pods), 'pod')} {verb} {kept}, but {differs}"
    if pods:
        yield Prose([f"{alike}: {names}{more}"], is_apart=True)


def is_moved(pod: PodDifference) -> bool:
    """Whether it has another verdict, or another node."""
    return VERDICT in pod.changed or NODE in pod.changed


def _headline(report: DifferenceReport, changed: Sequence[PodDifference]) -> str:
    if not report.pods:
        return "there are no pods to compare"
    if not changed:
        points = "; points differ" if any(pod.nodes for pod in report.pods) else ""
        if not points:
            points = _why_nothing(report)
        return f"nothing changes for {plural(len(report.pods), 'pod')}{points}"
    verdicts = sum(VERDICT in pod.changed for pod in changed)
    moved = sum(is_moved(pod) for pod in changed) - verdicts
    whole = plural(len(report.pods), "pod")
    lands = f"{_lands(changed, moved)} on another node"
    if verdicts:
        others = f", {moved} {lands}" if moved else ""
        return f"{verdicts} of {whole} {verb(verdicts, 'gets')} another verdict{others}{_because(report, changed)}"
    if moved:
        return f"{moved} of {whole} {lands}; all verdicts stay"
    how_many = f"{len(changed)} of {whole} {verb(len(changed), 'changes')}"
    return f"{how_many} only in ranks or reasons; verdicts and nodes stay"


def _why_nothing(report: DifferenceReport) -> str:
    """That the schedulers are the same, or that what differs does not matter, as far as is known."""
    differ = report.scheduler_changes
    unknown = dict.fromkeys(each.plugin for each in differ if not each.evaluated)
    if unknown:
        return f", but what {joined([*unknown])} would do is not known"
    return ": what differs between the schedulers does not matter here" if differ else ""


def _because(report: DifferenceReport, changed: Sequence[PodDifference]) -> str:
    """What has changed for the only pod with another verdict, or the only group that has all of them."""
    why = next((each.because for each in changed if each.because), ())
    if why and sum(VERDICT in pod.changed for pod in changed) == 1:
        return f", as {joined([*map(change_text, why)])}"
    groups = _changed_groups(report)
    if len(groups) != 1 or not all(pod.scheduling_group for pod in changed):
        return ""
    group, pods = groups[0]
    return f": group {group.scheduling_group} {group_differences.what_happens(pods)}"


def _lands(changed: Sequence[PodDifference], count: int) -> str:
    """One of equal nodes is drawn: where some of them stay, the pod may be where it was; one that runs stays there."""
    if not any(pod.after.node for pod in changed if is_moved(pod)):
        return "may make room"
    if any({*pod.before.best} & {*pod.after.best} for pod in changed if is_moved(pod)):
        return "may land"
    return "would land" if any(pod.runs_on for pod in changed) else verb(count, "lands")


def _sides(report: DifferenceReport) -> Iterator[str]:
    """What each side was made with."""
    yield f"before  {_side(report.before, report.after)}"
    yield f"after   {_side(report.after, report.before)}"


def _side(side: Side, other: Side) -> str:
    """The side by what it does not share with the other."""
    own = (setting for setting in side.settings if setting not in other.settings)
    return " ".join((f"kubernetes {side.kubernetes_version}", *own))


def change_text(change: ClusterChange) -> str:
    """What is new, gone and changed of some objects."""
    kind, total = change.kind.lower(), len(change.names)
    counts = ((change.came, "new"), (change.went, "gone"), (change.changed, "changed"))
    done = [(count, how if how == "changed" else f"{verb(count, 'is')} {how}") for count, how in counts if count]
    fields = f" ({some(change.fields, 3)})" if change.fields else ""
    if total == 1:
        return f"{kind} {change.names[0]} {done[0][1]}{fields}"
    if len(done) == 1:
        which = f"of {change.of}" if change.kind == "Pod" else f"({some(change.names, 3)})"
        return f"{plural(total, kind)} {which} {done[0][1]}{fields}"
    return f"of the pods of {change.of} {joined([f'{count} {how}' for count, how in done])}{fields}"


def in_full_parts(pod: PodDifference) -> Iterator[Part]:
    """A pod before and after, what moved it, and the nodes that fared otherwise."""
    fates = (("before", pod.before), ("after", pod.after))
    heads = (*columns("", "OUTCOME", "NODE"), *numbers("POINTS", "FITS ON"), *columns("EVICTS"))
    yield Sheet(f"{pod.pod.key} {_what_happens(pod)}", heads, [_fate_cells(label, each) for label, each in fates])
    if pod.moved_before and pod.changed:
        moved = f"pods placed before it land on other nodes now: {some(pod.moved_before, 3)}"
        yield Prose([moved], style=Style.WARNING)
    if pod.before.message != pod.after.message:
        yield Prose([f"{label}: {each.message}" for label, each in fates if each.message], style=Style.DIM)
    yield Prose([*map(change_text, pod.because)], "AS THIS CHANGED")
    yield Prose(list(map(_shift, pod.moved_by)), "MOVED BY")
    yield Prose(list(_stopped(pod.nodes)), "STOPPED BY")
    heads = (*columns("NODE", "BEFORE", "AFTER"), Column("MOVED BY", Style.DIM))
    yield Sheet("NODES: RANK (POINTS)", heads, list(map(_node, pod.nodes)), more=pod.changed_nodes - len(pod.nodes))


def _fate_cells(label: str, standing: Standing) -> tuple[str, ...]:
    points, evicts = number_text(standing.total, DASH), group_differences.evicted([standing])
    return label, standing.outcome, where(standing), points, str(standing.feasible), evicts


def _what_happens(pod: PodDifference) -> str:
    """The change behind the pod's name."""
    before, after = pod.before, pod.after
    if before.outcome != after.outcome:
        if after.node:
            return f"now fits, on {after.node}"
        return f"no longer lands on {before.node}" if before.node else f"is now {after.outcome}"
    if evicts := group_differences.evicts([before], [after]):
        return evicts
    if NODE in pod.changed and {*before.best} & {*after.best}:
        now, then = (f"{'one of ' if each[1:] else ''}{some(each, 3)}" for each in (after.best, before.best))
        return f"lands on {now} now; before it was {then}"
    if NODE in pod.changed and pod.runs_on:
        return f"is on {pod.runs_on}; would be placed on {after.node} after the change, on {before.node} before"
    if NODE in pod.changed:
        return f"moves from {before.node} to {after.node}"
    return f"still lands on {after.node}" if after.node else "still does not fit"


def where(standing: Standing) -> str:
    """The node, and whether others are as good."""
    if not standing.node:
        return DASH
    others = len(standing.best) - 1
    return f"{standing.node} (tied with {plural(others, 'other')})" if others else standing.node


def _shift(by: PluginShift) -> str:
    """A plugin's part in a change."""
    if by.before is None:
        margin = f"it gave no points, and its margin is now {by.after:+d}"
    elif by.after is None:
        margin = f"its margin was {by.before:+d}, and it gives no points now"
    else:
        margin = f"its margin was {by.before:+d} and is now {by.after:+d}"
    return f"{by}: {margin}"


def _stopped(nodes: Sequence[NodeDifference]) -> Iterator[str]:
    """By plugin, how many nodes more or fewer it stops than before."""
    counts = Counter(node.after.stopped_by for node in nodes)
    counts.subtract(node.before.stopped_by for node in nodes)
    for plugin, count in counts.most_common():
        if plugin and count:
            yield f"{plugin}: {plural(abs(count), 'more node' if count > 0 else 'fewer node')} than before"


def _node(each: NodeDifference) -> tuple[str, ...]:
    return each.node, fate(each.before), fate(each.after), ", ".join(map(str, each.moved_by))


def fate(standing: NodeStanding) -> str:
    """A node's verdict with its rank and points, or what stopped the pod there."""
    match standing.verdict:
        case Verdict.FEASIBLE if standing.total is None:
            return "fits"
        case Verdict.FEASIBLE:
            return f"rank {standing.rank} ({standing.total})"
        case Verdict.NOT_EVALUATED:
            return "not looked at"
        case Verdict.ABSENT:
            return "does not exist"
        case _:
            return f"{standing.stopped_by}: {standing.detail}"
