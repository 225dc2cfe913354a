"""The claim that stands for extended resources which a class backs. Source: `extendeddynamicresources.go`."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster.resource import is_extended_resource_name
from kexplain.objects import quantity
from kexplain.objects.core import Container, Pod
from kexplain.objects.resource import (
    EXACT_COUNT,
    DeviceClaim,
    DeviceClass,
    DeviceRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimAnnotations,
    ResourceClaimMeta,
    ResourceClaimSpec,
)
from kexplain.patterns import regex
from kexplain.plugins.devices.classes import is_device_resource_name

#: The name of the claim while it exists in the scheduler only; no object can be called so.
IN_MEMORY_NAME = "<extended-resources>"
#: It is deleted, and the pod tried anew.
_OF_AN_EARLIER_ATTEMPT = "cannot schedule extended resource claim"
_OF_NO_CLASS = "cannot fit resource"
_REQUEST_NAME = regex(r"container-(?P<container>\d+)-request-(?P<resource>\d+)")


def claim_of_earlier_attempt(pod: Pod, claims: Iterable[ResourceClaim]) -> ResourceClaim | None:
    """The claim that an earlier attempt to schedule the pod has left behind."""
    for claim in claims:
        annotations = claim.metadata.annotations
        if annotations is not None and annotations.for_extended_resources == "true":
            for owner in claim.metadata.owner_references or ():
                if owner.name == pod.name and owner.controller and owner.uid == pod.metadata.uid:
                    return claim
    return None


def new_claim(pod: Pod) -> ResourceClaim:
    """The claim as it begins: without requests, since these differ from node to node."""
    metadata = ResourceClaimMeta(
        name=IN_MEMORY_NAME,
        generate_name=f"{pod.name}-extended-resources-",
        namespace=pod.namespace,
        owner_references=(pod.as_owner,),
        annotations=ResourceClaimAnnotations(for_extended_resources="true"),
    )
    return ResourceClaim(metadata=metadata)


def claimed_on(
    pod: Pod,
    claim: ResourceClaim,
    amounts: Mapping[str, int],
    by_resource: Mapping[str, DeviceClass],
    reported: Mapping[str, int],
    *,
    is_needed: bool,
    by_container: bool,
) -> ResourceClaim | str | None:
    """The claim for the extended resources that a node, by what it has `reported`, provides as devices.

    Or why it cannot be; None if there is nothing to claim, unless the claim `is_needed` all the same. In 1.34, which
    claims `by_container`, it is also for what the node reports, once that lacks anything.
    """
    if claim.spec.devices.requests is not None:
        return _OF_AN_EARLIER_ATTEMPT
    is_meant = is_extended_resource_name if by_container else is_device_resource_name
    asked = [name for name, amount in amounts.items() if amount and is_meant(name)]
    missing = set(asked).difference(reported)
    if missing.difference(by_resource):
        return _OF_NO_CLASS
    backed = list(filter(by_resource.__contains__, asked))
    if by_container:
        return _with_requests(claim, _requests_by_container(pod, backed, by_resource)) if missing or is_needed else None
    lacking = [name for name in backed if not reported.get(name)]
    if not (lacking or is_needed) or claim.status.allocation is not None:
        return None
    return _with_requests(claim, _requests(pod, lacking, by_resource))


def _with_requests(claim: ResourceClaim, requests: Sequence[DeviceRequest]) -> ResourceClaim:
    return replace(claim, spec=ResourceClaimSpec(devices=DeviceClaim(requests=tuple(requests))))


def _requests(pod: Pod, names: Iterable[str], by_resource: Mapping[str, DeviceClass]) -> list[DeviceRequest]:
    """The requests for these extended resources, by name.

    Init containers run before the others and may use what these will have; what they need beyond that is requested
    once, for the largest of them.
    """
    init, containers = pod.spec.init_containers or (), pod.spec.every_container
    requests: list[DeviceRequest] = []
    for name in sorted(names):
        class_name = by_resource[name].name
        lasting: list[DeviceRequest | None] = [
            None if _is_short_lived(index, container, len(init)) else _request(index, container, name, class_name, 0)
            for index, container in enumerate(containers)
        ]
        extra: list[DeviceRequest] = []
        for index, container in enumerate(init):
            if _is_short_lived(index, container, len(init)):
                reusable = sum(_count(request) for request in lasting[index:])
                request = _request(index, container, name, class_name, reusable)
                if request is not None:
                    extra.append(request)
        if extra:
            requests.append(max(extra, key=_count))
        requests += [request for request in lasting if request is not None]
    return sorted(requests, key=lambda request: request.name)


def _requests_by_container(
    pod: Pod, names: Iterable[str], by_resource: Mapping[str, DeviceClass]
) -> list[DeviceRequest]:
    """The requests for these in 1.34: one for each container, none of which uses what another will have.

    Upstream takes the resources in any order.
    """
    places = [*enumerate(pod.spec.every_container)]
    asked = (_request(at, each, name, by_resource[name].name, 0) for name in sorted(names) for at, each in places)
    return [request for request in asked if request is not None]


def _is_short_lived(index: int, container: Container, init_containers: int) -> bool:
    return index < init_containers and not container.restarts_always


def _count(request: DeviceRequest | None) -> int:
    return (request.exactly.count or 0) if request is not None and request.exactly else 0


def _request(index: int, container: Container, name: str, class_name: str, reusable: int) -> DeviceRequest | None:
    """What the container requests beyond what it can reuse; named after both their places, as upstream names it."""
    units, rest = divmod(quantity.parse(container.requests.get(name, 0)), quantity.NANOS_PER_UNIT)
    if rest or units <= reusable:
        return None
    exactly = ExactDeviceRequest(device_class_name=class_name, allocation_mode=EXACT_COUNT, count=units - reusable)
    return DeviceRequest(name=f"container-{index}-request-{sorted(container.requests).index(name)}", exactly=exactly)


def as_asked(pod: Pod, claim: str, request: str) -> tuple[str, str]:
    """A claim and its request as the user wrote them; for an extended resource no claim, and its container."""
    return ("", _asked_by(pod, request)) if claim.endswith(IN_MEMORY_NAME) else (claim, request)


def _asked_by(pod: Pod, request_name: str) -> str:
    """The resource and the container that a request of the claim in memory stands for, in words."""
    match = _REQUEST_NAME.fullmatch(request_name)
    if match is None:
        return request_name
    container = pod.spec.every_container[int(match["container"])]
    return f"{sorted(container.requests)[int(match['resource'])]} of container {container.name}"
