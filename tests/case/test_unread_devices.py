"""What the input says nothing about is not taken to be absent: claims on devices, templates, classes and slices."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from kexplain.api import explain
from kexplain.case import load_case
from kexplain.case.loading import Inputs

Json = dict[str, Any]

GPUS = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}


def _object(kind: str, name: str, uid: str = "", **fields: Any) -> Json:
    namespace = {} if kind in ("DeviceClass", "ResourceSlice") else {"namespace": "ai"}
    metadata = {"name": name, **namespace, "uid": uid or name, **fields.pop("metadata", {})}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, **fields}


def _pod(name: str, node: str = "", said: str = "", **reference: str) -> Json:
    spec: Json = {"containers": [{"name": "c", "image": "c:1"}], "resourceClaims": [{"name": "gpu", **reference}]}
    status: Json = {"phase": "Running" if node else "Pending"}
    if said:
        status["conditions"] = [{"type": "PodScheduled", "status": "False", "message": said}]
    if "resourceClaimTemplateName" in reference:
        status["resourceClaimStatuses"] = [{"name": "gpu", "resourceClaimName": f"{name}-gpu"}]
    spec |= {"nodeName": node} if node else {}
    metadata = {"name": name, "namespace": "ai", "uid": name}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def _written(obj: Json) -> Json:
    return {**obj, "metadata": {name: value for name, value in obj["metadata"].items() if name != "uid"}}


NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1", "uid": "n1"},
    "status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": "110"}},
}
CLASS = _object("DeviceClass", "gpu")
SLICE = _object(
    "ResourceSlice",
    "n1",
    spec={
        "driver": "gpu.example",
        "nodeName": "n1",
        "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "gpu-0"}],
    },
)
TEMPLATE = _object("ResourceClaimTemplate", "one", spec={"spec": GPUS})
CLAIM = _object("ResourceClaim", "mine", spec=GPUS)
BY_NAME = _pod("wants", resourceClaimName="mine")
BY_TEMPLATE = _pod("wants", resourceClaimTemplateName="one")
MADE = _object(
    "ResourceClaim",
    "wants-gpu",
    spec=GPUS,
    metadata={
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "wants", "uid": "wants", "controller": True}]
    },
)
NOT_FREE = (
    "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, "
    "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
)
NO_CLASS = (
    "0/1 nodes are available: request gpu: device class gpu does not exist. no new claims to deallocate, "
    "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
)
MISSING = 'could not find ResourceClaim "ai/mine"'


@pytest.mark.parametrize(
    ("objects", "message", "notes"),
    [
        pytest.param([BY_NAME], "", ["ResourceClaims", "ResourceSlices", "DeviceClasses"], id="nothing-is-known"),
        pytest.param(
            [BY_TEMPLATE], "", ["ResourceClaimTemplates", "ResourceSlices", "DeviceClasses"], id="of-template"
        ),
        pytest.param([BY_NAME, CLAIM], "", ["ResourceSlices", "DeviceClasses"], id="claim"),
        pytest.param([BY_NAME, _written(CLAIM), CLASS], "", ["ResourceSlices"], id="a-claim-of-a-manifest"),
        pytest.param([BY_NAME, CLAIM, SLICE], "", ["DeviceClasses"], id="no-class"),
        pytest.param([BY_NAME, CLAIM, CLASS], NOT_FREE, ["ResourceSlices"], id="a-driver-that-is-gone"),
        pytest.param([BY_NAME, SLICE, CLASS], "", ["ResourceClaims"], id="no-claim"),
        pytest.param([BY_TEMPLATE, MADE, SLICE, CLASS], "", ["ResourceClaimTemplates"], id="claim-of-template"),
        pytest.param([BY_NAME, CLAIM, SLICE, CLASS], "", [], id="all-is-known"),
        pytest.param([BY_NAME, MADE, SLICE, CLASS], MISSING, [], id="other-claims-are-known"),
        pytest.param(
            [_pod("wants", said=MISSING, resourceClaimName="mine"), SLICE, CLASS], MISSING, None, id="was-said"
        ),
        pytest.param(
            [_pod("wants", said=NO_CLASS, resourceClaimName="mine"), CLAIM], NO_CLASS, None, id="no-class-was-said"
        ),
    ],
)
def test_what_is_not_known_is_taken_to_be_there(objects: Sequence[Json], message: str, notes: list[str] | None) -> None:
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": [NODE, *objects]})
    (found,) = explain(load_case([], Inputs(["-"], stdin=io.BytesIO(dump.encode()))), seeks_help=False).pods
    assert found.message == message
    said = " ".join(found.notes)
    assert notes is None or [each for each in _KINDS if f"no {each} (" in said] == notes


_KINDS = ("ResourceClaims", "ResourceClaimTemplates", "ResourceSlices", "DeviceClasses")


def test_a_new_pod_gets_a_claim_of_a_template_that_was_not_read() -> None:
    """It is as claims that running pods were given from it: here one that the only device does not meet twice."""
    runs = _pod("runs", "n1", resourceClaimTemplateName="one")
    device = {"request": "gpu", "driver": "gpu.example", "pool": "n1", "device": "gpu-0"}
    held = _object(
        "ResourceClaim",
        "runs-gpu",
        spec=GPUS,
        status={
            "allocation": {"devices": {"results": [device]}},
            "reservedFor": [{"resource": "pods", "name": "runs", "uid": "runs"}],
        },
    )
    new = {**BY_TEMPLATE, "metadata": {"name": "new", "namespace": "ai"}, "status": {}}
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": [NODE, SLICE, CLASS, runs, held, new]})
    (found,) = explain(load_case(["-"], Inputs(stdin=io.BytesIO(dump.encode()))), seeks_help=False).pods
    assert found.message.startswith("0/1 nodes are available: 1 cannot allocate all claims.")
