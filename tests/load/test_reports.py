from __future__ import annotations

from typing import Any

import pytest

from kexplain.load.reports import reports
from kexplain.objects.meta import ObjectMeta


def conditions(*of: tuple[str, str, str]) -> dict[str, Any]:
    return {"conditions": [{"type": each, "status": holds, "message": message} for each, holds, message in of]}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"status": conditions(("Ready", "True", "fine"))}, ""),
        ({"status": conditions(("Ready", "False", "no disk"))}, "no disk"),
        ({"status": conditions(("Degraded", "True", "two replicas are gone"))}, "two replicas are gone"),
        ({"status": conditions(("Degraded", "False", ""), ("Paused", "False", ""))}, ""),
        ({"status": {"syncStatus": "Failed", "lastSyncError": "cannot allocate memory"}}, "cannot allocate memory"),
        ({"status": {"robustness": "faulted"}}, "robustness is faulted"),
        ({"status": {"phase": "Failed", "message": "no such image"}}, "no such image"),
        ({"status": "odd"}, ""),
    ],
)
def test_what_has_failed_is_read_from_the_status(fields: dict[str, Any], says: str) -> None:
    manifest = {"metadata": {"name": "w-1"}, **fields}
    assert [each.said for each in reports("example.com/v1", "Agent", manifest, ObjectMeta(name="w-1"))] == (
        [says] if says else []
    )


@pytest.mark.parametrize(
    ("username", "status", "waits"),
    [
        ("system:bootstrap:abcdef", {}, True),
        ("system:bootstrap:abcdef", {"conditions": [{"type": "Approved"}]}, False),
        ("system:node:w-1", {}, False),
    ],
)
def test_a_kubelet_that_is_to_join_waits_for_its_certificate(
    username: str, status: dict[str, Any], waits: bool
) -> None:
    spec = {"signerName": "kubernetes.io/kube-apiserver-client-kubelet", "username": username}
    manifest = {"metadata": {"name": "csr-1"}, "spec": spec, "status": status}
    assert bool(reports("certificates.k8s.io/v1", "CertificateSigningRequest", manifest, ObjectMeta())) == waits
