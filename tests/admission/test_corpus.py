"""Every pod that a real API server took is admitted to the spec that it stored."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kexplain.admission import AdmissionObjects, admit
from kexplain.objects import quantity
from kexplain.objects.core import LimitRange, Pod, PodSpec, ResourceRequirements
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.scheduling import PriorityClass

CORPUS = Path(__file__).parents[2] / "fixtures/conformance/admission-v1.36"

#: Fields of PodSpec that the recordings leave out.
NOT_RECORDED = {"node_name", "volumes", "resource_claims"}
QUANTITIES = {"requests", "limits", "overhead"}


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def recorded() -> list[dict[str, Any]]:
    with gzip.open(CORPUS / "pods.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def cluster() -> AdmissionObjects:
    objects = json.loads((CORPUS / "cluster.json").read_text(encoding="utf-8"))
    kinds = PriorityClass | RuntimeClass | LimitRange
    known = {"PriorityClass", "RuntimeClass", "LimitRange"}
    found: list[KubernetesObject] = [msgspec.convert(obj, kinds) for obj in objects if obj["kind"] in known]
    return AdmissionObjects.of(found)


ACCEPTED = [row for row in recorded() if row["expected"]["accepted"]]


def is_printed(field: str, value: object) -> bool:
    """Whether an API server prints the value: Go leaves out what is empty, but not what points to zero."""
    return not (value in (None, {}, (), "") or value is False or (field == "host_port" and value == 0))


def comparable(value: object, field: str = "") -> object:
    """The value with quantities in canonical form, and without what an API server does not print.

    An empty selector is kept: unlike one that is left out, it selects everything.
    """
    if isinstance(value, msgspec.Struct):
        fields = {name: comparable(getattr(value, name), name) for name in value.__struct_fields__}
        kept = {name: item for name, item in fields.items() if is_printed(name, item)}
        return kept or (None if isinstance(value, ResourceRequirements) else type(value).__name__)
    if isinstance(value, Mapping) and field in QUANTITIES:
        return {name: quantity.canonical(raw) for name, raw in value.items()}
    return tuple(map(comparable, value)) if isinstance(value, tuple) else value


def differences(admitted: PodSpec, expected: PodSpec) -> dict[str, tuple[object, object]]:
    compared = set(PodSpec.__struct_fields__) - NOT_RECORDED
    pairs = {
        name: (comparable(getattr(admitted, name), name), comparable(getattr(expected, name), name))
        for name in compared
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def test_all_accepted_pods_are_here() -> None:
    assert len(ACCEPTED) == 130


@pytest.mark.parametrize("name", sorted(NOT_RECORDED))
def test_no_recording_holds_what_is_not_compared(name: str) -> None:
    specs = [msgspec.convert(row["expected"]["spec"], PodSpec) for row in ACCEPTED]
    assert not any(getattr(spec, name) for spec in specs)


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in ACCEPTED])
def test_admitted_spec_is_the_stored_one(row: dict[str, Any]) -> None:
    pod = msgspec.convert(without_nulls(row["pod"]), Pod)
    expected = msgspec.convert(without_nulls(row["expected"]["spec"]), PodSpec)
    assert differences(admit(pod, cluster()).pod.spec, expected) == {}
