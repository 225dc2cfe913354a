"""Whichever way a change reaches a cluster, it leaves the same one as if all objects were counted anew."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.json import encode
from msgspec.structs import replace

from kexplain.case import Inputs
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.loading import load_contents
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.cluster.departing import freed
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import KexplainError
from kexplain.load import load
from kexplain.objects.changes import Change
from kexplain.objects.core import Node, Pod, PodMeta, Taint
from kexplain.remedies.step_applier import StepApplier
from kexplain.remedies.steps import Step, change, deletion, target_of
from kexplain.scheduler.draining import cordoned
from kexplain.world.edit_options import edit_of
from kexplain.world.edited_cluster import Edit, EditedCluster
from kexplain.world.sources import CountedObjects, ReadObjects
from kexplain.world.world import World
from tests.property.test_agreement import COUNTED, situations
from tests.sampling import examples

FIXTURES = Path(__file__).parents[2] / "fixtures"
Json = dict[str, Any]
SCHEDULER = build_scheduler()


def _seen(cluster: Cluster) -> dict[str, Any]:
    """All that a scheduler sees of a cluster; on a node pods are in no order."""
    nodes = {
        f"node {info.name}": (
            encode(info.node),
            sorted(encode(each.pod) for each in info.pods),
            info.requested.amounts(),
            (info.non_zero_cpu_milli, info.non_zero_memory_bytes),
            info.used_ports,
        )
        for info in cluster.node_infos
    }
    nominated = {name: sorted(each.pod.key for each in infos) for name, infos in cluster.nominated_by_node.items()}
    objects = {kind.__name__: sorted(map(encode, cluster.listers.every(kind))) for kind in cluster.listers.kinds}
    return {"order": [*nodes], **nodes, "nominated": nominated, **objects}


def _differences(one: Cluster, other: Cluster) -> list[tuple[str, Any, Any]]:
    first, second = _seen(one), _seen(other)
    return [(name, first.get(name), second.get(name)) for name in first | second if first.get(name) != second.get(name)]


def _contents(objects: Sequence[Json]) -> Contents:
    loaded = load(["-"], stdin=io.BytesIO(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}).encode()))
    return Contents(loaded, loaded.objects, SCHEDULER)


def _before(contents: Contents) -> Cluster:
    waiting = {id(obj) for obj in contents.objects if isinstance(obj, Pod) and not obj.spec.node_name}
    return CaseBuilder(contents).cluster(waiting)


def _agree(contents: Contents, edits: Sequence[Edit]) -> None:
    """The changes reach the cluster as it was, and the objects of which it is counted anew."""
    try:
        world = World(ReadObjects(contents)).after(edits)
        anew = _before(after := world.edited.contents())
    except KexplainError:
        return
    gone = [old for old, new in world.edited.differences if isinstance(old, Pod) and new is None]
    # What only a pod that is gone speaks of stays.
    spoken_of = CaseBuilder(after).taken_to_exist([*contents.objects, *after.added])
    assert _differences(world.cluster, freed(anew, gone).replacing(spoken_of)) == []
    if anew.node_infos:
        assert _differences(world.settled().before, world.cluster) == []


def _placed(objects: Sequence[Json], kept: Sequence[int]) -> list[Json]:
    """Running pods of the workload's template, each on a node."""
    found = [each for each in objects if "template" in each.get("spec", {}) and each["kind"] in COUNTED]
    nodes = [each["metadata"]["name"] for each in objects if each["kind"] == "Node"]
    if not found:
        return []
    workload = found[0]
    template = workload["spec"]["template"]
    owner = {"apiVersion": "apps/v1", "kind": workload["kind"], "name": "web", "uid": "web", "controller": True}
    return [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                **template["metadata"],
                "name": f"web-{number}",
                "namespace": "shop",
                "uid": f"web-{number}",
                "ownerReferences": [owner],
            },
            "spec": {**template["spec"], "nodeName": nodes[place % len(nodes)], "priority": 0},
            "status": {"phase": "Running"},
        }
        for number, place in enumerate(kept)
    ]


_TAINTS = ("k=v:NoSchedule", "k=v:NoExecute", "x-")


@st.composite
def edits(draw: st.DrawFn, names: Sequence[str], pods: Sequence[str]) -> tuple[str, str]:
    """A change of a node or a pod."""
    kind = draw(st.sampled_from(("taint", "label", "cordon", "remove_node", "add_node", "changes")))
    name = draw(st.sampled_from(names))
    match kind:
        case "taint":
            return kind, f"{name} {draw(st.sampled_from(_TAINTS))}"
        case "label":
            return kind, f"{name} topology.kubernetes.io/zone={draw(st.sampled_from('abc'))}"
        case "add_node":
            return kind, f"{draw(st.integers(1, 3))}=like:{name}"
        case "changes" if pods:
            target = {"kind": "Pod", "namespace": "shop", "name": draw(st.sampled_from(pods))}
            return kind, json.dumps([{"target": target, "verb": "delete"}])
        case "changes":
            return "cordon", name
        case _:
            return kind, name


@settings(max_examples=examples(150), deadline=None)
@given(situations(), st.lists(st.integers(0, 3), max_size=5), st.data())
def test_random_worlds(situation: tuple[list[Json], Json, int], kept: list[int], data: st.DataObject) -> None:
    around, workload, _ = situation
    objects = [*around, workload]
    objects += (running := _placed(objects, kept))
    names = [each["metadata"]["name"] for each in around if each["kind"] == "Node"]
    asked = data.draw(st.lists(edits(names, [each["metadata"]["name"] for each in running]), min_size=1, max_size=3))
    _agree(_contents(objects), [_edit(*each) for each in asked])


def _edit(option: str, value: str) -> Edit:
    return edit_of("changes", "-", io.BytesIO(value.encode())) if option == "changes" else edit_of(option, value)


_CASES = sorted(path.parent for path in FIXTURES.glob("*/cluster.*"))


@pytest.mark.parametrize("folder", _CASES, ids=[each.name for each in _CASES])
def test_fixtures(folder: Path) -> None:
    contents = load_contents(Inputs([str(next(folder.glob("cluster.*")))]))
    names = [obj.name for obj in contents.objects if isinstance(obj, Node)]
    for name in names[:2]:
        for option, value in (("taint", f"{name} k=v:NoExecute"), ("remove_node", name), ("add_node", f"like:{name}")):
            _agree(contents, [edit_of(option, value)])


# ------------------------------------------------------------------------------------------------ what remedies try


def _tainted(node: Node) -> Node:
    return replace(node, spec=replace(node.spec, taints=(Taint(key="k", effect="NoExecute"),)))


@settings(max_examples=examples(100), deadline=None)
@given(situations(), st.lists(st.integers(0, 3), max_size=5), st.data())
def test_what_a_remedy_tries_is_what_its_changes_do(
    situation: tuple[list[Json], Json, int], kept: list[int], data: st.DataObject
) -> None:
    around, workload, _ = situation
    contents = _contents([*around, workload, *_placed([*around, workload], kept)])
    cluster = _before(contents)
    node = data.draw(st.sampled_from(cluster.node_infos)).node
    running = [*cluster.pods]
    gone = data.draw(st.lists(st.sampled_from(running), unique_by=id) if running else st.just([]))
    edit = data.draw(st.sampled_from((cordoned, _tainted)))
    steps = [Step(Node, "", node.name, edit), *(deletion(pod.key) for pod in gone)]
    asking = Pod(metadata=PodMeta(name="asking", namespace="shop"))
    tried = StepApplier(SCHEDULER.schedule(asking, cluster), PodToPlace(asking), ()).apply(steps)

    def carry_out(after: EditedCluster) -> None:
        for pod in gone:
            after.apply(Change(target=target_of(pod), verb="delete"))
        made = change(node, edit(node))
        if made is not None:
            after.apply(made)

    assert _differences(tried.cluster, World(ReadObjects(contents)).after([carry_out]).settled().before) == []


def _of_web(name: str, namespace: str = "", node: str = "n1") -> Json:
    owner = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": "web",
        "uid": f"web-{namespace}",
        "controller": True,
    }
    metadata = {"name": name, "uid": f"{namespace}-{name}", "ownerReferences": [owner]}
    there = {"namespace": namespace} if namespace else {}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata | there, "spec": {"nodeName": node} if node else {}}


def test_pods_of_a_workload_are_those_of_its_namespace() -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "9"}}}
    contents = _contents(
        [node, _of_web("a"), _of_web("b", "shop"), _of_web("c", "shop", ""), _of_web("d", "other", "")]
    )
    cluster = _before(contents)
    waiting = [obj for obj in contents.objects if isinstance(obj, Pod) and obj.namespace == "shop" and obj.name == "c"]
    read = EditedCluster(ReadObjects(contents))
    counted = EditedCluster(CountedObjects(cluster, SCHEDULER, waiting))
    for edited in (read, counted):
        assert sorted(pod.name for pod in edited.pods_of_name("ReplicaSet", "web", "shop")) == ["b", "c"]
    assert [pod.name for pod in read.pods_of_name("ReplicaSet", "web")] == ["a"]
    assert [pod.name for pod in counted.pods_of_name("ReplicaSet", "web", "default")] == ["a"]


def test_of_a_large_cluster_only_the_namespaces_in_question_count(monkeypatch: pytest.MonkeyPatch) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "9"}}}
    top = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "top"}, "value": 1}
    quotas = [
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": f"of-{name}", "namespace": name}}
        for name in ("shop", "team", "other")
    ]
    pods = [_of_web("a", "shop"), _of_web("b", "team"), _of_web("c", "other"), _of_web("d", "shop", "")]
    contents = _contents([node, top, *quotas, *pods])
    cluster, waiting = _before(contents), [obj for obj in contents.objects if obj.name == "d"]
    assert isinstance(waiting[0], Pod)

    def names() -> set[str]:
        source = CountedObjects(cluster, SCHEDULER, [pod for pod in waiting if isinstance(pod, Pod)])
        return {each.name for each in source.contents({"team"}).objects}

    monkeypatch.setattr("kexplain.world.sources.MOST_AROUND", 3)
    assert names() == {"top", "of-shop", "of-team", "of-other", "a", "b", "c", "d"}
    monkeypatch.setattr("kexplain.world.sources.MOST_AROUND", 2)
    assert names() == {"top", "of-shop", "of-team", "a", "b", "d"}
