"""The claims, devices and what they come with that a row of the table of releases is about."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from kexplain.case import Case
from kexplain.objects import quantity
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.resource import Device, DeviceClass, DeviceRequest, ResourceClaim, ResourceSlice
from kexplain.report.touched_objects import Find, Touched, objects


def _devices(case: Case) -> Iterator[tuple[ResourceSlice, Device]]:
    for each in case.cluster.listers.every(ResourceSlice):
        yield from ((each, device) for device in each.spec.devices or ())


def _slices(that: str, is_so: Callable[[Device], object], on: str, off: str) -> Touched:
    """The slices with a device that is so."""
    find = objects(ResourceSlice, lambda each: any(map(is_so, each.spec.devices or ())))
    return Touched("ResourceSlice", f"has {that}", find, on, off)


def _has_lists(device: Device) -> bool:
    return any(attribute.values is not None for attribute in (device.attributes or {}).values())


def _is_asked_for_in_fractions(device: Device) -> bool:
    policies = (each.request_policy for each in (device.capacity or {}).values())
    ranges = (each.valid_range for each in policies if each is not None and each.valid_range is not None)
    amounts = (amount for each in ranges for amount in (each.min, each.max, each.step) if amount is not None)
    return any(quantity.parse(amount) % quantity.NANOS_PER_UNIT for amount in amounts)


def _is_in_groups(device: Device) -> bool:
    return any(consumption.compatibility_groups for consumption in device.consumes_counters or ())


def _pools_of_several_drivers(case: Case) -> Iterator[str]:
    counting = (each.spec for each in case.cluster.listers.every(ResourceSlice) if each.spec.shared_counters)
    drivers = Counter(pool for _, pool in {(each.driver, each.pool.name) for each in counting})
    return (pool for pool, count in sorted(drivers.items()) if count > 1)


def _sharing_what_is_not_shared(case: Case) -> Iterator[str]:
    alone = {
        (each.spec.driver, each.spec.pool.name, device.name)
        for each, device in _devices(case)
        if not device.allow_multiple_allocations
    }
    for claim in case.cluster.listers.every(ResourceClaim):
        allocation = claim.status.allocation
        held = (allocation.devices.results or ()) if allocation is not None else ()
        if any(each.share_id and (each.driver, each.pool, each.device) in alone for each in held):
            yield claim.key


def _rival_classes(case: Case) -> Iterator[str]:
    classes = case.cluster.listers.every(DeviceClass)
    named = Counter(each.spec.extended_resource_name for each in classes if each.spec.extended_resource_name)
    return (each.name for each in classes if named[each.spec.extended_resource_name or ""] > 1)


def _wants_distinct_devices(claim: ResourceClaim) -> bool:
    return any(each.distinct_attribute for each in claim.spec.devices.constraints or ())


def _all_of_shared(case: Case) -> Iterable[str]:
    shared = any(device.allow_multiple_allocations for _, device in _devices(case))
    return objects(ResourceClaim, _asks_for_all)(case) if shared else ()


def _capacities_by_another_name(case: Case) -> Iterator[str]:
    published = {name for _, device in _devices(case) for name in device.capacity or ()}
    for claim in case.cluster.listers.every(ResourceClaim):
        if any(name not in published for name in _capacities(claim)):
            yield claim.key


def _capacities(claim: ResourceClaim) -> Iterator[str]:
    for request in claim.spec.devices.requests or ():
        for asked in (request.exactly, *(request.first_available or ())):
            if asked is not None and asked.capacity is not None:
                yield from asked.capacity.requests or ()


def _claims(is_so: Callable[[DeviceRequest], object]) -> Find:
    """The claims with a request that is so."""
    return objects(ResourceClaim, lambda claim: any(map(is_so, claim.spec.devices.requests or ())))


def _of_incomplete_pools(case: Case) -> Iterator[str]:
    slices = case.cluster.listers.every(ResourceSlice)
    there = Counter((each.spec.driver, each.spec.pool) for each in slices)
    return (
        each.name for each in slices if there[each.spec.driver, each.spec.pool] < each.spec.pool.resource_slice_count
    )


def _asks_for_all(claim: ResourceClaim) -> bool:
    requests = (each.exactly for each in claim.spec.devices.requests or ())
    return any(each is not None and each.allocation_mode == "All" for each in requests)


#: By the row of the table.
TOUCHED: Mapping[str, Touched] = {
    "lists_are_known": _slices(
        "attributes that are lists", _has_lists,
        "selectors read them", "claims that its devices are looked at for fail",
    ),
    "failed_picks_leave_nothing": _slices(
        "devices that draw on counters", lambda device: device.consumes_counters,
        "a device that does not do after all gives back what it drew", "a device that does not do keeps what it drew",
    ),
    "shares_without_amounts_draw_once": _slices(
        "shared devices that draw on counters",
        lambda device: device.consumes_counters and device.allow_multiple_allocations,
        "a device draws once, however many share it", "each share without an amount draws once more",
    ),
    "node_claims_have_overheads": _slices(
        "devices that take of a node what it has allocatable",
        lambda device: device.node_allocatable_resources or device.node_allocatable_resource_mappings,
        "nodeAllocatableResources says how much", "nodeAllocatableResourceMappings says how much",
    ),
    "compatibility_groups_are_known": _slices(
        "devices in compatibility groups", _is_in_groups,
        "without gate DRADeviceCompatibilityGroups they are given to nobody", "their groups do not count",
    ),
    "DRAFractionalCapacityRange": _slices(
        "capacities in fractions", _is_asked_for_in_fractions,
        "claims may ask for thousandths", "what claims ask for counts in whole units",
    ),
    "DRAConsumableCapacity": _slices(
        "devices for several claims at once", lambda device: device.allow_multiple_allocations,
        "several claims share them", "each is for one claim",
    ),
    "DRADeviceTaints": _slices(
        "devices with taints", lambda device: device.taints,
        "claims that do not tolerate them get other devices", "their taints do not count",
    ),
    "DRAPartitionableDevices": _slices(
        "devices that draw on counters", lambda device: device.consumes_counters,
        "they are given as long as the counters last", "they are given to nobody",
    ),
    "DRADeviceBindingConditions": _slices(
        "devices that are made ready first", lambda device: device.binding_conditions,
        "pods wait until they are ready", "they are given to nobody",
    ),
    "counters_elsewhere_make_no_pool": Touched(
        "ResourceSlice", "has counters", objects(ResourceSlice, lambda each: each.spec.shared_counters),
        "a pool is looked at only on nodes that can use it", "a pool is looked at on every node",
    ),
    "counters_go_by_driver": Touched(
        "pool", "is of several drivers, with counters", _pools_of_several_drivers,
        "each driver has its own counters", "all drivers draw on the same counters",
    ),
    "shares_keep_devices_from_others": Touched(
        "claim", "shares a device that is no longer shared", _sharing_what_is_not_shared,
        "nobody else gets that device", "somebody else can get that device",
    ),
    "DRAExtendedResource": Touched(
        "device class", "stands for an extended resource",
        objects(DeviceClass, lambda each: each.spec.extended_resource_name),
        "pods that ask for the resource get devices",
        "pods that ask for the resource get what nodes report", have="stand for extended resources",
    ),
    "losing_classes_keep_their_names": Touched(
        "device class", "stands for the same resource as another", _rival_classes,
        "each is found under its own name",
        "those that lose the resource are not found under their own name", have="stand for the same resource as others",
    ),
    "distinct_values_are_all_remembered": Touched(
        "claim", "wants devices that differ in an attribute", objects(ResourceClaim, _wants_distinct_devices),
        "each device differs from all others", "each device differs from the latest of each request",
    ),
    "distinct_attributes_are_compared": Touched(
        "claim", "wants devices that differ in an attribute", objects(ResourceClaim, _wants_distinct_devices),
        "its devices differ", "it is enough that its devices have the attribute",
    ),
    "DRAPrioritizedList": Touched(
        "claim", "names alternatives", _claims(lambda request: request.first_available),
        "it gets the first that can be had", "it gets nothing",
    ),
    "DRAAdminAccess": Touched(
        "claim", "asks for administrative access",
        _claims(lambda request: request.exactly and request.exactly.admin_access),
        "it gets devices that others have", "it gets nothing",
    ),
    "device_pools_must_be_complete": Touched(
        "ResourceSlice", "is of a pool that is not all there", _of_incomplete_pools,
        "no device is taken of it",
        "devices are taken of what is there for a node", have="are of pools that are not all there",
    ),
    "all_devices_need_room": Touched(
        "claim", "asks for all devices, and some are shared", _all_of_shared,
        "a device without room left keeps the pod from its node", "devices without room left are passed over",
    ),
    "claims_name_capacities_in_full": Touched(
        "claim", "asks for a capacity that no driver publishes by that name", _capacities_by_another_name,
        "the name may be with or without the driver's domain", "no device is known to have it",
    ),
    "all_of_unusable_pools_is_an_error": Touched(
        "claim", "asks for all devices", objects(ResourceClaim, _asks_for_all),
        "a pool that is being updated keeps the pod from every node",
        "nodes with a pool that is being updated are passed over",
    ),
    "taint_rules_without_selector_taint_all": Touched(
        "DeviceTaintRule", "has no selector", objects(DeviceTaintRule, lambda each: each.spec.device_selector is None),
        "it taints every device", "it taints nothing",
    ),
    "DRADeviceTaintRules": Touched(
        "DeviceTaintRule", "is there", objects(DeviceTaintRule),
        "it taints devices", "it taints nothing",
    ),
}  # fmt: skip
