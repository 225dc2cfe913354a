"""Fields that are seldom written, each at fault beside what an API server takes of it."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import CONTAINER, Json, case_name, container, fields, job, obj, pod
from .test_structural_schemas import OBJECT, TEXT, definition, schema
from .test_structural_schemas import fields as at_fault


def volume(name: str = "v", **source: Any) -> Json:
    """A pod with one volume."""
    return pod(volumes=[{"name": name, **source}])


def projected(*sources: Json) -> Json:
    return volume(projected={"sources": list(sources)})


def config_map(*paths: str) -> Json:
    return {"configMap": {"name": "c", "items": [{"key": "k", "path": path} for path in paths]}}


def env(reference: Json, **further: Any) -> Json:
    return pod(containers=[{**CONTAINER, "env": [{"name": "A", "valueFrom": reference}]}], **further)


def annotated(key: str, value: str, **spec: Any) -> Json:
    made = pod(**spec)
    made["metadata"]["annotations"] = {key: value}
    return made


def file_of(volume: str = "v", *volumes: Json) -> Json:
    reference = {"fileKeyRef": {"volumeName": volume, "path": "p", "key": "K"}}
    return env(reference, volumes=[*volumes] or [{"name": "v", "emptyDir": {}}])


def on_windows(process: bool | None, *containers: bool | None, network: bool = True) -> Json:
    def context(is_process: bool | None) -> Json:
        return {} if is_process is None else {"securityContext": {"windowsOptions": {"hostProcess": is_process}}}

    made = [{**CONTAINER, "name": f"c{number}", **context(each)} for number, each in enumerate(containers)]
    return pod(os={"name": "windows"}, hostNetwork=network, containers=made, **context(process))


def user(name: str) -> Json:
    return container(securityContext={"windowsOptions": {"runAsUserName": name}})


def limit_range(**of: str) -> Json:
    limits = [{"type": "Container", **{name: {"hugepages-2Mi": amount} for name, amount in of.items()}}]
    return obj("v1", "LimitRange", "l", spec={"limits": limits})


def quobyte(registry: str = "a:80", **further: Any) -> Json:
    return volume(quobyte={"registry": registry, "volume": "q", **further})


def indexed(name: str, completions: int) -> Json:
    made = job(completionMode="Indexed", completions=completions)
    made["metadata"]["name"] = name
    return made


def labelled(key: str, value: str) -> Json:
    made = job()
    made["spec"]["template"]["metadata"] = {"labels": {key: value}}
    return made


LONG = "a" * 60
TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations"
SECCOMP = "seccomp.security.alpha.kubernetes.io/pod"
CLAIM: Json = {"name": "g", "resourceClaimName": "gpu"}
EPHEMERAL: Json = {
    "ephemeral": {
        "volumeClaimTemplate": {
            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        }
    }
}
ISCSI: Json = {"iqn": "iqn.2001-04.com.example:s", "lun": 0, "initiatorName": "iqn.2001-04.com.example:i"}
UNCONFINED: Json = {"securityContext": {"seccompProfile": {"type": "Unconfined"}}}
OF_POD = "spec.securityContext.seccompProfile"


@pytest.mark.parametrize(
    ("sound", "unsound", "expected"),
    [
        # Volumes and the files in them.
        (projected(config_map("a"), config_map("b")), projected(config_map("a"), config_map("a")),
         {"spec.volumes[0].projected"}),
        (projected(config_map("a")), projected(config_map("../a")),
         {"spec.volumes[0].projected.sources[0].configMap.items[0].path"}),
        (projected({"serviceAccountToken": {"path": "a"}}), projected({"serviceAccountToken": {"path": "../a"}}),
         {"spec.volumes[0].projected.path"}),
        (quobyte(), quobyte(""), {"spec.volumes[0].quobyte.registry"}),
        (quobyte("a:80,b:81"), quobyte("a:80,b"), {"spec.volumes[0].quobyte.registry"}),
        (quobyte(tenant="t" * 64), quobyte(tenant="t" * 65), {"spec.volumes[0].quobyte.tenant"}),
        (volume(**EPHEMERAL), volume("v", ephemeral={}), {"spec.volumes[0].ephemeral.volumeClaimTemplate"}),
        (volume(iscsi={**ISCSI, "targetPortal": "a" * 62}), volume(iscsi={**ISCSI, "targetPortal": "a" * 63}),
         {"spec.volumes[0].name"}),
        (pod(containers=[{**CONTAINER, "volumeDevices": [{"name": "v", "devicePath": "/d"}]}],
             volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]),
         pod(containers=[{**CONTAINER, "volumeDevices": [{"name": "v", "devicePath": "/d"}]}],
             volumes=[{"name": "v", "emptyDir": {}}]), {"spec.containers[0].volumeDevices[0].name"}),
        (file_of(), file_of("w"), {"spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName"}),
        (file_of("v", {"name": "v"}), file_of("v", {"name": "v", "persistentVolumeClaim": {"claimName": "c"}}),
         {"spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName"}),
        # What an environment reads.
        (env({"fieldRef": {"fieldPath": "metadata.name", "apiVersion": "v1"}}),
         env({"fieldRef": {"fieldPath": "metadata.name", "apiVersion": "v2"}}),
         {"spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"}),
        (env({"fieldRef": {"fieldPath": "metadata.annotations['a/b']"}}),
         env({"fieldRef": {"fieldPath": "metadata.annotations['/b']"}}),
         {"spec.containers[0].env[0].valueFrom.fieldRef"}),
        (env({"fieldRef": {"fieldPath": "metadata.labels['a/b']"}}),
         env({"fieldRef": {"fieldPath": "metadata.labels['/b']"}}),
         {"spec.containers[0].env[0].valueFrom.fieldRef"}),
        (env({"fieldRef": {"fieldPath": "metadata.labels['a']"}}),
         env({"fieldRef": {"fieldPath": "spec.nodeName['a']"}}),
         {"spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"}),
        # What annotations say.
        (annotated(TOLERATIONS, '[{"key": "a", "operator": "Exists"}]'), annotated(TOLERATIONS, "{"),
         {"metadata.annotations"}),
        (annotated(TOLERATIONS, "null"), annotated(TOLERATIONS, "{}"), {"metadata.annotations"}),
        (annotated(SECCOMP, "unconfined", **UNCONFINED), annotated(SECCOMP, "runtime/default", **UNCONFINED),
         {f"{OF_POD}.type"}),
        (annotated("a", "b", resourceClaims=[CLAIM]),
         annotated("kubernetes.io/config.mirror", "b", resourceClaims=[CLAIM], nodeName="n"), {""}),
        # Amounts and names.
        (container(resources={"limits": {"example.com/gpu": "1"}}),
         container(resources={"limits": {"requests.example.com/gpu": "1"}}),
         {"spec.containers[0].resources.limits[requests.example.com/gpu]"}),
        (pod(resources={"limits": {"cpu": "2"}}, containers=[{**CONTAINER, "resources": {"limits": {"cpu": "2"}}}]),
         pod(resources={"limits": {"cpu": "2"}}, containers=[{**CONTAINER, "resources": {"limits": {"cpu": "3"}}}]),
         {"spec.resources.containers[0][cpu].limits"}),
        (pod(resources={"limits": {"cpu": "2"}}), pod(resources={"limits": {"cpu": "2"}}, os={"name": "windows"}),
         {"spec.resources"}),
        (limit_range(default="2Mi", defaultRequest="2Mi"), limit_range(default="4Mi", defaultRequest="2Mi"),
         {"spec.limits[0].defaultRequest[hugepages-2Mi]"}),
        (pod(dnsConfig={"searches": ["a" * 60] * 20}), pod(dnsConfig={"searches": ["a" * 63] * 33}),
         {"spec.dnsConfig.searches"}),
        (indexed(LONG, 100), indexed(LONG, 1001), {"metadata.name"}),
        (labelled("job-name", "j"), labelled("job-name", "other"), {"spec.template.metadata.labels[job-name]"}),
        (container(resizePolicy=[{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]),
         pod(restartPolicy="Never", containers=[
             {**CONTAINER, "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}]),
         {"spec.containers[0].resizePolicy"}),
        (pod(restartPolicy="Never", containers=[
            {**CONTAINER, "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]}]),
         pod(restartPolicy="Never", containers=[{**CONTAINER, "resizePolicy": [{"resourceName": "cpu"}]}]),
         {"spec.containers[0].resizePolicy"}),
        # Windows.
        (on_windows(True, True, None), on_windows(True, False),
         {"spec.containers[0].securityContext.windowsOptions.hostProcess"}),
        (on_windows(None, True, True), on_windows(None, True, None), {"spec"}),
        (on_windows(None, False, None, network=False), on_windows(None, True, network=False), {"spec.hostNetwork"}),
        (user("CORP\\web"), user("a?b\\web"), {"spec.containers[0].securityContext.windowsOptions.runAsUserName"}),
        (user("web"), user("a\\b\\web"), {"spec.containers[0].securityContext.windowsOptions.runAsUserName"}),
        (user("w" * 104), user("w" * 105), {"spec.containers[0].securityContext.windowsOptions.runAsUserName"}),
        (user("w.b"), user(". ."), {"spec.containers[0].securityContext.windowsOptions.runAsUserName"}),
    ],
    ids=case_name,
)  # fmt: skip
def test_what_is_taken_and_what_is_not(sound: Json, unsound: Json, expected: set[str]) -> None:
    assert fields(sound) == set()
    assert fields(unsound) >= expected


def listed(items: Any, **further: Any) -> Json:
    """A schema with a list of type map."""
    keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    return schema(**{"type": "array", "items": items, **keys, **further})


KEYED = {**OBJECT, "properties": {"k": TEXT}, "required": ["k"]}


def keyed(**key: Any) -> Json:
    return {**OBJECT, "properties": {"k": key}, "required": ["k"]}


@pytest.mark.parametrize(
    ("sound", "unsound", "expected"),
    [
        (listed(KEYED), listed(TEXT), "properties[a].items.type"),
        (listed(KEYED), listed(keyed(type="array", items=TEXT)), "properties[a].items.properties[k].type"),
        (listed(KEYED), listed(keyed(type="string", nullable=True)), "properties[a].items.properties[k].nullable"),
        (listed(KEYED), listed({**KEYED, "properties": {"l": TEXT}}), "properties[a].x-kubernetes-list-map-keys"),
        (listed(KEYED), listed(KEYED, **{"x-kubernetes-list-map-keys": ["k", "k"]}),
         "properties[a].x-kubernetes-list-map-keys"),
        (schema(type="array", items=TEXT), schema(type="array", items=[TEXT]), "properties[a].items"),
        (schema(type="object", additionalProperties=TEXT),
         schema(type="object", properties={"b": TEXT}, additionalProperties=False),
         "properties[a].additionalProperties"),
        (schema(type="number", default=1), schema(type="integer", default=1.5), "properties[a].default"),
        (schema(type="array", items=TEXT, default=["a"]), schema(type="array", items=TEXT, default=[1]),
         "properties[a].default"),
        (schema(type="string", pattern="^a", default="ab"), schema(type="string", pattern="^a", default="b"),
         "properties[a].default"),
        ({**OBJECT, "not": {"properties": {"a": {"properties": {"b": {}}}}}, "properties": {
            "a": {**OBJECT, "properties": {"b": TEXT}}}},
         {**OBJECT, "not": {"properties": {"a": {"properties": {"c": {}}}}}, "properties": {
             "a": {**OBJECT, "properties": {"b": TEXT}}}}, "properties[a].properties[c]"),
        (schema(**OBJECT, **{"x-kubernetes-validations": [{"rule": "true", "messageExpression": "'a'"}]}),
         schema(**OBJECT, **{"x-kubernetes-validations": [{"rule": "true", "messageExpression": "1"}]}),
         "properties[a].x-kubernetes-validations[0].messageExpression"),
        (schema(**OBJECT, **{"x-kubernetes-validations": [{"rule": "true", "messageExpression": "'a'"}]}),
         schema(**OBJECT, **{"x-kubernetes-validations": [{"rule": "true", "messageExpression": " "}]}),
         "properties[a].x-kubernetes-validations[0].messageExpression"),
    ],
    ids=case_name,
)  # fmt: skip
def test_what_schemas_of_others_may_be(sound: Json, unsound: Json, expected: str) -> None:
    assert at_fault(definition(sound)) == []
    assert expected in at_fault(definition(unsound))
