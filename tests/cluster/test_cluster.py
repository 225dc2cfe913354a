from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from kexplain.cluster import Cluster, Listers, PodInfo
from kexplain.cluster.images import ImageState
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod, ReplicationController, Service
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.quantity import QuantityError
from kexplain.objects.requests import RequestRules
from kexplain.objects.well_known import ZONE
from tests.factories import (
    budget,
    cluster,
    container,
    namespace,
    node,
    pod,
    replica_set,
    replication_controller,
    selector,
    service,
    stateful_set,
)
from tests.load.snapshot.dumps import as_in_a_cluster, dumps, read
from tests.load.snapshot.stored import running, snapshot_of


def names(pods: Iterable[PodInfo]) -> list[str]:
    return [each.pod.name for each in pods]


def test_pods_are_found_on_their_nodes() -> None:
    made = cluster([node("n1"), node("n2")], [pod("a", node="n2", cpu="1"), pod("b", node="n2"), pod("pending")])
    assert names(made.node_info_by_name["n1"].pods) == []
    assert names(made.node_info_by_name["n2"].pods) == ["a", "b"]
    assert made.node_info_by_name["n2"].requested.cpu_milli == 1000


@pytest.mark.parametrize(
    "unseen",
    [
        pytest.param(pod("p", node="n1", cpu="1", phase="Succeeded"), id="succeeded"),
        pytest.param(pod("p", node="n1", cpu="1", phase="Failed"), id="failed"),
        pytest.param(pod("p", node="gone", cpu="1"), id="node-is-not-there"),
        pytest.param(pod("p", nominated="n1", cpu="1", phase="Failed"), id="finished-nominee"),
        pytest.param(pod("p", cpu="1"), id="pending"),
    ],
)
def test_pods_that_take_nothing(unseen: Pod) -> None:
    made = cluster([node("n1")], [unseen])
    assert made.node_info_by_name["n1"].pods == []
    assert made.nominated_by_node == {}


def test_terminating_pods_still_take_their_share() -> None:
    made = cluster([node("n1")], [pod("p", node="n1", cpu="1", deleting=True)])
    assert made.node_info_by_name["n1"].requested.cpu_milli == 1000


def test_later_objects_replace_earlier_ones_of_the_same_name() -> None:
    made = cluster(
        [node("n1", cpu="1"), node("n2"), node("n1", cpu="2")],
        [pod("p", node="n1"), pod("p", node="n2"), pod("p", namespace="other", node="n1")],
    )
    assert [info.name for info in made.node_infos] == ["n1", "n2"]
    assert made.node_info_by_name["n1"].allocatable.cpu_milli == 2000
    assert [info.pod.key for info in made.node_info_by_name["n1"].pods] == ["other/p"]
    assert [info.pod.key for info in made.node_info_by_name["n2"].pods] == ["default/p"]


def test_nodes_are_interleaved() -> None:
    made = cluster([node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")])
    assert [info.name for info in made.node_infos] == ["a1", "b1", "a2"]


def test_nominated_pods_are_kept_apart() -> None:
    made = cluster(
        [node("n1")], [pod("a", nominated="n1"), pod("b", nominated="n1"), pod("c", nominated="n1", node="n1")]
    )
    assert names(made.nominated_by_node["n1"]) == ["a", "b"]
    assert names(made.node_info_by_name["n1"].pods) == ["c"]


def test_rules_decide_what_is_counted() -> None:
    whole = pod("p", node="n1", cpu="1", whole={"cpu": "3"})
    made = cluster([node("n1")], [whole], rules=RequestRules(pod_level_resources=False))
    assert made.node_info_by_name["n1"].requested.cpu_milli == 1000
    assert made.pod_info(whole).resource.requested.cpu_milli == 1000
    assert not made.rules.pod_level_resources


def test_amount_that_is_none_is_an_error() -> None:
    with pytest.raises(QuantityError):
        cluster([node("n1", cpu="plenty")])
    with pytest.raises(QuantityError):
        cluster([node("n1")], [pod("p", node="n1", cpu="plenty")])


# --------------------------------------------------------------------------------------------- what-if changes


def test_assume_copies_one_node_only() -> None:
    incoming = pod("p", cpu="1", nominated="n2")
    before = cluster([node("n1"), node("n2")], [incoming, pod("a", node="n1")])
    after = before.assume(incoming, "n1")
    assert names(after.node_info_by_name["n1"].pods) == ["a", "p"]
    assert after.node_info_by_name["n1"].requested.cpu_milli == 1000
    assert after.nominated_by_node == {}
    assert after.node_info_by_name["n2"] is before.node_info_by_name["n2"]
    assert after.listers is before.listers
    assert names(before.node_info_by_name["n1"].pods) == ["a"]
    assert before.node_info_by_name["n1"].requested.cpu_milli == 0
    assert names(before.nominated_by_node["n2"]) == ["p"]


def test_with_no_other_nodes_it_is_the_same_cluster() -> None:
    there = cluster([node("a"), node("b")], [pod("p", node="a")])
    assert there.with_nodes(()) is there


def test_assume_needs_a_node_that_is_there() -> None:
    with pytest.raises(KeyError):
        cluster([node("n1")]).assume(pod(), "n2")


def test_nominate_moves_the_nomination() -> None:
    incoming, other = pod("p", nominated="n1"), pod("q", nominated="n1")
    before = cluster([node("n1"), node("n2")], [incoming, other])
    after = before.nominate(incoming, "n2")
    assert names(after.nominated_by_node["n1"]) == ["q"]
    assert names(after.nominated_by_node["n2"]) == ["p"]
    assert names(before.nominated_by_node["n1"]) == ["p", "q"]
    assert all(a is b for a, b in zip(after.node_infos, before.node_infos, strict=True))
    assert names(after.nominate(other, "n2").nominated_by_node["n2"]) == ["p", "q"]


def test_without_copies_the_nodes_that_change() -> None:
    leaving = [pod("a", node="n1", cpu="1"), pod("b", node="n1", cpu="1"), pod("c", nominated="n2")]
    before = cluster([node("n1"), node("n2")], [*leaving, pod("d", node="n1", cpu="2"), pod("e", node="n2")])
    after = before.without(leaving)
    assert names(after.node_info_by_name["n1"].pods) == ["d"]
    assert after.node_info_by_name["n1"].requested.cpu_milli == 2000
    assert after.nominated_by_node == {}
    assert after.node_info_by_name["n2"] is before.node_info_by_name["n2"]
    assert names(before.node_info_by_name["n1"].pods) == ["a", "b", "d"]
    assert names(before.nominated_by_node["n2"]) == ["c"]


def test_without_nobody_changes_nothing() -> None:
    before = cluster([node("n1")], [pod("a", node="n1")])
    assert before.without([pod("a", node="n1")]).node_infos == before.node_infos


def test_changes_keep_the_order_of_nodes() -> None:
    before = cluster([node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")])
    after = before.assume(pod(), "b1")
    assert [info.name for info in after.node_infos] == ["a1", "b1", "a2"]


# ------------------------------------------------------------------------------------------------ everything else


def test_listers_sort_by_kind() -> None:
    objects = [
        service("s", {"a": "1"}),
        replica_set("rs", selector()),
        stateful_set("ss", selector()),
        replication_controller("rc", {}),
        budget("b", selector()),
        namespace("team", {"stage": "x"}),
    ]
    listers = Listers.of(objects)
    assert [each.name for each in listers.every(Service)] == ["s"]
    assert [each.name for each in listers.every(ReplicaSet)] == ["rs"]
    assert [each.name for each in listers.every(StatefulSet)] == ["ss"]
    assert [each.name for each in listers.every(ReplicationController)] == ["rc"]
    assert [each.name for each in listers.every(PodDisruptionBudget)] == ["b"]
    assert listers.namespace_labels == {"team": {"stage": "x"}}


def test_listers_keep_the_last_of_a_name() -> None:
    listers = Listers.of(
        [service("s", {"a": "1"}), service("t", {}), service("s", {"a": "2"}), service("s", {}, "other")]
    )
    assert [(each.key, each.spec.selector) for each in listers.every(Service)] == [
        ("default/s", {"a": "2"}), ("default/t", {}), ("other/s", {}),
    ]  # fmt: skip


def test_image_states() -> None:
    made = cluster(
        [
            node("a1", zone="a", images={"x:1": 10}),
            node("a2", zone="a", images={"x:1": 20, "y:1": 5}),
            node("b1", zone="b"),
        ]
    )
    assert made.image_states(["x:1", "y:1", "z:1"]) == {
        "x:1": ImageState(10, {"a1": 1, "a2": 2}),
        "y:1": ImageState(5, {"a2": 1}),
    }


def test_images_are_looked_up_anew_where_nodes_join_that_hold_some() -> None:
    made = cluster([node("n1", images={"x:1": 10}), node("n2")])
    known = made.image_states(["x:1"])
    assert made.with_nodes([node("n3")]).image_states(["x:1"])["x:1"] is known["x:1"]
    for one, holders in (("n3", {"n1": 1, "n3": 2}), ("n2", {"n1": 1, "n2": 2})):
        grown = made.with_nodes([node(one, images={"x:1": 10})])
        assert grown.image_states(["x:1"]) == {"x:1": ImageState(10, holders)}
    assert made.with_nodes([node("n3", images={"x:1": 5})], gone=["n1"]).image_states(["x:1"]) == {
        "x:1": ImageState(5, {"n3": 1})
    }
    assert made.with_nodes([], gone=["n1"]).image_states(["x:1"]) == {}
    assert made.with_nodes([], gone=["n2"]).image_states(["x:1"])["x:1"] is known["x:1"]


def test_images_are_ordered_as_listed_not_as_interleaved() -> None:
    made = cluster(
        [node("a1", zone="a"), node("a2", zone="a", images={"x:1": 20}), node("b1", zone="b", images={"x:1": 10})]
    )
    assert [info.name for info in made.node_infos] == ["a1", "b1", "a2"]
    assert made.image_states(["x:1"])["x:1"].size_bytes == 20
    assert made.assume(pod(containers=[container()]), "b1").image_states(["x:1"])["x:1"].size_bytes == 20


def test_requests_are_counted_by_other_rules() -> None:
    nodes, whole = [node("n1")], pod("whole", cpu="1", whole={"cpu": "2"}, node="n1")
    waiting = pod("waiting", cpu="1", whole={"cpu": "3"}, nominated="n1")
    made, rules = cluster(nodes, [whole, waiting]), RequestRules(pod_level_resources=False)
    assert made.counted_by(made.rules) is made
    for counted, cpu_milli in ((made, [2000, 3000]), (made.counted_by(rules), [1000, 1000])):
        every = (*counted.node_infos[0].pods, *counted.nominated_by_node["n1"])
        assert [info.resource.requested.cpu_milli for info in every] == cpu_milli
        assert counted.node_infos[0].requested.cpu_milli == cpu_milli[0]


def test_groups_stay_where_requests_are_counted_otherwise() -> None:
    made = cluster([node("n1")], [pod("p", node="n1", group="g"), pod("q", group="g")])
    assert made.counted_by(RequestRules(resizes_count_in_sum=True)).groups is made.groups


def test_without_finds_pods_where_they_were_put() -> None:
    one, namesake = pod("a"), pod("a", namespace="other")
    placed = cluster([node("n1"), node("n2")]).assume(one, "n1").assume(namesake, "n2")
    left = placed.without([namesake, pod("waiting")])
    assert [info.pod for info in left.node_info_by_name["n1"].pods] == [one]
    assert left.node_info_by_name["n2"].pods == []
    assert left.node_info_by_name["n1"] is placed.node_info_by_name["n1"]


@pytest.mark.parametrize("zone", ["a", "b", "c"])
def test_changed_nodes_stand_where_they_would_from_the_start(zone: str) -> None:
    nodes = [node(name, labels={ZONE: at}) for name, at in (("n1", "a"), ("n2", "a"), ("n3", "b"), ("n4", "a"))]
    running = [pod("p", node="n2", cpu="1")]
    changed = node("n2", labels={ZONE: zone}, cordoned=True)
    made = cluster(nodes, running).with_nodes([changed])
    fresh = cluster([nodes[0], changed, *nodes[2:]], running)
    assert [info.name for info in made.node_infos] == [info.name for info in fresh.node_infos]
    assert names(made.node_info_by_name["n2"].pods) == ["p"]
    assert made.node_info_by_name["n2"].node is changed


def test_pods_on_their_way_out_are_known_by_node() -> None:
    going = pod("going", node="n1", deleting=True)
    made = cluster([node("n1"), node("n2")], [going, pod("stays", node="n1")])
    assert {name: [*pods] for name, pods in made.leaving_pods.on_nodes.items()} == {"n1": ["default/going"]}
    left = made.without([going])
    assert left.leaving_pods.on_nodes == {}
    assert [*left.assume(going, "n2").leaving_pods.on_nodes] == ["n2"]


def _accounts(there: Cluster) -> list[Any]:
    return [
        (
            info.name,
            [
                (each.pod.key, each.resource.key, repr(each.terms), each.host_ports, each.namespace)
                for each in info.pods
            ],
            [each.pod.key for each in info.pods_with_affinity],
            [each.pod.key for each in info.pods_with_required_anti_affinity],
            info.requested.amounts(),
            info.non_zero_cpu_milli,
            info.non_zero_memory_bytes,
            info.used_ports,
        )
        for info in there.node_infos
    ]


def _built(objects: Objects) -> Cluster:
    stored = objects.stored
    pods = [obj for obj in objects.others if isinstance(obj, Pod) and not (stored and stored.is_loose(obj))]
    return Cluster.of(objects.of(Node), pods, stored=stored)


def test_pods_of_a_snapshot_are_accounted_for_as_those_of_a_dump() -> None:
    compared = 0
    for name, written in dumps():
        loaded = read(as_in_a_cluster(written))
        try:
            expected = _accounts(Cluster.of(loaded.objects.of(Node), loaded.objects.of(Pod)))
        except QuantityError:
            continue
        objects = read(encode_snapshot(loaded, taken_at="")).objects
        assert _accounts(_built(objects)) == expected, name
        compared += objects.stored is not None
    assert compared > 100


def test_a_stored_pod_may_be_gone() -> None:
    objects = snapshot_of(running("a", cpu=1), running("b", cpu=2), pod("c", uid="c", nominated="n1"))
    assert objects.stored is not None
    gone = objects.pods_named({"b", "c"})
    there = Cluster.of(objects.of(Node), [], stored=objects.stored.without({*map(id, gone)}))
    assert ([each.name for each in there.pods], there.nominated_by_node) == (["a"], {})
    assert _built(objects).nominated_by_node.keys() == {"n1"}
    assert there.node_infos[0].requested.cpu_milli == 1000
