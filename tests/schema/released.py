"""Whether documents of today hold all that those of a release hold: `kexplain/v1` only ever gains.

    python -m tests.schema.released        (once a release, with its tag: what is written then is promised)

A field that was there is there, where it was required it is, and has the type that it had. New are only fields, words
of an enum, and kinds of what says its kind itself.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kexplain.cli.main import run
from kexplain.render import Kind

RELEASED = Path(__file__).parent / "released-v1.json"
Json = dict[str, Any]
#: What says nothing of a document's form.
_PROSE = ("title", "description", "default")


def schemas() -> dict[str, Json]:
    """The schema of every document that the program prints today, without prose."""
    return {each.value: _bare(json.loads(_printed(each))) for each in Kind if each is not Kind.SETTINGS}


def _printed(document: Kind) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert run(["schema", document.value]) == 0
    return printed.getvalue()


def _bare(schema: Any, *, is_names: bool = False) -> Any:
    if isinstance(schema, list):
        return [_bare(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _bare(value, is_names=key in ("properties", "$defs", "mapping") and not is_names)
        for key, value in schema.items()
        if is_names or key not in _PROSE
    }


def losses(released: Json, current: Json) -> list[str]:
    """What a document of the release has that one of today may not have, by its path."""
    return list(dict.fromkeys(_Comparison(released["$defs"], current["$defs"]).losses("", released, current)))


class _Comparison:
    def __init__(self, released: Mapping[str, Json], current: Mapping[str, Json]) -> None:
        self._released, self._current = released, current
        #: Definitions that are compared already, as some hold themselves.
        self._compared: set[tuple[str, str]] = set()

    def losses(self, path: str, old: Json, new: Json) -> Iterator[str]:
        names = (old.get("$ref", ""), new.get("$ref", ""))
        if all(names):
            if names in self._compared:
                return
            self._compared.add(names)
        old, new = _resolved(old, self._released), _resolved(new, self._current)
        if "anyOf" in old or "anyOf" in new:
            yield from self._of_choices(path, old, new)
        elif "enum" in old and "enum" in new:
            yield from (f"{path}: no {word!r} any longer" for word in old["enum"] if word not in new["enum"])
        elif old.get("type") != new.get("type"):
            yield f"{path}: {new.get('type')}, was {old.get('type')}"
        else:
            yield from self._of_parts(path, old, new)

    def _of_parts(self, path: str, old: Json, new: Json) -> Iterator[str]:
        here = new.get("properties", {})
        for name, each in old.get("properties", {}).items():
            if name in here:
                yield from self.losses(f"{path}.{name}", each, here[name])
            else:
                yield f"{path}.{name}: gone"
        yield from (
            f"{path}.{name}: not always there" for name in {*old.get("required", ())} - {*new.get("required", ())}
        )
        for part, mark in (("items", "[]"), ("additionalProperties", ".*")):
            if isinstance(old.get(part), dict):
                yield from self.losses(path + mark, old[part], new.get(part) or {})

    def _of_choices(self, path: str, old: Json, new: Json) -> Iterator[str]:
        before = [_resolved(each, self._released) for each in old.get("anyOf", [old])]
        after = [_resolved(each, self._current) for each in new.get("anyOf", [new])]
        for each in before:
            tries = [list(self._fresh().losses(path, each, other)) for other in after if _kind(other) == _kind(each)]
            yield from min(tries, key=len, default=[f"{path}: no {_kind(each)} any longer"])
        kinds = set(map(_kind, before))
        for each in after:
            if _kind(each) not in kinds and "discriminator" not in new:
                yield f"{path}: may be {_kind(each)} now"

    def _fresh(self) -> _Comparison:
        comparison = _Comparison(self._released, self._current)
        comparison._compared = {*self._compared}
        return comparison


def _resolved(schema: Json, definitions: Mapping[str, Json]) -> Json:
    while "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    return schema


def _kind(schema: Json) -> str:
    """What tells alternatives apart: their type, and of objects the kind that they say themselves."""
    tag = schema.get("properties", {}).get("type", {}).get("enum", [""])
    return f"{schema.get('type', 'enum')} {tag[0]}".strip()


if __name__ == "__main__":
    RELEASED.write_text(json.dumps(schemas(), separators=(",", ":"), sort_keys=True) + "\n")
