"""Claims on devices that ask for less, and claims that give their devices back. Claims are named `namespace/name`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import TypeVar

from msgspec.structs import replace

from kexplain.diagnosis.scene import Scene
from kexplain.objects.core import Pod
from kexplain.objects.resource import (
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ResourceClaim,
    ResourceClaimStatus,
    WantedDevices,
)
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.controller_fields import device_template_of
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action
from kexplain.remedies.steps import Step, deletion
from kexplain.words import plural

Wanted = TypeVar("Wanted", bound=WantedDevices)


class Looser(Enum):
    """A way to ask for less, in words."""

    ANY = "drop the selectors of request {request} from"
    FEWER = "ask for {most} instead of {wanted} in request {request} of"
    TOLERANT = "tolerate tainted devices in request {request} of"
    SMALLER = "ask for no capacity in request {request} of"
    DROPPED = "drop request {request} from"


def loosened(
    key: str, request: str, ways: Iterable[Looser], home: Scene, most: int = 1, wanted: int = 1
) -> Iterator[Proposal]:
    """The claim with a request loosened, a way each, to `most` of the `wanted` devices; nothing for unknown claims."""
    name, _, alternative = request.partition("/")
    for way in ways:

        def looser(each: DeviceRequest, way: Looser = way) -> DeviceRequest | None:
            if each.name != name:
                return each
            if way is Looser.DROPPED:
                return None
            if each.exactly is not None:
                return replace(each, exactly=_loosened(each.exactly, way, most))
            every = each.first_available or ()
            changed = (_loosened(sub, way, most) if sub.name == (alternative or sub.name) else sub for sub in every)
            return replace(each, first_available=tuple(changed))

        text = way.value.format(request=request, most=plural(most, "device"), wanted=wanted)
        yield from _changed(key, text, home, looser)


def of_class(request: str, device_class: str, known: str, home: Scene) -> Iterator[Proposal]:
    """Claims of the pod with another class in a request."""

    def reclassed(each: DeviceRequest) -> DeviceRequest:
        if each.exactly is None or each.exactly.device_class_name != device_class:
            return each
        return replace(each, exactly=replace(each.exactly, device_class_name=known))

    for key in pod_edits.claims_of(home.pod):
        yield from _changed(key, f"ask for class {known} in request {request} of", home, reclassed)


def unconstrained(key: str, attribute: str, home: Scene) -> Iterator[Proposal]:
    """The claim without the constraints over an attribute."""

    def is_kept(constraint: DeviceConstraint) -> bool:
        return attribute not in (constraint.match_attribute, constraint.distinct_attribute)

    yield from _changed(key, f"drop the constraint over {attribute} from", home, lambda request: request, is_kept)


def deallocated(keys: Iterable[str], users: Sequence[Pod], home: Scene) -> Iterator[Step]:
    """Claims whose devices are free again, which they are once the pods that use them are gone.

    A claim that nothing uses is made again.
    """
    yield from (deletion(pod.key) for pod in users)
    for key in () if users else keys:
        namespace, _, name = key.partition("/")
        if home.cluster.listers.get(ResourceClaim, name, namespace) is not None:
            yield Step(ResourceClaim, namespace, name, lambda old: replace(old, status=ResourceClaimStatus()))


def _changed(
    key: str,
    text: str,
    home: Scene,
    change: Callable[[DeviceRequest], DeviceRequest | None],
    is_kept: Callable[[DeviceConstraint], bool] = lambda _: True,
) -> Iterator[Proposal]:
    claim = home.cluster.listers.at(ResourceClaim, key)
    if claim is None:
        return

    def edit(old: ResourceClaim) -> ResourceClaim:
        devices = old.spec.devices
        requests = tuple(made for each in devices.requests or () if (made := change(each)) is not None)
        names = {each.name for each in requests}
        kept = (each for each in devices.constraints or () if is_kept(each))
        constraints = tuple(each for each in kept if names >= {name.partition("/")[0] for name in each.requests or ()})
        devices = replace(devices, requests=requests or None, constraints=constraints or None)
        return replace(old, spec=replace(old.spec, devices=devices))

    template = device_template_of(claim, home.pod)
    owner = f"ResourceClaimTemplate {claim.namespace}/{template}" if template else f"claim {key}"
    step = Step(ResourceClaim, claim.namespace, claim.name, edit)
    yield Proposal(Action.CHANGE_DEVICES, f"{text} {owner}", steps=(step,))


def _loosened(request: Wanted, way: Looser, most: int) -> Wanted:
    match way:
        case Looser.ANY:
            return replace(request, selectors=None)
        case Looser.FEWER:
            return replace(request, count=most, allocation_mode=None)
        case Looser.TOLERANT:
            return replace(request, tolerations=(DeviceToleration(operator="Exists"),))
        case _:
            return replace(request, capacity=None)


def doing_without(keys: Iterable[str], pod: Pod) -> Iterator[Proposal]:
    """The pod without these claims, where nothing else helps."""
    names = list(dict.fromkeys(keys))
    references = pod_edits.claim_references(pod, names)
    if references:
        yield proposed("claim/drop", names, edit=pod_edits.without_claims(references), order=8, is_fallback=True)
