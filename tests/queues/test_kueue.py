"""Kueue: why a Workload waits, by what is written, with the numbers of its queue."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.records import Kind
from kexplain.objects.batch import Job, JobSpec
from kexplain.objects.meta import ObjectMeta
from tests.factories import pod
from tests.queues.made import cluster_queue, held, local_queue, workload

GATED = pod(
    "train-0",
    namespace="a",
    gates=["kueue.x-k8s.io/admission"],
    labels={"kueue.x-k8s.io/pod-group-name": "train", "kueue.x-k8s.io/queue-name": "q"},
    cpu="4",
)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("NoMatchingFlavor", Kind.QUEUE_NO_MATCHING_FLAVOR),
        ("WaitingForQuota", Kind.QUEUE_WAITING_FOR_QUOTA),
        ("ExceedsMaxQuota", Kind.QUEUE_EXCEEDS_QUOTA),
        ("TopologyPlacementFailed", Kind.QUEUE_TOPOLOGY_FULL),
        ("WaitingForPreemptedWorkloads", Kind.QUEUE_WAITING_FOR_PREEMPTED),
        ("Misconfigured", Kind.QUEUE_MISCONFIGURED),
        ("Suspended", Kind.QUEUE_STOPPED),
        ("PendingEvaluation", Kind.QUEUE_NOT_EVALUATED),
        ("WaitingForPodsReady", Kind.QUEUE_WAITING_FOR_PODS_READY),
        ("Pending", Kind.QUEUE_WAITING),
        ("SomethingNew", Kind.QUEUE_WAITING),
        ("", Kind.QUEUE_NOT_EVALUATED),
    ],
)
def test_reasons(reason: str, kind: Kind) -> None:
    found = held(GATED, workload(reason=reason, message="words"), local_queue(), cluster_queue())
    assert found is not None
    assert (found.kind, found.by, found.object, found.reason) == (kind, "Kueue", "Workload a/train", reason)
    assert found.message == ("words" if reason else "")


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("insufficient unused quota for cpu in flavor f, 2 more needed", Kind.QUEUE_WAITING_FOR_QUOTA),
        ("insufficient quota for cpu in flavor f, request > maximum capacity (9 > 8)", Kind.QUEUE_EXCEEDS_QUOTA),
        ("borrowing limit for cpu in flavor f exceeded", Kind.QUEUE_WAITING_FOR_QUOTA),
    ],
)
def test_earlier_releases_have_one_reason_for_all(message: str, kind: Kind) -> None:
    text = f"couldn't assign flavors to pod set main: {message}"
    found = held(GATED, workload(reason="Pending", message=text), local_queue(), cluster_queue())
    assert found is not None
    assert (found.kind, found.message) == (kind, text)


def test_resources_that_the_queue_is_not_for_are_never_let_in() -> None:
    text = "couldn't assign flavors to pod set main: resource gpu unavailable in ClusterQueue, "
    text += "resource memory unavailable in ClusterQueue"
    found = held(GATED, workload(reason="Pending", message=text), local_queue(), cluster_queue())
    assert found is not None
    assert found.kind is Kind.QUEUE_MISCONFIGURED
    assert found.text == "its pods ask for gpu and memory, which ClusterQueue cq does not cover"
    assert found.fix == "add gpu and memory to what ClusterQueue cq covers, with a quota"


def test_numbers_of_the_queue_and_its_cohort() -> None:
    found = held(
        GATED,
        workload(reason="WaitingForQuota"),
        local_queue(),
        cluster_queue(cohort="c"),
        cluster_queue("other", "10", "3", cohort="c"),
        cluster_queue("generous", "10", "1", cohort="c", lending="500m"),
        cluster_queue("elsewhere", "10", "0", cohort="d"),
    )
    assert found is not None
    (use,) = found.quota
    assert (use.resource, use.flavor, use.used, use.allowed, use.unused_in_cohort) == ("cpu", "f", "8", "8", "7.5")
    assert "8 of 8 used, 7.5 unused by others of its cohort" in found.text


@pytest.mark.parametrize(
    ("used", "strategy", "is_kept"),
    [
        pytest.param("3", "StrictFIFO", True, id="it-keeps-what-it-has-left"),
        pytest.param("8", "StrictFIFO", False, id="it-has-nothing-left"),
        pytest.param("3", "BestEffortFIFO", False, id="others-may-pass"),
    ],
)
def test_a_queue_of_the_cohort_that_lends_nothing_while_its_head_waits(
    used: str, strategy: str, *, is_kept: bool
) -> None:
    found = held(
        GATED,
        workload(reason="WaitingForQuota"),
        workload("head", reason="WaitingForQuota", message="4 more needed", queueName="p"),
        local_queue(),
        local_queue("p", "lender"),
        cluster_queue(nominal="0", used="0", cohort="c"),
        cluster_queue("lender", used=used, cohort="c", queueingStrategy=strategy),
    )
    assert found is not None
    kept = "ClusterQueue cq cannot borrow: lender keeps its unused quota for Workload head, the head of its StrictFIFO"
    assert (kept in found.text) is is_kept
    assert ("out of ClusterQueue lender" in found.fix) is is_kept


def admitted(name: str, cpu: str, *, to: str = "cq", flavor: str = "f", owner: str = "", over: bool = False) -> Any:
    """A Workload that has quota of a ClusterQueue."""
    own = workload(name)
    usage = {"name": "main", "flavors": {"cpu": flavor}, "resourceUsage": {"cpu": cpu}}
    own["status"]["admission"] = {"clusterQueue": to, "podSetAssignments": [usage]}
    conditions = [{"type": "QuotaReserved", "status": "True"}]
    own["status"]["conditions"] = [*conditions, *([{"type": "Finished", "status": "True"}] if over else [])]
    if owner:
        own["metadata"]["ownerReferences"] = [{"apiVersion": "batch/v1", "kind": "Job", "name": owner, "uid": owner}]
    return own


def test_who_holds_the_quota_is_named_those_first_that_hold_most() -> None:
    others = [
        admitted("small", "1500m"),
        admitted("job-big-1", "6", owner="big"),
        admitted("elsewhere", "9", to="other"),
        admitted("of-another-flavor", "9", flavor="g"),
        admitted("over", "9", over=True),
        admitted("odd", "many"),
    ]
    found = held(GATED, workload(reason="WaitingForQuota"), *others, local_queue(), cluster_queue())
    assert found is not None
    assert found.text.endswith("8 of 8 used; held by Job a/big (6 cpu), Workload a/small (1.5 cpu)")
    free = held(GATED, workload(reason="WaitingForQuota"), *others, local_queue(), cluster_queue(used="7"))
    assert free is not None
    assert "held by" not in free.text


def test_what_is_used_is_not_known_without_a_status() -> None:
    found = held(GATED, workload(reason="WaitingForQuota"), local_queue(), {**cluster_queue(), "status": {}})
    assert found is not None
    assert found.quota == ()


def test_who_comes_first() -> None:
    found = held(
        GATED,
        workload(reason="WaitingForQuota"),
        workload("older", created="2026-11-02T07:00:00Z"),
        workload("younger", created="2026-11-02T09:00:00Z"),
        workload("urgent", created="2026-11-02T09:00:00Z", priority=5),
        workload("off", created="2026-11-02T07:00:00Z", active=False),
        local_queue(),
        cluster_queue(),
    )
    assert found is not None
    assert found.ahead == 2
    assert "behind 2 workloads that come first" in found.text


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        pytest.param([workload(active=False), local_queue(), cluster_queue()], "spec.active", id="workload"),
        pytest.param([workload(), local_queue(stopPolicy="Hold"), cluster_queue()], "LocalQueue q is stopped", id="lq"),
        pytest.param([workload(), local_queue(), cluster_queue(stopPolicy="HoldAndDrain")], "ClusterQueue cq", id="cq"),
    ],
)
def test_what_is_stopped(objects: list[dict[str, Any]], said: str) -> None:
    found = held(GATED, *objects)
    assert found is not None
    assert found.kind is Kind.QUEUE_STOPPED
    assert said in found.text


def test_an_admission_check() -> None:
    waiting = workload()
    waiting["status"] = {
        "conditions": [
            {"type": "QuotaReserved", "status": "True"},
            {"type": "Admitted", "status": "False", "reason": "UnsatisfiedAdmissionChecks"},
        ],
        "admissionChecks": [
            {"name": "fine", "state": "Ready"},
            {"name": "machines", "state": "Pending", "message": "none yet", "lastTransitionTime": "t"},
        ],
    }
    found = held(GATED, waiting, local_queue(), cluster_queue())
    assert found is not None
    assert (found.kind, found.message, found.since) == (Kind.QUEUE_ADMISSION_CHECK, "none yet", "t")
    assert "machines is Pending" in found.text
    assert "fine" not in found.text


def test_what_is_admitted_is_held_by_its_gate_only() -> None:
    admitted = workload()
    admitted["status"] = {"conditions": [{"type": "Admitted", "status": "True"}]}
    found = held(GATED, admitted)
    assert found is not None
    assert found.kind is Kind.QUEUE_ADMITTED
    assert held(pod("train-0", namespace="a", labels={"kueue.x-k8s.io/pod-group-name": "train"}), admitted) is None


def test_a_suspended_job_and_its_workload() -> None:
    waiting = workload("job-report-1", "WaitingForQuota")
    waiting["metadata"]["ownerReferences"] = [{"apiVersion": "batch/v1", "kind": "Job", "name": "report"}]
    job = Job(metadata=ObjectMeta(name="report", namespace="a"), spec=JobSpec(suspend=True))
    found = held(pod("report-x", namespace="a"), waiting, local_queue(), cluster_queue(), made_of=job)
    assert found is not None
    assert found.kind is Kind.QUEUE_WAITING_FOR_QUOTA
    alone = held(pod("report-x", namespace="a"), made_of=job)
    assert alone is not None
    assert alone.kind is Kind.SUSPENDED


def test_a_queue_that_is_not_there() -> None:
    found = held(pod("web", namespace="a", labels={"kueue.x-k8s.io/queue-name": "p"}), local_queue())
    assert found is not None
    assert (found.kind, found.queue) == (Kind.QUEUE_MISCONFIGURED, "p")
    assert held(pod("web", namespace="a", labels={"kueue.x-k8s.io/queue-name": "p"})) is None


def test_a_pod_that_no_queue_knows() -> None:
    assert held(pod("web", namespace="a"), workload(reason="WaitingForQuota"), local_queue(), cluster_queue()) is None


@pytest.mark.parametrize("odd", [None, "x", 5, [], {"conditions": "x"}, {"conditions": [1, {"type": 2}]}])
def test_what_has_another_form_is_as_if_absent(odd: Any) -> None:
    strange = workload()
    strange["status"] = odd
    queue = cluster_queue()
    queue["spec"], queue["status"] = odd, odd
    found = held(GATED, strange, local_queue(), queue)
    assert found is not None
    assert found.kind is Kind.QUEUE_NOT_EVALUATED
