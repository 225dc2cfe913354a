"""What kubelets say of what a pod needs, and who makes that."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.bound.phrases import kubelet_says
from kexplain.cluster import Cluster
from tests.bound.made import made, why
from tests.queues.made import read


@pytest.mark.parametrize(
    ("of", "text", "statement"),
    [
        ("container", 'secret "key" not found', "object-missing"),
        ("mount", 'MountVolume.SetUp failed for volume "v" : configmap "a" not found', "mount-missing"),
        ("mount", "hostPath type check failed: /run/x is not a socket file", "host-path"),
        ("mount", "driver name d.io not found in the list of registered CSI drivers", "driver-not-registered"),
        ("sandbox", 'no runtime for "kata" is configured', "no-handler"),
        ("sandbox", 'secret "key" not found', ""),
        ("container", "something else", ""),
    ],
)
def test_phrases(of: str, text: str, statement: str) -> None:
    found = kubelet_says(of, text, container="c")
    assert (found.name if found else "") == statement


ENV = {
    "apiVersion": "external-secrets.io/v1",
    "kind": "ExternalSecret",
    "metadata": {"name": "env", "namespace": "a", "uid": "u"},
    "spec": {"target": {"name": "settings"}},
    "status": {"conditions": [{"type": "Ready", "status": "False", "message": "access denied"}]},
}
READY = {"conditions": [{"type": "Ready", "status": "True", "message": "synced"}]}


@pytest.mark.parametrize(
    ("resource", "message", "says"),
    [
        pytest.param(ENV, 'secret "settings" not found', "which makes it, says: access denied", id="named"),
        pytest.param(ENV, "couldn't find key k in Secret a/env", "which makes it, says: access denied", id="same-name"),
        pytest.param(ENV, 'secret "other" not found', "", id="another"),
        pytest.param({**ENV, "status": READY}, 'secret "settings" not found', "", id="nothing-amiss"),
        pytest.param({**ENV, "metadata": {"name": "env", "namespace": "b"}}, "secret \"env\" not found", "", id="away"),
        pytest.param(ENV, "failed to sync", "", id="nothing-missing"),
    ],
)  # fmt: skip
def test_what_makes_what_is_missing(resource: dict[str, Any], message: str, says: str) -> None:
    waiting = {"name": "c", "state": {"waiting": {"reason": "CreateContainerConfigError", "message": message}}}
    objects = read(
        {**resource, "spec": {"target": {"name": "settings"}}, "metadata": {"uid": "u", **resource["metadata"]}}
    )
    found = why(made({"phase": "Pending", "containerStatuses": [waiting]}), around=Cluster.of([], [], objects))
    assert found is not None
    assert (says in found.text) if says else ("which makes it" not in found.text)
