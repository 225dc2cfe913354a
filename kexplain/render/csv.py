"""A row a pod and node, for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from kexplain.explain.records import PodExplanation
from kexplain.render.view import View, printable, restricted
from kexplain.report.records import Report
from kexplain.report.workloads import WorkloadReport

_NUMBER = re.compile(r"-?[0-9]+")

COLUMNS = (
    "namespace", "pod", "outcome", "node", "verdict", "rank", "total",
    "plugin", "code", "detail", "also", "evictedAfterSeconds", "scores", "notEvaluated",
)  # fmt: skip


def render(report: Report, view: View) -> str:
    """RFC 4180 with a head; a pod that no node was tried for has one row without a node.

    Pods of workloads that were named and have a node come first, as `Placed`.
    """
    rows = [row for workload in report.workloads for row in _placed(workload)]
    rows += [row for pod in restricted(report, view).pods for row in _rows(pod)]
    return as_csv(COLUMNS, [[row.get(column, "") for column in COLUMNS] for row in rows])


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a head, as RFC 4180 has them, with nothing in them that a spreadsheet would run."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([_harmless(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def _placed(workload: WorkloadReport) -> Iterator[dict[str, object]]:
    for pod in workload.placed:
        yield {"namespace": workload.namespace, "pod": pod.name, "outcome": "Placed", "node": pod.node}


def _rows(pod: PodExplanation) -> list[dict[str, object]]:
    common: dict[str, object] = {
        "namespace": pod.pod.namespace,
        "pod": pod.pod.name,
        "outcome": pod.outcome,
        "notEvaluated": "; ".join(f"{each.plugin}: {each.what}" for each in pod.not_evaluated),
    }
    rows = []
    for verdict in pod.node_verdicts:
        stopped = verdict.stopped_by
        rows.append(
            common
            | {
                "node": verdict.node,
                "verdict": verdict.verdict,
                "rank": "" if verdict.rank is None else verdict.rank,
                "total": "" if verdict.total is None else verdict.total,
                "plugin": stopped.plugin if stopped else "",
                "code": stopped.code if stopped else "",
                "detail": stopped.detail if stopped else "",
                "also": "; ".join(f"{rejection.plugin}: {rejection.detail}" for rejection in verdict.also),
                "evictedAfterSeconds": "" if verdict.evicted_after_seconds is None else verdict.evicted_after_seconds,
                "scores": " ".join(f"{score.plugin}={score.weighted}" for score in verdict.scores),
            }
        )
    return rows or [common | {"detail": pod.message}]


def _harmless(value: str) -> str:
    """Spreadsheets run what begins like a formula: such text gets a quote before it."""
    value = printable(value)
    return f"'{value}" if value[:1] in ("=", "+", "@", "-") and not _NUMBER.fullmatch(value) else value
