"""Raising a priority names everybody whom the scheduler may evict, and the budgets that this breaks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kexplain.api import build_scheduler
from kexplain.objects.core import Pod
from kexplain.remedies import pod_edits
from kexplain.remedies.preempted_pods import evicts, priority_rank
from kexplain.remedies.records import Rank
from kexplain.remedies.steps import of_pod
from kexplain.remedies.trials import Trials
from tests.diagnosis.test_preemptors import NEWER, preempted
from tests.factories import budget, cluster, controlled_by, node, pod, selector
from tests.remedies import situations
from tests.remedies.test_scaled_down import helping


@pytest.mark.parametrize(
    ("nodes", "allowed", "expected"),
    [
        (1, 1, "evicts default/p0"),
        (1, 0, "evicts default/p0, which breaks budget default/kept"),
        (2, 1, "evicts default/p0 on n0 or default/p1 on n1, drawn at random"),
        (2, 0, "evicts default/p0 on n0 or default/p1 on n1, drawn at random, which breaks budget default/kept"),
        (5, 1, "evicts pods from one of 5 nodes, drawn at random, such as default/p0 on n0"),
    ],
)
def test_everybody_who_may_have_to_go_is_named(nodes: int, allowed: int, expected: str) -> None:
    running = [pod(f"p{each}", cpu="3", node=f"n{each}", labels={"app": "p"}) for each in range(nodes)]
    kept = budget("kept", selector({"app": "p"}), allowed)
    there = cluster([node(f"n{each}") for each in range(nodes)], running, kept)
    scheduler = build_scheduler()
    asking = pod("web", cpu="3", priority=0)
    trials = Trials(scheduler.schedule(asking, there), scheduler)
    tried = trials.attempt([of_pod(pod_edits.of_priority("high", 100))], may_preempt=True)
    assert tried is not None
    assert evicts(tried, []) == expected
    assert {*tried.remedy("x", "y", Rank.MOVES).nodes} == {f"n{each}" for each in range(nodes)}


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("1", "evicts default/p2, default/p1, default/p0"),
        ("500m", "evicts default/p5, default/p4, default/p3 and 3 more"),
    ],
)
def test_of_many_who_have_to_go_three_are_named_and_all_are_counted(size: str, expected: str) -> None:
    there = cluster(
        [node("n0", cpu="3")], [pod(f"p{each}", cpu=size, node="n0") for each in range(6)][: 3 if size == "1" else 6]
    )
    scheduler = build_scheduler()
    trials = Trials(scheduler.schedule(pod("web", cpu="3", priority=0), there), scheduler)
    tried = trials.attempt([of_pod(pod_edits.of_priority("high", 100))], may_preempt=True)
    assert tried is not None
    assert evicts(tried, []) == expected


@pytest.mark.parametrize(
    ("asking", "evicted", "rank"),
    [
        pytest.param(pod("web", priority=0), [(pod("a", priority=0), "n2")], Rank.MOVES, id="finds-a-place"),
        pytest.param(pod("web", priority=0), [(pod("a", priority=0), "")], Rank.LAST_RESORT, id="stays-pending"),
        pytest.param(pod("web", priority=9), [(pod("a", priority=0), "")], Rank.MOVES, id="less-important"),
        pytest.param(pod("web", priority=0), [(pod("a", priority=-1), "")], Rank.MENDS, id="holds-room-for-others"),
        pytest.param(pod("web", priority=-1), [(pod("a", priority=-2), "")], Rank.LAST_RESORT, id="is-of-that-kind"),
        pytest.param(
            pod("log", owner=controlled_by("DaemonSet", "log")), [(pod("a", priority=0), "n2")], Rank.MENDS, id="daemon"
        ),
        pytest.param(
            pod("log", owner=controlled_by("DaemonSet", "log"), priority=0),
            [(pod("a", priority=0), "")],
            Rank.MOVES,
            id="daemon-in-place-of-others",
        ),
    ],
)
def test_nobody_is_left_without_a_place_but_for_a_daemon(
    asking: Pod, evicted: list[tuple[Pod, str]], rank: Rank
) -> None:
    assert priority_rank(asking, evicted) is rank


def beside(
    others: Sequence[situations.Json], pod_name: str, path: Path
) -> list[tuple[str, tuple[str, ...], int | None]]:
    """What would help two pods that `others` have preempted, by having those wait."""
    nodes = [situations.node(name) for name in ("n1", "n2")]
    web = [*situations.deployment("web", situations.template("3"), ["", ""])]
    events = [preempted(f"web-1-{each}", NEWER.format(f"{pod_name}{each}", f"n{each + 1}")) for each in range(2)]
    found = helping(path / "cluster.json", [*nodes, *web, *others, *events])
    return [(each.text, each.commands, each.serves) for each in found if each.action == "scale" and each.tried]


def test_a_workload_that_took_the_room_may_wait(tmp_path: Path) -> None:
    others = [*situations.deployment("batch", situations.template("3", priority=9), ["n1", "n2"])]
    text = "scale Deployment shop/batch from 2 to 0, which has taken the room, if that can wait"
    line = "kubectl scale deployment batch -n shop --replicas=0"
    assert beside(others, "batch-1-", tmp_path) == [(text, (line,), 2)]


def test_a_job_that_took_the_room_is_suspended(tmp_path: Path) -> None:
    job, *pods = situations.of_kind("Job", "batch", situations.template("3", priority=9), ["n1", "n2"])
    made = {**job, "apiVersion": "batch/v1", "spec": {**job["spec"], "parallelism": 2}, "status": {"active": 2}}
    ((text, (line,), serves),) = beside([made, *pods], "batch-", tmp_path)
    killed = "its pods are killed, and begin anew once it goes on"
    assert (text, serves) == (f"suspend Job shop/batch ({killed}), which has taken the room, if that can wait", 2)
    assert line.startswith("kubectl patch job batch --namespace=shop")


def test_what_nobody_may_scale_is_left_as_it_is(tmp_path: Path) -> None:
    """A pod by itself, and what was not read."""
    others = [*situations.deployment("batch", situations.template("3", priority=9), ["n1", "n2"])][2:]
    assert beside(others, "batch-1-", tmp_path) == []


def test_what_holds_room_for_others_makes_way_for_those_that_evict_nobody(tmp_path: Path) -> None:
    template = situations.template("3")
    template["spec"] |= {"priority": 5, "preemptionPolicy": "Never", "priorityClassName": "plain"}
    spare = [*situations.deployment("spare", situations.template("3", priority=-1), ["n1", "n2", "n3"])]
    nodes = [situations.node(name) for name in ("n1", "n2", "n3")]
    web = [*situations.deployment("web", template, ["", ""])]
    new, _, fewer, *_ = helping(tmp_path / "cluster.json", [*nodes, *web, *spare])
    assert new.text.startswith("set priorityClassName: plain-preempting (5, a new class that evicts); the scheduler")
    assert (new.serves, [each.split(" ")[0] for each in new.commands]) == (2, ["printf", "kubectl"])
    assert fewer.text == "scale Deployment shop/spare from 3 to 1, whose pods only hold room for others"
    assert (fewer.serves, fewer.commands) == (2, ("kubectl scale deployment spare -n shop --replicas=1",))
