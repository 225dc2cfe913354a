"""Policies of admission and what binds them. Source: admissionregistration/validation and its defaults, release 1.36.

Deviation: of expressions, only syntax, variables and types of results are checked, as the functions of Kubernetes are
not known.
"""

from __future__ import annotations

from kexplain.cel.conditions import expression_problem
from kexplain.patterns import regex
from kexplain.validation.labels import check_label_selector
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_old_label, dns_subdomain, label_key, path_segment
from kexplain.validation.problem import Field, reject_repeated, shown
from kexplain.validation.webhooks import (
    FAILURE_POLICIES,
    MATCH_POLICIES,
    REINVOCATION_POLICIES,
    check_conditions,
    check_rule,
)

_ACTIONS = ("Audit", "Deny", "Warn")
_MUTATING_OPERATIONS = ("*", "CONNECT", "CREATE", "UPDATE")
_NOT_FOUND_ACTIONS = ("Allow", "Deny")
_PATCH_TYPES = ("ApplyConfiguration", "JSONPatch")
_REASONS = ("Forbidden", "Invalid", "RequestEntityTooLarge")
_MOST_ANNOTATIONS = 20
_LONGEST_ANNOTATION = 5 * 1024
_IDENTIFIER = regex(r"[_a-zA-Z][_a-zA-Z0-9]*")
_RESERVED = frozenset(
    {
        "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
        "let", "loop", "package", "namespace", "return", "var", "void", "while",
    }
)  # fmt: skip
#: What every expression can read; a message cannot ask the authorizer.
_OF_MESSAGES = ("namespaceObject", "object", "oldObject", "request")
_VARIABLES = (*_OF_MESSAGES, "authorizer")
_READ_VARIABLE = regex(r"\bvariables\.(\w+)")
_LINE_BREAK = regex(r"[\n\r]")


def check_validating_policy(policy: Field) -> None:
    """A policy that judges objects."""
    check_metadata(policy.child("metadata"), is_namespaced=False)
    spec = policy.child("spec")
    known = _check_policy(spec)
    validations, annotations = spec.child("validations"), spec.child("auditAnnotations")
    if not validations.items() and not annotations.items():
        for each in (validations, annotations):
            each.reject("needs an item, here or there")
        return
    for validation in validations.items():
        _check_validation(validation, known)
    annotations.no_more_than(_MOST_ANNOTATIONS)
    name = policy.descend("metadata", "name").string
    for annotation in annotations.items():
        _check_annotation(annotation, name, known)
    keys = [annotation.child("key") for annotation in annotations.items()]
    reject_repeated((key.string, key) for key in keys)


def check_mutating_policy(policy: Field) -> None:
    """A policy that changes objects."""
    check_metadata(policy.child("metadata"), is_namespaced=False)
    spec = policy.child("spec")
    known = _check_policy(spec)
    _check_mutating_operations(spec.child("matchConstraints"))
    mutations = spec.child("mutations")
    mutations.require()
    for mutation in mutations.items():
        _check_mutation(mutation, known)
    if spec.child("reinvocationPolicy").require():
        spec.child("reinvocationPolicy").one_of(REINVOCATION_POLICIES)


def check_validating_binding(binding: Field) -> None:
    """What a policy judges, with which parameters, and what follows."""
    _check_binding(binding)
    actions = binding.descend("spec", "validationActions")
    actions.require()
    for action in actions.items():
        action.one_of(_ACTIONS)
    reject_repeated((action.string, action) for action in actions.items())
    if {"Deny", "Warn"} <= {*actions.strings}:
        actions.reject("must not have both Deny and Warn")


def check_mutating_binding(binding: Field) -> None:
    """What a policy changes, and with which parameters."""
    _check_binding(binding)
    _check_mutating_operations(binding.descend("spec", "matchResources"))


# ---------------------------------------------------------------------------------------------------- policies


def _check_policy(spec: Field) -> tuple[str, ...]:
    """What both kinds of policies have; the variables that their expressions can read."""
    spec.child("failurePolicy").one_of(FAILURE_POLICIES)
    kind, matched = spec.child("paramKind"), spec.child("matchConstraints")
    known = (*_VARIABLES, "params") if kind.is_set else _VARIABLES
    if kind.is_set:
        _check_kind(kind)
    if matched.require_set():
        _check_matched(matched)
        matched.child("resourceRules").require()
    check_conditions(spec.child("matchConditions"), tuple(name for name in known if name != "namespaceObject"))
    defined: list[str] = []
    for variable in spec.child("variables").items():
        _check_variable(variable, (*known, "variables", *defined))
        if variable.child("expression").string.strip():
            defined.append(f"variables.{variable.child('name').string}")
    return (*known, "variables", *defined) if spec.child("variables").items() else known


def _check_kind(kind: Field) -> None:
    version, name = kind.child("apiVersion"), kind.child("kind")
    if version.require():
        group, _, rest = version.string.rpartition("/")
        if "/" in group:
            version.reject(f"{shown(version.string)} is no group and version")
        else:
            for problem in (dns_subdomain(group) if group else None, dns_old_label(rest)):
                if problem:
                    version.reject(f"{shown(version.string)} {problem}")
    if name.require() and (problem := dns_old_label(name.string.lower())):
        name.reject(f"{shown(name.string)} {problem}")


def _check_matched(matched: Field) -> None:
    matched.child("matchPolicy").one_of(MATCH_POLICIES)
    for name in ("namespaceSelector", "objectSelector"):
        check_label_selector(matched.child(name))
    for name in ("resourceRules", "excludeResourceRules"):
        for rule in matched.child(name).items():
            names = rule.child("resourceNames").items()
            for each in names:
                each.obey(path_segment)
            reject_repeated((each.string, each) for each in names)
            check_rule(rule)


def _check_mutating_operations(matched: Field) -> None:
    operations = matched.child("resourceRules").child("operations")
    for rule in matched.child("resourceRules").items():
        for operation in rule.child("operations").items():
            operation.written(operations).one_of(_MUTATING_OPERATIONS)


def _check_variable(variable: Field, known: tuple[str, ...]) -> None:
    name = variable.child("name")
    if not name.string.strip():
        name.reject("is required")
    elif not _IDENTIFIER.fullmatch(name.string) or name.string in _RESERVED:
        name.reject(f"{shown(name.string)} is not a name in expressions")
    _check_expression(variable.child("expression"), known)


def _check_validation(validation: Field, known: tuple[str, ...]) -> None:
    _check_expression(validation.child("expression"), known, "bool")
    by_expression, message = validation.child("messageExpression"), validation.child("message")
    if by_expression.string and not by_expression.string.strip():
        by_expression.reject("must not be blank")
    elif by_expression.string:
        readable = tuple(name for name in known if name != "authorizer")
        _check_expression(by_expression, readable, "string")
    if message.string and not message.string.strip():
        message.reject("must not be blank")
    elif _LINE_BREAK.search(message.string.strip()):
        message.reject("must be on one line")
    validation.child("reason").one_of(_REASONS)


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
    kind.one_of(_PATCH_TYPES)
    by_kind = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
    for each, name in by_kind.items() if kind.string in by_kind else ():
        patch = mutation.child(name)
        if each != kind.string:
            if patch.is_set:
                patch.reject(f"needs the patchType {each}")
        elif patch.require_set(f"is required with the patchType {each}"):
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


def _check_binding(binding: Field) -> None:
    check_metadata(binding.child("metadata"), is_namespaced=False)
    spec = binding.child("spec")
    if spec.child("policyName").require():
        spec.child("policyName").obey(dns_subdomain)
    _check_parameters(spec.child("paramRef"))
    if spec.child("matchResources").is_set:
        _check_matched(spec.child("matchResources"))


def _check_parameters(reference: Field) -> None:
    if not reference.is_set:
        return
    name, selector, action = (reference.child(each) for each in ("name", "selector", "parameterNotFoundAction"))
    if name.string:
        name.obey(path_segment)
    if selector.is_set:
        check_label_selector(selector)
    if name.string and selector.is_set:
        for each in (name, selector):
            each.reject("either this or the other")
    if not name.string and not selector.is_set:
        reference.reject("needs a name or a selector")
    if action.require():
        action.one_of(_NOT_FOUND_ACTIONS)
