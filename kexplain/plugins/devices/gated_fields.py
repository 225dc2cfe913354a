"""What requests for devices may not ask for. Source: allocator `Allocate`, `validateDeviceRequest`."""

from kexplain.framework.features import Features
from kexplain.objects.resource import DeviceRequest, ExactDeviceRequest, ResourceClaim, WantedDevices
from kexplain.plugins.devices.channels import knows_sharing
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.selection import shown


def check_amounts(claim: ResourceClaim, request: DeviceRequest, features: Features) -> None:
    """Raise AllocationError where amounts are asked for that the allocator knows but may not give."""
    if features.consumable_capacity or not knows_sharing(features):
        return
    asking: list[tuple[str, str, WantedDevices]] = []
    if request.exactly is not None:
        asking.append(("request", request.name, request.exactly))
    for each in request.first_available or ():
        of_request = features.alternatives_with_amounts_blame_their_request
        asking.append(("request", request.name, each) if of_request else ("subrequest", each.name, each))
    for what, name, asked in asking:
        if asked.capacity is not None:
            whose = f"claim {shown(claim)}, {what} {name}"
            raise AllocationError(f"{whose}: has capacity requests, but the DRAConsumableCapacity feature is disabled")


def check_fields(request: WantedDevices, prefix: str, features: Features) -> None:
    """Raise AllocationError where a selector is of no known kind, or administrative access is not allowed."""
    for index, selector in enumerate(request.selectors or ()):
        if selector.cel is None:
            raise AllocationError(f"{prefix}, selector #{index}: CEL expression empty (unsupported selector type?)")
    # A field that says false is too much as well.
    names_access = isinstance(request, ExactDeviceRequest) and request.admin_access is not None
    if names_access and features.admin_access_is_gated and not features.device_admin_access:
        raise AllocationError(f"{prefix}: admin access is requested, but the feature is disabled")
