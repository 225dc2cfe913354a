"""Work without pods, as a queue has not let it start."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.cluster import Listers
from kexplain.diagnosis.records import Hold
from kexplain.queues.work import not_followed, waiting_work
from tests.queues.made import cluster_queue, local_queue, pod_group, read, workload

VOLCANO = "scheduling.volcano.sh/v1beta1"
JOB = ("Job", "a", "report")


def waiting(*objects: dict[str, Any]) -> dict[tuple[str, str, str], Hold]:
    return {each.key: each.hold.hold for each in waiting_work(Listers.of(read(*objects)))}


def owned(obj: dict[str, Any], kind: str = "Job", name: str = "report") -> dict[str, Any]:
    obj["metadata"]["ownerReferences"] = [{"apiVersion": "x/v1", "kind": kind, "name": name, "controller": True}]
    return obj


def job(queue: str = "q", *, suspend: bool = True) -> dict[str, Any]:
    labels = {"kueue.x-k8s.io/queue-name": queue}
    metadata = {"name": "report", "namespace": "a", "uid": "job-report", "labels": labels}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"suspend": suspend}}


def test_what_a_workload_is_for() -> None:
    found = waiting(owned(workload(reason="WaitingForQuota"), "RayCluster", "ray"), local_queue(), cluster_queue())
    assert [*found] == [("RayCluster", "a", "ray")]
    assert waiting(owned(workload(), "Pod", "p")) == {}
    assert [*waiting(workload("alone"), local_queue(), cluster_queue())] == [("Workload", "a", "alone")]


def test_figures_are_those_of_what_its_pods_ask_for() -> None:
    template = {"spec": {"containers": [{"resources": {"requests": {"cpu": "1"}}}]}}
    waits = workload(reason="WaitingForQuota", podSets=[{"name": "main", "count": 1, "template": template}])
    (use,) = waiting(owned(waits), local_queue(), cluster_queue())[JOB].quota
    assert (use.resource, use.used, use.allowed) == ("cpu", "8", "8")


def test_a_suspended_job_of_which_kueue_knows_nothing() -> None:
    others = [workload("other"), local_queue(), cluster_queue()]
    assert waiting(job(), *others)[JOB].text == "Kueue has made no Workload for it"
    assert "did you mean q?" in waiting(job("qq"), *others)[JOB].text
    assert JOB not in waiting(job(suspend=False), *others)
    assert JOB not in waiting(job(), local_queue(), cluster_queue())
    assert "quota" in waiting(job(), owned(workload(reason="WaitingForQuota")), *others[1:])[JOB].text


def test_changes_whose_effect_on_queues_is_not_followed() -> None:
    before = Listers.of(read(job(), owned(workload(reason="WaitingForQuota")), local_queue(), cluster_queue()))
    changed = read(cluster_queue(nominal="16"), job(suspend=False), job())
    assert [*not_followed([*changed, None], before)] == [
        (
            "what ClusterQueue cq lets start now is not followed; Job a/report waits: "
            "set spec.suspend to false, too, to see where the pods of it would go"
        ),
        "not followed: Kueue suspends Job report again unless a queue admits it",
    ]
    assert [*not_followed(read(job(suspend=False)), Listers.of(read(job())))] == [
        "not followed: Kueue suspends Job report again unless a queue admits it"
    ]


def namespace(name: str, **labels: str) -> dict[str, Any]:
    named = {"kubernetes.io/metadata.name": name, **labels}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": named}}


@pytest.mark.parametrize(
    ("own", "others", "lacks"),
    [
        ({}, [{"kueue-managed": "yes", "team": "x"}], "kueue-managed=yes"),
        ({"kueue-managed": "yes"}, [{"kueue-managed": "yes", "team": "x"}], ""),
        ({}, [{"batch": "on", "team": "x"}], ""),
        ({}, [{"batch": "on", "team": "x"}, {"batch": "on", "team": "y"}], "batch=on"),
    ],
)
def test_a_namespace_that_kueue_does_not_manage(own: dict[str, str], others: list[dict[str, str]], lacks: str) -> None:
    around = [namespace("a", **own), local_queue()]
    for number, labels in enumerate(others):
        made = workload()
        made["metadata"]["namespace"] = f"b{number}"
        around += [namespace(f"b{number}", **labels), made]
    hold = waiting(job(), *around)[JOB]
    said = f"it has made no Workload for it, as namespace a lacks {lacks}, which" if lacks else "Kueue has made no"
    assert hold.text.startswith(said)
    assert hold.fix.startswith(f"label namespace a with {lacks}, and" if lacks else "")
    assert waiting(job(), *around, workload("own"))[JOB].text == "Kueue has made no Workload for it"


def test_a_suspended_job_that_names_no_queue() -> None:
    around = [workload("other"), local_queue()]
    assert waiting(job(""), *around)[JOB].fix.startswith("label Job a/report with kueue.x-k8s.io/queue-name=q, and")
    assert JOB not in waiting(owned(job(""), "JobSet", "set"), *around)
    assert JOB not in waiting(job(""), workload("other"))


# ------------------------------------------------------------------------------------------------------- Volcano


def group(phase: str = "Pending", **spec: Any) -> dict[str, Any]:
    return owned(pod_group(VOLCANO, {"queue": "stage", "minMember": 1, **spec}, {"phase": phase}))


def queue(used: str = "14", state: str = "Open", name: str = "stage") -> dict[str, Any]:
    return {
        "apiVersion": VOLCANO,
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": {"capability": {"cpu": "16", "memory": "64Gi"}},
        "status": {"state": state, "allocated": {"cpu": used, "memory": "x"}},
    }


@pytest.mark.parametrize(
    ("objects", "says"),
    [
        (
            [group(minResources={"cpu": "4"}), queue()],
            "in; 14 of its capability of 16 cpu is allocated, and it asks for 4",
        ),
        ([group(minResources={"cpu": "2"}), queue()], "in; cpu: 14 of 16 used; memory: x of 64Gi used"),
        ([group(minResources={"cpu": "4", "memory": "4"}), queue("")], "in; cpu: 0 of 16 used; memory: x of 64Gi used"),
        ([group(), queue(name="stages")], "queue stage does not exist; did you mean stages?"),
        ([group(), queue(state="Closed")], "queue stage is closed"),
    ],
)
def test_groups_without_pods(objects: list[dict[str, Any]], says: str) -> None:
    assert waiting(*objects)[JOB].text.endswith(says)


def test_groups_that_have_started() -> None:
    assert waiting(group("Running"), queue()) == {}
