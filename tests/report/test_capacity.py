from __future__ import annotations

from msgspec.structs import replace

from kexplain.config.component.default_profile import default_profile
from kexplain.objects.apps import ReplicaSet, ReplicaSetMeta
from kexplain.objects.core import Pod
from kexplain.report.capacity import Filling, headroom, running_workloads
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, controlled_by, node, pod, replica_set

DEFAULT = Scheduler({"default-scheduler": default_profile()})
WEB, DB = controlled_by("ReplicaSet", "web"), controlled_by("StatefulSet", "db")
RUNNING = [
    pod("web-1", node="n1", cpu="500m", owner=WEB),
    pod("web-2", node="n1", cpu="500m", owner=WEB),
    pod("db-0", node="n2", cpu="1500m", owner=DB),
    pod("agent", node="n1", owner=controlled_by("DaemonSet", "agent")),
    pod("bare", node="n1"),
]
CLUSTER = cluster(
    [node("n1", cpu="2", labels={"agentpool": "a"}), node("n2", cpu="2", labels={"agentpool": "b"})], RUNNING
)


def test_by_node_and_pool_and_what_stops_the_next_one() -> None:
    (found,) = Filling(DEFAULT, CLUSTER).each([pod("new", cpu="500m")])
    assert (found.pod, found.fits, found.by_node, found.by_pool) == (
        "default/new",
        3,
        {"n1": 2, "n2": 1},
        {"a": 2, "b": 1},
    )
    assert found.stopped_by is not None
    assert found.stopped_by.message.startswith("0/2 nodes are available: 2 Insufficient cpu.")
    assert [cause.plugin for cause in found.stopped_by.causes] == ["NodeResourcesFit"]


def test_each_pod_is_counted_by_itself() -> None:
    found = list(Filling(DEFAULT, CLUSTER, limit=2).each([pod("a", cpu="500m"), pod("b", cpu="1")]))
    assert [(each.fits, each.limit, each.stopped_by is None) for each in found] == [(2, 2, True), (1, 2, False)]


def test_some_of_the_pods() -> None:
    filling, pods = Filling(DEFAULT, CLUSTER), [pod("a", cpu="500m"), pod("b", cpu="1"), pod("c", cpu="2")]
    assert [each.pod for each in filling.each(pods, range(0, 3, 2))] == ["default/a", "default/c"]


def test_a_mix_ends_for_all() -> None:
    big, small = Filling(DEFAULT, CLUSTER).mix([pod("big", cpu="1"), pod("small", cpu="250m")], (1, 2))
    assert (big.fits, small.fits) == (1, 2)
    assert (big.stopped_by is not None, small.stopped_by is None) == (True, True)


def test_the_limit_of_a_mix_is_in_rounds() -> None:
    found = Filling(DEFAULT, CLUSTER, limit=1).mix([pod("a", cpu="10m"), pod("b", cpu="10m")], (1, 2))
    assert [(each.fits, each.stopped_by) for each in found] == [(1, None), (2, None)]


def test_headroom_of_what_runs() -> None:
    workloads = running_workloads(CLUSTER)
    assert [(each.name, each.running) for each in workloads] == [
        ("default/ReplicaSet/web", 2),
        ("default/StatefulSet/db", 1),
    ]
    capacities = Filling(DEFAULT, CLUSTER, limit=9).each([each.pod for each in workloads])
    found = list(headroom(workloads, capacities))
    assert [(each.workload, each.running, each.fits) for each in found] == [
        ("default/ReplicaSet/web", 2, 3),
        ("default/StatefulSet/db", 1, 0),
    ]


def test_a_deployment_grows_by_pods_like_its_newest_one() -> None:
    sets = [
        ReplicaSet(metadata=ReplicaSetMeta(name=name, namespace="default", owner_references=(owner,)))
        for owner in [controlled_by("Deployment", "web")]
        for name in ("web-old", "web-new")
    ]
    pods = [
        created(pod(f"{name}-1", node="n1", cpu=cpu, owner=controlled_by("ReplicaSet", name)), day)
        for name, cpu, day in (("web-new", "700m", "02"), ("web-old", "100m", "01"))
    ]
    (workload,) = running_workloads(cluster([node("n1", cpu="2")], pods, *sets))
    assert (workload.name, workload.running) == ("default/Deployment/web", 2)
    assert workload.pod.name == "web-new-1"


def created(made: Pod, day: str) -> Pod:
    return replace(made, metadata=replace(made.metadata, creation_timestamp=f"2026-01-{day}T00:00:00Z"))


def test_whom_replicas_evict() -> None:
    made = cluster([node("n1", cpu="1")], [pod("low", node="n1", cpu="1", priority=0)])
    (found,) = Filling(DEFAULT, made).each([pod("high", cpu="1", priority=9)])
    assert (found.fits, found.evicted) == (1, ("default/low",))


def test_what_is_not_limited_ends_all_the_same() -> None:
    filling = Filling(DEFAULT, CLUSTER, most=3)
    found = filling.mix([pod("a", cpu="1m"), pod("b", cpu="1")], (1, 1))
    assert [(each.fits, each.limit) for each in found] == [(1, None), (0, None)]
    assert [(each.fits, each.limit) for each in filling.each([pod("a", cpu="1m")])] == [(3, 3)]


def test_what_a_pod_is_made_of_is_named() -> None:
    makers = (None, replica_set("web", None), pod("bare"))
    found = Filling(DEFAULT, CLUSTER, limit=1, makers=makers).each([pod("a"), pod("b"), pod("bare")])
    assert [each.made_of for each in found] == ["", "default/ReplicaSet/web", ""]
