from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.objects.core import Node, NodeAnnotations
from kexplain.objects.node_pools import comes_along, copied_to, fresh_node, next_of_pool, pool_names, pools, variants
from tests.factories import HOSTNAME, controlled_by, node, pod


def machine(machine_set: str) -> Node:
    plain = node("n1")
    return replace(plain, metadata=replace(plain.metadata, annotations=NodeAnnotations(machine_set=machine_set)))


@pytest.mark.parametrize(
    ("made", "pool"),
    [
        (node(labels={"karpenter.sh/nodepool": "spot"}), "spot"),
        (node(labels={"cloud.google.com/gke-nodepool": "general"}), "general"),
        (node(labels={"eks.amazonaws.com/nodegroup": "workers"}), "workers"),
        (node(labels={"kubernetes.azure.com/agentpool": "system"}), "system"),
        (machine("md-0-7c9d5f"), "md-0"),
        (machine("md-0-7c9d5fxk2-abcde"), "md-0"),
        (node(labels={"pool": "databases"}), "databases"),
        (node(labels={"node-role.kubernetes.io/control-plane": ""}), "control-plane"),
        (node(labels={"node.kubernetes.io/instance-type": "m5.2xlarge"}), "m5.2xlarge"),
        (node(cpu="4", memory="16305Mi"), "4 CPU, 16Gi"),
        (node(cpu="4", memory="16Gi", labels={"node-role.kubernetes.io/worker": ""}), "4 CPU, 16Gi"),
        (node(cpu="4", memory="16Gi", labels={"node-role.kubernetes.io/infra": ""}), "infra, 4 CPU, 16Gi"),
        (node(cpu="4", memory="16Gi", taints=["dedicated=db:NoSchedule"]), "4 CPU, 16Gi, dedicated=db:NoSchedule"),
        (node(cpu="4", memory="512Mi", further={"nvidia.com/gpu": "2"}), "4 CPU, 512Mi, 2 nvidia.com/gpu"),
    ],
)
def test_pool(made: Node, pool: str) -> None:
    assert pool_names([made]) == {made.name: pool}


def test_pools_keep_the_order_of_nodes() -> None:
    nodes = [node("b", cpu="2"), node("a", cpu="4"), node("c", cpu="2")]
    assert [[each.name for each in members] for members in pools(nodes).values()] == [["b", "c"], ["a"]]


def test_a_fresh_node_is_like_its_pool_and_not_like_its_model_is_now() -> None:
    model = node(
        "n1", labels={"pool": "x"}, taints=["dedicated=x:NoSchedule", "node.kubernetes.io/disk-pressure:NoSchedule"]
    )
    model = replace(model, spec=replace(model.spec, unschedulable=True))
    fresh = fresh_node(model, "n2")
    assert (fresh.name, fresh.labels["pool"], fresh.labels.get(HOSTNAME, "n2")) == ("n2", "x", "n2")
    assert [str(taint) for taint in fresh.spec.taints or ()] == ["dedicated=x:NoSchedule"]
    assert not fresh.spec.unschedulable
    assert fresh.metadata.uid is None


@pytest.mark.parametrize(
    ("made", "is_there"),
    [
        (pod(owner=controlled_by("DaemonSet", "agent")), True),
        (pod(mirror=True), True),
        (pod(owner=controlled_by("ReplicaSet", "web")), False),
        (pod(), False),
    ],
)
def test_what_comes_with_a_node(made: object, is_there: bool) -> None:
    assert comes_along(made) is is_there  # type: ignore[arg-type]


def test_a_copy_runs_on_its_node() -> None:
    copy = copied_to(pod("agent-n1", uid="1", node="n1"), "n2")
    assert (copy.name, copy.spec.node_name, copy.metadata.uid) == ("agent-n1-n2", "n2", None)


def test_pools_of_one_name_say_whose_they_are() -> None:
    of_karpenter = node("k1", labels={"karpenter.sh/nodepool": "general"})
    of_group = node("g1", labels={"eks.amazonaws.com/nodegroup": "general"})
    other = node("o1", labels={"eks.amazonaws.com/nodegroup": "batch"})
    assert list(pools([of_karpenter, of_group, other])) == [
        "general (Karpenter)",
        "general (eks.amazonaws.com/nodegroup)",
        "batch",
    ]


def test_a_pool_has_zones_and_sizes() -> None:
    zones, kind = "topology.kubernetes.io/zone", "node.kubernetes.io/instance-type"
    made = [
        node("old", labels={zones: "a", kind: "m5.large"}),
        node("new", labels={zones: "a", kind: "m5.large"}),
        node("b", labels={zones: "b", kind: "m5.large"}),
        node("big", labels={zones: "a", kind: "m5.xlarge"}),
    ]
    dated = [
        replace(each, metadata=replace(each.metadata, creation_timestamp=f"2026-11-0{day}T00:00:00Z"))
        for day, each in enumerate(made, 1)
    ]
    assert [each.name for each in variants(dated)] == ["big", "b", "new"]


@pytest.mark.parametrize(("zones", "zones_of_new"), [("aab", "bab"), ("aaa", "aaa"), ("abc", "abc"), ("aaabbc", "cbc")])
def test_a_pool_grows_where_it_has_fewest(zones: str, zones_of_new: str) -> None:
    label = "topology.kubernetes.io/zone"
    made = [node(f"n{number}", labels={label: zone}) for number, zone in enumerate(zones)]
    assert "".join(each.labels[label] for each in next_of_pool(made, 3)) == zones_of_new
