"""Containers, init containers and ephemeral containers.

Source: core/validation `validateContainers`, `validateInitContainers`, `validateEphemeralContainers`,
`validateContainerCommon`, release 1.36 with its default feature gates.
"""

from kexplain.validation.field import Field, reject_repeated


def all_containers(spec: Field) -> list[Field]:
    """Init containers, containers and ephemeral containers."""
    return [one for kind in ("initContainers", "containers", "ephemeralContainers") for one in spec.child(kind).items()]


def _check_names(spec: Field) -> None:
    kinds = ("containers", "initContainers", "ephemeralContainers")
    names = [each.child("name") for kind in kinds for each in spec.child(kind).items()]
    reject_repeated(((name.string, name) for name in names if name.string), "is the name of another container")


# --------------------------------------------------------------------------------------------------- ports


def _check_host_ports(of: Field) -> None:
    """No two ports of all containers, or of one init container, are one port of the host.

    An API server counts each init container as the first.
    """
    containers, text = (of.items(), of.text) if of.items() else ([of], of.holder().text)
    taken: set[tuple[str, str, int]] = set()
    for index, container in enumerate(containers):
        for position, port in enumerate(container.child("ports").items()):
            host_port = port.child("hostPort")
            if not host_port.number():
                continue
            protocol = port.child("protocol").string or "TCP"
            identity = (protocol, port.child("hostIP").string, host_port.number())
            if identity in taken:
                at = host_port.written(f"{text}[{index}].ports[{position}].hostPort")
                at.reject(f"{protocol} port {host_port.number()} of the host is taken by another port of this pod")
            taken.add(identity)


# ------------------------------------------------------------------------------------------------ policies


def _check_resizing(policies: Field) -> None:
    spec = policies.holder().holder().holder()
    for policy in policies.items() if spec.child("restartPolicy").value == "Never" else ():
        restart = policy.child("restartPolicy").written(policies)
        restart.reject_if(restart.string != "NotRequired", "must be NotRequired where the pod's restartPolicy is Never")
