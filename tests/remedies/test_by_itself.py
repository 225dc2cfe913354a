"""What happens by itself if one waits."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.cluster.departing import departed
from kexplain.explanation.records import Workload
from kexplain.objects.batch import CronJob, CronJobSpec, Job
from kexplain.objects.core import Pod
from kexplain.objects.meta import ObjectMeta
from tests.factories import cluster, controlled_by, node, pod


def run(name: str, job: str, on: str | None = None, kind: str = "Job") -> Pod:
    return pod(name, cpu="3", node=on, owner=controlled_by(kind, job, api_version="batch/v1"))


def job(name: str, above: str) -> Job:
    return Job(metadata=ObjectMeta(name=name, namespace="default", owner_references=(controlled_by("CronJob", above),)))


@pytest.mark.parametrize(
    ("running", "texts"),
    [
        pytest.param([run("a-0", "a", "n1")], ["wait for default/a-0 of Job a to end"], id="one-of-its-own"),
        pytest.param(
            [run("a-0", "a", "n1"), run("a-1", "a", "n2")], ["wait for a pod of Job a to end"], id="several-of-its-own"
        ),
        pytest.param([run("b-0", "b", "n1")], [], id="another-job"),
        pytest.param([run("a-0", "a", "n1", "ReplicaSet")], [], id="no-job"),
    ],
)
def test_a_pod_of_a_job_waits_for_the_others(running: list[Pod], texts: list[str]) -> None:
    there = cluster([node("n1", cpu=4), node("n2", cpu=1)], running)
    (found,) = explain(Case(there, (PodToPlace(run("a-9", "a")),))).pods
    assert [each.text for each in found.remedies if each.action == "wait"] == texts


def test_runs_of_one_cron_job_wait_for_one_another() -> None:
    there = cluster([node("n1", cpu=4)], [run("a-0", "sync-1", "n1")], job("sync-1", "sync"), job("sync-2", "sync"))
    (found,) = explain(Case(there, (PodToPlace(run("a-9", "sync-2")),))).pods
    assert (found.remedies[0].text, found.remedies[0].nodes) == ("wait for default/a-0 of CronJob sync to end", ("n1",))


@pytest.mark.parametrize(
    ("policy", "is_offered"), [(None, True), ("Allow", True), ("Forbid", False), ("Replace", False)]
)
def test_runs_that_overlap_may_be_forbidden(policy: str | None, is_offered: bool) -> None:
    made_by = CronJob(
        metadata=ObjectMeta(name="sync", namespace="default"), spec=CronJobSpec(concurrency_policy=policy)
    )
    jobs = job("sync-1", "sync"), job("sync-2", "sync")
    there = cluster([node("n1", cpu=4)], [run("a-0", "sync-1", "n1")], *jobs, made_by)
    (found,) = explain(Case(there, (PodToPlace(run("a-9", "sync-2")),))).pods
    assert [each.commands for each in found.remedies if "concurrencyPolicy" in each.text] == (
        [('kubectl patch cronjob sync -n default -p \'{"spec": {"concurrencyPolicy": "Forbid"}}\'',)]
        if is_offered
        else []
    )
    assert found.pod.workload == Workload(kind="CronJob", name="sync")


def test_pods_of_a_job_that_are_gone_are_not_waited_for() -> None:
    going = run("a-0", "a", "n1")
    before = cluster([node("n1", cpu=4)], [going])
    after = departed(before, [going]).assume(pod("other", cpu="3"), "n1")
    found = [explain(Case(there, (PodToPlace(run("a-9", "a")),))).pods[0].remedies for there in (before, after)]
    waits = [[each.text for each in remedies if each.action == "wait"] for remedies in found]
    assert waits == [["wait for default/a-0 of Job a to end"], []]
