"""What moves pods to where their siblings run, or what they need is."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.bound.compared import with_other_nodes
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Kind, held_by
from kexplain.objects.apps import (
    Deployment,
    DeploymentSpec,
    ReplicaSet,
    ReplicaSetAnnotations,
    ReplicaSetMeta,
    StatefulSet,
    StatefulSetSpec,
)
from kexplain.objects.core import Pod, PodSpec, PodTemplateSpec, TemplateMeta
from kexplain.objects.meta import Condition, ObjectMeta
from kexplain.objects.workload_status import WorkloadStatus
from kexplain.remedies.compared import elsewhere
from tests.factories import cluster, container, controlled_by, node, pod

TEMPLATE = PodTemplateSpec(metadata=TemplateMeta(labels={"app": "web"}), spec=PodSpec(containers=(container(),)))
WEB = Deployment(metadata=ObjectMeta(name="web", namespace="default"), spec=DeploymentSpec(template=TEMPLATE))
LABELS = {"pod-template-hash": "1"}
READY = Condition(type="Ready", status="True")
OWNED: dict[str, Any] = {"owner": controlled_by("ReplicaSet", "web-1"), "labels": LABELS}
LINUX, WINDOWS = (node(name, labels={"kubernetes.io/os": name}) for name in ("linux", "windows"))
OLD, NEW = pod("old", node="linux", conditions=[READY], **OWNED), pod("new", node="windows", **OWNED)


SELECT = "select kubernetes.io/os=linux in Deployment web, to keep its pods to such nodes"


@pytest.mark.parametrize(
    ("kind", "there", "of", "text"),
    [
        (Kind.IMAGE_NOT_PULLED, True, [WEB], SELECT),
        (Kind.CONTAINER_NOT_STARTED, True, [WEB], SELECT),
        (Kind.IMAGE_NOT_PULLED, False, [WEB], ""),
        (Kind.IMAGE_NOT_PULLED, True, [], SELECT),
    ],
)
def test_the_platform_where_it_runs(kind: Kind, there: bool, of: list[Deployment], text: str) -> None:
    around = cluster([LINUX, WINDOWS], [NEW, *([OLD] if there else [])], *of)
    held = with_other_nodes(held_by("the kubelet", kind, told("sandbox-failed")), NEW, around)
    found = list(elsewhere(held, NEW, around))
    assert [each.text for each in found] == ([text] if text else [])
    patch = [change.patch for each in found for change in each.changes]
    assert ("nodeSelector" in str(patch)) is bool(text and of)


@pytest.mark.parametrize(
    ("named", "owner", "text"),
    [
        pytest.param(
            "gone", True, "take spec.nodeName out of Deployment web, for the scheduler to choose a node", id="in"
        ),
        pytest.param(None, True, "delete the pod, for ReplicaSet web-1 to make another one", id="by a scheduler"),
        pytest.param(None, False, "create the pod again without spec.nodeName, or bring node gone back", id="alone"),
    ],
)
def test_what_is_on_a_node_that_is_missing(named: str | None, owner: bool, text: str) -> None:
    template = replace(TEMPLATE, spec=replace(TEMPLATE.spec, node_name=named))
    around = cluster([LINUX], [], replace(WEB, spec=DeploymentSpec(template=template)))
    lost = pod("lost", node="gone", **(OWNED if owner else {}))
    (found,) = elsewhere(held_by("nobody", Kind.NODE_MISSING, told("node-gone")), lost, around)
    assert found.text == text
    assert [each.verb for each in found.changes] == (["patch"] if named else [])


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


def replica_set(name: str, revision: str | None, of: str = "Deployment") -> ReplicaSet:
    """One of Deployment web, with its number."""
    annotations = ReplicaSetAnnotations(revision=revision)
    owners = (controlled_by(of, "web"),)
    metadata = ReplicaSetMeta(name=name, namespace="default", owner_references=owners, annotations=annotations)
    return ReplicaSet(metadata=metadata)


def replica(name: str, of: str, ready: str = "True") -> Pod:
    """A pod of one of them on the node."""
    labels = {"pod-template-hash": of.removeprefix("web-")}
    return pod(name, node="n1", labels=labels, owner=controlled_by("ReplicaSet", of),
               conditions=[Condition(type="Ready", status=ready)])  # fmt: skip


@pytest.mark.parametrize(
    ("pods", "sets", "revision"),
    [
        pytest.param([replica("o", "web-a")], [("web-a", "3"), ("web-b", "4")], 3, id="the one before serves"),
        pytest.param([replica("o", "web-a", "False")], [("web-a", "3"), ("web-b", "4")], None, id="nor does that"),
        pytest.param([replica("o", "web-a")], [("web-a", "5"), ("web-b", "4")], None, id="it is newer"),
        pytest.param([replica("o", "web-a")], [("web-a", None), ("web-b", "4")], None, id="without a number"),
        pytest.param([replica("o", "web-b")], [("web-b", "4")], None, id="others of its own serve"),
        pytest.param(
            [replica("o", "web-a"), replica("p", "web-c")], [("web-a", "2"), ("web-b", "4"), ("web-c", "3")], 3,
            id="the newest of those that serve",
        ),
    ],
)  # fmt: skip
def test_a_revision_that_serves_may_come_back(
    pods: list[Pod], sets: list[tuple[str, str | None]], revision: int | None
) -> None:
    there = cluster([node("n1")], [replica("x", "web-b", "False"), *pods], *(replica_set(*each) for each in sets))
    found = held_by("the kubelet", Kind.CONTAINER_NOT_STARTED, told("sandbox-failed"))
    helps = [each for each in elsewhere(found, replica("x", "web-b", "False"), there) if "roll back" in each.text]
    lines = [each.commands for each in helps]
    expected = (f"kubectl rollout undo deployment web -n default --to-revision={revision}",)
    assert lines == ([expected] if revision else [])


def _of_db(number: int, revision: str, *, serves: bool = True) -> Pod:
    """A pod of a StatefulSet, of some revision."""
    labels = {"controller-revision-hash": revision}
    owner, conditions = controlled_by("StatefulSet", "db"), [READY] if serves else []
    return pod(f"db-{number}", node="linux", owner=owner, labels=labels, conditions=conditions)


@pytest.mark.parametrize(
    ("newest", "policy", "others", "expected"),
    [
        pytest.param("b", None, [_of_db(0, "a"), _of_db(1, "a")], ["change-rollout"], id="the-newest-fails"),
        pytest.param("b", None, [_of_db(0, "a", serves=False)], [], id="so-does-the-one-before"),
        pytest.param("b", None, [_of_db(0, "b")], [], id="the-newest-serves-elsewhere"),
        pytest.param("c", None, [_of_db(0, "a")], ["make-anew"], id="the-template-is-mended"),
        pytest.param("c", "Parallel", [_of_db(0, "a")], [], id="it-is-replaced-by-itself"),
        pytest.param(None, None, [_of_db(0, "a")], [], id="nobody-knows-the-revision"),
    ],
)
def test_a_set_that_is_stuck_at_a_revision_goes_back_and_its_pod_with_it(
    newest: str | None, policy: str | None, others: list[Pod], expected: list[str]
) -> None:
    status, spec = WorkloadStatus(update_revision=newest), StatefulSetSpec(pod_management_policy=policy)
    db = StatefulSet(metadata=ObjectMeta(name="db", namespace="default"), spec=spec, status=status)
    broken = _of_db(2, "b", serves=False)
    said = held_by("the kubelet", Kind.IMAGE_NOT_PULLED, told("sandbox-failed"))
    found = list(elsewhere(said, broken, cluster([LINUX], [broken, *others], db)))
    assert [each.action for each in found] == expected
    for each in found:
        assert each.commands[-1] == "kubectl delete pod db-2 -n default"
    if expected == ["change-rollout"]:
        text = "roll back to the earlier revision (kubectl rollout undo), of which 2 pods serve, and delete db-2 then"
        assert (found[0].text, found[0].commands[0]) == (text, "kubectl rollout undo statefulset db -n default")
