"""A pod's claims as VolumeBinding looks at them: bound, to be bound with the pod, or not usable."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim
from kexplain.framework.features import DEFAULT_FEATURES
from kexplain.framework.go_sort import go_sorted
from kexplain.framework.status import Code, Status, error
from kexplain.grouping import grouped
from kexplain.objects.persistent_volumes import STORAGE, PersistentVolume, PersistentVolumeClaim, requested_nanos
from kexplain.objects.selectors import SelectorError
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.objects.well_known import HOSTNAME
from kexplain.plugins.migrated_plugins import MigratedPlugins
from kexplain.plugins.storage_capacity import Capacities
from kexplain.plugins.volume_matching import Candidates, Reach, reach_of


class BoundClaim(Struct, frozen=True):
    """A bound claim, its volume if that exists, and from where the volume can be reached."""

    claim: PersistentVolumeClaim
    volume: PersistentVolume | None
    reach: Reach


class DelayedClaim(Struct, frozen=True):
    """A claim that is bound once the pod has a node.

    `candidates` are the existing volumes that it may be bound to, an error that upstream meets on the way
    there, or None for a claim whose volume is being made already. `capacities` are what is left of the class,
    if its driver publishes that and the claim says how much it needs.
    """

    claim: PersistentVolumeClaim
    storage_class: StorageClass
    candidates: Candidates | Status | None
    capacities: Capacities | None


class PodVolumeClaims(Struct, frozen=True):
    """The pod's claims as PreFilter sorts them; nothing of it depends on which pods run where."""

    cluster: Cluster
    bound: tuple[BoundClaim, ...]
    delayed: tuple[DelayedClaim, ...]
    #: How nodes are turned away that bound volumes cannot be reached from.
    conflict: str = ""
    migrated: MigratedPlugins = msgspec.field(default_factory=lambda: MigratedPlugins.of(DEFAULT_FEATURES))


def nodes_of_local_volumes(claims: Iterable[BoundClaim]) -> frozenset[str] | None:
    """The only nodes on which the volumes that name nodes can all be reached; None if none does, or one is missing.

    Source: volume binder `GetEligibleNodes`, which takes what a volume says of host names for names of nodes.
    """
    eligible: frozenset[str] | None = None
    for bound in claims:
        if bound.volume is None:
            return None
        names = _host_names(bound.volume)
        if names:
            eligible = names if eligible is None else eligible & names
    return eligible


def _host_names(volume: PersistentVolume) -> frozenset[str]:
    """What any term of the node affinity requires of the host name; within a term all requirements count."""
    affinity = volume.spec.node_affinity
    terms = affinity.terms if affinity else ()
    found: set[str] = set()
    for term in terms:
        named = (each for each in term.match_expressions or () if each.key == HOSTNAME and each.operator == "In")
        of_term = [frozenset(each.values or ()) for each in named]
        if of_term:
            found |= frozenset.intersection(*of_term)
    return frozenset(found)


def sorted_claims(
    claims: Iterable[PersistentVolumeClaim], cluster: Cluster, *, attributes_classes: bool
) -> PodVolumeClaims | Status:
    """The claims by how they are bound. Source: volume binder `GetPodVolumeClaims`."""
    bound: list[BoundClaim] = []
    delayed: list[tuple[PersistentVolumeClaim, StorageClass]] = []
    immediate: list[UnusableClaim] = []
    for claim in claims:
        if claim.is_fully_bound:
            volume = cluster.listers.get(PersistentVolume, claim.volume_name)
            bound.append(BoundClaim(claim, volume, reach_of(volume.spec.node_affinity) if volume else None))
            continue
        storage_class = cluster.listers.get(StorageClass, claim.class_name) if claim.class_name else None
        if storage_class is not None and storage_class.volume_binding_mode is None:
            return error(f'VolumeBindingMode not set for StorageClass "{claim.class_name}"')
        waits = storage_class is not None and storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
        # A claim that names its volume is for the volume controller to bind, whatever its class.
        if storage_class is not None and waits and not claim.volume_name:
            delayed.append((claim, storage_class))
        else:
            immediate.append(_immediate(claim, storage_class))
    if immediate:
        reason = "pod has unbound immediate PersistentVolumeClaims"
        return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, (reason,), tuple(immediate))
    return PodVolumeClaims(cluster, tuple(bound), _delayed(delayed, cluster, attributes_classes=attributes_classes))


def _immediate(claim: PersistentVolumeClaim, storage_class: StorageClass | None) -> UnusableClaim:
    if claim.volume_name:
        problem = ClaimProblem.UNBOUND
    elif not claim.class_name:
        problem = ClaimProblem.NO_CLASS
    else:
        problem = ClaimProblem.UNBOUND if storage_class else ClaimProblem.CLASS_MISSING
    return UnusableClaim(claim.key, problem, volume=claim.volume_name, class_name=claim.class_name)


def _delayed(
    claims: Sequence[tuple[PersistentVolumeClaim, StorageClass]], cluster: Cluster, *, attributes_classes: bool
) -> tuple[DelayedClaim, ...]:
    """The claims in the order in which they are served: those being provisioned, then the smallest first."""
    selected = [pair for pair in claims if pair[0].annotations.selected_node is not None]
    searching = [pair for pair in claims if pair[0].annotations.selected_node is None]
    every = cluster.listers.every(PersistentVolume) if searching else ()
    volumes = grouped((volume.class_name, volume) for volume in every)
    by_size = go_sorted(searching, lambda one, other: requested_nanos(one[0]) < requested_nanos(other[0]))
    published = {each.name: Capacities.published(each, cluster) for _, each in claims}
    delayed = []
    for claim, of_class in (*selected, *by_size):
        is_made = claim.annotations.selected_node is not None
        of_its_class = volumes.get(claim.class_name, ())
        candidates = None if is_made else _candidates(claim, of_its_class, attributes_classes=attributes_classes)
        left = published[of_class.name] if STORAGE in claim.spec.requests else None
        delayed.append(DelayedClaim(claim, of_class, candidates, left))
    return tuple(delayed)


def _candidates(
    claim: PersistentVolumeClaim, volumes: Iterable[PersistentVolume], *, attributes_classes: bool
) -> Candidates | Status:
    try:
        return Candidates(claim, volumes, attributes_classes=attributes_classes)
    except SelectorError as failed:
        return error(f"error creating internal label selector for claim: {claim.key}: {failed}")
