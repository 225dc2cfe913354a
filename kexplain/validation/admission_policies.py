"""Policies of admission and what binds them. Source: admissionregistration/validation and its defaults, release 1.36.

Deviation: of expressions, only syntax, variables and types of results are checked, as the functions of Kubernetes are
not known.
"""

from collections.abc import Iterable

from kexplain.cel.conditions import expression_problem
from kexplain.objects.json_values import shown
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.names import dns_old_label, dns_subdomain, label_key

_LONGEST_ANNOTATION = 5 * 1024
#: What every expression can read; a message cannot ask the authorizer.
_AUTHORIZER = "authorizer"
_VARIABLES = ("namespaceObject", "object", "oldObject", "request", _AUTHORIZER)
_READ_VARIABLE = regex(r"\bvariables\.(\w+)")


def _group(text: str) -> str | None:
    group = text.rpartition("/")[0]
    if "/" in group:
        return "is not a group and version"
    return dns_subdomain(group) if group else None


def _version(text: str) -> str | None:
    return None if text.count("/") > 1 else dns_old_label(text.rpartition("/")[2])


def _check_key(key: Field) -> None:
    """The key of an annotation, which the name of the policy stands before."""
    name = _root(key).descend("metadata", "name").string
    if problem := label_key(f"{name}/{key.string}"):
        key.reject(f"{shown(key.string)} {problem}")


# ------------------------------------------------------------------------------------------------- expressions


def _root(field: Field) -> Field:
    return field if field.outer is None else _root(field.outer)


def _known(expression: Field) -> list[str]:
    """What an expression can read; a variable, those that are defined before it, each as `variables.NAME`."""
    spec, (_, place, *index) = _root(expression).child("spec"), expression.path
    variables = spec.child("variables").items()
    before = variables[: int(index[0])] if place == "variables" else variables
    defined = [f"variables.{each.child('name').string}" for each in before if each.child("expression").string.strip()]
    params = ["params"] if spec.child("paramKind").is_set else []
    return [*_VARIABLES, *params, *(["variables"] if variables else []), *defined]


def _check_expression(expression: Field, *kinds: str) -> None:
    """An expression of one of some types."""
    _check_reading(expression, _known(expression), *kinds)


def _check_message(expression: Field) -> None:
    _check_reading(expression, (name for name in _known(expression) if name != _AUTHORIZER), "string")


def _check_patch(expression: Field) -> None:
    _check_expression(expression, "a patch")


def _check_value(expression: Field) -> None:
    if len(expression.string.strip()) > _LONGEST_ANNOTATION:
        expression.no_longer_than(_LONGEST_ANNOTATION)
    else:
        _check_expression(expression, "string", "null")


def _check_reading(expression: Field, known: Iterable[str], *kinds: str) -> None:
    text, readable = expression.string.strip(), [*known]
    if not text:
        expression.reject("is required")
        return
    plain = [name for name in readable if "." not in name]
    undefined = [name for name in _READ_VARIABLE.findall(text) if f"variables.{name}" not in readable]
    if problem := expression_problem(text, plain, kinds):
        expression.reject(problem)
    elif undefined:
        expression.reject(f"reads the variable {undefined[0]}, which is not defined")
