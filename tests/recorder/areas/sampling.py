"""Clusters so large that the scheduler stops looking."""

from __future__ import annotations

from tests.recorder.draw import Draw
from tests.recorder.world import World, some_pod


def world(draw: Draw) -> World:
    """Hundreds of nodes, a start somewhere among them, now and then a share that somebody set."""
    here = World(draw, nodes=(105, 400))
    for name in draw.some(here.names, 40):
        here.objects.append(some_pod(draw, f"run-{name}", node_name=name))
    here.start = draw.number(0, len(here.nodes) - 1) if draw.chance(0.5) else 0
    if draw.chance(0.4):
        here.config = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "percentageOfNodesToScore": draw.number(1, 100),
        }
    for _ in range(draw.number(2, 4)):
        here.ask(**({"nodeSelector": {"disktype": "ssd"}} if draw.chance(0.3) else {}))
    return here
