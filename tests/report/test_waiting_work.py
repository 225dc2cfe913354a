"""Workloads without pods in the report: what was named, and all there is where everything is searched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kexplain.api import Wanted, explain, load_case
from kexplain.case.references import Reference
from kexplain.objects.pod_selection import PodSelection
from kexplain.report.workloads import WorkloadReport
from tests.queues.made import cluster_queue, local_queue, workload
from tests.queues.test_work import group, job, owned, queue
from tests.remedies.situations import deployment, node, template

HELD = [job(), owned(workload(reason="WaitingForQuota")), local_queue(), cluster_queue(), group(), queue()]


def reports(path: Path, *items: dict[str, Any], namespace: str = "", named: str = "") -> list[WorkloadReport]:
    dump = path / "cluster.json"
    every = [node("n1"), *deployment("web", template("1"), ["n1"]), *items]
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": every}))
    wanted = Wanted(own_pods=True, selection=PodSelection(namespace=namespace))
    names = [Reference("Job", named)] if named else []
    if named:
        return [*explain(load_case(names, [str(dump)], Wanted(own_pods=True, all_namespaces=True))).workloads]
    return [*explain(load_case(names, [str(dump)], wanted)).workloads]


def test_all_that_waits_is_found_where_everything_is_searched(tmp_path: Path) -> None:
    found = reports(tmp_path, *HELD)
    assert [(each.kind, each.name, each.is_complete) for each in found] == [("Job", "report", False)]
    assert found[0].held is not None
    assert found[0].diagnosis is not None
    assert [each.action for each in found[0].remedies][:1] == ["wait"]


def test_elsewhere_is_not_asked_about(tmp_path: Path) -> None:
    assert len(reports(tmp_path, *HELD, namespace="a")) == 1
    assert reports(tmp_path, *HELD, namespace="shop") == []


def test_what_is_named_is_held(tmp_path: Path) -> None:
    (found,) = reports(tmp_path, *HELD[:4], named="report")
    assert found.held is not None
    assert found.diagnosis is not None
    assert found.diagnosis.text.startswith("Kueue: the quota of ClusterQueue cq is in use")


def test_a_job_that_nobody_queues_is_merely_suspended(tmp_path: Path) -> None:
    alone = job()
    del alone["metadata"]["labels"]
    (found,) = reports(tmp_path, alone, *HELD[2:4], named="report")
    assert (found.held, found.is_complete) == (None, True)


def test_what_has_pods_speaks_for_itself(tmp_path: Path) -> None:
    owner = [{"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "report", "uid": "r"}]
    (asking,) = [each for each in deployment("etl", template("1"), [""]) if each["kind"] == "Pod"]
    asking["metadata"] |= {"namespace": "a", "ownerReferences": owner}
    assert reports(tmp_path, asking, *HELD[4:]) == []


def test_a_controller_that_is_broken_is_named(tmp_path: Path) -> None:
    (*_, keeper) = deployment("kueue-controller-manager", template("1"), ["n1"])
    waiting = {"name": "main", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
    keeper["status"] = {"phase": "Running", "containerStatuses": [waiting]}
    (found,) = reports(tmp_path, *HELD[:4], keeper)
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(
        "; Deployment shop/kueue-controller-manager, which lets it start, crash-loops on n1"
    )
    assert found.remedies[0].action == "check-controller"


def test_a_group_that_pods_name_speaks_by_them(tmp_path: Path) -> None:
    alike = {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup"}
    named = {**alike, "metadata": {"name": "train", "namespace": "shop"}, "spec": {"minMember": 2}}
    (asking,) = [each for each in deployment("etl", template("1"), [""]) if each["kind"] == "Pod"]
    asking["metadata"]["labels"]["scheduling.x-k8s.io/pod-group"] = "train"
    assert [each.name for each in reports(tmp_path, named)] == ["train"]
    assert "train" not in [each.name for each in reports(tmp_path, named, asking)]


def test_a_job_in_a_queue_whose_objects_were_not_read_waits_there(tmp_path: Path) -> None:
    """To start it by hand would be undone."""
    for namespace in ("a", ""):
        (found,) = reports(tmp_path, job(), namespace=namespace)
        assert found.diagnosis is not None
        assert found.diagnosis.text.startswith("Kueue: the Job is suspended and waits in queue q")
        assert [each.commands for each in found.remedies] == [("kubectl get workloads.kueue.x-k8s.io -n a",)]
    (named,) = reports(tmp_path, job(), named="report")
    assert named.held is not None


def test_a_job_waits_with_what_made_it(tmp_path: Path) -> None:
    """Started by hand it would be suspended again."""
    waiting, suspended = owned(workload(reason="WaitingForQuota"), "JobSet", "sets"), job()
    owner = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "sets", "uid": "s", "controller": True}
    suspended["metadata"]["ownerReferences"] = [owner]
    (found,) = reports(tmp_path, suspended, waiting, local_queue(), cluster_queue(), named="report")
    assert found.diagnosis is not None
    assert found.diagnosis.text.startswith("Kueue: the quota of ClusterQueue cq is in use")
