"""The resource API group: devices, who offers them, and who claims them.

Records have the shape of resource.k8s.io/v1. Objects of v1beta1 and v1alpha3, where devices have their properties under
`basic` (in v1alpha3 with bare quantities) and requests their own fields, are brought into that shape once they are
decoded; v1beta2 has it already. Source: `dynamic-resource-allocation/api/v1beta1` conversions.
"""

from msgspec import field
from msgspec.structs import asdict, force_setattr, replace

from kexplain.objects.core import NodeSelector, Taint, Toleration
from kexplain.objects.core.pods import NodeAllocatableMapping, NodeAllocatableResource
from kexplain.objects.meta import Condition, Int64, KubernetesObject, ObjectMeta, RawQuantity, Record, ResourceList

_EARLIER_VERSIONS = frozenset({"resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3"})

EXACT_COUNT = "ExactCount"
ALL = "All"


class CELDeviceSelector(Record, frozen=True):
    """An expression over one device."""

    expression: str = ""


class DeviceSelector(Record, frozen=True):
    """What a device has to be like; `cel` is the only kind there is."""

    cel: CELDeviceSelector | None = None


class DeviceClassSpec(Record, frozen=True):
    """Which devices belong to a class, and the extended resource that requests them."""

    selectors: tuple[DeviceSelector, ...] | None = None
    extended_resource_name: str | None = None


class DeviceClass(KubernetesObject, frozen=True, tag_field="kind", tag="DeviceClass", eq=False):
    """A class of devices that requests name."""

    spec: DeviceClassSpec = DeviceClassSpec()


class DeviceAttribute(Record, frozen=True):
    """One attribute: exactly one of the fields is set. API servers take lists only with a gate."""

    int_value: Int64 | None = field(default=None, name="int")
    bool_value: bool | None = field(default=None, name="bool")
    string_value: str | None = field(default=None, name="string")
    version_value: str | None = field(default=None, name="version")
    int_values: tuple[Int64, ...] | None = field(default=None, name="ints")
    bool_values: tuple[bool, ...] | None = field(default=None, name="bools")
    string_values: tuple[str, ...] | None = field(default=None, name="strings")
    version_values: tuple[str, ...] | None = field(default=None, name="versions")

    @property
    def values(self) -> tuple[str, tuple[int | bool | str, ...]] | None:
        """The type of the values of a list and the values, of which there may be none; None if it is no list."""
        kinds = ("int", "bool", "string", "version")
        return next(((kind, found) for kind in kinds if (found := getattr(self, f"{kind}_values")) is not None), None)

    @property
    def value(self) -> tuple[str, int | bool | str] | None:
        """The type of the value and the value, read in upstream's order; None if there is none that is known."""
        if self.int_value is not None:
            return "int", self.int_value
        if self.bool_value is not None:
            return "bool", self.bool_value
        if self.string_value is not None:
            return "string", self.string_value
        return None if self.version_value is None else ("version", self.version_value)


class CapacityRequestPolicyRange(Record, frozen=True):
    """Amounts that may be taken: from `min` on, in steps, up to `max`."""

    min: RawQuantity | None = None
    max: RawQuantity | None = None
    step: RawQuantity | None = None


class CapacityRequestPolicy(Record, frozen=True):
    """How a share of a capacity is rounded, and what is taken where a request does not say."""

    default: RawQuantity | None = None
    valid_values: tuple[RawQuantity, ...] | None = None
    valid_range: CapacityRequestPolicyRange | None = None


class DeviceCapacity(Record, frozen=True):
    """An amount that a device has."""

    value: RawQuantity = "0"
    request_policy: CapacityRequestPolicy | None = None


class Counter(Record, frozen=True):
    """An amount in a counter set."""

    value: RawQuantity = "0"


class CounterSet(Record, frozen=True):
    """Counters that devices of a pool share."""

    name: str = ""
    counters: dict[str, Counter] | None = None


class DeviceCounterConsumption(Record, frozen=True):
    """What a device takes of a counter set."""

    counter_set: str = ""
    counters: dict[str, Counter] | None = None
    compatibility_groups: tuple[str, ...] | None = None


class DeviceTaint(Taint, frozen=True):
    """What a device repels claims with."""


class DeviceToleration(Toleration, frozen=True):
    """Which device taints a request tolerates. Source: resourceclaim `ToleratesTaint`, which is that of nodes."""


class _DeviceProperties(Record, frozen=True):
    """Everything about a device but its name and its capacity."""

    attributes: dict[str, DeviceAttribute] | None = None
    consumes_counters: tuple[DeviceCounterConsumption, ...] | None = None
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    taints: tuple[DeviceTaint, ...] | None = None
    binds_to_node: bool | None = None
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    allow_multiple_allocations: bool | None = None
    node_allocatable_resource_mappings: dict[str, NodeAllocatableMapping] | None = None
    node_allocatable_resources: dict[str, NodeAllocatableResource] | None = None


class _BasicDevice(_DeviceProperties, frozen=True):
    """A device's properties as v1beta1 has them, or v1alpha3 with bare quantities."""

    capacity: dict[str, DeviceCapacity | RawQuantity] | None = None


class Device(_DeviceProperties, frozen=True, eq=False):
    """A device; `basic` is where earlier versions have its properties, and None once it is decoded."""

    name: str = ""
    capacity: dict[str, DeviceCapacity] | None = None
    basic: _BasicDevice | None = None


class ResourcePool(Record, frozen=True):
    """The pool that a slice is part of, and how many slices make it whole."""

    name: str = ""
    generation: Int64 = 0
    resource_slice_count: Int64 = 0


class ResourceSliceSpec(Record, frozen=True):
    """Devices of one pool and the nodes that can use them."""

    driver: str = ""
    pool: ResourcePool = ResourcePool()
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    devices: tuple[Device, ...] | None = None
    per_device_node_selection: bool | None = None
    shared_counters: tuple[CounterSet, ...] | None = None


class ResourceSlice(KubernetesObject, frozen=True, tag_field="kind", tag="ResourceSlice", eq=False):
    """Some of the devices that a driver offers."""

    spec: ResourceSliceSpec = ResourceSliceSpec()

    def __post_init__(self) -> None:
        if self.api_version in _EARLIER_VERSIONS and self.spec.devices:
            devices = tuple(_flattened(device) for device in self.spec.devices)
            force_setattr(self, "spec", replace(self.spec, devices=devices))


def _flattened(device: Device) -> Device:
    if device.basic is None:
        return device
    given = (device.basic.capacity or {}).items()
    capacity = {name: each if isinstance(each, DeviceCapacity) else DeviceCapacity(value=each) for name, each in given}
    return Device(name=device.name, **{**asdict(device.basic), "capacity": capacity or None})


class CapacityRequirements(Record, frozen=True):
    """How much of a device's capacities a request needs."""

    requests: ResourceList | None = None


class DeviceDerivedAttribute(Record, frozen=True):
    """An attribute that an expression gives the devices of a request, for constraints."""

    name: str = ""
    expression: str = ""


class WantedDevices(Record, frozen=True):
    """Devices of one class; `count` is 1 by default."""

    device_class_name: str = ""
    selectors: tuple[DeviceSelector, ...] | None = None
    allocation_mode: str | None = None
    count: Int64 | None = None
    tolerations: tuple[DeviceToleration, ...] | None = None
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] | None = None


class DeviceSubRequest(WantedDevices, frozen=True):
    """One alternative of a request."""

    name: str = ""


class ExactDeviceRequest(WantedDevices, frozen=True):
    """A request without alternatives."""

    admin_access: bool | None = None


class DeviceRequest(ExactDeviceRequest, frozen=True):
    """One request of a claim: `exactly`, or the first of `first_available` that can be met.

    The fields of ExactDeviceRequest are those of v1beta1, and empty once it is decoded.
    """

    name: str = ""
    exactly: ExactDeviceRequest | None = None
    first_available: tuple[DeviceSubRequest, ...] | None = None


class DeviceConstraint(Record, frozen=True):
    """What devices of several requests must have in common, or must not."""

    requests: tuple[str, ...] | None = None
    match_attribute: str | None = None
    distinct_attribute: str | None = None


class DeviceClaim(Record, frozen=True):
    """All requests of a claim, and what their devices must have in common."""

    requests: tuple[DeviceRequest, ...] | None = None
    constraints: tuple[DeviceConstraint, ...] | None = None


class ResourceClaimSpec(Record, frozen=True):
    """What a claim wants; in 1.31 a `controller` can be meant to allocate it."""

    devices: DeviceClaim = DeviceClaim()
    controller: str | None = None


class DeviceRequestAllocationResult(Record, frozen=True):
    """One device that a claim was given, whole or a share of it."""

    request: str = ""
    driver: str = ""
    pool: str = ""
    device: str = ""
    admin_access: bool | None = None
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    share_id: str | None = field(default=None, name="shareID")
    consumed_capacity: ResourceList | None = None


class DeviceAllocationResult(Record, frozen=True):
    """All devices that a claim was given."""

    results: tuple[DeviceRequestAllocationResult, ...] | None = None


class AllocationResult(Record, frozen=True):
    """The devices, and the nodes from which they can be used; any without a selector."""

    devices: DeviceAllocationResult = DeviceAllocationResult()
    node_selector: NodeSelector | None = None


class ResourceClaimConsumerReference(Record, frozen=True):
    """Who may use a claim."""

    api_group: str | None = None
    resource: str = ""
    name: str = ""
    uid: str = ""


class AllocatedDeviceStatus(Record, frozen=True):
    """The conditions of an allocated device."""

    driver: str = ""
    pool: str = ""
    device: str = ""
    conditions: tuple[Condition, ...] | None = None


class ResourceClaimStatus(Record, frozen=True):
    """What a claim was given, and who uses it."""

    allocation: AllocationResult | None = None
    reserved_for: tuple[ResourceClaimConsumerReference, ...] | None = None
    devices: tuple[AllocatedDeviceStatus, ...] | None = None


class ResourceClaimAnnotations(Record, frozen=True):
    """The annotation of a claim that the scheduler made itself, for extended resources."""

    for_extended_resources: str | None = field(default=None, name="resource.kubernetes.io/extended-resource-claim")


class ResourceClaimMeta(ObjectMeta, frozen=True):
    """The metadata of a claim on devices."""

    annotations: ResourceClaimAnnotations | None = None


class ResourceClaim(KubernetesObject, frozen=True, tag_field="kind", tag="ResourceClaim", eq=False):
    """A claim on devices; `status.allocation` names those that it was given."""

    metadata: ResourceClaimMeta = ResourceClaimMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()

    def __post_init__(self) -> None:
        if self.api_version in _EARLIER_VERSIONS:
            force_setattr(self, "spec", _with_exact_requests(self.spec))


class ResourceClaimTemplateSpec(Record, frozen=True):
    """The claim that is generated for each pod."""

    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(KubernetesObject, frozen=True, tag_field="kind", tag="ResourceClaimTemplate", eq=False):
    """What claims generated for pods look like."""

    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()

    def __post_init__(self) -> None:
        if self.api_version in _EARLIER_VERSIONS:
            force_setattr(self, "spec", replace(self.spec, spec=_with_exact_requests(self.spec.spec)))


def _with_exact_requests(spec: ResourceClaimSpec) -> ResourceClaimSpec:
    requests = tuple(_with_exact(request) for request in spec.devices.requests or ())
    return replace(spec, devices=replace(spec.devices, requests=requests))


def _with_exact(request: DeviceRequest) -> DeviceRequest:
    own = {name: getattr(request, name) for name in ExactDeviceRequest.__struct_fields__}
    if request.exactly is not None or not any(value is not None and value != "" for value in own.values()):
        return request
    return DeviceRequest(name=request.name, exactly=ExactDeviceRequest(**own), first_available=request.first_available)
