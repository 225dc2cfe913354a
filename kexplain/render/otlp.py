"""The scheduling cycle as spans of OpenTelemetry, which viewers of traces read.

Source: the OpenTelemetry protocol's JSON encoding of `ExportTraceServiceRequest`. No time is invented: a span lasts as
many milliseconds as there are steps in it, from the beginning of 1970 on, so that viewers show the order: most of them
keep no more than microseconds, and steps of a nanosecond would all begin at once.
"""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

import msgspec

from kexplain.explanation.steps import CycleStep
from kexplain.framework.trace import Outcome
from kexplain.render.harmless import in_strings
from kexplain.render.view import View
from kexplain.report.trace import PodTrace, TraceReport

_INTERNAL, _OK, _ERROR = 1, 1, 2
#: How long a step lasts, in nanoseconds.
_STEP = 1_000_000


def render(report: TraceReport, view: View) -> str:
    """One trace a pod: a span for the cycle, within it one an extension point, and within these one a plugin."""
    spans = [span for place, pod in enumerate(report.pods) for span in _spans(pod, place)]
    resource = {"attributes": _attributes({"service.name": "kexplain", "k8s.version": report.kubernetes_version})}
    scoped = [{"scope": {"name": "kexplain"}, "spans": spans}]
    document = {"resourceSpans": [{"resource": resource, "scopeSpans": scoped}]}
    return in_strings(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"


def _spans(pod: PodTrace, place: int) -> Iterator[dict[str, Any]]:
    trace_id = hashlib.sha256(f"{place} {pod.pod}".encode()).hexdigest()[:32]
    root, walk = _span_id(trace_id, "cycle"), pod.walk
    about = {
        "k8s.pod": pod.pod,
        "scheduler.name": pod.scheduler_name,
        "scheduler.result": pod.outcome.value,
        "scheduler.node": pod.node,
        "scheduler.start_index": walk.start_index,
        "scheduler.nodes_to_find": walk.nodes_to_find,
        "scheduler.evaluated_nodes": walk.evaluated,
        "scheduler.feasible_nodes": walk.feasible,
    }
    ends = _OK if pod.outcome is Outcome.SCHEDULED else _ERROR
    yield _span(trace_id, root, "", "schedulingCycle", (0, max(len(pod.steps), 1)), about, ends)
    begun = 0
    for point, grouped in groupby(pod.steps, key=lambda step: step.extension_point):
        steps = [*grouped]
        own = _span_id(trace_id, f"{begun}- {point}")
        yield _span(trace_id, own, root, point, (begun, begun + len(steps)), {}, _OK)
        for number, each in enumerate(steps, begun):
            name = f"{point}/{each.plugin}" if each.plugin else point
            span_id = _span_id(trace_id, f"{number} {name}")
            yield _span(trace_id, span_id, own, name, (number, number + 1), _of_step(each), _OK)
        begun += len(steps)


def _of_step(step: CycleStep) -> dict[str, str | int]:
    figures = {f"scheduler.plugin.{name}": value for name, value in step.figures.items()}
    said = {"scheduler.plugin.name": step.plugin, "scheduler.plugin.status": step.answer}
    at_point = {"scheduler.extension_point": step.extension_point}
    return {**at_point, **said, "scheduler.plugin.detail": step.detail, **figures}


def _span(
    trace_id: str,
    span_id: str,
    parent: str,
    name: str,
    lasts: tuple[int, int],
    about: Mapping[str, str | int],
    code: int,
) -> dict[str, Any]:
    return {
        "traceId": trace_id,
        "spanId": span_id,
        "parentSpanId": parent,
        "name": name,
        "kind": _INTERNAL,
        "startTimeUnixNano": str(lasts[0] * _STEP),
        "endTimeUnixNano": str(lasts[1] * _STEP),
        "attributes": _attributes(about),
        "status": {"code": code},
    }


def _attributes(values: Mapping[str, str | int]) -> list[dict[str, Any]]:
    """Those that say something; whole numbers are texts in this encoding."""
    told = ((key, value) for key, value in values.items() if value != "")
    typed = ((key, {"intValue": str(each)} if isinstance(each, int) else {"stringValue": each}) for key, each in told)
    return [{"key": key, "value": value} for key, value in typed]


def _span_id(trace_id: str, name: str) -> str:
    return hashlib.sha256(f"{trace_id} {name}".encode()).hexdigest()[:16]
