from __future__ import annotations

from typing import Any

import pytest

from kexplain.validation.check import check

RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
MATCHED = {"resourceRules": [RULE]}
ABOVE = {"expression": "object.spec.replicas > 5"}
PATCH = {"patchType": "JSONPatch", "jsonPatch": {"expression": '[JSONPatch{op: "add", path: "/a", value: 1}]'}}


def made(kind: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": "p"}, "spec": spec,
    }  # fmt: skip


def validating(**spec: Any) -> dict[str, Any]:
    return made("ValidatingAdmissionPolicy", **{"matchConstraints": MATCHED, "validations": [ABOVE], **spec})


def mutating(**spec: Any) -> dict[str, Any]:
    spec = {"matchConstraints": MATCHED, "mutations": [PATCH], "reinvocationPolicy": "Never", **spec}
    return made("MutatingAdmissionPolicy", **spec)


@pytest.mark.parametrize(
    ("manifest", "fields"),
    [
        pytest.param(validating(), [], id="sound"),
        pytest.param(validating(validations=[]), ["spec.auditAnnotations", "spec.validations"], id="nothing-to-do"),
        pytest.param(validating(matchConstraints=None), ["spec.matchConstraints"], id="matches-nothing"),
        pytest.param(validating(failurePolicy="Panic"), ["spec.failurePolicy"], id="failure-policy"),
        pytest.param(validating(paramKind={"apiVersion": "v1"}), ["spec.paramKind.kind"], id="parameters"),
        pytest.param(
            validating(validations=[{"expression": "params.a == 1"}]), ["spec.validations[0].expression"],
            id="no-parameters",
        ),
        pytest.param(validating(validations=[{"expression": "1"}]), ["spec.validations[0].expression"], id="number"),
        pytest.param(validating(validations=[{"expression": "1 +"}]), ["spec.validations[0].expression"], id="syntax"),
        pytest.param(
            validating(validations=[{"expression": "variables.x > 1"}]), ["spec.validations[0].expression"],
            id="variable-not-defined",
        ),
        pytest.param(
            validating(
                variables=[{"name": "x", "expression": "object.a"}], validations=[{"expression": "variables.x > 1"}]
            ), [], id="variable",
        ),
        pytest.param(
            validating(variables=[{"name": "if", "expression": "1"}]), ["spec.variables[0].name"], id="reserved-name",
        ),
        pytest.param(
            validating(validations=[{**ABOVE, "message": "two\nlines", "reason": "Because"}]),
            ["spec.validations[0].message", "spec.validations[0].reason"], id="message",
        ),
        pytest.param(
            validating(validations=[{**ABOVE, "messageExpression": "1"}]), ["spec.validations[0].messageExpression"],
            id="message-is-a-number",
        ),
        pytest.param(mutating(), [], id="mutating"),
        pytest.param(
            mutating(mutations=[{"patchType": "ApplyConfiguration"}]), ["spec.mutations[0].applyConfiguration"],
            id="no-patch",
        ),
        pytest.param(
            mutating(matchConstraints={"resourceRules": [{**RULE, "operations": ["DELETE"]}]}),
            ["spec.matchConstraints.resourceRules.operations"], id="mutates-what-goes",
        ),
        pytest.param(
            made("ValidatingAdmissionPolicyBinding", policyName="p", validationActions=["Deny", "Warn"]),
            ["spec.validationActions"], id="twice-told",
        ),
        pytest.param(
            made("MutatingAdmissionPolicyBinding", policyName="p", paramRef={"parameterNotFoundAction": "Deny"}),
            ["spec.paramRef"], id="no-parameter",
        ),
        pytest.param(
            made("MutatingAdmissionPolicyBinding", paramRef={"name": "a", "selector": {}}),
            [*(f"spec.paramRef.{each}" for each in ("name", "parameterNotFoundAction", "selector")), "spec.policyName"],
            id="name-and-selector",
        ),
    ],
)  # fmt: skip
def test_policies(manifest: dict[str, Any], fields: list[str]) -> None:
    assert sorted({each.field for each in check(manifest)}) == fields
