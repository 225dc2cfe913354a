from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.admission.quotas import QuotaRoom
from kexplain.objects.core import Pod, ResourceQuota
from kexplain.objects.resource import ResourceClaim


def quota(hard: dict[str, Any], used: dict[str, Any] | None = None, **spec: Any) -> ResourceQuota:
    return msgspec.convert(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "compute", "namespace": "shop"},
            "spec": {"hard": hard, **spec},
            "status": {"hard": hard, "used": used or {}},
        },
        ResourceQuota,
    )


def pod(resources: dict[str, Any] | None = None, **spec: Any) -> Pod:
    container = {"name": "main", "resources": resources or {}}
    spec = {"containers": [container], **spec}
    metadata = {"name": "web", "namespace": "shop"}
    return msgspec.convert({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}, Pod)


def devices(*requests: dict[str, Any]) -> ResourceClaim:
    written = [{"name": f"r{number}", **each} for number, each in enumerate(requests)]
    metadata = {"name": "web-gpu", "namespace": "shop"}
    return msgspec.convert({"metadata": metadata, "spec": {"devices": {"requests": written}}}, ResourceClaim)


GPUS = "gpu.deviceclass.resource.k8s.io/devices"
GPU, TWO_GPUS = {"deviceClassName": "gpu"}, {"deviceClassName": "gpu", "count": 2}
ONE_CPU = {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}}


@pytest.mark.parametrize(
    ("limits", "new", "problems"),
    [
        pytest.param(quota({"pods": 2}, {"pods": 1}), pod(), [], id="room"),
        pytest.param(
            quota({"pods": 2}, {"pods": 2}),
            pod(),
            [("spec", "ResourceQuota compute allows 2 of pods: 2 is used, and this asks for 1")],
            id="no-more-pods",
        ),
        pytest.param(
            quota({"requests.cpu": "1500m"}, {"requests.cpu": "600m"}),
            pod(ONE_CPU),
            [("spec", "ResourceQuota compute allows 1.5 of requests.cpu: 600m is used, and this asks for 1")],
            id="no-more-cpu",
        ),
        pytest.param(
            quota({"limits.cpu": 2}, {"limits.cpu": 1}),
            pod(ONE_CPU),
            [("spec", "ResourceQuota compute allows 2 of limits.cpu: 1 is used, and this asks for 2")],
            id="no-higher-limits",
        ),
        pytest.param(
            quota({"limits.memory": "1Gi"}),
            pod(ONE_CPU),
            [("memory", "is required: ResourceQuota compute counts limits.memory")],
            id="must-be-named",
        ),
        pytest.param(
            quota({"requests.example.com/gpu": 1}, {"requests.example.com/gpu": 1}),
            pod({"requests": {"example.com/gpu": 1}}),
            [("spec", "ResourceQuota compute allows 1 of requests.example.com/gpu: 1 is used, and this asks for 1")],
            id="extended-resource",
        ),
        pytest.param(quota({GPUS: 3}, {GPUS: 1}), devices({"exactly": TWO_GPUS}), [], id="devices-left"),
        pytest.param(
            quota({GPUS: 3}, {GPUS: 1}),
            devices({"exactly": GPU}, {"firstAvailable": [GPU, TWO_GPUS, {"deviceClassName": "fpga"}]}),
            [("spec", f"ResourceQuota compute allows 3 of {GPUS}: 1 is used, and this asks for 3")],
            id="the-most-of-what-would-do",
        ),
        pytest.param(
            quota({GPUS: 31}),
            devices({"exactly": {**GPU, "allocationMode": "All"}}),
            [("spec", f"ResourceQuota compute allows 31 of {GPUS}: 0 is used, and this asks for 32")],
            id="all-devices",
        ),
        pytest.param(quota({"pods": 0}, scopes=["BestEffort"]), pod(ONE_CPU), [], id="another-scope"),
        pytest.param(quota({"pods": 0}, scopes=["Terminating"]), pod(), [], id="runs-on"),
        pytest.param(quota({"services": 0}), pod(), [], id="nothing-of-pods"),
    ],
)
def test_a_pod_against_a_quota(limits: ResourceQuota, new: Pod, problems: list[tuple[str, str]]) -> None:
    room = QuotaRoom({"shop": [limits]})
    assert [(each.path[-1], each.message) for each in room.create(new)] == problems


def test_what_ends_counts_as_terminating() -> None:
    room = QuotaRoom({"shop": [quota({"pods": 0}, scopes=["Terminating"])]})
    assert room.create(pod(activeDeadlineSeconds=60))


def test_each_pod_leaves_less_for_the_next() -> None:
    room = QuotaRoom({"shop": [quota({"pods": 3}, {"pods": 1})]})
    assert [bool(room.create(pod())) for _ in range(4)] == [False, False, True, True]
