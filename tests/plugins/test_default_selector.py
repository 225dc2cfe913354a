from __future__ import annotations

import pytest

from kexplain.cluster import Listers
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.plugins.default_selector import default_selector
from tests.factories import (
    controlled_by,
    namespace,
    pod,
    replica_set,
    replication_controller,
    selector,
    service,
    stateful_set,
)

LABELS = {"app": "a", "tier": "web"}
BY_RS, BY_SS = controlled_by("ReplicaSet", "x"), controlled_by("StatefulSet", "x")
BY_RC = controlled_by("ReplicationController", "x", api_version="v1")


@pytest.mark.parametrize(
    ("asking", "objects", "text"),
    [
        pytest.param(pod(labels=LABELS), [], "<all>", id="nobody"),
        pytest.param(pod(labels=LABELS), [service("s", {"app": "a"})], "app=a", id="service"),
        pytest.param(
            pod(labels=LABELS), [service("s", {"app": "a"}), service("t", {"tier": "web"})], "app=a,tier=web",
            id="all-its-services",
        ),
        pytest.param(pod(labels=LABELS), [service("s", {"app": "b"})], "<all>", id="service-of-others"),
        pytest.param(pod(labels=LABELS), [service("s", {"app": "a"}, "other")], "<all>", id="another-namespace"),
        pytest.param(pod(labels=LABELS), [service("s", None)], "<all>", id="service-without-selector"),
        pytest.param(pod(labels=LABELS), [service("s", {})], "<all>", id="service-with-empty-selector"),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("x", selector({"app": "a"}))], "app=a", id="replica-set",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("x", selector({"app": "other"}))], "app=other",
            id="owner-need-not-select-it",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("x", selector(None, ("app", "Exists", ())))], "app",
            id="replica-set-with-expression",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [service("s", {"tier": "web"}), replica_set("x", selector({"app": "a"}))],
            "tier=web,app=a", id="service-and-replica-set",
        ),
        pytest.param(pod(labels=LABELS, owner=BY_RS), [], "<all>", id="owner-not-known"),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("x", selector({"app": "a"}), "other")], "<all>",
            id="owner-in-another-namespace",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("y", selector({"app": "a"}))], "<all>", id="another-name",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("x", selector(None, ("app", "In", ())))], "<all>",
            id="owner-with-malformed-selector",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RS), [replica_set("x", None)], "<all>", id="owner-without-selector",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_SS), [stateful_set("x", selector({"app": "a"}))], "app=a", id="stateful-set",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_SS), [replica_set("x", selector({"app": "a"}))], "<all>", id="another-kind",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RC), [replication_controller("x", {"app": "a"})], "app=a",
            id="replication-controller",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RC), [service("s", {"tier": "web"}), replication_controller("x", {"app": "a"})],
            "app=a,tier=web", id="service-and-replication-controller",
        ),
        pytest.param(
            pod(labels=LABELS, owner=BY_RC), [replication_controller("y", {"app": "a"})], "<all>",
            id="another-replication-controller",
        ),
        pytest.param(
            pod(labels=LABELS, owner=controlled_by("Job", "x", api_version="batch/v1")), [service("s", {"app": "a"})],
            "app=a", id="jobs-are-not-asked",
        ),
        pytest.param(
            pod(labels=LABELS, owner=controlled_by("ReplicaSet", "x", controller=False)),
            [replica_set("x", selector({"app": "a"}))], "<all>", id="owner-that-is-no-controller",
        ),
        pytest.param(
            pod(labels=LABELS, owner=controlled_by("ReplicaSet", "x", api_version="extensions/v1beta1")),
            [replica_set("x", selector({"app": "a"}))], "<all>", id="another-api-group",
        ),
        pytest.param(pod(labels=LABELS), [namespace("default", {"app": "a"})], "<all>", id="unrelated-objects"),
    ],
)  # fmt: skip
def test_default_selector(asking: Pod, objects: list[KubernetesObject], text: str) -> None:
    assert str(default_selector(asking, Listers.of(objects))) == text
