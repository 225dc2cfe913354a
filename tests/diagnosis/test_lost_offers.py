"""Nodes that do not offer what others of their make do: who should report it is named, and comes first."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.diagnosis.records import Kind
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Node, Pod
from tests.diagnosis.test_components import FAILS, READY, made
from tests.diagnosis.test_culprits import why
from tests.factories import controlled_by, node, pod

GPU, PAGES = "acme.com/gpu", "hugepages-2Mi"
POOL = {"cloud.google.com/gke-nodepool": "ml"}


def of_make(
    name: str, resource: str = "", labels: Any = POOL, made_at: str = "2026-01-01T00:00:00Z", **sized: Any
) -> Node:
    found = node(name, labels=labels, further={resource: "4"} if resource else {}, **sized)
    return replace(found, metadata=replace(found.metadata, creation_timestamp=made_at))


def asking(resource: str, **fields: Any) -> Pod:
    return pod("train", further={resource: "4"}, **fields)


def explained(nodes: list[Node], *others: Pod, resource: str = GPU) -> PodExplanation:
    full = pod("holds", further={resource: "4"}, node="g1")
    return why(asking(resource), nodes, [full, *others])


def test_a_node_without_what_its_pool_offers_is_what_is_wrong() -> None:
    found = explained([of_make("g1", GPU), of_make("g2")])
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.RESOURCE_LOST
    assert found.diagnosis.text == "no acme.com/gpu is free on node g1 (pool ml): g2, which is like g1, reports none"
    assert found.diagnosis.nodes == ("g2",)
    assert [each.text for each in found.remedies][:2] == [
        "repair the device plugin of acme.com/gpu on g2, or its devices if they are unhealthy",
        "add one more node like g1 (pool ml, 2 nodes)",
    ]


def test_who_should_report_it_there_is_the_culprit() -> None:
    plugins = [
        made("acme-1", "g1", of="acme-driver", conditions=READY),
        made("acme-2", "g2", of="acme-driver", containerStatuses=FAILS),
    ]
    # Without a pool it is the component that says that the node should offer it; kernels may differ.
    found = explained([of_make("g1", GPU, {"kernel": "5.15.0-1"}), of_make("g2", labels={"kernel": "6.8.0"})], *plugins)
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(
        ", reports none, as DaemonSet a/acme-driver, which acme.com/gpu depends on, crash-loops on g2"
    )
    assert found.remedies[0].text.startswith("get DaemonSet a/acme-driver running, which acme.com/gpu depends on")


def test_huge_pages_of_newer_nodes_are_reserved_anew() -> None:
    newer = [of_make(name, made_at="2026-02-01T00:00:00Z") for name in ("n2", "n3")]
    found = explained([of_make("g1", PAGES), *newer], resource=PAGES)
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(": newer nodes of the same kind (n2, n3) report none")
    assert found.remedies[0].text == "reserve hugepages-2Mi on n2 and n3, as on g1, or give them its image"
    assert found.remedies[0].nodes == ("n2", "n3")


def test_one_newer_node_is_named() -> None:
    found = explained([of_make("g1", GPU), of_make("g2", made_at="2026-02-01T00:00:00Z")])
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(": g2, newer but otherwise like g1, reports none")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(of_make("g2", labels={"cloud.google.com/gke-nodepool": "web"}), id="of-another-pool"),
        pytest.param(of_make("g2", cpu="2"), id="of-another-size"),
        pytest.param(of_make("g2", memory="64Gi"), id="of-other-memory"),
        pytest.param(of_make("g2", labels={**POOL, "node.kubernetes.io/instance-type": "m5"}), id="of-another-type"),
        pytest.param(of_make("g2", "acme.com/gpu-slice"), id="offers-it-in-another-form"),
        pytest.param(replace(of_make("g2"), spec=node("g2", taints=["a=b:NoSchedule"]).spec), id="kept-for-others"),
    ],
)  # fmt: skip
def test_a_node_of_another_make_has_lost_nothing(other: Node) -> None:
    found = explained([of_make("g1", GPU), other])
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.NO_ROOM


def test_equal_machines_of_no_pool_may_just_have_no_device() -> None:
    found = explained([of_make("g1", GPU, {}), of_make("g2", labels={})])
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.NO_ROOM


def test_a_label_of_its_vendor_says_that_there_is_one() -> None:
    labels = {"acme.com/gpu.present": "true"}
    found = explained([of_make("g1", GPU, {**labels, "acme.com/gpu.count": "4"}), of_make("g2", labels=labels)])
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.RESOURCE_LOST


def test_the_pod_of_a_daemon_set_has_its_own_node() -> None:
    own = asking(GPU, owner=controlled_by("DaemonSet", "agent"))
    found = why(own, [of_make("g1", GPU), of_make("g2")], [pod("holds", further={GPU: "4"}, node="g1")])
    assert found.diagnosis is not None
    assert found.diagnosis.kind is not Kind.RESOURCE_LOST


def with_healthy(name: str, healthy: str) -> Node:
    """A node of four devices, of which so many are healthy."""
    found = of_make(name, GPU)
    has = found.status.allocatable or {}
    return replace(found, status=replace(found.status, capacity=has, allocatable={**has, GPU: healthy}))


def test_devices_that_are_unhealthy_are_what_a_node_lacks() -> None:
    found = explained([of_make("g1", GPU), with_healthy("g2", "3")])
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith("g2, which is like g1, has only 3 of its 4, as the rest is unhealthy")


def test_a_machine_that_is_too_small_is_not_unhealthy() -> None:
    small = node("g2", labels=POOL, further={GPU: "3"})
    found = explained([of_make("g1", GPU), small])
    assert found.diagnosis is not None
    assert found.diagnosis.kind is not Kind.RESOURCE_LOST
