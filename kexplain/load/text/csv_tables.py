"""Tables of pods or of nodes in CSV, a row each, as traces of clusters are published."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from kexplain.load.loaded import Mark, Segment
from kexplain.load.object_collector import Identity, ObjectCollector
from kexplain.load.text.source import Source, Text
from kexplain.objects.core.pods import ARRIVAL, DURATION, GPU_MILLI
from kexplain.objects.requests import PODS
from kexplain.tables import table

_MODEL = "nvidia.com/gpu.product"
_NAMES = ("name", "sn")
#: The resource of each column of amounts, and the unit that its numbers lack.
_AMOUNTS = table("amount-columns", dict[str, tuple[str, str]])
#: Only pods come and go: what has one of the first is a table of pods.
_ARRIVALS = ("arrival", "creation_time")
_STARTS = (*_ARRIVALS, "scheduled_time")
_ENDS = ("deletion_time", "end")
_DURATION = "duration"
_TIMES = (*_STARTS, *_ENDS, _DURATION)
#: As many as a kubelet takes unless told otherwise.
_PODS_A_NODE = "110"
_WHOLE_GPU = 1000


def read_table(text: Text, source: Source, collector: ObjectCollector) -> None:
    """Take in the pods or nodes of a table; a fault in a row has the row's line."""
    reader = csv.reader(text.decode(errors="replace").splitlines())
    head = [each.strip() for each in next(reader)]
    places = _Rows([])
    segment = Segment(source.name, places)
    is_of_pods = any(each in _ARRIVALS for each in head)
    identity = Identity("v1", "Pod" if is_of_pods else "Node")
    for cells in reader:
        path = ("rows", len(places.lines))
        places.lines.append(reader.line_num)
        row = dict(zip(head, (each.strip() for each in cells), strict=False))
        if len(cells) > len(head):
            collector.fault(segment, path, (), f"{len(cells)} cells under {len(head)} heads")
        elif cells:
            for name in _TIMES:
                if row.get(name) and _seconds(row[name]) is None:
                    collector.fault(segment, path, (), f'{name}: "{row[name]}" is not a number of seconds')
            collector.take(segment, _pod(row) if is_of_pods else _node(row), path, identity)
    collector.loaded.add(segment)


class _Rows(Struct):
    """Where rows stand; their cells have no places of their own."""

    lines: list[int]

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:  # noqa: ARG002 - see Places
        number = path[1] if len(path) > 1 else 0
        return Mark(self.lines[number] if isinstance(number, int) else 1, 1, 0)

    def value(self, path: Sequence[str | int]) -> Any:  # noqa: ARG002 - see Places
        return None


def _seconds(text: str) -> float | None:
    with suppress(ValueError):
        return float(text)
    return None


def _first(row: Mapping[str, str], names: Sequence[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


def _amounts(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every amount that is no 0; a column that is called like an extended resource is one."""
    for name, cell in row.items():
        resource, unit = _AMOUNTS.get(name, (name if "/" in name else "", ""))
        if resource and cell not in ("", "0"):
            yield resource, f"{cell}{unit}"


def _node(row: Mapping[str, str]) -> dict[str, Any]:
    name = _first(row, _NAMES)
    labels = {"kubernetes.io/hostname": name} | ({_MODEL: row["model"]} if row.get("model") else {})
    allocatable = {PODS: _PODS_A_NODE} | dict(_amounts(row))
    metadata = {"name": name, "labels": labels}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": {"allocatable": allocatable}}


def _pod(row: Mapping[str, str]) -> dict[str, Any]:
    arrival, start, end = (_seconds(_first(row, names)) for names in (_ARRIVALS, _STARTS[::-1], _ENDS))
    duration = row.get(_DURATION) or ("" if start is None or end is None else f"{end - start:.12g}")
    annotations = {ARRIVAL: f"{arrival or 0:.12g}", DURATION: duration}
    if (_seconds(row.get("gpu_milli", "")) or _WHOLE_GPU) < _WHOLE_GPU:
        annotations[GPU_MILLI] = row["gpu_milli"]
    container = {"name": "main", "image": "trace", "resources": {"requests": dict(_amounts(row))}}
    spec: dict[str, Any] = {"containers": [container], "priorityClassName": row.get("priority_class")}
    if models := row.get("gpu_spec"):
        term = {"key": _MODEL, "operator": "In", "values": models.split("|")}
        required = {"nodeSelectorTerms": [{"matchExpressions": [term]}]}
        spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    metadata = {"name": _first(row, _NAMES), "namespace": row.get("namespace"), "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
