"""Containers, init containers and ephemeral containers.

Source: core/validation `validateContainers`, `validateInitContainers`, `validateEphemeralContainers`,
`validateContainerCommon`, release 1.36 with its default feature gates.
"""

from collections.abc import Collection

from msgspec import Struct

from kexplain.objects.json_values import shown
from kexplain.validation import rows
from kexplain.validation.field import MAX_PORT, Field, reject_repeated
from kexplain.validation.names import among, port_name
from kexplain.validation.probes import check_lifecycle
from kexplain.validation.resources import check_requirements
from kexplain.validation.rows import judge
from kexplain.validation.security import check_container_security
from kexplain.validation.volume_mounts import check_devices, check_mounts
from kexplain.validation.volumes import Volumes

_resized = among("cpu", "memory", said="must be ")


class RestOfPod(Struct, frozen=True):
    """What containers are checked against."""

    volumes: Volumes
    claim_names: Collection[str]
    grace: int
    restart_policy: str
    on_host_users: bool


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
            _check_restarts(container)
        check_port_conflicts(spec)
    _check_init_containers(spec, around)
    _check_ephemeral_containers(spec, around)
    kinds = ("containers", "initContainers", "ephemeralContainers")
    names = [each.child("name") for kind in kinds for each in spec.child(kind).items()]
    reject_repeated(((name.string, name) for name in names if name.string), "is the name of another container")


def _check_init_containers(spec: Field, around: RestOfPod) -> None:
    for container in spec.child("initContainers").items():
        _check_common(container, around)
        _check_restarts(container, is_init=True)
        # An API server counts each of them as the first.
        _check_host_ports([container], spec.child("initContainers"))
        if container.child("restartPolicy").value == "Always":
            check_lifecycle(container, around.grace)
            judge(container, "probes.probes")
        else:
            judge(container, "containers.plain_init")


def _check_ephemeral_containers(spec: Field, around: RestOfPod) -> None:
    others = {
        each.child("name").string for kind in ("containers", "initContainers") for each in spec.child(kind).items()
    }
    for container in spec.child("ephemeralContainers").items():
        _check_common(container, around)
        check_image_spaces(container)
        target = container.child("targetContainerName")
        if target.string and target.string not in others:
            target.reject(f"{shown(target.string)} is not a container of this pod")
        judge(container, "containers.ephemeral")


def _check_common(container: Field, around: RestOfPod) -> None:
    judge(container, "containers.common")
    check_mounts(container, around.volumes)
    check_devices(container, around.volumes)
    check_requirements(container.child("resources"), around.claim_names)
    _check_resizing(container.child("resizePolicy"), around.restart_policy)
    check_container_security(container, on_host_users=around.on_host_users)


def check_image_spaces(container: Field) -> None:
    """Only pods themselves are checked for this: templates have always been taken with spaces."""
    image = container.child("image")
    image.reject_if(image.string.strip() != image.string, f"{shown(image.string)} must not have spaces around it")


# --------------------------------------------------------------------------------------------------- ports


def _check_names_of_ports(ports: Field) -> None:
    names = [port.child("name") for port in ports.items()]
    sound = [name for name in names if name.string and not port_name(name.string)]
    reject_repeated(((name.string, name) for name in sound), "is the name of another port")


def _check_port_number(number: Field) -> None:
    if number.number() == 0:
        number.reject(f"is required: 1 to {MAX_PORT}")
    else:
        number.within(1, MAX_PORT)


def check_port_conflicts(spec: Field) -> None:
    """No two ports of a pod are one port of its host."""
    _check_host_ports(spec.child("containers").items(), spec.child("containers"))


def check_ports_on_host(spec: Field) -> None:
    """On the host's network a port is a host port; init containers are not asked.

    Source: `validatePodHostNetworkDeps`; ports that name no host port have one by now, or need none.
    """
    if not spec.child("hostNetwork").flag:
        return
    for container in spec.child("containers").items():
        for port in container.child("ports").items():
            number, host_port = port.child("containerPort").number(), port.child("hostPort")
            if host_port.number() not in (0, number):
                host_port.reject(f"{host_port.number()} must equal containerPort {number} on the host's network")


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


def _check_restarts(container: Field, *, is_init: bool = False) -> None:
    policy, rules = container.child("restartPolicy"), container.child("restartPolicyRules")
    policy.one_of("Always", "OnFailure", "Never")
    if rules.items() and not policy.is_set:
        policy.reject("is required with restartPolicyRules")
        if is_init:
            return
    judge(rules, (rows.regardless(rows.most(20)), {"[]": "containers.rule"}))


def _check_resizing(policies: Field, pod_restart_policy: str) -> None:
    judge(policies, "containers.resize_policies")
    for policy in policies.items() if pod_restart_policy == "Never" else ():
        restart = policy.child("restartPolicy").written(policies)
        restart.reject_if(restart.string != "NotRequired", "must be NotRequired where the pod's restartPolicy is Never")
