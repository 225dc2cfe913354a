"""One attempt after the other on a staged scenario: what the scheduler made of each pod."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.recorder.objects import Object

from .cluster import LiveCluster
from .stage import Stage

#: Areas of which an API shows something.
SHOWN_LIVE = frozenset(
    {
        *("defaultspread", "gates", "images", "mixed", "nodeaffinity", "podaffinity", "ports", "preemption"),
        *("resources", "spread", "taints"),
    }
)
_SECONDS = 30
_UNSCHEDULABLE, _GATED = "Unschedulable", "SchedulingGated"


def attempts(cluster: LiveCluster, scenario: Object, number: int) -> Iterator[dict[str, Any]]:
    """A row for each pod: the objects just before it was tried, and what became of it. Raises LiveError."""
    with Stage(cluster, scenario, number) as stage:
        for place, manifest in enumerate(stage.waiting()):
            stage.beat()
            before = cluster.settle()
            stored = stage.create(manifest)
            expected = _verdict(cluster, stored, before)
            yield {
                "area": scenario["area"],
                "expected": expected,
                "id": f"{scenario['id']}-{place}",
                # Without a word of the attempt itself.
                "objects": [*before, {"apiVersion": "v1", "kind": "Pod", **stored}],
                "pod": f"{stored['metadata']['namespace']}/{stored['metadata']['name']}",
            }
            _carry_out(cluster, stored)


def _path(pod: Object) -> str:
    return f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods/{pod['metadata']['name']}"


def _verdict(cluster: LiveCluster, stored: Object, before: list[Object]) -> dict[str, Any]:
    pod = cluster.until(lambda: _tried(cluster, stored), _SECONDS, f"an attempt for {_path(stored)}")
    node = pod["spec"].get("nodeName")
    # Room may be made so fast that the pod has its node before anybody has seen that its first attempt failed.
    gone = _gone(cluster, before) if node else []
    if node and not gone:
        return {"node": node, "outcome": "Scheduled"}
    if not node and _failure(pod)["reason"] == _GATED:
        return {"outcome": "Gated"}
    message = cluster.until(lambda: _first_event(cluster, pod), _SECONDS, f"an event about {_path(stored)}")
    verdict = {"message": message, "outcome": _UNSCHEDULABLE}
    # The one update that says that it failed names the node that is being cleared.
    if nominated := node or pod["status"].get("nominatedNodeName"):
        cluster.until(lambda: _has_node(cluster, stored), _SECONDS, f"the room made for {_path(stored)}")
        verdict |= {"evicted": _gone(cluster, before), "nominated": nominated}
    return verdict


def _tried(cluster: LiveCluster, stored: Object) -> Object | None:
    pod: Object = cluster.get(_path(stored))
    return pod if pod["spec"].get("nodeName") or _failure(pod) else None


def _failure(pod: Object) -> Object:
    conditions = pod["status"].get("conditions") or []
    failed = (each for each in conditions if each["type"] == "PodScheduled" and each["status"] == "False")
    found: Object = next(failed, {})
    return found


def _has_node(cluster: LiveCluster, stored: Object) -> bool:
    return "nodeName" in cluster.get(_path(stored))["spec"]


def _first_event(cluster: LiveCluster, pod: Object) -> str | None:
    metadata = pod["metadata"]
    events = cluster.get(f"/api/v1/namespaces/{metadata['namespace']}/events")["items"]
    about = [
        each
        for each in events
        if each["involvedObject"].get("uid") == metadata["uid"] and each["reason"] == "FailedScheduling"
    ]
    about.sort(key=lambda each: each.get("eventTime") or each["metadata"]["creationTimestamp"])
    return about[0]["message"] if about else None


def _gone(cluster: LiveCluster, before: list[Object]) -> list[str]:
    there = {each["metadata"]["uid"] for each in cluster.get("/api/v1/pods")["items"]}
    gone = [each["metadata"] for each in before if each["kind"] == "Pod" and each["metadata"]["uid"] not in there]
    return sorted(f"{each['namespace']}/{each['name']}" for each in gone)


def _carry_out(cluster: LiveCluster, stored: Object) -> None:
    """Be the kubelet of a pod that was placed; take away one that was not, which would be tried again and again."""
    if not _has_node(cluster, stored):
        cluster.delete(_path(stored))
        return
    running = {"conditions": [{"status": "True", "type": "Ready"}], "phase": "Running"}
    cluster.patch(f"{_path(stored)}/status", {"status": running})
