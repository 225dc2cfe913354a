from __future__ import annotations

from typing import Any

import pytest

from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.objects.core import Node, Pod
from kexplain.report.bearings import Bearings
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod

NODES = [node("n1", cpu="8"), node("n2", cpu="4")]
RUNNING = [pod(f"on-{each.name}", memory="1Gi", node=each.name) for each in NODES]
#: One of these fits on no more than a node.
SMALL, BIG = pod("small", cpu="1", memory="1Gi"), pod("big", cpu="6")
VITAL = pod("vital", memory="8Gi", priority=1)
NOTHING = "nothing to do"


def configured(profile: dict[str, Any], **others: Any) -> Scheduler:
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return scheduler_from({**kind, "profiles": [{"schedulerName": "default-scheduler", **profile}], **others})


def args(name: str, **values: Any) -> dict[str, Any]:
    return {"pluginConfig": [{"name": name, "args": values}]}


def without(point: str, name: str) -> dict[str, Any]:
    return {"plugins": {point: {"disabled": [{"name": name}]}}}


def said(after: Scheduler, *pods: Pod, nodes: list[Node] = NODES) -> list[str]:
    before = configured({})
    bearings = Bearings(before, after)
    for each in pods:
        bearings.note(bearings.of(*(side.schedule(each, cluster(nodes, RUNNING)) for side in (before, after))))
    return list(dict.fromkeys(each.bearing for each in bearings.told()))


@pytest.mark.parametrize(
    ("profile", "pods", "says"),
    [
        (args("VolumeBinding", bindTimeoutSeconds=30), [SMALL], ["how long is waited decides nothing here"]),
        (
            args("InterPodAffinity", hardPodAffinityWeight=9),
            [SMALL],
            [f"{NOTHING}: no required terms, and no pod repels this one"],
        ),
        (without("score", "ImageLocality"), [SMALL], ["the same for all nodes"]),
        (without("score", "NodeResourcesFit"), [SMALL], ["gives other points"]),
        (without("score", "ImageLocality"), [BIG], ["no nodes are ranked"]),
        (
            without("score", "ImageLocality"),
            [BIG, SMALL, SMALL],
            ["the same for all nodes (2 pods); no nodes are ranked (1 pod)"],
        ),
        (without("filter", "NodeResourcesFit"), [SMALL], ["turns no node down"]),
        (without("filter", "NodeResourcesFit"), [BIG], ["turns down 1 node, then 0"]),
        (without("preFilter", "PodTopologySpread"), [SMALL], [f"{NOTHING}: no hard spread constraint (DoNotSchedule)"]),
        ({"percentageOfNodesToScore": 30}, [SMALL], ["2 of 2 nodes looked at"]),
        ({"schedulerName": "other"}, [SMALL], ["no pod asks for this profile"]),
        (args("NodeResourcesFit", ignoredResources=["example.com/x"]), [SMALL], ["says the same on both sides"]),
        (without("score", "ImageLocality"), [], [""]),
        (without("postFilter", "DefaultPreemption"), [VITAL], ["evicts from the best of 2 candidates, then 0"]),
        (
            args("DefaultPreemption", minCandidateNodesAbsolute=1),
            [VITAL],
            ["evicts from the best of 2 candidates, then 1"],
        ),
    ],
)
def test_what_differs_and_why_it_does_not_matter(profile: dict[str, Any], pods: list[Pod], says: list[str]) -> None:
    after = configured(profile)
    assert said(after, *pods)[-1:] == says


def test_what_is_not_evaluated_is_not_said_to_be_without_effect() -> None:
    after = configured({"plugins": {"multiPoint": {"enabled": [{"name": "Coscheduling"}]}}})
    bearings = Bearings(configured({}), after)
    bearings.note(bearings.of(*(side.schedule(SMALL, cluster(NODES)) for side in (configured({}), after))))
    [told] = bearings.told()
    assert not told.evaluated
    assert told.bearing.startswith("not evaluated: ")
