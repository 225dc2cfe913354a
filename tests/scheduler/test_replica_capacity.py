from __future__ import annotations

from itertools import islice

import pytest

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.trace import Outcome
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolumeClaim
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.replica_capacity import Filled, fill, replicas_of
from tests.factories import affinity, cluster, in_, node, node_affinity, node_term, pod

DEFAULT = Scheduler({"default-scheduler": default_profile()})
NODES = (node("n1", cpu="3"), node("n2", cpu="2"))


def filled(made: Pod, limit: int | None = None) -> Filled:
    return fill(DEFAULT, cluster(NODES), islice(replicas_of([made]), limit))


def test_until_one_does_not_fit() -> None:
    full = filled(pod("web", cpu="1"))
    assert [placement.replica.pod.name for placement in full.placements] == [f"web-{number}" for number in range(5)]
    assert full.by_node(0) == {"n1": 3, "n2": 2}
    assert full.stopped_by is not None
    assert full.stopped_by.outcome is Outcome.UNSCHEDULABLE
    assert full.stopped_by.message.startswith("0/2 nodes are available: 2 Insufficient cpu.")
    assert sum(len(node_info.pods) for node_info in full.cluster.node_infos) == 5


def test_limit_ends_it_with_nothing_to_explain() -> None:
    part = filled(pod("web", cpu="1"), 2)
    assert (len(part.placements), part.stopped_by) == (2, None)


@pytest.mark.parametrize("weight", [-(2**31), 2**31 - 1])
def test_a_weight_that_no_api_server_takes_ends_it_as_upstream_would(weight: int) -> None:
    preferred = node_affinity(preferred=[(weight, node_term(in_("kubernetes.io/hostname", "n1")))])
    full = filled(pod("web", cpu="1", affinity=affinity(node=preferred)), 3)
    assert full.stopped_by is None or 'NodeAffinity" returns an invalid score' in full.stopped_by.message
    assert (full.stopped_by is None) == (weight > 0)


def test_replicas_are_told_apart_by_uid_too() -> None:
    first, second = islice(replicas_of([pod("web", uid="abc")]), 2)
    assert (first.pod.uid, second.pod.uid) == ("abc-0", "abc-1")


def test_mix_in_proportion() -> None:
    mix = replicas_of([pod("big", cpu="1"), pod("small", cpu="500m")], (1, 2))
    full = fill(DEFAULT, cluster(NODES), mix)
    assert [placement.replica.pod.name for placement in full.placements][:6] == [
        "big-0",
        "small-0",
        "small-1",
        "big-1",
        "small-2",
        "small-3",
    ]
    assert (full.stopped_at, sum(full.by_node(0).values()), sum(full.by_node(1).values())) == (0, 2, 4)


@pytest.mark.parametrize(("preempts", "fits"), [(False, 1), (True, 2)])
def test_preemption_only_where_asked_for(preempts: bool, fits: int) -> None:
    made = cluster([node("n1", cpu="2")], [pod("victim", node="n1", cpu="1", priority=0)])
    scheduler = DEFAULT if preempts else DEFAULT.without_post_filter()
    full = fill(scheduler, made, replicas_of([pod("high", cpu="1", priority=9)]))
    assert len(full.placements) == fits
    assert [pod.name for pod in full.evicted] == ["victim"] * preempts


def test_each_replica_has_claims_of_its_own() -> None:
    def claims(replica: Pod, _: int) -> tuple[Pod, tuple[PersistentVolumeClaim, ...]]:
        return replica, (PersistentVolumeClaim(metadata=ClaimMeta(name=replica.name, namespace="default")),)

    full = fill(DEFAULT, cluster(NODES), islice(replicas_of([pod("web")], claims=claims), 2))
    assert [claim.name for claim in full.cluster.listers.every(PersistentVolumeClaim)] == ["web-0", "web-1"]
