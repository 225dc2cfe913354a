"""Allocating devices, node by node. Source: `dynamic-resource-allocation/structured`, its allocators.

Which of these answers depends on the release and the gates; `channels` says what that changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from kexplain.cel.selectors import Selectors
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.status import Status
from kexplain.objects.core import Node
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.resource import AllocationResult, DeviceClass, ResourceClaim
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.counters import CountersByPool
from kexplain.plugins.devices.earlier_search import EarlierSearch
from kexplain.plugins.devices.errors import SearchTimeoutError
from kexplain.plugins.devices.inventory import Inventory
from kexplain.plugins.devices.search import Search
from kexplain.plugins.devices.sharing import Sharing

if TYPE_CHECKING:
    from kexplain.plugins.devices.node_claims import NodeClaims, Statuses

#: Upstream gives up on a node after ten seconds; so many steps are a multiple of what it manages in that time.
STEPS_MAX = 2_000_000
#: All nodes together have so many, and so few once one has timed out: the pod's attempt has failed by then.
STEPS_IN_ALL = 10 * STEPS_MAX
STEPS_ONCE_FAILED = 20_000


class Allocator(Struct, dict=True, eq=False):
    """Knows what there is and what is taken; allocates for one node at a time."""

    inventory: Inventory
    classes: Mapping[str, DeviceClass]
    state: AllocatedState
    selectors: Selectors
    features: Features = DEFAULT_FEATURES
    #: What is left of the counters of a pool, worked out once: the first node that asks decides, as upstream.
    counters_by_pool: CountersByPool = {}
    _steps_left: int = STEPS_IN_ALL

    @cached_property
    def sharing(self) -> Sharing:
        """How much a request takes of a device."""
        return Sharing(self.features.fractional_capacity_ranges, self.features.claims_name_capacities_in_full)

    def allocate(self, node: Node, claims: Sequence[ResourceClaim]) -> list[AllocationResult] | None:
        """What each claim would be given on the node, or None if there is no way to give all of them all.

        Raises AllocationError where the claims cannot be allocated anywhere, NodeAllocationError where this node
        is at fault.
        """
        kind = Search if self.features.device_search_goes_by_gates else EarlierSearch
        search = kind(self, node, claims, self.inventory.pools(node), min(STEPS_MAX, self._steps_left))
        most = STEPS_IN_ALL
        try:
            return search.run()
        except SearchTimeoutError:
            most = STEPS_ONCE_FAILED
            raise
        finally:
            self._steps_left = min(max(self._steps_left - search.steps, 0), most)


class NodeAllocation(Struct, frozen=True):
    """What the claims without allocation would be given on a node, in their order.

    `extended` is the claim for extended resources as this node needs it.
    """

    results: tuple[AllocationResult, ...]
    extended: ResourceClaim | None


class DevicesState(Struct):
    """The pod's claims, and what Filter found out.

    Nothing here depends on which pods run where, so trial runs share it: the answers for a node stay what they are,
    unless claims can take what nodes have allocatable.
    """

    claims: tuple[ResourceClaim, ...]
    #: The claim for extended resources, which is also the last one of `claims`.
    extended: ResourceClaim | None
    scalars: Mapping[str, int]
    by_resource: Mapping[str, DeviceClass]
    allocator: Allocator | None
    nodes_by_claim: Mapping[int, RequiredNodeAffinity]
    unavailable: set[int] = msgspec.field(default_factory=set)
    answer_by_node: dict[str, Status | None] = msgspec.field(default_factory=dict)
    allocation_by_node: dict[str, NodeAllocation] = msgspec.field(default_factory=dict)
    #: Where claims can take what nodes have allocatable: what is known of them, and what they would take of a node.
    node_claims: NodeClaims | None = None
    taken_by_node: dict[str, Statuses] = msgspec.field(default_factory=dict)

    @property
    def has_user_claims(self) -> bool:
        """Whether there is any claim beside the one for extended resources."""
        return len(self.claims) > (self.extended is not None)
