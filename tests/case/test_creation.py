import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import Wanted, explain, load_case
from kexplain.case.creation import PodCreation
from kexplain.render.pages.workloads import workload_verdict

CLAIM = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "10Gi"}}}
SET = {
    "apiVersion": "apps/v1",
    "kind": "StatefulSet",
    "metadata": {"name": "db", "namespace": "shop"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "db"}},
        "template": {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": [{"name": "c", "image": "c:1"}]}},
        "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": CLAIM}],
    },
}
ROOM = {"cpu": "8", "memory": "8Gi", "pods": "110"}


def _object(version: str, kind: str, name: str, **fields: Any) -> dict[str, Any]:
    namespace = {} if kind in ("Node", "StorageClass") else {"namespace": "shop"}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "uid": name, **namespace}, **fields}


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        pytest.param(
            _object(
                "v1", "LimitRange", "l", spec={"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "5Gi"}}]}
            ),
            "10Gi is more than the 5Gi of storage that LimitRange l allows",
            id="limit-range",
        ),
        pytest.param(
            _object("v1", "ResourceQuota", "q", spec={"hard": {"persistentvolumeclaims": "0"}}),
            "ResourceQuota q allows 0 of persistentvolumeclaims: 0 is used, and this asks for 1",
            id="quota",
        ),
    ],
)
def test_a_pod_whose_claim_is_refused_is_not_created(rule: dict[str, Any], why: str, tmp_path: Path) -> None:
    """It is the claim that is at fault; what nodes make of the pod is said as if it had it."""
    disk = {"provisioner": "csi.example", "volumeBindingMode": "WaitForFirstConsumer"}
    cluster = [
        _object("v1", "Node", "n1", status={"allocatable": ROOM}),
        _object("storage.k8s.io/v1", "StorageClass", "disk", **disk),
        rule,
    ]
    state, manifest = tmp_path / "state.json", tmp_path / "db.json"
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": cluster}))
    manifest.write_text(json.dumps(SET))
    report = explain(load_case([str(manifest)], [str(state)], Wanted(replicas=2)), seeks_help=False)
    (workload,) = report.workloads
    assert workload_verdict(workload) == "shop/db (StatefulSet): an API server refuses the claims of 2 of 2 pods"
    assert [each.text.partition("claim data-db-0: ")[2] for each in workload.messages] == [why]
    (pod,) = report.pods
    assert pod.choice is not None
    assert any("refuses the claim of this pod" in note for note in pod.notes)


def test_what_is_refused_is_named_with_its_field(tmp_path: Path) -> None:
    """What is not there names itself."""
    limits = [{"type": "Container", "max": {"cpu": "1"}}]
    cluster = [
        _object("v1", "Node", "n1", status={"allocatable": ROOM}),
        _object("v1", "LimitRange", "l", spec={"limits": limits}),
        _object("scheduling.k8s.io/v1", "PriorityClass", "high", value=1),
    ]
    container = {"name": "c", "image": "c:1", "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}}
    pod = _object("v1", "Pod", "web", spec={"containers": [container], "priorityClassName": "gone"})
    del pod["metadata"]["uid"]
    state, manifest = tmp_path / "state.json", tmp_path / "web.json"
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": cluster}))
    manifest.write_text(json.dumps(pod))
    case = load_case([str(manifest)], [str(state)])
    assert case.builder is not None
    refusal = PodCreation(case.builder).refusal(case.pods[0].pod, ())
    assert refusal.split("; ")[0] == 'PriorityClass "gone" does not exist'
    assert "spec.containers[0].resources.limits.cpu 2 is more than the 1 of cpu" in refusal
