"""Slices of devices that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj


def resource_slice(**spec: Any) -> Json:
    pool = {"name": "p", "resourceSliceCount": 1}
    base = {"driver": "gpu.example.com", "pool": pool, "nodeName": "n", "devices": [{"name": "gpu-0"}]}
    return obj("resource.k8s.io/v1", "ResourceSlice", "s", spec={**base, **spec})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, set()),
        ({"devices": None, "sharedCounters": [{"name": "c", "counters": {"memory": {"value": "1Gi"}}}]}, set()),
        ({"driver": "a_b", "pool": None}, {".driver", ".pool.name", ".pool.resourceSliceCount"}),
        ({"pool": {"name": "a//b", "resourceSliceCount": 1, "generation": -1}}, {".pool.name", ".pool.generation"}),
        ({"nodeName": None}, {""}),
        ({"allNodes": True}, {""}),
        ({"nodeName": "", "allNodes": False}, {"", ".nodeName", ".allNodes"}),
        ({"nodeName": None, "nodeSelector": {}}, {".nodeSelector.nodeSelectorTerms"}),
        ({"sharedCounters": [{"name": "A"}]}, {"", ".sharedCounters[0].name", ".sharedCounters[0].counters"}),
        ({"devices": [{"name": "a"}, {"name": "a"}, {}]}, {".devices[1]", ".devices[2].name"}),
        ({"devices": [{"name": f"d{n}"} for n in range(129)]}, {".devices"}),
        ({"devices": [{"name": f"d{n}", "taints": [{"key": "a", "effect": "None"}]} for n in range(65)]}, {".devices"}),
    ],
    ids=lambda value: case_name(value)[:120],
)
def test_fields_of_a_slice(spec: Json, expected: set[str]) -> None:
    assert fields(resource_slice(**spec)) == {f"spec{field}" for field in expected}


RANGE: Json = {"min": "1Gi", "max": "8Gi", "step": "1Gi"}


def shared(policy: Json, value: str = "8Gi") -> Json:
    return {"allowMultipleAllocations": True, "capacity": {"memory": {"value": value, "requestPolicy": policy}}}


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ({"attributes": {"model": {"string": "a"}, "example.com/v": {"version": "1.2.3-rc.1+b"}}}, set()),
        ({"attributes": {"model": {}}}, {".attributes[model]"}),
        ({"attributes": {"a-b": {"int": 1}, "/x": {"bool": True}}}, {".attributes"}),
        (
            {"attributes": {"a": {"string": "x" * 65}, "b": {"version": "1.2"}}},
            {".attributes[a].string", ".attributes[b].version"},
        ),
        ({"attributes": {f"a{n}": {"int": n} for n in range(33)}}, {""}),
        (
            {"taints": [{"key": "a b", "value": "c d", "effect": "x"}, {"key": "a"}]},
            {f".taints[{f}" for f in ("0].key", "0].value", "0].effect", "1].effect")},
        ),
        ({"consumesCounters": [{}]}, {".consumesCounters[0].counterSet", ".consumesCounters[0].counters"}),
        ({"nodeName": "n"}, {""}),
        (
            {"bindingConditions": ["a", "a"], "bindingFailureConditions": ["a"]},
            {".bindingConditions[1]", ".bindingFailureConditions[0]"},
        ),
        ({"bindingConditions": ["a"]}, {".bindingFailureConditions"}),
        ({"capacity": {"memory": {"value": "1Gi", "requestPolicy": {}}}}, {".capacity[memory].requestPolicy"}),
        (shared({"validValues": ["1Gi"], "validRange": RANGE}), {".capacity[memory].requestPolicy"}),
        (shared({"validRange": RANGE}), {".capacity[memory].requestPolicy.default"}),
        (shared({"default": "2Gi", "validRange": RANGE}), set()),
        (shared({"default": "9Gi", "validRange": RANGE}, "4Gi"), {".capacity[memory].requestPolicy.validRange.max"}),
        (shared({"default": "1500Mi", "validRange": RANGE}), {".capacity[memory].requestPolicy.validRange.step"}),
        (shared({"default": "1Gi", "validRange": {}}), {".capacity[memory].requestPolicy.validRange.min"}),
        (
            shared({"default": "3Gi", "validValues": ["2Gi", "1Gi", "9Gi"]}),
            {f".capacity[memory].requestPolicy.validValues{end}" for end in ("", "[1]", "[2]")},
        ),
    ],
    ids=lambda value: case_name(value)[:120],
)
def test_fields_of_a_device(device: Json, expected: set[str]) -> None:
    found = fields(resource_slice(devices=[{"name": "gpu-0", **device}]))
    assert found == {f"spec.devices[0]{field}" for field in expected}


def test_devices_choose_nodes_where_the_slice_leaves_it_to_them() -> None:
    chosen = [{"name": "a", "nodeName": "n"}, {"name": "b", "allNodes": True}]
    assert fields(resource_slice(nodeName=None, perDeviceNodeSelection=True, devices=chosen)) == set()
    chosen = [{"name": "a"}, {"name": "b", "allNodes": False}]
    assert fields(resource_slice(nodeName=None, perDeviceNodeSelection=True, devices=chosen)) == {
        "spec.devices[0]",
        "spec.devices[1]",
        "spec.devices[1].allNodes",
    }
