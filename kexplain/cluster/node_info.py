"""A node with the accounting of the pods on it. Source: scheduler `framework.NodeInfo`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from kexplain.cluster.host_ports import HostPort
from kexplain.cluster.node_tree import zone_key
from kexplain.cluster.pod_info import PodInfo
from kexplain.cluster.resource import Resource
from kexplain.objects.core import Node
from kexplain.objects.meta import RawQuantity
from kexplain.objects.requests import CPU, MEMORY, PODS


class NodeInfo:
    """A node and what its pods take of it.

    Inside a Cluster it is never changed; who wants to try something out takes a `copy` first.
    Like upstream, a removed pod's place in `pods` is taken by the last one, and a host port that two pods
    hold is free once one of them goes.
    """

    __slots__ = (
        "allocatable", "known_lowest_priority", "labels", "name", "node", "non_zero_cpu_milli", "non_zero_memory_bytes",
        "pods", "pods_with_affinity", "pods_with_required_anti_affinity", "requested", "used_ports", "zone",
    )  # fmt: skip

    def __init__(self, node: Node, pods: Sequence[PodInfo] = ()) -> None:
        resources = [pod_info.resource for pod_info in pods]
        self.node = node
        self.name = node.name
        self.labels = node.labels
        self.zone = zone_key(node)
        self.allocatable = _offered(tuple((node.status.allocatable or {}).items()))
        self.requested = Resource()
        self.requested.add_all([resource.requested for resource in resources])
        self.non_zero_cpu_milli = sum([resource.non_zero_cpu_milli for resource in resources])
        self.non_zero_memory_bytes = sum([resource.non_zero_memory_bytes for resource in resources])
        self.used_ports: set[HostPort] = set()
        self.pods = [*pods]
        self.pods_with_affinity: list[PodInfo] = []
        self.pods_with_required_anti_affinity: list[PodInfo] = []
        self.known_lowest_priority: float | None = None
        self._note(pods)

    def copy(self) -> NodeInfo:
        """A copy to try things out on; the node and what it offers are shared, since they never change."""
        copy = NodeInfo.__new__(NodeInfo)
        copy.node = self.node
        copy.name = self.name
        copy.labels = self.labels
        copy.zone = self.zone
        copy.allocatable = self.allocatable
        copy.requested = self.requested.copy()
        copy.non_zero_cpu_milli = self.non_zero_cpu_milli
        copy.non_zero_memory_bytes = self.non_zero_memory_bytes
        copy.used_ports = self.used_ports.copy()
        copy.pods = self.pods.copy()
        copy.pods_with_affinity = self.pods_with_affinity.copy()
        copy.pods_with_required_anti_affinity = self.pods_with_required_anti_affinity.copy()
        copy.known_lowest_priority = None
        return copy

    @property
    def lowest_priority(self) -> float:
        """The priority of the least important pod on the node; infinity where there is none."""
        if self.known_lowest_priority is None:
            self.known_lowest_priority = min([info.pod.spec.priority or 0 for info in self.pods], default=math.inf)
        return self.known_lowest_priority

    def free(self, resource: str) -> int:
        """What pods leave of a resource, as in `Resource.amount`; below zero where they request more than there is."""
        return self.allocatable.amount(resource) - self.requested.amount(resource)

    def label(self, key: str) -> str | None:
        """The value of a label, or the name by its field; None where the node has no such label."""
        return self.name if key == "metadata.name" else self.labels.get(key)

    def add_pod(self, pod_info: PodInfo) -> None:
        """Put a pod on the node."""
        resource = pod_info.resource
        self.pods.append(pod_info)
        self.known_lowest_priority = None
        if pod_info.affinity is not None or pod_info.host_ports:
            self._note((pod_info,))
        self.requested.add(resource.requested)
        self.non_zero_cpu_milli += resource.non_zero_cpu_milli
        self.non_zero_memory_bytes += resource.non_zero_memory_bytes

    def remove_pod(self, pod_info: PodInfo) -> None:
        """Take a pod off the node. Raises ValueError if it is not there."""
        _remove(self.pods, pod_info)
        if pod_info.affinity is not None:
            if pod_info.has_affinity:
                _remove(self.pods_with_affinity, pod_info)
            if pod_info.has_required_anti_affinity:
                _remove(self.pods_with_required_anti_affinity, pod_info)
        self.known_lowest_priority = None
        resource = pod_info.resource
        self.requested.add(resource.requested, -1)
        self.non_zero_cpu_milli -= resource.non_zero_cpu_milli
        self.non_zero_memory_bytes -= resource.non_zero_memory_bytes
        if pod_info.host_ports:
            self.used_ports.difference_update(pod_info.host_ports)

    def _note(self, pod_infos: Iterable[PodInfo]) -> None:
        for pod_info in pod_infos:
            if pod_info.affinity is not None:
                if pod_info.has_affinity:
                    self.pods_with_affinity.append(pod_info)
                if pod_info.has_required_anti_affinity:
                    self.pods_with_required_anti_affinity.append(pod_info)
            if pod_info.host_ports:
                self.used_ports.update(pod_info.host_ports)

    def __repr__(self) -> str:
        return f"NodeInfo({self.name}, {len(self.pods)} pods)"


@lru_cache(maxsize=4096)
def _offered(allocatable: tuple[tuple[str, RawQuantity], ...]) -> Resource:
    """What nodes offer that have this in their status; it never changes, and those of one machine type share it."""
    return Resource.of_list(dict(allocatable))


@cache
def used_of(resource: str) -> Callable[[NodeInfo], int]:
    """Reads what pods take of a resource on a node, as in `Resource.amount`; pods are counted."""
    return (lambda info: len(info.pods)) if resource == PODS else amount_of(resource, "requested")


@cache
def amount_of(resource: str, part: str) -> Callable[[NodeInfo], int]:
    """Reads how much of a resource is `allocatable` or `requested` on a node, as in `Resource.amount`."""
    attribute = {CPU: "cpu_milli", MEMORY: "memory_bytes"}.get(resource)
    return attrgetter(f"{part}.{attribute}") if attribute else lambda info: getattr(info, part).amount(resource)


class Room(NamedTuple):
    """What nodes offer of a resource, each amount once, and node by node which it is, what is used, and what is free.

    Amounts are as in `Resource.amount`; pods are counted.
    """

    offered: Sequence[int]
    kinds: Sequence[int]
    used: Sequence[int]
    free: Sequence[int]


def offered_by(node_infos: Iterable[NodeInfo], resource: str) -> tuple[Sequence[int], Sequence[int]]:
    """What the nodes offer of a resource, each amount once, and node by node which of these it is."""
    amounts = [info.allocatable.amount(resource) for info in node_infos]
    offered = list(dict.fromkeys(amounts))
    place_by_amount = {each: place for place, each in enumerate(offered)}
    return offered, [*map(place_by_amount.__getitem__, amounts)]


def _remove(pods: list[PodInfo], pod_info: PodInfo) -> None:
    """Remove the pod and put the last one in its place, as `removeFromSlice` does."""
    pods[pods.index(pod_info)] = pods[-1]
    del pods[-1]
