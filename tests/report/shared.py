"""Shared verdicts written out again, as a reader of a large report would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import asdict, replace

from kexplain.diagnosis.records import NodeCircles
from kexplain.explain.records import NodeVerdict
from kexplain.explanation.records import PodExplanation
from kexplain.report.records import Report


def written_out(report: Report) -> tuple[PodExplanation, ...]:
    """The pods with verdicts of their own, by the names of nodes."""
    table = list(chain.from_iterable(pod.verdicts for pod in report.pods))
    pods: list[PodExplanation] = []
    for pod in report.pods:
        whole = pod
        if pod.same_as is not None:
            same = pods[pod.same_as]
            whole = replace(pod, causes=same.causes, remedies=same.remedies, preemption=same.preemption)
            whole = replace(whole, node_verdicts=same.node_verdicts, diagnosis=same.diagnosis, circles=same.circles)
        elif pod.shared_verdicts:
            verdicts = (
                NodeVerdict(node=report.node_names[place], rank=each.rank, **asdict(table[each.verdict]))
                for each in pod.shared_verdicts
                for place in _places(each.nodes)
            )
            whole = replace(pod, node_verdicts=tuple(sorted(verdicts, key=lambda verdict: verdict.node)))
            whole = _with_names(whole, report.node_names)
        pods.append(replace(whole, shared_verdicts=(), verdicts=(), same_as=None))
    return tuple(pods)


def _with_names(pod: PodExplanation, names: Sequence[str]) -> PodExplanation:
    """With the names of nodes in the diagnosis and the circles."""

    def named(ranges: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names[place] for each in ranges for place in _places(each))

    diagnosis = pod.diagnosis and replace(pod.diagnosis, nodes=named(pod.diagnosis.nodes))
    circles = pod.circles and NodeCircles(**{name: named(each) for name, each in asdict(pod.circles).items()})
    return replace(pod, diagnosis=diagnosis, circles=circles)


def _places(ranges: str) -> Iterator[int]:
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
