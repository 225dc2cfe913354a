"""Claims must be bound, or bindable, where the pod runs. Source: `plugins/volumebinding`.

What finds volumes is imported for pods that have claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from msgspec.structs import replace as replaced

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, BindingStep, ExtensionPoint, PreFiltered, Skip, points_left_out
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, unresolvable
from kexplain.objects import quantity
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import (
    STORAGE,
    ClaimAnnotations,
    ObjectReference,
    PersistentVolumeClaim,
    requested_bytes,
)
from kexplain.objects.pod_claims import PodClaim, is_for_pod, not_for_pod, pod_claims
from kexplain.plugins.migrated_plugins import MigratedPlugins
from kexplain.plugins.storage_scoring import Shape, StorageUse, default_shape, storage_score, storage_working
from kexplain.plugins.volume_signing import sign_volumes

if TYPE_CHECKING:
    from kexplain.plugins.volume_binder import PodVolumes
    from kexplain.plugins.volume_claims import PodVolumeClaims

AFFINITY_CONFLICT = "node(s) didn't match PersistentVolume's node affinity"
AFFINITY_CONFLICT_OF_OLD = "node(s) had volume node affinity conflict"


class VolumeBinding:
    """Turns away nodes that cannot reach the pod's volumes, or for which none can be found or made."""

    name = "VolumeBinding"
    missing_state = "not found"
    binding_points = (ExtensionPoint.RESERVE, ExtensionPoint.PRE_BIND)

    def __init__(self, features: Features = DEFAULT_FEATURES, shape: Shape = ()) -> None:
        default = default_shape(features)
        self._shape = (shape or default) if default else ()
        self._scores_what_is_left = features.storage_capacity_scoring
        self._conflict = AFFINITY_CONFLICT if features.volume_conflict_is_named_affinity else AFFINITY_CONFLICT_OF_OLD
        self._skips_filter = features.filters_are_skipped
        self._skips_score = features.further_scores_are_skipped
        self.not_at = points_left_out(preScore=self._skips_score)
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
        from kexplain.plugins.volume_claims import nodes_of_local_volumes, sorted_claims  # noqa: PLC0415

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

    def sign(self, pod: Pod, cluster: Cluster) -> Signature | None:
        return sign_volumes(pod, cluster)

    def filter(self, pod: Pod, state: PodVolumeClaims, node_info: NodeInfo) -> Status | None:
        """None if all claims are bound to volumes that the node reaches, or can be."""
        found = _volumes_on(state, node_info.node)
        if found.error is not None:
            return found.error
        if not found.reasons:
            return None
        return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, tuple(found.reasons), tuple(found.evidence))

    def reserve(self, pod: Pod, state: PodVolumeClaims, cluster: Cluster, node_name: str) -> Cluster:
        """The cluster with volumes reserved for the claims, and the claims that get new ones marked for the node."""
        found = _volumes_on(state, cluster.node_info_by_name[node_name].node)
        return cluster.replacing(_assumed(found, node_name))

    def binding_steps(
        self, pod: Pod, state: PodVolumeClaims | None, cluster: Cluster, node_name: str
    ) -> Iterator[BindingStep]:
        """Which volumes it would take and have made, and the wait for them; nothing where all claims are bound."""
        if state is None:
            return
        found = _volumes_on(state, cluster.node_info_by_name[node_name].node)
        for volume, claim in found.bindings:
            yield BindingStep(ExtensionPoint.RESERVE, f"take volume {volume.name} for claim {claim.key}")
        for claim, _ in found.provisions:
            action = f"choose {node_name} for the volume that class {claim.class_name} makes for claim {claim.key}"
            yield BindingStep(ExtensionPoint.RESERVE, action)
        unbound = [*(claim for _, claim in found.bindings), *(claim for claim, _ in found.provisions)]
        if unbound:
            names = ", ".join(claim.key for claim in unbound)
            action = f"write this to the cluster, and wait until claims are bound: {names}"
            yield BindingStep(ExtensionPoint.PRE_BIND, action)

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> PodVolumeClaims | Skip | None:
        """The claims, if a gate has nodes scored; else SKIP, as far as the release does."""
        state = self.unprepared_score(pod, cluster, node_infos)
        if self._scores_what_is_left or not self._skips_score:
            return state
        binds = state is not None and any(_volumes_on(state, each.node).bindings for each in node_infos)
        return state if binds else SKIP

    def unprepared_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> PodVolumeClaims | None:
        """The claims, if a gate has nodes scored."""
        prepared = self.pre_filter(pod, cluster) if self._shape else None
        return prepared.state if isinstance(prepared, PreFiltered) else None

    def score(self, pod: Pod, state: PodVolumeClaims | None, node_info: NodeInfo) -> int:
        """By what the pod's volumes leave of the storage that they are bound to or made of."""
        return storage_score(self._shape, self._uses(_volumes_on(state, node_info.node)).values()) if state else 0

    def working(self, state: PodVolumeClaims | None, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """What its claims take of each class there, in bytes, and what that is worth."""
        return storage_working(self._shape, self._uses(_volumes_on(state, node_info.node))) if state else ""

    def _uses(self, found: PodVolumes) -> Mapping[str, StorageUse]:
        """What the volumes take of each class: of volumes that are there, or else of what drivers have left."""
        by_class: dict[str, StorageUse] = {}
        for volume, claim in found.bindings:
            requested, capacity = by_class.get(volume.class_name, (0, 0))
            size = quantity.value((volume.spec.capacity or {}).get(STORAGE, 0))
            by_class[volume.class_name] = StorageUse(requested + requested_bytes(claim), capacity + size)
        if found.bindings or not self._scores_what_is_left:
            return by_class
        for claim, left in found.provisions:
            if left is not None:
                # Several claims draw on the same capacity, which counts once.
                requested, _ = by_class.get(claim.class_name, (0, 0))
                by_class[claim.class_name] = StorageUse(requested + requested_bytes(claim), left)
        return by_class


def _volumes_on(state: PodVolumeClaims, node: Node) -> PodVolumes:
    from kexplain.plugins.volume_binder import pod_volumes  # noqa: PLC0415 (many pods have no claims)

    return pod_volumes(state, node)


def _assumed(found: PodVolumes, node_name: str) -> Iterable[KubernetesObject]:
    """The volumes and claims as they are assumed. Source: volume binder `AssumePodVolumes`."""
    for volume, claim in found.bindings:
        reference = ObjectReference(name=claim.name, namespace=claim.namespace, uid=claim.metadata.uid)
        yield replace(volume, spec=replace(volume.spec, claim_ref=reference))
    for claim, _ in found.provisions:
        annotations = replace(claim.metadata.annotations or ClaimAnnotations(), selected_node=node_name)
        yield replace(claim, metadata=replace(claim.metadata, annotations=annotations))
