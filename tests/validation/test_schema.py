"""Strict decoding: what the schema says of a manifest."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kexplain.objects.json_values import without_nulls
from kexplain.objects.problem import Problem, Stage
from kexplain.objects.quantity import QuantityError, parse
from kexplain.validation.check import check
from kexplain.validation.schema import decode, schema

from .manifests import Json, case_name, container, fields, pod, workload


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (container(imagee="x"), {"spec.containers[0].imagee": "there is no such field; did you mean image?"}),
        (pod(nodeselector={}), {"spec.nodeselector": "there is no such field; did you mean nodeSelector?"}),
        (pod(zzzzzz=1), {"spec.zzzzzz": "there is no such field"}),
        (pod(zzzzzz=None), {"spec.zzzzzz": "there is no such field"}),
        (pod(containers="app"), {"spec.containers": "expected a list, found a string"}),
        (pod(containers=["app"]), {"spec.containers[0]": "expected an object, found a string"}),
        (pod(nodeSelector={"a": 1}), {"spec.nodeSelector[a]": "expected a string, found a number (put it in quotes)"}),
        (pod(hostNetwork="true"), {"spec.hostNetwork": "expected true or false, found a string"}),
        (pod(priority=1.5), {"spec.priority": "expected a whole number, found 1.5"}),
        (pod(priority=2**31), {"spec.priority": "2147483648 is not between -2147483648 and 2147483647"}),
        (
            pod(tolerations=[{"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 2**63}]),
            {
                "spec.tolerations[0].tolerationSeconds": (
                    "9223372036854775808 is not between -9223372036854775808 and 9223372036854775807"
                )
            },
        ),
        (
            container(resources={"limits": {"cpu": "1x", "a.b/c": True}}),
            {
                "spec.containers[0].resources.limits[cpu]": '"1x" is not a quantity such as 500m, 2 or 1Gi',
                "spec.containers[0].resources.limits[a.b/c]": "expected a quantity, found a boolean",
            },
        ),
        (
            container(livenessProbe={"tcpSocket": {"port": []}}),
            {"spec.containers[0].livenessProbe.tcpSocket.port": "expected a whole number or a string, found a list"},
        ),
        (
            {**pod(), "metadata": {"name": "a", "creationTimestamp": "yesterday"}},
            {"metadata.creationTimestamp": '"yesterday" is not a time such as 2026-01-31T12:00:00Z'},
        ),
    ],
    ids=case_name,
)
def test_what_is_not_decoded(manifest: Json, expected: dict[str, str]) -> None:
    problems = [problem for problem in check(manifest) if problem.stage is Stage.DECODING]
    assert {problem.field: problem.message for problem in problems} == expected


@pytest.mark.parametrize("raw", ["1", " 1Gi", "1e3", "+.5", "100m", 1, 0.5, "1n", "12E"])
def test_quantities_are_taken_as_they_can_be_written(raw: str | float) -> None:
    assert fields(container(resources={"limits": {"memory": raw}}), Stage.DECODING) == set()


def test_nulls_are_absent() -> None:
    assert check(container(command=None, ports=[], env=None)) == ()
    assert check({**pod(), "metadata": {"name": "a", "labels": {"app": None}}}) == ()


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (container(command=[None]), set()),
        (container(resources={"limits": {"cpu": None}, "requests": {"cpu": "1"}}), {"resources.requests"}),
        (container(ports=[None]), {"ports[0].containerPort"}),
    ],
    ids=case_name,
)
def test_nulls_in_lists_and_maps_are_zeros(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == {f"spec.containers[0].{field}" for field in expected}


@pytest.mark.parametrize(
    ("version", "kind", "instead"),
    [
        ("storage.k8s.io/v1beta1", "StorageClass", "storage.k8s.io/v1"),
        ("resource.k8s.io/v1beta1", "ResourceClaim", "resource.k8s.io/v1"),
        ("resource.k8s.io/v1beta2", "DeviceClass", "resource.k8s.io/v1"),
        ("extensions/v1beta1", "Ingress", "networking.k8s.io/v1"),
        ("autoscaling/v2beta1", "HorizontalPodAutoscaler", "autoscaling/v2"),
    ],
)
def test_versions_that_are_not_served(version: str, kind: str, instead: str) -> None:
    (problem, *_) = check({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}})
    assert (problem.field, problem.stage) == ("apiVersion", Stage.DECODING)
    assert instead in problem.message


@pytest.mark.parametrize(
    ("version", "kind", "spec", "says"),
    [
        ("apps/v1beta1", "StatefulSet", {}, "there spec.updateStrategy defaults to RollingUpdate, not OnDelete"),
        ("apps/v1beta1", "StatefulSet", {"updateStrategy": {"type": "OnDelete"}}, ""),
        ("apps/v1beta2", "StatefulSet", {}, ""),
        (
            "extensions/v1beta1",
            "Deployment",
            {"strategy": {}, "revisionHistoryLimit": 1},
            "there spec.progressDeadline",
        ),
        (
            "policy/v1beta1",
            "PodDisruptionBudget",
            {"selector": {}},
            "there an empty selector selects every pod, not none",
        ),
        ("policy/v1beta1", "PodDisruptionBudget", {"selector": {"matchLabels": {"a": "b"}}}, ""),
    ],
)
def test_what_means_something_else_in_the_version_to_use(version: str, kind: str, spec: Json, says: str) -> None:
    problems = check({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec})
    (problem,) = (each for each in problems if each.field == "apiVersion")
    assert (says in problem.message) if says else problem.message.endswith(("apps/v1", "policy/v1"))
    assert (problem.edit is None) == bool(says)


@pytest.mark.parametrize(
    ("data", "field"), [("YQ==", None), ("YQ=", "data[a]"), ("?", "data[a]"), (1, "data[a]"), ("", None)]
)
def test_data_of_secrets_is_base64(data: object, field: str | None) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"a": data}}
    assert fields(secret, Stage.DECODING) == ({field} if field else set())
    assert check({**pod(), "status": None, "metadata": {"name": "a", "creationTimestamp": None}}) == ()


def test_status_need_not_be_complete() -> None:
    status = {"nodeInfo": {"kubeletVersion": "v1.36.0"}, "conditions": [{"type": "Ready"}]}
    assert check({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": status}) == ()


def test_every_reference_is_defined() -> None:
    whole = schema()

    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["$ref"].rpartition("/")[2]} if isinstance(value.get("$ref"), str) else set()
            return own.union(*map(references, value.values()))
        return set().union(*map(references, value)) if isinstance(value, list) else set()

    assert references(whole["$defs"]) | set(whole["kinds"].values()) == set(whole["$defs"])


# Values of every kind at every depth, under names of which some are fields.
NAMES = st.sampled_from(
    ["metadata", "spec", "name", "containers", "template", "resources", "limits", "image", "x", "cpu"]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "1", "a", "1x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def _validator(identity: str) -> jsonschema.Draft202012Validator:
    """The same schema for a library that knows nothing of ours."""
    formats = jsonschema.FormatChecker(formats=())
    formats.checks("quantity", raises=QuantityError)(lambda value: isinstance(value, bool) or parse(value) is not None)
    whole = schema()
    return jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{whole['kinds'][identity]}", "$defs": whole["$defs"]}, format_checker=formats
    )


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_is_decoded_is_what_json_schema_calls_valid(value: Json) -> None:
    value = without_nulls(value)
    for identity in ("v1/Pod", "apps/v1/Deployment"):
        problems: list[Problem] = []
        decode(value, identity, problems)
        assert bool(problems) == (not _validator(identity).is_valid(value))


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_was_decoded_is_sound(value: Json) -> None:
    problems: list[Problem] = []
    decoded = decode(value, "v1/Pod", problems)
    again: list[Problem] = []
    decode(decoded, "v1/Pod", again)
    assert again == []


@given(
    st.dictionaries(NAMES, VALUES, max_size=4), st.sampled_from(["Pod", "Deployment", "Job", "CronJob", "LimitRange"])
)
def test_nothing_makes_it_fail(value: Json, kind: str) -> None:
    versions = {"Pod": "v1", "LimitRange": "v1", "Deployment": "apps/v1"}
    for problem in check({**value, "apiVersion": versions.get(kind, "batch/v1"), "kind": kind}):
        assert problem.message
    for place in (pod(), workload("Deployment")):
        assert all(problem.field for problem in check({**place, "spec": {**place["spec"], **value}}))
