"""What happens by itself if one waits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain, schedule
from kexplain.cluster.departing import departed
from kexplain.explanation.records import Workload
from kexplain.objects.batch import CronJob, CronJobSpec, Job
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, Subject
from kexplain.objects.meta import ObjectMeta
from kexplain.remedies.by_itself import asked_for, coming, waits
from kexplain.remedies.records import NewNode
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


def said(reason: str, at: str) -> Event:
    about = Subject(kind="Pod", namespace="default", name="web")
    return Event(reason=reason, message="a 1->2", involved_object=about, last_timestamp=f"2026-11-01T{at}:00Z")


@pytest.mark.parametrize(
    ("events", "joined", "is_awaited"),
    [
        pytest.param([said("TriggeredScaleUp", "10:00"), said("FailedScheduling", "10:05")], "09:00", True, id="soon"),
        pytest.param([said("TriggeredScaleUp", "10:00"), said("FailedScheduling", "10:15")], "09:00", False, id="late"),
        pytest.param([said("TriggeredScaleUp", "10:00")], "10:01", False, id="there"),
        pytest.param([said("TriggeredScaleUp", "10:00"), said("NotTriggerScaleUp", "10:02")], "09:00", False, id="no"),
        pytest.param([], "09:00", False, id="nobody"),
    ],
)
def test_a_node_that_was_asked_for_is_waited_for(events: list[Event], joined: str, *, is_awaited: bool) -> None:
    there = node("n1")
    there = replace(there, metadata=replace(there.metadata, creation_timestamp=f"2026-11-01T{joined}:00Z"))
    (decision,) = schedule(Case(cluster([there]), (PodToPlace(pod("web", cpu="64")),)))
    found = [each.text for each in asked_for(decision, events)]
    assert [text.endswith("has asked for a node, which has not joined yet: a 1->2") for text in found] == (
        [True] if is_awaited else []
    )


@pytest.mark.parametrize(("at", "is_stuck"), [("00:10", False), ("00:16", True)])
def test_victims_that_do_not_end_are_looked_into(at: str, *, is_stuck: bool) -> None:
    there = cluster([node("n1")], [pod("old", cpu="3", node="n1", deleting=True)])
    (decision,) = schedule(Case(there, (PodToPlace(pod("web", cpu="3", nominated="n1")),)))
    event = replace(said("FailedScheduling", at), last_timestamp=f"2026-01-01T{at}:00Z")
    earlier = replace(event, last_timestamp="2025-12-31T00:00:00Z")
    (found, *_) = waits(decision, None, [earlier, event])
    assert found.text.startswith("see why the kubelet of n1 does not stop default/old") is is_stuck


@pytest.mark.parametrize(("made", "is_awaited"), [("09:50", True), ("09:45", False)])
def test_no_node_of_a_pool_is_waited_for_whose_newest_does_not_start(made: str, *, is_awaited: bool) -> None:
    there = node("n1", taints=["node.cilium.io/agent-not-ready=true:NoExecute"])
    there = replace(there, metadata=replace(there.metadata, creation_timestamp=f"2026-11-01T{made}:00Z"))
    (found,) = explain(Case(cluster([there]), (PodToPlace(pod("web")),))).pods
    (decision,) = schedule(Case(cluster([there]), (PodToPlace(pod("web")),)))
    new = NewNode("a", 1, like="n1", node_pool=(), fits=True)
    waited = [*coming([new], found.causes, decision, [said("FailedScheduling", "10:00")])]
    assert bool(waited) is is_awaited


@pytest.mark.parametrize(
    ("made", "caution", "is_awaited"),
    [("11:00", "", True), ("09:00", "too small", True), ("11:00", "too small", False)],
)
def test_no_size_is_waited_for_where_one_that_came_meanwhile_is_too_small(
    made: str, caution: str, *, is_awaited: bool
) -> None:
    nodes, small = [node("n1")], pod("web", cpu="64")
    there = replace(nodes[0], metadata=replace(nodes[0].metadata, creation_timestamp=f"2026-11-01T{made}:00Z"))
    since = replace(small, metadata=replace(small.metadata, creation_timestamp="2026-11-01T10:00:00Z"))
    case = Case(cluster([there]), (PodToPlace(since),))
    new = NewNode("a", 1, like="n1", node_pool=(), caution=caution)
    (decision,), (found,) = schedule(case), explain(case).pods
    assert bool([*coming([new], found.causes, decision)]) is is_awaited
