"""What moves pods to where their siblings run, or what they need is."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.findings.holds import told
from kexplain.diagnosis.records import Kind, held_by
from kexplain.objects.apps import Deployment, DeploymentSpec
from kexplain.objects.core import PodSpec, PodTemplateSpec, TemplateMeta
from kexplain.objects.meta import Condition, ObjectMeta
from kexplain.remedies.compared import elsewhere
from tests.factories import cluster, container, controlled_by, node, pod

TEMPLATE = PodTemplateSpec(metadata=TemplateMeta(labels={"app": "web"}), spec=PodSpec(containers=(container(),)))
WEB = Deployment(metadata=ObjectMeta(name="web", namespace="default"), spec=DeploymentSpec(template=TEMPLATE))
LABELS = {"pod-template-hash": "1"}
READY = Condition(type="Ready", status="True")
OWNED: dict[str, Any] = {"owner": controlled_by("ReplicaSet", "web-1"), "labels": LABELS}
LINUX, WINDOWS = (node(name, labels={"kubernetes.io/os": name}) for name in ("linux", "windows"))
OLD, NEW = pod("old", node="linux", conditions=[READY], **OWNED), pod("new", node="windows", **OWNED)


@pytest.mark.parametrize(
    ("kind", "there", "of", "text"),
    [
        (Kind.IMAGE_NOT_PULLED, True, [WEB],
         "select kubernetes.io/os=linux in Deployment web, whose pods run on such nodes alone"),
        (Kind.CONTAINER_NOT_STARTED, True, [WEB],
         "select kubernetes.io/os=linux in Deployment web, whose pods run on such nodes alone"),
        (Kind.SANDBOX_FAILED, True, [WEB], ""),
        (Kind.IMAGE_NOT_PULLED, False, [WEB], ""),
        (Kind.IMAGE_NOT_PULLED, True, [], ""),
    ],
)  # fmt: skip
def test_the_platform_where_it_runs(kind: Kind, there: bool, of: list[Deployment], text: str) -> None:
    around = cluster([LINUX, WINDOWS], [NEW, *([OLD] if there else [])], *of)
    found = list(elsewhere(held_by("the kubelet", kind, told("sandbox-failed")), NEW, around))
    assert [each.text for each in found] == ([text] if text else [])
    patch = [change.patch for each in found for change in each.changes]
    assert ("nodeSelector" in str(patch)) is bool(text)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (told("object-missing", reason="r", container="c", kind="ConfigMap", name="settings"),
         "create ConfigMap settings in namespace default, or correct its name"),
        (told("mount-missing", kind="Secret", name="key"),
         "create Secret key in namespace default, or correct its name"),
        (told("out-of-memory", reason="r", container="c", limit="1Gi"),
         "raise limits.memory of container c (now 1Gi), or see why it uses more"),
        (told("pull-secret", reason="r", container="c", secrets="acme"),
         "create Secret acme in namespace default, or correct its name"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_made(said: Any, text: str) -> None:
    found = list(elsewhere(held_by("the kubelet", Kind.VOLUME_NOT_MOUNTED, said), NEW, cluster([WINDOWS])))
    assert [each.text for each in found] == [text]
