"""A row a pod and node, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kexplain.explanation.records import PodExplanation
from kexplain.patterns import regex
from kexplain.render.view import View, printable, restricted, restricted_pod
from kexplain.report.records import Report

_NUMBER = regex(r"-?[0-9]+")

COLUMNS = (
    "namespace", "pod", "outcome", "node", "verdict", "rank", "total",
    "plugin", "code", "detail", "also", "evictedAfterSeconds", "scores", "notEvaluated",
)  # fmt: skip


def render(report: Report, view: View) -> str:
    """RFC 4180 with a head; a pod that no node was tried for has one row without a node.

    Pods of workloads that were named and have a node come first, as `Placed`.
    """
    return _head(report) + _written(row for pod in restricted(report, view).pods for row in _rows(pod))


class Stream:
    """A report on several pods as it comes."""

    def __init__(self, head: Report, node_names: Sequence[str], view: View) -> None:  # noqa: ARG002
        self._report = head
        self._view = view

    def begin(self) -> str:
        """The head, and the pods that have a node."""
        return _head(self._report)

    def pod(self, pod: PodExplanation) -> str:
        """The rows of the next pod."""
        return _written(_rows(restricted_pod(pod, self._view)))

    def end(self, report: Report) -> str:  # noqa: ARG002
        """Nothing."""
        return ""


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a head, as RFC 4180 has them, with nothing in them that a spreadsheet would run."""
    return _written([heads]) + _written(rows)


def _written(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_harmless(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def _head(report: Report) -> str:
    placed = ((workload, pod) for workload in report.workloads for pod in workload.placed)
    return as_csv(
        COLUMNS,
        (
            _cells({"namespace": workload.namespace, "pod": pod.name, "outcome": "Placed", "node": pod.node})
            for workload, pod in placed
        ),
    )


def _rows(pod: PodExplanation) -> Iterator[list[object]]:
    common: dict[str, object] = {
        "namespace": pod.pod.namespace,
        "pod": pod.pod.name,
        "outcome": pod.outcome,
        "notEvaluated": "; ".join(f"{each.plugin}: {each.what}" for each in pod.not_evaluated),
    }
    if not pod.node_verdicts:
        yield _cells(common | {"detail": pod.message})
    for verdict in pod.node_verdicts:
        stopped = verdict.stopped_by
        yield _cells(
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


def _cells(row: Mapping[str, object]) -> list[object]:
    return [row.get(column, "") for column in COLUMNS]


def _harmless(value: str) -> str:
    """Spreadsheets run what begins like a formula: such text gets a quote before it."""
    value = printable(value)
    return f"'{value}" if value[:1] in ("=", "+", "@", "-") and not _NUMBER.fullmatch(value) else value
