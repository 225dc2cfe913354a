from __future__ import annotations

from typing import Any

import pytest

from kexplain.validation.check import check

TEXT, OBJECT = {"type": "string"}, {"type": "object"}


def definition(schema: dict[str, Any], **version: Any) -> dict[str, Any]:
    made = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **version}
    names = {"plural": "foos", "singular": "foo", "kind": "Foo"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [made]},
    }


def fields(manifest: dict[str, Any]) -> list[str]:
    """Fields at fault, those of the schema from there on."""
    return sorted({each.field.removeprefix("spec.validation.openAPIV3Schema.") for each in check(manifest)})


def schema(**said: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": said}}


@pytest.mark.parametrize(
    ("schema", "at_fault"),
    [
        pytest.param({}, ["type"], id="no-type"),
        pytest.param({"type": "string"}, ["type"], id="not-an-object"),
        pytest.param({**OBJECT, "additionalProperties": TEXT}, ["additionalProperties"], id="map-at-the-root"),
        pytest.param({**OBJECT, "nullable": True}, ["nullable"], id="nullable-root"),
        pytest.param(schema(type="text"), ["properties[a].type"], id="no-such-type"),
        pytest.param(schema(), ["properties[a].type"], id="no-type-inside"),
        pytest.param(schema(**{"x-kubernetes-int-or-string": True}), [], id="int-or-string"),
        pytest.param(schema(type="array"), ["properties[a].items"], id="list-of-nothing"),
        pytest.param(
            schema(type="object", properties={"b": TEXT}, additionalProperties=TEXT),
            ["properties[a].additionalProperties"], id="map-and-object",
        ),
        pytest.param(schema(type="string", pattern="(?=a)"), ["properties[a].pattern"], id="look-around"),
        pytest.param(schema(type="array", items=TEXT, uniqueItems=True), ["properties[a].uniqueItems"], id="unique"),
        pytest.param(schema(type="string", oneOf=[TEXT]), ["properties[a].oneOf[0].type"], id="type-in-junctor"),
        pytest.param(
            schema(**{"x-kubernetes-int-or-string": True}, anyOf=[{"type": "integer"}, TEXT]), [], id="usual-any-of",
        ),
        pytest.param({**OBJECT, "not": {"properties": {"b": {}}}}, ["properties[b]"], id="junctor-of-the-unknown"),
        pytest.param(schema(type="string", id="x"), ["properties[a].id"], id="id"),
        pytest.param(schema(type="integer", default="1"), ["properties[a].default"], id="default-of-another-type"),
        pytest.param(schema(type="integer", default=1, minimum=2), ["properties[a].default"], id="default-too-small"),
        pytest.param(schema(type="object", default={"b": 1}), ["properties[a].default"], id="default-is-pruned"),
        pytest.param(
            {**OBJECT, "properties": {"metadata": {**OBJECT, "properties": {"labels": OBJECT}}}},
            ["properties[metadata]"], id="metadata",
        ),
        pytest.param(
            schema(**{"type": "string", "x-kubernetes-list-type": "set"}), ["properties[a].type"], id="set-of-nothing",
        ),
        pytest.param(
            schema(**{"type": "array", "items": OBJECT, "x-kubernetes-list-type": "set"}),
            ["properties[a].items.x-kubernetes-map-type"], id="set-of-objects",
        ),
        pytest.param(
            schema(
                **{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
                items={**OBJECT, "properties": {"k": TEXT}},
            ),
            ["properties[a].items.properties[k].default"], id="key-without-default",
        ),
        pytest.param(
            schema(**OBJECT, **{"x-kubernetes-validations": [{"rule": "self.b > 1"}]}),
            ["properties[a].x-kubernetes-validations[0].rule"], id="rule-about-the-unknown",
        ),
        pytest.param(
            schema(**TEXT, **{"x-kubernetes-validations": [{"rule": "self.size() > 1"}]}), [], id="rule-by-function",
        ),
    ],
)  # fmt: skip
def test_schemas(schema: dict[str, Any], at_fault: list[str]) -> None:
    assert fields(definition(schema)) == at_fault


@pytest.mark.parametrize(
    ("version", "at_fault"),
    [
        pytest.param({"deprecationWarning": "old"}, ["spec.versions[0].deprecationWarning"], id="not-deprecated"),
        pytest.param(
            {"subresources": {"scale": {"specReplicasPath": "spec.a", "statusReplicasPath": ".status.a"}}},
            ["spec.subresources.scale.specReplicasPath"], id="scale",
        ),
        pytest.param({"selectableFields": [{"jsonPath": ".a"}]}, [], id="selectable"),
        pytest.param(
            {"selectableFields": [{"jsonPath": ".b"}]}, ["spec.selectableFields[0].jsonPath"], id="selecting-nothing",
        ),
    ],
)  # fmt: skip
def test_versions(version: dict[str, Any], at_fault: list[str]) -> None:
    assert fields(definition(schema(**TEXT), **version)) == at_fault


def test_groups_of_the_community_need_approval() -> None:
    made = definition(OBJECT)
    made["spec"]["group"], made["metadata"]["name"] = "x.k8s.io", "foos.x.k8s.io"
    assert fields(made) == ["metadata.annotations[api-approved.kubernetes.io]"]
    made["metadata"]["annotations"] = {"api-approved.kubernetes.io": "https://example.com/approval"}
    assert fields(made) == []
