"""Dumps as support archives have them: lists of nothing in particular, logs between lists, objects in two files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.load import Loaded, load
from kexplain.load.kindless_lists import guessed, nameless_items
from tests.load.texts import faults, names

POD: dict[str, Any] = {"metadata": {"name": "p", "uid": "u1"}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
NODE: dict[str, Any] = {"metadata": {"name": "n", "uid": "u2"}, "status": {"allocatable": {"cpu": "4"}}}
CLAIM: dict[str, Any] = {"metadata": {"name": "c"}, "spec": {}}


@pytest.mark.parametrize(
    ("item", "source", "expected"),
    [
        (POD, "x.json", ("v1", "Pod")),
        (NODE, "x.json", ("v1", "Node")),
        (CLAIM, "dump/persistentvolumeclaims.json", ("v1", "PersistentVolumeClaim")),
        (CLAIM, "dump/storageclasses/all.json", ("storage.k8s.io/v1", "StorageClass")),
        (CLAIM, "dump/others.json", None),
    ],
)
def test_what_an_item_is(item: dict[str, Any], source: str, expected: tuple[str, str] | None) -> None:
    assert guessed(item, source) == expected


@pytest.mark.parametrize("value", [[], [1], [{"name": "x"}], {"items": []}, {"kind": "List", "items": [POD]}, 3])
def test_other_values_are_no_lists_of_objects(value: object) -> None:
    assert nameless_items(value) is None


def test_lists_without_a_kind_are_read(tmp_path: Path) -> None:
    (tmp_path / "nodes.json").write_text(json.dumps({"metadata": {"resourceVersion": "1"}, "items": [NODE]}))
    (tmp_path / "shop.json").write_text(json.dumps([POD]))
    (tmp_path / "widgets.json").write_text(json.dumps([CLAIM]))
    loaded = load([str(tmp_path)])
    assert names(loaded) == ["Node/n", "Pod/p"]
    assert [Path(each).name for each in loaded.foreign] == ["widgets.json"]
    assert loaded.origin(loaded.objects[1]).locate()[0] == 1


def test_objects_without_a_kind_are_read_where_they_come_from_a_cluster(tmp_path: Path) -> None:
    (tmp_path / "node-0.json").write_text(json.dumps(NODE))
    (tmp_path / "p.json").write_text(json.dumps(POD))
    (tmp_path / "cluster.json").write_text(json.dumps({"metadata": {"name": "c", "uid": "u3"}, "spec": {}}))
    loaded = load([str(tmp_path)])
    assert names(loaded) == ["Node/n", "Pod/p"]
    assert [Path(each).name for each in loaded.foreign] == ["cluster.json"]
    (tmp_path / "written.json").write_text(json.dumps({"metadata": {"name": "c"}, "spec": {}}))
    assert faults(str(tmp_path / "written.json"))


def test_objects_of_an_anonymous_dump_are_not_one(tmp_path: Path) -> None:
    for place, name in enumerate(("a", "b", "a")):
        node = {**NODE, "metadata": {"name": name, "uid": "0"}}
        (tmp_path / f"{place}.json").write_text(json.dumps([node]))
    assert names(load([str(tmp_path)])) == ["Node/a", "Node/b"]


def test_a_dump_with_logs_between_its_lists_is_read(tmp_path: Path) -> None:
    lists = [json.dumps({"kind": "NodeList", "apiVersion": "v1", "items": [NODE]}, indent=2)]
    lists.append(json.dumps({"kind": "PodList", "apiVersion": "v1", "items": [POD]}))
    logs = (
        '==== START logs for container a of pod x/p ====\nhello: {\n{"level": 1}\n==== END logs for container a ====\n'
    )
    path = tmp_path / "info.txt"
    path.write_text("\n".join([lists[0], logs, lists[1], logs]))
    assert names(load([str(path)])) == ["Node/n", "Pod/p"]
    path.write_text(f"{lists[0]}\nnonsense\n")
    assert faults(str(path))


def test_objects_in_two_files_count_once(tmp_path: Path) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", **POD}
    (tmp_path / "pods.json").write_text(json.dumps({"apiVersion": "v1", "kind": "PodList", "items": [pod]}))
    (tmp_path / "p.json").write_text(json.dumps(pod))
    loaded = load([str(tmp_path)])
    assert names(loaded) == ["Pod/p"]
    assert loaded.notes == ["1 object is listed more than once"]
    assert names(Loaded() + loaded) == ["Pod/p"]
