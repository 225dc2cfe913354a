"""What helps where the driver has no room for a claim."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.core import Volume
from kexplain.objects.persistent_volumes import SELECTED_NODE
from kexplain.remedies.records import Rank
from tests.factories import cluster, node, pod, selector
from tests.storage_factories import DRIVER, capacity, claim, csi_driver, csi_node, storage_class, uses

SMALLER = "recreate claim default/data, which has no volume so far, with {has}"


@pytest.mark.parametrize(
    ("has", "expected"),
    [
        pytest.param({"n1": "8Gi"}, [SMALLER.format(has="8Gi")],
                     id="moderately-smaller"),
        pytest.param({"n1": "3Gi", "n2": "9Gi"}, [SMALLER.format(has="9Gi")],
                     id="a-fraction"),
        pytest.param({"n1": "3Gi", "n2": "2Gi"}, [], id="nothing-but-fractions"),
    ],
)  # fmt: skip
def test_the_largest_that_is_left_comes_first(has: dict[str, str], expected: list[str]) -> None:
    there = [capacity(name, selector({"kubernetes.io/hostname": name}), size) for name, size in has.items()]
    objects = [
        claim("data"),
        storage_class("wait"),
        csi_driver(),
        *(csi_node(name, {DRIVER: None}) for name in has),
        *there,
    ]
    asking = pod(volumes=uses("data"))
    (found,) = explain(Case(cluster(map(node, has), [], *objects), (PodToPlace(asking),))).pods
    about = [each.text for each in found.remedies if each.rank < Rank.LAST_RESORT and "class" not in each.text[-12:]]
    assert about[: len(expected)] == expected
    assert not any(SMALLER.format(has=size) in about for size in ("3Gi", "2Gi"))


@pytest.mark.parametrize(
    ("volumes", "is_proposed"),
    [
        pytest.param(uses("data"), False, id="for-a-pod-that-is-there"),
        pytest.param(uses("other"), True, id="for-none-that-is-there"),
    ],
)
def test_the_node_that_was_chosen_for_a_claim_is_left_to_the_pod_it_was_chosen_for(
    volumes: list[Volume], *, is_proposed: bool
) -> None:
    there = pod("there", node="n1", cpu=3, volumes=volumes)
    objects = claim("data", selected_node="n1"), claim("other"), storage_class("wait")
    on_nodes = [csi_node(name, {DRIVER: None}) for name in ("n1", "n2")]
    asking = pod("asking", cpu=2, volumes=uses("data"))
    (found,) = explain(
        Case(cluster([node("n1"), node("n2")], [there], *objects, *on_nodes), (PodToPlace(asking),))
    ).pods
    texts = [each.text for each in found.remedies]
    assert any(SELECTED_NODE in each for each in texts) is is_proposed, texts
    said = "claim default/data gets its volume on n1, where default/there uses it"
    assert any(said in each.text for each in found.causes) is not is_proposed
