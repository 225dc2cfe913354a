"""Rules in schemas of custom resources, x-kubernetes-validations. Source: apiextensions/validation, release 1.36.

Deviation: expressions are held to syntax, variables, fields of the schema and types only, not to a budget.
"""

from kexplain.cel.conditions import condition_problem, expression_problem
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.rows import judge

_TYPES = ("array", "boolean", "integer", "number", "object", "string")
#: What a rule reads of itself, functions aside.
_READ_FIELD = regex(r"\b(?:oldSelf|self)\.(\w+)\b(?!\s*\()")


def check_rules(schema: Field, *, has_types: bool) -> None:
    """The rules; what they read is known only where the schema `has_types`."""
    for rule in schema.child("x-kubernetes-validations").items():
        judge(rule, "schema_rules.rule")
        text, by_expression = rule.child("rule"), rule.child("messageExpression")
        if has_types and text.string.strip() and (problem := _rule_problem(text.string.strip(), schema)):
            text.reject(problem)
        if by_expression.string and not by_expression.string.strip():
            by_expression.reject("must not be blank")
        elif has_types and by_expression.string:
            problem = expression_problem(by_expression.string.strip(), ("self", "oldSelf"), ("string",))
            by_expression.reject_if(problem, problem or "")


def _rule_problem(text: str, schema: Field) -> str | None:
    kind = schema.child("type").string
    if kind and kind not in _TYPES:
        return None
    problem = condition_problem(text, ("self", "oldSelf"))
    is_open = schema.child("additionalProperties").is_set or schema.child("x-kubernetes-embedded-resource").flag
    if problem or is_open or kind in ("", "array"):
        return problem
    known = schema.child("properties").mapping if kind == "object" else {}
    unknown = [name for name in _READ_FIELD.findall(text) if _unescaped(name) not in known]
    return f"reads {unknown[0]}, which the schema does not have" if unknown else None


def _unescaped(name: str) -> str:
    """The property that a name in expressions stands for."""
    for escaped, plain in (("__dot__", "."), ("__dash__", "-"), ("__slash__", "/"), ("__underscores__", "__")):
        name = name.replace(escaped, plain)
    return name.removeprefix("__").removesuffix("__") if name.startswith("__") else name
