"""What a node would do for a pod's claims: volumes to bind, volumes to make. Source: `volumebinding/binder.go`."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.storage import (
    ClaimProblem,
    NotEnoughStorage,
    NoVolumeToBind,
    ProvisionedElsewhere,
    TopologyNotAllowed,
    UnusableClaim,
    VolumeOutOfReach,
)
from kexplain.framework.status import Status, error
from kexplain.objects.core import Node
from kexplain.objects.csi_migration import MigrationError, in_tree_plugin, migrated_node_affinity
from kexplain.objects.meta import Labels
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim, requested_bytes
from kexplain.objects.selectors import is_label_value, is_qualified_name
from kexplain.objects.storage import CSINode, TopologySelectorTerm
from kexplain.plugins.volume_claims import BoundClaim, DelayedClaim, PodVolumeClaims
from kexplain.plugins.volume_matching import Candidates, Reach, is_reached, reach_of

_NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind"
_NO_SPACE = "node(s) did not have enough free storage"


class Provision(NamedTuple):
    """A volume to make, and what the driver has left for the node in bytes, if it says."""

    claim: PersistentVolumeClaim
    left: int | None


class PodVolumes(Struct):
    """What a node would do for the claims: volumes to bind, volumes to make, and what stands in the way."""

    bindings: list[tuple[PersistentVolume, PersistentVolumeClaim]] = msgspec.field(default_factory=list)
    provisions: list[Provision] = msgspec.field(default_factory=list)
    reasons: list[str] = msgspec.field(default_factory=list)
    evidence: list[Evidence] = msgspec.field(default_factory=list)
    error: Status | None = None


def pod_volumes(state: PodVolumeClaims, node: Node) -> PodVolumes:
    """What the node would do for the claims. Source: volume binder `FindPodVolumes`."""
    found = PodVolumes()
    pv_missing = _check_bound(state, node, found)
    if found.error is None and state.delayed:
        _check_delayed(state, node, found)
    if pv_missing:
        # Told last, though looked at first.
        found.reasons.append("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)")
        found.evidence.append(pv_missing)
    return found


def _check_bound(state: PodVolumeClaims, node: Node, found: PodVolumes) -> UnusableClaim | None:
    """Look at the bound claims; one without a volume is returned.

    Upstream stops at the first that stands in the way. Others out of reach are added to the evidence, since
    the pod needs them all.
    """
    for bound in state.bound:
        if bound.volume is None:
            missing = UnusableClaim(bound.claim.key, ClaimProblem.VOLUME_MISSING, volume=bound.claim.volume_name)
            return None if found.reasons else missing
        try:
            reach = _reach_on(bound, bound.volume, state, node)
        except MigrationError as failed:
            if not found.reasons:
                found.error = error(f"could not translate pv: {failed}")
            return None
        if not is_reached(reach, node.labels):
            found.reasons = [state.conflict]
            found.evidence.append(VolumeOutOfReach(bound.claim.key, bound.volume.name, reach or ()))
    return None


def _reach_on(bound: BoundClaim, volume: PersistentVolume, state: PodVolumeClaims, node: Node) -> Reach:
    """From where the volume can be reached, told in the driver's labels where the node has migrated its plugin."""
    plugin = in_tree_plugin(volume.spec)
    if plugin is None or not state.migrated.are_announced(plugin, state.cluster.listers.get(CSINode, node.name)):
        return bound.reach
    return reach_of(migrated_node_affinity(volume))


def _check_delayed(state: PodVolumeClaims, node: Node, found: PodVolumes) -> None:
    """Find or make a volume for each claim that waits for a node."""
    taken: set[str] = set()
    to_provision: list[DelayedClaim] = []
    for delayed in state.delayed:
        selected_node = delayed.claim.annotations.selected_node
        if selected_node is not None and selected_node != node.name:
            found.reasons.append(_NOTHING_TO_BIND)
            found.evidence.append(ProvisionedElsewhere(delayed.claim.key, selected_node))
            return
        if isinstance(delayed.candidates, Status):
            found.error = delayed.candidates
            return
        volume = delayed.candidates.match(node.labels, taken) if delayed.candidates else None
        if volume is None:
            to_provision.append(delayed)
        else:
            taken.add(volume.name)
            found.bindings.append((volume, delayed.claim))
    judged = (_objection(delayed, state.cluster, node.labels, taken) for delayed in to_provision)
    objections = [each for each in judged if each is not None]
    if objections:
        # Upstream stops at the first claim that cannot be served; the evidence tells of all.
        is_full = isinstance(objections[0], NotEnoughStorage)
        found.reasons.append(_NO_SPACE if is_full else _NOTHING_TO_BIND)
        found.evidence += objections
    else:
        found.provisions += (_provision(delayed, node.labels) for delayed in to_provision)


def _objection(
    delayed: DelayedClaim, cluster: Cluster, labels: Labels, taken: set[str]
) -> NoVolumeToBind | TopologyNotAllowed | NotEnoughStorage | None:
    """Why no new volume can be made for the claim on a node with these labels; None if one can.

    Source: volume binder `checkVolumeProvisions`.
    """
    claim, storage_class = delayed.claim, delayed.storage_class
    if not storage_class.makes_volumes:
        return _no_volume(delayed, cluster, taken)
    if not topologies_match(storage_class.allowed_topologies or (), labels):
        allowed = tuple(
            tuple((each.key, each.values or ()) for each in term.match_label_expressions or ())
            for term in storage_class.allowed_topologies or ()
        )
        return TopologyNotAllowed(claim.key, storage_class.name, allowed)
    return _capacity_shortage(delayed, labels)


def _no_volume(delayed: DelayedClaim, cluster: Cluster, taken: set[str]) -> NoVolumeToBind:
    claim, candidates = delayed.claim, delayed.candidates
    return NoVolumeToBind(
        claim=claim.key,
        class_name=claim.class_name,
        requested_bytes=requested_bytes(claim),
        unfit=candidates.unfit(cluster.listers) if isinstance(candidates, Candidates) else (),
        taken=frozenset(taken),
    )


def topologies_match(terms: Sequence[TopologySelectorTerm], labels: Labels) -> bool:
    """Whether a node with these labels is within one of the terms; without terms every node is.

    Source: core helper `MatchTopologySelectorTerms`.
    """
    return not terms or any(_term_matches(term, labels) for term in terms)


def _term_matches(term: TopologySelectorTerm, labels: Labels) -> bool:
    """Whether all labels fit; an empty term, and one that names no label that could be, fits no node."""
    expressions = term.match_label_expressions or ()
    return bool(expressions) and all(
        is_qualified_name(each.key)
        and bool(each.values)
        and all(is_label_value(value) for value in each.values or ())
        and labels.get(each.key) in (each.values or ())
        for each in expressions
    )


def _provision(delayed: DelayedClaim, labels: Labels) -> Provision:
    claim, capacities = delayed.claim, delayed.capacities
    return Provision(claim, capacities.left_for(labels, requested_bytes(claim)) if capacities else None)


def _capacity_shortage(delayed: DelayedClaim, labels: Labels) -> NotEnoughStorage | None:
    """What is short where the driver publishes its capacity."""
    if delayed.capacities is None:
        return None
    requested, largest = requested_bytes(delayed.claim), delayed.capacities.largest(labels)
    if largest is not None and largest >= requested:
        return None
    return NotEnoughStorage(delayed.claim.key, delayed.storage_class.name, requested, largest)
