"""Objects as they were read, found by kind without a step for each of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, Protocol, TypeVar, overload

from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.stored_pods import StoredPods

Kind = TypeVar("Kind", bound=KubernetesObject)


class SnapshotObjects(Protocol):
    """The objects of a snapshot in their order; `others` are all but the stored pods that run undisturbed."""

    @property
    def stored(self) -> StoredPods: ...

    @property
    def others(self) -> list[KubernetesObject]: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[KubernetesObject]: ...


class Objects(Sequence[KubernetesObject]):
    """Objects in the order in which they were read.

    Most pods of a snapshot are made only for who walks over all objects, or asks for all pods.
    """

    def __init__(self, objects: Iterable[KubernetesObject] = ()) -> None:
        self._parts: list[list[KubernetesObject] | SnapshotObjects] = []
        self.__iadd__(objects)

    @classmethod
    def of_snapshot(cls, objects: SnapshotObjects) -> Objects:
        """The objects of a snapshot."""
        found = cls()
        found._parts = [objects]
        return found

    @classmethod
    def these(cls, objects: Iterable[KubernetesObject]) -> Objects:
        """The objects, which may be such already."""
        return objects if isinstance(objects, Objects) else cls(objects)

    def __iadd__(self, more: Iterable[KubernetesObject]) -> Objects:
        """Add objects behind these."""
        self._parts += more._parts if isinstance(more, Objects) else [more if isinstance(more, list) else [*more]]
        self._others: list[KubernetesObject] | None = None
        self._every: list[KubernetesObject] | None = None
        self._by_kind: dict[type[KubernetesObject], list[Any]] = {}
        return self

    @property
    def others(self) -> list[KubernetesObject]:
        """All objects but the stored pods that run undisturbed."""
        if self._others is None:
            self._stored = self._still_stored()
            if self._stored is None:
                self._parts = [each if isinstance(each, list) else [*each] for each in self._parts]
            lists = (each if isinstance(each, list) else each.others for each in self._parts)
            self._others = [*chain.from_iterable(lists)]
        return self._others

    @property
    def stored(self) -> StoredPods | None:
        """The pods that may not have been made; None where all are among the others."""
        return self._stored if self.others else None

    def _still_stored(self) -> StoredPods | None:
        """The stored pods, unless two snapshots have such, or there are pods behind them or of a name of theirs."""
        snapshots = [(place, each) for place, each in enumerate(self._parts) if not isinstance(each, list)]
        if len(snapshots) != 1:
            return None
        ((place, snapshot),) = snapshots
        before, behind = (
            {obj.metadata.name or "" for part in parts for obj in part if isinstance(obj, Pod)}
            for parts in (self._parts[:place], self._parts[place + 1 :])
        )
        return None if behind or (before and snapshot.stored.named(before)) else snapshot.stored

    def of(self, *kinds: type[Kind]) -> list[Kind]:
        """The objects of these kinds."""
        if Pod in kinds and self.stored is not None:
            return [obj for obj in self if isinstance(obj, kinds)]
        return self.others_of(*kinds)

    def others_of(self, *kinds: type[Kind]) -> list[Kind]:
        """The objects of these kinds, but for the stored pods that run undisturbed."""
        found = [each for kind, each in self._others_by_kind.items() if issubclass(kind, kinds)]
        return found[0] if len(found) == 1 else [obj for obj in self.others if isinstance(obj, kinds)] if found else []

    @property
    def kinds(self) -> set[type[KubernetesObject]]:
        """The kinds of which there are any."""
        return {*self._others_by_kind, *([Pod] if self.stored else ())}

    def but(self, *kinds: type[KubernetesObject]) -> list[KubernetesObject]:
        """The objects of all other kinds than these, of which Pod is one."""
        return self.others_of(*(kind for kind in self._others_by_kind if kind not in kinds))

    @property
    def _others_by_kind(self) -> Mapping[type[KubernetesObject], list[Any]]:
        others = self.others
        if not self._by_kind:
            for kind, run in groupby(others, type):
                self._by_kind.setdefault(kind, []).extend(run)
        return self._by_kind

    def pods_named(self, names: Collection[str]) -> list[Pod]:
        """The pods that have one of these names."""
        stored = self.stored
        if stored is None:
            return [obj for obj in self.of(Pod) if obj.metadata.name in names]
        ahead = [pod for pod in self.others_of(Pod) if not stored.is_loose(pod)]
        return [*(obj for obj in ahead if obj.metadata.name in names), *stored.named(names)]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[KubernetesObject]:
        return iter(self._all())

    def _all(self) -> list[KubernetesObject]:
        if self._every is None:
            others = self.others
            self._every = others if self._stored is None else [*chain.from_iterable(self._parts)]
        return self._every

    @overload
    def __getitem__(self, index: int) -> KubernetesObject: ...

    @overload
    def __getitem__(self, index: slice) -> list[KubernetesObject]: ...

    def __getitem__(self, index: int | slice) -> Any:
        return self._all()[index]
