"""Claims that wait for whoever makes their volumes."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.bound.provisioning import not_provisioned, said_of_claims
from kexplain.cluster import Listers
from kexplain.diagnosis.records import Kind
from tests.bound.made import event, made
from tests.queues.made import read

CLASS = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "disk"}
WAITING = made(
    {"phase": "Pending"}, nodeName=None, volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]
)


def _listers(selected: str = "", volume: str = "") -> Listers:
    annotations = {"volume.kubernetes.io/selected-node": selected} if selected else {}
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "a", "annotations": annotations},
        "spec": {"storageClassName": "fast", "volumeName": volume},
        "status": {"phase": "Pending"},
    }
    return Listers.of(read(CLASS, claim))


def _said(reason: str) -> Any:
    about = {"kind": "PersistentVolumeClaim", "namespace": "a", "name": "data"}
    return event(
        reason,
        "rpc error: code = ResourceExhausted desc = no more disks",
        involvedObject=about,
        source={"component": "provisioner-0"},
    )


@pytest.mark.parametrize(
    ("selected", "reasons", "says"),
    [
        ("n1", [], "disk has not made the volume of claim data on n1 yet"),
        (
            "n1",
            ["ExternalProvisioning", "ProvisioningFailed"],
            "disk cannot make the volume of claim data on n1: no more disks",
        ),
        ("", ["ProvisioningFailed"], "disk cannot make the volume of claim data: no more disks"),
        ("", [], ""),
    ],
)
def test_who_is_waited_for(selected: str, reasons: list[str], says: str) -> None:
    found = not_provisioned(WAITING, map(_said, reasons), _listers(selected))
    assert (found.text if found else "") == says
    if found is not None:
        assert (found.kind, found.hold.by) == (Kind.CLAIM_NOT_PROVISIONED, "disk")


def test_a_bound_claim_waits_for_nobody() -> None:
    assert not_provisioned(WAITING, [_said("ProvisioningFailed")], _listers("n1", "v1")) is None


def test_what_is_said_of_a_claim_is_quoted() -> None:
    said = said_of_claims(WAITING, [_said("ProvisioningFailed")], _listers())
    assert said == ("the volume of claim a/data cannot be made: no more disks", "")
    said = said_of_claims(WAITING, [_said("ExternalProvisioning")], _listers())
    assert said == ("", "provisioner-0 says of claim data: rpc error: code = ResourceExhausted desc = no more disks")
    assert said_of_claims(WAITING, [event("ProvisioningFailed")], _listers()) == ("", "")
