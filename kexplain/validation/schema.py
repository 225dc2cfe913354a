"""What an API server says while it decodes a manifest: unknown fields, wrong types, texts that are no quantities.

Source: the OpenAPI models of release 1.37 (see tests/schema/generate.py); strict decoding as kubectl asks for it.
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path as FilePath
from typing import Any

import msgspec

from kexplain.load.decoding import Shape, decoded
from kexplain.objects.problem import Path, Problem

_KINDS = {"array": "list", "object": "map"}


def is_known(api_version: str, kind: str) -> bool:
    """Whether there is a schema for the kind."""
    return f"{api_version}/{kind}" in schema()["kinds"]


def decode(value: dict[str, Any], identity: str, problems: list[Problem]) -> dict[str, Any]:
    """The manifest as it is decoded: without nulls, and without what is noted as a problem.

    `identity` is such as `apps/v1/Deployment`. What is missing, or not among the values of a field, is no problem of
    decoding.
    """
    plain, undecoded = decoded(value, kind_shape(identity))
    problems += undecoded
    cleaned: dict[str, Any] = plain
    return cleaned


def fields_of(value: object, identity: str) -> Iterator[tuple[str, Path, str]]:
    """Every field of a manifest that there is: `Definition.name`, its path, and how an API server writes it."""
    yield from _walked(value, kind_shape(identity), (), "")


def _walked(value: object, shape: Shape, path: Path, text: str) -> Iterator[tuple[str, Path, str]]:
    if isinstance(value, list) and shape.inner:
        for index, item in enumerate(value):
            yield from _walked(item, shape.inner, (*path, index), f"{text}[{index}]")
    elif isinstance(value, dict) and shape.inner:
        for key, item in value.items():
            yield from _walked(item, shape.inner, (*path, key), f"{text}[{key}]")
    elif isinstance(value, dict):
        fields = shape.fields()
        for key in value.keys() & fields.keys():
            here = f"{text}.{key}" if text else key
            yield f"{shape.name}.{key}", (*path, key), here
            yield from _walked(value[key], fields[key], (*path, key), here)


@cache
def schema() -> dict[str, Any]:
    """The schema as it was generated: definitions, and which of them each kind has."""
    # Neither importlib.resources nor json: both take longer than all else that a single manifest needs.
    found: dict[str, Any] = msgspec.json.decode(FilePath(__file__).with_name("schema.json").read_bytes())
    return found


def kind_shape(identity: str) -> Shape:
    """The shape of a kind."""
    return _definition(schema()["kinds"][identity])


@cache
def _definition(name: str) -> Shape:
    return Shape("object", fields=partial(_fields, name), name=name)


@cache
def _fields(definition: str) -> Mapping[str, Shape]:
    return {name: _shape(rule) for name, rule in schema()["$defs"][definition]["properties"].items()}


def _shape(rule: dict[str, Any]) -> Shape:
    if "$ref" in rule:
        return _definition(rule["$ref"].rpartition("/")[2])
    if "anyOf" in rule:
        return Shape("int-or-string", bounds=_shape(rule["anyOf"][0]).bounds)
    if rule.get("format") == "quantity":
        return Shape("quantity")
    kind, inner = rule.get("type", "any"), rule.get("items", rule.get("additionalProperties"))
    if inner is False:
        return Shape("object")
    within = None if inner is None else _shape(inner)
    bounds = (rule["minimum"], rule["maximum"]) if "minimum" in rule else None
    return Shape(_KINDS.get(kind, kind), inner=within, bounds=bounds, form=rule.get("format", ""))
