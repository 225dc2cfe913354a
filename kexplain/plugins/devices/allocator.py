"""The search for devices. Source: `dynamic-resource-allocation/structured`, its allocators.

Which of these answers depends on the gates; `channels` says what that changes. Claims are met one after the other,
requests in their order, devices in the order of pools, slices and devices; the first solution is taken, and nothing
else is weighed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec.structs import replace

from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.objects.core import Node
from kexplain.objects.resource import (
    ALL,
    EXACT_COUNT,
    AllocationResult,
    DeviceClass,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.channels import is_plain, knows_sharing
from kexplain.plugins.devices.constraints import Constraint, constraints_of
from kexplain.plugins.devices.counters import Counters, CountersByPool
from kexplain.plugins.devices.errors import AllocationError, NodeAllocationError, SearchTimeoutError
from kexplain.plugins.devices.expressions import Selectors
from kexplain.plugins.devices.inventory import DeviceID, Inventory, Offer, Pool
from kexplain.plugins.devices.picks import Given, RequestData, RequestKey, allocation_result
from kexplain.plugins.devices.selection import Selection, shown
from kexplain.plugins.devices.sharing import Amounts, Sharing
from kexplain.plugins.devices.taints import is_tolerated

#: More devices than this no claim can be given.
RESULTS_MAX = 32
#: Upstream gives up on a node after ten seconds; so many steps are a multiple of what it manages in that time.
STEPS_MAX = 2_000_000
#: All nodes together have so many, and so few once one has timed out: the pod's attempt has failed by then.
STEPS_IN_ALL = 10 * STEPS_MAX
STEPS_ONCE_FAILED = 20_000


class _Found(Enum):
    """How a branch of the search ended."""

    YES = 0
    NO = 1
    #: The claim would have too many devices; an alternative that needs fewer may do.
    TOO_MANY = 2


class Allocator:
    """Knows what there is and what is taken; allocates for one node at a time."""

    def __init__(
        self,
        inventory: Inventory,
        classes: Mapping[str, DeviceClass],
        state: AllocatedState,
        selectors: Selectors,
        features: Features = DEFAULT_FEATURES,
    ) -> None:
        self.features = features
        self.sharing = Sharing(features.fractional_capacity_ranges)
        self.inventory = inventory
        self.classes = classes
        self.state = state
        self.selectors = selectors
        #: What is left of the counters of a pool, worked out once: the first node that asks decides, as upstream.
        self.counters_by_pool: CountersByPool = {}
        self._steps_left = STEPS_IN_ALL

    def allocate(self, node: Node, claims: Sequence[ResourceClaim]) -> list[AllocationResult] | None:
        """What each claim would be given on the node, or None if there is no way to give all of them all.

        Raises AllocationError where the claims cannot be allocated anywhere, NodeAllocationError where this node
        is at fault.
        """
        search = Search(self, node, claims, self.inventory.pools(node), min(STEPS_MAX, self._steps_left))
        most = STEPS_IN_ALL
        try:
            return search.run()
        except SearchTimeoutError:
            most = STEPS_ONCE_FAILED
            raise
        finally:
            self._steps_left = min(max(self._steps_left - search.steps, 0), most)


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
        self._offers = [(pool, offer) for pool in pools if not pool.invalid_reason for offer in pool.offers]
        self._features = allocator.features
        self._sharing = allocator.sharing
        self._knows_sharing = knows_sharing(self._features)
        self._too_many = _Found.NO if is_plain(self._features) else _Found.TOO_MANY
        self._requests: list[tuple[DeviceRequest, ...]] = [claim.spec.devices.requests or () for claim in claims]
        self._data: dict[RequestKey, RequestData] = {}
        self._constraints: list[list[Constraint]] = []
        self._selection = Selection(allocator.selectors, self._features, node)
        self._allocating: dict[DeviceID, set[int]] = {}
        self._consumed: dict[DeviceID, Amounts] = {}
        self._counters = Counters(allocator.state, allocator.counters_by_pool, self._features)
        self._given: list[list[Given]] = [[] for _ in claims]
        self.steps = 0
        self._steps_max = steps_max

    def run(self) -> list[AllocationResult] | None:
        """See `Allocator.allocate`."""
        for index, claim in enumerate(self._claims):
            self._prepare(index, claim)
        found = self._allocate_one(RequestKey(0, 0), 0, is_alternative=False, start=0)
        if found is _Found.TOO_MANY:
            raise AllocationError("allocation max size exceeded")
        if found is not _Found.YES:
            invalid = next((pool for pool in self._pools if pool.invalid_reason), None)
            if invalid is not None and not self._features.invalid_pools_matter_last:
                raise AllocationError(f"pool {invalid.id} is invalid: {invalid.invalid_reason}")
            if invalid is not None:
                raise NodeAllocationError("invalid resource pools were encountered")
            return None
        return [allocation_result(given, self._node, may_bind=self._knows_sharing) for given in self._given]

    # ------------------------------------------------------------------------------------------ before the search

    def _prepare(self, index: int, claim: ResourceClaim) -> None:
        least = 0
        for at, request in enumerate(self._requests[index]):
            key = RequestKey(index, at)
            self._check_amounts(claim, request)
            if request.exactly is not None:
                least += self._take_in(key, claim, request.name, request.exactly, "")
            elif request.first_available:
                least += min(
                    self._take_in(RequestKey(index, at, sub), claim, each.name, each, request.name)
                    for sub, each in enumerate(request.first_available)
                )
            else:
                raise AllocationError(
                    f"claim {shown(claim)}, request {request.name}: empty, cannot be satisfied "
                    "(unsupported request type?)"
                )
        if least > RESULTS_MAX:
            raise AllocationError(
                f"claim {shown(claim)}: number of requested devices {least} exceeds the claim limit of {RESULTS_MAX}"
            )
        made = constraints_of(claim.spec.devices.constraints or (), knows_distinct=self._knows_sharing)
        if isinstance(made, int):
            raise AllocationError(
                f"claim {shown(claim)}, constraint #{made}: empty constraint (unsupported constraint type?)"
            )
        self._constraints.append(made)

    def _check_amounts(self, claim: ResourceClaim, request: DeviceRequest) -> None:
        """Raise AllocationError where amounts are asked for that the allocator knows but may not give."""
        if self._features.consumable_capacity or not self._knows_sharing:
            return
        asking: list[tuple[str, str, ExactDeviceRequest | DeviceSubRequest]] = []
        if request.exactly is not None:
            asking.append(("request", request.name, request.exactly))
        asking += [("subrequest", each.name, each) for each in request.first_available or ()]
        for what, name, each in asking:
            if each.capacity is not None:
                raise AllocationError(
                    f"claim {shown(claim)}, {what} {name}: has capacity requests, but the DRAConsumableCapacity "
                    "feature is disabled"
                )

    def _take_in(
        self,
        key: RequestKey,
        claim: ResourceClaim,
        name: str,
        request: ExactDeviceRequest | DeviceSubRequest,
        parent: str,
    ) -> int:
        """Check a request and note what is known of it; the number of devices it needs."""
        prefix = f"claim {shown(claim)}, request {name}"
        for index, selector in enumerate(request.selectors or ()):
            if selector.cel is None:
                raise AllocationError(f"{prefix}, selector #{index}: CEL expression empty (unsupported selector type?)")
        if isinstance(request, ExactDeviceRequest) and request.admin_access and not self._features.device_admin_access:
            raise AllocationError(f"{prefix}: admin access is requested, but the feature is disabled")
        class_name = request.device_class_name
        if not class_name:
            raise AllocationError(f"{prefix}: missing device class name (unsupported request type?)")
        device_class = self._allocator.classes.get(class_name)
        if device_class is None:
            raise AllocationError(
                f"{prefix}: could not retrieve device class {class_name}: "
                f'deviceclass.resource.k8s.io "{class_name}" not found'
            )
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
                raise AllocationError(
                    f"{prefix}: asks for all devices, but resource pool {pool.id} is currently {problem}"
                )
            for offer in pool.offers:
                if self._selection.selects(key, data, claim, offer) and self._has_room(data, offer):
                    every.append(offer)
                    pool_by_device[offer.id] = pool
        data.pools = pool_by_device
        return tuple(every)

    # ------------------------------------------------------------------------------------------------- the search

    def _allocate_one(self, key: RequestKey, device: int, *, is_alternative: bool, start: int) -> _Found:
        """Pick the `device`-th device of a request, and all that come after it.

        `start` is the offer to begin at, so that no two devices of a request are tried in both orders.
        """
        self.steps += 1
        if self.steps > self._steps_max:
            raise SearchTimeoutError(f"node {self._node.name}: timed out trying to allocate devices")
        if key.claim >= len(self._claims):
            return _Found.YES
        if key.request >= len(self._requests[key.claim]):
            found = self._allocate_one(RequestKey(key.claim + 1, 0), 0, is_alternative=False, start=0)
            # Other devices for an earlier claim may leave room for an alternative that needs fewer.
            return _Found.NO if found is _Found.TOO_MANY else found
        data = self._data[key]
        if data.parent and not is_alternative:
            return self._allocate_first_available(key)
        if data.wants_all and not data.every:
            return _Found.NO
        if device >= data.count:
            return self._allocate_one(RequestKey(key.claim, key.request + 1), 0, is_alternative=False, start=0)
        if len(self._given[key.claim]) + data.count - device > RESULTS_MAX:
            return self._too_many
        if data.wants_all:
            offer = data.every[device]
            if not self._pick(key, data, data.pools[offer.id], offer, must=True):
                return _Found.NO
            found = self._allocate_one(key, device + 1, is_alternative=is_alternative, start=0)
            if found is not _Found.YES:
                self._put_back(key, data, data.pools[offer.id], offer)
            return found
        return self._allocate_any(key, data, device, is_alternative=is_alternative, start=start)

    def _allocate_first_available(self, key: RequestKey) -> _Found:
        exceeded = True
        subrequest = 0
        while (alternative := RequestKey(key.claim, key.request, subrequest)) in self._data:
            found = self._allocate_one(alternative, 0, is_alternative=True, start=0)
            if found is _Found.YES:
                return found
            exceeded = exceeded and found is _Found.TOO_MANY
            subrequest += 1
        return _Found.TOO_MANY if exceeded else _Found.NO

    def _allocate_any(
        self, key: RequestKey, data: RequestData, device: int, *, is_alternative: bool, start: int
    ) -> _Found:
        for index in range(start, len(self._offers)):
            pool, offer = self._offers[index]
            if data.has_admin_access:
                if key.claim in self._allocating.get(offer.id, ()):
                    continue
            elif self._is_in_use(offer.id):
                continue
            if not self._selection.selects(key, data, self._claims[key.claim], offer):
                continue
            if not self._has_room(data, offer):
                continue
            if not self._pick(key, data, pool, offer, must=False):
                continue
            found = self._allocate_one(key, device + 1, is_alternative=is_alternative, start=index + 1)
            if found is _Found.YES:
                return found
            self._put_back(key, data, pool, offer)
            if found is _Found.TOO_MANY:
                return found
        return _Found.NO

    # ---------------------------------------------------------------------------------------------------- devices

    def _is_in_use(self, device: DeviceID) -> bool:
        return device in self._state.devices or bool(self._allocating.get(device))

    def _has_room(self, data: RequestData, offer: Offer) -> bool:
        device = offer.device
        if (not device.capacity and not data.amounts) or not self._features.consumable_capacity:
            return True
        consumed = self._state.consumed.get(offer.id, {})
        return self._sharing.fits(device, data.amounts, consumed, self._consumed.get(offer.id, {}))

    def _pick(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer, *, must: bool) -> bool:
        """Take the device for the request if that can be; what upstream leaves behind when it cannot stays too."""
        device, id_ = offer.device, offer.id
        is_shared = bool(device.allow_multiple_allocations) and self._features.consumable_capacity
        if not self._may_be_given(key, data, id_, is_shared=is_shared):
            return False
        if not self._take_counters(pool, offer, is_shared=is_shared):
            return False
        if self._features.device_taints and not is_tolerated(device.taints or (), data.request.tolerations or ()):
            return False
        if not self._meets_constraints(key, data, offer, must=must):
            return False
        if not is_shared:
            self._allocating.setdefault(id_, set()).add(key.claim)
        if not self._has_room(data, offer):
            return False
        share = self._take_share(data, offer) if is_shared else None
        self._given[key.claim].append(Given(data, offer, share))
        return True

    def _take_counters(self, pool: Pool, offer: Offer, *, is_shared: bool) -> bool:
        """Whether what the device draws is left; it is taken then."""
        if not offer.device.consumes_counters or (is_shared and self._is_drawing_already(offer.id)):
            return True
        return self._features.partitionable_devices and self._counters.take(pool, offer)

    def _may_be_given(self, key: RequestKey, data: RequestData, device: DeviceID, *, is_shared: bool) -> bool:
        """Whether nobody else has the device, or the request has administrative access; to a claim it goes once."""
        if data.has_admin_access:
            return is_shared or key.claim not in self._allocating.get(device, ())
        return not self._is_in_use(device)

    def _take_share(self, data: RequestData, offer: Offer) -> Amounts:
        share = self._sharing.shares(offer.device, data.amounts)
        total = self._consumed.setdefault(offer.id, {})
        for name, nanos in share.items():
            total[name] = total.get(name, 0) + nanos
        return share

    def _meets_constraints(self, key: RequestKey, data: RequestData, offer: Offer, *, must: bool) -> bool:
        """Whether the claim's constraints accept the device; they count it then. AllocationError if they must."""
        request, subrequest = (data.parent, data.name) if data.parent else (data.name, "")
        constraints = self._constraints[key.claim]
        for index, constraint in enumerate(constraints):
            if not constraint.add(request, subrequest, offer.device, offer.id.driver):
                if must:
                    raise AllocationError(
                        f"claim {shown(self._claims[key.claim])}, request {data.name}: cannot add device {offer.id} "
                        "because a claim constraint would not be satisfied"
                    )
                for added in constraints[:index]:
                    added.remove(request, subrequest)
                return False
        return True

    def _put_back(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer) -> None:
        """Undo the latest pick."""
        request, subrequest = (data.parent, data.name) if data.parent else (data.name, "")
        for constraint in self._constraints[key.claim]:
            constraint.remove(request, subrequest)
        self._allocating.get(offer.id, set()).discard(key.claim)
        given = self._given[key.claim].pop()
        if given.share is not None:
            total = self._consumed.get(offer.id)
            if given.share and total is not None:
                for name, nanos in given.share.items():
                    total[name] -= nanos
                if not any(total.values()):
                    del self._consumed[offer.id]
        elif offer.device.consumes_counters:
            self._counters.put_back(pool, offer)

    def _is_drawing_already(self, device: DeviceID) -> bool:
        """Whether a shared device has drawn on its counters for another claim."""
        is_shared = device in self._state.consumed or device in self._consumed
        return is_shared and self._features.device_counters_are_of_pools
