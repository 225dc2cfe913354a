"""A pod of a set whose volume was on a node that is gone gets a new one with its claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.remedies.situations import Json, node, obj, of_kind, template
from tests.remedies.test_scaled_down import helping

TEXT = (
    "if n9 does not come back, give up the data there: delete claim data-db-0 and pod db-0, which StatefulSet db makes "
    "anew"
)


def local(gone: str = "n9", provisioner: str = "rancher.io/local-path", kind: str = "StatefulSet") -> list[Json]:
    """A pod without a node whose claim has a volume on one node."""
    expression = {"key": "kubernetes.io/hostname", "operator": "In", "values": [gone]}
    affinity = {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    wants: Json = {"accessModes": ["ReadWriteOnce"], "storageClassName": "local"}
    wants["resources"] = {"requests": {"storage": "1Gi"}}
    held: dict[str, Any] = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nodeAffinity": affinity}
    held |= {"storageClassName": "local", "local": {"path": "/d"}}
    held["claimRef"] = {"namespace": "shop", "name": "data-db-0", "uid": "persistentvolumeclaim-data-db-0"}
    bound = {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}]
    templates = [{"metadata": {"name": "data"}, "spec": wants}] if kind == "StatefulSet" else None
    asking = template("1") if templates else template("1", volumes=volumes)
    made, *pods = of_kind(kind, "db", asking, [""], volumeClaimTemplates=templates)
    pods[0]["spec"]["volumes"] = volumes
    return [
        node("n1"), made, *pods,
        obj("storage.k8s.io/v1", "StorageClass", "local", "", provisioner=provisioner,
            volumeBindingMode="WaitForFirstConsumer"),
        obj("v1", "PersistentVolume", "pv", "", spec=held, status={"phase": "Bound"}),
        obj("v1", "PersistentVolumeClaim", "data-db-0", spec={**wants, "volumeName": "pv"}, status={"phase": "Bound"},
            meta=bound),
    ]  # fmt: skip


def test_the_claim_goes_with_the_pod(tmp_path: Path) -> None:
    (found,) = [each for each in helping(tmp_path / "cluster.json", local()) if each.action == "make-anew"]
    assert (found.text, found.nodes, found.tried) == (TEXT, ("n1",), True)
    assert found.commands == ("kubectl delete pvc data-db-0 -n shop --wait=false", "kubectl delete pod db-0 -n shop")
    assert [(each.verb, each.target.kind) for each in found.changes] == [
        ("delete", "PersistentVolumeClaim"),
        ("delete", "Pod"),
    ]


@pytest.mark.parametrize(
    "items",
    [
        pytest.param(local(provisioner="kubernetes.io/no-provisioner"), id="nobody-makes-another-volume"),
        pytest.param([*local(), node("n9", taint="full")], id="the-node-is-there"),
        pytest.param(local(kind="ReplicaSet"), id="nobody-makes-another-claim"),
    ],
)
def test_what_would_not_come_back_stays(items: list[Json], tmp_path: Path) -> None:
    assert "make-anew" not in {each.action for each in helping(tmp_path / "cluster.json", items)}


@pytest.mark.parametrize(("kind", "is_offered"), [("StatefulSet", False), ("ReplicaSet", True)])
def test_an_empty_volume_is_no_way_out_where_a_set_makes_the_claims(
    kind: str, *, is_offered: bool, tmp_path: Path
) -> None:
    found = helping(tmp_path / "cluster.json", local(kind=kind))
    assert ("drop-volume" in {each.action for each in found}) is is_offered
