"""On which nodes pods may not start, and on which they start."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.bound.doubtful_nodes import DoubtfulNodes
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from tests.bound.made import event, made
from tests.factories import cluster
from tests.queues.made import read

LONG_AGO, NOON, NOW = "2026-01-01T00:00:00Z", "2026-03-01T12:00:00Z", "2026-03-01T14:30:00Z"
COMING = {"containerStatuses": [{"name": "c", "state": {"waiting": {"reason": "ContainerCreating"}}}]}
PULLING = {"containerStatuses": [{"name": "c", "state": {"waiting": {"reason": "ErrImagePull"}}}]}
CRASHING = {"containerStatuses": [{"name": "c", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]}
NETWORK = {
    "name": "calico-node-x",
    "ownerReferences": [
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "calico-node", "uid": "d", "controller": True}
    ],
}
READY = ("Ready", "True", LONG_AGO)
#: A pod elsewhere that has just started tells what time it is.
LATEST = made({"phase": "Running", "startTime": NOW}, nodeName="n2", metadata={"name": "latest", "uid": "l"})


def made_node(*conditions: tuple[str, str, str], name: str = "n1", created: str = LONG_AGO) -> Node:
    fields = ("type", "status", "lastTransitionTime")
    said = [dict(zip(fields, each, strict=True)) for each in conditions]
    metadata = {"name": name, "creationTimestamp": created}
    (found,) = read({"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": {"conditions": said}})
    assert isinstance(found, Node)
    return found


def waits(name: str = "web", *, since: str = NOON, status: dict[str, Any] = COMING) -> Pod:
    return made({"phase": "Pending", "startTime": since, **status}, metadata={"name": name, "uid": name})


def runs(since: str, **more: Any) -> Pod:
    return made({"phase": "Running", "startTime": since, **more}, metadata={"name": "old", "uid": "o"})


def of_node(reason: str, at: str) -> Event:
    return event(reason, "so it is", involvedObject={"kind": "Node", "name": "n1"}, lastTimestamp=at)


def doubt(*pods: Pod, node: Node, events: tuple[Event, ...] = ()) -> str:
    there = cluster([node, made_node(READY, name="n2")], [*pods, LATEST])
    return DoubtfulNodes(there, events).doubt("n1")


@pytest.mark.parametrize(
    ("conditions", "text"),
    [
        ([READY], ""),
        ([("Ready", "False", NOON)], f"which is not ready since {NOON}"),
        ([READY, ("DiskPressure", "True", NOON)], "which is under disk pressure"),
        ([READY, ("KubeletUnhealthy", "True", NOON)], f"which reports KubeletUnhealthy since {NOON}"),
        ([READY, ("ContainerRuntimeReady", "False", NOON)], f"which reports ContainerRuntimeReady since {NOON}"),
        ([READY, ("ContainerRuntimeReady", "True", NOON)], ""),
        ([("Ready", "True", "2026-03-01T14:25:00Z")], "which was not ready until 2026-03-01T14:25:00Z"),
        ([("Ready", "True", NOON)], ""),
    ],
)
def test_conditions(conditions: list[tuple[str, str, str]], text: str) -> None:
    assert doubt(node=made_node(*conditions)) == text


def test_a_node_that_has_just_been_made_was_not_ready_before() -> None:
    assert doubt(node=made_node(("Ready", "True", "2026-03-01T14:25:00Z"), created="2026-03-01T14:24:00Z")) == ""


SANDBOX = event("FailedCreatePodSandBox", "failed to set up the network: no such file", lastTimestamp=NOW)


@pytest.mark.parametrize(
    ("pods", "events", "text"),
    [
        ([waits()], (), f"where no pod has started since {NOON} (1 pod waits for its containers)"),
        (
            [waits(), waits("b", since=NOW)],
            (),
            f"where no pod has started since {NOON} (2 pods wait for their containers)",
        ),
        ([waits(), runs(LONG_AGO)], (), f"where no pod has started since {NOON} (1 pod waits for its containers)"),
        ([waits(), runs("2026-03-01T12:01:00Z")], (), ""),
        ([waits(since="2026-03-01T14:28:00Z")], (), ""),
        ([waits(status=PULLING)], (), ""),
        (
            [waits(since=NOW)],
            (SANDBOX,),
            f"where no pod has started since {NOW} (the kubelet cannot set up its sandbox: no such file)",
        ),
        ([waits()], (event("FailedMount", "no such secret", lastTimestamp=NOW),), ""),
    ],
)
def test_pods_that_wait_there(pods: list[Pod], events: tuple[Event, ...], text: str) -> None:
    """What a pod waits for by its own fault says nothing of its node."""
    assert doubt(*pods, node=made_node(READY), events=events) == text


def test_what_sets_up_the_network_fails() -> None:
    agent = made({"phase": "Running", "startTime": LONG_AGO, **CRASHING}, metadata=NETWORK)
    text = "where a/calico-node-x, which sets up the network of pods, fails (CrashLoopBackOff)"
    assert doubt(agent, node=made_node(READY)) == text
    assert doubt(runs(LONG_AGO, **CRASHING), node=made_node(READY)) == ""


@pytest.mark.parametrize(
    ("reason", "at", "text"),
    [
        (
            "EvictionThresholdMet",
            "2026-03-01T14:10:00Z",
            "which had EvictionThresholdMet at 2026-03-01T14:10:00Z: so it is",
        ),
        ("EvictionThresholdMet", NOON, ""),
        ("RegisteredNode", NOW, ""),
    ],
)
def test_events_of_the_node(reason: str, at: str, text: str) -> None:
    assert doubt(node=made_node(READY), events=(of_node(reason, at),)) == text


def test_a_node_that_is_not_there_yet() -> None:
    assert DoubtfulNodes(cluster([]), ()).doubt("n9") == ""
