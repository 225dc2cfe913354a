"""How much storage drivers publish that they have left. Source: volume binder `hasEnoughCapacity`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.objects import quantity
from kexplain.objects.meta import Labels
from kexplain.objects.selectors import Selector, SelectorError, selector_from
from kexplain.objects.storage import CSIDriver, CSIStorageCapacity, StorageClass
from kexplain.plugins.pin_index import PinIndex, pins_of


class _Segment(Struct, frozen=True):
    """Nodes, the largest volume in bytes that can be made for them, and how much is left in all."""

    nodes: Selector
    limit: int
    capacity: int


class Capacities:
    """What is left of a class, by topology; what does not depend on the node is looked at once."""

    def __init__(self, storage_class: StorageClass, cluster: Cluster) -> None:
        every = cluster.listers.every(CSIStorageCapacity)
        of_class = (each for each in every if each.storage_class_name == storage_class.name)
        self._segments = [segment for each in of_class if (segment := _segment(each)) is not None]
        self._index = PinIndex(pins_of(segment.nodes.requirements or ()) for segment in self._segments)

    @classmethod
    def published(cls, storage_class: StorageClass, cluster: Cluster) -> Capacities | None:
        """The capacities; None if the driver of the class publishes none."""
        driver = cluster.listers.get(CSIDriver, storage_class.provisioner)
        return cls(storage_class, cluster) if driver is not None and driver.spec.storage_capacity else None

    def largest(self, labels: Labels) -> int | None:
        """The largest volume in bytes for a node with these labels; None if nothing is published for it."""
        return max((segment.limit for segment in self._for(labels)), default=None)

    def left_for(self, labels: Labels, requested: int) -> int | None:
        """What is left in bytes where a volume of that size can be made for a node with these labels."""
        return next((segment.capacity for segment in self._for(labels) if segment.limit >= requested), None)

    def _for(self, labels: Labels) -> Iterator[_Segment]:
        segments = (self._segments[position] for position in self._index.positions(labels))
        return (segment for segment in segments if segment.nodes.matches(labels))


def _segment(capacity: CSIStorageCapacity) -> _Segment | None:
    # The largest volume is more precise than the capacity, if the driver says what it is.
    limit = capacity.capacity if capacity.maximum_volume_size is None else capacity.maximum_volume_size
    if limit is None:
        return None
    with suppress(SelectorError):
        left = quantity.value(capacity.capacity or 0)
        return _Segment(selector_from(capacity.node_topology), quantity.value(limit), left)
    return None
