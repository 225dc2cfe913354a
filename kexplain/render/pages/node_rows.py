"""Explanations as rows of a spreadsheet: one for each pod and node."""

from collections.abc import Iterator

from kexplain.explanation.records import PodExplanation
from kexplain.render.pages import Rows
from kexplain.render.pages.node_columns import COLUMNS, for_programs
from kexplain.report.records import Report

HEADS = ("namespace", "pod", "outcome", *(column.name for column in COLUMNS), "notEvaluated")
_DETAIL = "detail"


def rows(report: Report) -> Rows:
    """Pods of workloads that were named and have a node come first, as `Placed`."""
    return Rows(HEADS, [*placed_rows(report), *(row for pod in report.pods for row in pod_rows(pod))])


def placed_rows(report: Report) -> Iterator[tuple[object, ...]]:
    """The pods of named workloads that have a node."""
    for workload in report.workloads:
        yield from (_row(workload.namespace, pod.name, "Placed", {"node": pod.node}) for pod in workload.placed)


def pod_rows(pod: PodExplanation) -> Iterator[tuple[object, ...]]:
    """A row a node; a pod that no node was tried for has one without a node."""
    missing = "; ".join(f"{each.plugin}: {each.what}" for each in pod.not_evaluated)
    common = pod.pod.namespace, pod.pod.name, pod.outcome
    if not pod.node_verdicts:
        yield _row(*common, {_DETAIL: pod.message}, missing)
    yield from ((*common, *for_programs(verdict), missing) for verdict in pod.node_verdicts)


def _row(namespace: str, pod: str, outcome: str, cells: dict[str, str], missing: str = "") -> tuple[object, ...]:
    return (namespace, pod, outcome, *(cells.get(column.name, "") for column in COLUMNS), missing)
