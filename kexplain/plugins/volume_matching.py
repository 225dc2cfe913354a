"""Which existing volume a claim would be bound to. Source: component-helpers storage `FindMatchingVolume`.

What does not depend on the node is looked at once a claim, so that a node costs label comparisons only.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from kexplain.cluster.listers import Listers
from kexplain.framework.evidence.storage import Unfit, UnfitVolume
from kexplain.objects.node_selectors import NodeTerm, RequiredNodeAffinity
from kexplain.objects.persistent_volumes import (
    AVAILABLE,
    RELEASED,
    PersistentVolume,
    PersistentVolumeClaim,
    VolumeNodeAffinity,
    requested_nanos,
    storage_nanos,
)
from kexplain.objects.selectors import Selector, selector_from
from kexplain.plugins.pin_index import Pin, PinIndex, pins_of

FILESYSTEM = "Filesystem"

#: The terms of a volume's node affinity, one of which must hold; None without any.
Reach = tuple[NodeTerm, ...] | None


def reach_of(affinity: VolumeNodeAffinity | None) -> Reach:
    """The parsed affinity; terms that cannot be parsed, and empty ones, reach no node."""
    return RequiredNodeAffinity.of_selector(affinity.required).terms if affinity and affinity.required else None


def is_reached(reach: Reach, labels: Mapping[str, str]) -> bool:
    """Whether a node with these labels reaches the volume; terms over node fields count as met.

    Source: component-helpers storage `CheckNodeAffinity`, which knows the node by its labels only.
    """
    if reach is None:
        return True
    for term in reach:
        for requirement in term.labels:
            if not requirement.matches(labels):
                break
        else:
            return True
    return False


def is_bound_to(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Whether the volume is bound to, or reserved for, the claim. Source: `IsVolumeBoundToClaim`."""
    reference = volume.spec.claim_ref
    if reference is None or (reference.namespace, reference.name) != (claim.namespace, claim.name):
        return False
    return not reference.uid or reference.uid == (claim.metadata.uid or "")


class Candidate(Struct, frozen=True):
    """A volume that the claim could be bound to on nodes that reach it."""

    volume: PersistentVolume
    nanos: int
    reach: Reach


class Candidates:
    """The volumes that a claim could be bound to, as far as that does not depend on the node."""

    def __init__(
        self, claim: PersistentVolumeClaim, volumes: Iterable[PersistentVolume], *, attributes_classes: bool = True
    ) -> None:
        """`volumes` are those of the claim's class. Raises SelectorError where upstream fails.

        Without `attributes_classes`, the VolumeAttributesClass that a volume is of does not matter.
        """
        self._claim = claim
        self._attributes_classes = attributes_classes
        self._selector = selector_from(claim.spec.selector) if claim.spec.selector is not None else None
        self._unfit: tuple[UnfitVolume, ...] | None = None
        fit = [volume for volume in volumes if self._unfit_for_claim(volume) is None]
        #: A volume that is reserved for the claim is the only one that counts.
        self._reserved = [_candidate(volume) for volume in fit if is_bound_to(volume, claim)]
        free = [_candidate(volume) for volume in fit if not is_bound_to(volume, claim)]
        #: Smallest first; among equals upstream takes any, this one the first that was read.
        self._free = sorted(free, key=attrgetter("nanos"))
        self._index = PinIndex(_pins(each.reach) for each in self._free)

    def match(self, labels: Mapping[str, str], excluded: Collection[str]) -> PersistentVolume | None:
        """The volume for a node with these labels; `excluded` volumes are taken by other claims of the pod."""
        for candidate in self._reserved:
            if candidate.volume.name not in excluded:
                return candidate.volume if is_reached(candidate.reach, labels) else None
        for position in self._index.positions(labels):
            candidate = self._free[position]
            if candidate.volume.name not in excluded and is_reached(candidate.reach, labels):
                return candidate.volume
        return None

    def smallest(self) -> PersistentVolume | None:
        """The volume that a claim is bound to before any node is chosen."""
        return next((candidate.volume for candidate in (*self._reserved, *self._free)), None)

    def unfit(self, listers: Listers) -> tuple[UnfitVolume, ...]:
        """Why no volume will do where `match` finds none: the same for all such nodes, so worked out once.

        Volumes of other classes are told only if they would do otherwise.
        """
        if self._unfit is None:
            candidates = self._reserved or self._free
            reached = ((each.volume.name, " or ".join(map(str, each.reach or ()))) for each in candidates)
            found = [UnfitVolume(name, Unfit.NODE, reach) for name, reach in reached]
            if not self._reserved:
                found += self._unfit_anywhere(listers.every(PersistentVolume))
            self._unfit = tuple(found)
        return self._unfit

    def _unfit_for_claim(self, volume: PersistentVolume) -> UnfitVolume | None:
        return unfit(self._claim, volume, self._selector, attributes_classes=self._attributes_classes)

    def _unfit_anywhere(self, every: Iterable[PersistentVolume]) -> Iterator[UnfitVolume]:
        """The largest first, since among those that are too small they come closest."""
        for volume in sorted(every, key=lambda volume: -storage_nanos(volume.spec.capacity)):
            why = self._unfit_for_claim(volume)
            if why is not None and (why.why is Unfit.CLASS or volume.class_name == self._claim.class_name):
                yield why


def _pins(reach: Reach) -> set[Pin] | None:
    """Labels of which a node must have one; None if that cannot be said."""
    if reach is None:
        return None
    pins: set[Pin] = set()
    for term in reach:
        of_term = pins_of(term.labels)
        if of_term is None:
            return None
        pins |= of_term
    return pins


def _candidate(volume: PersistentVolume) -> Candidate:
    return Candidate(volume, storage_nanos(volume.spec.capacity), reach_of(volume.spec.node_affinity))


def unfit(
    claim: PersistentVolumeClaim,
    volume: PersistentVolume,
    selector: Selector | None,
    *,
    attributes_classes: bool = True,
) -> UnfitVolume | None:
    """Why the claim cannot be bound to the volume on any node; `selector` is the claim's, parsed."""
    reserved = is_bound_to(volume, claim)
    if volume.spec.claim_ref is not None and not reserved:
        other = f"{volume.spec.claim_ref.namespace}/{volume.spec.claim_ref.name}"
        if volume.status.phase == RELEASED:
            return UnfitVolume(volume.name, Unfit.RELEASED, other)
        return UnfitVolume(volume.name, Unfit.CLAIMED, other)
    if storage_nanos(volume.spec.capacity) < requested_nanos(claim):
        return UnfitVolume(volume.name, Unfit.TOO_SMALL, _capacity(volume))
    if (claim.spec.volume_mode or FILESYSTEM) != (volume.spec.volume_mode or FILESYSTEM):
        return UnfitVolume(volume.name, Unfit.MODE, volume.spec.volume_mode or FILESYSTEM)
    attributes_class = volume.spec.volume_attributes_class_name or ""
    if attributes_classes and (claim.spec.volume_attributes_class_name or "") != attributes_class:
        return UnfitVolume(volume.name, Unfit.ATTRIBUTES_CLASS, attributes_class)
    if volume.metadata.deletion_timestamp is not None:
        return UnfitVolume(volume.name, Unfit.DELETING)
    return None if reserved else _unfit_if_free(claim, volume, selector)


def _unfit_if_free(
    claim: PersistentVolumeClaim, volume: PersistentVolume, selector: Selector | None
) -> UnfitVolume | None:
    """What is asked only of a volume that nobody has reserved for the claim."""
    if volume.status.phase != AVAILABLE:
        return UnfitVolume(volume.name, Unfit.NOT_AVAILABLE, volume.status.phase or "")
    if selector is not None and not selector.matches(volume.labels):
        return UnfitVolume(volume.name, Unfit.SELECTOR, str(selector))
    if claim.class_name != volume.class_name:
        return UnfitVolume(volume.name, Unfit.CLASS, volume.class_name)
    offered = volume.spec.access_modes or ()
    if not frozenset(claim.spec.access_modes or ()) <= frozenset(offered):
        return UnfitVolume(volume.name, Unfit.ACCESS_MODES, ", ".join(offered))
    return None


def _capacity(volume: PersistentVolume) -> str:
    capacity = (volume.spec.capacity or {}).get("storage")
    return "no capacity" if capacity is None else str(capacity)
