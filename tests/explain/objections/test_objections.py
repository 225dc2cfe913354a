"""Nothing is missing: evidence without an objection, a fact without a schema, an objection without its parts."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator

import msgspec
import pytest

import kexplain.framework.evidence
import kexplain.plugins
from kexplain.explain.objections import BY_EVIDENCE, BY_FACT, OBJECTIONS, AnyObjection
from kexplain.explain.objections.objection import Objection
from kexplain.framework.evidence import Evidence
from kexplain.objects.core import PodSpec
from kexplain.render.json import schema


def _evidence() -> Iterator[type[Evidence]]:
    """Every kind of evidence that a module of the framework or of the plugins defines."""
    for package in (kexplain.framework.evidence, kexplain.plugins):
        names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        for module in map(importlib.import_module, [package.__name__, *names]):
            for kind in vars(module).values():
                if inspect.isclass(kind) and issubclass(kind, Evidence) and kind.__module__ == module.__name__:
                    yield kind


def test_every_kind_of_evidence_has_an_objection() -> None:
    assert {kind.__name__ for kind in _evidence()} - {"Evidence"} == {kind.__name__ for kind in BY_EVIDENCE}


def test_no_two_objections_are_about_the_same() -> None:
    assert len(OBJECTIONS) == len(BY_EVIDENCE) == len(BY_FACT)


def test_every_fact_is_published() -> None:
    published = json.loads(schema())["$defs"]["Rejection"]["properties"]["facts"]["items"]["anyOf"]
    assert {each["$ref"].rpartition("/")[2] for each in published} == {kind.__name__ for kind in BY_FACT}


@pytest.mark.parametrize("objection", OBJECTIONS, ids=lambda objection: type(objection).__name__)
def test_every_objection_is_whole(objection: AnyObjection) -> None:
    kind = type(objection)
    assert issubclass(objection.fact, Evidence)
    assert objection.text if kind.words is Objection.words else not objection.text
    assert all(hasattr(objection.fact, name) for name in objection.same)
    if kind.facts is Objection.facts:
        given = set(objection.evidence.__struct_fields__)
        assert set(objection.fact.__struct_fields__) <= given | {
            name for name, each in vars(objection.evidence).items() if isinstance(each, property)
        }
    for path in objection.fields:
        record: object = PodSpec
        for step in path:
            assert inspect.isclass(record)
            assert issubclass(record, msgspec.Struct)
            known = {each.encode_name: each.type for each in msgspec.structs.fields(record)}
            assert step in known
            record = next((part for part in getattr(known[step], "__args__", ()) if inspect.isclass(part)), known[step])
