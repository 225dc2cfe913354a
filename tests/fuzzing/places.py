"""The places of objects that hold a value, each with what may stand there, as the schema of Kubernetes has it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import kexplain

Schema = Mapping[str, Any]

_SCHEMA: dict[str, Any] = json.loads((Path(kexplain.__file__).parent / "validation" / "schema.json").read_text())
_DEFS: Mapping[str, Schema] = _SCHEMA["$defs"]
_KINDS: Mapping[str, str] = _SCHEMA["kinds"]
_ANYTHING: Schema = {}
_LARGEST_POOL = 80
_KEYS = "keys"


class Place(NamedTuple):
    """`holder[key]` is a value; `name` is the same for places that hold the same kind of thing."""

    holder: Any
    key: str | int
    name: str
    schema: Schema

    @property
    def value(self) -> Any:
        """What stands there."""
        return self.holder[self.key]

    @property
    def is_there(self) -> bool:
        """Whether it still stands there, after other changes."""
        return self.key in self.holder if isinstance(self.holder, dict) else int(self.key) < len(self.holder)


def resolved(schema: Schema) -> tuple[str, Schema]:
    """The name of a definition, empty for one in place, and what it says."""
    reference = schema.get("$ref", "")
    name = reference.rpartition("/")[2]
    return name, _DEFS[name] if name else schema


def places(objects: Iterable[Any]) -> Iterator[Place]:
    """Every place below these objects, those of known kinds with their schemas."""
    for each in objects:
        if isinstance(each, dict) and isinstance(each.get("items"), list):
            yield from places(each["items"])
        else:
            yield from _below(each, schema_of(each), "")


def schema_of(obj: Any) -> Schema:
    """What may stand in an object of this kind; anything where the kind is not known."""
    if not isinstance(obj, dict):
        return _ANYTHING
    name = _KINDS.get(f"{obj.get('apiVersion')}/{obj.get('kind')}")
    return _DEFS[name] if name else _ANYTHING


def _below(value: Any, schema: Schema, name: str) -> Iterator[Place]:
    if isinstance(value, dict):
        fields, others = schema.get("properties", {}), schema.get("additionalProperties")
        for key, inner in value.items():
            known = fields.get(key) or (others if isinstance(others, dict) else _ANYTHING)
            yield from _with_inner(
                Place(value, key, key if key in fields or not others else f"{name}{{}}", known), inner
            )
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _with_inner(Place(value, index, f"{name}[]", schema.get("items", _ANYTHING)), inner)


def _with_inner(place: Place, value: Any) -> Iterator[Place]:
    definition, schema = resolved(place.schema)
    yield place._replace(name=definition or place.name, schema=schema)
    yield from _below(value, schema, place.name)


def copied(value: Any) -> Any:
    """A value of its own."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


def absent(value: Any, schema: Schema) -> list[str]:
    """The fields that an object might have, too."""
    return [name for name in schema.get("properties", ()) if name not in value] if isinstance(value, dict) else []


class Pools:
    """Values that stand somewhere in the scenarios, by the names of their places."""

    def __init__(self, objects: Iterable[Any]) -> None:
        found: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for place in places(objects):
            pool = found[place.name]
            if len(pool) < _LARGEST_POOL:
                pool[json.dumps(place.value, default=str)] = place.value
            if isinstance(place.holder, dict):
                found[_KEYS][str(place.key)] = str(place.key)
        self._values = {name: [*pool.values()] for name, pool in found.items()}

    def alike(self, name: str, value: Any) -> list[Any]:
        """Values of places with this name that are of the same type."""
        return [each for each in self._values.get(name, ()) if type(each) is type(value)]

    def all(self, name: str) -> list[Any]:
        """Values of places with this name."""
        return self._values.get(name, [])

    @property
    def keys(self) -> list[str]:
        """Every key of any object or map."""
        return self._values[_KEYS]
