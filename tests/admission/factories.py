"""Small makers of records, so that tables stay readable."""

from __future__ import annotations

from typing import Any

import msgspec

from kexplain.objects.core import Container, LimitRange, Pod, PodSpec, ResourceRequirements, Toleration
from kexplain.objects.meta import Labels, RawQuantity, ResourceList
from kexplain.objects.scheduling import PriorityClass, RuntimeClass


def amounts(**raw_by_name: RawQuantity) -> ResourceList:
    """A resource list; underscores stand for dashes."""
    return {name.replace("_", "-"): raw for name, raw in raw_by_name.items()}


def resources(requests: ResourceList | None = None, limits: ResourceList | None = None) -> ResourceRequirements:
    return ResourceRequirements(requests=requests, limits=limits)


def container(
    requests: ResourceList | None = None, limits: ResourceList | None = None, *, sidecar: bool = False
) -> Container:
    policy = "Always" if sidecar else None
    return Container(name="c", resources=resources(requests, limits), restart_policy=policy)


def pod(labels: Labels | None = None, **spec: Any) -> Pod:
    """A pod from the spec of a manifest."""
    return msgspec.convert({"kind": "Pod", "metadata": {"name": "p", "labels": labels}, "spec": spec}, Pod)


def spec(**fields: Any) -> PodSpec:
    """A spec as a manifest has it."""
    return msgspec.convert(fields, PodSpec)


def tolerations(*fields: dict[str, Any]) -> tuple[Toleration, ...]:
    return msgspec.convert(fields, tuple[Toleration, ...])


def priority_class(name: str, value: int, **fields: Any) -> PriorityClass:
    manifest = {"kind": "PriorityClass", "metadata": {"name": name}, "value": value, **fields}
    return msgspec.convert(manifest, PriorityClass)


def runtime_class(name: str, **fields: Any) -> RuntimeClass:
    return msgspec.convert({"kind": "RuntimeClass", "metadata": {"name": name}, **fields}, RuntimeClass)


def limit_range(*items: dict[str, Any], namespace: str | None = None) -> LimitRange:
    manifest = {"kind": "LimitRange", "metadata": {"namespace": namespace}, "spec": {"limits": items}}
    return msgspec.convert(manifest, LimitRange)
