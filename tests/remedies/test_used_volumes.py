"""A volume that one node at a time can have, wanted on another, by every name of who wants it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import explain, load_case
from kexplain.case.loading import Inputs, Wanted
from kexplain.case.references import Reference
from kexplain.objects.apps import Deployment
from kexplain.objects.core import Pod
from kexplain.objects.meta import ObjectMeta, OwnerReference
from kexplain.remedies.lost_nodes import letting_go
from kexplain.remedies.records import Rank
from kexplain.remedies.used_volumes import freeing
from kexplain.report.records import Report
from tests.factories import cluster, controlled_by
from tests.factories import node as made_node
from tests.factories import pod as made_pod
from tests.storage_factories import claim as made_claim
from tests.storage_factories import uses

META = {"namespace": "a", "creationTimestamp": "2026-01-01T00:00:00Z"}


def obj(kind: str, name: str, version: str = "v1", **fields: Any) -> dict[str, Any]:
    metadata = {**META, "name": name, "uid": f"{kind}-{name}", **fields.pop("metadata", {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **fields}


def owned(kind: str, name: str) -> list[dict[str, Any]]:
    return [{"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": f"{kind}-{name}", "controller": True}]


def pod(name: str, node: str, phase: str, owner: tuple[str, str], **metadata: Any) -> dict[str, Any]:
    spec = {
        "nodeName": node,
        "containers": [{"name": "c"}],
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
    }
    status = {"phase": phase, "conditions": [{"type": "Ready", "status": str(phase == "Running")}]}
    labels = {"pod-template-hash": owner[1].rpartition("-")[2]} if owner[0] == "ReplicaSet" else {}
    metadata = {"labels": labels, "ownerReferences": owned(*owner), **metadata}
    return obj("Pod", name, metadata=metadata, spec=spec, status=status)


def node(name: str, *, is_lost: bool = False) -> dict[str, Any]:
    taints = [{"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"}] if is_lost else []
    status = {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}
    status["conditions"] = [{"type": "Ready", "status": "Unknown" if is_lost else "True"}]  # type: ignore[assignment]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name},
        "spec": {"taints": taints},
        "status": status,
    }


def claim(mode: str) -> list[dict[str, Any]]:
    spec = {"accessModes": [mode], "volumeName": "v", "resources": {"requests": {"storage": "1Gi"}}}
    volume = {"accessModes": [mode], "capacity": {"storage": "1Gi"}, "csi": {"driver": "d", "volumeHandle": "h"}}
    metadata = {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    return [
        obj("PersistentVolumeClaim", "data", metadata=metadata, spec=spec, status={"phase": "Bound"}),
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": volume},
    ]


def deployment(*pods: dict[str, Any], mode: str = "ReadWriteOnce", lost: str = "") -> list[dict[str, Any]]:
    """A Deployment in the middle of a rollout, with these pods of its two ReplicaSets."""
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c"}]}}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    sets = [
        obj("ReplicaSet", f"web-{each}", "apps/v1", metadata={"ownerReferences": owned("Deployment", "web")}, spec=spec)
        for each in ("old1", "new1")
    ]
    nodes = [node(name, is_lost=name == lost) for name in ("n1", "n2")]
    return [*nodes, obj("Deployment", "web", "apps/v1", spec=spec), *sets, *claim(mode), *pods]


OLD = pod("web-old1-x", "n1", "Running", ("ReplicaSet", "web-old1"))
LEAVING = pod("web-old1-x", "n1", "Running", ("ReplicaSet", "web-old1"), deletionTimestamp="2026-01-01T00:00:00Z")
NEW = pod("web-new1-y", "n2", "Pending", ("ReplicaSet", "web-new1"))


def reported(tmp_path: Path, objects: list[dict[str, Any]], *names: str) -> Report:
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    references = [Reference(*name.split("/")) for name in names]
    return explain(load_case(references, Inputs([str(dump)], namespace="a"), Wanted(own_pods=True)))


def test_a_rolling_update_that_waits_for_its_own_volume(tmp_path: Path) -> None:
    (found,) = reported(tmp_path, deployment(OLD, NEW), "Deployment/web").workloads
    assert [each.name for each in found.stopped] == ["web-new1-y"]
    assert found.diagnosis is not None
    assert "the earlier pod web-old1-x on n1 still has it" in found.diagnosis.text
    assert not found.is_complete
    assert [each.action for each in found.remedies] == ["change-rollout"]
    assert found.remedies[0].changes[0].operations == [
        {"op": "add", "path": "/spec/strategy", "value": {"type": "Recreate"}}
    ]


def test_the_pod_by_its_own_name(tmp_path: Path) -> None:
    (found,) = reported(tmp_path, deployment(OLD, NEW), "Pod/web-new1-y").pods
    assert found.held is not None
    assert "still has it" in found.held.text
    assert found.remedies[0].action == "change-rollout"


def test_a_volume_for_several_nodes_is_no_matter(tmp_path: Path) -> None:
    (found,) = reported(tmp_path, deployment(OLD, NEW, mode="ReadWriteMany"), "Deployment/web").workloads
    assert found.stopped == ()


def test_an_old_pod_on_a_lost_node_is_let_go(tmp_path: Path) -> None:
    (found,) = reported(tmp_path, deployment(LEAVING, NEW, lost="n1"), "Deployment/web").workloads
    assert found.remedies[0].commands == (
        "kubectl taint node n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
    )


def stateful_set(*pods: dict[str, Any], lost: str = "n1") -> list[dict[str, Any]]:
    template = {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": [{"name": "c"}]}}
    spec = {"replicas": 1, "serviceName": "db", "selector": {"matchLabels": {"app": "db"}}, "template": template}
    return [node("n1", is_lost=lost == "n1"), node("n2"), obj("StatefulSet", "db", "apps/v1", spec=spec), *pods]


GONE = pod("db-0", "n1", "Running", ("StatefulSet", "db"), deletionTimestamp="2026-01-01T00:00:00Z")


@pytest.mark.parametrize("names", [("StatefulSet/db",), ()])
def test_a_stateful_set_whose_pod_nobody_ends(tmp_path: Path, names: tuple[str, ...]) -> None:
    (found,) = reported(tmp_path, stateful_set(GONE), *names).workloads
    assert found.diagnosis is not None
    assert found.diagnosis.text.startswith("db-0 is still being deleted: its node n1 is unreachable")
    assert [each.object.name for each in found.diagnosis.chain] == ["db-0", "n1"]
    assert [each.text.split()[0] for each in found.remedies] == ["taint", "delete", "repair", "force"]


def test_a_pod_on_its_way_out_of_a_node_that_is_there_is_waited_for(tmp_path: Path) -> None:
    (found,) = reported(tmp_path, stateful_set(GONE, lost=""), "StatefulSet/db").workloads
    assert found.diagnosis is not None
    assert found.diagnosis.text == "db-0 is being deleted, and made again once it is gone"
    assert found.remedies == ()


def test_a_rollout_that_takes_too_long_is_not_well(tmp_path: Path) -> None:
    objects = deployment(OLD)
    message = "ReplicaSet has timed out progressing."
    condition = {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": message}
    objects[2]["status"] = {"conditions": [condition]}
    (found,) = reported(tmp_path, objects, "Deployment/web").workloads
    assert (found.stalled, found.is_complete) == (message, False)


CLAIM = made_claim(volume="pv")
NEW_SET, OLD_SET = controlled_by("ReplicaSet", "web-new1"), controlled_by("ReplicaSet", "web-old1")
WEB = Deployment(metadata=ObjectMeta(name="web", namespace="default"))
DELETE = "delete pod old, so that its volume is detached from n1"
RECREATE = (
    "set strategy Recreate in Deployment web: a rolling update keeps old until the new pod is ready, which needs its "
    "volume"
)


def user(name: str, on: str, **more: Any) -> Pod:
    owner: OwnerReference | None = more.get("owner")
    labels = {"pod-template-hash": owner.name.rpartition("-")[2]} if owner and owner.name else {}
    return made_pod(name, node=on, volumes=uses("data"), phase="Pending", labels=labels, **more)


@pytest.mark.parametrize(
    ("waiting", "other", "others", "expected"),
    [
        pytest.param(user("new", "n2"), user("old", "n1"), [], [("move-pods", DELETE)], id="of-nobody"),
        pytest.param(user("new", "n2"), user("old", "n1", owner=OLD_SET), [WEB],
                     [("move-pods", f"{DELETE}, and see that it is not made again")], id="of-another-workload"),
        pytest.param(user("new", "n2", owner=NEW_SET), user("old", "n1", owner=OLD_SET), [WEB],
                     [("change-rollout", RECREATE)], id="of-one-deployment"),
        pytest.param(user("new", "n2", owner=NEW_SET), user("old", "n1", owner=OLD_SET), [],
                     [("move-pods", f"{DELETE}, and see that it is not made again")],
                     id="of-a-deployment-that-was-not-read"),
        pytest.param(user("new", "n2", owner=NEW_SET), user("old", "n1", owner=OLD_SET, deleting=True), [],
                     [("move-pods", DELETE)], id="on-its-way-out"),
        pytest.param(user("new", "n1"), user("old", "n1"), [WEB], [], id="on-one-node"),
    ],
)  # fmt: skip
def test_what_frees_a_volume(
    waiting: Pod, other: Pod, others: list[Deployment], expected: list[tuple[str, str]]
) -> None:
    around = cluster([made_node("n1"), made_node("n2")], [other, waiting], CLAIM, *others)
    found = [*freeing(waiting, around)]
    assert [(each.action, each.text) for each in found] == expected
    ranks = {"change-rollout": Rank.MENDS, "move-pods": Rank.MOVES}
    assert [each.rank for each in found] == [ranks[each.action] for each in found]
    if found and found[0].action == "move-pods":
        assert found[-1].commands == ("kubectl delete pod old -n default",)


def test_a_rollout_is_changed_by_a_patch() -> None:
    around = cluster([made_node("n1"), made_node("n2")], [user("old", "n1", owner=OLD_SET)], CLAIM, WEB)
    found = next(freeing(user("new", "n2", owner=NEW_SET), around))
    (change,) = found.changes
    assert (change.target.api_version, change.target.kind) == ("apps/v1", "Deployment")
    assert (change.target.namespace, change.target.name) == ("default", "web")
    (line,) = found.commands
    assert line.startswith("kubectl patch deployment web --namespace=default --type json")
    assert "Recreate" in line


def test_a_volume_on_a_lost_node_is_let_go() -> None:
    lost = made_node("n1", taints=["node.kubernetes.io/unreachable:NoSchedule"])
    running, leaving = user("old", "n1"), user("old", "n1", deleting=True)
    around = [cluster([lost, made_node("n2")], [each], CLAIM) for each in (leaving, running)]
    texts = [[each.text for each in freeing(user("new", "n2"), each)] for each in around]
    assert texts == [[each.text for each in letting_go(leaving, None)], [DELETE]]


@pytest.mark.parametrize(
    ("on", "metadata", "text", "line"),
    [
        (
            "n1",
            {},
            "delete VolumeAttachment at, once n1 has unmounted the volume",
            "kubectl delete volumeattachment at",
        ),
        ("n9", {}, "delete VolumeAttachment at, as n9 is gone", "kubectl delete volumeattachment at"),
        (
            "n1",
            {"deletionTimestamp": "2026-01-01T00:00:00Z"},
            "see why disk does not detach the volume from n1: VolumeAttachment at is being deleted",
            "kubectl describe volumeattachment at",
        ),
    ],
)
def test_an_attachment_that_is_left_over(
    tmp_path: Path, on: str, metadata: dict[str, str], text: str, line: str
) -> None:
    attachment = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "VolumeAttachment",
        "metadata": {"name": "at", **metadata},
        "spec": {"attacher": "disk", "nodeName": on, "source": {"persistentVolumeName": "v"}},
        "status": {"attached": True},
    }
    (found,) = reported(tmp_path, [*deployment(NEW), attachment], "Deployment/web").workloads
    assert [(each.text, each.commands) for each in found.remedies] == [(text, (line,))]


@pytest.mark.parametrize(("room", "expected"), [("4", "taint"), ("1", "repair")])
def test_letting_go_of_a_pod_is_followed_to_where_the_next_one_lands(tmp_path: Path, room: str, expected: str) -> None:
    containers = [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]
    objects = stateful_set({**GONE, "spec": {"nodeName": "n1", "containers": containers}})
    objects[1]["status"]["allocatable"]["cpu"] = room
    objects[2]["spec"]["template"]["spec"] = {"containers": containers}
    (found,) = reported(tmp_path, objects, "StatefulSet/db").workloads
    assert (found.missing, found.leaving) == (1, 1)
    assert found.remedies[0].text.startswith(expected)
    for each in found.remedies:
        assert each.serves == ((1 if expected == "taint" else 0) if each.changes else None)
        assert ("; 1 pod then waits for a node: " in each.text) is (each.serves == 0)
