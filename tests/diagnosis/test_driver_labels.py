"""Nodes where the driver of a volume is not registered."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.diagnosis.records import Kind
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Node
from tests.factories import ZONE, cluster, in_, node, node_term, pod
from tests.storage_factories import DRIVER, claim, csi_node, persistent_volume, storage_class, uses

KEY = "topology.csi.example.com/zone"


def explained(*nodes: Node, registered: str = "other", zone: str = "b") -> PodExplanation:
    reach = [node_term(in_(KEY, zone))]
    objects = [
        claim(volume="pv"),
        persistent_volume(reserved="data", reach=reach, phase="Bound"),
        storage_class(),
        csi_node(registered, {DRIVER: 20}, topology_keys=[KEY]),
    ]
    there = cluster([*nodes, node("other", labels={ZONE: "a", KEY: "a"})], (), *objects)
    (found,) = explain(Case(there, (PodToPlace(pod(volumes=uses("data"))),))).pods
    return found


def test_the_driver_has_to_run_where_all_else_is_right() -> None:
    found = explained(node("n1", labels={ZONE: "b"}), node("n2", labels={ZONE: "c"}))
    assert found.diagnosis is not None
    assert (found.diagnosis.kind, found.diagnosis.nodes) == (Kind.DRIVER_MISSING, ("n1",))
    first = found.remedies[0]
    assert first.text == f"get the CSI driver {DRIVER} to run on n1, where it is not registered"
    assert (first.action, first.tried, first.nodes) == ("check-node", False, ("n1",))


@pytest.mark.parametrize(
    ("there", "registered"),
    [
        pytest.param(node("n1", labels={ZONE: "c"}), "other", id="in-another-zone"),
        pytest.param(node("n1", labels={ZONE: "b", KEY: "c"}), "other", id="the-driver-says-otherwise"),
        pytest.param(node("n1", labels={ZONE: "b"}), "n1", id="the-driver-is-there"),
    ],
)
def test_otherwise_the_volume_is_elsewhere(there: Node, registered: str) -> None:
    found = explained(there, registered=registered)
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.VOLUME_OUT_OF_REACH


def test_a_node_in_the_zone_of_the_volume_is_added_where_the_pool_has_none() -> None:
    found = explained(node("n1", labels={ZONE: "a", KEY: "a"}))
    assert found.diagnosis is not None
    assert found.diagnosis.text == "the volume of claim default/data is in zone b, where it may use no node"
    first = found.remedies[0]
    assert (first.action, first.tried, first.nodes) == ("add-node", True, ("n1-new-1",))
    assert first.text == "add one more node like n1, but in zone b"


def test_a_label_that_no_node_has_any_longer_is_what_is_missing() -> None:
    reach = [node_term(in_("failure-domain.beta.kubernetes.io/zone", "a"))]
    objects = [claim(volume="pv"), persistent_volume(reserved="data", reach=reach, phase="Bound"), storage_class()]
    there = cluster([node("n1", labels={ZONE: "a"})], (), *objects)
    (found,) = explain(Case(there, (PodToPlace(pod(volumes=uses("data"))),))).pods
    assert found.diagnosis is not None
    assert "failure-domain.beta.kubernetes.io/zone=a" in found.diagnosis.text
    assert "add-node" not in [each.action for each in found.remedies]


@pytest.mark.parametrize(
    ("zone", "action"),
    [("eu-west-1c", "add-node"), ("ap-southeast-2b", "change-storage"), ("rack-2", "change-storage")],
)
def test_nobody_adds_a_node_in_a_region_where_there_is_none(zone: str, action: str) -> None:
    found = explained(node("n1", labels={ZONE: "eu-west-1a", KEY: "eu-west-1a"}), zone=zone)
    assert found.remedies[0].action == action
