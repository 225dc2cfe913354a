"""Where a pod's request comes from, container by container."""

from collections.abc import Iterator

from kexplain.cluster import Cluster
from kexplain.explain.records import RequestSum
from kexplain.explain.wording import amount
from kexplain.objects import quantity
from kexplain.objects.core import Container, Pod
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import CPU, is_pod_level_resource, pod_requests


def request_sums(pod: Pod, cluster: Cluster) -> tuple[RequestSum, ...]:
    """What the pod requests of each resource, with its parts where there is more than one."""
    total = pod_requests(pod, cluster.rules)
    return tuple(
        RequestSum(resource=name, requested=_rounded(name, nanos), parts=_parts(pod, name, nanos))
        for name, nanos in total.items()
        if nanos
    )


def _parts(pod: Pod, resource: str, total: int) -> str:
    """The parts in words; empty if one container is all there is to it."""
    spec = pod.spec
    overhead = _of(spec.overhead, resource)
    tail = f" + overhead {_text(resource, overhead)}" if overhead else ""
    pod_level = spec.resources.requests if spec.resources else None
    if pod_level and resource in pod_level and is_pod_level_resource(resource):
        return f"pod-level {_text(resource, total - overhead)}{tail}"
    asked = [(container.name, _of_container(container, resource)) for container in _lasting(pod)]
    if sum(nanos for _, nanos in asked) < total - overhead:
        return f"{_peak(spec.init_containers or (), resource)}{tail}"
    shown = [f"{name} {_text(resource, nanos)}" for name, nanos in (*asked, ("overhead", overhead)) if nanos]
    return " + ".join(shown) if shown[1:] or overhead else ""


def _lasting(pod: Pod) -> Iterator[Container]:
    """The containers that run side by side: all but init containers, and sidecars."""
    yield from pod.spec.containers or ()
    yield from (container for container in pod.spec.init_containers or () if container.restarts_always)


def _peak(init: tuple[Container, ...], resource: str) -> str:
    """The init container that needs most while it runs, with the sidecars started before it."""
    before = 0
    best, text = -1, ""
    for container in init:
        nanos = _of_container(container, resource)
        if container.restarts_always:
            before += nanos
        elif nanos + before > best:
            best = nanos + before
            beside = f" beside sidecars {_text(resource, before)}" if before else ""
            text = f"init container {container.name} {_text(resource, nanos)}{beside}"
    return text


def _of_container(container: Container, resource: str) -> int:
    return _of(container.resources.requests if container.resources else None, resource)


def _of(resources: ResourceList | None, resource: str) -> int:
    return quantity.parse(resources[resource]) if resources and resource in resources else 0


def _rounded(resource: str, nanos: int) -> int:
    return quantity.nanos_to_milli(nanos) if resource == CPU else quantity.nanos_to_value(nanos)


def _text(resource: str, nanos: int) -> str:
    return amount(resource, _rounded(resource, nanos))
