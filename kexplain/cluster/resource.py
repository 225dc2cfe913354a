"""Amounts of resources as the scheduler counts them: integers, rounded up once.

Source: scheduler `framework.Resource`, `util.IsScalarResourceName`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from kexplain.objects import quantity
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, HUGEPAGES_PREFIX, MEMORY, PODS, Nanos
from kexplain.objects.selectors import is_qualified_name
from kexplain.objects.well_known import NATIVE_DOMAIN

ATTACHABLE_VOLUMES_PREFIX = "attachable-volumes-"
QUOTA_REQUESTS_PREFIX = "requests."


@lru_cache(maxsize=4096)
def differ_in_size(name: str, other: str) -> bool:
    """Whether two resources have names that differ in numbers only, as parts of a device do: neither is misspelt."""
    return name != other and _without_digits(name) == _without_digits(other)


def _without_digits(name: str) -> str:
    return "".join(each for each in name if not each.isdecimal())


def is_extended_resource_name(name: str) -> bool:
    """Whether a resource is one that a device plugin or an administrator brings."""
    if "/" not in name or NATIVE_DOMAIN in name or name.startswith(QUOTA_REQUESTS_PREFIX):
        return False
    return is_qualified_name(QUOTA_REQUESTS_PREFIX + name)


@lru_cache(maxsize=4096)
def is_scalar_resource_name(name: str) -> bool:
    """Whether the scheduler counts a resource at all, beside CPU, memory, ephemeral storage and pods."""
    return (
        is_extended_resource_name(name)
        or name.startswith((HUGEPAGES_PREFIX, ATTACHABLE_VOLUMES_PREFIX))
        or NATIVE_DOMAIN in name
    )


class Resource:
    """Amounts by resource. Mutable only while a NodeInfo is being built or tried out."""

    __slots__ = ("allowed_pods", "cpu_milli", "ephemeral_storage_bytes", "memory_bytes", "scalars")

    def __init__(self) -> None:
        self.cpu_milli = 0
        self.memory_bytes = 0
        self.ephemeral_storage_bytes = 0
        self.allowed_pods = 0
        self.scalars: dict[str, int] = {}

    @classmethod
    def of_nanos(cls, amounts: Nanos) -> Resource:
        """Sums rounded up, resources that the scheduler does not count left out."""
        resource = cls()
        for name, nanos in amounts.items():
            if name == CPU:
                resource.cpu_milli = quantity.nanos_to_milli(nanos)
            elif name == MEMORY:
                resource.memory_bytes = quantity.nanos_to_value(nanos)
            elif name == EPHEMERAL_STORAGE:
                resource.ephemeral_storage_bytes = quantity.nanos_to_value(nanos)
            elif name == PODS:
                resource.allowed_pods = quantity.nanos_to_value(nanos)
            elif is_scalar_resource_name(name):
                resource.scalars[name] = quantity.nanos_to_value(nanos)
        return resource

    @classmethod
    def of_list(cls, resources: ResourceList | None) -> Resource:
        """The amounts of a resource list. Raises QuantityError on a value that is no quantity."""
        return cls.of_nanos({name: quantity.parse(raw) for name, raw in (resources or {}).items()})

    def amount(self, name: str) -> int:
        """The amount of any resource: CPU in millis, everything else in its own unit."""
        if name == CPU:
            return self.cpu_milli
        if name == MEMORY:
            return self.memory_bytes
        if name == EPHEMERAL_STORAGE:
            return self.ephemeral_storage_bytes
        return self.allowed_pods if name == PODS else self.scalars.get(name, 0)

    def amounts(self) -> Mapping[str, int]:
        """All amounts by name, scalars last."""
        return {
            CPU: self.cpu_milli,
            MEMORY: self.memory_bytes,
            EPHEMERAL_STORAGE: self.ephemeral_storage_bytes,
        } | self.scalars

    @property
    def is_below_zero(self) -> bool:
        """Whether there is less than nothing of something."""
        native = self.cpu_milli, self.memory_bytes, self.ephemeral_storage_bytes
        return min(native) < 0 or (bool(self.scalars) and min(self.scalars.values()) < 0)

    def add(self, other: Resource, sign: int = 1) -> None:
        """Add `other`, or take it away with sign -1; the allowed number of pods is not a sum."""
        self.cpu_milli += sign * other.cpu_milli
        self.memory_bytes += sign * other.memory_bytes
        self.ephemeral_storage_bytes += sign * other.ephemeral_storage_bytes
        for name in other.scalars:
            self.scalars[name] = self.scalars.get(name, 0) + sign * other.scalars[name]

    def add_all(self, others: Sequence[Resource]) -> None:
        """Add what all of these are."""
        self.cpu_milli += sum([other.cpu_milli for other in others])
        self.memory_bytes += sum([other.memory_bytes for other in others])
        self.ephemeral_storage_bytes += sum([other.ephemeral_storage_bytes for other in others])
        for other in others:
            for name, amount in other.scalars.items():
                self.scalars[name] = self.scalars.get(name, 0) + amount

    def copy(self) -> Resource:
        """An independent copy."""
        copy = Resource()
        copy.cpu_milli = self.cpu_milli
        copy.memory_bytes = self.memory_bytes
        copy.ephemeral_storage_bytes = self.ephemeral_storage_bytes
        copy.allowed_pods = self.allowed_pods
        copy.scalars = self.scalars.copy() if self.scalars else {}
        return copy
