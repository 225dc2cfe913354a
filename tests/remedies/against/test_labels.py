"""Labels that nodes are given, and those that nobody gives them."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.core import Namespace, NamespaceAnnotations, NamespaceMeta, NodeSelectorRequirement
from kexplain.remedies.records import Rank
from tests.factories import affinity, cluster, in_, node, node_affinity, node_term, pod

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
    assert found.diagnosis.amounts == "an annotation of namespace default asks for that in each pod"
    first = "change the annotation of namespace default that has each pod ask for env=staging"
    assert (found.remedies[0].text, found.remedies[0].tried) == (first, False)
