"""Which devices a request can have at all, on one node, whatever is taken by then."""

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.cel.engine import SelectorError
from kexplain.cel.selectors import Selectors
from kexplain.framework.features import Features
from kexplain.objects.core import Node
from kexplain.objects.resource import Device, DeviceSelector, ResourceClaim
from kexplain.plugins.devices.constraints import Constraint
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import DeviceID, Offer, is_for
from kexplain.plugins.devices.picks import RequestData, RequestKey

#: What upstream advises where an expression reads an attribute that the device does not have.
_OPTIONAL_KEYS = (
    ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
    "fields"
)


class Selection:
    """Asks selectors about devices, once for each request. Source: allocator `isSelectable`."""

    def __init__(self, selectors: Selectors, features: Features, node: Node) -> None:
        self._selectors = selectors
        self._names_devices = features.failing_devices_are_named
        self._waits_for_devices = features.device_binding_conditions and features.device_status
        self._node = node
        self._known: dict[tuple[DeviceID, RequestKey], bool] = {}

    def forget(self) -> None:
        """Ask anew from here on, as upstream does once it knows what the requests need."""
        self._known.clear()

    def selects(
        self, key: RequestKey, data: RequestData, claim: ResourceClaim, offer: Offer, *, is_in_class: bool = False
    ) -> bool:
        """Whether class, unless that is known, request and the device's own nodes agree. Raises AllocationError."""
        if offer.device.binding_conditions and not self._waits_for_devices:
            return False
        known = self._known.get((offer.id, key))
        if known is None:
            device_class = data.device_class
            known = (
                (is_in_class or self._all_match(device_class.spec.selectors, offer, f"class {device_class.name}"))
                and self._all_match(data.request.selectors, offer, f"claim {shown(claim)}")
                and not (offer.slice.spec.per_device_node_selection and not is_for(offer.device, self._node))
            )
            self._known[offer.id, key] = known
        return known

    def _all_match(self, selectors: Sequence[DeviceSelector] | None, offer: Offer, owner: str) -> bool:
        for index, selector in enumerate(selectors or ()):
            expression = selector.cel.expression if selector.cel else ""
            try:
                if not self._selectors.matches(expression, offer.id.driver, offer.device):
                    return False
            except SelectorError as fault:
                raise AllocationError(f"{owner}: selector #{index}{self._told(fault, offer)}") from None
        return True

    def deriving(self, constraint: Constraint, data: RequestData, claim: ResourceClaim, offer: Offer) -> Device:
        """The device with the attribute that the constraint asks for, if the request derives one of that name.

        Raises AllocationError; its exact words are not known.
        """
        device, name = offer.device, constraint.attribute
        derived = next((each for each in data.request.derived_attributes or () if each.name == name), None)
        if derived is None or not constraint.applies(*data.names):
            return device
        try:
            attribute = self._selectors.derived(derived.expression, offer.id.driver, device)
        except SelectorError as fault:
            text = f"claim {shown(claim)}, request {data.name}: derived attribute {name}{self._told(fault, offer)}"
            raise AllocationError(text) from None
        return replace(device, attributes={**(device.attributes or {}), name: attribute})

    def _told(self, fault: SelectorError, offer: Offer) -> str:
        if not self._names_devices or fault.kind != "runtime":
            return f": CEL {fault.kind} error: {fault}"
        hint = _OPTIONAL_KEYS if "no such key:" in str(fault) else ""
        return f" on device {offer.id}: CEL {fault.kind} error: {fault}{hint}"


def shown(claim: ResourceClaim) -> str:
    """The claim as upstream's messages name it."""
    return claim.key if claim.namespace else claim.name
