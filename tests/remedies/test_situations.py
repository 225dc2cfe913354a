"""What is promised is what controllers, API server and scheduler make of it, in a hundred situations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from kexplain.api import ExplainOptions, Report, Wanted, load_case, one_by_one
from kexplain.case.loading import load_contents
from kexplain.explanation.records import PodExplanation
from kexplain.objects.changes import Change
from kexplain.remedies.records import Remedy
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World
from tests.remedies.situations import (
    SITUATIONS,
    Json,
    asks_for_more_than_before,
    deployment,
    limits,
    node,
    of_class,
    of_kind,
    template,
)


def _report(path: Path) -> Report:
    found = one_by_one(load_case([], [str(path)], Wanted(own_pods=True)), ExplainOptions())
    return found.report(tuple(found.pods))


def _carried_out(path: Path, changes: Sequence[Change]) -> Followed:
    contents = load_contents([str(path)])

    def edit(cluster: EditedCluster) -> None:
        for each in changes:
            cluster.apply(each)

    return World(ReadObjects(contents)).after([edit]).settled()


def _waiting(followed: Followed, workload: str) -> int:
    """How many pods of a workload have no node in the end, or are not there."""
    rollout = next((each for each in followed.rollouts if each.name == workload), None)
    if rollout is not None:
        return rollout.pending + rollout.not_created
    return sum(each.pod.name.startswith(f"{workload}-") for each in followed.settled.waiting)


@pytest.fixture(params=SITUATIONS)
def situation(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return _written(SITUATIONS[request.param], tmp_path)


def _written(objects: Sequence[Json], folder: Path) -> Path:
    path = folder / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return path


def _tried(pods: Sequence[PodExplanation]) -> list[Remedy]:
    return [remedy for pod in pods[:1] for remedy in pod.remedies if remedy.tried]


def test_every_remedy_comes_to_what_it_promises_and_changes_what_somebody_wrote(situation: Path) -> None:
    owned = {each["metadata"]["name"] for each in json.loads(situation.read_text())["items"] if _is_made(each)}
    pending = [each for each in _report(situation).pods if each.choice is None]
    tried = _tried(pending)
    assert tried
    workload = pending[0].pod.workload
    assert workload is not None
    before = {pod.pod.name for pod in pending}
    for remedy in tried:
        followed = _carried_out(situation, remedy.changes)
        served = len(before) - _waiting(followed, workload.name)
        assert served == remedy.serves or (remedy.serves is None and served), remedy.text
        moved = {each.target.name for each in remedy.changes if (each.verb, each.target.kind) == ("delete", "Pod")}
        assert not moved - before & {each.pod.name for each in followed.settled.waiting}, remedy.text
        assert not [each for each in remedy.changes if each.target.kind == "Pod" and each.verb != "delete"]
        patched = [each.target for each in remedy.changes if each.verb == "patch" and each.target.kind != "Job"]
        assert not owned & {target.name for target in patched}


def _is_made(obj: dict[str, dict[str, object]]) -> bool:
    return "ownerReferences" in obj["metadata"]


def test_what_pods_asked_for_before_comes_first(tmp_path: Path) -> None:
    path = _written(SITUATIONS["more-than-before-2"], tmp_path)
    (pod,) = [each for each in _report(path).pods if each.choice is None]
    assert pod.remedies[0].text == "request 1 cpu again, as its earlier pods do"


def test_pods_of_a_stateful_set_may_be_gone_before_they_are_deleted(tmp_path: Path) -> None:
    """Those of a Parallel one are deleted by its controller, too, where they are stuck at an old revision."""
    path = _written(SITUATIONS["StatefulSet--2-3"], tmp_path)
    first, *_ = _tried([each for each in _report(path).pods if each.choice is None])
    assert first.commands[1:] == tuple(
        f"kubectl delete pod web-{number} --namespace=shop --ignore-not-found" for number in (0, 1)
    )


@pytest.mark.parametrize(("owner", "is_cordoned"), [("Deployment", True), ("ReplicaSet", True), ("StatefulSet", False)])
def test_a_node_takes_no_pods_while_a_successor_would_find_room_beside_the_one_that_leaves(
    owner: str, *, is_cordoned: bool, tmp_path: Path
) -> None:
    """A stateful set waits until its pod is gone; the others make the next one at once, which takes the room."""
    path = _written(SITUATIONS[f"crowded-1-2-{owner}"], tmp_path)
    moved = next(each for each in _tried(_report(path).pods[-1:]) if each.action == "free")
    assert (moved.commands[0] == "kubectl cordon n1") == is_cordoned
    assert (moved.commands[-1] == "kubectl uncordon n1") == is_cordoned


def test_what_pods_asked_for_before_is_found_where_another_node_is_cordoned(tmp_path: Path) -> None:
    """The nodes that are too small for it are not where the pod belongs; numbers of remedies depend on none of that."""
    path = _written([*SITUATIONS["more-than-before-2"], node("n3", "8", cordoned=True)], tmp_path)
    case = load_case([], [str(path)], Wanted(own_pods=True))
    first, every = ([*one_by_one(case, ExplainOptions(last_resorts=last)).pods] for last in (False, True))
    texts, more = ([each.text for each in pods[-1].remedies] for pods in (first, every))
    assert texts == more[: len(texts)]
    assert "request 1 cpu again, as its earlier pods do" in texts


def test_pods_that_a_stateful_set_makes_later_count_too(tmp_path: Path) -> None:
    """What gets only the first of them a node comes behind what gets all of them one."""
    asking = template("3", nodeSelector={"disk": "ssdd"})
    made = of_kind("StatefulSet", "web", asking, [""], replicas=3)
    path = _written([node("n1", disk="ssd"), node("n2"), node("n3"), *made], tmp_path)
    found = [(each.text, each.serves, each.pending) for each in _tried(_report(path).pods)]
    assert found[:2] == [
        ("drop disk=ssdd from the node selector", 3, 3),
        ("ask for disk=ssd, as no node has disk=ssdd", 1, 3),
    ]


def test_a_node_takes_no_pods_where_the_first_that_leaves_makes_room_for_the_next_to_come_back(tmp_path: Path) -> None:
    claim, fast = of_class("StatefulSet")[-1], of_class("StatefulSet")[1]
    first, second = deployment("first", template("3250m"), ["n1"]), deployment("second", template("3100m"), ["n1"])
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": claim["metadata"]["name"]}}
    web = deployment("web", template("5", volumes=[volume]), [""])
    path = _written([node("n1", "8"), node("n2"), node("n3"), claim, fast, *first, *second, *web], tmp_path)
    both = next(each for each in _tried(_report(path).pods) if "first-1-0 and shop/second-1-0" in each.text)
    assert (both.commands[0], both.commands[-1]) == ("kubectl cordon n1", "kubectl uncordon n1")


@pytest.mark.parametrize(("mode", "is_open"), [("Immediate", True), ("WaitForFirstConsumer", False)])
def test_a_class_that_waits_for_no_pod_may_make_the_volume_in_another_zone(
    mode: str, *, is_open: bool, tmp_path: Path
) -> None:
    zones = [node(f"n-{zone}", in_zone=zone) for zone in "ab"]
    first, *_ = _tried(_report(_written([*zones, *of_class("StatefulSet", mode)[1:]], tmp_path)).pods)
    assert ("class fast (picks any zone)" in first.text) is is_open


def test_what_was_asked_for_before_comes_before_a_default_that_is_lowered(tmp_path: Path) -> None:
    made: list[Json] = json.loads(json.dumps(asks_for_more_than_before(2)))
    for each in made:
        if each["kind"] == "Deployment" or each["metadata"].get("name") == "web-1":
            each["spec"]["template"]["spec"]["containers"][0].pop("resources")
    path = _written([*made, limits(defaultRequest={"cpu": "6"})], tmp_path)
    first, second = (each.text for each in _report(path).pods[-1].remedies[:2])
    assert first == "request 1 cpu again, as its earlier pods do"
    assert second.startswith("lower the default request of LimitRange limits to")
