"""The search for devices on one node. Source: allocator `allocateOne`, `allocateDevice`.

Claims are met one after the other, requests in their order, devices in the order of pools, slices and devices; the
first solution is taken, and nothing else is weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.objects.container_sums import add_to
from kexplain.objects.core import Node
from kexplain.objects.resource import (
    ALL,
    EXACT_COUNT,
    AllocationResult,
    Device,
    DeviceRequest,
    ResourceClaim,
    WantedDevices,
)
from kexplain.objects.well_known import MOST_DEVICES
from kexplain.plugins.devices.channels import is_plain
from kexplain.plugins.devices.constraints import Constraint, constraints_of
from kexplain.plugins.devices.counters import Counters
from kexplain.plugins.devices.errors import AllocationError, NodeAllocationError, SearchTimeoutError
from kexplain.plugins.devices.gated_fields import check_amounts, check_fields
from kexplain.plugins.devices.inventory import DeviceID, Offer, Pool
from kexplain.plugins.devices.picks import Found, Given, RequestData, RequestKey, allocation_result, invalid_pool_error
from kexplain.plugins.devices.selection import Selection, shown
from kexplain.plugins.devices.sharing import Amounts
from kexplain.plugins.devices.taints import is_tolerated

if TYPE_CHECKING:
    from kexplain.plugins.devices.allocator import Allocator


class Search:
    """The search on one node, with all that it has picked so far."""

    def __init__(
        self, allocator: Allocator, node: Node, claims: Sequence[ResourceClaim], pools: Sequence[Pool], steps_max: int
    ) -> None:
        self._allocator = allocator
        self._state = allocator.state
        self._node = node
        self._claims = claims
        self._pools = pools
        # A pool that is not complete has offers only where that does not matter.
        self._offers = [(pool, offer) for pool in pools for offer in pool.offers]
        self._features = allocator.features
        self._sharing = allocator.sharing
        self._too_many = Found.NO if is_plain(self._features) else Found.TOO_MANY
        self._requests: list[tuple[DeviceRequest, ...]] = [claim.spec.devices.requests or () for claim in claims]
        self._data: dict[RequestKey, RequestData] = {}
        self._constraints: list[list[Constraint]] = []
        self._selection = Selection(allocator.selectors, self._features, node)
        self._allocating: dict[DeviceID, set[int]] = {}
        self._consumed: dict[DeviceID, Amounts] = {}
        self._counters = Counters(allocator.state, allocator.counters_by_pool, self._features)
        self._given: list[list[Given]] = [[] for _ in claims]
        self._starts_over = self._features.consumable_capacity and self._features.one_request_can_share_with_itself
        self._has_looked_everywhere = False
        self.steps = 0
        self._steps_max = steps_max

    def run(self) -> list[AllocationResult] | None:
        for index, claim in enumerate(self._claims):
            self._prepare(index, claim)
        self._selection.forget()
        found = self._allocate_one(RequestKey(0, 0), 0, is_alternative=False, start=0)
        if found is Found.TOO_MANY:
            raise AllocationError("allocation max size exceeded")
        if found is not Found.YES:
            self._blame_invalid_pools()
            return None
        return [allocation_result(given, self._node, self._features) for given in self._given]

    def _blame_invalid_pools(self) -> None:
        """Raise AllocationError where devices were not found, and some pool may be the reason."""
        invalid = next((pool for pool in self._pools if pool.invalid_reason), None)
        if invalid is None:
            return
        if self._features.invalid_pools_matter_last:
            raise NodeAllocationError("invalid resource pools were encountered")
        if self._has_looked_everywhere and not self._features.invalid_pools_matter_once_chosen:
            raise invalid_pool_error(invalid)

    # ------------------------------------------------------------------------------------------ before the search

    def _prepare(self, index: int, claim: ResourceClaim) -> None:
        least = 0
        for at, request in enumerate(self._requests[index]):
            key = RequestKey(index, at)
            check_amounts(claim, request, self._features)
            if request.exactly is not None:
                least += self._take_in(key, claim, request.name, request.exactly, "")
            elif request.first_available:
                least += min(
                    self._take_in(RequestKey(index, at, sub), claim, each.name, each, request.name)
                    for sub, each in enumerate(request.first_available)
                )
            else:
                asked = f"claim {shown(claim)}, request {request.name}"
                raise AllocationError(f"{asked}: empty, cannot be satisfied (unsupported request type?)")
        if least > MOST_DEVICES:
            raise AllocationError(
                f"claim {shown(claim)}: number of requested devices {least} exceeds the claim limit of {MOST_DEVICES}"
            )
        made = constraints_of(claim.spec.devices.constraints or (), self._features)
        if isinstance(made, int):
            raise AllocationError(
                f"claim {shown(claim)}, constraint #{made}: empty constraint (unsupported constraint type?)"
            )
        self._constraints.append(made)

    def _take_in(self, key: RequestKey, claim: ResourceClaim, name: str, request: WantedDevices, parent: str) -> int:
        """Check a request and note what is known of it; the number of devices it needs."""
        prefix = f"claim {shown(claim)}, request {name}"
        check_fields(request, prefix, self._features)
        class_name = request.device_class_name
        if not class_name:
            raise AllocationError(f"{prefix}: missing device class name (unsupported request type?)")
        device_class = self._allocator.classes.get(class_name)
        if device_class is None:
            missing = f'deviceclass.resource.k8s.io "{class_name}" not found'
            raise AllocationError(f"{prefix}: could not retrieve device class {class_name}: {missing}")
        mode = request.allocation_mode or EXACT_COUNT
        data = RequestData(name, request, device_class, 1 if request.count is None else request.count, parent)
        self._data[key] = data
        if mode == ALL:
            data.every = self._every(key, data, prefix)
            data.count = len(data.every)
        elif mode != EXACT_COUNT:
            raise AllocationError(f"{prefix}: unsupported count mode {mode}")
        return data.count

    def _every(self, key: RequestKey, data: RequestData, prefix: str) -> tuple[Offer, ...]:
        """All devices that match the request."""
        every = []
        pool_by_device = {}
        if not self._features.device_alternatives_have_their_own_all:
            # Upstream looks it up under the number of the alternative before.
            key = replace(key, subrequest=max(key.subrequest - 1, 0))
        claim = self._claims[key.claim]
        for pool in self._pools:
            if not pool.is_usable:
                problem = "being updated" if pool.is_incomplete else "invalid"
                fault = AllocationError if self._features.all_of_unusable_pools_is_an_error else NodeAllocationError
                raise fault(f"{prefix}: asks for all devices, but resource pool {pool.id} is currently {problem}")
            for offer in pool.offers:
                if self._is_one_of_all(key, data, claim, offer) and self._may_have_room(data, offer):
                    every.append(offer)
                    pool_by_device[offer.id] = pool
        data.pools = pool_by_device
        return tuple(every)

    def _is_one_of_all(self, key: RequestKey, data: RequestData, claim: ResourceClaim, offer: Offer) -> bool:
        any_class_will_do = self._features.all_devices_are_all_that_are_free
        return self._selection.selects(key, data, claim, offer, is_in_class=any_class_will_do)

    # ------------------------------------------------------------------------------------------------- the search

    def _allocate_one(self, key: RequestKey, device: int, *, is_alternative: bool, start: int) -> Found:
        """Pick the `device`-th device of a request, and all that come after it.

        `start` is the offer to begin at, so that no two devices of a request are tried in both orders.
        """
        self.steps += 1
        if self.steps > self._steps_max:
            raise SearchTimeoutError(f"node {self._node.name}: timed out trying to allocate devices")
        if key.claim >= len(self._claims):
            return Found.YES
        if key.request >= len(self._requests[key.claim]):
            found = self._allocate_one(RequestKey(key.claim + 1, 0), 0, is_alternative=False, start=0)
            # Other devices for an earlier claim may leave room for an alternative that needs fewer.
            return Found.NO if found is Found.TOO_MANY else found
        data = self._data[key]
        if data.parent and not is_alternative:
            return self._allocate_first_available(key)
        if data.wants_all and not data.every and self._features.all_of_no_devices_is_too_little:
            return Found.NO
        if device >= data.count:
            return self._allocate_one(RequestKey(key.claim, key.request + 1), 0, is_alternative=False, start=0)
        if len(self._given[key.claim]) + data.count - device > MOST_DEVICES:
            return self._too_many
        if data.wants_all:
            return self._allocate_all(key, data, device, is_alternative=is_alternative)
        return self._allocate_any(key, data, device, is_alternative=is_alternative, start=start)

    def _allocate_all(self, key: RequestKey, data: RequestData, device: int, *, is_alternative: bool) -> Found:
        offer = data.every[device]
        pool = data.pools[offer.id]
        if not self._pick(key, data, pool, offer, device, must=True):
            return Found.NO
        found = self._allocate_one(self._same_request(key), device + 1, is_alternative=is_alternative, start=0)
        if found is not Found.YES:
            self._put_back(key, data, pool, offer)
        return found

    def _same_request(self, key: RequestKey) -> RequestKey:
        """Where upstream goes on with a request for all devices: up to 1.35, with the first of its alternatives."""
        return key if self._features.device_alternatives_have_their_own_all else replace(key, subrequest=0)

    def _allocate_first_available(self, key: RequestKey) -> Found:
        exceeded = True
        subrequest = 0
        while (alternative := RequestKey(key.claim, key.request, subrequest)) in self._data:
            found = self._allocate_one(alternative, 0, is_alternative=True, start=0)
            if found is Found.YES:
                return found
            exceeded = exceeded and found is Found.TOO_MANY
            subrequest += 1
        return Found.TOO_MANY if exceeded else Found.NO

    def _allocate_any(
        self, key: RequestKey, data: RequestData, device: int, *, is_alternative: bool, start: int
    ) -> Found:
        for index in range(start, len(self._offers)):
            pool, offer = self._offers[index]
            if not self._may_be_tried(key, data, pool, offer):
                continue
            if not self._pick(key, data, pool, offer, device, must=False):
                continue
            found = self._allocate_one(
                key, device + 1, is_alternative=is_alternative, start=self._start_after(data, index)
            )
            if found is Found.YES:
                return found
            self._put_back(key, data, pool, offer)
            if found is Found.TOO_MANY:
                return found
        self._has_looked_everywhere = True
        return Found.NO

    # ---------------------------------------------------------------------------------------------------- devices

    def _start_after(self, data: RequestData, index: int) -> int:
        """Which offer a request's next device may be; those before were tried in its place."""
        return 0 if self._starts_over else index + 1

    def _may_be_tried(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer) -> bool:
        if data.has_admin_access:
            if key.claim in self._allocating.get(offer.id, ()):
                return False
        elif self._is_in_use(offer.id):
            return False
        return self._selection.selects(key, data, self._claims[key.claim], offer) and self._has_room(data, offer)

    def _is_in_use(self, device: DeviceID) -> bool:
        return device in self._state.devices or bool(self._allocating.get(device))

    def _has_room(self, data: RequestData, offer: Offer) -> bool:
        device = offer.device
        if (not device.capacity and not data.amounts) or not self._features.consumable_capacity:
            return True
        consumed = self._state.consumed.get(offer.id, {})
        return self._sharing.fits(device, offer.id.driver, data.amounts, consumed, self._consumed.get(offer.id, {}))

    def _may_have_room(self, data: RequestData, offer: Offer) -> bool:
        if not self._features.all_devices_need_room:
            return self._has_room(data, offer)
        return not self._features.consumable_capacity or self._sharing.fits(
            offer.device, offer.id.driver, data.amounts, {}, {}
        )

    def _pick(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer, index: int, *, must: bool) -> bool:
        """Take a device as the request's `index`-th if that can be.

        What upstream leaves behind when it cannot stays too.
        """
        device, id_ = offer.device, offer.id
        is_shared = bool(device.allow_multiple_allocations) and self._features.consumable_capacity
        if not self._may_be_given(key, data, id_, is_shared=is_shared):
            return False
        draws = bool(offer.device.consumes_counters) and not (is_shared and self._is_drawing_already(id_))
        if draws and not self._take_counters(pool, offer):
            return False
        undoes = self._features.failed_picks_leave_nothing
        if not self._is_tolerated(data, device) or not self._meets_constraints(key, data, offer, must=must):
            if draws and undoes:
                self._put_back_counters(pool, offer)
            return False
        if not is_shared:
            self._mark(key, data, id_)
        if not self._still_has_room(data, offer, index):
            if undoes:
                self._release(key, data, pool, offer, draws=draws)
            return False
        share = self._take_share(data, offer) if is_shared else None
        self._given[key.claim].append(Given(data, offer, share, draws))
        return True

    def _is_tolerated(self, data: RequestData, device: Device) -> bool:
        tolerations = data.request.tolerations or ()
        return not self._features.device_taints or is_tolerated(device.taints or (), tolerations)

    def _release(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer, *, draws: bool) -> None:
        for constraint in self._constraints[key.claim]:
            constraint.remove(*data.names)
        self._unmark(key, data, offer.id)
        if draws:
            self._put_back_counters(pool, offer)

    def _still_has_room(self, data: RequestData, offer: Offer, index: int) -> bool:
        """Asked again, once the device is taken; up to 1.34 of the `index`-th device of its slice, whichever it is.

        Where there are not so many, upstream's scheduler crashes; here that is an error.
        """
        devices = offer.slice.spec.devices or ()
        if self._features.room_is_checked_by_place and self._features.consumable_capacity:
            if index >= len(devices):
                raise AllocationError(f"runtime error: index out of range [{index}] with length {len(devices)}")
            other = devices[index]
            return self._has_room(data, Offer(offer.id._replace(device=other.name), other, offer.slice))
        return self._has_room(data, offer)

    def _mark(self, key: RequestKey, data: RequestData, device: DeviceID) -> None:
        self._allocating.setdefault(device, set()).add(key.claim)

    def _unmark(self, key: RequestKey, data: RequestData, device: DeviceID) -> None:
        self._allocating.get(device, set()).discard(key.claim)

    def _take_counters(self, pool: Pool, offer: Offer) -> bool:
        """Whether what the device draws is left; it is taken then."""
        return self._features.partitionable_devices and self._counters.take(pool, offer)

    def _may_be_given(self, key: RequestKey, data: RequestData, device: DeviceID, *, is_shared: bool) -> bool:
        """Whether nobody else has the device, or the request has administrative access; to a claim it goes once."""
        if data.has_admin_access:
            return is_shared or key.claim not in self._allocating.get(device, ())
        if not is_shared and self._features.shares_keep_devices_from_others and self._state.is_allocated(device):
            return False
        return not self._is_in_use(device)

    def _take_share(self, data: RequestData, offer: Offer) -> Amounts:
        share = self._sharing.shares(offer.device, offer.id.driver, data.amounts)
        add_to(self._consumed.setdefault(offer.id, {}), share)
        return share

    def _meets_constraints(self, key: RequestKey, data: RequestData, offer: Offer, *, must: bool) -> bool:
        """Whether the claim's constraints accept the device; they count it then. AllocationError if they must."""
        constraints = self._constraints[key.claim]
        for index, constraint in enumerate(constraints):
            device = offer.device
            if data.request.derived_attributes and self._features.derived_attributes:
                device = self._selection.deriving(constraint, data, self._claims[key.claim], offer)
            if not constraint.add(*data.names, device, offer.id.driver):
                if must:
                    asked = f"claim {shown(self._claims[key.claim])}, request {data.name}"
                    why = "because a claim constraint would not be satisfied"
                    raise AllocationError(f"{asked}: cannot add device {offer.id} {why}")
                for added in constraints[:index]:
                    added.remove(*data.names)
                return False
        return True

    def _put_back(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer) -> None:
        """Undo a pick, and forget what was picked since, if that was not undone."""
        picked = self._given[key.claim]
        given = picked.pop()
        while given.data is not data or given.offer is not offer:
            given = picked.pop()
        is_shared = given.share is not None
        stays = is_shared and not self._features.failed_picks_leave_nothing
        self._release(key, data, pool, offer, draws=given.draws and not stays)
        total = self._consumed.get(offer.id)
        if given.share and total is not None:
            for name, nanos in given.share.items():
                total[name] -= nanos
            if not any(total.values()):
                del self._consumed[offer.id]

    def _put_back_counters(self, pool: Pool, offer: Offer) -> None:
        self._counters.put_back(pool, offer)

    def _is_drawing_already(self, device: DeviceID) -> bool:
        """Whether a shared device has drawn on its counters for another claim."""
        is_shared = device in self._state.consumed or device in self._consumed
        if self._features.shares_without_amounts_draw_once:
            is_shared = is_shared or device in self._state.shared
        return is_shared and self._features.device_counters_are_of_pools
