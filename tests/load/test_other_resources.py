"""What is read of objects of other projects, and which of them are kept beside what they stand for."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.load.other_resources import read_as_others
from kexplain.objects.other_resources import OtherResource

META = {"name": "a", "namespace": "n", "uid": "u"}
WAITS = {"phase": "Pending", "message": "waits"}


def read(**manifest: Any) -> OtherResource | None:
    found = read_as_others("example.com/v1", "Run", {"metadata": META, **manifest}, with_status=True)
    return next((each for each in found if isinstance(each, OtherResource)), None)


def condition(kind: str, status: str, message: str = "words") -> dict[str, Any]:
    return {"conditions": [{"type": kind, "status": status, "message": message}]}


@pytest.mark.parametrize(
    ("status", "message"),
    [
        pytest.param(condition("Ready", "False"), "words", id="not-ready"),
        pytest.param(condition("VolumeReady", "False"), "words", id="a-part-is-not-ready"),
        pytest.param(condition("Ready", "True"), "", id="ready"),
        pytest.param(condition("Ready", "Unknown"), "", id="not-known-yet"),
        pytest.param(condition("Degraded", "True"), "words", id="degraded"),
        pytest.param(condition("Degraded", "False"), "", id="not-degraded"),
        pytest.param(condition("Succeeded", "Unknown"), "words", id="goes-on"),
        pytest.param(condition("Else", "False"), "", id="nobody-knows"),
        pytest.param({"syncStatus": "Failed", "lastSyncError": "no memory"}, "no memory", id="error"),
        pytest.param({"robustness": "faulted"}, "robustness is faulted", id="state"),
        pytest.param({"phase": "Failed", "message": "no such image"}, "no such image", id="phase"),
        pytest.param(WAITS, "waits", id="waits"),
        pytest.param({"applicationState": {"state": "PENDING", "errorMessage": "waits"}}, "waits", id="of-spark"),
        pytest.param({"phase": "Running", "message": "waits"}, "", id="runs"),
        pytest.param("odd", "", id="odd"),
        pytest.param(None, "", id="none"),
    ],
)
def test_what_its_status_says_is_wrong(status: Any, message: str) -> None:
    found = read(status=status)
    assert [each.message for each in found.complaints][:1] == [message] if found else not message


def test_who_has_to_let_go() -> None:
    held = {**META, "finalizers": ["x/y", "z"], "deletionTimestamp": "t"}
    found = read(metadata=held)
    assert found
    assert found.finalizers == ("x/y", "z")
    assert read(metadata={**META, "finalizers": ["x"]}) is None
    assert read(metadata={**held, "finalizers": "odd"}) is None


def test_what_it_is_for_makes_and_names() -> None:
    spec = {"targetRef": {"kind": "Deployment", "name": "web"}, "secretName": "tls"}
    found = read(spec=spec, status={"holders": [{"by": "n/b"}, "in words"]})
    assert found
    assert found.target == ("Deployment", "n", "web")
    assert (found.results, found.mentions) == (("tls",), ("n/b",))


@pytest.mark.parametrize(
    ("manifest", "with_status", "is_kept"),
    [
        pytest.param({"metadata": META, "status": WAITS}, True, True, id="says-something"),
        pytest.param({"metadata": META, "status": WAITS}, False, False, id="nobody-asks"),
        pytest.param({"metadata": META}, True, False, id="says-nothing"),
        pytest.param({"metadata": META, "spec": {"targetRef": {"name": "web"}}}, True, True, id="points-at-something"),
        pytest.param({"metadata": {"name": "a"}, "spec": {"targetRef": {"name": "web"}}}, True, False, id="manifest"),
        pytest.param({"metadata": {"name": "a"}, "status": WAITS}, True, True, id="without-namespace"),
        pytest.param({"metadata": {}, "status": WAITS}, True, False, id="without-name"),
        pytest.param({"metadata": "odd", "status": WAITS}, True, False, id="odd"),
    ],
)
def test_what_is_kept(manifest: dict[str, Any], *, with_status: bool, is_kept: bool) -> None:
    found = read_as_others("example.com/v1", "Run", manifest, with_status=with_status)
    assert [each.kind for each in found] == (["Run"] if is_kept else [])


def test_workloads_come_first() -> None:
    pod = {"spec": {"containers": [{"name": "c", "image": "i"}]}}
    manifest = {"metadata": META, "spec": {"replicas": 2, "template": pod}, "status": WAITS}
    found = read_as_others("example.com/v1", "Run", manifest, with_status=True)
    assert [type(each).__name__ for each in found] == ["CustomWorkload", "OtherResource"]


@pytest.mark.parametrize(
    ("username", "status", "waits"),
    [
        ("system:bootstrap:abcdef", {}, True),
        ("system:bootstrap:abcdef", {"conditions": [{"type": "Approved"}]}, False),
        ("system:node:w-1", {}, False),
    ],
)
def test_a_kubelet_that_is_to_join_waits_for_its_certificate(
    username: str, status: dict[str, Any], *, waits: bool
) -> None:
    spec = {"signerName": "kubernetes.io/kube-apiserver-client-kubelet", "username": username}
    manifest = {"metadata": {"name": "csr-1"}, "spec": spec, "status": status}
    found = read_as_others("certificates.k8s.io/v1", "CertificateSigningRequest", manifest, with_status=True)
    assert [each.failure for each in found if isinstance(each, OtherResource)] == ["pending"] * waits
