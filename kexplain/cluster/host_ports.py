"""Ports that pods take on their node. Source: scheduler `util.GetHostPorts`."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from kexplain.objects.core import Pod
from kexplain.objects.requests import RequestRules

BIND_ALL_HOST_IP = "0.0.0.0"  # noqa: S104 (the address that means every address)


class HostPort(NamedTuple):
    """A port on the node itself."""

    ip: str
    protocol: str
    port: int


def host_ports(pod: Pod, rules: RequestRules) -> tuple[HostPort, ...]:
    """The ports that the pod takes on its node: of containers and perhaps sidecars, not of other init containers."""
    containers = pod.spec.containers or ()
    if pod.spec.init_containers and rules.sidecar_ports_count:
        containers = (*(each for each in pod.spec.init_containers if each.restarts_always), *containers)
    ports = (port for container in containers for port in container.ports or ())
    return tuple(
        [
            HostPort(each.host_ip or BIND_ALL_HOST_IP, each.protocol or "TCP", each.host_port)
            for each in ports
            if each.host_port and each.host_port > 0
        ]
    )


def conflicting_ports(wanted: Sequence[HostPort], used: AbstractSet[HostPort]) -> list[tuple[HostPort, HostPort]]:
    """The wanted ports that cannot be had, each with the one in use; 0.0.0.0 clashes with every address."""
    if not used or not wanted:
        return []
    # The lowest address counts where several hold a port.
    numbers = {port[1:] for port in wanted if port.ip == BIND_ALL_HOST_IP}
    at_all = sorted((port for port in used if port[1:] in numbers), reverse=True) if numbers else ()
    by_number = {port[1:]: port for port in at_all}
    found = []
    for port in wanted:
        if port.ip == BIND_ALL_HOST_IP:
            in_use = by_number.get(port[1:])
        else:
            same = (HostPort(ip, port.protocol, port.port) for ip in (BIND_ALL_HOST_IP, port.ip))
            in_use = next((each for each in same if each in used), None)
        if in_use is not None:
            found.append((port, in_use))
    return found
