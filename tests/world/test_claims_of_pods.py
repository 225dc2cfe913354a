"""Claims that are made for pods go along with them, so that what they held is free for others."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.loading import Inputs, load_contents, pending_case
from kexplain.scheduler.draining import Fate
from kexplain.world.draining import Drain
from kexplain.world.edit_options import edit_of
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World

Json = dict[str, Any]

ZONE = "topology.kubernetes.io/zone"
GPUS = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}
TEMPLATE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "one-gpu", "namespace": "ai"},
    "spec": {"spec": GPUS},
}
CLASS = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}


def _node(number: int, gpus: int = 1) -> list[Json]:
    """A node in a zone of its own, with its devices."""
    name = f"n{number}"
    devices = {
        "driver": "gpu.example",
        "nodeName": name,
        "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": f"gpu-{each}"} for each in range(gpus)],
    }
    labels = {"kubernetes.io/hostname": name, ZONE: f"z{number}"}
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "uid": name, "labels": labels},
            "status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": "110"}},
        },
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": name}, "spec": devices},
    ]


def _owner(kind: str, name: str) -> list[Json]:
    return [{"apiVersion": "v1", "kind": kind, "name": name, "uid": name, "controller": True}]


def _pod(name: str, node: str = "", owner: Sequence[Json] = (), template: str = "one-gpu", **spec: Any) -> list[Json]:
    """A pod with a claim that was made for it; on a node it holds the first device there."""
    claim: Json = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "name": f"{name}-gpu-x",
            "namespace": "ai",
            "uid": f"c-{name}",
            "ownerReferences": _owner("Pod", name),
        },
        "spec": GPUS,
    }
    if node:
        device = {"request": "gpu", "driver": "gpu.example", "pool": node, "device": "gpu-0"}
        claim["status"] = {
            "allocation": {"devices": {"results": [device]}},
            "reservedFor": [{"resource": "pods", "name": name, "uid": name}],
        }
        spec["nodeName"] = node
    references = [{"name": "gpu", "resourceClaimTemplateName": template}]
    metadata = {"name": name, "namespace": "ai", "uid": name, "labels": {"app": name[0]}, "ownerReferences": [*owner]}
    status = {
        "phase": "Running" if node else "Pending",
        "resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": f"{name}-gpu-x"}],
    }
    containers = [{"name": "c", "image": "c:1"}]
    spec = {"containers": containers, "resourceClaims": references, "schedulerName": "default-scheduler", **spec}
    return [{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}, claim]


def _replica_set(name: str, replicas: int) -> Json:
    references = [{"name": "gpu", "resourceClaimTemplateName": "one-gpu"}]
    pod = {"containers": [{"name": "c", "image": "c:1"}], "resourceClaims": references}
    labels = {"app": name[0]}
    template = {"metadata": {"labels": labels}, "spec": pod}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": name, "namespace": "ai", "uid": name}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec}


OWNED = _owner("ReplicaSet", "old")
#: Both devices are taken by pods of one workload, and a pod waits for one.
FULL = [CLASS, TEMPLATE, *_node(0), *_node(1), *_pod("old-a", "n0", OWNED), *_pod("old-b", "n1", OWNED), *_pod("wants")]
KNOWN = [*FULL, _replica_set("old", 2)]


def _contents(objects: Sequence[Json]) -> Contents:
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    return load_contents(Inputs(["-"], stdin=io.BytesIO(dump.encode()), namespace="ai"))


def _followed(objects: Sequence[Json], *edits: tuple[str, str]) -> Followed:
    contents = _contents(objects)
    return World(ReadObjects(contents)).after([edit_of(*each) for each in edits]).settled()


@pytest.mark.parametrize(
    ("objects", "edits", "placed", "waiting"),
    [
        pytest.param(KNOWN, [("scale", "rs/old=1")], {"wants"}, set(), id="scaled"),
        pytest.param(FULL, [("scale", "rs/old=1")], {"wants"}, set(), id="scaled-and-not-read"),
        pytest.param(KNOWN, [("delete_pods", "app=o")], {"old-a", "wants"}, {"old-b"}, id="deleted"),
        pytest.param(FULL, [("delete_pods", "app=o")], {"old-a", "wants"}, {"old-b"}, id="deleted-without-controller"),
        pytest.param(FULL[:-2], [("remove_node", "n0")], set(), {"old-a"}, id="node-removed"),
        pytest.param([*FULL[:-2], *_node(2)], [("remove_node", "n0")], {"old-a"}, set(), id="node-replaced"),
        pytest.param([*FULL[:-2], *_node(2)], [("taint", "n0 x=y:NoExecute")], {"old-a"}, set(), id="turned-out"),
        pytest.param(
            [*KNOWN[:-3], *_node(2), KNOWN[-1]], [("remove_node", "n0")], {"old-a"}, set(), id="made-by-controller"
        ),
        pytest.param(
            [each for each in KNOWN if each is not TEMPLATE],
            [("scale", "rs/old=1")],
            {"wants"},
            set(),
            id="no-template",
        ),
    ],
)
def test_whose_pods_go_gives_devices_back(
    objects: Sequence[Json], edits: Sequence[tuple[str, str]], placed: set[str], waiting: set[str]
) -> None:
    settled = _followed(objects, *edits).settled
    assert {key.partition("/")[2] for key in settled.placed} == placed
    assert {each.pod.name for each in settled.waiting} == waiting


def test_a_drained_pod_takes_its_claim_along() -> None:
    contents = _contents([*FULL[:-2], *_node(2)])
    case = pending_case(contents)
    drain = Drain(CaseBuilder(contents), contents.scheduler, case.cluster)
    (leaver,) = drain.step(["n0"])
    assert (leaver.fate, leaver.decision and leaver.decision.host) == (Fate.EVICTED, "n2")


def test_whoever_evicts_frees_devices_too() -> None:
    high = _pod("wants", priority=9)
    high[0]["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "8"}}
    busy = [*_pod("old-a", "n0", OWNED), *_pod("old-b", "n1", OWNED)]
    for each in busy[::2]:
        each["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "5"}}
    settled = _followed([CLASS, TEMPLATE, *_node(0), *_node(1, gpus=2), *busy, *high]).settled
    assert ([pod.name for pod in settled.evicted], dict(settled.placed)) == (["old-b"], {"ai/wants": "n1"})


def _with_volume(name: str, node: str = "", **owner: Any) -> list[Json]:
    """A pod with a generic ephemeral volume, whose claim is bound to a volume in the zone of its node."""
    pod = _pod(name, node, **owner)[0]
    storage: Json = {"accessModes": ["ReadWriteOnce"], "storageClassName": "later"}
    template = {"spec": {**storage, "resources": {"requests": {"storage": "1Gi"}}}}
    del pod["spec"]["resourceClaims"]
    pod["spec"]["volumes"] = [{"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}}]
    reference = {"name": f"{name}-scratch", "namespace": "ai", "uid": f"c-{name}"}
    zone = [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": [f"z{node[1:]}"]}]}]
    volume = {
        **storage,
        "capacity": {"storage": "1Gi"},
        "claimRef": reference,
        "csi": {"driver": "csi.example", "volumeHandle": "v"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": zone}},
    }
    metadata = {
        **reference,
        "annotations": {"pv.kubernetes.io/bind-completed": "yes"},
        "ownerReferences": _owner("Pod", name),
    }
    spec = {**template["spec"], "volumeName": "v"}
    return [
        pod,
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": metadata,
            "spec": spec,
            "status": {"phase": "Bound"},
        },
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": volume},
    ]


@pytest.mark.parametrize("edit", [("remove_node", "n0"), ("taint", "n0 x=y:NoExecute"), ("delete_pods", "app=o")])
def test_a_volume_of_its_own_does_not_keep_what_comes_instead_in_its_zone(edit: tuple[str, str]) -> None:
    later = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "later"},
        "provisioner": "csi.example",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    objects = [later, *_node(0), *_node(1), *_with_volume("old-a", "n0", owner=OWNED)]
    settled = _followed(objects, ("cordon", "n0"), edit).settled
    assert dict(settled.placed) == {"ai/old-a": "n1"}


@pytest.mark.parametrize("used", [None, {"count/resourceclaims.resource.k8s.io": "1", "pods": "1"}])
@pytest.mark.parametrize("known", [True, False])
def test_what_goes_gives_its_share_of_a_quota_back(known: bool, used: Json | None) -> None:
    hard = {"count/resourceclaims.resource.k8s.io": "1", "pods": "1"}
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": "ai"},
        "spec": {"hard": hard},
        "status": {"hard": hard, "used": used} if used else {},
    }
    objects = [CLASS, TEMPLATE, quota, *_node(0, gpus=2), *_pod("old-a", "n0", OWNED)]
    objects += [_replica_set("old", 1)] if known else []
    assert set(_followed(objects, ("delete_pods", "app=o")).settled.placed) == {"ai/old-a"}
    assert not _followed(objects, ("scale", "rs/old=2")).settled.placed
