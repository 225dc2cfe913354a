"""What keeps a pod from running beside the verdict, with what would help."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, Subject
from kexplain.objects.meta import Condition
from tests.factories import cluster, node, pod
from tests.queues.made import read
from tests.storage_factories import claim, persistent_volume, uses

STARTS = pod("web", node="n1", phase="Pending", volumes=uses("data"), uid="u")
OTHER = pod("old", node="n2", phase="Running", volumes=uses("data"))


def explained(*around: Pod, said: str = "") -> PodExplanation:
    there = cluster([node("n1"), node("n2")], [STARTS, *around], claim(volume="pv"), persistent_volume("pv"))
    subject = Subject(kind="Pod", namespace="default", name="web", uid="u")
    events = (Event(involved_object=subject, reason=said),) if said else ()
    (found,) = explain(Case(there, (PodToPlace(STARTS, made_of=STARTS, events=events),))).pods
    return found


def test_a_volume_that_is_in_use_is_freed() -> None:
    found = explained(OTHER)
    assert found.held is not None
    assert [each.action for each in found.remedies] == ["move-pods"]
    assert [*found.held.helps] == [found.remedies[0].text]


def test_of_a_volume_that_nobody_uses_the_driver_is_asked() -> None:
    found = explained(said="FailedAttachVolume")
    assert [each.action for each in found.remedies] == ["check-controller"]


def test_what_else_keeps_a_pod_is_helped_as_it_is() -> None:
    assert [each.action for each in explained(said="FailedMount").remedies] == ["check-controller"]
    assert explained().held is None


@pytest.mark.parametrize(
    ("phase", "reason", "node_name", "expected"),
    [
        pytest.param("Failed", "OutOfcpu", "n1", "turned-away-by-kubelet", id="by its kubelet"),
        pytest.param("Failed", "OutOfcpu", "", "turned-away-by-kubelet", id="without its node"),
        pytest.param("Pending", "", "", None, id="nobody has tried it"),
    ],
)
def test_what_has_failed_is_not_waited_for(phase: str, reason: str, node_name: str, expected: str | None) -> None:
    failed = pod("web", phase=phase, node=node_name, uid="u")
    failed = replace(failed, status=replace(failed.status, reason=reason))
    waiting = replace(failed, spec=replace(failed.spec, node_name=None))
    (found,) = explain(Case(cluster([node("n1")]), (PodToPlace(waiting, made_of=failed),))).pods
    assert (found.held.kind if found.held else None) == expected


GROUP = {
    "apiVersion": "scheduling.x-k8s.io/v1alpha1",
    "kind": "PodGroup",
    "metadata": {"name": "g", "namespace": "default"},
    "spec": {"minMember": 3},
    "status": {"phase": "Pending"},
}

LABELS = {"scheduling.x-k8s.io/pod-group": "g"}


@pytest.mark.parametrize(("cpu", "kind"), [("1", None), ("3", "group-waiting")])
def test_the_pods_of_another_scheduler_are_tried_as_this_one_would(cpu: str, kind: str | None) -> None:
    waiting = [pod(f"p{each}", cpu=cpu, labels=LABELS, uid=f"p{each}", scheduler_name="other") for each in range(3)]
    there = cluster([node("n1"), node("n2")], [], *read(GROUP), *waiting)
    (found,) = explain(Case(there, (PodToPlace(waiting[0], made_of=waiting[0]),))).pods
    assert (found.outcome, found.held.kind if found.held else None) == ("NoProfile", kind)


def test_what_is_said_of_a_group_is_not_about_new_pods() -> None:
    new = pod("new", labels=LABELS)
    (found,) = explain(Case(cluster([node("n1")], [], *read(GROUP)), (PodToPlace(new, made_of=new),))).pods
    assert (found.outcome, found.held) == ("Scheduled", None)


@pytest.mark.parametrize(
    ("cpu", "pods", "outcome", "kind"),
    [
        pytest.param("1", 3, "Scheduled", None, id="all have room at once"),
        pytest.param("1", 4, "Scheduled", None, id="more than must start together"),
        pytest.param("3", 3, "Scheduled", "group-waiting", id="each has room, and all together have none"),
        pytest.param("9", 3, "Unschedulable", None, id="the pod has no room itself"),
        pytest.param("1", 2, "Scheduled", "group-incomplete", id="one is not there"),
    ],
)
def test_a_group_waits_only_for_what_its_pods_lack(cpu: str, pods: int, outcome: str, kind: str | None) -> None:
    tried = Condition(type="PodScheduled", status="False")
    waiting = [pod(f"p{each}", cpu=cpu, labels=LABELS, uid=f"p{each}", conditions=[tried]) for each in range(pods)]
    there = cluster([node("n1"), node("n2")], [], *read(GROUP), *waiting)
    (found,) = explain(Case(there, (PodToPlace(waiting[0], made_of=waiting[0]),))).pods
    assert (found.outcome, found.held.kind if found.held else None) == (outcome, kind)
