"""Which devices a node can use, pool by pool. Source: allocator `GatherPools`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.objects.core import Node, NodeSelector
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.resource import CounterSet, Device, ResourceSlice, ResourceSliceSpec
from kexplain.plugins.devices.channels import knows_sharing


class PoolID(NamedTuple):
    """A pool; names are unique within a driver."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


class DeviceID(NamedTuple):
    """A device; names are unique within a pool."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


class Offer(Struct, frozen=True):
    """A device where it stands: in a slice of a pool."""

    id: DeviceID
    device: Device
    slice: ResourceSlice


class Pool(Struct, frozen=True):
    """What of a pool the node can use.

    `offers` are in the order in which they are tried. An incomplete pool is being updated by its driver, an
    invalid one contradicts itself; neither has offers, but in earlier releases. `elsewhere` are devices that the node
    cannot use but that share counters with those that it can.
    """

    id: PoolID
    offers: tuple[Offer, ...] = ()
    elsewhere: tuple[Offer, ...] = ()
    counter_sets: Mapping[str, CounterSet] | None = None
    is_incomplete: bool = False
    invalid_reason: str = ""

    @property
    def is_usable(self) -> bool:
        """Whether devices can be allocated from it at all."""
        return not self.is_incomplete and not self.invalid_reason


class Inventory:
    """All slices, by the nodes that they are for."""

    def __init__(self, slices: Iterable[ResourceSlice], features: Features = DEFAULT_FEATURES) -> None:
        self._features = features
        self._waiting_come_last = knows_sharing(features)
        self._by_node: dict[str, list[ResourceSlice]] = {}
        self._shared: list[ResourceSlice] = []
        self._by_pool: dict[PoolID, list[ResourceSlice]] = {}
        self._pools_by_node: dict[str, list[Pool]] = {}
        passes_over_groups = features.compatibility_groups_are_known and not features.compatibility_groups
        for each in slices:
            spec = each.spec
            if passes_over_groups and _has_compatibility_groups(each):
                continue
            self._by_pool.setdefault(_pool_id(each), []).append(each)
            if not self._is_known(each):
                continue
            if not spec.node_name or (spec.shared_counters and not features.counters_elsewhere_make_no_pool):
                self._shared.append(each)
            else:
                self._by_node.setdefault(spec.node_name, []).append(each)

    def pools(self, node: Node) -> list[Pool]:
        """The pools with devices for the node in the order in which they are tried.

        Pools whose devices wait for conditions come last, otherwise the order is that of their names. Upstream takes
        them in an order of chance up to 1.34, and so it does slices, of which 1.31 may count one twice.
        """
        known = self._pools_by_node.get(node.name)
        if known is None:
            known = self._pools_by_node[node.name] = self._gathered(node)
        return known

    def _gathered(self, node: Node) -> list[Pool]:
        by_pool: dict[PoolID, list[ResourceSlice]] = {}
        for each in (*self._by_node.get(node.name, ()), *self._shared):
            if self._is_relevant(each, node):
                self._add_newest(by_pool, each)
        pools = [pool for id_, slices in by_pool.items() if (pool := self._pool(id_, slices)) is not None]
        return sorted(pools, key=lambda pool: (self._waiting_come_last and _waits_for_conditions(pool), pool.id))

    def _add_newest(self, by_pool: dict[PoolID, list[ResourceSlice]], each: ResourceSlice) -> None:
        slices = by_pool.setdefault(_pool_id(each), [])
        generation = each.spec.pool.generation
        if slices and generation > slices[0].spec.pool.generation:
            slices.clear()
            if not self._features.device_pools_are_checked:
                slices.append(each)
        if not slices or generation == slices[0].spec.pool.generation:
            slices.append(each)

    def _pool(self, id_: PoolID, slices: list[ResourceSlice]) -> Pool | None:
        """The pool, or None if all of these slices are about to be replaced by newer ones."""
        head = slices[0].spec.pool
        if len(slices) == head.resource_slice_count:
            return self._build(id_, slices, ())
        if not self._features.device_pools_must_be_complete:
            return replace(self._build(id_, slices, ()), is_incomplete=True)
        every = self._by_pool[id_]
        if any(each.spec.pool.generation > head.generation for each in every):
            return None
        current = [each for each in every if each.spec.pool.generation == head.generation]
        if len(current) != head.resource_slice_count:
            return Pool(id_, is_incomplete=True)
        names = {each.name for each in slices}
        return self._build(id_, slices, [each for each in current if each.name not in names])

    def _is_relevant(self, each: ResourceSlice, node: Node) -> bool:
        spec = each.spec
        features = self._features
        wherever = features.device_counters_are_of_pools and not features.counters_elsewhere_make_no_pool
        if spec.shared_counters and wherever:
            # The pool cannot be used without them, wherever they are.
            return True
        if spec.node_name or spec.all_nodes or spec.node_selector is not None:
            return is_for(spec, node)
        return any(is_for(device, node) for device in spec.devices or ()) if spec.per_device_node_selection else False

    def _is_known(self, each: ResourceSlice) -> bool:
        """Whether it needs no feature that is off."""
        has_a_say = self._features.device_counters_are_of_pools or not self._features.device_search_goes_by_gates
        shares = each.spec.shared_counters and has_a_say
        return self._features.partitionable_devices or not (shares or each.spec.per_device_node_selection is not None)

    def _build(self, id_: PoolID, slices: Sequence[ResourceSlice], elsewhere: Sequence[ResourceSlice]) -> Pool:
        ordered = sorted(slices, key=lambda each: (self._comes_last(each), each.name))
        has_counters = self._features.partitionable_devices and self._features.device_counters_are_of_pools
        with_devices = [each for each in ordered if not (has_counters and each.spec.shared_counters)]
        offers = [offer for each in with_devices for offer in _offers(id_, each)]
        twice = _first_duplicate(offer.device.name for offer in offers)
        if twice is not None and self._features.device_pools_are_checked:
            # One search finds out about a pool only once it has chosen a device.
            offers = offers if self._features.invalid_pools_matter_once_chosen else []
            return Pool(id_, tuple(offers), invalid_reason=f"duplicate device name {twice}")
        if not has_counters:
            return Pool(id_, tuple(offers))
        others = tuple(offer for each in elsewhere for offer in _offers(id_, each))
        counter_sets = [one for each in (*ordered, *elsewhere) for one in each.spec.shared_counters or ()]
        by_name = {counter_set.name: counter_set for counter_set in counter_sets}
        reason = _miscount(counter_sets, by_name, (*offers, *others))
        return Pool(id_, invalid_reason=reason) if reason else Pool(id_, tuple(offers), others, by_name)

    def _comes_last(self, each: ResourceSlice) -> bool:
        waits = any(device.binding_conditions is not None for device in each.spec.devices or ())
        return waits and self._waiting_come_last and self._features.waiting_device_slices_come_last


def _has_compatibility_groups(each: ResourceSlice) -> bool:
    """Source: `sliceUsesCompatibilityGroups`."""
    drawn = (consumption for device in each.spec.devices or () for consumption in device.consumes_counters or ())
    return any(consumption.compatibility_groups for consumption in drawn)


def _pool_id(resource_slice: ResourceSlice) -> PoolID:
    return PoolID(resource_slice.spec.driver, resource_slice.spec.pool.name)


@lru_cache(maxsize=4096)
def _parsed(selector: NodeSelector) -> RequiredNodeAffinity:
    return RequiredNodeAffinity.of_selector(selector)


def is_for(placed: ResourceSliceSpec | Device, node: Node) -> bool:
    """Whether devices that are for some nodes are for this one. Source: allocator `NodeMatches`."""
    if placed.node_name:
        return node.name == placed.node_name
    selector = placed.node_selector
    return bool(placed.all_nodes) or (selector is not None and _parsed(selector).matches(node))


def _waits_for_conditions(pool: Pool) -> bool:
    return any(offer.device.binding_conditions is not None for offer in pool.offers)


def _first_duplicate(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _offers(id_: PoolID, each: ResourceSlice) -> Iterable[Offer]:
    return (Offer(DeviceID(id_.driver, id_.pool, device.name), device, each) for device in each.spec.devices or ())


def _miscount(counter_sets: Iterable[CounterSet], by_name: Mapping[str, CounterSet], offers: Iterable[Offer]) -> str:
    """Why the counters of a pool cannot be right; empty if they can."""
    twice = _first_duplicate(counter_set.name for counter_set in counter_sets)
    if twice is not None:
        return f"duplicate counter set name {twice}"
    return next(filter(None, (_misconsumption(offer.device, by_name) for offer in offers)), "")


def _misconsumption(device: Device, counter_sets: Mapping[str, CounterSet]) -> str:
    """Why the device's counters cannot be right; empty if they can."""
    for consumed in device.consumes_counters or ():
        counter_set = counter_sets.get(consumed.counter_set)
        if counter_set is None:
            return f"counter set {consumed.counter_set} not found"
        for name in consumed.counters or ():
            if name not in (counter_set.counters or {}):
                return f"counter {name} not found in counter set {consumed.counter_set}"
    return ""
