"""Ports of hosts: by protocol and address, and by host network."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import container
from tests.recorder.world import World, some_requests


def world(draw: Draw) -> World:
    """A few ports that many want."""
    here = World(draw, nodes=(2, 8))
    here.run(2, containers=_with_ports)
    for _ in range(draw.number(1, 4)):
        here.ask(containers=_with_ports(draw))
    return here


def _with_ports(draw: Draw) -> list[dict[str, Any]]:
    wanted = {(draw.one((80, 443, 9100)), draw.one(("TCP", "UDP")), draw.one(("", "127.0.0.1", "10.0.0.1")))}
    if draw.chance(0.4):
        wanted.add((draw.one((8080, 53)), "UDP", ""))
    ports = [
        {"containerPort": number, "hostPort": number, "protocol": protocol, **({"hostIP": address} if address else {})}
        for number, protocol, address in sorted(wanted)
    ]
    return [container("c0", some_requests(draw), ports=ports)]
