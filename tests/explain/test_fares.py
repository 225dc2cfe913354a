"""Verdicts that are kept as groups say of each node what the plugins said of it."""

from __future__ import annotations

import random

import pytest

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster
from kexplain.explain.distance import distance, rejections
from kexplain.explain.objections import facts_of
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.verdicts import node_verdicts
from kexplain.explanation import ExplainOptions, explain
from kexplain.objects.core import Pod
from kexplain.render.pages.nodes import node_parts
from kexplain.render.view import View
from tests.factories import cluster, node, pod

SCHEDULER = build_scheduler(SchedulerSettings(traces_everything=True))


def uneven(seed: int) -> Cluster:
    """Nodes of three sizes, some of them tainted, on which pods take amounts that never repeat."""
    draw = random.Random(seed)  # noqa: S311 (to be repeated, not to be secret)
    nodes = [
        node(
            f"n{number}",
            cpu=number % 3 + 2,
            labels={"pool": draw.choice("ab")},
            taints=draw.choice([[], ["a:NoSchedule"]]),
        )
        for number in range(40)
    ]
    running = [
        pod(f"p{number}", cpu=f"{draw.randrange(1, 2500)}m", memory=draw.randrange(1, 9 << 30), node=f"n{number % 40}")
        for number in range(60)
    ]
    return cluster(nodes, running)


@pytest.mark.parametrize("asking", [pod(cpu="9"), pod(cpu="3", memory="4Gi"), pod(memory="7Gi"), pod(cpu="1")])
@pytest.mark.parametrize("seed", range(3))
def test_every_verdict_has_the_facts_of_its_node(asking: Pod, seed: int) -> None:
    decision = SCHEDULER.schedule(asking, uneven(seed))
    verdicts, lookup = node_verdicts(decision, 0), Lookup(asking, decision.cluster)
    assert {each.node for each in verdicts} == {info.name for info in decision.cluster.node_infos}
    for each in verdicts:
        info, said = decision.cluster.node_info_by_name[each.node], decision.matrix.by_node.get(each.node, ())
        expected = [(status.plugin, status.reasons, facts_of(status, info, lookup)) for status in said]
        assert [(said.plugin, said.reasons, said.facts) for said in rejections(each)] == expected
    of_others = [distance(rejections(each)) for each in verdicts if each.verdict == "Rejected"]
    assert of_others == sorted(of_others)
    stopped = {each.node: each.stopped_by.facts for each in verdicts if each.stopped_by}
    assert {name: facts for name, facts in verdicts.facts_by_node.items() if facts} == stopped


def test_every_objection_that_is_shown_is_in_words() -> None:
    nodes = [node(f"n{number}", taints=["a:NoSchedule"] if number > 107 else []) for number in range(110)]
    explained = explain(SCHEDULER.schedule(pod(), cluster(nodes)), ExplainOptions(shown=1))
    (sheet,) = (each for each in node_parts(explained, View(top=1, all_failures=True)) if "REJECTED" in str(each))
    assert "untolerated taint a:NoSchedule" in str(sheet)
