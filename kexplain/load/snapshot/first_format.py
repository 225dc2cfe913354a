"""Snapshots of format 1: one JSON object, compressed by gzip, with all objects as Kubernetes writes them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from kexplain.load.record_types import record_for
from kexplain.load.snapshot.table import DamagedError, decoded
from kexplain.load.text.json_dump import any_record
from kexplain.load.text.source import Text
from kexplain.objects.collection import Objects
from kexplain.objects.meta import KubernetesObject


class _Snapshot(msgspec.Struct):
    items: tuple[Any, ...] = ()
    #: What queues and schedulers of other projects have written, each with its place among all objects.
    others: tuple[tuple[int, Any], ...] = ()


@cache
def _shape() -> Any:
    fields = [("items", tuple[any_record(), ...], ())]  # type: ignore[misc] # known at run time only
    return msgspec.defstruct("Snapshot", fields, bases=(_Snapshot,))


def objects_of(text: Text) -> Objects:
    """The objects of a snapshot, in their order. Raises DamagedError."""
    snapshot: _Snapshot = decoded(text, _shape())
    objects = list(snapshot.items)
    for place, other in snapshot.others:
        try:
            objects[place:place] = _read_other(other)
        except msgspec.ValidationError as error:
            raise DamagedError(str(error)) from None
    return Objects(objects)


def _read_other(value: object) -> list[KubernetesObject]:
    """The record of an object of queues; none of anything else. Raises msgspec.ValidationError."""
    record = record_for(value.get("apiVersion", ""), value.get("kind", "")) if isinstance(value, dict) else None
    return [msgspec.convert(value, record)] if record is not None and record.is_of_queues else []
