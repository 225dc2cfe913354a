from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.admission import AdmissionObjects, admit, is_from_cluster
from kexplain.objects.core import Pod

from .factories import limit_range, pod, priority_class, runtime_class

NOTHING = AdmissionObjects.of(())
EXISTS_KATA = {"key": "kata", "operator": "Exists"}
KATA = runtime_class("kata", scheduling={"tolerations": [EXISTS_KATA]})
DEFAULT_LIMIT = {"type": "Container", "default": {"memory": "1Gi"}}


def test_objects_are_sorted_by_kind() -> None:
    here, there = limit_range(), limit_range(namespace="there")
    high = priority_class("high", 1)
    objects = AdmissionObjects.of([pod(), high, KATA, here, there, there])
    assert objects.priority_classes == {"high": high}
    assert objects.runtime_classes == {"kata": KATA}
    assert objects.limit_ranges == {"default": [here], "there": [there, there]}


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        pytest.param({}, False, id="bare"),
        pytest.param({"metadata": {"uid": "u"}}, True, id="uid"),
        pytest.param({"metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"}}, True, id="creation-time"),
        pytest.param({"status": {"phase": "Pending"}}, True, id="status"),
        pytest.param({"metadata": {"creationTimestamp": None}, "status": {}}, False, id="client-dry-run"),
        pytest.param({"spec": {"nodeName": "n"}}, False, id="bound-by-hand"),
    ],
)
def test_is_from_cluster(manifest: dict[str, Any], expected: bool) -> None:
    assert is_from_cluster(msgspec.convert({"kind": "Pod", **manifest}, Pod)) is expected


def test_pod_from_a_cluster_is_left_alone() -> None:
    stored = msgspec.convert({"kind": "Pod", "metadata": {"uid": "u"}}, Pod)
    assert admit(stored, NOTHING).pod is stored


def test_admitting_twice_changes_nothing() -> None:
    once = admit(pod({"a": "1"}), NOTHING)
    assert admit(once.pod, NOTHING).pod is once.pod


@pytest.mark.parametrize(("given", "expected"), [(None, "here"), ("", "here"), ("there", "there")])
def test_namespace(given: str | None, expected: str) -> None:
    named = msgspec.convert({"kind": "Pod", "metadata": {"namespace": given}}, Pod)
    assert admit(named, AdmissionObjects(namespace="here")).pod.namespace == expected


def test_runtime_class_tolerations_come_last() -> None:
    admitted = admit(pod(runtimeClassName="kata"), AdmissionObjects.of([KATA])).pod
    assert [toleration.key for toleration in admitted.spec.tolerations or ()] == [
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "kata",
    ]


def test_runtime_class_can_replace_default_tolerations() -> None:
    everything = runtime_class("any", scheduling={"tolerations": [{"operator": "Exists"}]})
    admitted = admit(pod(runtimeClassName="any"), AdmissionObjects.of([everything])).pod
    assert [toleration.key for toleration in admitted.spec.tolerations or ()] == [None]


def test_limit_range_of_the_namespace_only() -> None:
    objects = AdmissionObjects.of([limit_range(DEFAULT_LIMIT, namespace="there")])
    (container,) = admit(pod(containers=[{}]), objects).pod.spec.containers or ()
    assert container.resources is None
    (container,) = admit(pod(containers=[{}]), replace(objects, namespace="there")).pod.spec.containers or ()
    assert container.resources is not None
    assert container.resources.requests == {"memory": "1Gi"}


def test_pod_level_requests_see_what_limit_ranges_gave() -> None:
    limited = pod(containers=[{}, {}], resources={"limits": {"cpu": 1}})
    resources = admit(limited, AdmissionObjects.of([limit_range(DEFAULT_LIMIT)])).pod.spec.resources
    assert resources is not None
    assert resources.requests == {"cpu": 1, "memory": "2Gi"}


def test_status_is_that_of_a_new_pod() -> None:
    assert admit(pod(), NOTHING).pod.status.phase == "Pending"
    gated = admit(pod(schedulingGates=[{"name": "g"}]), NOTHING).pod
    (condition,) = gated.status.conditions or ()
    assert (condition.type, condition.status, condition.reason) == ("PodScheduled", "False", "SchedulingGated")


def test_notes_in_plugin_order() -> None:
    notes = admit(pod(runtimeClassName="r", priorityClassName="p"), NOTHING).notes
    assert [note.split()[0] for note in notes] == ["PriorityClass", "RuntimeClass"]
