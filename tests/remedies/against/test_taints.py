from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.core import Node, NodeCondition, NodeSystemInfo, Pod, Toleration
from tests.factories import HOSTNAME, cluster, controlled_by, node, pod, spread, toleration

TAINT = "node-role.kubernetes.io/control-plane:NoSchedule"
PLANE = node("cp", taints=[TAINT])


@pytest.mark.parametrize(
    ("others", "first"),
    [
        pytest.param([], f"remove the taint {TAINT} from cp", id="nothing but control planes"),
        pytest.param([node("n1", cpu="1")], "request at most 1 cpu (now 2)", id="a worker that is too small"),
    ],
)
def test_control_planes_are_opened_where_there_is_nothing_else(others: list[Node], first: str) -> None:
    (explained,) = explain(Case(cluster([PLANE, *others]), (PodToPlace(pod(cpu="2")),))).pods
    assert explained.remedies[0].text == first


def test_a_taint_gets_the_value_back_that_pods_there_tolerate() -> None:
    tolerant = [toleration("dedicated", "databases", effect="NoSchedule")]
    running = pod("old", node="n1", owner=controlled_by("ReplicaSet", "db"), tolerations=tolerant)
    tainted = node("n1", taints=["dedicated=db:NoSchedule"])
    wanting = pod("new", owner=controlled_by("ReplicaSet", "db"), tolerations=tolerant)
    (explained,) = explain(Case(cluster([tainted], [running]), (PodToPlace(wanting),))).pods
    first = explained.remedies[0]
    assert (first.action, first.text) == ("remove-taint", "set dedicated=databases:NoSchedule again on n1, as it was")
    assert first.commands == ("kubectl taint node n1 dedicated=databases:NoSchedule --overwrite",)


def test_a_pool_that_is_cordoned_and_ails_is_repaired_as_well() -> None:
    pressed = [node(f"n{n}", cordoned=True, taints=["node.kubernetes.io/disk-pressure:NoSchedule"]) for n in (1, 2)]
    (explained,) = explain(Case(cluster(pressed), (PodToPlace(pod()),))).pods
    first = explained.remedies[0]
    assert first.action == "mend-node"
    assert first.text == "repair and uncordon n1 and n2 (under disk pressure); n1 alone is enough"


def test_reserved_nodes_that_count_for_a_spread_are_left_out_first() -> None:
    owner, labels = controlled_by("ReplicaSet", "web"), {"app": "web"}
    there = ("n1", "n2", "n3")
    nodes = [
        *map(node, there),
        node("n4", cordoned=True, taints=["node.kubernetes.io/unschedulable:NoSchedule"]),
        node("g1", taints=["gpu=true:NoSchedule"]),
    ]
    spreading = [spread(HOSTNAME, labels)]
    running = [pod(f"web-{name}", node=name, labels=labels, owner=owner, spread=spreading) for name in there]
    asking = pod("web-new", labels=labels, owner=owner, spread=spreading)
    (found,) = explain(Case(cluster(nodes, running), (PodToPlace(asking),))).pods
    assert found.remedies[0].action == "honor-taints"


AGENT = "node.cilium.io/agent-not-ready:NoSchedule"


@pytest.mark.parametrize(
    ("others", "first"),
    [
        pytest.param([pod("older", node="n1")], f"remove the taint {AGENT} from n1 and n2", id="pods came before it"),
        pytest.param([], "repair n1 and n2 (not initialized yet: node.cilium.io/agent-not-ready); n1 alone is enough",
                     id="nobody runs there"),
    ],
)  # fmt: skip
def test_a_startup_taint_that_was_left_behind_is_taken_off(others: list[Pod], first: str) -> None:
    nodes = [node(name, taints=[AGENT], labels={"eks.amazonaws.com/nodegroup": "a"}) for name in ("n1", "n2")]
    (explained,) = explain(Case(cluster(nodes, others), (PodToPlace(pod()),))).pods
    assert explained.remedies[0].text == first


@pytest.mark.parametrize(
    ("host_network", "tolerations", "tolerates"),
    [
        pytest.param(True, [toleration("node.kubernetes.io/not-ready")], True, id="part of the start"),
        pytest.param(False, [toleration("node.kubernetes.io/not-ready")], False, id="needs the network"),
        pytest.param(True, [], False, id="waits for all of it"),
    ],
)
def test_what_brings_nodes_up_may_run_before_they_are(
    *, host_network: bool, tolerations: list[Toleration], tolerates: bool
) -> None:
    nodes = [node("n1", taints=["node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule"])]
    wanting = pod(tolerations=tolerations)
    wanting = replace(wanting, spec=replace(wanting.spec, host_network=host_network))
    (explained,) = explain(Case(cluster(nodes), (PodToPlace(wanting),))).pods
    assert any(each.action == "tolerate" for each in explained.remedies) == tolerates


def test_nodes_with_devices_are_kept_from_who_asks_for_none() -> None:
    tainted = node("g1", taints=["acme.com/gpu=true:NoSchedule"], labels={"cloud.google.com/gke-nodepool": "gpu"})
    broken = replace(tainted, status=replace(tainted.status, capacity={"acme.com/gpu": "1"}))
    # Pods that run there from before say nothing of a taint that is called as the devices.
    there = [pod("older", node="g1"), pod("full", cpu="4", node="n1")]
    (explained,) = explain(Case(cluster([node("n1"), broken], there), (PodToPlace(pod(cpu="1")),))).pods
    assert explained.diagnosis is not None
    assert explained.diagnosis.text == "no room on node n1"
    assert not any(each.action == "remove-taint" for each in explained.remedies)


LEAVING = "ToBeDeletedByClusterAutoscaler=1767225600:NoSchedule"
MARKED = "node.kubernetes.io/out-of-service=down:NoExecute"


@pytest.mark.parametrize(
    ("mark", "now", "ready", "expected"),
    [
        pytest.param(LEAVING, "2026-01-01T01:00:00Z", "True", f"remove the taint {LEAVING} from n1", id="given-up"),
        pytest.param(LEAVING, "2026-01-01T00:20:00Z", "True", "", id="under-way"),
        pytest.param(LEAVING, "", "True", "", id="nobody-knows"),
        pytest.param("ToBeDeletedByClusterAutoscaler=x:NoSchedule", "2026-01-01T01:00:00Z", "True", "", id="no-moment"),
        pytest.param(MARKED, "", "True", f"remove the taint {MARKED} from n1", id="is-back"),
        pytest.param(MARKED, "", "Unknown", "repair n1 (unreachable)", id="is-down"),
    ],
)
def test_taints_that_somebody_has_forgotten(mark: str, now: str, ready: str, expected: str) -> None:
    there = node("n1", taints=[mark])
    condition = NodeCondition(type="Ready", status=ready, last_heartbeat_time=now or None)
    there = replace(there, status=replace(there.status, conditions=(condition,)))
    (explained,) = explain(Case(cluster([there]), (PodToPlace(pod("new")),))).pods
    mending = [each.text for each in explained.remedies if each.action in ("remove-taint", "mend-node")]
    assert mending == ([expected] if expected else [])


OFF = "drain=now:NoExecute"


@pytest.mark.parametrize(
    ("nodes", "there", "is_offered"),
    [
        pytest.param([PLANE, node("n1", taints=[OFF]), node("n2", taints=[OFF])], [], True, id="all are empty"),
        pytest.param([node("n1", taints=[OFF]), node("n2", cordoned=True)], [], False, id="one is without"),
        pytest.param([node("n1", taints=["drain=now:NoSchedule"])], [], False, id="who runs may stay"),
        pytest.param(
            [node("n1", taints=[OFF])],
            [pod("a", node="n1", owner=controlled_by("ReplicaSet", "a"), tolerations=[toleration("drain", "now")])],
            False,
            id="somebody has it to himself",
        ),
        pytest.param(
            [node("n1", taints=[OFF])],
            [pod("a", node="n1", owner=controlled_by("DaemonSet", "a"), tolerations=[toleration("drain", "now")])],
            True,
            id="an agent has nobody's node",
        ),
    ],
)
def test_a_taint_that_emptied_all_nodes_is_taken_off(nodes: list[Node], there: list[Pod], is_offered: bool) -> None:
    (explained,) = explain(Case(cluster(nodes, there), (PodToPlace(pod(cpu="1")),))).pods
    assert any(each.action == "remove-taint" for each in explained.remedies) is is_offered


def cordoned_of_release(name: str, kubelet: str) -> Node:
    made = node(name, cordoned=True)
    return replace(made, status=replace(made.status, node_info=NodeSystemInfo(kubelet_version=kubelet)))


@pytest.mark.parametrize(
    ("releases", "texts"),
    [
        pytest.param(
            ("v1.33.9", "v1.33.10"),
            [
                "uncordon n2, which runs v1.33.10 by now, once the reason for the cordon is known",
                "uncordon n1, once its upgrade to v1.33.10 is over (kubelet now v1.33.9)",
            ],
            id="one-is-done",
        ),
        pytest.param(
            ("v1.33.9", "v1.33.9"),
            ["uncordon n1 and n2, once the reason for the cordon is known; n1 alone is enough"],
            id="nobody-knows",
        ),
        pytest.param(
            ("", "v1.33.9"),
            ["uncordon n1 and n2, once the reason for the cordon is known; n1 alone is enough"],
            id="unknown",
        ),
    ],
)
def test_of_cordoned_nodes_that_is_uncordoned_which_is_upgraded(releases: tuple[str, str], texts: list[str]) -> None:
    nodes = [cordoned_of_release(f"n{n}", release) for n, release in enumerate(releases, start=1)]
    full = node("n3", cpu="1")
    (explained,) = explain(Case(cluster([*nodes, full]), (PodToPlace(pod(cpu="2")),))).pods
    found = [each for each in explained.remedies if each.action == "uncordon"]
    assert [each.text for each in found] == texts
    assert [each.commands for each in found if "alone is enough" in each.text] in ([], [("kubectl uncordon n1",)])


@pytest.mark.parametrize(("created", "is_enough"), [("10:01", False), ("10:03", True)], ids=["among-them", "later"])
def test_one_node_is_enough_for_a_workload_only_behind_those_that_are_tried_among_its_pods(
    created: str, is_enough: bool
) -> None:
    def waiting(name: str, time: str, of: str) -> Pod:
        made = pod(name, cpu="1", owner=controlled_by("ReplicaSet", of), uid=name)
        return replace(made, metadata=replace(made.metadata, creation_timestamp=f"2026-11-01T{time}:00Z"))

    pending = [waiting("a-1", "10:00", "a"), waiting("a-2", "10:02", "a"), waiting("b-1", created, "b")]
    nodes = [node(name, cpu="2", cordoned=True) for name in ("n1", "n2")]
    found = explain(Case(cluster(nodes, [], *pending), tuple(map(PodToPlace, pending)))).pods[0].remedies
    assert any("n1 alone is enough" in each.text for each in found) is is_enough
