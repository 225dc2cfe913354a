"""What is on the page of a difference."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.render import difference as words
from kexplain.render.pages import Page, Rows, Sheet
from kexplain.render.sentences import DASH
from kexplain.render.view import View
from kexplain.report.difference import DifferenceReport, NodeDifference, PodDifference
from kexplain.words import joined


def page(report: DifferenceReport, view: View) -> Page:
    """All pods that change in one table, then those in full that have another verdict or node."""
    changed = [pod for pod in report.pods if pod.changed]
    in_full = [pod for pod in changed if words.is_moved(pod) or view.verbose or len(report.pods) == 1]
    heads = ("POD", "BEFORE", "AFTER", "CHANGED", "MOVED BY")
    overview = Sheet("WHAT CHANGES", heads, [_row(pod) for pod in changed])
    versions = list(dict.fromkeys((report.before.kubernetes_version, report.after.kubernetes_version)))
    return Page(
        not changed,
        words.headline(report, changed),
        f"kubernetes {joined(versions)}",
        lines=list(words.sides(report)),
        sheets=[*([overview] if len(changed) > 1 else []), *(in_full_sheet(pod) for pod in in_full)],
    )


def rows(report: DifferenceReport) -> Rows:
    """A row a pod."""
    heads = ("pod", "changed", "outcomeBefore", "nodeBefore", "outcomeAfter", "nodeAfter", "movedBy", "message")
    return Rows(
        heads,
        [
            (
                words.name(pod),
                "; ".join(pod.changed),
                pod.before.outcome.value,
                pod.before.node,
                pod.after.outcome.value,
                pod.after.node,
                "; ".join(f"{by.plugin} {by.points:+d}" for by in pod.moved_by),
                pod.after.message,
            )
            for pod in report.pods
        ],
    )


def _row(pod: PodDifference) -> tuple[str, ...]:
    before, after = (words.where(each) if each.node else each.outcome.lower() for each in (pod.before, pod.after))
    moved = ", ".join(f"{by.plugin} {by.points:+d}" for by in pod.moved_by)
    return words.name(pod), before, after, ", ".join(pod.changed), moved or DASH


def in_full_sheet(pod: PodDifference) -> Sheet:
    """A pod before and after, what moved it, and the nodes that fared otherwise."""
    lines = [*_lines(pod), *map(words.shift, pod.moved_by), *words.stopped(pod.nodes)]
    heads = ("NODE", "BEFORE", "AFTER", "MOVED BY")
    return Sheet(f"{words.name(pod)} {words.what_happens(pod)}", heads, [_node(each) for each in pod.nodes], lines)


def _lines(pod: PodDifference) -> Iterator[str]:
    for label, standing in (("before", pod.before), ("after", pod.after)):
        points = "" if standing.total is None else f" with {standing.total} points"
        yield f"{label}: {standing.outcome.lower()}, {words.where(standing)}{points}; fits on {standing.feasible}"
        if standing.message and pod.before.message != pod.after.message:
            yield f"{label}: {standing.message}"


def _node(each: NodeDifference) -> tuple[str, ...]:
    moved = ", ".join(f"{by.plugin} {by.points:+d}" for by in each.moved_by)
    return each.node, words.fate(each.before), words.fate(each.after), moved or DASH
