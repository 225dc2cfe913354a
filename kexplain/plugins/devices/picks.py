"""Requests for devices, the devices picked for them, and the result that these make."""

from collections.abc import Mapping, Sequence
from enum import Enum

import msgspec
from msgspec import Struct

from kexplain.framework.features import Features
from kexplain.objects.core import Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from kexplain.objects.resource import (
    ALL,
    AllocationResult,
    Device,
    DeviceAllocationResult,
    DeviceClass,
    DeviceRequestAllocationResult,
    ExactDeviceRequest,
    ResourceSliceSpec,
    WantedDevices,
)
from kexplain.plugins.devices.channels import knows_sharing
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import DeviceID, Offer, Pool
from kexplain.plugins.devices.sharing import Amounts

#: Upstream makes random ones up; nothing but their presence is ever looked at.
SHARE_ID = "share"


class RequestKey(Struct, frozen=True):
    """A request, or one alternative of it, by its place."""

    claim: int
    request: int
    subrequest: int = 0


class Found(Enum):
    """How a branch of the search ended."""

    YES = 0
    NO = 1
    #: The claim would have too many devices; an alternative that needs fewer may do.
    TOO_MANY = 2


class RequestData(Struct):
    """What is worked out of a request before the search; `parent` is the name of the request it is one of."""

    name: str
    request: WantedDevices
    device_class: DeviceClass
    count: int
    parent: str = ""
    every: tuple[Offer, ...] = ()
    pools: Mapping[DeviceID, Pool] = msgspec.field(default_factory=dict)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the request and of the alternative, which is empty if it is none."""
        return (self.parent, self.name) if self.parent else (self.name, "")

    @property
    def wants_all(self) -> bool:
        """Whether the request is for all devices that match."""
        return self.request.allocation_mode == ALL

    @property
    def has_admin_access(self) -> bool:
        """Whether devices in use will do, and nothing is taken of them."""
        return isinstance(self.request, ExactDeviceRequest) and bool(self.request.admin_access)

    @property
    def amounts(self) -> dict[str, str | int | float] | None:
        """What is needed of the devices' capacities."""
        return self.request.capacity.requests if self.request.capacity else None


def invalid_pool_error(pool: Pool) -> AllocationError:
    """The pool contradicts itself, and upstream gave up on it at once."""
    return AllocationError(f"pool {pool.id.pool} is invalid: {pool.invalid_reason}")


class Given(Struct, frozen=True):
    """A device picked for a request, and whether it drew on counters for it."""

    data: RequestData
    offer: Offer
    share: Amounts | None
    draws: bool = False


def allocation_result(given: Sequence[Given], node: Node, features: Features) -> AllocationResult:
    """What a claim's status says once these devices are given to it on the node, which some may bind it to."""
    remembers = features.admin_access_is_gated
    return AllocationResult(
        devices=DeviceAllocationResult(results=tuple(_given_result(each, remembers_admin=remembers) for each in given)),
        node_selector=_node_selector(given, node, may_bind=knows_sharing(features)),
    )


def _given_result(given: Given, *, remembers_admin: bool) -> DeviceRequestAllocationResult:
    device = given.offer.device
    return DeviceRequestAllocationResult(
        request="/".join(filter(None, given.data.names)),
        driver=given.offer.id.driver,
        pool=given.offer.id.pool,
        device=given.offer.id.device,
        admin_access=True if given.data.has_admin_access and remembers_admin else None,
        binding_conditions=device.binding_conditions,
        binding_failure_conditions=device.binding_failure_conditions,
        share_id=None if given.share is None else SHARE_ID,
        consumed_capacity={name: f"{nanos}n" for name, nanos in given.share.items()} if given.share else None,
    )


def _node_selector(given: Sequence[Given], node: Node, *, may_bind: bool) -> NodeSelector | None:
    """From which nodes the devices can be used; None for all. Source: allocator `createNodeSelector`."""
    fields: list[NodeSelectorRequirement] = []
    expressions: list[NodeSelectorRequirement] = []
    if any(_is_for_one_node(each.offer, may_bind=may_bind) for each in given):
        only = NodeSelectorRequirement(key="metadata.name", operator="In", values=(node.name,))
        return NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(only,)),))
    for each in given:
        for term in _terms(_placed_by(each.offer).node_selector):
            fields += [new for new in term.match_fields or () if new not in fields]
            expressions += [new for new in term.match_expressions or () if new not in expressions]
    if not fields and not expressions:
        return None
    term = NodeSelectorTerm(match_fields=tuple(fields) or None, match_expressions=tuple(expressions) or None)
    return NodeSelector(node_selector_terms=(term,))


def _is_for_one_node(offer: Offer, *, may_bind: bool) -> bool:
    return _placed_by(offer).node_name is not None or (may_bind and bool(offer.device.binds_to_node))


def _placed_by(offer: Offer) -> Device | ResourceSliceSpec:
    """What says from which nodes a device can be used."""
    return offer.device if offer.slice.spec.per_device_node_selection else offer.slice.spec


def _terms(selector: NodeSelector | None) -> tuple[NodeSelectorTerm, ...]:
    return (selector.node_selector_terms if selector else None) or ()
