"""Everything beside nodes and pods that plugins look up. Source: the listers of the scheduler's informers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from kexplain.objects.core import Namespace, Pod
from kexplain.objects.meta import KubernetesObject, Labels
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims

Kind = TypeVar("Kind", bound=KubernetesObject)
Derived = TypeVar("Derived")
#: By what was worked out, and of which kinds of objects, the result.
_Known = Mapping[tuple[Callable[..., object], tuple[type[KubernetesObject], ...]], Any]


class Listers:
    """Objects by kind and name, in the order they were given; immutable."""

    __slots__ = ("_by_kind", "_derived", "listed", "namespace_labels")

    def __init__(
        self,
        by_kind: Mapping[type[KubernetesObject], Mapping[str, KubernetesObject]],
        listed: frozenset[type[KubernetesObject]] = frozenset(),
        derived: _Known | None = None,
    ) -> None:
        self._by_kind = by_kind
        self._derived = dict(derived or {})
        #: The kinds of which these are all objects, so that one that is not among them is not there.
        self.listed = listed
        self.namespace_labels: Mapping[str, Labels] = {each.name: each.labels for each in self.every(Namespace)}

    @classmethod
    def of(
        cls, objects: Iterable[KubernetesObject], listed: frozenset[type[KubernetesObject]] = frozenset()
    ) -> Listers:
        """The listers over these objects; a later object of the same kind and name replaces an earlier one.

        Of the kinds in `listed` these are known to be all that the cluster has.
        """
        return cls({}, listed).replacing([*objects])

    def every(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """All objects of a kind."""
        return tuple(each for each in self._by_kind.get(kind, {}).values() if isinstance(each, kind))

    def has(self, kind: type[Kind]) -> bool:
        """Whether there is any object of a kind, or it is known that there is none."""
        return kind in self.listed or not all(each.is_unread for each in self._by_kind.get(kind, {}).values())

    @property
    def kinds(self) -> Iterator[type[KubernetesObject]]:
        """The kinds that there are any objects of."""
        return (kind for kind, objects in self._by_kind.items() if objects)

    @property
    def are_of_a_server(self) -> bool:
        """Whether an API server was asked for all kinds, so that it has refused to list what is missing."""
        return bool(self.listed)

    def get(self, kind: type[Kind], name: str, namespace: str = "") -> Kind | None:
        """The object of that kind and name, or None; cluster-scoped kinds have no namespace."""
        return self.at(kind, f"{namespace}/{name}")

    def at(self, kind: type[Kind], key: str) -> Kind | None:
        """The object of that kind with that `namespace/name`, or None."""
        found = self._by_kind.get(kind, {}).get(key)
        return found if isinstance(found, kind) else None

    def derived(self, make: Callable[[Listers], Derived], *kinds: type[KubernetesObject]) -> Derived:
        """What `make` works out of all objects of these kinds, once as long as they stay as they are."""
        key = (make, kinds)
        if key not in self._derived:
            self._derived[key] = make(self)
        found: Derived = self._derived[key]
        return found

    def replacing(self, objects: Collection[KubernetesObject], gone: Collection[KubernetesObject] = ()) -> Listers:
        """Listers in which these objects stand in place of those of their kind and name, or behind the others.

        What is `gone` is there no more.
        """
        kinds = dict.fromkeys((*map(type, gone), *map(type, objects)))
        changed = {kind: dict(self._by_kind.get(kind, {})) for kind in kinds}
        for each in gone:
            changed[type(each)].pop(each.key, None)
        for each in objects:
            changed[type(each)][each.key] = each
        derived = {key: known for key, known in self._derived.items() if changed.keys().isdisjoint(key[1])}
        return Listers({**self._by_kind, **changed}, self.listed, derived)


def claims_of(pod: Pod, listers: Listers) -> Iterator[PersistentVolumeClaim]:
    """The claims of a pod that exist, as it names them."""
    found = (listers.get(PersistentVolumeClaim, each.name, pod.namespace) for each in pod_claims(pod))
    return (claim for claim in found if claim is not None)


def waits_for_volume(pod: Pod, listers: Listers) -> bool:
    """Whether a node was chosen for the pod where a claim of it is to get its volume, which is not there yet."""
    return any(each.annotations.selected_node and not each.volume_name for each in claims_of(pod, listers))


def volumes_of(pod: Pod, listers: Listers) -> Iterator[tuple[PersistentVolumeClaim, PersistentVolume]]:
    """Those of them whose volume exists, with it."""
    found = ((claim, listers.get(PersistentVolume, claim.volume_name or "")) for claim in claims_of(pod, listers))
    return ((claim, volume) for claim, volume in found if volume is not None)
