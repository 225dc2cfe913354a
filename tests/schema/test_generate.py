"""The vendored schema is what the official client's models say, and what the next release adds to them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import kubernetes

from kexplain.validation.releases import _SINCE

from . import generate

#: The release of the client that is installed; the schema is made with the next one.
CLIENT = int(kubernetes.__version__.split(".")[0])
#: Fields that are only ever in a status, which no manifest has, and have come since the client.
IN_STATUS = {
    "CSINode.status",
    "DeviceRequestAllocationResult.skipNodeOperations",
    "NodeAllocatableResourceClaimStatus.mapping",
    "NodeAllocatableResourceClaimStatus.overhead",
    "NodeSystemInfo.runningInUserNamespace",
    "PersistentVolumeClaimStatus.healthStatus",
    "PodStatus.volumeHealth",
    "V2HorizontalPodAutoscalerCondition.observedGeneration",
}
#: Alpha fields that have another name since.
RENAMED = {"Device.nodeAllocatableResourceMappings", "NodeAllocatableResourceClaimStatus.resources"}
NEW_KINDS = {f"scheduling.k8s.io/{each}/{kind}" for each in ("v1", "v1beta1") for kind in ("PodGroup", "Workload")}


def fields(definitions: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {f"{name}.{field}": what for name in names for field, what in definitions[name]["properties"].items()}


def test_vendored_schema_is_what_the_models_say_and_the_fields_that_came_since() -> None:
    vendored = json.loads(files("kexplain.validation").joinpath("schema.json").read_text(encoding="utf-8"))
    made = generate.schema()
    assert vendored["kinds"].items() - made["kinds"].items() == {(each, vendored["kinds"][each]) for each in NEW_KINDS}
    names = vendored["$defs"].keys() & made["$defs"].keys()
    ours, theirs = fields(vendored["$defs"], names), fields(made["$defs"], names)
    assert len(theirs) > 1000
    assert {name: what for name, what in theirs.items() if ours.get(name) != what}.keys() == RENAMED
    since = {field for field, minor in _SINCE.items() if minor > CLIENT}
    assert ours.keys() - theirs.keys() == since | IN_STATUS
