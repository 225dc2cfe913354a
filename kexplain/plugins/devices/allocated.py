"""What claims hold already. Source: `schedulerapi.AllocatedState`, dynamicresources `allocateddevices.go`."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from kexplain.objects.container_sums import add_to
from kexplain.objects.requests import nanos_of
from kexplain.objects.resource import ResourceClaim
from kexplain.plugins.devices.inventory import DeviceID
from kexplain.plugins.devices.sharing import Amounts


class AllocatedState(Struct):
    """Devices that are taken whole, and the amounts taken of devices that are shared; admin access takes nothing.

    `holder_by_device` are the claims, one of each device's.
    """

    devices: set[DeviceID] = msgspec.field(default_factory=set)
    shared: set[DeviceID] = msgspec.field(default_factory=set)
    consumed: dict[DeviceID, Amounts] = msgspec.field(default_factory=dict)
    holder_by_device: dict[DeviceID, ResourceClaim] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, claims: Iterable[ResourceClaim], *, may_share: bool = True) -> AllocatedState:
        """What these claims hold; unless devices may be shared, they hold all of each."""
        state = cls()
        for claim in claims:
            allocation = claim.status.allocation
            for result in (allocation.devices.results if allocation else None) or ():
                if result.admin_access:
                    continue
                device = DeviceID(result.driver, result.pool, result.device)
                state.holder_by_device[device] = claim
                if result.share_id is None or not may_share:
                    state.devices.add(device)
                    continue
                state.shared.add(device)
                if result.consumed_capacity is not None:
                    add_to(state.consumed.setdefault(device, {}), nanos_of(result.consumed_capacity))
        return state

    def is_allocated(self, device: DeviceID) -> bool:
        """Whether anything of the device is taken."""
        return device in self.devices or device in self.shared or device in self.consumed
