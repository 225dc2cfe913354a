"""Horizontal pod autoscalers.

Source: autoscaling/validation, `registry/autoscaling/horizontalpodautoscaler`, release 1.36 with its default feature
gates: HPAScaleToZero is off.
"""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.objects.json_values import shown
from kexplain.validation import rows
from kexplain.validation.field import Field, choice
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import among, dns_label, path_segment
from kexplain.validation.resources import check_not_negative, check_positive, container_resource
from kexplain.validation.rows import Judgement, Row, Table, judge

#: The only kind of the core group that can be scaled.
_WITHOUT_GROUP = "ReplicationController"


def _check_bounds(spec: Field) -> None:
    least, most = spec.child("minReplicas"), spec.child("maxReplicas")
    if least.is_set and least.number() < 1:
        least.reject(f"{least.number()} is less than 1; scaling to zero needs the feature gate HPAScaleToZero")
        metrics = spec.child("metrics")
        types = {metric.child("type").string for metric in metrics.items()}
        if least.number() == 0 and not types & {"Object", "External"}:
            metrics.reject("needs a metric of type Object or External where minReplicas is 0")
    if most.number() < 1:
        most.reject("is required, and must be greater than 0")
    elif most.number() < least.number(1):
        most.reject(f"{most.number()} is less than minReplicas, which is {least.number(1)}")


def _check_version(reference: Field) -> None:
    version = reference.child("apiVersion")
    needs_group = reference.path[-1] == "scaleTargetRef" and reference.child("kind").value != _WITHOUT_GROUP
    slashes = version.string.count("/")
    if slashes > 1:
        version.reject(f"{shown(version.string)} is not an API version such as apps/v1")
    elif needs_group and (slashes == 0 or version.string.startswith("/")):
        version.reject(f"{shown(version.string)} names no API group, such as apps/v1")


_REFERENCE: Table = {"kind": rows.needs(path_segment), "name": rows.needs(path_segment), "": _check_version}


_SCALING_RULES: Table = {
    "stabilizationWindowSeconds": rows.within(0, 3600),
    "selectPolicy": rows.given(among("Max", "Min", "Disabled")),
    # Those of rules that name none are filled in.
    "policies": (rows.if_set, rows.required_as("needs at least one policy")),
    "policies[]": {
        "type": rows.obeys(among("Pods", "Percent", said="is not ")),
        "value": rows.positive,
        "periodSeconds": (rows.positive, rows.at_most(1800)),
    },
    "tolerance": check_not_negative,
}


# ---------------------------------------------------------------------------------------------------- metrics


def _check_metric(metric: Field) -> None:
    kind = metric.child("type")
    expected = {name: source for source, (name, _) in _SOURCES.items()}.get(kind.string)
    if expected is None:
        kind.reject(f"{shown(kind.string)} is not a kind of metric: {choice(name for name, _ in _SOURCES.values())}")
    else:
        metric.child(expected).require_set(f"is required where the type is {kind.string}")
    present = [source for source in _SOURCES if metric.child(source).is_set]
    if present:
        judge(metric.child(present[0]), _SOURCES[present[0]][1])
    for source in present if len(present) > 1 else ():
        if source != expected:
            metric.child(source).reject(f"must be left out: the type is {kind.string}")


def _either(one: str, other: str, *, not_both: bool = True) -> Judgement:
    """A target has one of two values: the one is missing where none is there, the other wrong where both are."""

    def check(target: Field) -> None:
        first, second = target.child(one), target.child(other)
        if not first.is_set and not second.is_set:
            first.reject(f"is required, or {other} instead")
        if not_both and first.is_set and second.is_set:
            second.reject(f"excludes {one}")

    return check


_TARGET: Table = {
    "type": rows.obeys(among("Utilization", "Value", "AverageValue", said="is not a kind of target: use ")),
    "value": check_positive,
    "averageValue": check_positive,
    "averageUtilization": (rows.if_set, rows.positive),
}
_NAME: Table = {"metric.name": rows.needs(path_segment)}
_RESOURCE: Table = {"name": rows.required, "target": (_TARGET, _either("averageUtilization", "averageValue"))}
#: The `type` that each source goes with, and its rows, by the order in which an API server looks for them.
_SOURCES: Mapping[str, tuple[str, Row]] = {
    "object": (
        "Object",
        {
            "describedObject": _REFERENCE,
            **_NAME,
            "target": (_TARGET, _either("averageValue", "value", not_both=False)),
        },
    ),
    "external": ("External", {**_NAME, "target": (_TARGET, _either("averageValue", "value"))}),
    "pods": (
        "Pods",
        {**_NAME, "target": _TARGET, "target.averageValue": rows.set_as("is required for a metric of pods")},
    ),
    "resource": ("Resource", _RESOURCE),
    "containerResource": (
        "ContainerResource",
        ({"name": rows.may(container_resource), "container": rows.needs(dns_label)}, _RESOURCE),
    ),
}


def _check_utilization(utilization: Field) -> None:
    if utilization.is_set and utilization.number() < 1:
        # An API server has turned it into a metric of v2 by then.
        utilization.written("spec.metrics[0].resource.target.averageUtilization").positive()


#: Of v2, and of v1, which knows no metric but the CPU's utilization.
AUTOSCALER: Table = {
    "metadata": check_metadata,
    "spec": _check_bounds,
    "spec.scaleTargetRef": _REFERENCE,
    "spec.targetCPUUtilizationPercentage": _check_utilization,
    "spec.metrics[]": _check_metric,
    "spec.behavior.scaleUp": _SCALING_RULES,
    "spec.behavior.scaleDown": _SCALING_RULES,
}
