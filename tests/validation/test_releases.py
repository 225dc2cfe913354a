"""What releases do not serve, or do not know."""

from __future__ import annotations

import re

import pytest

from kexplain.objects.problem import Stage
from kexplain.validation.check import check
from kexplain.validation.releases import _SINCE
from kexplain.validation.schema import schema

from .manifests import Json, case_name, obj, pod, workload

BUDGET = obj("policy/v1beta1", "PodDisruptionBudget", "b", spec={"minAvailable": 1})
CLAIM = obj("resource.k8s.io/v1", "ResourceClaim", "c", spec={})
GROUP = obj("scheduling.k8s.io/v1beta1", "PodGroup", "g", spec={"schedulingPolicy": {"basic": {}}})
SPREAD: Json = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "nodeTaintsPolicy": "Honor"}


@pytest.mark.parametrize(
    ("manifest", "releases", "expected"),
    [
        (BUDGET, ["1.24"], {}),
        (BUDGET, ["1.25"], {"apiVersion": "Kubernetes 1.25 does not serve"}),
        (BUDGET, ["1.24", "1.25", "1.36"], {"apiVersion": "Kubernetes 1.25 and 1.36 do not serve"}),
        (obj("resource.k8s.io/v1beta2", "DeviceClass", "c"), ["1.34"], {"apiVersion": "by default: use"}),
        (obj("resource.k8s.io/v1beta2", "DeviceClass", "c"), ["1.33"], {"apiVersion": "only where it is enabled"}),
        (obj("resource.k8s.io/v1beta1", "DeviceClass", "c"), ["1.31"], {"apiVersion": "which came with 1.32"}),
        (obj("extensions/v1beta1", "Ingress", "i"), ["1.22"], {"apiVersion": "use networking.k8s.io/v1"}),
        (obj("storage.k8s.io/v1beta1", "CSIStorageCapacity", "c", storageClassName="s"), ["1.26"], {}),
        (CLAIM, ["1.34"], {}),
        (GROUP, ["1.37"], {}),
        ({**GROUP, "apiVersion": "scheduling.k8s.io/v1"}, ["1.38"], {}),
        ({**GROUP, "apiVersion": "scheduling.k8s.io/v1"}, ["1.37"], {"apiVersion": "which came with 1.38"}),
        (GROUP, ["1.36", "1.37"], {"apiVersion": "Kubernetes 1.36 does not serve .* which came with 1.37"}),
        ({**GROUP, "apiVersion": "scheduling.k8s.io/v1alpha3"}, ["1.37"], {"apiVersion": "by default: use .*/v1beta1"}),
        ({**GROUP, "apiVersion": "scheduling.k8s.io/v1alpha3"}, ["1.36"], {"apiVersion": "which came with 1.37"}),
        ({**GROUP, "apiVersion": "scheduling.k8s.io/v1alpha2"}, ["1.36"], {}),
        ({**GROUP, "apiVersion": "scheduling.k8s.io/v1alpha2"}, ["1.37"], {"apiVersion": "use .*/v1beta1"}),
        (pod(evictionResponders=[]), ["1.37"], {}),
        (pod(evictionResponders=[]), ["1.36"], {"spec.evictionResponders": "it came with 1.37"}),
        (CLAIM, ["1.33", "1.34"], {"apiVersion": "Kubernetes 1.33 does not serve .* which came with 1.34"}),
        (pod(hostUsers=True), ["1.24", "1.25"], {"spec.hostUsers": "in Kubernetes 1.24: it came with 1.25"}),
        (
            workload("Deployment", template={"topologySpreadConstraints": [SPREAD]}),
            ["1.24"],
            {"spec.template.spec.topologySpreadConstraints[0].nodeTaintsPolicy": "it came with 1.25"},
        ),
    ],
    ids=case_name,
)
def test_releases(manifest: Json, releases: list[str], expected: dict[str, str]) -> None:
    found = {each.field: each for each in check(manifest, releases=releases) if each.stage is Stage.DECODING}
    assert found.keys() == expected.keys()
    for field, message in expected.items():
        assert re.search(message, found[field].message)


def test_items_of_a_list_are_held_against_the_releases_too() -> None:
    (problem,) = check({"apiVersion": "v1", "kind": "List", "items": [CLAIM]}, releases=["1.30"])
    assert problem.path == ("items", 0, "apiVersion")


def test_every_field_is_in_theschema() -> None:
    definitions = schema()["$defs"]
    named = [tuple(field.split(".")) for field in _SINCE]
    assert [pair for pair in named if pair[1] not in definitions[pair[0]]["properties"]] == []


TERM: Json = {"matchExpressions": [{"key": "rack", "operator": "Exists"}]}


def _slice(**device: object) -> Json:
    pool: Json = {"name": "p", "resourceSliceCount": 1}
    nodes: Json = {"perDeviceNodeSelection": True} if "nodeSelector" in device else {"nodeName": "n1"}
    spec: Json = {"driver": "x.io", "pool": pool, **nodes, "devices": [{"name": "a", **device}]}
    return obj("resource.k8s.io/v1", "ResourceSlice", "s", spec=spec)


def _claim(*constraints: Json, **request: object) -> Json:
    exactly: Json = {"deviceClassName": "c", **request}
    devices: Json = {"requests": [{"name": "r", "exactly": exactly}], "constraints": [*constraints]}
    return obj("resource.k8s.io/v1", "ResourceClaim", "c", spec={"devices": devices})


@pytest.mark.parametrize(
    ("manifest", "path"),
    [
        (_slice(attributes={"x.io/a/b": {"int": 1}}), ("devices", 0, "attributes", "x.io/a/b")),
        (_slice(capacity={"x.io/a/b": {"value": "1"}}), ("devices", 0, "capacity", "x.io/a/b")),
        (_slice(nodeSelector={"nodeSelectorTerms": [TERM, TERM]}), ("devices", 0, "nodeSelector", "nodeSelectorTerms")),
        (_claim({"matchAttribute": "x.io/a/b"}), ("devices", "constraints", 0, "matchAttribute")),
        (_claim({"distinctAttribute": "x.io/a/b"}), ("devices", "constraints", 0, "distinctAttribute")),
        (
            _claim(capacity={"requests": {"x.io/a/b": "1"}}),
            ("devices", "requests", 0, "exactly", "capacity", "requests", "x.io/a/b"),
        ),
        (_slice(attributes={"x.io/a": {"int": 1}}), None),
        (_slice(nodeSelector={"nodeSelectorTerms": [TERM]}), None),
        (_claim({"matchAttribute": "x.io/a"}), None),
    ],
    ids=case_name,
)
def test_what_1_38_refuses_in_addition(manifest: Json, path: tuple[str | int, ...] | None) -> None:
    for releases, refused in (["1.36", "1.37"], False), (["1.36", "1.38"], True):
        expected = {("spec", *path)} if refused and path else set()
        assert {each.path for each in check(manifest, releases=releases)} == expected
