"""Pods that are over, by what their status says."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.bound.ending import over_again
from kexplain.diagnosis.records import Kind
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from tests.bound.made import event, made, why
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("OutOfcpu", "too little cpu"),
        ("OutOfnvidia.com/gpu", "too little nvidia.com/gpu"),
        ("TopologyAffinityError", "NUMA"),
        ("UnexpectedAdmissionError", "device"),
        ("NodeAffinity", "labels"),
        ("NodeShutdown", "shutting down"),
    ],
)
def test_what_a_kubelet_turns_away(reason: str, says: str) -> None:
    found = why(made({"phase": "Failed", "reason": reason, "message": "words"}))
    assert found is not None
    assert (found.kind, found.node, found.reason, found.message) == (Kind.TURNED_AWAY, "n1", reason, "words")
    assert says in found.text


@pytest.mark.parametrize(
    ("scheduler", "says"),
    [("volcano", "left; pods of scheduler volcano run there, too"), ("default-scheduler", "too little cpu left")],
)
def test_another_scheduler_that_fills_the_node_is_named(scheduler: str, says: str) -> None:
    there = cluster([node("n1")], [pod("other", node="n1", scheduler_name=scheduler)])
    found = why(made({"phase": "Failed", "reason": "OutOfcpu", "message": "words"}), around=there)
    assert found is not None
    assert found.text.endswith(says)


@pytest.mark.parametrize("status", [{"phase": "Failed"}, {"phase": "Succeeded"}, {"phase": "Running"}])
def test_pods_that_fail_by_themselves_are_no_matter(status: dict[str, Any]) -> None:
    assert why(made(status)) is None


@pytest.mark.parametrize(
    ("reason", "by"),
    [
        ("EvictionByEvictionAPI", "the eviction API"),
        ("DeletionByTaintManager", "the taint manager"),
        ("DeletionByPodGC", "the pod garbage collector"),
        ("TerminationByKubelet", "the kubelet"),
    ],
)
def test_who_evicted_it(reason: str, by: str) -> None:
    condition = {"type": "DisruptionTarget", "status": "True", "reason": reason, "message": "words"}
    found = why(made({"phase": "Running", "conditions": [condition]}))
    assert found is not None
    assert (found.kind, found.by, found.message) == (Kind.EVICTED, by, "words")


def test_evicted_for_the_node_is_short_of_something() -> None:
    found = why(made({"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."}))
    assert found is not None
    assert (found.kind, found.message) == (Kind.EVICTED, "The node was low on resource: memory.")


def test_who_preempted_it() -> None:
    other = pod("big", namespace="b", priority=1000, node="n1")
    said = event("Preempted", "Preempted by pod 1 on node n1", related={"kind": "Pod", "namespace": "b", "name": "big"})
    found = why(
        made({"phase": "Running"}, metadata={"deletionTimestamp": "t"}), said, around=cluster([node("n1")], [other])
    )
    assert found is not None
    assert found.kind is Kind.PREEMPTED
    assert "b/big of priority 1000" in found.text


LOST = node("n1", taints=["node.kubernetes.io/unreachable:NoSchedule"])
UNREADY = {"conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady", "message": "words"}]}
DELETED = {"deletionTimestamp": "t"}
DISRUPTED = {"type": "DisruptionTarget", "status": "True", "reason": "ByHand", "message": "words"}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        pytest.param({"phase": "Running"}, ("", ""), id="runs"),
        pytest.param({"phase": "Pending"}, ("", ""), id="starts"),
        pytest.param({"phase": "Running", "conditions": [DISRUPTED]}, ("ByHand", "words"), id="disrupted"),
        pytest.param({"phase": "Running", "conditions": [DISRUPTED | {"status": "False"}]}, ("", ""), id="no-more"),
        pytest.param({"phase": "Running", "conditions": [DISRUPTED | {"type": "Ready"}]}, ("", ""), id="ready"),
        pytest.param({"phase": "Running", "conditions": [DISRUPTED], "reason": "NodeLost", "message": "own words"},
                     ("NodeLost", "own words"), id="of-the-pod-itself"),
    ],
)  # fmt: skip
def test_a_pod_that_nobody_ends(status: dict[str, Any], said: tuple[str, str]) -> None:
    found = why(made(status, metadata=DELETED), around=cluster([LOST]))
    assert found is not None
    assert (found.kind, found.by, found.node) == (Kind.STUCK_TERMINATING, "nobody", "n1")
    assert found.text == "its node n1 is unreachable, so no kubelet can confirm that it has stopped"
    assert (found.reason, found.message) == said


@pytest.mark.parametrize(
    ("leaving", "around"),
    [
        pytest.param(made({"phase": "Running"}, metadata=DELETED), node("n1"), id="its-kubelet-will"),
        pytest.param(made({"phase": "Running"}, metadata=DELETED), node("n2"), id="its-node-is-gone"),
        pytest.param(made({"phase": "Running"}, metadata=DELETED, nodeName=None), LOST, id="without-a-node"),
        pytest.param(made({"phase": "Pending"}), LOST, id="nobody-wants-it-gone"),
    ],
)
def test_a_pod_that_somebody_ends(leaving: Pod, around: Node) -> None:
    assert why(leaving, around=cluster([around])) is None


@pytest.mark.parametrize(
    ("around", "kind", "by", "text"),
    [
        pytest.param([LOST], Kind.KUBELET_SILENT, "the node controller", "its node n1 is unreachable", id="lost"),
        pytest.param([node("n1")], Kind.NOT_READY, "the kubelet",
                     "its containers run, and not all of them are ready", id="unready"),
        pytest.param([], Kind.NOT_READY, "the kubelet",
                     "its containers run, and not all of them are ready", id="no-node-was-read"),
        pytest.param([node("n2")], Kind.NODE_MISSING, "nobody",
                     "no such node was read; if it is gone, nothing of the pod runs any more", id="its-node-is-gone"),
    ],
)  # fmt: skip
def test_a_pod_that_runs_and_does_not_serve(around: list[Node], kind: Kind, by: str, text: str) -> None:
    found = why(made({"phase": "Running", **UNREADY}), around=cluster(around))
    assert found is not None
    assert (found.kind, found.by, found.text) == (kind, by, text)
    said = ("", "") if kind is Kind.NODE_MISSING else ("ContainersNotReady", "words")
    assert (found.reason, found.message) == said


@pytest.mark.parametrize(
    ("status", "metadata"),
    [
        pytest.param({"phase": "Pending", **UNREADY}, {}, id="starts"),
        pytest.param({"phase": "Failed", **UNREADY}, {}, id="has-ended"),
        pytest.param({"phase": "Running", **UNREADY}, DELETED, id="is-being-deleted"),
        pytest.param({"phase": "Running", "conditions": [{"type": "Ready", "status": "Unknown"}]}, {}, id="unknown"),
        pytest.param({"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}, {}, id="serves"),
        pytest.param({"phase": "Running", "conditions": [{"type": "PodResizeInProgress", "status": "False"}]}, {},
                     id="of-another-condition"),
    ],
)  # fmt: skip
def test_a_pod_of_which_nobody_says_that_it_should_serve(status: dict[str, Any], metadata: dict[str, Any]) -> None:
    assert why(made(status, metadata=metadata)) is None


def _ended(name: str, reason: str, on: str = "n1", message: str = "words.") -> Pod:
    status = {"phase": "Failed", "reason": reason, "message": message}
    return made(status, nodeName=on, metadata={"name": name, "creationTimestamp": f"2026-01-01T00:00:0{name}Z"})


@pytest.mark.parametrize(
    ("pods", "text"),
    [
        pytest.param([_ended("1", "NodePorts"), _ended("2", "NodePorts")],
                     "each new one is turned away by the kubelet of n1 (2 so far): NodePorts, its host port was in use "
                     "there", id="turned-away"),
        pytest.param([_ended("3", "OutOfcpu", "n2"), _ended("1", "NodePorts"), _ended("2", "NodePorts")],
                     "each new one is turned away by the kubelet of n2, n1 (3 so far): OutOfcpu, when it came, the "
                     "node had too little cpu left", id="the-newest-says-why"),
        pytest.param([_ended("1", "Evicted"), _ended("2", "Evicted")],
                     "each new one is evicted by the kubelet of n1 (2 so far): words", id="evicted"),
        pytest.param([_ended("1", "NodePorts")], "", id="one"),
        pytest.param([_ended("1", "Error"), _ended("2", "Error")], "", id="by-themselves"),
    ],
)  # fmt: skip
def test_what_comes_to_an_end_again_and_again(pods: list[Pod], text: str) -> None:
    found = over_again(pods, cluster([node("n1")]))
    assert (found.text if found else "") == text


GATE = "example.com/served"
NOT_SET = f"its containers are ready, and nobody has set its readiness gate {GATE} to True"
RUNS = [{"type": "ContainersReady", "status": "True"}, {"type": "Ready", "status": "False", "reason": "Waits"}]
UNHEALTHY = [{"type": "ContainersReady", "status": "False"}, {"type": "Ready", "status": "False"}]


@pytest.mark.parametrize(
    ("conditions", "gates", "said", "text"),
    [
        pytest.param(RUNS, [GATE], [], NOT_SET, id="a-gate"),
        pytest.param([*RUNS, {"type": GATE, "status": "False"}], [GATE], [], NOT_SET, id="set-to-false"),
        pytest.param([*RUNS, {"type": GATE, "status": "True"}], [GATE], [],
                     "its containers run, and not all of them are ready", id="the-gate-is-met"),
        pytest.param(UNHEALTHY, [GATE], [], "its containers run, and not all of them are ready",
                     id="containers-come-before-gates"),
        pytest.param(UNHEALTHY, [], [event("Unhealthy", "Readiness probe failed: HTTP probe failed: 503")],
                     "its readiness probe fails: HTTP probe failed: 503", id="a-probe"),
        pytest.param(UNHEALTHY, [], [event("Unhealthy", "Liveness probe errored and resulted in unknown state: x")],
                     "its containers run, and not all of them are ready", id="no-probe-failed"),
        pytest.param(UNHEALTHY, [], [event("BackOff", "Readiness probe failed: x")],
                     "its containers run, and not all of them are ready", id="another-event"),
    ],
)  # fmt: skip
def test_why_a_pod_that_runs_is_not_ready(
    conditions: list[dict[str, str]], gates: list[str], said: list[Event], text: str
) -> None:
    pod = made(
        {"phase": "Running", "conditions": conditions}, readinessGates=[{"conditionType": each} for each in gates]
    )
    found = why(pod, *said)
    assert found is not None
    assert (found.kind, found.text) == (Kind.NOT_READY, text)


@pytest.mark.parametrize(
    ("status", "metadata", "said", "is_stuck"),
    [
        pytest.param({"phase": "Running"}, DELETED, [event("FailedKillPod", "no answer")], True, id="cannot-stop"),
        pytest.param({"phase": "Running"}, DELETED, [event("Killing")], False, id="is-stopping"),
        pytest.param({"phase": "Running"}, {}, [event("FailedKillPod", "no answer")], False, id="is-to-stay"),
        pytest.param({"phase": "Succeeded"}, DELETED, [event("FailedKillPod", "no answer")], False, id="has-ended"),
    ],
)
def test_a_pod_that_its_kubelet_cannot_stop(
    status: dict[str, Any], metadata: dict[str, str], said: list[Event], is_stuck: bool
) -> None:
    found = why(made(status, metadata=metadata), *said)
    assert (found is not None and found.kind is Kind.STUCK_TERMINATING) is is_stuck
    if found is not None:
        assert (found.by, found.text) == ("the kubelet", "the kubelet of n1 cannot stop it: no answer")
