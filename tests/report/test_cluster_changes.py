"""What has changed between two snapshots, and which of it decides: a story of ten, whose truth is known."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from kexplain.case import Case, Inputs, Wanted, load_case
from kexplain.framework.trace import Outcome
from kexplain.report.cluster_changes import ClusterChange, ClusterChanges
from tests.load.snapshot.story import CHANGES, write_story
from tests.load.texts import listed, node, pod, write


@pytest.fixture(name="story", scope="module")
def _story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_story(tmp_path_factory.mktemp("story"))


def case_of(path: Path, *names: str) -> Case:
    return load_case(names, Inputs([str(path)], namespace="shop"), Wanted(may_be_empty=True))


def between(story: Path, earlier: int, later: int) -> ClusterChanges:
    """What has changed for `api-0`, which waits from the seventh snapshot on."""
    asked = case_of(story / f"{max(later, 6)}.snapshot", "pod/api-0").pods
    sides = [case_of(story / f"{number}.snapshot") for number in (earlier, later)]
    return ClusterChanges(
        *(Case(each.cluster, asked, scheduler=each.scheduler, builder=each.builder) for each in sides)
    )


def told(found: tuple[ClusterChange, ...]) -> dict[str, tuple[tuple[int, int, int], tuple[str, ...]]]:
    return {", ".join(each.names): ((each.came, each.went, each.changed), each.fields) for each in found}


CORDON = {"n2": ((0, 0, 1), ("spec.unschedulable",))}
FULL = {"shop/batch-0, shop/batch-1": ((2, 0, 0), ())}
TAINTED = {"n3": ((0, 0, 1), ("metadata.labels.team", "spec.taints"))}
#: Between which two what decides; the label, and the pods of the DaemonSet, never do.
TRUTH = {
    (0, 6): CORDON | TAINTED | FULL,
    (1, 6): CORDON | TAINTED,
    (4, 6): {"n3": ((0, 0, 1), ("spec.taints",))},
    (6, 7): CORDON,
    (7, 6): CORDON,
    (7, 8): {"n2": ((0, 1, 0), ())},
    (8, 9): {"n4": ((1, 0, 0), ())},
    (0, 8): {"n2": ((0, 1, 0), ())} | TAINTED | FULL,
    (0, 4): {},
    (0, 9): {},
    (6, 6): {},
}


@pytest.mark.parametrize("sides", TRUTH, ids=str)
def test_what_decides_is_what_is_known_to(sides: tuple[int, int], story: Path) -> None:
    api = case_of(story / "6.snapshot", "pod/api-0").pods[0].pod
    assert told(between(story, *sides).deciding(api)) == TRUTH[sides]


def test_all_of_it_is_counted(story: Path) -> None:
    assert between(story, 0, 6).count_by_kind == {"Pod": 5, "Node": 2}
    assert [between(story, *pair).count_by_kind for pair in pairwise(range(len(CHANGES)))] == [
        {"Pod": 2},
        {"Node": 1},
        {"Node": 1},
        {"Pod": 3},
        {"Node": 1},
        {},
        {"Node": 1},
        {"Node": 1, "Pod": 1},
        {"Node": 1},
    ]


def test_more_than_a_few_together_are_no_answer(tmp_path: Path) -> None:
    size = {"cpu": "4", "pods": "110"}
    nodes = [node(f"n{number}", allocatable=size) for number in range(13)]
    request = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}
    gone = [each | {"spec": {"unschedulable": True}} for each in nodes[:-1]]
    # Each has a label of its own besides, so that they do not count as one change.
    gone = [each | {"metadata": each["metadata"] | {"labels": {f"label-{n}": ""}}} for n, each in enumerate(gone)]
    files = [Path(write(tmp_path / name, listed(*made))) for name, made in (("a", nodes), ("b", [*gone, nodes[-1]]))]
    wanted = write(tmp_path / "pod.json", pod("p", **request))
    asked = load_case([wanted], [str(files[0])]).pods
    full = nodes[-1] | {"spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]}}
    files.append(Path(write(tmp_path / "c", listed(*gone, full))))
    before, twelve, thirteen = (load_case([wanted], [str(path)]) for path in files)
    assert not ClusterChanges(before, twelve).deciding(asked[0].pod)
    assert not ClusterChanges(before, thirteen).deciding(asked[0].pod)


def test_events_and_the_pods_that_are_asked_about_are_no_changes(tmp_path: Path) -> None:
    waits = pod("p", containers=[{"name": "c", "image": "i"}]) | {"metadata": {"name": "p", "uid": "p"}}
    runs = waits | {"spec": waits["spec"] | {"nodeName": "n"}}
    there = node("n", allocatable={"cpu": "4", "pods": "110"})
    about = {"kind": "Pod", "name": "p", "namespace": "default"}
    said = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e"}, "involvedObject": about, "reason": "R"}
    before = load_case(["pod/p"], [write(tmp_path / "a.json", listed(there, runs))])
    after = load_case(["pod/p"], [write(tmp_path / "b.json", listed(there, waits, said))])
    assert ClusterChanges(before, after).count_by_kind == {}


@pytest.mark.parametrize("seed", range(20))
def test_what_decides_does_and_nothing_less(seed: int, tmp_path: Path) -> None:
    """Random clusters that change at random: what is found gives the later verdict, and no part of it does."""
    drawn = random.Random(seed)  # noqa: S311 (no secret)
    size = {"cpu": "4", "pods": "110"}

    def one(name: str) -> dict[str, object]:
        labels = {"zone": drawn.choice("ab")}
        return node(name, allocatable=size) | {
            "metadata": {"name": name, "uid": name, "labels": labels},
            "spec": {"unschedulable": drawn.random() < 0.4},
        }

    def state() -> list[dict[str, object]]:
        nodes = [one(f"n{number}") for number in range(drawn.randint(2, 5))]
        pods = [
            pod(
                f"p{number}",
                nodeName=drawn.choice(nodes)["metadata"]["name"],  # type: ignore[index]
                containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": drawn.choice("12")}}}],
            )
            for number in range(8)
            if drawn.random() < 0.7
        ]
        return [*nodes, *(each | {"metadata": each["metadata"] | {"uid": each["metadata"]["name"]}} for each in pods)]

    wanted = write(
        tmp_path / "pod.json",
        pod(
            "asked",
            nodeSelector={"zone": "a"},
            containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": "3"}}}],
        ),
    )
    files = [write(tmp_path / f"{name}.json", listed(*state())) for name in "ab"]
    before, after = (load_case([wanted], [path]) for path in files)
    asked, changes = before.pods[0].pod, ClusterChanges(before, after)
    verdicts = [each.scheduler.schedule(asked, each.cluster).outcome is Outcome.SCHEDULED for each in (before, after)]
    found = changes.deciding(asked)
    assert bool(found) is (verdicts[0] is not verdicts[1])
    units = [unit for unit in changes._units if unit.change in found]
    assert changes._fits(asked, units) is verdicts[1]
    for each in units if found else ():
        assert changes._fits(asked, [unit for unit in units if unit is not each]) is verdicts[0]
