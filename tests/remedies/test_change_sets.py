"""Sets of changes for one node, and for one that is new."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kexplain.api import build_scheduler
from kexplain.cluster import Cluster
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.records import Rejection
from kexplain.framework.evidence.devices import UndeclaredFeatures
from kexplain.objects.core import Node, Pod
from kexplain.objects.well_known import ZONE
from kexplain.remedies.advice import proposed
from kexplain.remedies.change_sets import options, repair
from kexplain.remedies.fitting_node import FittingNode, _Wanted
from kexplain.remedies.more_nodes import one_more
from kexplain.remedies.smaller_requests import requesting_amount
from kexplain.remedies.trials import NodeAfterSteps, Trials
from tests.factories import affinity, cluster, node, pod, spread, term
from tests.remedies import situations
from tests.remedies.situations import deployment, template
from tests.remedies.test_scaled_down import helping

SCHEDULER = build_scheduler()
DISK = {"disk": "ssd"}


def trials(asking: Pod, there: Cluster) -> Trials:
    return Trials(SCHEDULER.schedule(asking, there), SCHEDULER)


def repaired(asking: Pod, there: Cluster, *, last_resorts: bool = False) -> Sequence[str]:
    found = repair(trials(asking, there), "n1", Scene(asking, there), last_resorts=last_resorts)
    return [each.text for each in found[1]] if found else []


def test_what_objects_to_a_node_is_lifted_one_after_the_other() -> None:
    there = cluster([node("n1", cordoned=True)], [pod("old", cpu="3", node="n1")])
    assert repaired(pod(cpu="2", node_selector=DISK), there) == [
        "uncordon n1, once the reason for the cordon is known",
        "drop disk=ssd from the node selector",
        "move default/old away from n1, which lacks 1 cpu",
    ]


def test_what_is_cut_twice_is_said_once_with_what_was_asked_for() -> None:
    there = cluster([node("n1", cpu="4", memory="32Gi")])
    asking, cut = pod(cpu="6", memory="40Gi"), pod(cpu="4", memory="40Gi")
    lacking = ResourceFact(resource="memory", requested=40 << 30, free=20 << 30, allocatable=32 << 30, used=12 << 30)
    rejection = Rejection(plugin="NodeResourcesFit", code="", reasons=(), detail="", facts=(lacking,))
    after = NodeAfterSteps(there.node_info_by_name["n1"], Lookup(cut, there), (rejection,))
    less = options(rejection, after, asking, Scene(asking, there), last_resorts=False)[0]
    assert less.text == "request at most 4 cpu (now 6) and at most 20Gi memory (now 40Gi)"
    assert less.edit is not None
    assert less.edit(asking).spec == pod(cpu="4", memory="20Gi").spec


def test_what_is_done_anyway_is_needed() -> None:
    small, asking = cluster([node("n1", cpu="3", labels=DISK)]), pod(cpu="4000", node_selector=DISK)
    less = proposed("closest", "n1", "", edit=requesting_amount("cpu", "4000", "4000m"))
    assert repair(trials(asking, small), "n1", Scene(asking, small), [less]) is None
    large = cluster([node("n1", cpu="8", cordoned=True)])
    found = repair(trials(asking, large), "n1", Scene(asking, large), [less])
    assert found is not None
    assert less in found[1]


def test_what_a_plugin_hides_behind_its_first_objection_is_found() -> None:
    running = [pod(f"web-{index}", labels={"app": "web"}, node="n1") for index in range(3)]
    there = cluster([node("n1", zone="a", labels={"rack": "1"}), node("n2", zone="b", labels={"rack": "2"})], running)
    full = pod("full", cpu="4", node="n2")
    asking = pod(labels={"app": "web"}, cpu="1", spread=[spread(labels={"app": "web"}), spread("rack", {"app": "web"})])
    assert repaired(asking, there.assume(full, "n2")) == [
        "allow maxSkew 4 over topology.kubernetes.io/zone",
        "allow maxSkew 4 over rack",
    ]


def test_what_leaves_out_what_a_pod_is_there_for_is_a_last_resort() -> None:
    there = cluster([node("n1", cordoned=True)], [pod("old", cpu="4", node="n1", priority=9)])
    asking = pod(cpu="2")
    assert repaired(asking, cluster([node("n1", cpu="0", cordoned=True)])) == []
    assert repaired(asking, cluster([node("n1", cpu="0", cordoned=True)]), last_resorts=True) == [
        "uncordon n1, once the reason for the cordon is known",
        "request no cpu (now 2)",
    ]
    assert repaired(asking, there)


def test_a_new_node_is_as_the_pod_needs_it() -> None:
    there = cluster([node("n1", zone="a", taints=["dedicated=x:NoSchedule"])], [pod("db", labels=DISK, node="n1")])
    apart = affinity(far=[term(DISK, "topology.kubernetes.io/zone")])
    asking = pod(cpu="6", node_selector={"pool": "big"}, affinity=apart)
    (one,) = one_more(Scene(asking, there))
    found = repair(trials(asking, there), FittingNode(one.proposal), Scene(asking, there))
    assert found is not None
    tried, kept = found
    (only,) = kept
    assert only.text == (
        "add one more node like n1, but with 6 cpu and label pool=big, without taint dedicated:NoSchedule, "
        "in a new zone"
    )
    assert tried.decision.host == FittingNode(one.proposal).name


def test_a_new_node_declares_what_the_pod_uses() -> None:
    asking, there = pod(cpu="9"), cluster([node("n1")])
    (one,) = one_more(Scene(asking, there))
    new, fact = FittingNode(one.proposal), UndeclaredFeatures(features=("HostUsers",))
    rejection = Rejection(plugin="NodeDeclaredFeatures", code="Unschedulable", reasons=(), detail="", facts=(fact,))
    after = NodeAfterSteps(there.node_infos[0], Lookup(asking, there), (rejection,))
    assert new.note(after)
    assert not new.note(after)
    assert new.proposal.text.endswith(", but with a kubelet that declares HostUsers")
    (made,) = [step.created for step in new.proposal.steps if isinstance(step.created, Node)]
    assert made.status.declared_features == ("HostUsers",)


@pytest.mark.parametrize(
    ("pods", "cpu", "skew", "serves"),
    [
        pytest.param(3, "1", 4, 3, id="as much as all take"),
        pytest.param(3, "3", 2, 1, id="not more than helps"),
        pytest.param(1, "1", 3, None, id="one pod, and the rollout behind it"),
    ],
)
def test_a_skew_is_allowed_that_all_pods_of_the_workload_need(
    pods: int, cpu: str, skew: int, serves: int | None, tmp_path: Path
) -> None:
    over = {"topologyKey": "zone", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}
    made_of = template(cpu, topologySpreadConstraints=[{**over, "labelSelector": {"matchLabels": {"app": "web"}}}])
    full = deployment("full", template("4"), ["n2"])
    zones = [situations.node("n1", "7", zone="a"), situations.node("n2", zone="b")]
    items = [*zones, *full, *deployment("web", made_of, ["n1", *[""] * pods])]
    found = next(each for each in helping(tmp_path / "cluster.json", items) if each.action == "relax-spread")
    assert (found.text, found.serves) == (f"allow maxSkew {skew} over zone", serves)


def test_a_new_node_is_in_the_zone_of_the_volume_whatever_the_pod_asks_for() -> None:
    wanted = _Wanted(labels={ZONE: "a", "disk": "ssd"}, places={ZONE: "c"})
    assert wanted.words() == "with label disk=ssd, in zone c"
    assert wanted.made(node("n1", zone="a")).labels[ZONE] == "c"
