"""What an API server fills in when it decodes a pod.

Source: core/v1 `SetObjectDefaults_Pod`, and `Convert_v1_PodSpec_To_core_PodSpec`, release 1.36. Tolerations and spread
constraints have no defaults there: what they leave open is decided where they are read.
"""

from collections.abc import Callable

from msgspec.structs import replace

from kexplain.admission.amounts import Amount
from kexplain.admission.pod_level import pod_level_resources
from kexplain.objects.core import Container, ContainerPort, PodSpec, ResourceRequirements, Volume
from kexplain.objects.meta import ResourceList
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME

DEFAULT_PROTOCOL = "TCP"
DEFAULT_RBD_POOL = "rbd"


def with_defaults(spec: PodSpec) -> PodSpec:
    """The spec with every default that scheduling can see; doing it twice changes nothing.

    Raises QuantityError on a resource list that holds none.
    """
    spec = replace(
        with_containers(spec, _requesting_limits),
        scheduler_name=spec.scheduler_name or DEFAULT_SCHEDULER_NAME,
        service_account_name=spec.service_account_name or spec.service_account,
        service_account=None,
        volumes=tuple(map(_volume, spec.volumes)) if spec.volumes else spec.volumes,
    )
    # Before anything is rounded: upstream sums what containers request as it is written.
    own = pod_level_resources(spec)
    on_host_network = bool(spec.host_network)
    return replace(
        with_containers(spec, lambda each: _stored(each, on_host_network=on_host_network)),
        resources=_stored_requirements(own),
        overhead=_stored_resources(spec.overhead),
    )


def with_containers(spec: PodSpec, change: Callable[[Container], Container]) -> PodSpec:
    """The spec with each container changed, and each init container."""
    first, others = spec.init_containers, spec.containers
    changed = first and tuple(map(change, first)), others and tuple(map(change, others))
    return replace(spec, init_containers=changed[0], containers=changed[1])


def _requesting_limits(container: Container) -> Container:
    """The container, which requests its limit of whatever it limits without requesting it."""
    own = container.resources
    if own is None or not own.limits:
        return container
    return replace(container, resources=replace(own, requests={**own.limits, **(own.requests or {})}))


def _stored(container: Container, *, on_host_network: bool) -> Container:
    ports = container.ports and tuple(_port(each, on_host_network=on_host_network) for each in container.ports)
    return replace(container, ports=ports, resources=_stored_requirements(container.resources))


def _port(port: ContainerPort, *, on_host_network: bool) -> ContainerPort:
    """A TCP port by default; on the host's network every port is a host port."""
    host_port = (port.host_port or port.container_port) if on_host_network else port.host_port
    return replace(port, protocol=port.protocol or DEFAULT_PROTOCOL, host_port=host_port)


def _stored_requirements(resources: ResourceRequirements | None) -> ResourceRequirements | None:
    if resources is None:
        return None
    requests, limits = _stored_resources(resources.requests), _stored_resources(resources.limits)
    return replace(resources, requests=requests, limits=limits)


def _stored_resources(resources: ResourceList | None) -> ResourceList | None:
    return {name: Amount.of(raw).rounded_to_milli().raw for name, raw in resources.items()} if resources else resources


def _volume(volume: Volume) -> Volume:
    """Pods share an RBD image only if its pool is the same too, so the default pool counts."""
    if volume.rbd is None or volume.rbd.pool:
        return volume
    return replace(volume, rbd=replace(volume.rbd, pool=DEFAULT_RBD_POOL))
