"""What would help a pod that a queue, a kubelet or a volume holds back, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Kind, OnceAdmitted, held_by
from kexplain.objects.batch import Job, JobSpec
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.remedies.held import all_helped, helping
from kexplain.remedies.records import Remedy
from tests.bound.made import made
from tests.factories import cluster, controlled_by, node, pod
from tests.remedies.situations import Json
from tests.said import differences, of_remedy_list

LONE = pod("web", namespace="shop", node="n1")
OWNED = pod("web-a", namespace="shop", node="n1", owner=controlled_by("ReplicaSet", "web"))
OF_A_JOB = pod("sum-a", namespace="shop", owner=controlled_by("Job", "sum"))
#: What the scheduler would say of another pod in its place.
THEN = {"that fits elsewhere": OnceAdmitted(nodes=("n2", "n3"), fits=2), "that fits nowhere": OnceAdmitted()}
PROJECTS = ("Kueue", "Volcano", "KAI-Scheduler", "YuniKorn", "scheduler-plugins", "Koordinator", "somebody")
QUEUED = [each for each in Kind if each.value.startswith(("queue-", "group-"))]
BOUND = (
    Kind.NOT_TRIED,
    Kind.TURNED_AWAY,
    Kind.PREEMPTED,
    Kind.EVICTED,
    Kind.RESIZE_DEFERRED,
    Kind.RESIZE_INFEASIBLE,
    Kind.RESIZE_FAILED,
    Kind.CLAIM_NOT_PROVISIONED,
    Kind.VOLUME_NOT_ATTACHED,
    Kind.VOLUME_NOT_MOUNTED,
    Kind.DEVICE_NOT_PREPARED,
    Kind.IMAGE_NOT_PULLED,
    Kind.SANDBOX_FAILED,
    Kind.CONTAINER_NOT_STARTED,
    Kind.KUBELET_SILENT,
    Kind.NOT_READY,
    Kind.NODE_MISSING,
    Kind.STUCK_TERMINATING,
)
STORED = ObjectMeta(name="sum", namespace="shop", uid="u")


def helped(
    kind: Kind,
    by: str = "somebody",
    of: Pod = LONE,
    made_of: KubernetesObject | None = None,
    then: OnceAdmitted | None = None,
) -> list[Remedy]:
    return [*helping(held_by(by, kind, told("sandbox-failed")), of, made_of, then)]


def _situations() -> Iterator[tuple[str, list[Remedy]]]:
    for kind in QUEUED:
        for by in PROJECTS:
            # Most are the same whoever says it.
            if by == PROJECTS[-1] or helped(kind, by) != helped(kind):
                yield f"{kind.value} by {by}", helped(kind, by)
    for kind in BOUND:
        yield f"{kind.value} of a pod", helped(kind)
        yield f"{kind.value} of a ReplicaSet's pod", helped(kind, of=OWNED)
        for where, then in THEN.items():
            if helped(kind, then=then) != helped(kind):
                yield f"{kind.value} of a pod {where}", helped(kind, then=then)
                yield f"{kind.value} of a ReplicaSet's pod {where}", helped(kind, of=OWNED, then=then)
    yield "stuck-terminating as it was read", helped(Kind.STUCK_TERMINATING, of=pod("copy"), made_of=LONE)
    for name, made_of in {
        "that is stored": Job(metadata=STORED, spec=JobSpec(suspend=True)),
        "of a manifest": Job(metadata=ObjectMeta(name="sum", namespace="shop")),
        "of which only the pod is known": None,
    }.items():
        yield f"a suspended Job {name}", helped(Kind.SUSPENDED, of=OF_A_JOB, made_of=made_of)
    yield "a suspended Job of which nothing is known", helped(Kind.SUSPENDED)
    yield "a suspended pod of a Job", helped(Kind.SUSPENDED, of=OF_A_JOB, made_of=OF_A_JOB)


def test_what_helps_who_is_held(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_remedy_list(found)] or ["nothing"] for name, found in _situations()}
    rewrite = request.config.getoption("--rewrite-golden")
    assert differences(Path(__file__).with_name("said_of_held.txt"), said, rewrite=rewrite) == {}


def test_of_pods_that_fare_alike_the_first_has_what_would_help() -> None:
    lost = [pod(name, node="n1", phase="Failed") for name in "abc"]
    pods = [replace(each, status=replace(each.status, reason="OutOfcpu")) for each in lost]
    pods[1] = replace(pods[1], status=replace(pods[1].status, reason="NodeShutdown"))
    found = [(each.name, [one.text for one in helps]) for each, _, helps in all_helped(pods, cluster([node("n1")]), ())]
    again = ["create the pod again, as no controller does so"]
    assert found == [("a", again), ("c", []), ("b", again)]


@pytest.mark.parametrize(
    ("ended", "detail", "text"),
    [
        pytest.param({"exitCode": 1, "message": "FATAL: no user\n  at line 1\n"}, "FATAL: no user at line 1",
                     "fix the error that container c reports; the rest is in the previous container's log", id="said"),
        pytest.param({"exitCode": 1}, "back-off 5m0s restarting failed container=c",
                     "check the previous container's log and fix the error it reports", id="unsaid"),
    ],
)  # fmt: skip
def test_a_log_is_read_for_what_was_not_quoted(ended: Json, detail: str, text: str) -> None:
    waiting = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container=c"}}
    status = {"name": "c", "state": waiting, "lastState": {"terminated": ended}}
    crashing = made({"phase": "Pending", "containerStatuses": [status]})
    ((_, found, helps),) = all_helped([crashing], cluster([node("n1")]), ())
    assert (found.detail, helps[-1].text) == (detail, text)
    assert "logs --previous web" in helps[-1].commands[0]
