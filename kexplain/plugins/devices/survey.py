"""Why claims cannot be allocated on a node: what upstream does not say. Decides nothing."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec.structs import replace

from kexplain.cel.engine import SelectorError
from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.devices import SelectorCount, TakenDevice, UnmetCombination, UnmetRequest
from kexplain.objects.core import Node
from kexplain.objects.meta import ResourceList
from kexplain.objects.resource import ALL, DeviceSelector, DeviceTaint, ExactDeviceRequest, ResourceClaim, WantedDevices
from kexplain.plugins.devices.allocator import Allocator
from kexplain.plugins.devices.constraints import attribute_value
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import Offer, Pool, is_for
from kexplain.plugins.devices.taints import is_tolerated


def survey(allocator: Allocator, node: Node, claims: Sequence[ResourceClaim]) -> tuple[Evidence, ...]:
    """What is missing on the node for these claims; at least one thing if they cannot be allocated there."""
    scene = _Survey(allocator, node)
    return tuple(evidence for claim in claims for evidence in scene.unmet(claim)) or (scene.combination(claims),)


class _Survey:
    """What the node has to offer."""

    def __init__(self, allocator: Allocator, node: Node) -> None:
        self._allocator = allocator
        self._node = node
        self._pools: list[Pool] = allocator.inventory.pools(node)
        self._offers = [
            offer
            for pool in self._pools
            for offer in pool.offers
            if not offer.slice.spec.per_device_node_selection or is_for(offer.device, node)
        ]

    def unmet(self, claim: ResourceClaim) -> Iterator[UnmetRequest]:
        """The requests of the claim that cannot be met even alone; of alternatives, all or none."""
        for request in claim.spec.devices.requests or ():
            if request.exactly is not None:
                found = [self._unmet(claim, request.name, request.exactly)]
            else:
                found = [self._unmet(claim, f"{request.name}/{one.name}", one) for one in request.first_available or ()]
            if all(each is not None for each in found):
                yield from (each for each in found if each is not None)

    def _unmet(self, claim: ResourceClaim, name: str, request: WantedDevices) -> UnmetRequest | None:
        matching, counts = self._matching(claim, request)
        has_admin_access = isinstance(request, ExactDeviceRequest) and bool(request.admin_access)
        taken: list[TakenDevice] = []
        taints: list[DeviceTaint] = []
        too_small = free = 0
        state = self._allocator.state
        amounts = request.capacity.requests if request.capacity else None
        for offer in matching:
            if not has_admin_access and offer.id in state.devices:
                taken.append(_taken(offer, state.holder_by_device.get(offer.id)))
            elif not is_tolerated(offer.device.taints or (), request.tolerations or ()):
                taints += offer.device.taints or ()
            elif not self._has_room(offer, amounts):
                too_small += 1
            else:
                free += 1
        wants_all = request.allocation_mode == ALL
        wanted = len(matching) if wants_all else 1 if request.count is None else request.count
        if free >= wanted and (wanted > 0 or not wants_all):
            return None
        return UnmetRequest(
            claim=claim.key,
            request=name,
            device_class=request.device_class_name,
            wanted=0 if wants_all else wanted,
            offered=len(self._offers),
            matching=len(matching),
            free=free,
            selectors=counts,
            taken=tuple(taken),
            taints=tuple(dict.fromkeys(map(str, taints))),
            too_small=too_small,
            unusable_pools=tuple(str(pool.id) for pool in self._pools if not pool.is_usable),
        )

    def _has_room(self, offer: Offer, amounts: ResourceList | None) -> bool:
        consumed = self._allocator.state.consumed.get(offer.id, {})
        return self._allocator.sharing.fits(offer.device, offer.id.driver, amounts, consumed, {})

    def _matching(self, claim: ResourceClaim, request: WantedDevices) -> tuple[list[Offer], tuple[SelectorCount, ...]]:
        """The devices that class and request select, and how many each selector left."""
        device_class = self._allocator.classes[request.device_class_name]
        left = self._offers
        counts = []
        for owner, selectors in (
            (f"class {device_class.name}", device_class.spec.selectors),
            (f"claim {claim.key}", request.selectors),
        ):
            for selector in selectors or ():
                asked = len(left)
                left = [offer for offer in left if self._is_selected(offer, selector)]
                counts.append(SelectorCount(owner, selector.cel.expression if selector.cel else "", asked, len(left)))
        return left, tuple(counts)

    def _is_selected(self, offer: Offer, selector: DeviceSelector) -> bool:
        expression = selector.cel.expression if selector.cel else ""
        with suppress(SelectorError):
            return self._allocator.selectors.matches(expression, offer.id.driver, offer.device)
        return False

    def combination(self, claims: Sequence[ResourceClaim]) -> UnmetCombination:
        """What keeps requests from being met together: a constraint without which they would be, or their number."""
        for index, claim in enumerate(claims):
            constraints = claim.spec.devices.constraints or ()
            for at, constraint in enumerate(constraints):
                devices = replace(claim.spec.devices, constraints=constraints[:at] + constraints[at + 1 :])
                looser = replace(claim, spec=replace(claim.spec, devices=devices))
                if not self._is_possible([*claims[:index], looser, *claims[index + 1 :]]):
                    continue
                every = tuple(request.name for request in claim.spec.devices.requests or ())
                attribute = constraint.match_attribute or constraint.distinct_attribute or ""
                requests = constraint.requests or every
                return UnmetCombination(
                    claims=(claim.key,),
                    requests=tuple(requests),
                    attribute=attribute,
                    distinct=constraint.match_attribute is None,
                    values_by_request=dict(self._values(claim, requests, attribute)),
                )
        requests = tuple(request.name for claim in claims for request in claim.spec.devices.requests or ())
        return UnmetCombination(claims=tuple(claim.key for claim in claims), requests=requests)

    def _is_possible(self, claims: Sequence[ResourceClaim]) -> bool:
        with suppress(AllocationError):
            return self._allocator.allocate(self._node, claims) is not None
        return False

    def _values(
        self, claim: ResourceClaim, names: Sequence[str], attribute: str
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        for request in claim.spec.devices.requests or ():
            if request.exactly is None or request.name not in names:
                continue
            matching, _ = self._matching(claim, request.exactly)
            free = (offer for offer in matching if offer.id not in self._allocator.state.devices)
            values = (attribute_value(offer.device, offer.id.driver, attribute) for offer in free)
            yield request.name, tuple(dict.fromkeys(str(value[1]) for value in values if value is not None))


def _taken(offer: Offer, holder: ResourceClaim | None) -> TakenDevice:
    return TakenDevice(str(offer.id), holder.key if holder else "", users_of(holder) if holder else ())


def users_of(claim: ResourceClaim) -> tuple[str, ...]:
    """The pods, or others, that the claim is reserved for."""
    return tuple(user.name for user in claim.status.reserved_for or ())
