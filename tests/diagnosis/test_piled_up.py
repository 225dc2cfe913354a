"""Runs of a CronJob that go on at the same time are seen where they take most of what is short."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.cluster import Cluster
from kexplain.diagnosis.piled_up import half_placed, piled_up, run_of, scaled_up
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.batch import CronJob, CronJobSpec, Job, JobSpec
from kexplain.objects.core import Pod, PodTemplateSpec
from kexplain.objects.meta import ObjectMeta, OwnerReference
from tests.factories import cluster, controlled_by, node, pod

PART_OF = controlled_by("CronJob", "sync", api_version="batch/v1")


def around(runs: int, others: int, *, policy: str | None = None, cpu: str = "100m", owner: str = "sync") -> Cluster:
    """A node with so many runs of CronJob default/sync, and other pods of 100m."""
    spec = CronJobSpec(concurrency_policy=policy)
    objects = [CronJob(metadata=ObjectMeta(name=owner, namespace="default"), spec=spec)]
    metadata = [ObjectMeta(name=f"sync-{n}", namespace="default", owner_references=(PART_OF,)) for n in range(runs)]
    of_runs = [
        pod(f"r{n}", node="n1", cpu=cpu, owner=controlled_by("Job", f"sync-{n}", api_version="batch/v1"))
        for n in range(runs)
    ]
    of_others = [pod(f"o{n}", node="n1", cpu="100m") for n in range(others)]
    return cluster([node("n1")], [*of_runs, *of_others], *objects, *(Job(metadata=each) for each in metadata))


@pytest.mark.parametrize(
    ("there", "resource", "taken"),
    [
        pytest.param(around(3, 2), "cpu", (300, 500), id="most of it"),
        pytest.param(around(3, 3), "cpu", None, id="half of it"),
        pytest.param(around(2, 0), "cpu", None, id="two may be meant"),
        pytest.param(around(3, 2), "pods", (3, 5), id="slots"),
        pytest.param(around(3, 4, cpu="1"), "pods", None, id="few slots"),
        pytest.param(around(3, 4, cpu="1"), "cpu", (3000, 3400), id="large ones"),
        pytest.param(around(3, 2, policy="Allow"), "cpu", (300, 500), id="allowed"),
        pytest.param(around(3, 2, policy="Forbid"), "cpu", None, id="forbidden now"),
        pytest.param(around(3, 2, owner="other"), "cpu", None, id="a CronJob that was not read"),
    ],
)
def test_who_takes_most(there: Cluster, resource: str, taken: tuple[int, int] | None) -> None:
    found = piled_up(there, ["n1"], resource, pod("web"))
    assert ((found.taken, found.total) if found else None) == taken


def test_the_jobs_and_pods_are_known() -> None:
    found = piled_up(around(3, 0), ["n1"], "cpu", pod("web"))
    assert found is not None
    assert found.jobs == ("sync-0", "sync-1", "sync-2")
    assert [each.name for each in found.pods] == ["r0", "r1", "r2"]
    assert piled_up(around(3, 0), [], "cpu", pod("web")) is None


def test_what_runs_for_nobody_is_of_no_cron_job() -> None:
    there = around(3, 0)
    (by,) = there.listers.every(CronJob)
    assert run_of(pod(owner=controlled_by("Job", "sync-0")), there) == by
    assert run_of(pod(owner=controlled_by("Job", "sync-9")), there) is None
    assert run_of(pod(owner=controlled_by("ReplicaSet", "sync-0")), there) is None


LOAD = controlled_by("Job", "load", api_version="batch/v1")


@pytest.mark.parametrize(
    ("asking", "pods", "taken"),
    [
        pytest.param(pod("web"), 3, 3, id="most-of-it"),
        pytest.param(pod("web"), 2, None, id="half-of-it"),
        pytest.param(pod("web", priority=-1), 3, None, id="of-one-that-is-more-important"),
        pytest.param(pod("load-9", owner=LOAD), 3, None, id="its-own"),
    ],
)
def test_a_job_that_takes_most(asking: Pod, pods: int, taken: int | None) -> None:
    running = [pod(f"load-{n}", node="n1", owner=LOAD) for n in range(pods)]
    others = [pod(f"other-{n}", node="n1") for n in range(2)]
    there = cluster([node("n1")], [*running, *others], Job(metadata=ObjectMeta(name="load", namespace="default")))
    found = piled_up(there, ["n1"], "pods", asking)
    assert (found.taken if found else None) == taken


def test_what_the_job_has_is_told() -> None:
    template = PodTemplateSpec(spec=pod(cpu="100m").spec)
    made = Job(metadata=ObjectMeta(name="load", namespace="default", uid="j"), spec=JobSpec(template=template))
    running = [pod(f"load-{n}", node="n1", cpu="100m", owner=replace(LOAD, uid="j")) for n in range(4)]
    there = cluster([node("n1", pods=5)], [*running, pod("other", node="n1")], made)
    (found,) = explain(Case(there, (PodToPlace(pod("web")),))).pods
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith("; Job default/load takes most of them there")
    assert found.diagnosis.amounts.endswith("it takes 4 of 5 pod slots taken there")


def scaled(kind: str = "Deployment", running: int = 3, others: int = 2, *, waits: bool = True) -> Cluster:
    """A node with so many pods of what an autoscaler scales, and others, and maybe one more that waits."""
    replica_set = kind == "Deployment"
    owner = controlled_by("ReplicaSet" if replica_set else kind, "mailer-1" if replica_set else "mailer")
    labels = {"pod-template-hash": "1"} if replica_set else {}
    target = {"kind": kind, "name": "mailer"}
    autoscaler = msgspec.convert(
        {
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": "mailer", "namespace": "default"},
            "spec": {"scaleTargetRef": target, "maxReplicas": 9},
        },
        HorizontalPodAutoscaler,
    )
    pods = [pod(f"m{n}", node="n1", cpu="100m", owner=owner, labels=labels) for n in range(running)]
    pods += [pod(f"o{n}", node="n1", cpu="100m") for n in range(others)]
    waiting = [pod("m9", cpu="100m", owner=owner, labels=labels)] if waits else []
    return cluster([node("n1")], pods, autoscaler, *waiting)


@pytest.mark.parametrize(
    ("there", "taken"),
    [
        pytest.param(scaled(), (300, 500), id="most of it"),
        pytest.param(scaled("StatefulSet"), (300, 500), id="a set"),
        pytest.param(scaled(others=3), None, id="half of it"),
        pytest.param(scaled(waits=False), None, id="it has what it wants"),
    ],
)
def test_what_an_autoscaler_scales_up(there: Cluster, taken: tuple[int, int] | None) -> None:
    found = scaled_up(pod("web", cpu="1"), there, ["n1"], "cpu")
    assert ((found.taken, found.total) if found else None) == taken


def test_its_own_autoscaler_is_told_apart() -> None:
    own = pod("m9", owner=controlled_by("ReplicaSet", "mailer-1"), labels={"pod-template-hash": "1"})
    found = [scaled_up(each, scaled(), ["n1"], "cpu") for each in (own, pod("web", cpu="1"))]
    assert [each and each.is_own for each in found] == [True, False]


@pytest.mark.parametrize(
    ("placed", "others", "resource", "taken"),
    [
        pytest.param(3, 2, "cpu", (300, 500), id="most-of-it"),
        pytest.param(3, 3, "cpu", None, id="half-of-it"),
        pytest.param(2, 0, "cpu", None, id="two-may-be-meant"),
        pytest.param(3, 2, "pods", (3, 5), id="slots"),
    ],
)
def test_who_waits_for_others_of_theirs_may_take_most(
    placed: int, others: int, resource: str, taken: tuple[int, int] | None
) -> None:
    """Each driver has a node, and the executor that it owns has none."""
    drivers = [pod(f"driver-{n}", node="n1", cpu="100m", uid=f"driver-{n}") for n in range(placed)]
    waiting = [pod(f"exec-{n}", owner=owned_by_pod(f"driver-{n}")) for n in range(placed)]
    there = cluster([node("n1")], [*drivers, *(pod(f"o{n}", node="n1", cpu="100m") for n in range(others))], *waiting)
    found = half_placed(there, ["n1"], resource)
    assert (found[1:] if found else None) == taken
    assert found is None or [each.name for each in found[0]] == [each.name for each in drivers]


def test_where_nobody_waits_none_waits_for_others() -> None:
    drivers = [pod(f"driver-{n}", node="n1", cpu="100m", uid=f"driver-{n}") for n in range(3)]
    assert half_placed(cluster([node("n1")], drivers), ["n1"], "cpu") is None


def owned_by_pod(name: str) -> OwnerReference:
    return replace(controlled_by("Pod", name, api_version="v1"), uid=name)
