"""As many nodes are counted out as the pods of a workload take, and one of several is named where it will do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import Wanted, explain, load_case
from kexplain.remedies.more_nodes import smallest
from tests.cli.command import ROOT
from tests.remedies.situations import claim, deployment, node, template

from .test_scaled_down import helping


@pytest.mark.parametrize(
    ("pods", "text", "serves"),
    [
        (1, "add one more node like n1 (pool general, 2 nodes)", None),
        (2, "add one more node like n1 (pool general, 2 nodes)", 2),
        (5, "add 3 more nodes like n1 (pool general, 2 nodes)", 5),
        (25, "add one more node like n1 (pool general, 2 nodes)", 2),
    ],
)
def test_new_nodes_are_counted_out(pods: int, text: str, serves: int | None, tmp_path: Path) -> None:
    full = [*deployment("full", template("3"), ["n1", "n2"])]
    asking = deployment("web", template("2"), [""] * pods)
    items = [node("n1", pool="general"), node("n2", pool="general"), *full, *asking]
    found = next(each for each in helping(tmp_path / "cluster.json", items) if each.action == "add-node")
    assert (found.text, found.serves) == (text, serves)


@pytest.mark.parametrize(("pods", "is_enough"), [(2, True), (3, False)])
def test_one_of_several_cordoned_nodes_may_be_enough(pods: int, is_enough: bool, tmp_path: Path) -> None:
    items = [node("n1", cordoned=True, pool="general"), node("n2", cordoned=True, pool="general")]
    asking = deployment("web", template("2"), [""] * pods)
    first, *_ = helping(tmp_path / "cluster.json", [*items, *asking])
    alone = "; n1 alone is enough" if is_enough else ""
    assert first.text == f"uncordon n1 and n2, once the reason for the cordon is known{alone}"


_LATER = "2026-12-01T00:00:00Z"


@pytest.mark.parametrize(
    ("asks", "fields", "text"),
    [
        pytest.param("2", {}, "add 3 more nodes like n1, as older pods take room first", id="older"),
        pytest.param("500m", {}, "add one more node like n1", id="small"),
        pytest.param("9", {}, "add one more node like n1", id="of no use to them"),
        pytest.param(
            "2", {"schedulingGates": [{"name": "example.com/later"}]}, "add one more node like n1", id="gated"
        ),
        pytest.param("2", {"schedulerName": "other"}, "add one more node like n1", id="another scheduler"),
        pytest.param("2", {"priority": -1}, "add one more node like n1", id="less important"),
    ],
)
def test_those_who_wait_longer_take_the_room_first(
    asks: str, fields: dict[str, Any], text: str, tmp_path: Path
) -> None:
    older = [*deployment("aged", template(asks, **fields), ["", ""])]
    asking = [*deployment("web", template("3"), [""])]
    for each in asking:
        each["metadata"]["creationTimestamp"] = _LATER
    path = tmp_path / "cluster.json"
    items = [node("n1"), *deployment("full", template("4"), ["n1"]), *asking, *older]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    pods = explain(load_case([], [str(path)], Wanted(own_pods=True))).pods
    (pod,) = (each for each in pods if each.pod.name.startswith("web"))
    assert [each.text for each in pod.remedies if each.action == "add-node"] == [text]


def test_a_new_node_comes_with_what_its_drivers_say_of_it() -> None:
    folder = ROOT / "fixtures" / "new-node-with-its-volume-limit"
    (pod,) = explain(load_case([], [str(folder / "cluster.yaml")], Wanted(own_pods=True))).pods
    (node, driver) = next(each.changes for each in pod.remedies if each.action == "add-node")
    assert (node.target.kind, driver.target.kind, driver.target.name) == ("Node", "CSINode", node.target.name)
    assert driver.object
    assert [each["nodeID"] for each in driver.object["spec"]["drivers"]] == [node.target.name]


@pytest.mark.parametrize(
    ("mode", "text", "serves"),
    [("ReadWriteOnce", "add one more node like n1", 1), ("ReadWriteMany", "add 3 more nodes like n1", 3)],
)
def test_no_more_nodes_are_added_than_can_have_the_volume(mode: str, text: str, serves: int, tmp_path: Path) -> None:
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    asking = deployment("web", template("3", volumes=volumes), ["", "", ""])
    items = [node("n1"), *deployment("full", template("3"), ["n1"]), *claim(mode), *asking]
    found = next(each for each in helping(tmp_path / "cluster.json", items) if each.action == "add-node")
    assert (found.text, found.serves) == (text, serves)


def test_so_many_nodes_are_added_that_older_pods_leave_any_room(tmp_path: Path) -> None:
    """Where something else keeps the rest of a workload from being served, too."""
    away = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "zone"}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [away]}}
    older = [*deployment("aged", template("3"), [""])]
    asking = [*deployment("web", template("3", affinity=apart), ["", ""])]
    for each in asking:
        each["metadata"]["creationTimestamp"] = _LATER
    path = tmp_path / "cluster.json"
    items = [node("n1", zone="a"), *deployment("full", template("4"), ["n1"]), *asking, *older]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    pods = explain(load_case([], [str(path)], Wanted(own_pods=True))).pods
    pod, _ = (each for each in pods if each.pod.name.startswith("web"))
    found = next(each for each in pod.remedies if each.action == "add-node")
    assert (found.text, found.serves) == ("add 2 more nodes like n1, as older pods take room first", 1)


@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("enough", [*range(1, 12), 99])
def test_the_smallest_number_is_found_that_is_enough(enough: int, least: int) -> None:
    found = smallest(lambda count: count if count >= enough else None, 10, least)
    assert found == (max(enough, least) if enough <= 10 else None)
