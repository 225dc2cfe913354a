"""Cases read from files: amounts that no API server stores are faults with a place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kexplain.case import Inputs, Wanted, load_case
from kexplain.case.daemon_pods import pinned_node
from kexplain.errors import InputError, UsageError
from kexplain.objects.core import Node
from kexplain.objects.pod_selection import PodSelection, parse_label_selector
from kexplain.objects.storage import StorageClass
from tests.load.texts import listed, node, write

NODE = node(allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"})


def _pod(cpu: str, node_name: str = "") -> dict[str, Any]:
    container = {"name": "c", "resources": {"requests": {"cpu": cpu}}}
    spec = {"nodeName": node_name, "schedulerName": "default-scheduler", "containers": [container]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b", "uid": "c"}, "spec": spec}


@pytest.mark.parametrize(
    ("pod", "problem"),
    [
        (_pod("1x"), '"1x" is not a quantity'),
        (_pod("-1"), '"-1" is negative'),
        (_pod("1x", "n"), '"1x" is not a quantity'),
        (_pod("-1", "n"), '"-1" is negative'),
    ],
    ids=["pending-no-quantity", "pending-negative", "running-no-quantity", "running-negative"],
)
def test_amounts_of_pods_in_the_cluster_are_faults_with_a_place(
    pod: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    dump = write(tmp_path / "dump.json", listed(NODE, pod))
    with pytest.raises(InputError) as raised:
        load_case([], [dump], Wanted(may_be_empty=True))
    assert [(found.path, found.message) for found in raised.value.faults] == [
        ("spec.containers[0].resources.requests.cpu", problem)
    ]


@pytest.mark.parametrize(
    ("namespace", "said"),
    [
        ("", ["2 Jobs are suspended, and make no pods: batch/migrate, shop/other"]),
        ("batch", ["1 Job is suspended, and makes no pods: batch/migrate"]),
        ("data", []),
    ],
)
def test_suspended_jobs_are_said_where_all_that_is_pending_is_asked_for(
    namespace: str, said: list[str], tmp_path: Path
) -> None:
    jobs = [
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": place}, "spec": spec, **more}
        for name, place, spec, more in (
            ("migrate", "batch", {"suspend": True}, {}),
            ("other", "shop", {"suspend": True}, {}),
            ("runs", "batch", {}, {}),
            ("ended", "batch", {"suspend": True}, {"status": {"conditions": [{"type": "Failed", "status": "True"}]}}),
        )
    ]
    there = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "data"}}, *jobs]
    dump = write(tmp_path / "dump.json", listed(NODE, *there))
    case = load_case([], [dump], Wanted(may_be_empty=True, selection=PodSelection(namespace=namespace)))
    assert [note for note in case.notes if "suspended" in note] == said


@pytest.mark.parametrize(
    ("metadata", "status", "said"),
    [
        pytest.param({}, "True", ["1 Job has failed, and makes no more pods: shop/etl"], id="failed"),
        pytest.param({}, "False", [], id="has-not-failed"),
        pytest.param({"ownerReferences": [{"apiVersion": "batch/v1", "kind": "CronJob", "name": "etl", "uid": "u",
                                           "controller": True}]}, "True", [], id="one-run-of-many"),
    ],
)  # fmt: skip
def test_jobs_that_have_failed_are_said(metadata: dict[str, Any], status: str, said: list[str], tmp_path: Path) -> None:
    named = {"name": "etl", "namespace": "shop", **metadata}
    failed = {"conditions": [{"type": "Failed", "status": status}]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": named, "spec": {}, "status": failed}
    case = load_case([], [write(tmp_path / "dump.json", listed(NODE, job))], Wanted(may_be_empty=True))
    assert [note for note in case.notes if "has failed" in note] == said


@pytest.mark.parametrize("uid", ["u", ""])
def test_a_cluster_without_pods_is_an_answer_and_manifests_without_are_none(uid: str, tmp_path: Path) -> None:
    known = {**NODE, "metadata": {**NODE["metadata"], **({"uid": uid} if uid else {})}}
    workload = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"template": {"spec": {"containers": [{"name": "c"}]}}},
    }
    dump = write(tmp_path / "dump.json", listed(known, workload))
    if uid:
        assert load_case([], [dump], Wanted()).pods == ()
    else:
        with pytest.raises(UsageError):
            load_case([], [dump], Wanted())


AGENT = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "agent", "namespace": "b"},
    "spec": {
        "selector": {"matchLabels": {"app": "agent"}},
        "template": {"metadata": {"labels": {"app": "agent"}}, "spec": {"containers": [{"name": "c", "image": "c"}]}},
    },
}
TAINTED = {**node("n3"), "spec": {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param(Wanted(own_pods=True), ["n1", "n2"], id="one for each node that gets one"),
        pytest.param(Wanted(own_pods=True, node="n2"), ["n2"], id="the node asked about"),
        pytest.param(Wanted(own_pods=True, node="n3"), [""], id="a node that gets none"),
        pytest.param(Wanted(own_pods=True, replicas=1), [""], id="a number"),
        pytest.param(Wanted(), [""], id="one for all"),
    ],
)
def test_a_daemon_set_of_a_manifest_is_asked_about_node_by_node(
    wanted: Wanted, expected: list[str], tmp_path: Path
) -> None:
    nodes = write(tmp_path / "nodes.json", listed(node("n1"), node("n2"), TAINTED))
    case = load_case([write(tmp_path / "agent.json", AGENT)], [nodes], wanted)
    assert [pinned_node(each.pod) for each in case.pods] == expected
    said = "DaemonSet agent gets a pod on 2 of 3 nodes"
    is_asked = wanted.own_pods and not wanted.replicas
    assert any(note.startswith(said) for note in case.notes) == is_asked


def test_of_very_many_nodes_one_pod_stands_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kexplain.case.case_builder._MOST_PINNED", 2)
    nodes = write(tmp_path / "nodes.json", listed(*(node(f"n{each}") for each in range(3))))
    agent = write(tmp_path / "agent.json", AGENT)
    for name, expected in (("", [""]), ("n1", ["n1"])):
        case = load_case([agent], [nodes], Wanted(own_pods=True, node=name))
        assert [pinned_node(each.pod) for each in case.pods] == expected


def _storage_class(name: str) -> dict[str, Any]:
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}, "provisioner": "p"}


@pytest.mark.parametrize("is_beside_nodes", [True, False])
def test_classes_beside_nodes_are_all_that_there_are(is_beside_nodes: bool, tmp_path: Path) -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "b"},
        "spec": {
            "storageClassName": "standrad",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
    pod = _pod("1")
    pod["metadata"].pop("uid")
    pod["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    stored = {**NODE, "metadata": {**NODE["metadata"], "uid": "n"}}
    known = _storage_class("standard")
    manifests = write(tmp_path / "pod.json", listed(pod, claim, *([] if is_beside_nodes else [known])))
    around = write(tmp_path / "cluster.json", listed(stored, *([known] if is_beside_nodes else [])))
    case = load_case([manifests], [around])
    found = case.cluster.listers.get(StorageClass, "standrad")
    assert (found is None) == is_beside_nodes


def test_what_is_named_needs_no_selector(tmp_path: Path) -> None:
    dump = write(tmp_path / "dump.json", listed(NODE, _pod("1")))
    wanted = Wanted(selection=PodSelection(labels=parse_label_selector("app=web")))
    with pytest.raises(UsageError, match=r"^a is named already$"):
        load_case(["pod/a"], [dump], wanted)


def test_a_cluster_that_has_no_nodes_is_one(tmp_path: Path) -> None:
    """Where a dump has none it may be that they were not read."""
    dump = write(tmp_path / "dump.json", listed(_pod("1")))
    with pytest.raises(UsageError, match="there are no nodes to place pods on"):
        load_case([], [dump])
    known = Inputs().load([dump], is_dump=True)
    known.listed.add(Node)
    case = load_case([], Inputs(known=known))
    assert ([each.pod.name for each in case.pods], case.cluster.node_infos) == (["a"], ())


@pytest.mark.parametrize(
    ("selection", "short"),
    [
        (PodSelection(), ["a/web", "b/web"]),
        (PodSelection(namespace="a"), ["a/web"]),
        (PodSelection(namespace="c"), []),
        (PodSelection(labels=parse_label_selector("app=web")), []),
    ],
    ids=["all", "of-a-namespace", "of-another", "by-a-selector"],
)
def test_workloads_that_lack_pods_belong_to_what_is_pending(
    selection: PodSelection, short: list[str], tmp_path: Path
) -> None:
    def replica_set(home: str) -> dict[str, Any]:
        metadata = {"name": "web", "namespace": home, "uid": home}
        template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c"}]}}
        spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}
        failed = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "no"}
        status = {"replicas": 0, "conditions": [failed]}
        return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec, "status": status}

    namespaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in "abc"]
    dump = write(tmp_path / "dump.json", listed(NODE, *namespaces, *map(replica_set, "ab")))
    case = load_case([], [dump], Wanted(own_pods=True, may_be_empty=True, selection=selection))
    assert [f"{each.namespace}/{each.name}" for each in case.workloads] == short
