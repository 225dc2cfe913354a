"""What is said of workloads whose pods were never created, and what would help."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.admission.quotas import Excess
from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.diagnosis.never_created import diagnose_workload
from kexplain.diagnosis.records import Kind, Relation, When
from kexplain.objects.apps import Deployment, DeploymentSpec
from kexplain.objects.batch import CronJob, CronJobSpec, Job, JobSpec
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.problem import Problem
from kexplain.remedies.lost_nodes import letting_go
from kexplain.remedies.never_created import creating
from tests.factories import controlled_by, pod

CPU = Excess("team", "requests.cpu", 3 * 10**9, 29 * 10**8, 5 * 10**8)
CLOSE = Excess("team", "requests.cpu", 3 * 10**9, 26 * 10**8, 5 * 10**8)
PODS = Excess("small", "pods", 5 * 10**9, 5 * 10**9, 10**9)
DENIED = ControllerMessage("ReplicaSet web-1", 'admission webhook "x" denied the request: no latest tags')
JOB = Job(metadata=ObjectMeta(name="nightly", namespace="shop"), spec=JobSpec(suspend=True))
PAUSED = Deployment(metadata=ObjectMeta(name="web", namespace="shop"), spec=DeploymentSpec(paused=True))


STUCK = pod("web-0", namespace="shop", node="n1", deleting=True)


HELD = replace(STUCK, metadata=replace(STUCK.metadata, finalizers=("a.com/b", "c.com/d")))
LETTING_GO = [each.text for each in letting_go(STUCK, None)]
NO_RIGHT = ControllerMessage("ReplicaSet web-1", 'pods is forbidden: User "x" cannot create resource')
ASK = "change the pod, or what makes it, as the webhook asks"


def own(missing: int = 2, **more: object) -> OwnPods:
    return OwnPods("Deployment", "shop", "web", (), 4, missing, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("workload", "kind", "text"),
    [
        pytest.param(own(excesses=(CPU,), complaints=(DENIED,)), Kind.QUOTA_USED_UP, "quota team is used up",
                     id="quota"),
        pytest.param(own(excesses=(CPU, PODS)), Kind.QUOTA_USED_UP, "quotas team and small are used up", id="quotas"),
        pytest.param(own(complaints=(DENIED,)), Kind.REFUSED,
                     "webhook x refuses it: no latest tags",
                     id="webhook"),
        pytest.param(own(complaints=(DENIED,), waits_for="db-0"), Kind.WAITS_FOR_EARLIER,
                     "db-0 is not ready, and the next pod is created only then", id="in-order"),
        pytest.param(own(stuck=(STUCK,), stuck_as="not ready", waits_for="db-0"), Kind.STUCK_TERMINATING,
                     "web-0 is still being deleted: its node n1 is not ready, so no kubelet can confirm that it has "
                     "stopped", id="stuck"),
        pytest.param(own(stuck=(STUCK,), stuck_said="no way"), Kind.STUCK_TERMINATING,
                     "web-0 is still being deleted: the kubelet of n1 cannot stop it: no way", id="cannot-be-stopped"),
        pytest.param(own(stuck=(HELD,)), Kind.STUCK_TERMINATING,
                     "web-0 is still being deleted: it has ended, and finalizer a.com/b and c.com/d holds it",
                     id="held-by-finalizers"),
        pytest.param(own(stuck=(STUCK,), excesses=(CPU,)), Kind.QUOTA_USED_UP, "quota team is used up",
                     id="quota-before-the-stuck"),
        pytest.param(own(stuck=(STUCK,), complaints=(DENIED,)), Kind.REFUSED, "webhook x refuses it: no latest tags",
                     id="refused-before-the-stuck"),
        pytest.param(own(0, stuck=(STUCK,), controllers=(JOB,)), Kind.SUSPENDED, "the Job is suspended",
                     id="none-is-missing-although-one-is-stuck"),
        pytest.param(own(0, controllers=(JOB,)), Kind.SUSPENDED, "the Job is suspended", id="suspended"),
        pytest.param(own(0, controllers=(PAUSED,)), Kind.SUSPENDED,
                     "the Deployment is paused, so that a changed template makes no new pods", id="paused"),
    ],
)  # fmt: skip
def test_why_pods_are_missing(workload: OwnPods, kind: Kind, text: str) -> None:
    found = diagnose_workload(workload)
    assert found is not None
    assert (found.kind, found.text) == (kind, text)
    assert (found.retry is When.NEVER) == (kind is Kind.SUSPENDED)


def test_where_a_pod_is_stuck() -> None:
    found = diagnose_workload(own(stuck=(STUCK,), stuck_as="unreachable"))
    assert found is not None
    assert [*found.nodes] == ["n1"]
    chain = [(each.relation, each.object.kind, each.object.name) for each in found.chain]
    assert chain == [(Relation.WAITS_FOR, "Pod", "web-0"), (Relation.RUNS_ON, "Node", "n1")]


def test_the_detail_has_who_uses_most() -> None:
    found = diagnose_workload(own(excesses=(replace(CPU, others=("Job load", 2 * 10**9)),)))
    assert found is not None
    assert found.detail == "requests.cpu: 2.9 of 3 used (2 of it by Job load), and the next pod asks for 500m."


def test_the_detail_has_who_uses_most_after_that() -> None:
    shares = replace(CPU, others=("Job load", 2 * 10**9), then=("Deployment web", 5 * 10**8))
    found = diagnose_workload(own(excesses=(shares,)))
    assert found is not None
    assert "used (2 of it by Job load and 500m by Deployment web), and" in found.detail


def test_the_detail_has_the_amounts() -> None:
    found = diagnose_workload(own(excesses=(CPU,)))
    assert found is not None
    assert found.detail == "requests.cpu: 2.9 of 3 used, and the next pod asks for 500m."


def test_of_a_long_refusal_the_end_is_kept() -> None:
    text = f'admission webhook "x" denied the request: {"policy " * 40}: label team is required'
    found = diagnose_workload(own(complaints=(ControllerMessage("ReplicaSet web-1", text),)))
    assert found is not None
    assert found.text.startswith("webhook x refuses it: policy")
    assert found.text.endswith("policy …: label team is required")


def test_nothing_is_said_of_what_nothing_explains() -> None:
    assert diagnose_workload(own()) is None
    assert diagnose_workload(own(0)) is None


@pytest.mark.parametrize(
    ("workload", "texts"),
    [
        pytest.param(own(excesses=(CPU,)), ["raise requests.cpu of quota team to 3.9, for the 2 missing pods"],
                     id="quota"),
        pytest.param(own(excesses=(replace(CPU, others=("Job load", 2 * 10**9)),)),
                     ["raise requests.cpu of quota team to 3.9, for the 2 missing pods",
                      "suspend Job load, which uses 2 requests.cpu, if it can wait"], id="who-has-most-of-it"),
        pytest.param(own(excesses=(replace(CPU, others=("Job load", 1 * 10**9)),)),
                     ["raise requests.cpu of quota team to 3.9, for the 2 missing pods"], id="who-has-little-of-it"),
        pytest.param(own(1, excesses=(CLOSE,)),
                     ["raise requests.cpu of quota team to 3.1, for the missing pod",
                      "keep each pod to 400m requests.cpu, which is what the quota leaves for the missing pod"],
                     id="a-moderate-cut"),
        pytest.param(own(0, controllers=(JOB,)), ["start it: set spec.suspend to false"], id="suspended"),
        pytest.param(own(0, controllers=(PAUSED,)), ["resume it: set spec.paused to false"], id="paused"),
        pytest.param(own(), [], id="unknown"),
        pytest.param(own(waits_for="web-0"), ["see why web-0 is not ready"],
                     id="in-order"),
        pytest.param(own(waits_for="web-0", excesses=(CPU,)),
                     ["raise requests.cpu of quota team to 3.9, for the 2 missing pods"], id="quota-before-the-order"),
        pytest.param(own(waits_for="web-0", problems=(Problem(("spec", "hostPID"), "is not allowed"),)),
                     ["mend spec.template.spec.hostPID in Deployment web: is not allowed"],
                     id="refused-before-the-order"),
        pytest.param(own(stuck=(STUCK,), waits_for="web-0"), LETTING_GO, id="stuck"),
        pytest.param(own(stuck=(STUCK,), complaints=(DENIED,)), [ASK], id="refused-before-the-stuck"),
        pytest.param(own(0, stuck=(STUCK,)), [], id="none-is-missing-although-one-is-stuck"),
        pytest.param(own(complaints=(DENIED,)), [ASK], id="refused"),
        pytest.param(own(complaints=(DENIED,), waits_for="web-0"),
                     ["see why web-0 is not ready"], id="the-order-before-refused"),
        pytest.param(own(complaints=(NO_RIGHT,)), [], id="refused-for-what-nothing-helps-against"),
    ],
)  # fmt: skip
def test_what_would_help(workload: OwnPods, texts: list[str]) -> None:
    assert [each.text for each in creating(workload)] == texts


def load(replicas: int, namespace: str = "shop") -> Deployment:
    """Another workload of so many replicas."""
    return Deployment(metadata=ObjectMeta(name="load", namespace=namespace), spec=DeploymentSpec(replicas=replicas))


@pytest.mark.parametrize(
    ("other", "replicas"),
    [
        # 2.9 are used, and two more pods need 3.9 of 3: each of the four gives 500m back.
        pytest.param(load(4), 2, id="gives up what is missing"),
        pytest.param(load(2), 1, id="of larger pods one is enough"),
        pytest.param(load(4, "other"), None, id="in another namespace"),
        pytest.param(JOB, None, id="not read"),
    ],
)
def test_who_has_most_of_a_quota_is_scaled_as_far_as_it_takes(other: KubernetesObject, replicas: int | None) -> None:
    found = [*creating(own(excesses=(replace(CPU, others=("Deployment load", 2 * 10**9)),)), 0, [other])][1]
    if replicas is None:
        assert (found.text, found.changes) == (
            "scale down Deployment load, which uses 2 requests.cpu, if it is not needed", ()
        )  # fmt: skip
        return
    assert found.commands == (f"kubectl scale deployment load -n shop --replicas={replicas}",)
    assert [each.patch for each in found.changes] == [[{"op": "add", "path": "/spec/replicas", "value": replicas}]]


COUNTED = Excess("objects", "count/pods", 40 * 10**9, 40 * 10**9, 10**9)


@pytest.mark.parametrize(
    ("excesses", "finished", "first", "is_said"),
    [
        ((COUNTED,), 36, "delete the 36 pods that have finished", True),
        ((COUNTED,), 1, "raise count/pods", True),
        ((COUNTED,), 0, "raise count/pods", False),
        ((PODS,), 36, "raise pods", False),
        ((COUNTED, CPU), 36, "raise count/pods", True),
    ],
)
def test_finished_pods_that_count(excesses: tuple[Excess, ...], finished: int, first: str, is_said: bool) -> None:
    found = diagnose_workload(own(excesses=excesses), finished)
    assert found is not None
    assert (f"{finished} of them by pods that have finished" in found.detail) is is_said
    assert next(iter(creating(own(excesses=excesses), finished))).text.startswith(first)


@pytest.mark.parametrize(
    ("kind", "missing", "text"),
    [
        pytest.param("StatefulSet", 1, "web-0 is being deleted, and made again once it is gone", id="of-a-set"),
        pytest.param("Deployment", 1, None, id="nothing-waits-for-those-of-a-deployment"),
        pytest.param("StatefulSet", 2, None, id="another-is-missing-too"),
    ],
)
def test_what_is_on_its_way_out_is_made_again_once_it_is_gone(kind: str, missing: int, text: str | None) -> None:
    found = diagnose_workload(replace(own(missing, leaving=(pod("web-0", deleting=True),)), kind=kind))
    assert (found and found.text) == text
    assert found is None or (found.kind, found.retry) == (Kind.DELETING, When.BY_ITSELF)


def of_cron_job(runs: int, policy: str | None = None) -> list[KubernetesObject]:
    """A CronJob with so many runs that have not ended."""
    made_by = controlled_by("CronJob", "load", api_version="batch/v1")
    above = CronJob(metadata=ObjectMeta(name="load", namespace="shop"), spec=CronJobSpec(concurrency_policy=policy))
    metadata = [ObjectMeta(name=f"load-{n}", namespace="shop", owner_references=(made_by,)) for n in range(runs)]
    return [above, *(Job(metadata=each) for each in metadata)]


@pytest.mark.parametrize(
    ("others", "first", "verbs"),
    [
        pytest.param(
            of_cron_job(3), "suspend CronJob shop/load, and delete", ["patch", *["delete"] * 3], id="piled-up"
        ),
        pytest.param(of_cron_job(2), "raise requests.cpu of quota team", ["patch"], id="two-may-be-meant"),
        pytest.param(of_cron_job(3, "Forbid"), "raise requests.cpu of quota team", ["patch"], id="forbidden-now"),
        pytest.param([], "raise requests.cpu of quota team", ["patch"], id="not-read"),
    ],
)
def test_runs_that_pile_up_end_before_a_quota_is_raised(
    others: list[KubernetesObject], first: str, verbs: list[str]
) -> None:
    found = [*creating(own(excesses=(replace(CPU, others=("CronJob load", 2 * 10**9)),)), 0, others)]
    assert found[0].text.startswith(first)
    assert [each.verb for each in found[0].changes] == verbs


def test_a_job_that_has_most_of_a_quota_may_wait() -> None:
    job = Job(metadata=ObjectMeta(name="load", namespace="shop"))
    _, found = creating(own(excesses=(replace(CPU, others=("Job load", 2 * 10**9)),)), 0, [job])
    assert found.text == "suspend Job load, which uses 2 requests.cpu, if it can wait"
    assert [each.patch for each in found.changes] == [[{"op": "add", "path": "/spec/suspend", "value": True}]]
