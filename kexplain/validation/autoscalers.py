"""Horizontal pod autoscalers.

Source: autoscaling/validation, `registry/autoscaling/horizontalpodautoscaler`, release 1.36 with its default feature
gates: HPAScaleToZero is off.
"""

from __future__ import annotations

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, choice
from kexplain.validation.names import among
from kexplain.validation.rows import judge, sub_tables

_policy_type = among("Pods", "Percent", said="is not ")
_target_type = among("Utilization", "Value", "AverageValue", said="is not a kind of target: use ")
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


# ---------------------------------------------------------------------------------------------------- metrics


def _check_metric(metric: Field) -> None:
    kind, sources = metric.child("type"), sub_tables("autoscalers.sources")
    expected = f"{kind.string[:1].lower()}{kind.string[1:]}"
    if expected not in sources or kind.string == expected:
        kinds = choice(f"{source[0].upper()}{source[1:]}" for source in sources)
        kind.reject(f"{shown(kind.string)} is not a kind of metric: {kinds}")
    else:
        metric.child(expected).require_set(f"is required where the type is {kind.string}")
    present = [source for source in sources if metric.child(source).is_set]
    if present:
        judge(metric.child(present[0]), sources[present[0]])
    for source in present if len(present) > 1 else ():
        metric.child(source).reject_if(source != expected, f"must be left out: the type is {kind.string}")


def _check_either(target: Field, one: str, other: str) -> None:
    """A target has one of two values at least: the one is missing where none is there."""
    if not target.child(one).is_set and not target.child(other).is_set:
        target.child(one).reject(f"is required, or {other} instead")


def _check_only(target: Field, one: str, other: str) -> None:
    """A target has one of two values, the other one being wrong where both are there."""
    _check_either(target, one, other)
    if target.child(one).is_set:
        target.child(other).forbid(f"excludes {one}")


def _check_utilization(utilization: Field) -> None:
    if utilization.is_set and utilization.number() < 1:
        # An API server has turned it into a metric of v2 by then.
        utilization.written("spec.metrics[0].resource.target.averageUtilization").positive()
