from __future__ import annotations

from msgspec.structs import replace

from kexplain.case.own_pods import OwnerChains, with_complaints
from kexplain.case.records import OwnPods
from kexplain.objects.apps import DaemonSet, DaemonSetMeta, Deployment, DeploymentSpec, StatefulSet, StatefulSetSpec
from kexplain.objects.batch import CronJob, Job, JobSpec
from kexplain.objects.core import Pod, PodStatus
from kexplain.objects.events import Event, EventSubject
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta, OwnerReference
from kexplain.objects.workload_status import WorkloadStatus
from tests.factories import pod


def owned(name: str, kind: str, owner: str, *, node: str = "", labels: dict[str, str] | None = None) -> Pod:
    made = pod(name, node=node, labels=labels)
    return replace(made, metadata=replace(made.metadata, owner_references=(controller(kind, owner),)))


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
    assert own("StatefulSet", "db", done, going).pods == ()


def test_a_stateful_set_waits_for_the_pod_before() -> None:
    db = StatefulSet(metadata=stored("db"), spec=StatefulSetSpec(replicas=3))
    first = owned("db-0", "StatefulSet", "db", node="n1")
    (complaint,) = with_complaints(own("StatefulSet", "db", db, first), []).complaints
    assert complaint.text.startswith("db-0 is not ready, and each pod is created only when")
    parallel = replace(db, spec=replace(db.spec, pod_management_policy="Parallel"))
    assert with_complaints(own("StatefulSet", "db", parallel, first), []).complaints == ()
    ready = replace(first, status=PodStatus(conditions=(Condition(type="Ready", status="True"),)))
    assert with_complaints(own("StatefulSet", "db", db, ready), []).complaints == ()


def test_the_newest_event_speaks_for_all() -> None:
    db = StatefulSet(metadata=stored("db"), spec=StatefulSetSpec(replicas=1))
    subject = EventSubject(kind="StatefulSet", namespace="default", name="db", uid="db")
    events = [
        Event(involved_object=subject, reason="FailedCreate", message=f"no {at}", last_timestamp=at, count=2)
        for at in ("2", "1")
    ]
    stale = Event(involved_object=replace(subject, uid="older"), reason="FailedCreate", message="no 3", count=9)
    (complaint,) = with_complaints(own("StatefulSet", "db", db), [*events, stale]).complaints
    assert (complaint.controller, complaint.text, complaint.times) == ("StatefulSet db", "no 2", 4)
