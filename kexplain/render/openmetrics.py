"""Pending pods as OpenMetrics, for alerts: how many there are, and since when, by what holds them up.

Source: the OpenMetrics text format, version 1.0.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from kexplain.explanation.records import PodExplanation
from kexplain.grouping import grouped
from kexplain.render.harmless import printable
from kexplain.render.view import View
from kexplain.report.records import Report

_COUNT, _SINCE = "kexplain_pending_pods", "kexplain_pending_since_timestamp_seconds"
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class _Labels(NamedTuple):
    """What alerts go by; empty where it is not known."""

    kind: str
    plugin: str
    namespace: str
    workload: str
    scheduler: str

    def __str__(self) -> str:
        pairs = (f'{name}="{_quoted(value)}"' for name, value in self._asdict().items())
        return f"{{{','.join(pairs)}}}"


def _quoted(value: str) -> str:
    """A value as the format has it, in which nothing is left that steers a terminal."""
    return "\n".join(map(printable, value.split("\n"))).translate(_ESCAPED)


def render(report: Report, view: View) -> str:
    """A count of pods without a node, and when the oldest of them was created, for each set of labels."""
    return "".join(f"{line}\n" for line in (*_counts(report), *_moments(report), "# EOF"))


def _counts(report: Report) -> Iterator[str]:
    yield f"# TYPE {_COUNT} gauge"
    yield f"# HELP {_COUNT} Pods that have no node."
    found = Counter(_labels(pod) for pod in report.pods if not pod.fits)
    yield from (f"{_COUNT}{labels} {count}" for labels, count in sorted(found.items()))


def _moments(report: Report) -> Iterator[str]:
    yield f"# TYPE {_SINCE} gauge"
    yield f"# UNIT {_SINCE} seconds"
    yield f"# HELP {_SINCE} When the oldest of the pods that share a fate was created."
    moments = ((place, _seconds(group.since)) for group in report.groups for place in group.pods)
    since = grouped((_labels(report.pods[place]), moment) for place, moment in moments if moment is not None)
    yield from (f"{_SINCE}{labels} {min(every):.0f}" for labels, every in sorted(since.items()))


def _labels(pod: PodExplanation) -> _Labels:
    workload = pod.pod.workload
    return _Labels(
        kind=_kind(pod),
        plugin=pod.causes[0].plugin if pod.causes else pod.gated_by,
        namespace=pod.pod.namespace,
        workload=f"{workload.kind}/{workload.name}" if workload else "",
        scheduler=pod.scheduler_name,
    )


def _kind(pod: PodExplanation) -> str:
    """The stable word for what holds the pod up."""
    if pod.held is not None:
        return pod.held.kind
    return pod.diagnosis.kind if pod.diagnosis is not None else pod.outcome


def _seconds(timestamp: str) -> float | None:
    with suppress(ValueError):
        return datetime.fromisoformat(timestamp).timestamp() if timestamp else None
    return None
