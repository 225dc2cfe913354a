"""Containers, init containers and ephemeral containers.

Source: core/validation `validateContainers`, `validateInitContainers`, `validateEphemeralContainers`,
`validateContainerCommon`, release 1.36 with its default feature gates.
"""

from collections.abc import Collection

from msgspec import Struct

from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.probes import check_lifecycle
from kexplain.validation.resources import check_requirements
from kexplain.validation.rows import judge
from kexplain.validation.volume_mounts import check_devices, check_mounts
from kexplain.validation.volumes import Volumes


class RestOfPod(Struct, frozen=True):
    """What containers are checked against."""

    volumes: Volumes
    claim_names: Collection[str]
    grace: int
    restart_policy: str


def all_containers(spec: Field) -> list[Field]:
    """Init containers, containers and ephemeral containers."""
    return [
        each for kind in ("initContainers", "containers", "ephemeralContainers") for each in spec.child(kind).items()
    ]


def check_containers(spec: Field, around: RestOfPod) -> None:
    """All containers of a pod."""
    containers = spec.child("containers")
    if containers.require("needs at least one container"):
        for container in containers.items():
            _check_common(container, around)
            check_lifecycle(container, around.grace)
            judge(container, "probes.probes")
            judge(container, "containers.restarts")
        check_port_conflicts(spec)
    _check_init_containers(spec, around)
    _check_ephemeral_containers(spec, around)
    kinds = ("containers", "initContainers", "ephemeralContainers")
    names = [each.child("name") for kind in kinds for each in spec.child(kind).items()]
    reject_repeated(((name.string, name) for name in names if name.string), "is the name of another container")


def _check_init_containers(spec: Field, around: RestOfPod) -> None:
    for container in spec.child("initContainers").items():
        _check_common(container, around)
        judge(container, "containers.init_restarts")
        # An API server counts each of them as the first.
        _check_host_ports([container], spec.child("initContainers"))
        if container.child("restartPolicy").value == "Always":
            check_lifecycle(container, around.grace)
            judge(container, "probes.probes")
        else:
            judge(container, "containers.plain_init")


def _check_ephemeral_containers(spec: Field, around: RestOfPod) -> None:
    for container in spec.child("ephemeralContainers").items():
        _check_common(container, around)
        judge(container, "containers.image")
        judge(container, "containers.ephemeral")


def _check_common(container: Field, around: RestOfPod) -> None:
    judge(container, "containers.common")
    check_mounts(container, around.volumes)
    check_devices(container, around.volumes)
    check_requirements(container.child("resources"), around.claim_names)
    _check_resizing(container.child("resizePolicy"), around.restart_policy)
    judge(container.child("securityContext"), "security.container_security")


# --------------------------------------------------------------------------------------------------- ports


def check_port_conflicts(spec: Field) -> None:
    """No two ports of a pod are one port of its host."""
    _check_host_ports(spec.child("containers").items(), spec.child("containers"))


def _check_host_ports(containers: list[Field], path: Field) -> None:
    taken: set[tuple[str, str, int]] = set()
    for index, container in enumerate(containers):
        for position, port in enumerate(container.child("ports").items()):
            host_port = port.child("hostPort")
            if not host_port.number():
                continue
            protocol = port.child("protocol").string or "TCP"
            identity = (protocol, port.child("hostIP").string, host_port.number())
            if identity in taken:
                at = host_port.written(f"{path.text}[{index}].ports[{position}].hostPort")
                at.reject(f"{protocol} port {host_port.number()} of the host is taken by another port of this pod")
            taken.add(identity)


# ------------------------------------------------------------------------------------------------ policies


def _check_resizing(policies: Field, pod_restart_policy: str) -> None:
    judge(policies, "containers.resize_policies")
    for policy in policies.items() if pod_restart_policy == "Never" else ():
        restart = policy.child("restartPolicy").written(policies)
        restart.reject_if(restart.string != "NotRequired", "must be NotRequired where the pod's restartPolicy is Never")
