"""Who is at fault behind what keeps a pod from running, and what would mend that."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.diagnosis.culprits import provisioner_of
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Node, NodeCondition, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.records import Action
from tests.diagnosis.test_components import FAILS, READY, daemon_set, made
from tests.factories import cluster, node, pod
from tests.storage_factories import csi_node

TAINT = "agent.acme.io/not-ready:NoSchedule"


def why(asking: Pod, nodes: list[Node], pods: list[Pod], *others: KubernetesObject) -> PodExplanation:
    idle = [each for each in pods if not each.spec.node_name]
    around = cluster(nodes, [each for each in pods if each.spec.node_name], *others, *idle)
    (found,) = explain(Case(around, (PodToPlace(asking),))).pods
    return found


def test_a_crash_looping_agent_is_the_culprit() -> None:
    broken = made("agent-1", "n1", containerStatuses=FAILS)
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT])], [broken])
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(", as DaemonSet a/acme-agent, which clears that taint, crash-loops on n1")
    assert found.diagnosis.culprit is not None
    assert (found.diagnosis.culprit.kind, found.diagnosis.culprit.name) == ("DaemonSet", "acme-agent")
    (remedy,) = found.remedies
    assert remedy.action == Action.CHECK_CONTROLLER
    assert remedy.commands == ("kubectl logs --previous --all-containers agent-1 -n a",)


def test_an_agent_that_does_not_tolerate_its_own_taint_is_to_tolerate_it() -> None:
    waiting = made("agent-1", "n1", on=False)
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT])], [waiting], daemon_set())
    assert found.diagnosis is not None
    assert "is pending itself: its pod agent-1 does not tolerate agent.acme.io/not-ready" in found.diagnosis.text
    (remedy,) = found.remedies
    (change,) = remedy.changes
    assert change.target.name == "acme-agent"
    assert change.operations[0]["value"] == [{"key": "agent.acme.io/not-ready", "operator": "Exists"}]


def test_the_pod_that_would_clear_the_taint_is_told_so() -> None:
    waiting = made("agent-1", "n1", on=False)
    found = why(waiting, [node("n1", taints=[TAINT])], [waiting], daemon_set())
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(
        "; this pod itself would clear agent.acme.io/not-ready, and does not tolerate it"
    )


def test_an_agent_that_runs_is_not_blamed() -> None:
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT])], [made("agent-1", "n1", conditions=READY)])
    assert found.diagnosis is not None
    assert "agent" not in found.diagnosis.text.partition(")")[2]
    assert found.diagnosis.culprit is not None
    assert found.diagnosis.culprit.kind == "Node"


def test_kubelets_that_wait_for_their_network_name_its_plugin() -> None:
    message = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
    sick = node("n1", taints=["node.kubernetes.io/not-ready:NoSchedule"])
    condition = NodeCondition(type="Ready", status="False", message=message)
    sick = replace(sick, status=replace(sick.status, conditions=(condition,)))
    found = why(pod("web", cpu="1"), [sick], [made("cilium-1", "n1", of="cilium", containerStatuses=FAILS)])
    assert found.diagnosis is not None
    assert "a/cilium, which sets up their network, crash-loops" in found.diagnosis.text


@pytest.mark.parametrize(
    ("around", "is_blamed"),
    [
        pytest.param([made("agent-1", "n1", containerStatuses=FAILS)], True, id="fails"),
        pytest.param([made("agent-1", "n1", conditions=READY)], False, id="runs"),
        pytest.param([], False, id="nobody-knows"),
    ],
)
def test_who_makes_volumes(around: list[Pod], is_blamed: bool) -> None:
    care = provisioner_of("csi.acme.io", cluster([node("n1")], around))
    assert (care is not None) == is_blamed


def test_a_driver_that_a_node_has_registered_is_there() -> None:
    assert (
        provisioner_of("csi.acme.io", cluster([node("n1")], [], csi_node("n1", {"disks.agent.acme.io": None}))) is None
    )
