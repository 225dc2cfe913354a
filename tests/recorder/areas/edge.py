"""What few write: resources of whole pods, sidecars beside init containers, resizes under way, pods that end."""

from __future__ import annotations

from typing import Any

from tests.recorder.areas.preemption import world as of_preemption
from tests.recorder.areas.resources import shape
from tests.recorder.draw import Draw
from tests.recorder.objects import Object
from tests.recorder.world import World, some_requests


def world(draw: Draw) -> World:
    """Full nodes on which some pods are odd."""
    here = of_preemption(draw)
    for running in [each for each in here.objects if each["kind"] == "Pod" and each["spec"].get("nodeName")]:
        if draw.chance(0.15):
            running["metadata"]["deletionTimestamp"] = "2026-01-10T00:00:00Z"
        elif draw.chance(0.15):
            _resize(draw, running)
        elif draw.chance(0.1):
            running["status"]["phase"] = draw.one(("Succeeded", "Failed"))
    for _ in range(draw.number(1, 2)):
        fields: dict[str, Any] = {**shape(draw), "namespace": "default", "priority": draw.one((0, 1000))}
        if draw.chance(0.4):
            # An API server wants a pod to ask for no less than its containers do.
            fields["resources"] = {"requests": {"cpu": draw.one(("9", "12"))}}
        if draw.chance(0.2):
            fields["hostNetwork"] = True
        here.ask(**fields)
    return here


def _resize(draw: Draw, running: Object) -> None:
    """What the kubelet has allocated differs from what the spec wants by now."""
    allocated = some_requests(draw)
    running["status"]["containerStatuses"] = [
        {"allocatedResources": allocated, "name": "c0", "resources": {"requests": allocated}}
    ]
    if draw.chance(0.4):
        reason = draw.one(("Infeasible", "Deferred"))
        running["status"]["conditions"] = [{"reason": reason, "status": "True", "type": "PodResizePending"}]
