"""Small makers of devices, slices, classes and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from kexplain.objects.meta import ObjectMeta
from kexplain.objects.resource import (
    AllocationResult,
    CELDeviceSelector,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceClaim,
    DeviceClass,
    DeviceClassSpec,
    DeviceConstraint,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimMeta,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)

DRIVER = "gpu.example.com"
CLASS = "gpu"


def selector(expression: str) -> DeviceSelector:
    return DeviceSelector(cel=CELDeviceSelector(expression=expression))


def device(name: str, attributes: Mapping[str, Any] | None = None, memory: str | None = None, **further: Any) -> Device:
    """A device; attributes are told apart by their types, versions by a leading `v`."""
    made: dict[str, Any] = {"name": name, "attributes": {}, **further}
    for key, value in (attributes or {}).items():
        kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "string"
        is_version = isinstance(value, str) and value.startswith("v")
        made["attributes"][key] = {"version": value[1:]} if is_version else {kind: value}
    if memory is not None:
        made.setdefault("capacity", {})["memory"] = {"value": memory}
    return msgspec.convert(made, Device)


def resource_slice(
    *devices: Device,
    node: str | None = "n1",
    name: str = "",
    pool: str = "",
    generation: int = 1,
    count: int = 1,
    driver: str = DRIVER,
    counters: Iterable[CounterSet] = (),
    **further: Any,
) -> ResourceSlice:
    pool = pool or node or "shared"
    spec = ResourceSliceSpec(
        driver=driver,
        pool=ResourcePool(name=pool, generation=generation, resource_slice_count=count),
        node_name=node,
        devices=devices,
        shared_counters=tuple(counters) or None,
        **further,
    )
    return ResourceSlice(metadata=ObjectMeta(name=name or f"{pool}-{driver}"), spec=spec)


def device_class(name: str = CLASS, *expressions: str, resource: str | None = None) -> DeviceClass:
    spec = DeviceClassSpec(selectors=tuple(map(selector, expressions)), extended_resource_name=resource)
    return DeviceClass(metadata=ObjectMeta(name=name), spec=spec)


def exactly(name: str = "r0", *expressions: str, **fields: Any) -> DeviceRequest:
    fields = {"device_class_name": CLASS, "selectors": tuple(map(selector, expressions)), **fields}
    return DeviceRequest(name=name, exactly=ExactDeviceRequest(**fields))


def first_available(name: str, **alternatives: Any) -> DeviceRequest:
    """Alternatives by name, each an expression or fields."""
    subrequests = []
    for sub, fields in alternatives.items():
        given = {"selectors": (selector(fields),)} if isinstance(fields, str) else fields
        subrequests.append(DeviceSubRequest(name=sub, device_class_name=CLASS, **given))
    return DeviceRequest(name=name, first_available=tuple(subrequests))


def claim(
    *requests: DeviceRequest,
    name: str = "c",
    match: str = "",
    distinct: str = "",
    allocated: Iterable[str] = (),
    **status: Any,
) -> ResourceClaim:
    """A claim; `allocated` are devices as `pool/device`."""
    constraints = [DeviceConstraint(match_attribute=match)] if match else []
    constraints += [DeviceConstraint(distinct_attribute=distinct)] if distinct else []
    results = tuple(
        DeviceRequestAllocationResult(request="r0", driver=DRIVER, pool=each.split("/")[0], device=each.split("/")[1])
        for each in allocated
    )
    if results:
        status["allocation"] = AllocationResult(devices=DeviceAllocationResult(results=results))
    return ResourceClaim(
        metadata=ResourceClaimMeta(name=name, namespace="default", uid=name),
        spec=ResourceClaimSpec(devices=DeviceClaim(requests=requests, constraints=tuple(constraints))),
        status=ResourceClaimStatus(**status),
    )
