"""Claims must be bound, or bindable, where the pod runs. Source: `plugins/volumebinding`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from msgspec.structs import replace as replaced

from kexplain.cluster import Cluster, NodeInfo
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
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, BindingStep, ExtensionPoint, PreFiltered, Skip
from kexplain.framework.status import Code, Status, error, unresolvable
from kexplain.objects import quantity
from kexplain.objects.core import Node, Pod
from kexplain.objects.csi_migration import MigrationError, in_tree_plugin, migrated_node_affinity
from kexplain.objects.meta import KubernetesObject, Labels
from kexplain.objects.persistent_volumes import (
    ClaimAnnotations,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
)
from kexplain.objects.pod_claims import PodClaim, is_for_pod, not_for_pod, pod_claims
from kexplain.objects.selectors import is_label_value, is_qualified_name
from kexplain.objects.storage import (
    CSINode,
    TopologySelectorTerm,
)
from kexplain.plugins.migrated_plugins import MigratedPlugins
from kexplain.plugins.storage_scoring import Shape, StorageUse, default_shape, storage_score
from kexplain.plugins.volume_claims import (
    AFFINITY_CONFLICT,
    BoundClaim,
    DelayedClaim,
    PodVolumeClaims,
    nodes_of_local_volumes,
    sorted_claims,
)
from kexplain.plugins.volume_matching import (
    STORAGE,
    Candidates,
    Reach,
    is_reached,
    reach_of,
    requested_nanos,
)

NOT_SUPPORTED_PROVISIONER = "kubernetes.io/no-provisioner"
AFFINITY_CONFLICT_OF_OLD = "node(s) had volume node affinity conflict"
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


class VolumeBinding:
    """Turns away nodes that cannot reach the pod's volumes, or for which none can be found or made."""

    name = "VolumeBinding"
    binding_points = (ExtensionPoint.RESERVE, ExtensionPoint.PRE_BIND)

    def __init__(self, features: Features = DEFAULT_FEATURES, shape: Shape = ()) -> None:
        default = default_shape(features)
        self._shape = (shape or default) if default else ()
        self._scores_what_is_left = features.storage_capacity_scoring
        self._conflict = AFFINITY_CONFLICT if features.volume_conflict_is_named_affinity else AFFINITY_CONFLICT_OF_OLD
        self._skips_filter = features.filters_are_skipped
        self._skips_score = features.further_scores_are_skipped
        self._migrated = MigratedPlugins.of(features)
        self._rejects_lost = features.lost_claims_reject
        self._awaits_ephemeral = features.ephemeral_claims_are_awaited
        self._narrows = features.local_volumes_narrow
        self._attributes_classes = features.volume_attributes_classes

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[PodVolumeClaims] | Skip | Status:
        """The claims, sorted; a rejection where one of them must be seen to first."""
        references = pod_claims(pod)
        if not references and self._skips_filter:
            return SKIP
        claims = []
        for reference in references:
            claim = self._usable(pod, reference, cluster)
            if isinstance(claim, Status):
                return claim
            claims.append(claim)
        state = sorted_claims(claims, cluster, attributes_classes=self._attributes_classes)
        if isinstance(state, Status):
            return state
        state = replaced(state, conflict=self._conflict, migrated=self._migrated)
        return PreFiltered(state, nodes_of_local_volumes(state.bound) if self._narrows else None)

    def _usable(self, pod: Pod, reference: PodClaim, cluster: Cluster) -> PersistentVolumeClaim | Status:
        """The claim, or why nothing can be done for it."""
        key = f"{pod.namespace}/{reference.name}"
        claim = cluster.listers.get(PersistentVolumeClaim, reference.name, pod.namespace)
        if claim is None:
            if reference.is_ephemeral and self._awaits_ephemeral:
                text = f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{reference.name}"'
                return unresolvable(text, UnusableClaim(key, ClaimProblem.NOT_CREATED))
            text = f'persistentvolumeclaim "{reference.name}" not found'
            return unresolvable(text, UnusableClaim(key, ClaimProblem.MISSING))
        if claim.status.phase == "Lost" and self._rejects_lost:
            text = f'persistentvolumeclaim "{claim.name}" bound to non-existent persistentvolume "{claim.volume_name}"'
            return unresolvable(text, UnusableClaim(key, ClaimProblem.LOST, volume=claim.volume_name))
        if claim.metadata.deletion_timestamp is not None:
            text = f'persistentvolumeclaim "{claim.name}" is being deleted'
            return unresolvable(text, UnusableClaim(key, ClaimProblem.DELETING))
        if reference.is_ephemeral and not is_for_pod(claim, pod):
            text = f'persistentvolumeclaim "{claim.name}" was not created for the pod'
            text = not_for_pod(claim, pod) if self._awaits_ephemeral else text
            return unresolvable(text, UnusableClaim(key, ClaimProblem.NOT_OWNED))
        return claim

    def unprepared(self, pod: Pod, cluster: Cluster) -> Status:  # noqa: ARG002
        """The error that upstream ends with."""
        return error("not found")

    def filter(self, pod: Pod, state: PodVolumeClaims, node_info: NodeInfo) -> Status | None:  # noqa: ARG002
        """None if all claims are bound to volumes that the node reaches, or can be."""
        found = _pod_volumes(state, node_info.node)
        if found.error is not None:
            return found.error
        if not found.reasons:
            return None
        return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, tuple(found.reasons), tuple(found.evidence))

    def reserve(self, pod: Pod, state: PodVolumeClaims, cluster: Cluster, node_name: str) -> Cluster:  # noqa: ARG002
        """The cluster with volumes reserved for the claims, and the claims that get new ones marked for the node."""
        found = _pod_volumes(state, cluster.node_info_by_name[node_name].node)
        return cluster.replacing(_assumed(found, node_name))

    def binding_steps(
        self,
        pod: Pod,  # noqa: ARG002
        state: PodVolumeClaims | None,
        cluster: Cluster,
        node_name: str,
    ) -> Iterator[BindingStep]:
        """Which volumes it would take and have made, and the wait for them; nothing where all claims are bound."""
        found = _pod_volumes(state, cluster.node_info_by_name[node_name].node) if state else PodVolumes()
        for volume, claim in found.bindings:
            yield BindingStep(ExtensionPoint.RESERVE, f"take volume {volume.name} for claim {claim.key}")
        for claim, _ in found.provisions:
            action = f"choose {node_name} for the volume that class {claim.class_name} makes for claim {claim.key}"
            yield BindingStep(ExtensionPoint.RESERVE, action)
        unbound = [*(claim for _, claim in found.bindings), *(claim for claim, _ in found.provisions)]
        if unbound:
            names = ", ".join(claim.key for claim in unbound)
            yield BindingStep(
                ExtensionPoint.PRE_BIND, f"write this to the cluster, and wait until claims are bound: {names}"
            )

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> PodVolumeClaims | Skip | None:
        """The claims, if a gate has nodes scored; else SKIP, as far as the release does."""
        state = self.score_unprepared(pod, cluster, node_infos)
        if self._scores_what_is_left or not self._skips_score:
            return state
        binds = state is not None and any(_pod_volumes(state, each.node).bindings for each in node_infos)
        return state if binds else SKIP

    def score_unprepared(
        self,
        pod: Pod,
        cluster: Cluster,
        node_infos: Sequence[NodeInfo],  # noqa: ARG002
    ) -> PodVolumeClaims | None:
        """The claims, if a gate has nodes scored."""
        prepared = self.pre_filter(pod, cluster) if self._shape else None
        return prepared.state if isinstance(prepared, PreFiltered) else None

    def score(self, pod: Pod, state: PodVolumeClaims | None, node_info: NodeInfo) -> int:  # noqa: ARG002
        """By what the pod's volumes leave of the storage that they are bound to or made of."""
        return storage_score(self._shape, self._uses(_pod_volumes(state, node_info.node))) if state else 0

    def _uses(self, found: PodVolumes) -> Collection[StorageUse]:
        """What the volumes take of each class: of volumes that are there, or else of what drivers have left."""
        by_class: dict[str, StorageUse] = {}
        for volume, claim in found.bindings:
            requested, capacity = by_class.get(volume.class_name, (0, 0))
            size = quantity.value((volume.spec.capacity or {}).get(STORAGE, 0))
            by_class[volume.class_name] = StorageUse(requested + _requested_bytes(claim), capacity + size)
        if found.bindings or not self._scores_what_is_left:
            return by_class.values()
        for claim, left in found.provisions:
            if left is not None:
                # Several claims draw on the same capacity, which counts once.
                requested, _ = by_class.get(claim.class_name, (0, 0))
                by_class[claim.class_name] = StorageUse(requested + _requested_bytes(claim), left)
        return by_class.values()


def _pod_volumes(state: PodVolumeClaims, node: Node) -> PodVolumes:
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
    objections = [
        objection
        for delayed in to_provision
        if (objection := _objection(delayed, state.cluster, node.labels, taken)) is not None
    ]
    if objections:
        # Upstream stops at the first claim that cannot be served; the evidence tells of all.
        is_full = isinstance(objections[0], NotEnoughStorage)
        found.reasons.append(_NO_SPACE if is_full else _NOTHING_TO_BIND)
        found.evidence += objections
    else:
        found.provisions += [Provision(delayed.claim, _left_for(delayed, node.labels)) for delayed in to_provision]


def _objection(
    delayed: DelayedClaim, cluster: Cluster, labels: Labels, taken: set[str]
) -> NoVolumeToBind | TopologyNotAllowed | NotEnoughStorage | None:
    """Why no new volume can be made for the claim on a node with these labels; None if one can.

    Source: volume binder `checkVolumeProvisions`.
    """
    claim, storage_class = delayed.claim, delayed.storage_class
    if storage_class.provisioner in ("", NOT_SUPPORTED_PROVISIONER):
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
        requested_bytes=_requested_bytes(claim),
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


def _requested_bytes(claim: PersistentVolumeClaim) -> int:
    return quantity.nanos_to_value(requested_nanos(claim))


def _left_for(delayed: DelayedClaim, labels: Labels) -> int | None:
    """What the driver has left of the claim's class, where it says so and the claim says how much it needs."""
    requests = delayed.claim.spec.resources.requests if delayed.claim.spec.resources else None
    if delayed.capacities is None or not requests or STORAGE not in requests:
        return None
    return delayed.capacities.left_for(labels, quantity.value(requests[STORAGE]))


def _capacity_shortage(delayed: DelayedClaim, labels: Labels) -> NotEnoughStorage | None:
    """What is short where the driver publishes its capacity."""
    claim = delayed.claim
    requests = claim.spec.resources.requests if claim.spec.resources else None
    if delayed.capacities is None or not requests or STORAGE not in requests:
        return None
    requested, largest = quantity.value(requests[STORAGE]), delayed.capacities.largest(labels)
    if largest is not None and largest >= requested:
        return None
    return NotEnoughStorage(claim.key, delayed.storage_class.name, requested, largest)


def _assumed(found: PodVolumes, node_name: str) -> Iterable[KubernetesObject]:
    """The volumes and claims as they are assumed. Source: volume binder `AssumePodVolumes`."""
    for volume, claim in found.bindings:
        reference = ObjectReference(name=claim.name, namespace=claim.namespace, uid=claim.metadata.uid)
        yield replace(volume, spec=replace(volume.spec, claim_ref=reference))
    for claim, _ in found.provisions:
        annotations = replace(claim.metadata.annotations or ClaimAnnotations(), selected_node=node_name)
        yield replace(claim, metadata=replace(claim.metadata, annotations=annotations))
