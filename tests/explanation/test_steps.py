"""The cycle in upstream's order, and what came of each step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.explanation.steps import NOT_EVALUATED, NOT_RUN, SKIP, CycleStep, cycle_steps
from kexplain.objects.core import Node, Pod
from tests.factories import affinity, cluster, in_, node, node_affinity, node_term, pod, toleration
from tests.storage_factories import uses

POINTS = """
PreEnqueue QueueSort PreFilter Filter PreScore Score NormalizeScore Weight SelectHost Reserve PreBind Bind
"""


def _steps(one: Pod, nodes: Sequence[Node], there: Sequence[Pod] = ()) -> tuple[CycleStep, ...]:
    scheduler = build_scheduler()
    return cycle_steps(scheduler.schedule(one, cluster(nodes, there)), scheduler)


def _of(steps: Sequence[CycleStep], point: str) -> dict[str, CycleStep]:
    return {each.plugin: each for each in steps if each.extension_point == point}


def test_every_extension_point_of_a_pod_that_fits() -> None:
    steps = _steps(pod(cpu="1"), [node("n1"), node("n2", cpu="8"), node("n3", cordoned=True)])
    assert [*dict.fromkeys(each.extension_point for each in steps)] == POINTS.split()
    filters = _of(steps, "Filter")
    assert filters["NodeUnschedulable"].figures == {"asked": 3, "turnedDown": 1}
    assert filters["NodeUnschedulable"].answer == "Unschedulable"
    assert filters["NodeResourcesFit"].figures == {"asked": 2, "turnedDown": 0}
    assert filters["NodeResourcesFit"].detail == "2 nodes asked about, none turned down"
    assert filters["NodePorts"].answer == SKIP
    fit = _of(steps, "Score")["NodeResourcesFit"].figures
    assert fit["lowest"] < fit["highest"]
    taints = _of(steps, "Weight")["TaintToleration"]
    assert taints.figures == {"lowest": 300, "highest": 300, "weight": 3}
    assert taints.detail == "300 on all nodes (weight 3)"
    assert _of(steps, "NormalizeScore")["TaintToleration"].detail == "100 on all nodes"
    chosen = _of(steps, "SelectHost")[""]
    assert chosen.detail.startswith("n2 with ")
    assert chosen.figures["tied"] == 1
    assert _of(steps, "Bind")["DefaultBinder"].detail == "would bind default/p to n2"
    assert _of(steps, "Reserve")["VolumeBinding"].detail == "nothing to do"


@pytest.mark.parametrize(("runs_all", "asked"), [(False, 2), (True, 3)])
def test_after_a_plugin_that_turns_nodes_down_others_are_asked_about_the_rest(*, runs_all: bool, asked: int) -> None:
    """All plugins are asked about all nodes where a Policy says so."""
    scheduler = build_scheduler()
    profiles = {name: replace(each, runs_all_filters=runs_all) for name, each in scheduler.profiles.items()}
    scheduler = replace(scheduler, profiles=profiles)
    nodes = [node("n1"), node("n2"), node("n3", cordoned=True)]
    filters = _of(cycle_steps(scheduler.schedule(pod(cpu="1"), cluster(nodes)), scheduler), "Filter")
    assert filters["NodeUnschedulable"].figures == {"asked": 3, "turnedDown": 1}
    assert filters["NodeResourcesFit"].figures == {"asked": asked, "turnedDown": 0}


@pytest.mark.parametrize(
    ("names", "answer", "detail"),
    [(["n1"], "Success", "only 1 node can fit"), (["n1", "n2"], "Success", "only 2 nodes can fit")],
)
def test_a_plugin_that_names_the_nodes_says_how_many(names: list[str], answer: str, detail: str) -> None:
    terms = [node_term(fields=[in_("metadata.name", name)]) for name in names]
    found = _of(_steps(pod(affinity=affinity(node=node_affinity(*terms))), [node("n1"), node("n2")]), "PreFilter")
    assert (found["NodeAffinity"].answer, found["NodeAffinity"].detail) == (answer, detail)


def test_ties_are_told() -> None:
    chosen = _of(_steps(pod(), [node("n1"), node("n2")]), "SelectHost")[""]
    assert chosen.figures["tied"] == 2
    assert chosen.detail.endswith("one of 2 with as many: drawn at random, each as likely")


def test_one_node_is_not_ranked() -> None:
    steps = _steps(pod(), [node("n1")])
    assert [each.answer for each in steps if each.extension_point in ("PreScore", "Score")] == [NOT_RUN]
    assert _of(steps, "SelectHost")[""].detail == "n1"
    assert _of(steps, "SelectHost")[""].figures == {"tied": 1}


def test_a_pod_that_fits_nowhere_comes_to_post_filter() -> None:
    steps = _steps(pod(cpu="9"), [node("n1"), node("n2")])
    assert steps[-1].extension_point == "PostFilter"
    assert (steps[-1].plugin, steps[-1].answer) == ("DefaultPreemption", "Unschedulable")
    assert _of(steps, "Filter")["NodeResourcesFit"].detail == "2 nodes asked about, 2 turned down"
    assert _of(steps, "Filter")["VolumeBinding"].answer == SKIP
    assert not _of(steps, "Score")


def test_preemption_names_the_node_that_it_nominates() -> None:
    running = pod("low", cpu="4", node="n1", priority=0)
    steps = _steps(pod(cpu="4", priority=10), [node("n1")], [running])
    assert (steps[-1].answer, steps[-1].detail) == (
        "Success",
        "nominates n1, one of 1 candidate, and evicts default/low",
    )


def test_preemption_says_what_is_left_to_chance() -> None:
    nodes = [node("n1"), node("n2")]
    running = [pod(each.name, cpu="4", node=each.name, priority=0) for each in nodes]
    detail = _steps(pod(cpu="4", priority=10), nodes, running)[-1].detail
    assert detail == "nominates n1, one of 2 candidates, and evicts default/n1; equally good: n1, n2"


def test_a_gate_ends_it() -> None:
    steps = _steps(pod(gates=["wait"]), [node("n1")])
    assert steps[-1].plugin == "SchedulingGates"
    assert steps[-1].answer == "UnschedulableAndUnresolvable"
    assert "wait" in steps[-1].detail
    assert {each.extension_point for each in steps} == {"PreEnqueue"}


def test_a_rejection_by_pre_filter_leaves_filters_unasked() -> None:
    lost = pod(volumes=uses("lost"))
    steps = _steps(lost, [node("n1"), node("n2")])
    answers = _of(steps, "PreFilter")
    assert answers["VolumeRestrictions"].answer == "UnschedulableAndUnresolvable"
    assert answers["InterPodAffinity"].answer == NOT_RUN
    assert {each.answer for each in _of(steps, "Filter").values()} == {NOT_RUN}


def test_pods_of_others_have_no_steps() -> None:
    assert _steps(pod(scheduler_name="volcano"), [node("n1")]) == ()
    assert _steps(pod(deleting=True), [node("n1")]) == ()


def test_taints_that_are_tolerated_turn_nobody_down() -> None:
    nodes = [node("n1", taints=["a=b:NoSchedule"]), node("n2", taints=["c=d:NoSchedule"]), node("n3")]
    steps = _steps(pod(tolerations=[toleration("a", operator="Exists")]), nodes)
    assert _of(steps, "Filter")["TaintToleration"].figures == {"asked": 3, "turnedDown": 1}


def test_who_skips_says_what_the_pod_lacks() -> None:
    steps = _steps(pod(), [node("n1"), node("n2")])
    assert _of(steps, "PreFilter")["NodePorts"].detail == "no host ports"
    assert _of(steps, "PreScore")["PodTopologySpread"].detail == "no soft spread constraint (ScheduleAnyway)"
    skipping = [each for each in steps if each.answer == SKIP and each.extension_point in ("PreFilter", "PreScore")]
    assert [each.plugin for each in skipping if not each.detail] == []


def test_the_node_that_is_picked_is_compared_with_the_next() -> None:
    steps = _steps(pod(cpu="1"), [node("n1"), node("n2", cpu="8")])
    assert ", 9 more than n1: " in _of(steps, "SelectHost")[""].detail
    assert "NodeResourcesFit +6" in _of(steps, "SelectHost")[""].detail


def test_what_pre_filter_has_found_out_stands_beside_it() -> None:
    steps = _steps(pod(cpu="1", memory="1Gi"), [node("n1")])
    assert _of(steps, "PreFilter")["NodeResourcesFit"].detail == "requests pods 1, cpu 1, memory 1Gi"


def test_nobody_knows_what_plugins_of_others_would_say(tmp_path: Path) -> None:
    profile = {"plugins": {"score": {"enabled": [{"name": "NetworkOverhead", "weight": 5}]}}}
    extender = {"urlPrefix": "http://x", "filterVerb": "f", "prioritizeVerb": "p", "weight": 2}
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    (tmp_path / "c.json").write_text(json.dumps({**kind, "profiles": [profile], "extenders": [extender]}))
    scheduler = build_scheduler(SchedulerSettings(config=str(tmp_path / "c.json")))
    steps = cycle_steps(scheduler.schedule(pod(), cluster([node("n1"), node("n2")])), scheduler)
    unknown = [(each.extension_point, each.plugin) for each in steps if each.answer == NOT_EVALUATED]
    name = "extender http://x"
    assert unknown == [("Filter", name), ("Score", "NetworkOverhead"), ("Score", name)]
    assert _of(steps, "Score")["NetworkOverhead"].detail.endswith("may have a say at score")
