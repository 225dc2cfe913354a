"""What an API server says while it decodes a manifest: unknown fields, wrong types, texts that are no quantities.

Source: the OpenAPI models of release 1.36 (see tests/schema/generate.py); strict decoding as kubectl asks for it.

Most manifests are sound, and jsonschema takes milliseconds to say so. So types are built of the schema for msgspec,
which says it in microseconds; only what it does not take is looked at by jsonschema, which finds every fault.
"""

from __future__ import annotations

import keyword
import math
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Any, cast

import msgspec

from kexplain.bounds import MAX_SUGGESTIONS, MAX_WORD
from kexplain.load.text.word_edit import WordEdit
from kexplain.objects.json_values import found, without_nulls
from kexplain.patterns import regex
from kexplain.validation.problem import Path, Problem, Stage, shown
from kexplain.validation.resources import nanos
from kexplain.words import clauses, did_you_mean, slip_of

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"
_MICRO_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$"
#: Texts that are quantities for certain; others are looked at more closely.
_PLAIN_QUANTITY = r"^[+-]?[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"
_LETTER = r"[A-Za-z0-9+/][\r\n]*"
#: As Go decodes it: padded, with line breaks anywhere.
_BASE64 = rf"^[\r\n]*(?:(?:{_LETTER}){{4}})*(?:(?:{_LETTER}){{2}}(?:=[\r\n]*){{2}}|(?:{_LETTER}){{3}}=[\r\n]*)?$"
_PATTERNS = {"byte": _BASE64, "date-time": _TIME, "micro-time": _MICRO_TIME}
_EXPECTED = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "an object",
}
_FORMATS = {
    "byte": "base64",
    "date-time": "a time such as 2026-01-31T12:00:00Z",
    "micro-time": "a time such as 2026-01-31T12:00:00.000000Z",
    "quantity": "a quantity such as 500m, 2 or 1Gi",
}
#: Nobody reads more than these about one manifest.
_MOST_ERRORS = 1_000
#: Texts that are of another type without their quotes.
_WHOLE = regex(r"(0|[1-9][0-9]*)$", re.ASCII)
_FLAG = regex(r"(true|false)$")
#: For so many manifests it is not worth while to make types.
_FEW = 30
_looked_at = count()
_QUOTE_IT = " (put it in quotes)"


def is_known(api_version: str, kind: str) -> bool:
    """Whether there is a schema for the kind."""
    return f"{api_version}/{kind}" in _schema()["kinds"]


def decode(value: dict[str, Any], identity: str, problems: list[Problem]) -> dict[str, Any]:
    """The manifest as it is decoded: without nulls, and without what is noted as a problem.

    `identity` is such as `apps/v1/Deployment`. What is missing, or not among the values of a field, is no problem of
    decoding.
    """
    if _is_sound(value, identity):
        # In a sound one, a null is nothing but the absence of a field.
        plain: dict[str, Any] = without_nulls(value)
        return plain
    cleaned: dict[str, Any] = _with_zeros(value, {"$ref": _schema()["kinds"][identity]})
    if _is_sound(cleaned, identity):
        return cleaned
    errors = islice(_validator(identity).iter_errors(cleaned), _MOST_ERRORS)
    for error in sorted(errors, key=lambda error: error.json_path):
        problems += _problems_of(error)
    for problem in problems:
        _remove(cleaned, problem)
    return cleaned


def _with_zeros(value: Any, rule: dict[str, Any]) -> Any:
    """A copy in which a null is what Go makes of it: no field of an object, the zero of an item or a map's value.

    All keys are strings.
    """
    if isinstance(value, dict):
        inner = rule.get("additionalProperties")
        if isinstance(inner, dict):
            return {str(key): _zero(inner) if each is None else _with_zeros(each, inner) for key, each in value.items()}
        fields = _fields(rule)
        # One that is unknown is not absent, though it is null.
        kept = ((str(key), each) for key, each in value.items() if each is not None or key not in fields)
        return {key: _with_zeros(each, fields.get(key, {})) for key, each in kept}
    if isinstance(value, list):
        inner = rule.get("items", {})
        return [_zero(inner) if each is None else _with_zeros(each, inner) for each in value]
    return value


def fields_of(value: object, identity: str) -> Iterator[tuple[str, Path, str]]:
    """Every field of a manifest that there is: `Definition.name`, its path, and how an API server writes it."""
    yield from _walked(value, {"$ref": _schema()["kinds"][identity]}, (), "")


def _walked(value: object, rule: dict[str, Any], path: Path, text: str) -> Iterator[tuple[str, Path, str]]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walked(item, rule.get("items", {}), (*path, index), f"{text}[{index}]")
    elif isinstance(value, dict) and isinstance(rule.get("additionalProperties"), dict):
        for key, item in value.items():
            yield from _walked(item, rule["additionalProperties"], (*path, key), f"{text}[{key}]")
    elif isinstance(value, dict):
        fields, definition = _fields(rule), rule.get("$ref", "").rpartition("/")[2]
        for key in value.keys() & fields.keys():
            here = _inside(text, key)
            yield f"{definition}.{key}", (*path, key), here
            yield from _walked(value[key], fields[key], (*path, key), here)


def _fields(rule: dict[str, Any]) -> dict[str, Any]:
    """The rules of an object's fields."""
    name = rule.get("$ref", "").rpartition("/")[2]
    properties: dict[str, Any] = _schema()["$defs"][name]["properties"] if name else {}
    return properties


def _zero(rule: dict[str, Any]) -> Any:
    if rule.get("format") == "quantity":
        return "0"
    zeros: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": []}
    return zeros.get(rule.get("type", ""), {})


@cache
def _schema() -> dict[str, Any]:
    # Neither importlib.resources nor json: both take longer than all else that a single manifest needs.
    schema: dict[str, Any] = msgspec.json.decode(FilePath(__file__).with_name("schema.json").read_bytes())
    return schema


# ------------------------------------------------------------------------------------------- the fast way


def _is_sound(value: dict[str, Any], identity: str) -> bool:
    """Whether there is nothing wrong for certain."""
    if next(_looked_at) < _FEW:
        return _holds(value, {"$ref": _schema()["kinds"][identity]})
    return _fits_types(value, identity)


def _fits_types(value: dict[str, Any], identity: str) -> bool:
    try:
        msgspec.convert(value, _type_of(_schema()["kinds"][identity]))
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


def _holds(value: Any, rule: dict[str, Any]) -> bool:
    """Whether there is nothing wrong for certain, by the schema itself: slower than types, which take long to make."""
    if "$ref" in rule:
        fields = _fields(rule)
        return type(value) is dict and all(
            key in fields and (each is None or _holds(each, fields[key])) for key, each in value.items()
        )
    if "anyOf" in rule:
        return isinstance(value, str) or _holds(value, rule["anyOf"][0])
    match rule.get("type"):
        case "array":
            return isinstance(value, list) and all(_holds(each, rule["items"]) for each in value)
        case "object":
            inner = rule["additionalProperties"]
            return isinstance(value, dict) and all(
                type(key) is str and _holds(each, inner) for key, each in value.items()
            )
    return _is_sound_scalar(value, rule)


def _is_sound_scalar(value: Any, rule: dict[str, Any]) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # A whole number may be too large for a float to ask about.
    is_number = is_number and (isinstance(value, int) or math.isfinite(value))
    if rule.get("format") == "quantity":
        return is_number or (isinstance(value, str) and re.search(_PLAIN_QUANTITY, value) is not None)
    match rule.get("type"):
        case "integer":
            return is_number and isinstance(value, int) and rule["minimum"] <= value <= rule["maximum"]
        case "string":
            pattern = _PATTERNS.get(rule.get("format", ""))
            return isinstance(value, str) and (pattern is None or re.search(pattern, value) is not None)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return is_number
    return True


@cache
def _type_of(definition: str) -> Any:
    """The type of a definition, which takes nothing that its schema does not."""
    properties = _schema()["$defs"][definition]["properties"]
    names = {name: f"f_{name}" if keyword.iskeyword(name) or name[:1] == "$" else name for name in properties}
    names = {name: re.sub(r"\W", "_", attribute) for name, attribute in names.items()}
    return msgspec.defstruct(
        definition,
        [(names[name], _python_type(rule) | None, None) for name, rule in properties.items()],
        rename={attribute: name for name, attribute in names.items()},
        forbid_unknown_fields=True,
        gc=False,
    )


def _python_type(rule: dict[str, Any]) -> Any:
    if "$ref" in rule:
        return _type_of(rule["$ref"].rpartition("/")[2])
    if "anyOf" in rule:
        return _python_type(rule["anyOf"][0]) | str
    if rule.get("format") == "quantity":
        finite = Annotated[float, msgspec.Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
        return Annotated[str, msgspec.Meta(pattern=_PLAIN_QUANTITY)] | int | finite
    match rule.get("type"):
        case "array":
            return list[_python_type(rule["items"])]  # type: ignore[misc] # known at run time only
        case "object":
            return dict[str, _python_type(rule["additionalProperties"])]  # type: ignore[misc] # as above
        case "integer":
            return Annotated[int, msgspec.Meta(ge=rule["minimum"], le=rule["maximum"])]
        case "string":
            pattern = _PATTERNS.get(rule.get("format", ""))
            return Annotated[str, msgspec.Meta(pattern=pattern)] if pattern else str
        case "boolean":
            return bool
        case "number":
            return int | float
    return Any


# --------------------------------------------------------------------------------------- the thorough way


@cache
def _validator(identity: str) -> Draft202012Validator:
    # Imported only once something is wrong.
    from jsonschema import Draft202012Validator, FormatChecker  # noqa: PLC0415

    formats = FormatChecker(formats=())
    formats.checks("quantity")(lambda value: isinstance(value, bool) or nanos(value) is not None)
    for name, pattern in _PATTERNS.items():
        formats.checks(name)(
            lambda value, pattern=pattern: not isinstance(value, str) or bool(re.match(pattern, value))
        )
    schema = {"$ref": f"#/$defs/{_schema()['kinds'][identity]}", "$defs": _schema()["$defs"]}
    return Draft202012Validator(schema, format_checker=formats)


def _problems_of(error: ValidationError) -> Iterator[Problem]:
    path: Path = tuple(error.absolute_path)
    text = _text_of(path, list(error.absolute_schema_path))
    value, validator, rule, schema = cast("Any", (error.instance, error.validator, error.validator_value, error.schema))
    match validator:
        case "additionalProperties":
            known = schema["properties"]
            unknown = (each for each in value if each not in known)
            for count, name in enumerate(islice(unknown, _MOST_ERRORS)):
                likely = known if count < MAX_SUGGESTIONS else ()
                message = clauses("there is no such field", did_you_mean(name, likely))
                certain = slip_of(name, likely)
                edit = WordEdit(certain) if certain and certain not in value else None
                field = _inside(text, name if len(name) <= MAX_WORD else f"{name[:MAX_WORD]}…")
                yield Problem(Stage.DECODING, field, (*path, name), message, is_about_key=True, edit=edit)
        case _:
            message = _misfit(value, validator, rule, schema)
            edit = _requoted(value, rule) if validator == "type" else None
            yield Problem(Stage.DECODING, text, path, message, edit=edit)


def _inside(text: str, name: str) -> str:
    return f"{text}.{name}" if text else name


def _misfit(value: object, validator: str, rule: Any, schema: Any) -> str:
    """Why a value is not what its field takes."""
    if validator == "format":
        # What is base64 may be a secret.
        return f"{'the value' if rule == 'byte' else shown(value)} is not {_FORMATS[rule]}"
    if validator in ("minimum", "maximum"):
        return f"{shown(value)} is not between {schema['minimum']} and {schema['maximum']}"
    if validator == "anyOf":
        return f"expected a whole number or a string, found {found(value)}"
    if schema.get("format") == "quantity":
        return f"expected a quantity, found {found(value)}"
    hint = _QUOTE_IT if rule == "string" and isinstance(value, bool | int | float) else ""
    what = shown(value) if rule == "integer" and isinstance(value, float) else found(value)
    return f"expected {_EXPECTED[rule]}, found {what}{hint}"


def _requoted(value: object, rule: Any) -> WordEdit | None:
    """The edit that makes a value of the wanted type of the same word."""
    if rule == "string" and isinstance(value, bool | int | float):
        return WordEdit(is_quoted=True)
    means = {"integer": _WHOLE, "boolean": _FLAG}.get(rule) if isinstance(value, str) else None
    return WordEdit(is_quoted=False) if means and means.match(str(value)) else None


def _text_of(path: Path, schema_path: list[Any]) -> str:
    """A path as an API server writes it, which tells fields from keys of a map."""
    text, steps = "", iter(path)
    words = iter(schema_path[:-1])
    for word in words:
        if word == "properties":
            next(words)
            text += f".{next(steps)}" if text else str(next(steps))
        elif word in ("items", "additionalProperties"):
            text += f"[{next(steps)}]"
    return text


def _remove(value: Any, problem: Problem) -> None:
    """Take out what was not decoded, so that the rest can be looked at."""
    *outer, last = problem.path or ("",)
    for step in outer:
        # What stands around it may be gone already.
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    if isinstance(value, dict):
        value.pop(last, None)
    elif isinstance(value, list) and isinstance(last, int):
        value[last] = "" if any(isinstance(item, str) for item in value[:last]) else {}
