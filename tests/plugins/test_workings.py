"""How scores come about in figures: the lines end in the scores that were given."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kexplain.api import ExplainOptions, Wanted, load_case, one_by_one
from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import KexplainError
from kexplain.framework.features import Features
from kexplain.objects.core import Pod
from kexplain.plugins.storage_scoring import StorageUse, default_shape, storage_working
from kexplain.scheduler.cycle import Scheduler
from tests.factories import (
    HOSTNAME,
    ZONE,
    affinity,
    cluster,
    in_,
    node,
    node_affinity,
    node_term,
    pod,
    selector,
    spread,
    term,
)
from tests.storage_factories import capacity, claim, csi_driver, storage_class
from tests.storage_factories import uses as volumes_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
SCHEDULER = build_scheduler()


A = {"app": "a"}
MIB = 1024 * 1024


def workings(asking: Pod, around: Cluster, plugin: str, scheduler: Scheduler = SCHEDULER) -> dict[str, str]:
    """How the plugin comes by its scores, by node."""
    decision = scheduler.schedule(asking, around)
    found = {name: decision.score_terms(name).get(plugin) for name in decision.feasible}
    return {name: terms.working for name, terms in found.items() if terms}


def test_spreading_counts_pods_by_the_weight_of_the_domains() -> None:
    around = cluster(
        [node("n1", zone="a"), node("n2", zone="b")], [pod(f"r{n}", node="n1", labels=A) for n in range(3)]
    )
    soft = spread(ZONE, A, max_skew=3, soft=True)
    assert workings(pod(labels=A, spread=[soft]), around, "PodTopologySpread") == {
        "n1": f"3 in {ZONE}=a × ln(2 + 2) + maxSkew 3 − 1 = 6.16, so 6; 100 × (6 + 2 − 6) / 6 = 33",
        "n2": f"0 in {ZONE}=b × ln(2 + 2) + maxSkew 3 − 1 = 2.00, so 2; 100 × (6 + 2 − 2) / 6 = 100",
    }


def test_spreading_over_hosts_counts_by_node_and_leaves_out_nodes_without_the_label() -> None:
    around = cluster([node("n1"), node("n2"), node("n3", hostname=False)], [pod("r", node="n1", labels=A)])
    found = workings(pod(labels=A, spread=[spread(HOSTNAME, A, soft=True)]), around, "PodTopologySpread")
    assert found["n1"] == "1 on its host × ln(2 + 2) = 1.39, so 1; 100 × (1 + 0 − 1) / 1 = 0"
    assert found["n3"] == "it lacks a label that a constraint names, so 0"


def test_spreading_is_explained_where_no_pod_is_counted_yet() -> None:
    """A node without the label scores nothing, beside others that score as much as there is."""
    around = cluster([node("n1", zone="a"), node("n2")])
    soft = pod(labels=A, spread=[spread(ZONE, A, soft=True)])
    assert workings(soft, around, "PodTopologySpread") == {
        "n1": f"0 in {ZONE}=a × ln(1 + 2) = 0.00, so 0; no node has more, so 100",
        "n2": "it lacks a label that a constraint names, so 0",
    }
    of_old = build_scheduler(SchedulerSettings(kubernetes_version="1.24"))
    assert workings(pod(), around, "PodTopologySpread", of_old) == {}


def test_storage_counts_what_the_claims_take_of_each_class() -> None:
    taken = {"fast": StorageUse(30, 100), "slow": StorageUse(5, 0)}
    scheduler = build_scheduler(SchedulerSettings(feature_gates={"StorageCapacityScoring": True}))
    nodes = [node(name, labels={"disk": name}) for name in ("n1", "n2")]
    left = [capacity(name, selector({"disk": name}), amount) for name, amount in (("n1", "20Gi"), ("n2", "100Gi"))]
    around = cluster(nodes, [], storage_class(), csi_driver(), claim(), *left)
    assert workings(pod(volumes=volumes_of("data")), around, "VolumeBinding", scheduler) == {
        "n1": "wait 10737418240/21474836480, 50% taken, gives 50; the mean = 50",
        "n2": "wait 10737418240/107374182400, 10% taken, gives 90; the mean = 90",
    }
    assert workings(pod(), around, "VolumeBinding", scheduler) == {}
    shape = default_shape(Features(storage_capacity_scoring=True))
    assert storage_working(shape, taken) == (
        "fast 30/100, 30% taken, gives 70, slow 5/0, 100% taken, gives 0; the mean = 35"
    )


def test_affinity_adds_the_weights_of_domains() -> None:
    around = cluster(
        [node("n1", zone="a"), node("n2", zone="a"), node("n3", zone="b")],
        [pod("r", node="n1", labels=A), pod("s", node="n3", labels={"app": "b"})],
    )
    wishes = affinity(prefers_near=[(30, term(A, ZONE))], prefers_far=[(20, term({"app": "b"}))])
    assert workings(pod(affinity=wishes), around, "InterPodAffinity") == {
        "n1": f"30 × 1 pod with app=a in {ZONE}=a = 30; 100 × (30 − (−20)) / (30 − (−20)) = 100",
        "n2": f"30 × 1 pod with app=a in {ZONE}=a = 30; 100 × (30 − (−20)) / (30 − (−20)) = 100",
        "n3": f"−20 × 1 pod with app=b in {HOSTNAME}=n3 = (−20); 100 × ((−20) − (−20)) / (30 − (−20)) = 0",
    }


def test_affinity_counts_what_placed_pods_want_as_well() -> None:
    """Who must be near weighs as much as the plugin's argument says; who would be near, or away, by its own weight."""
    must, would = affinity(near=[term(A, ZONE)]), affinity(prefers_near=[(37, term(A, ZONE))])
    away = affinity(prefers_far=[(11, term(A))])
    placed = [pod("m", node="n1", affinity=must), *(pod(f"w{n}", node="n1", affinity=would) for n in range(2))]
    around = cluster([node("n1", zone="a"), node("n2", zone="b")], [*placed, pod("x", node="n1", affinity=away)])
    found = workings(pod(labels=A), around, "InterPodAffinity")
    assert found["n1"] == (
        f"1 × 1 pod that must be near app=a + 37 × 2 pods that would be near app=a in {ZONE}=a"
        f" − 11 × 1 pod that would be away from app=a in {HOSTNAME}=n1 = 64; 100 × (64 − 0) / (64 − 0) = 100"
    )
    assert found["n2"] == "nothing in its domains = 0; 100 × (0 − 0) / (64 − 0) = 0"


def test_affinity_says_where_all_nodes_are_alike() -> None:
    around = cluster([node("n1", zone="a"), node("n2", zone="a")], [pod("r", node="n1", labels=A)])
    found = workings(pod(affinity=affinity(prefers_near=[(30, term(A, ZONE))])), around, "InterPodAffinity")
    assert found["n1"] == f"30 × 1 pod with app=a in {ZONE}=a = 30; all nodes alike, so 0"


def test_preferred_nodes_add_their_weights() -> None:
    fast, near = node_term(in_("disk", "ssd")), node_term(in_(ZONE, "a"))
    around = cluster([node("n1", zone="a", labels={"disk": "ssd"}), node("n2", zone="a"), node("n3")])
    wishes = affinity(node=node_affinity(preferred=[(50, fast), (7, near)]))
    assert workings(pod(affinity=wishes), around, "NodeAffinity") == {
        "n1": "50 + 7 = 57; 100 × 57 / 57 = 100",
        "n2": "7 = 7; 100 × 7 / 57 = 12",
        "n3": "no term matches = 0; 100 × 0 / 57 = 0",
    }


def test_taints_count_against_a_node() -> None:
    one, other = "a:PreferNoSchedule", "b:PreferNoSchedule"
    around = cluster([node("n1", taints=[one, other]), node("n2", taints=[one]), node("n3")])
    assert workings(pod(), around, "TaintToleration") == {
        "n1": "2 PreferNoSchedule taints not tolerated; 100 − 100 × 2 / 2 = 0",
        "n2": "1 PreferNoSchedule taint not tolerated; 100 − 100 × 1 / 2 = 50",
        "n3": "0 PreferNoSchedule taints not tolerated; 100 − 100 × 0 / 2 = 100",
    }


def test_what_scores_nothing_anywhere_is_not_worked_out() -> None:
    assert workings(pod(), cluster([node("n1"), node("n2")]), "TaintToleration") == {}


def test_balance_is_told_with_and_without_the_pod() -> None:
    around = cluster([node("n1", cpu=4, memory="8Gi"), node("n2", cpu=8, memory="8Gi")])
    found = workings(pod(cpu=2, memory="2Gi"), around, "NodeResourcesBalancedAllocation")
    assert found["n1"] == (
        "with the pod cpu 2000/4000, memory 2147483648/8589934592: 100 × (1 − stddev) = 87.5, so 87; "
        "without it cpu 0/4000, memory 0/8589934592: 100 × (1 − stddev) = 100; 50 + (50 + 87 − 100) / 2 = 68.5, so 68"
    )


def test_balance_of_older_releases_is_that_with_the_pod() -> None:
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version="1.30"))
    decision = scheduler.schedule(pod(cpu=2, memory="2Gi"), cluster([node("n1", cpu=4, memory="8Gi"), node("n2")]))
    found = decision.score_terms("n1")["NodeResourcesBalancedAllocation"].working
    assert found == "with the pod cpu 2000/4000, memory 2147483648/8589934592: 100 × (1 − stddev) = 87.5, so 87"


def test_images_count_between_two_thresholds() -> None:
    around = cluster([node("n1", images={"a:1": 500 * MIB}), node("n2")])
    assert workings(pod(image="a:1"), around, "ImageLocality") == {
        "n1": "images = 500.0 × 1/2 Mi, at least 23 and at most 1000 × 1; 100 × (images − 23) / (1000 × 1 − 23) = 23",
        "n2": "images = 0 Mi, at least 23 and at most 1000 × 1; 100 × (images − 23) / (1000 × 1 − 23) = 0",
    }


def _last_number(text: str) -> int:
    return int(re.findall(r"(?:=|so) (\d+)$", text)[0])


@pytest.mark.slow
def test_workings_end_in_the_scores_that_they_explain() -> None:
    seen: dict[str, int] = {}
    for directory in sorted(path for path in FIXTURES.iterdir() if (path / "pod.yaml").exists()):
        try:
            case = load_case([str(directory / "pod.yaml")], [str(directory)], Wanted())
        except KexplainError:
            continue
        for found in one_by_one(case, ExplainOptions(score_details=None, scheduler=SCHEDULER)).pods:
            for verdict in found.node_verdicts:
                scores = {score.plugin: score for score in verdict.scores}
                for terms in verdict.score_terms:
                    if terms.working:
                        seen[terms.plugin] = seen.get(terms.plugin, 0) + 1
                        assert _last_number(terms.working) == scores[terms.plugin].normalized, terms
    assert {"NodeResourcesBalancedAllocation", "PodTopologySpread"} <= seen.keys()
