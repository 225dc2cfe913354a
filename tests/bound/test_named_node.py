from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.bound.stopped import stopped
from kexplain.diagnosis.records import Hold, Kind
from kexplain.objects.core import ContainerStatus, Pod
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from tests.factories import cluster, node, pod
from tests.storage_factories import claim, storage_class, uses

WAITING = claim(storage_class="wait")


def held(of: Pod, data: PersistentVolumeClaim = WAITING, mode: str = "WaitForFirstConsumer") -> Hold | None:
    there = cluster([node("worker-1"), node("worker-2")], [], storage_class(mode=mode), data)
    found = stopped(of, (), there)
    return found.hold if found else None


def named(name: str) -> Pod:
    return pod(node=name, volumes=uses("data"), phase="Pending")


def test_a_node_that_does_not_exist() -> None:
    found = held(named("worker-3"))
    assert found is not None
    assert found.kind is Kind.NODE_MISSING
    assert found.text == "spec.nodeName is worker-3, and there is no such node; did you mean worker-2?"


@pytest.mark.parametrize("statuses", [(), (ContainerStatus(name="main"),)])
def test_a_claim_for_which_only_the_scheduler_would_choose_a_node(statuses: tuple[ContainerStatus, ...]) -> None:
    of = named("worker-1")
    found = held(replace(of, status=replace(of.status, container_statuses=statuses)))
    assert found is not None
    assert (found.kind, found.object) == (Kind.CLAIM_UNBOUND, "PersistentVolumeClaim default/data")
    assert "passes the scheduler by" in found.text


@pytest.mark.parametrize(
    ("data", "mode"),
    [
        pytest.param(claim(selected_node="worker-1"), "WaitForFirstConsumer", id="the-scheduler-chose"),
        pytest.param(claim(volume="pv"), "WaitForFirstConsumer", id="bound"),
        pytest.param(WAITING, "Immediate", id="waits-for-nobody"),
    ],
)
def test_claims_that_need_no_scheduler(data: PersistentVolumeClaim, mode: str) -> None:
    assert held(named("worker-1"), data, mode) is None


def started(on: str, **metadata: str) -> Pod:
    of = named(on)
    status = replace(of.status, phase="Running", container_statuses=(ContainerStatus(name="main"),))
    return replace(of, status=status, metadata=replace(of.metadata, **metadata))


def test_a_node_that_is_gone() -> None:
    found = held(started("worker-3"))
    assert found is not None
    assert (found.kind, found.node) == (Kind.NODE_MISSING, "worker-3")
    assert found.text == "no such node was read; if it is gone, nothing of the pod runs any more"
    assert found.command == "kubectl get node worker-3"


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(started("worker-1"), id="on a node"),
        pytest.param(pod(phase="Running"), id="on none"),
        pytest.param(started("worker-3", deletion_timestamp="t"), id="being deleted"),
        pytest.param(pod(node="worker-3", phase="Succeeded"), id="finished"),
    ],
)
def test_pods_that_no_missing_node_keeps(of: Pod) -> None:
    assert held(of) is None


def test_without_any_node_none_is_missing() -> None:
    assert stopped(started("worker-3"), (), cluster([])) is None
