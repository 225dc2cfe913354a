"""The claims, devices and what they come with that a row of the table of releases is about."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from kexplain.case import Case
from kexplain.objects import quantity
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.resource import Device, DeviceClass, DeviceRequest, ResourceClaim, ResourceSlice
from kexplain.report.touched_objects import Find, objects


def _devices(case: Case) -> Iterator[tuple[ResourceSlice, Device]]:
    for each in case.cluster.listers.every(ResourceSlice):
        yield from ((each, device) for device in each.spec.devices or ())


def _slices(is_so: Callable[[Device], object]) -> Find:
    """The slices with a device that is so."""
    return objects(ResourceSlice, lambda each: any(map(is_so, each.spec.devices or ())))


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
    unshared = ((each.spec, device) for each, device in _devices(case) if not device.allow_multiple_allocations)
    alone = {(spec.driver, spec.pool.name, device.name) for spec, device in unshared}
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
    specs = ((each, each.spec) for each in slices)
    return (each.name for each, spec in specs if there[spec.driver, spec.pool] < spec.pool.resource_slice_count)


def _asks_for_all(claim: ResourceClaim) -> bool:
    requests = (each.exactly for each in claim.spec.devices.requests or ())
    return any(each is not None and each.allocation_mode == "All" for each in requests)


#: By the row of the table.
FIND: Mapping[str, Find] = {
    "lists_are_known": _slices(_has_lists),
    "failed_picks_leave_nothing": _slices(lambda device: device.consumes_counters),
    "shares_without_amounts_draw_once": _slices(
        lambda device: device.consumes_counters and device.allow_multiple_allocations
    ),
    "node_claims_have_overheads": _slices(
        lambda device: device.node_allocatable_resources or device.node_allocatable_resource_mappings
    ),
    "compatibility_groups_are_known": _slices(_is_in_groups),
    "DRAFractionalCapacityRange": _slices(_is_asked_for_in_fractions),
    "DRAConsumableCapacity": _slices(lambda device: device.allow_multiple_allocations),
    "DRADeviceTaints": _slices(lambda device: device.taints),
    "DRAPartitionableDevices": _slices(lambda device: device.consumes_counters),
    "DRADeviceBindingConditions": _slices(lambda device: device.binding_conditions),
    "counters_elsewhere_make_no_pool": objects(ResourceSlice, lambda each: each.spec.shared_counters),
    "counters_go_by_driver": _pools_of_several_drivers,
    "shares_keep_devices_from_others": _sharing_what_is_not_shared,
    "DRAExtendedResource": objects(DeviceClass, lambda each: each.spec.extended_resource_name),
    "losing_classes_keep_their_names": _rival_classes,
    "distinct_values_are_all_remembered": objects(ResourceClaim, _wants_distinct_devices),
    "distinct_attributes_are_compared": objects(ResourceClaim, _wants_distinct_devices),
    "DRAPrioritizedList": _claims(lambda request: request.first_available),
    "dynamic_resources_score": _claims(lambda request: request.first_available),
    "DRAAdminAccess": _claims(lambda request: request.exactly and request.exactly.admin_access),
    "device_pools_must_be_complete": _of_incomplete_pools,
    "all_devices_need_room": _all_of_shared,
    "claims_name_capacities_in_full": _capacities_by_another_name,
    "all_of_unusable_pools_is_an_error": objects(ResourceClaim, _asks_for_all),
    "taint_rules_without_selector_taint_all": objects(DeviceTaintRule, lambda each: each.spec.device_selector is None),
    "DRADeviceTaintRules": objects(DeviceTaintRule),
}
