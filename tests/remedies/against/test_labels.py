"""Labels that nodes are given, and those that nobody gives them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.core import (
    Namespace,
    NamespaceAnnotations,
    NamespaceMeta,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Volume,
)
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.scheduling import RuntimeClass, Scheduling
from kexplain.remedies.records import Rank
from tests.factories import HOSTNAME, affinity, cluster, controlled_by, in_, node, node_affinity, node_term, pod, volume

AMPERE = "nvidia.com/gpu.product"


@pytest.mark.parametrize(
    ("asked", "labels", "first", "labelling"),
    [
        pytest.param(in_("disk", "nvme"), {}, "relax-node-affinity", Rank.MENDS, id="of-ones-own"),
        pytest.param(in_(AMPERE, "A100"), {AMPERE: "L4"}, "relax-node-affinity", None, id="what-the-device-says"),
        pytest.param(in_("gen", "6", operator="Gt"), {"gen": "5"}, "relax-node-affinity", None, id="a-number"),
        pytest.param(
            in_("pool", "web", operator="NotIn"), {"pool": "web"}, "relax-node-affinity", Rank.LAST_RESORT, id="to-drop"
        ),
        pytest.param(
            in_("kubernetes.io/os", "Linux"), {"kubernetes.io/os": "linux"}, "check-manifest", None, id="case"
        ),
    ],
)
def test_who_is_labelled(
    asked: NodeSelectorRequirement, labels: dict[str, str], first: str, labelling: Rank | None
) -> None:
    wanting = pod(affinity=affinity(node=node_affinity(node_term(asked))))
    there = cluster([node("n1", labels=labels), node("n2", labels=labels)])
    (found,) = explain(Case(there, (PodToPlace(wanting),)), last_resorts=True).pods
    ranks = {each.action: each.rank for each in found.remedies}
    assert (next(iter(ranks)), ranks.get("label-node")) == (first, labelling)


def test_what_a_namespace_asks_for_is_changed_there() -> None:
    said = NamespaceAnnotations(openshift_node_selector="env=staging,disk=ssd")
    home = Namespace(metadata=NamespaceMeta(name="default", annotations=said))
    wanting = pod(node_selector={"env": "staging", "own": "yes"})
    there = cluster([node("n1", labels={"own": "yes"})], (), home)
    (found,) = explain(Case(there, (PodToPlace(wanting),))).pods
    assert found.diagnosis is not None
    assert found.diagnosis.text == "no node has a label env, which an annotation of namespace default adds to each pod"
    first = "change the annotation of namespace default, which has each pod ask for env=staging"
    assert (found.remedies[0].text, found.remedies[0].tried) == (first, False)


def test_one_of_several_nodes_is_labelled() -> None:
    there = cluster([node("n1"), node("n2")])
    (found,) = explain(Case(there, (PodToPlace(pod(node_selector={"ingress": "yes"})),))).pods
    texts = [each.text for each in found.remedies if each.action == "label-node"]
    assert texts == ["label n1 or another of 2 such nodes with ingress=yes"]


def test_what_a_runtime_class_asks_for_is_changed_there() -> None:
    runtime = RuntimeClass(
        metadata=ObjectMeta(name="gvisor"), handler="runsc", scheduling=Scheduling(node_selector={"runtime": "gvisor"})
    )
    wanting = pod(node_selector={"runtime": "gvisor"})
    wanting = replace(wanting, spec=replace(wanting.spec, runtime_class_name="gvisor"))
    (found,) = explain(Case(cluster([node("n1")], (), runtime), (PodToPlace(wanting),))).pods
    assert found.remedies[0].text == "change RuntimeClass gvisor, which has each pod ask for runtime=gvisor"


def test_the_label_is_given_back_that_pods_of_others_ask_for() -> None:
    running = pod("vm-1", node="n1", node_selector={"machines": "yes"}, owner=controlled_by("VirtualMachine", "vm-1"))
    there = cluster([node("n1"), node("n2")], [running])
    (found,) = explain(Case(there, (PodToPlace(pod(node_selector={"machines": "yes"})),))).pods
    assert (found.remedies[0].action, found.remedies[0].rank) == ("label-node", Rank.MENDS)


@pytest.mark.parametrize(
    ("kind", "rank"), [pytest.param("ReplicaSet", Rank.MENDS, id="web"), pytest.param("DaemonSet", None, id="daemon")]
)
def test_a_tie_to_a_node_that_is_gone_is_dropped(kind: str, rank: Rank | None) -> None:
    pinned = NodeSelectorTerm(match_fields=(in_("metadata.name", "gone"),))
    wanting = pod(affinity=affinity(node=node_affinity(pinned)), owner=controlled_by(kind, "web"))
    (found,) = explain(Case(cluster([node("n1")]), (PodToPlace(wanting),))).pods
    assert next((each.rank for each in found.remedies if each.action == "relax-node-affinity"), None) == rank


def test_no_image_moves_to_another_operating_system() -> None:
    wanting = pod(node_selector={"kubernetes.io/os": "windows"})
    there = cluster([node("n1", labels={"kubernetes.io/os": "linux"})])
    (found,) = explain(Case(there, (PodToPlace(wanting),))).pods
    assert [each.action for each in found.remedies] == ["add-node"]


@pytest.mark.parametrize(("volumes", "rank"), [((), Rank.LOOSENS), ((volume("cache", empty_dir=True),), None)])
def test_a_tie_to_a_full_node_is_dropped_unless_data_may_be_there(
    volumes: tuple[Volume, ...], rank: Rank | None
) -> None:
    wanting = pod(node_selector={HOSTNAME: "n1"}, cpu="3", volumes=volumes, owner=controlled_by("ReplicaSet", "web"))
    there = cluster([node("n1", cpu="2"), node("n2")], ())
    (found,) = explain(Case(there, (PodToPlace(wanting),))).pods
    assert next((each.rank for each in found.remedies if each.action == "relax-node-affinity"), None) == rank


@pytest.mark.parametrize(("having", "rank"), [(3, Rank.ADDS_NODES), (1, Rank.LAST_RESORT)])
def test_nodes_without_a_label_that_most_of_their_pool_has_are_given_it(having: int, rank: Rank) -> None:
    nodes = [
        node(f"n{number}", cpu="1" if number < having else "4", labels={"pool": "web"} | extra)
        for number, extra in enumerate([{"disk": "ssd"}] * having + [{}, {}])
    ]
    filler = [pod(f"f{number}", node=f"n{number}", cpu="800m") for number in range(having)]
    wanting = pod(node_selector={"disk": "ssd"}, cpu="900m", owner=controlled_by("ReplicaSet", "web"))
    (found,) = explain(Case(cluster(nodes, filler), (PodToPlace(wanting),)), last_resorts=True).pods
    assert next(each.rank for each in found.remedies if each.action == "label-node") == rank
