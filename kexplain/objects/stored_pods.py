"""Pods of a snapshot, none of which is made before somebody asks for it: columns say what most questions ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple, Protocol

from kexplain.objects.core import Pod
from kexplain.objects.core.pods import tells
from kexplain.objects.meta import KubernetesObject

NAME, NAMESPACE, NODE_NAME = "metadata.name", "metadata.namespace", "spec.nodeName"


class Values(NamedTuple):
    """The values of a column, and the place of each row's among them: None where there is one for each row."""

    values: Sequence[Any]
    places: Sequence[int] | None

    def at(self, row: int) -> Any:
        """The value of a row."""
        return self.values[row if self.places is None else self.places[row]]

    def by_row(self) -> Sequence[Any]:
        """The value of each row."""
        return self.values if self.places is None else [*map(self.values.__getitem__, self.places)]

    def rows_where(self, is_meant: Callable[[Any], object]) -> Iterable[int]:
        """The rows whose value is meant, which is asked of each value once."""
        meant = {place for place, value in enumerate(self.values) if is_meant(value)}
        places = range(len(self.values)) if self.places is None else self.places
        return compress(range(len(places)), map(meant.__contains__, places)) if meant else ()

    def numbered(self, key: Callable[[Any], Hashable]) -> tuple[int, Iterable[int]]:
        """How many keys the values have, and the number of each row's."""
        numbers: dict[Hashable, int] = {}
        by_place = [numbers.setdefault(key(value), len(numbers)) for value in self.values]
        return len(numbers), by_place if self.places is None else map(by_place.__getitem__, self.places)


class Rows(Protocol):
    """Pods one a row, each made when it is first asked for."""

    @property
    def made(self) -> Mapping[int, Pod]:
        """Those that were, by their rows."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int) -> Pod: ...

    def __iter__(self) -> Iterator[Pod]: ...

    def column(self, field: str) -> Values:
        """The values of a field, as the API calls it: `spec.nodeName`."""

    def only(self, row: int, fields: tuple[str, ...]) -> Pod:
        """The pod with these fields alone."""


#: What makes somebody look at a pod that runs, and which value does.
_UNUSUAL: Mapping[str, Callable[[Any], object]] = {
    NODE_NAME: lambda name: not name,
    "status.phase": lambda phase: phase != "Running",
    "metadata.deletionTimestamp": lambda time: time is not None,
    "spec.schedulingGroup": lambda group: group is not None,
    "spec.workloadRef": lambda group: group is not None,
    "spec.resourceClaims": bool,
    "spec.volumes": lambda volumes: any(each.persistent_volume_claim or each.ephemeral for each in volumes or ()),
    "status.conditions": lambda conditions: any(map(tells, conditions or ())),
}


class StoredPods:
    """The pods of a snapshot: those that run undisturbed by their rows, and `loose` ones, which somebody may look at.

    `gone` are rows that do not count.
    """

    def __init__(self, rows: Rows, loose: Mapping[int, Pod], gone: Collection[int] = ()) -> None:
        self.rows = rows
        self.loose = loose
        self.gone = gone
        self._loose_ids = {*map(id, loose.values())}

    @classmethod
    def of(cls, rows: Rows) -> StoredPods | None:
        """The pods of these rows; None where they have no names of their own, as an API server sees to."""
        names, namespaces = rows.column(NAME), rows.column(NAMESPACE)
        if not (all(names.values) and all(namespaces.values)):
            return None
        # Most have a name that no other namespace has.
        if len({*names.by_row()}) < len(rows) > len({*zip(names.by_row(), namespaces.by_row(), strict=True)}):
            return None
        unusual = {row for field, is_meant in _UNUSUAL.items() for row in rows.column(field).rows_where(is_meant)}
        return cls(rows, {row: rows[row] for row in sorted(unusual)})

    def is_loose(self, obj: KubernetesObject) -> bool:
        """Whether it is a loose pod of these."""
        return id(obj) in self._loose_ids

    def without(self, ids: Collection[int]) -> StoredPods:
        """The same without the pods of these ids."""
        gone = [row for row, pod in self.rows.made.items() if id(pod) in ids] if ids else ()
        return StoredPods(self.rows, self.loose, gone) if gone else self

    def named(self, names: Collection[str]) -> list[Pod]:
        """The pods that have one of these names."""
        return [self.rows[row] for row in self.rows.column(NAME).rows_where(names.__contains__)]

    @property
    def node_names(self) -> set[str]:
        """The nodes that pods are on which run undisturbed."""
        column = self.rows.column(NODE_NAME)
        skipped = {*self.loose, *self.gone}
        if not skipped:
            return {*column.values}
        return {name for row, name in enumerate(column.by_row()) if row not in skipped}
