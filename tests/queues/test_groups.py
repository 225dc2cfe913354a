"""Groups of Volcano, KAI-Scheduler and scheduler-plugins."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.records import Kind
from kexplain.objects.core import Pod
from tests.factories import pod
from tests.queues.made import held, pod_group, read

VOLCANO, KAI, SIGS = "scheduling.volcano.sh/v1beta1", "scheduling.run.ai/v2alpha2", "scheduling.x-k8s.io/v1alpha1"
LABELLED = pod("p", namespace="a", labels={"scheduling.x-k8s.io/pod-group": "g"})


def _annotated(annotation: str) -> Pod:
    (found,) = read(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p", "namespace": "a", "annotations": {annotation: "g"}},
            "spec": {"containers": [{"name": "c", "image": "c:1"}]},
        }
    )
    assert isinstance(found, Pod)
    return found


OF_VOLCANO = _annotated("scheduling.k8s.io/group-name")
OF_KAI = _annotated("pod-group-name")


def _unschedulable(reason: str) -> dict[str, Any]:
    return {"type": "Unschedulable", "status": "True", "reason": reason, "message": "words", "lastTransitionTime": "t"}


@pytest.mark.parametrize(
    ("phase", "reason", "kind"),
    [
        ("Pending", "NotEnoughResources", Kind.QUEUE_WAITING_FOR_QUOTA),
        ("Inqueue", "NotEnoughResources", Kind.GROUP_WAITING),
        ("Inqueue", "NotEnoughTasks", Kind.GROUP_INCOMPLETE),
        ("Unknown", "NotEnoughResources", Kind.GROUP_WAITING),
    ],
)
def test_volcano(phase: str, reason: str, kind: Kind) -> None:
    status = {"phase": phase, "conditions": [_unschedulable(reason)]}
    found = held(OF_VOLCANO, pod_group(VOLCANO, {"minMember": 3, "queue": "q"}, status))
    assert found is not None
    assert (found.kind, found.by, found.since, found.message, found.queue) == (kind, "Volcano", "t", "words", "q")


def test_a_queue_of_volcano() -> None:
    group = pod_group(VOLCANO, {"queue": "q"}, {"phase": "Pending"})
    queue = {"apiVersion": VOLCANO, "kind": "Queue", "metadata": {"name": "q"}, "spec": {"capability": {"cpu": 9}}}
    found = held(OF_VOLCANO, group, {**queue, "status": {"state": "Open", "allocated": {"cpu": "8"}}})
    assert found is not None
    assert [(use.resource, use.used, use.allowed) for use in found.quota] == [("cpu", "8", "9")]
    closed = held(OF_VOLCANO, group, {**queue, "status": {"state": "Closed"}})
    assert closed is not None
    assert closed.kind is Kind.QUEUE_STOPPED


@pytest.mark.parametrize(
    ("cpu", "fix"),
    [
        ("10", "raise spec.capability of Queue q to 10 cpu (now 9), or let the group start with fewer pods (now 5)"),
        ("9", ""),
        ("none", ""),
    ],
)
def test_a_group_that_asks_volcano_for_more_than_its_queue_may_ever_have(cpu: str, fix: str) -> None:
    spec = {"queue": "q", "minMember": 5, "minResources": {"cpu": cpu, "memory": "1Gi"}}
    queue = {"apiVersion": VOLCANO, "kind": "Queue", "metadata": {"name": "q"}, "spec": {"capability": {"cpu": 9}}}
    found = held(OF_VOLCANO, pod_group(VOLCANO, spec, {"phase": "Pending"}), {**queue, "status": {"state": "Open"}})
    assert found is not None
    assert found.fix == fix


@pytest.mark.parametrize(
    ("strategy", "most", "fix"),
    [
        ({}, "only 1 while the old ones stay (maxSurge 1, maxUnavailable 0)", "to 3 (now 1)"),
        ({"maxSurge": 0, "maxUnavailable": 2}, "only 2 while the old ones stay (maxSurge 0, maxUnavailable 2)", "to 1"),
        ({"maxSurge": "100%"}, "", ""),
    ],
)
def test_a_gang_waits_for_a_rollout_that_waits_for_it(strategy: Any, most: str, fix: str) -> None:
    def owned_by(kind: str, name: str) -> dict[str, Any]:
        owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
        return {"namespace": "a", "ownerReferences": [owner]}

    apps = {"apiVersion": "apps/v1"}
    rolling = {"type": "RollingUpdate", "rollingUpdate": strategy}
    spec = {"replicas": 3, "strategy": rolling, "selector": {"matchLabels": {"a": "b"}}}
    deployment = {**apps, "kind": "Deployment", "metadata": {"name": "d", "namespace": "a"}, "spec": spec}
    new = {**apps, "kind": "ReplicaSet", "metadata": {"name": "rs", **owned_by("Deployment", "d")}}
    group = pod_group(VOLCANO, {"minMember": 3}, {"phase": "Inqueue", "conditions": [_unschedulable("NotEnoughTasks")]})
    group["metadata"] |= owned_by("ReplicaSet", "rs")
    found = held(OF_VOLCANO, group, deployment, {**new, "spec": {"replicas": 1}})
    assert found is not None
    assert (most in found.text, fix in found.fix, bool(fix)) == (True, True, bool(found.fix))
    complete = held(OF_VOLCANO, group, deployment, {**new, "spec": {"replicas": 3}})
    assert complete is not None
    assert complete.text == "too few pods of group g are there: 3 of its pods must start together"


def test_the_default_queue_of_volcano_by_its_name() -> None:
    group = pod_group(VOLCANO, {}, {"phase": "Pending"})
    queue = {"apiVersion": VOLCANO, "kind": "Queue", "metadata": {"name": "default"}, "status": {"state": "Closed"}}
    closed = held(OF_VOLCANO, group, queue)
    assert closed is not None
    assert closed.text == "queue default is closed"


@pytest.mark.parametrize("phase", ["Running", "Completed"])
def test_a_group_that_has_started_holds_nobody_back(phase: str) -> None:
    assert held(OF_VOLCANO, pod_group(VOLCANO, {}, {"phase": phase})) is None


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("OverLimit", Kind.QUEUE_WAITING_FOR_QUOTA),
        ("NonPreemptibleOverQuota", Kind.QUEUE_EXCEEDS_QUOTA),
        ("QueueDoesNotExist", Kind.QUEUE_MISCONFIGURED),
        ("PodSchedulingErrors", Kind.GROUP_WAITING),
    ],
)
def test_kai(reason: str, kind: Kind) -> None:
    condition = {
        "type": "UnschedulableOnNodePool",
        "status": "True",
        "nodePool": "default",
        "lastTransitionTime": "t",
        "reasons": [{"reason": reason, "message": "\nwords"}],
    }
    found = held(OF_KAI, pod_group(KAI, {"minMember": 2, "queue": "q"}, {"schedulingConditions": [condition]}))
    assert found is not None
    assert (found.kind, found.reason, found.message, found.since) == (kind, reason, "words", "t")


def test_a_group_of_kai_without_conditions_holds_nobody_back() -> None:
    assert held(OF_KAI, pod_group(KAI, {"queue": "q"}, {})) is None


@pytest.mark.parametrize(
    ("spec", "used_by", "text", "fix"),
    [
        (
            {"priority": 1},
            "labs",
            "Queue q has no parentQueue, unlike labs, from which groups run",
            "set spec.parentQueue of Queue q (Queue labs has company)",
        ),
        (
            {"parentQueue": "compamy"},
            "labs",
            "queue q is below queue compamy, which does not exist; did you mean company?",
            "create Queue compamy, or correct spec.parentQueue of Queue q",
        ),
        ({"parentQueue": "company"}, "labs", "", ""),
        ({}, "q", "", ""),
        ({}, "elsewhere", "", ""),
    ],
)
def test_a_queue_of_kai_beside_one_from_which_groups_run(spec: Any, used_by: str, text: str, fix: str) -> None:
    def queue(name: str, spec: Any) -> dict[str, Any]:
        return {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": name}, "spec": spec}

    queues = (queue("company", {"priority": 1}), queue("labs", {"parentQueue": "company"}), queue("q", spec))
    runs = pod_group(KAI, {"queue": used_by}, {"resourcesStatus": {"allocated": {"cpu": "1"}}}, "other")
    found = held(OF_KAI, pod_group(KAI, {"queue": "q"}, {}), runs, *queues)
    assert (found.text, found.fix, found.object) == (text, fix, "Queue q") if found else not text


def test_scheduler_plugins() -> None:
    found = held(LABELLED, pod_group(SIGS, {"minMember": 3}, {"phase": "Scheduling", "scheduled": 1}))
    assert found is not None
    assert found.kind is Kind.GROUP_WAITING
    assert "3 of its pods must start together: 1 have a node" in found.text


@pytest.mark.parametrize("odd", [None, "x", [1], {"conditions": 3, "schedulingConditions": {}}])
@pytest.mark.parametrize(("meant", "version"), [(OF_VOLCANO, VOLCANO), (OF_KAI, KAI), (LABELLED, SIGS)])
def test_odd_groups_fail_no_report(odd: Any, meant: Pod, version: str) -> None:
    held(meant, pod_group(version, odd, odd))
