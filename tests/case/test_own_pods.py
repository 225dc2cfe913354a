from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.admission.quotas import Excess
from kexplain.case.own_pods import (
    OwnerChains,
    is_read_whole,
    ordinal_of,
    role_of,
    wanted_now,
    with_complaints,
    with_stuck,
)
from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.objects.apps import (
    DaemonSet,
    DaemonSetMeta,
    Deployment,
    DeploymentSpec,
    DeploymentStrategy,
    ReplicaSet,
    ReplicaSetMeta,
    StatefulSet,
    StatefulSetSpec,
    WorkloadSpec,
)
from kexplain.objects.batch import CronJob, Job, JobSpec
from kexplain.objects.core import Pod, PodSpec, PodStatus, PodTemplateSpec, ReplicationController, TemplateMeta
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.events import REPLICA_SET_FAILED, Event, Subject
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta, OwnerReference
from kexplain.objects.problem import Problem
from kexplain.objects.workload_status import WorkloadStatus
from tests.factories import node, pod


def owned(name: str, kind: str, owner: str, *, node: str = "", labels: dict[str, str] | None = None) -> Pod:
    made = pod(name, node=node, labels=labels)
    return replace(made, metadata=replace(made.metadata, owner_references=(controller(kind, owner),)))


def leaving(name: str, node: str, kind: str = "StatefulSet", owner: str = "db", **labels: str) -> Pod:
    made = owned(name, kind, owner, node=node, labels={f"pod-template-{key}": each for key, each in labels.items()})
    return replace(made, metadata=replace(made.metadata, deletion_timestamp="2026-11-01T10:00:00Z"))


def controller(kind: str, name: str) -> OwnerReference:
    return OwnerReference(kind=kind, name=name, controller=True)


def stored(name: str, *owners: OwnerReference) -> ObjectMeta:
    return ObjectMeta(name=name, namespace="default", uid=name, owner_references=owners or None)


def own(kind: str, name: str, *objects: KubernetesObject) -> OwnPods:
    return OwnerChains(objects, "default").own_pods(kind, "default", name)


def counts(found: OwnPods) -> tuple[int | None, int, int]:
    return found.wanted, found.missing, len(found.pods)


def test_a_daemon_set_wants_as_many_as_its_controller_says() -> None:
    agent = DaemonSet(
        metadata=DaemonSetMeta(name="agent", namespace="default", uid="agent"),
        status=WorkloadStatus(desired_number_scheduled=3),
    )
    assert counts(own("DaemonSet", "agent", agent, owned("agent-a", "DaemonSet", "agent"))) == (3, 2, 1)


def test_a_deployment_that_was_paused_before_it_made_anything_is_short() -> None:
    paused = Deployment(metadata=stored("web"), spec=DeploymentSpec(paused=True))
    running = owned("web-1-a", "ReplicaSet", "web-1", node="n1", labels={"pod-template-hash": "1"})
    assert [*OwnerChains([paused], "default").short()] == [("Deployment", "default", "web")]
    assert [*OwnerChains([paused, running], "default").short()] == []
    assert own("Deployment", "web", paused).is_paused


def test_a_job_wants_what_is_left_to_complete() -> None:
    spec = JobSpec(parallelism=4, completions=6)
    job = Job(metadata=stored("sum"), spec=spec, status=WorkloadStatus(succeeded=5))
    assert counts(own("Job", "sum", job)) == (1, 1, 0)
    over = WorkloadStatus(conditions=(Condition(type="Complete", status="True"),))
    assert counts(own("Job", "sum", replace(job, status=over))) == (0, 0, 0)
    queue = replace(job, spec=JobSpec(parallelism=4))
    assert counts(own("Job", "sum", queue)) == (0, 0, 0)
    assert counts(own("Job", "sum", replace(queue, status=WorkloadStatus()))) == (4, 4, 0)


def test_a_cron_job_has_the_pods_of_its_jobs() -> None:
    cron_job = CronJob(metadata=stored("nightly"))
    job = Job(metadata=stored("nightly-29000000", controller("CronJob", "nightly")))
    made = owned("nightly-29000000-x", "Job", "nightly-29000000")
    assert counts(own("CronJob", "nightly", cron_job, job, made)) == (1, 0, 1)
    assert own("CronJob", "nightly", cron_job, made).pods == (made,)
    assert counts(own("CronJob", "nightly", cron_job)) == (0, 0, 0)


def test_what_was_not_read_follows_from_names() -> None:
    made = owned("api-7d4-x", "ReplicaSet", "api-7d4", labels={"pod-template-hash": "7d4"})
    other = owned("api-x", "ReplicaSet", "api-7d4-x", labels={"pod-template-hash": "5c2"})
    owner_chains = OwnerChains([made, other], "default")
    assert list(owner_chains.names("Deployment")) == [("default", "api")]
    found = owner_chains.own_pods("Deployment", "default", "api")
    assert (found.pods, found.wanted, found.missing) == ((made,), None, 0)


def test_what_has_finished_or_is_being_deleted_does_not_count() -> None:
    done = replace(owned("db-0", "StatefulSet", "db"), status=PodStatus(phase="Failed"))
    going = owned("db-1", "StatefulSet", "db")
    going = replace(going, metadata=replace(going.metadata, deletion_timestamp="2026-11-01T10:00:00Z"))
    found = own("StatefulSet", "db", done, going)
    assert (found.pods, found.leaving) == ((), (going,))
    assert own("StatefulSet", "db", done).leaving == ()
    assert own("Deployment", "web", leaving("web-1-a", "n1", "ReplicaSet", "web-1", hash="1")).leaving != ()


def test_a_stateful_set_waits_for_the_pod_before() -> None:
    db = StatefulSet(metadata=stored("db"), spec=StatefulSetSpec(replicas=3))
    first = owned("db-0", "StatefulSet", "db", node="n1")
    (complaint,) = with_complaints(own("StatefulSet", "db", db, first), []).complaints
    assert complaint.text.startswith("db-0 is not ready, and each pod is created only when")
    parallel = replace(db, spec=replace(db.spec, pod_management_policy="Parallel"))
    assert with_complaints(own("StatefulSet", "db", parallel, first), []).complaints == ()
    ready = replace(first, status=PodStatus(conditions=(Condition(type="Ready", status="True"),)))
    assert with_complaints(own("StatefulSet", "db", db, ready), []).complaints == ()


@pytest.mark.parametrize(("there", "waits_for"), [("db-0", "db-0"), ("db-1", ""), ("db-0 db-2", "db-0")])
def test_what_failed_before_the_pod_came_that_the_next_one_waits_for_is_over(there: str, waits_for: str) -> None:
    """A set in order is about the first pod that is missing only where those before it are ready."""
    db = StatefulSet(metadata=stored("db"), spec=StatefulSetSpec(replicas=4))
    subject = Subject(kind="StatefulSet", namespace="default", name="db", uid="db")
    failed = Event(involved_object=subject, reason="FailedCreate", message="no webhook")
    pods = [owned(name, "StatefulSet", "db") for name in there.split()]
    found = with_complaints(own("StatefulSet", "db", db, *pods), [failed])
    assert found.waits_for == waits_for
    assert (found.complaints[0].text == "no webhook") == (not waits_for)


def test_the_newest_event_speaks_for_all() -> None:
    db = StatefulSet(metadata=stored("db"), spec=StatefulSetSpec(replicas=1))
    subject = Subject(kind="StatefulSet", namespace="default", name="db", uid="db")
    events = [
        Event(involved_object=subject, reason="FailedCreate", message=f"no {at}", last_timestamp=at, count=2)
        for at in ("2", "1")
    ]
    stale = Event(involved_object=replace(subject, uid="older"), reason="FailedCreate", message="no 3", count=9)
    (complaint,) = with_complaints(own("StatefulSet", "db", db), [*events, stale]).complaints
    assert (complaint.controller, complaint.text, complaint.times) == ("StatefulSet db", "no 2", 4)


LOST = node("lost", taints=["node.kubernetes.io/unreachable:NoSchedule"])
UNWELL = node("unwell", taints=["node.kubernetes.io/not-ready:NoExecute"])


@pytest.mark.parametrize(
    ("on", "stuck", "trouble"),
    [
        pytest.param(["lost"], ["db-0"], "unreachable", id="unreachable"),
        pytest.param(["unwell"], ["db-0"], "not ready", id="not-ready"),
        pytest.param(["well", "gone", "", "lost", "unwell"], ["db-3"], "unreachable", id="the-first-of-several"),
        pytest.param(["well"], [], "", id="on-its-way"),
        pytest.param(["gone"], [], "", id="its-node-is-gone"),
        pytest.param([""], [], "", id="without-a-node"),
        pytest.param([], [], "", id="nobody-leaves"),
    ],
)
def test_who_is_stuck(on: list[str], stuck: list[str], trouble: str) -> None:
    nodes = {each.name: each for each in (LOST, UNWELL, node("well"))}
    pods = [leaving(f"db-{index}", where) for index, where in enumerate(on)]
    found = with_stuck(own("StatefulSet", "db", *pods), nodes)
    assert ([each.name for each in found.stuck], found.stuck_as) == (stuck, trouble)


@pytest.mark.parametrize(
    ("phase", "finalizers", "stuck"),
    [
        pytest.param("Succeeded", ("a.com/b",), ["db-0"], id="has-ended"),
        pytest.param("Failed", ("a.com/b",), ["db-0"], id="has-failed"),
        pytest.param("Running", ("a.com/b",), [], id="still-runs"),
        pytest.param("Succeeded", None, [], id="goes-by-itself"),
    ],
)
def test_who_is_held_by_a_finalizer(phase: str, finalizers: tuple[str, ...] | None, stuck: list[str]) -> None:
    pod = leaving("db-0", "well")
    pod = replace(pod, metadata=replace(pod.metadata, finalizers=finalizers), status=replace(pod.status, phase=phase))
    found = with_stuck(own("StatefulSet", "db", pod), {"well": node("well")})
    assert ([each.name for each in found.stuck], found.stuck_as) == (stuck, "")


@pytest.mark.parametrize(
    ("reason", "said"), [pytest.param("FailedKillPod", "no way", id="says-so"), pytest.param("Killing", "", id="tries")]
)
def test_who_cannot_be_stopped(reason: str, said: str) -> None:
    pod = leaving("db-0", "well")
    about = Subject(kind="Pod", namespace=pod.namespace, name=pod.name)
    event = Event(reason=reason, message="no way", involved_object=about)
    pods = replace(own("StatefulSet", "db", pod), events=(event,))
    assert with_stuck(pods, {"well": node("well")}).stuck_said == said


@pytest.mark.parametrize(
    ("strategy", "waits"),
    [pytest.param("RollingUpdate", False, id="at-once"), pytest.param("Recreate", True, id="one-after-the-other")],
)
def test_who_waits_for_a_pod_that_leaves(strategy: str, waits: bool) -> None:
    deployment = Deployment(
        metadata=ObjectMeta(name="web"), spec=DeploymentSpec(strategy=DeploymentStrategy(type=strategy))
    )
    pods = replace(own("StatefulSet", "db", leaving("db-0", "lost")), kind="Deployment", controllers=(deployment,))
    assert bool(with_stuck(pods, {"lost": LOST}).stuck) is waits
    assert not with_stuck(replace(pods, kind="ReplicaSet", controllers=()), {"lost": LOST}).stuck


READY = PodStatus(conditions=(Condition(type="Ready", status="True"),))


def said(name: str, reason: str = "FailedMount", **subject: str) -> Event:
    return Event(
        involved_object=Subject(**{"kind": "Pod", "namespace": "default", "name": name, **subject}), reason=reason
    )


def test_what_is_said_of_pods_that_do_not_serve() -> None:
    waiting, serving = (owned(f"db-{index}", "StatefulSet", "db", node="n1") for index in range(2))
    pods = own("StatefulSet", "db", waiting, replace(serving, status=READY), leaving("db-2", "n1"))
    events = [
        said("db-0"),
        said("db-0", "FailedScheduling"),
        said("db-0", namespace="other"),
        said("db-0", kind="Node"),
        said("db-1"),
        said("db-2", "FailedAttachVolume"),
        said("db-3"),
        Event(reason="FailedMount"),
    ]
    assert with_complaints(pods, events).events == (events[0], events[1], events[5])
    assert with_complaints(own("StatefulSet", "db"), events).events == ()


def replica_set(*conditions: Condition) -> ReplicaSet:
    meta = ReplicaSetMeta(
        name="web-1", namespace="default", uid="web-1", owner_references=(controller("Deployment", "web"),)
    )
    return ReplicaSet(metadata=meta, spec=WorkloadSpec(replicas=2), status=WorkloadStatus(conditions=conditions))


REFUSED = Condition(type="ReplicaFailure", status="True", reason="FailedCreate", message="no more pods")
DEPLOYMENT = Deployment(metadata=stored("web"), spec=DeploymentSpec(replicas=2))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        pytest.param(REFUSED, [("ReplicaSet web-1", "no more pods")], id="says-why"),
        pytest.param(replace(REFUSED, message=None), [("ReplicaSet web-1", "FailedCreate")], id="says-a-reason"),
        pytest.param(replace(REFUSED, message=None, reason=None), [("ReplicaSet web-1", "")], id="says-nothing"),
        pytest.param(replace(REFUSED, type="Available"), [], id="says-something-else"),
        pytest.param(
            replace(REFUSED, type="Progressing", reason=REPLICA_SET_FAILED),
            [("ReplicaSet web-1", "no more pods")],
            id="says-that-a-set-failed",
        ),
    ],
)
def test_what_a_condition_says(condition: Condition, expected: list[tuple[str, str]]) -> None:
    repeating = replace(DEPLOYMENT, status=WorkloadStatus(conditions=(replace(REFUSED, message="repeated"),)))
    found = with_complaints(own("Deployment", "web", repeating, replica_set(condition)), []).complaints
    expected = expected or [("Deployment web", "repeated")]
    assert [(each.controller, each.text) for each in found] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(combined from similar events): Error creating: no", "no"),
        ("Error creating: no", "no"),
        ("no: Error creating: no", "no: Error creating: no"),
    ],
)
def test_how_events_begin_is_not_repeated(text: str, expected: str) -> None:
    subject = Subject(kind="ReplicaSet", namespace="default", name="web-1", uid="web-1")
    event = Event(involved_object=subject, reason="FailedCreate", message=text)
    workload = own("Deployment", "web", DEPLOYMENT, replica_set())
    assert [each.text for each in with_complaints(workload, [event]).complaints] == [expected]
    # Events stay for an hour.
    assert with_complaints(replace(workload, missing=0), [event]).complaints == ()


EXCESS = Excess("team", "requests.cpu", 2, 1, 1)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, False),
        ({"excesses": (EXCESS,)}, True),
        ({"problems": (Problem((), "no"),)}, True),
        ({"complaints": (ControllerMessage("ReplicaSet web-1", "no"),)}, True),
        ({"stuck": (pod("web"),)}, True),
        ({"controllers": (Deployment(spec=DeploymentSpec(paused=True)),)}, True),
        ({"controllers": (Job(spec=JobSpec(suspend=True)),)}, False),
    ],
)
def test_whether_it_is_known_why_pods_are_missing(fields: dict[str, Any], expected: bool) -> None:
    assert OwnPods("Deployment", "default", "web", (), 1, 1, **fields).is_explained is expected


@pytest.mark.parametrize(
    ("name", "expected"), [("db-0", 0), ("db-12", 12), ("db-", None), ("db-x", None), ("db", None), ("db-\u0661", None)]
)
def test_the_ordinal_at_the_end_of_a_name(name: str, expected: int | None) -> None:
    assert ordinal_of(name) == expected


def role(name: str, labels: dict[str, str] | None = None, *, templated: bool = True) -> CustomWorkload:
    template = PodTemplateSpec(metadata=TemplateMeta(labels=labels)) if templated else None
    spec = WorkloadSpec(template=template)
    return CustomWorkload(metadata=stored("ray"), of_kind="RayCluster", role=name, spec=spec)


HEAD, WORKER = role("Head", {"app": "ray"}), role("Worker", {"app": "ray"})
LABELLED = role("Other", {"app": "ray", "part": "other"})


@pytest.mark.parametrize(
    ("name", "labels", "roles", "expected"),
    [
        ("ray-worker-a", {"app": "ray"}, [HEAD, WORKER], "Worker"),
        ("ray-worker", {"app": "ray"}, [HEAD, WORKER], "Worker"),
        ("ray-head-a", {"app": "ray", "more": "x"}, [WORKER, HEAD], "Head"),
        ("ray-workers", {"app": "ray"}, [HEAD, WORKER], "Head"),
        ("ray-a", {"app": "ray", "part": "other"}, [HEAD, LABELLED, WORKER], "Other"),
        ("ray-worker-a", {"app": "ray", "part": "other"}, [HEAD, LABELLED, WORKER], "Worker"),
        ("ray-a", {"app": "ray"}, [HEAD, LABELLED], "Head"),
        ("ray-a", {}, [HEAD, LABELLED], None),
        ("ray-a", {}, [role("Bare")], "Bare"),
        ("ray-a", {}, [role("Bare", templated=False)], None),
        ("ray-a", {}, [], None),
    ],
)
def test_which_role_of_a_custom_resource_a_pod_has(
    name: str, labels: dict[str, str], roles: list[CustomWorkload], expected: str | None
) -> None:
    found = role_of(pod(name, labels=labels), roles)
    assert (found.role if found else None) == expected


def job(*conditions: str, succeeded: int | None = None, **spec: Any) -> Job:
    status = WorkloadStatus(
        conditions=tuple(Condition(type=each, status="True") for each in conditions), succeeded=succeeded
    )
    return Job(spec=JobSpec(**spec), status=status)


@pytest.mark.parametrize(
    ("obj", "expected"),
    [
        (DaemonSet(status=WorkloadStatus(desired_number_scheduled=2)), 2),
        (DaemonSet(), 0),
        (Deployment(spec=DeploymentSpec(replicas=3)), 3),
        (Deployment(), 1),
        (StatefulSet(spec=StatefulSetSpec(replicas=0)), 0),
        (CustomWorkload(metadata=stored("ray"), of_kind="RayCluster", role="Head"), 0),
        (job(), 1),
        (job(parallelism=3), 3),
        (job(parallelism=3, succeeded=1), 0),
        (job(parallelism=3, completions=5, succeeded=1), 3),
        (job(parallelism=3, completions=5, succeeded=3), 2),
        (job(parallelism=3, completions=5, succeeded=5), 0),
        (job(parallelism=3, completions=5, succeeded=6), 0),
        (job(parallelism=3, suspend=True), 0),
        (job("Suspended", parallelism=3), 0),
        (job("Complete", parallelism=3), 0),
        (job("Failed", parallelism=3), 0),
    ],
)
def test_how_many_pods_are_wanted_now(obj: KubernetesObject, expected: int) -> None:
    assert wanted_now(obj) == expected


@pytest.mark.parametrize(
    ("controller", "there"),
    [
        (DaemonSet(status=WorkloadStatus(current_number_scheduled=2)), 2),
        (DaemonSet(status=WorkloadStatus(replicas=2)), None),
        (Job(status=WorkloadStatus(active=2)), 2),
        (Job(), 0),
        (ReplicaSet(status=WorkloadStatus(replicas=2)), 2),
        (ReplicationController(status=WorkloadStatus(replicas=2)), 2),
        (StatefulSet(status=WorkloadStatus(replicas=0)), 0),
        (StatefulSet(), None),
        (Deployment(status=WorkloadStatus(replicas=2)), None),
    ],
)
def test_whether_all_pods_were_read(controller: KubernetesObject, there: int | None) -> None:
    expected = [there is not None and there <= pods for pods in range(4)]
    assert [is_read_whole(controller, pods) for pods in range(4)] == expected


@pytest.mark.parametrize(
    ("controllers", "pods", "is_short"),
    [
        pytest.param([DEPLOYMENT], [], True, id="without-a-set"),
        pytest.param([replace(DEPLOYMENT, spec=DeploymentSpec(replicas=0))], [], False, id="that-wants-none"),
        pytest.param([replace(DEPLOYMENT, spec=DeploymentSpec(replicas=1)), replica_set()],
                     ["web-1-a", "web-1-b"], False, id="whose-set-has-all"),
        pytest.param([DEPLOYMENT, replica_set()], ["web-1-a"], True, id="whose-set-lacks-one"),
        pytest.param([DEPLOYMENT, replica_set()], ["web-1-a", "web-1-b", "web-1-c"], False, id="whose-set-has-more"),
    ],
)  # fmt: skip
def test_who_is_short(controllers: list[KubernetesObject], pods: list[str], is_short: bool) -> None:
    made = [owned(name, "ReplicaSet", "web-1", node="n1") for name in pods]
    expected = [("Deployment", "default", "web")] if is_short else []
    assert [*OwnerChains([*controllers, *made], "default").short()] == expected


def revision(name: str, size: int, account: str) -> ReplicaSet:
    """A replica set of a deployment whose template asks for the account `new`."""
    meta = ReplicaSetMeta(name=name, namespace="default", uid=name, owner_references=(controller("Deployment", "web"),))
    asking = PodTemplateSpec(spec=PodSpec(service_account_name=account))
    return ReplicaSet(
        metadata=meta,
        spec=WorkloadSpec(replicas=size, template=asking),
        status=WorkloadStatus(conditions=(REFUSED,) if account == "old" else ()),
    )


@pytest.mark.parametrize(
    ("sizes", "pods", "paused", "missing", "complaints"),
    [
        pytest.param((2, 3), "nn", False, 0, [], id="the-newest-has-all"),
        pytest.param((2, 3), "onn", False, 0, [], id="an-old-one-is-left"),
        pytest.param((2, 3), "n", False, 4, ["web-old"], id="the-newest-lacks-one-too"),
        pytest.param((0, 3), "o", False, 3, ["web-old"], id="the-newest-has-not-begun"),
        pytest.param((2, 3), "nn", True, 3, ["web-old"], id="nothing-replaces-them-while-paused"),
    ],
)
def test_what_earlier_templates_lack_is_not_missing(
    sizes: tuple[int, int], pods: str, paused: bool, missing: int, complaints: list[str]
) -> None:
    """A rolling update has the pods of the newest template replace those that an earlier one could not have."""
    made = [revision(f"web-{name}", size, name) for name, size in zip(("new", "old"), sizes, strict=True)]
    asking = PodTemplateSpec(spec=PodSpec(service_account_name="new"))
    web = Deployment(metadata=stored("web"), spec=DeploymentSpec(replicas=4, template=asking, paused=paused))
    names = {"n": "web-new", "o": "web-old"}
    there = [owned(f"{names[each]}-{number}", "ReplicaSet", names[each]) for number, each in enumerate(pods)]
    found = with_complaints(own("Deployment", "web", web, *made, *there), [])
    assert found.missing == missing
    assert [each.controller.removeprefix("ReplicaSet ") for each in found.complaints] == complaints


def test_pods_of_the_newest_template_come_first() -> None:
    asking = PodTemplateSpec(spec=PodSpec(service_account_name="new"))
    web = Deployment(metadata=stored("web"), spec=DeploymentSpec(replicas=2, template=asking))
    there = [owned("web-a", "ReplicaSet", "web-old"), owned("web-b", "ReplicaSet", "web-new")]
    found = own("Deployment", "web", web, revision("web-old", 1, "old"), revision("web-new", 1, "new"), *there)
    assert [each.name for each in found.pods] == ["web-b", "web-a"]
