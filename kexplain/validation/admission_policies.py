"""Policies of admission and what binds them. Source: admissionregistration/validation and its defaults, release 1.36.

Deviation: of expressions, only syntax, variables and types of results are checked, as the functions of Kubernetes are
not known.
"""

from kexplain.cel.conditions import expression_problem
from kexplain.objects.json_values import shown
from kexplain.patterns import regex
from kexplain.tables import sections
from kexplain.validation import rows
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_old_label, dns_subdomain, label_key
from kexplain.validation.rows import judge
from kexplain.validation.webhooks import (
    check_conditions,
)

_LONGEST_ANNOTATION = 5 * 1024
_IDENTIFIER = regex(r"[_a-zA-Z][_a-zA-Z0-9]*")
_RESERVED = sections("validation-words")["reserved"]
#: What every expression can read; a message cannot ask the authorizer.
_OF_MESSAGES = ("namespaceObject", "object", "oldObject", "request")
_VARIABLES = (*_OF_MESSAGES, "authorizer")
_READ_VARIABLE = regex(r"\bvariables\.(\w+)")


def check_validating_policy(policy: Field) -> None:
    """A policy that judges objects."""
    check_metadata(policy.child("metadata"), is_namespaced=False)
    spec = policy.child("spec")
    known = _check_policy(spec)
    validations, annotations = spec.child("validations"), spec.child("auditAnnotations")
    if not validations.items() and not annotations.items():
        for field in (validations, annotations):
            field.reject("needs an item, here or there")
        return
    for validation in validations.items():
        _check_validation(validation, known)
    annotations.no_more_than(20)
    name = policy.descend("metadata", "name").string
    for annotation in annotations.items():
        _check_annotation(annotation, name, known)
    rows.unique("key", at="key")(annotations)


def check_mutating_policy(policy: Field) -> None:
    """A policy that changes objects."""
    check_metadata(policy.child("metadata"), is_namespaced=False)
    spec = policy.child("spec")
    known = _check_policy(spec)
    judge(spec, "admission_policies.mutating_policy")
    for mutation in spec.child("mutations").items():
        _check_mutation(mutation, known)
    judge(spec, "admission_policies.reinvocation")


# ---------------------------------------------------------------------------------------------------- policies


def _check_policy(spec: Field) -> tuple[str, ...]:
    """What both kinds of policies have; the variables that their expressions can read."""
    judge(spec, "admission_policies.policy")
    known = (*_VARIABLES, "params") if spec.child("paramKind").is_set else _VARIABLES
    check_conditions(spec.child("matchConditions"), *(name for name in known if name != "namespaceObject"))
    defined: list[str] = []
    for variable in spec.child("variables").items():
        _check_variable(variable, (*known, "variables", *defined))
        if variable.child("expression").string.strip():
            defined.append(f"variables.{variable.child('name').string}")
    return (*known, "variables", *defined) if spec.child("variables").items() else known


def _group(text: str) -> str | None:
    group = text.rpartition("/")[0]
    if "/" in group:
        return "is not a group and version"
    return dns_subdomain(group) if group else None


def _version(text: str) -> str | None:
    return None if text.count("/") > 1 else dns_old_label(text.rpartition("/")[2])


def _check_variable(variable: Field, known: tuple[str, ...]) -> None:
    name = variable.child("name")
    if not name.string.strip():
        name.reject("is required")
    elif not _IDENTIFIER.fullmatch(name.string) or name.string in _RESERVED:
        name.reject(f"{shown(name.string)} is not a name in expressions")
    _check_expression(variable.child("expression"), known)


def _check_validation(validation: Field, known: tuple[str, ...]) -> None:
    _check_expression(validation.child("expression"), known, "bool")
    by_expression = validation.child("messageExpression")
    if by_expression.string.strip():
        readable = tuple(name for name in known if name != "authorizer")
        _check_expression(by_expression, readable, "string")
    judge(validation, "admission_policies.validation")


def _check_annotation(annotation: Field, name: str, known: tuple[str, ...]) -> None:
    key, value = annotation.child("key"), annotation.child("valueExpression")
    if not name:
        key.reject("needs a name of the policy")
    elif problem := label_key(f"{name}/{key.string}"):
        key.reject(f"{shown(key.string)} {problem}")
    if len(value.string.strip()) > _LONGEST_ANNOTATION:
        value.no_longer_than(_LONGEST_ANNOTATION)
    else:
        _check_expression(value, known, "string", "null")


def _check_mutation(mutation: Field, known: tuple[str, ...]) -> None:
    kind = mutation.child("patchType")
    if not kind.require():
        return
    kind.one_of("ApplyConfiguration", "JSONPatch")
    by_kind = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
    for patch_type, name in by_kind.items() if kind.string in by_kind else ():
        patch = mutation.child(name)
        if patch_type != kind.string:
            patch.forbid(f"needs the patchType {patch_type}")
        elif patch.require_set(f"is required with the patchType {patch_type}"):
            _check_expression(patch.child("expression"), known, "a patch")


def _check_expression(expression: Field, known: tuple[str, ...], *kinds: str) -> None:
    """An expression of one of some types; `known` has the variables that are defined as `variables.NAME`."""
    text = expression.string.strip()
    if not text:
        expression.reject("is required")
        return
    plain = [name for name in known if "." not in name]
    undefined = [name for name in _READ_VARIABLE.findall(text) if f"variables.{name}" not in known]
    if problem := expression_problem(text, plain, kinds):
        expression.reject(problem)
    elif undefined:
        expression.reject(f"reads the variable {undefined[0]}, which is not defined")


# ---------------------------------------------------------------------------------------------------- bindings
