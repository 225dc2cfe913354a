"""The report on a workload: which of its pods are where, which are missing or do not run, why, and what would help."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.case.case import Case
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Kind, held_by
from kexplain.load.loaded import Loaded
from kexplain.objects.apps import (
    DaemonSet,
    DaemonSetMeta,
    Deployment,
    DeploymentSpec,
    ReplicaSet,
    ReplicaSetMeta,
    StatefulSet,
)
from kexplain.objects.batch import Job
from kexplain.objects.core import ContainerStatus, NodeCondition, Pod, PodTemplateSpec, TemplateMeta
from kexplain.objects.core.containers import ContainerState, ContainerStateTerminated, ContainerStateWaiting
from kexplain.objects.events import Event, Subject
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta, OwnerReference
from kexplain.objects.workload_status import WorkloadStatus
from kexplain.remedies.records import Remedy
from kexplain.report.workload_reports import workload_report
from kexplain.report.workloads import WorkloadReport
from tests.factories import cluster, controlled_by, node, pod, service
from tests.storage_factories import claim, uses

UNREADY = Condition(type="Ready", status="False")
RUNS = pod("a", phase="Running", node="n1", conditions=[Condition(type="Ready", status="True")])
UNWELL = pod("b", phase="Running", node="n1", conditions=[UNREADY])
FAILED = pod("c", phase="Failed", node="n1")
WAITS = pod("d", phase="Pending")
STARTS = pod("e", phase="Pending", node="n1", volumes=uses("data"))
ONE = cluster([node("n1")])


def own(*pods: Pod, missing: int = 0, **more: Any) -> OwnPods:
    return OwnPods("Deployment", "default", "web", pods, len(pods) + missing, missing, **more)


def reported(workload: OwnPods, around: Cluster, **more: Any) -> WorkloadReport:
    """The report in that cluster."""
    return workload_report(workload, Case(around, ()), **more)


def test_which_pods_are_where() -> None:
    found = reported(own(RUNS, WAITS), ONE)
    assert (found.kind, found.namespace, found.name) == ("Deployment", "default", "web")
    assert (found.wanted, found.missing, found.pending) == (2, 0, ("d",))
    assert [(each.name, each.node) for each in found.placed] == [("a", "n1")]


@pytest.mark.parametrize(
    ("pods", "stopped"),
    [
        ([RUNS], []),
        ([RUNS, UNWELL], ["b"]),
        ([RUNS, WAITS], []),
        ([STARTS], []),
        ([UNWELL, RUNS, pod("f", phase="Failed", node="n1")], ["b"]),
    ],
)
def test_who_has_a_node_and_does_not_run(pods: list[Pod], stopped: list[str]) -> None:
    found = reported(own(*pods), ONE)
    assert [each.name for each in found.stopped] == stopped
    assert found.is_complete is not bool(stopped)
    assert (found.diagnosis.kind if found.diagnosis else None) == (Kind.NOT_READY if stopped else None)
    assert [each.text for each in found.remedies] == ["see what its readiness probe and its log say"] * bool(stopped)
    assert workload_report(own(*pods)).stopped == ()


def test_the_events_of_its_pods_say_why() -> None:
    subject = Subject(kind="Pod", namespace="default", name="e")
    event = Event(involved_object=subject, reason="FailedMount", message="no")
    found = reported(own(STARTS, events=(event,)), ONE)
    assert [(each.name, each.kind, each.node, each.reason) for each in found.stopped] == [
        ("e", Kind.VOLUME_NOT_MOUNTED, "n1", "FailedMount")
    ]
    assert found.diagnosis is not None
    assert (found.diagnosis.detail, [*found.diagnosis.nodes]) == ("no", ["n1"])


def test_of_a_volume_that_is_in_use_the_other_pod_is_named() -> None:
    other = pod("old", phase="Running", node="n2", volumes=uses("data"))
    there = cluster([node("n1"), node("n2")], [other, STARTS], claim(volume="pv"))
    assert [each.action for each in reported(own(STARTS), there).remedies] == ["move-pods"]


DENIED = ControllerMessage("ReplicaSet web-1", 'admission webhook "x" denied the request: no')


@pytest.mark.parametrize(
    ("workload", "around", "kind", "is_complete"),
    [
        pytest.param(own(RUNS), ONE, None, True, id="well"),
        pytest.param(own(RUNS, missing=1), ONE, None, False, id="nobody-says-why"),
        pytest.param(own(RUNS, complaints=(DENIED,)), ONE, Kind.REFUSED, False, id="refused"),
        pytest.param(own(UNWELL, missing=1, complaints=(DENIED,)), ONE, Kind.REFUSED, False, id="missing-comes-first"),
        pytest.param(own(UNWELL, missing=1), ONE, Kind.NOT_READY, False, id="if-it-is-known-why"),
        pytest.param(own(RUNS, controllers=(Deployment(spec=DeploymentSpec(paused=True)),)), ONE, Kind.SUSPENDED, True,
                     id="paused"),
    ],
)  # fmt: skip
def test_why_it_is_not_well(workload: OwnPods, around: Cluster, kind: Kind | None, is_complete: bool) -> None:
    found = reported(workload, around)
    assert (found.diagnosis.kind if found.diagnosis else None) == kind
    assert bool(found.remedies) == (kind is not None)
    assert found.is_complete is is_complete
    assert found.messages == workload.complaints


LATE = Condition(type="Progressing", status="False", reason="ProgressDeadlineExceeded", message="timed out")


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([LATE], "timed out"),
        ([Condition(type="Available", status="True"), LATE], "timed out"),
        ([Condition(type="Progressing", status="True", reason="NewReplicaSetAvailable", message="done")], ""),
        ([], ""),
    ],
)
def test_rollouts_that_get_no_further(conditions: list[Condition], expected: str) -> None:
    status = WorkloadStatus(conditions=tuple(conditions) or None)
    web = Deployment(metadata=ObjectMeta(name="web"), status=status)
    other: KubernetesObject = StatefulSet(metadata=ObjectMeta(name="web"), status=WorkloadStatus(conditions=(LATE,)))
    found = reported(own(RUNS, controllers=(other, web)), ONE)
    assert (found.stalled, found.is_complete) == (expected, not expected)


@pytest.mark.parametrize(
    ("updated", "ready", "expected"),
    [
        pytest.param(1, "True", ["roll DaemonSet agent back"], id="none-of-the-newest"),
        pytest.param(2, "True", [], id="some-of-the-newest"),
        pytest.param(1, "False", ["roll DaemonSet agent back"], id="its-kubelet-says-not-ready"),
        pytest.param(1, "Unknown", ["raise maxUnavailable of DaemonSet agent to 2 (now 1), or delete n1"], id="lost"),
    ],
)
def test_an_update_of_daemons_that_goes_no_further(updated: int, ready: str, expected: list[str]) -> None:
    status = WorkloadStatus(desired_number_scheduled=3, updated_number_scheduled=updated, number_unavailable=1)
    agent = DaemonSet(metadata=DaemonSetMeta(name="agent", namespace="default"), status=status)
    made = node("n1")
    conditions = (NodeCondition(type="Ready", status=ready),)
    around = cluster([replace(made, status=replace(made.status, conditions=conditions))])
    found = reported(own(UNWELL, controllers=(agent,)), around)
    first = [each.text for each in found.remedies if each.action == "change-rollout"]
    assert [text.partition(":")[0].partition(", if")[0] for text in first] == expected


def test_an_update_is_not_undone_for_pods_of_the_earlier_template() -> None:
    status = WorkloadStatus(desired_number_scheduled=3, updated_number_scheduled=1, number_unavailable=1)
    agent = DaemonSet(metadata=DaemonSetMeta(name="agent", namespace="default"), status=status)
    old = pod("c", phase="Running", node="n1", conditions=[Condition(type="Ready", status="True")])
    found = reported(own(UNWELL, old, controllers=(agent,)), ONE)
    assert [each.action for each in found.remedies if each.action == "change-rollout"] == []


def test_of_a_node_that_is_gone_nothing_runs() -> None:
    gone = pod("a", phase="Running", node="n2", conditions=[Condition(type="Ready", status="True")])
    found = reported(own(gone), ONE)
    assert [(each.name, each.kind) for each in found.stopped] == [("a", Kind.NODE_MISSING)]


def test_what_a_queue_holds_comes_first() -> None:
    held = held_by("Kueue", Kind.QUEUE_WAITING, told("queue-waiting", queue="q"))
    wait = Remedy(action="wait", text="wait")
    found = reported(own(missing=1, complaints=(DENIED,)), ONE, held=held, against=(wait,))
    assert found.diagnosis is not None
    assert (found.diagnosis.kind, found.remedies, found.held) == (Kind.QUEUE_WAITING, (wait,), held.hold)


CRASHES = [ContainerStatus(name="c", state=ContainerState(waiting=ContainerStateWaiting(reason="CrashLoopBackOff")))]
MANAGER = pod("kube-controller-manager-n1", namespace="kube-system", node="n1", container_statuses=CRASHES)
HOOK = service("acme-hook", {"app": "acme"}, namespace="a")
SILENT = ControllerMessage(
    "ReplicaSet web-1",
    'Internal error occurred: failed calling webhook "x": Post "https://acme-hook.a.svc:443/": timeout',
)


@pytest.mark.parametrize(
    ("workload", "around", "kind", "text"),
    [
        pytest.param(own(missing=1), cluster([node("n1")], [MANAGER]), Kind.NOT_MADE,
                     "Pod kube-system/kube-controller-manager-n1, which makes its pods, crash-loops on n1",
                     id="manager"),
        pytest.param(own(RUNS), cluster([node("n1")], [MANAGER]), None, "", id="nothing-is-missing"),
        pytest.param(own(missing=1), ONE, None, "", id="nobody-knows"),
        pytest.param(own(missing=1, complaints=(SILENT,)), cluster([node("n1")], [], HOOK), Kind.REFUSED,
                     "what is behind Service a/acme-hook, which answers it, is probably not installed", id="webhook"),
        pytest.param(own(missing=1, complaints=(SILENT,)), ONE, Kind.REFUSED, "timeout", id="no-services-were-read"),
        pytest.param(own(missing=1, complaints=(DENIED,)), cluster([node("n1")], [], HOOK), Kind.REFUSED, "no",
                     id="it-answered"),
    ],
)  # fmt: skip
def test_who_keeps_pods_from_being_made(workload: OwnPods, around: Cluster, kind: Kind | None, text: str) -> None:
    found = reported(workload, around)
    assert (found.diagnosis.kind if found.diagnosis else None) == kind
    assert (found.diagnosis.text if found.diagnosis else "").endswith(text)
    assert bool(found.remedies) == (kind is not None)


def _of_web(name: str, reason: str) -> Pod:
    owner = OwnerReference(kind="ReplicaSet", name="web-1", uid="u", controller=True)
    made = pod(name, phase="Failed", node="n1", owner=owner)
    return replace(made, status=replace(made.status, reason=reason))


@pytest.mark.parametrize(
    ("failed", "uid", "kind", "first"),
    [
        (["TopologyAffinityError"] * 2, "u", Kind.TURNED_AWAY, "request fewer CPUs or devices a pod"),
        (["TopologyAffinityError"], "u", None, ""),
        (["TopologyAffinityError"] * 2, "other", None, ""),
    ],
)
def test_pods_that_kubelets_turn_away_are_not_just_missing(
    failed: list[str], uid: str, kind: Kind | None, first: str
) -> None:
    pods = [_of_web(f"web-{place}", reason) for place, reason in enumerate(failed)]
    made_by = ReplicaSet(metadata=ReplicaSetMeta(name="web-1", namespace="default", uid=uid))
    contents = Contents(Loaded(), pods, build_scheduler())
    case = Case(ONE, (), builder=CaseBuilder(contents))
    found = workload_report(own(missing=1, controllers=(made_by,)), case)
    assert (found.diagnosis.kind if found.diagnosis else None) == kind
    assert (found.remedies[0].text if found.remedies else "").startswith(first)
    assert len(found.remedies) == bool(kind)


def test_where_it_is_known_who_does_not_answer_nobody_has_to_look() -> None:
    hook = pod("hook-1", namespace="a", node="n1", labels={"app": "hook"}, container_statuses=CRASHES)
    behind = service("acme-hook", {"app": "hook"}, "a")
    found = reported(own(missing=1, complaints=(SILENT,)), cluster([node("n1")], [hook], behind))
    assert [each.text.partition(",")[0] for each in found.remedies] == ["get Pod a/hook-1 running", "in an emergency"]


def test_who_would_answer_its_own_webhook_is_let_in() -> None:
    labels = {"app": "acme"}
    web = Deployment(
        metadata=ObjectMeta(name="web", namespace="a"),
        spec=DeploymentSpec(replicas=1, template=PodTemplateSpec(metadata=TemplateMeta(labels=labels))),
    )
    workload = replace(own(missing=1, complaints=(SILENT,)), namespace="a")
    found = reported(workload, cluster([node("n1")], [], HOOK, web))
    assert [each.text.partition(":")[0] for each in found.remedies] == ["let its own pods in, which would answer it"]


def _run(name: str, created: str, code: int, of: str = "etl") -> Pod:
    ended = ContainerStatus(name="c", state=ContainerState(terminated=ContainerStateTerminated(exit_code=code)))
    made = pod(name, owner=controlled_by("Job", of), phase="Failed", node="n1", container_statuses=[ended])
    return replace(made, metadata=replace(made.metadata, creation_timestamp=created))


@pytest.mark.parametrize(
    ("pods", "ended", "logs"),
    [
        pytest.param([], "", (), id="no-pods"),
        pytest.param([_run("a", "2026-01-02", 3), _run("b", "2026-01-01", 4)],
                     "; its last pod, a, ended with exit code 3", ("kubectl logs a -n default",), id="the-last"),
        pytest.param([_run("a", "2026-01-02", 0)], "", ("kubectl logs a -n default",), id="without-a-code"),
        pytest.param([_run("a", "2026-01-02", 3, "other")], "", (), id="of-another-job"),
    ],
)  # fmt: skip
def test_a_job_that_has_given_up_says_so(pods: list[Pod], ended: str, logs: tuple[str, ...]) -> None:
    given_up = Condition(type="Failed", status="True", reason="BackoffLimitExceeded", message="too often")
    job = Job(metadata=ObjectMeta(name="etl", namespace="default"), status=WorkloadStatus(conditions=(given_up,)))
    case = Case(ONE, (), builder=CaseBuilder(Contents(Loaded(), pods, build_scheduler())))
    found = workload_report(own(controllers=(job,)), case)
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.JOB_FAILED
    assert found.diagnosis.text == f"the Job has failed (BackoffLimitExceeded){ended}"
    assert (found.stalled, found.is_complete) == ("too often", False)
    assert [each.commands for each in found.remedies] == [logs]


def test_a_job_that_runs_has_not_failed() -> None:
    failing = Condition(type="Failed", status="False")
    job = Job(metadata=ObjectMeta(name="etl", namespace="default"), status=WorkloadStatus(conditions=(failing,)))
    found = reported(own(controllers=(job,)), ONE)
    assert (found.diagnosis, found.stalled, found.is_complete) == (None, "", True)
