"""Where a pod's request comes from, container by container."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.explain.records import RequestSum
from kexplain.explain.wording import amount
from kexplain.objects import quantity
from kexplain.objects.core import Container, Pod
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import CPU, is_pod_level_resource, pod_requests


class RequestParts(Struct, frozen=True):
    """What a request adds up from: in words, empty where one container is all there is to it.

    It may be that of the pod as a whole, or of one init container that alone needs as much.
    """

    text: str = ""
    is_of_pod: bool = False
    init_container: str = ""

    @property
    def are_several(self) -> bool:
        """Whether it adds up from more than the pod or the init container."""
        return bool(self.text) and not (self.is_of_pod or self.init_container)


def request_sums(pod: Pod, cluster: Cluster) -> tuple[RequestSum, ...]:
    """What the pod requests of each resource, with its parts where there is more than one."""
    total = pod_requests(pod, cluster.rules)
    sums = ((name, nanos, _parts(pod, name, nanos).text) for name, nanos in total.items() if nanos)
    return tuple(RequestSum(resource=name, requested=_rounded(name, nanos), parts=text) for name, nanos, text in sums)


def request_parts(pod: Pod, resource: str, cluster: Cluster) -> RequestParts:
    """What the pod's request of a resource adds up from."""
    return _parts(pod, resource, pod_requests(pod, cluster.rules).get(resource, 0))


def _parts(pod: Pod, resource: str, total: int) -> RequestParts:
    spec, init = pod.spec, pod.spec.init_containers or ()
    overhead = _of(spec.overhead, resource)
    tail = f" + overhead {_text(resource, overhead)}" if overhead else ""
    if resource in spec.requests and is_pod_level_resource(resource):
        return RequestParts(f"pod-level {_text(resource, total - overhead)}{tail}", is_of_pod=not overhead)
    asked = [(container.name, _of_container(container, resource)) for container in _lasting(pod)]
    if sum(nanos for _, nanos in asked) < total - overhead:
        return _of_init(_peak(init, resource), resource, tail)
    shown = [f"{name} {_text(resource, nanos)}" for name, nanos in (*asked, ("overhead", overhead)) if nanos]
    return RequestParts(" + ".join(shown) if shown[1:] or overhead else "")


def _of_init(peak: _Peak, resource: str, tail: str) -> RequestParts:
    beside = f" beside sidecars {_text(resource, peak.sidecars)}" if peak.sidecars else ""
    text = f"init container {peak.name} {_text(resource, peak.nanos)}{beside}{tail}"
    return RequestParts(text, init_container="" if beside or tail else peak.name)


def _lasting(pod: Pod) -> Iterator[Container]:
    """The containers that run side by side: all but init containers, and sidecars."""
    yield from pod.spec.containers or ()
    yield from (container for container in pod.spec.init_containers or () if container.restarts_always)


class _Peak(Struct, frozen=True):
    """What an init container needs while it runs, and the sidecars started before it."""

    name: str = ""
    nanos: int = -1
    sidecars: int = 0


def _peak(init: tuple[Container, ...], resource: str) -> _Peak:
    """The init container that needs most while it runs, with the sidecars started before it."""
    before = 0
    best = _Peak()
    for container in init:
        nanos = _of_container(container, resource)
        if container.restarts_always:
            before += nanos
        elif nanos + before > best.nanos + best.sidecars:
            best = _Peak(container.name or "", nanos, before)
    return best


def _of_container(container: Container, resource: str) -> int:
    return _of(container.requests, resource)


def _of(resources: ResourceList | None, resource: str) -> int:
    return quantity.parse(resources[resource]) if resources and resource in resources else 0


def _rounded(resource: str, nanos: int) -> int:
    return quantity.nanos_to_milli(nanos) if resource == CPU else quantity.nanos_to_value(nanos)


def _text(resource: str, nanos: int) -> str:
    return amount(resource, _rounded(resource, nanos))
