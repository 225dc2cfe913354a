"""Horizontal pod autoscalers.

Source: autoscaling/validation, `registry/autoscaling/horizontalpodautoscaler`, release 1.36 with its default feature
gates: HPAScaleToZero is off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_label, path_segment
from kexplain.validation.problem import Field, choice, shown
from kexplain.validation.resources import check_not_negative, check_positive, container_resource

_SELECT_POLICIES = ("Max", "Min", "Disabled")
_POLICY_TYPES = ("Pods", "Percent")
_TARGET_TYPES = ("Utilization", "Value", "AverageValue")
_MOST_STABILIZATION_SECONDS = 3600
_MOST_PERIOD_SECONDS = 1800
#: The only kind of the core group that can be scaled.
_WITHOUT_GROUP = "ReplicationController"


def check_autoscaler(autoscaler: Field) -> None:
    """An autoscaler of v2."""
    check_metadata(autoscaler.child("metadata"))
    spec = autoscaler.child("spec")
    _check_bounds(spec)
    target = spec.child("scaleTargetRef")
    _check_reference(target, needs_group=target.child("kind").value != _WITHOUT_GROUP)
    for metric in spec.child("metrics").items():
        _check_metric(metric)
    for name in ("scaleUp", "scaleDown"):
        _check_scaling_rules(spec.child("behavior").child(name))


def check_first_autoscaler(autoscaler: Field) -> None:
    """An autoscaler of v1, which knows no metric but the CPU's utilization."""
    check_metadata(autoscaler.child("metadata"))
    spec = autoscaler.child("spec")
    _check_bounds(spec)
    target = spec.child("scaleTargetRef")
    _check_reference(target, needs_group=target.child("kind").value != _WITHOUT_GROUP)
    utilization = spec.child("targetCPUUtilizationPercentage")
    if utilization.is_set and utilization.number() < 1:
        # An API server has turned it into a metric of v2 by then.
        utilization.written("spec.metrics[0].resource.target.averageUtilization").positive()


def _check_bounds(spec: Field) -> None:
    least, most = spec.child("minReplicas"), spec.child("maxReplicas")
    if least.is_set and least.number() < 1:
        least.reject(f"{least.number()} is less than 1; scaling to zero needs the feature gate HPAScaleToZero")
        _check_metrics_of_zero(spec, least.number())
    if most.number() < 1:
        most.reject("is required, and must be greater than 0")
    elif most.number() < least.number(1):
        most.reject(f"{most.number()} is less than minReplicas, which is {least.number(1)}")


def _check_metrics_of_zero(spec: Field, least: int) -> None:
    metrics = spec.child("metrics")
    types = {metric.child("type").string for metric in metrics.items()}
    if least == 0 and not types & {"Object", "External"}:
        metrics.reject("needs a metric of type Object or External where minReplicas is 0")


def _check_reference(reference: Field, *, needs_group: bool) -> None:
    for name in ("kind", "name"):
        if reference.child(name).require():
            reference.child(name).obey(path_segment)
    version = reference.child("apiVersion")
    slashes = version.string.count("/")
    if slashes > 1:
        version.reject(f"{shown(version.string)} is not an API version such as apps/v1")
    elif needs_group and (slashes == 0 or version.string.startswith("/")):
        version.reject(f"{shown(version.string)} names no API group, such as apps/v1")


# ---------------------------------------------------------------------------------------------- scaling rules


def _check_scaling_rules(rules: Field) -> None:
    rules.child("stabilizationWindowSeconds").within(0, _MOST_STABILIZATION_SECONDS)
    rules.child("selectPolicy").one_of(_SELECT_POLICIES)
    policies = rules.child("policies")
    # Those of rules that name none are filled in.
    if policies.is_set:
        policies.require("needs at least one policy")
    for policy in policies.items():
        if policy.child("type").value not in _POLICY_TYPES:
            policy.child("type").reject(f"{shown(policy.child('type').string)} is not {choice(_POLICY_TYPES)}")
        policy.child("value").positive()
        period = policy.child("periodSeconds")
        period.positive()
        if period.number() > _MOST_PERIOD_SECONDS:
            period.reject(f"{period.number()} is more than {_MOST_PERIOD_SECONDS}")
    check_not_negative(rules.child("tolerance"))


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
        _SOURCES[present[0]][1](metric.child(present[0]))
    if len(present) > 1:
        for source in present:
            if source != expected:
                metric.child(source).reject(f"must be left out: the type is {kind.string}")


def _check_object(source: Field) -> None:
    target = source.child("target")
    _check_reference(source.child("describedObject"), needs_group=False)
    _check_name(source)
    _check_target(target)
    if not target.child("value").is_set and not target.child("averageValue").is_set:
        target.child("averageValue").reject("is required, or value instead")


def _check_external(source: Field) -> None:
    target = source.child("target")
    _check_name(source)
    _check_target(target)
    value, average = target.child("value"), target.child("averageValue")
    if not value.is_set and not average.is_set:
        average.reject("is required, or value instead")
    if value.is_set and average.is_set:
        value.reject("excludes averageValue")


def _check_pods(source: Field) -> None:
    _check_name(source)
    _check_target(source.child("target"))
    source.descend("target", "averageValue").require_set("is required for a metric of pods")


def _check_resource(source: Field) -> None:
    source.child("name").require()
    target = source.child("target")
    _check_target(target)
    utilization, average = target.child("averageUtilization"), target.child("averageValue")
    if not utilization.is_set and not average.is_set:
        utilization.reject("is required, or averageValue instead")
    if utilization.is_set and average.is_set:
        average.reject("excludes averageUtilization")


def _check_container_resource(source: Field) -> None:
    name, container = source.child("name"), source.child("container")
    if name.string:
        name.obey(container_resource)
    if container.require():
        container.obey(dns_label)
    _check_resource(source)


#: The `type` that each source goes with, and its check, by the order in which an API server looks for them.
_SOURCES: Mapping[str, tuple[str, Callable[[Field], None]]] = {
    "object": ("Object", _check_object),
    "external": ("External", _check_external),
    "pods": ("Pods", _check_pods),
    "resource": ("Resource", _check_resource),
    "containerResource": ("ContainerResource", _check_container_resource),
}


def _check_name(source: Field) -> None:
    name = source.descend("metric", "name")
    if name.require():
        name.obey(path_segment)


def _check_target(target: Field) -> None:
    kind, utilization = target.child("type"), target.child("averageUtilization")
    if kind.value not in _TARGET_TYPES:
        kind.reject(f"{shown(kind.string)} is not a kind of target: use {choice(_TARGET_TYPES)}")
    for name in ("value", "averageValue"):
        check_positive(target.child(name))
    if utilization.is_set:
        utilization.positive()
