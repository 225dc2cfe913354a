"""Devices that nobody may have, and why."""

from __future__ import annotations

import msgspec

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.core import PodResourceClaim
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceSlice
from tests.factories import cluster, node, pod

FAILED = {"key": "gpu.example.com/xid", "value": "79", "effect": "NoSchedule"}
SLICE = msgspec.convert(
    {
        "metadata": {"name": "n1-gpus"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "n1",
            "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "gpu-0", "taints": [FAILED]}],
        },
    },
    ResourceSlice,
)
CLAIM = msgspec.convert(
    {
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", "count": 1}}]}},
    },
    ResourceClaim,
)


def test_why_devices_are_tainted_is_asked_before_they_are_tolerated() -> None:
    asking = pod("train")
    claims = (PodResourceClaim(name="gpu", resource_claim_name="gpu"),)
    asking = msgspec.structs.replace(asking, spec=msgspec.structs.replace(asking.spec, resource_claims=claims))
    there = cluster([node("n1")], (), DeviceClass(metadata=ObjectMeta(name="gpu")), SLICE, CLAIM)
    (found,) = explain(Case(there, (PodToPlace(asking),))).pods
    taint = "gpu.example.com/xid=79:NoSchedule"
    assert found.diagnosis is not None
    assert found.diagnosis.text == f"the devices of class gpu on node n1 are tainted {taint}"
    assert [each.text for each in found.remedies] == [
        f"see why devices are tainted {taint} (by their driver, or a DeviceTaintRule)",
        "tolerate tainted devices in request gpu of claim default/gpu",
    ]
