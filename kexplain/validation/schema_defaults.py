"""Whether the defaults in schemas of custom resources are what the schemas say. Source: apiserver `schema/defaulting`.

Deviation: of formats nothing is known.
"""

from typing import Any

from kexplain.errors import MissingLibraryError
from kexplain.patterns import PatternError, compiled
from kexplain.validation.field import Field


def check_defaults(schema: Field) -> None:
    """Source: `ValidateDefaults`, as far as types and unknown fields go."""
    default = schema.child("default")
    default.reject_if(default.is_set and not _fits(default.value, schema.value), "is not what the schema says")
    for _, inner in schema.child("properties").entries():
        check_defaults(inner)
    if isinstance(schema.child("items").value, dict):
        check_defaults(schema.child("items"))


def _fits(value: Any, schema: Any) -> bool:
    if not isinstance(schema, dict):
        return True
    if value is None:
        return schema.get("nullable") is True
    if schema.get("x-kubernetes-int-or-string"):
        return isinstance(value, int | str) and not isinstance(value, bool)
    if isinstance(value, dict):
        return schema.get("type") in (None, "object") and _has_fields(value, schema)
    if isinstance(value, list):
        return schema.get("type") in (None, "array") and all(_fits(inner, schema.get("items")) for inner in value)
    enum = schema.get("enum")
    is_listed = not isinstance(enum, list) or value in enum
    return is_listed and _is_of_type(value, schema.get("type")) and _is_within(value, schema)


def _has_fields(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    """Whether all fields are known and as they should be, and those are there that are required."""
    known, others = schema.get("properties") or {}, schema.get("additionalProperties")
    is_open = bool(others) or schema.get("x-kubernetes-preserve-unknown-fields") is True
    if not is_open and not set(value) <= set(known):
        return False
    is_whole = set(schema.get("required") or ()) <= set(value)
    return is_whole and all(_fits(inner, known.get(name, others)) for name, inner in value.items())


def _is_within(value: str | float, schema: dict[str, Any]) -> bool:
    if isinstance(value, str):
        pattern = schema.get("pattern")
        fits = not isinstance(pattern, str) or _matches(pattern, value)
        return fits and schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
    if isinstance(value, bool):
        return True
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    is_open = (schema.get("exclusiveMinimum") and value == least, schema.get("exclusiveMaximum") and value == most)
    return bool(least <= value <= most) and not any(is_open)


def _matches(pattern: str, text: str) -> bool:
    try:
        engine = compiled(pattern)
    except (PatternError, MissingLibraryError):
        # The former is a problem of its own.
        return True
    return engine is None or engine.search(text) is not None


def _is_of_type(value: object, kind: object) -> bool:
    if isinstance(value, bool):
        return kind in (None, "boolean")
    if isinstance(value, str):
        return kind in (None, "string")
    if isinstance(value, int):
        return kind in (None, "integer", "number")
    return kind in (None, "number") or (kind == "integer" and isinstance(value, float) and value.is_integer())
