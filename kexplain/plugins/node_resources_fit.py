"""A pod fits where enough of everything is left. Source: `plugins/noderesources/fit.go`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import Resource, is_extended_resource_name
from kexplain.framework.features import Features
from kexplain.framework.plugin import Placement, PreFiltered, ScoreTerms, points_left_out
from kexplain.framework.signing import Signature
from kexplain.framework.status import Column, Status, unresolvable
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.requests import pod_requests
from kexplain.plugins.devices.classes import backed_by_class, class_by_resource, left_to_devices
from kexplain.plugins.resource_allocation import (
    Allocation,
    FitRequest,
    ScoredRequests,
    Shortage,
    allocations,
    shortages,
    shortages_by_place,
    status_of_shortages,
)
from kexplain.plugins.scoring_strategy import ScoringStrategy, score_by_strategy, scores_by_strategy, terms_of_score

SIDECARS_ARE_OFF = "Pod has a restartable init container and the SidecarContainers feature is disabled"


_SIDECARS_REJECTED = unresolvable(SIDECARS_ARE_OFF)


class FitScoring(Struct, frozen=True):
    """What bears on scores alone."""

    strategy: ScoringStrategy
    counts_overhead: bool


class NodeResourcesFit:
    """Turns away nodes with too little left, and ranks the others by the scoring strategy."""

    name = "NodeResourcesFit"
    missing_state = 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'
    filters_by_pods_there = True

    def __init__(
        self,
        features: Features,
        strategy: ScoringStrategy | None = None,
        ignored_resources: frozenset[str] = frozenset(),
        ignored_resource_groups: frozenset[str] = frozenset(),
    ) -> None:
        self._rejects_sidecars = features.disabled_sidecars_are_rejected and not features.sidecar_containers
        self._features = features
        self.not_at = points_left_out(
            preScore=features.resources_prepare_scores, placementScore=features.groups_are_scheduled_at_once
        )
        self.scoring = FitScoring(strategy or ScoringStrategy(), counts_overhead=features.overhead_scores_in_fit)
        self.ignored_resources = ignored_resources
        self._ignored_groups = ignored_resource_groups

    @property
    def strategy(self) -> ScoringStrategy:
        return self.scoring.strategy

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[FitRequest] | Status:
        """What the pod requests, ignored extended resources left out."""
        if self._features.disabled_sidecars_are_rejected_at_once and self._has_sidecars_in_vain(pod):
            return _SIDECARS_REJECTED
        read = self.sign(pod, cluster).read
        return PreFiltered(cluster.fact((self, read), lambda: self._request(pod, cluster)))

    def _request(self, pod: Pod, cluster: Cluster) -> FitRequest:
        requested = Resource.of_nanos(pod_requests(pod, cluster.rules))
        needs_all = not self._features.only_requested_resources_must_fit and _requests_anything(requested)
        backed = self._left_to_devices(requested.scalars, cluster)
        requested.scalars = {
            name: amount
            for name, amount in requested.scalars.items()
            if (amount or not self._features.only_requested_extended_resources_must_fit) and not self._is_ignored(name)
        }
        return FitRequest(requested, backed, self._features.extended_resources_are_claimed_by_container, needs_all)

    def _left_to_devices(self, scalars: Mapping[str, int], cluster: Cluster) -> frozenset[str]:
        """What DynamicResources judges where a node does not report it."""
        if not scalars or not self._features.extended_resources_of_classes:
            return frozenset()
        pick = left_to_devices if self._features.extended_resources_are_claimed_by_container else backed_by_class
        return pick(scalars, class_by_resource(cluster, self._features))

    def _has_sidecars_in_vain(self, pod: Pod) -> bool:
        return self._rejects_sidecars and any(each.restarts_always for each in pod.spec.init_containers or ())

    def ignoring(self, resources: frozenset[str]) -> NodeResourcesFit:
        """The plugin with these ignored in place of the resources that it ignored by name."""
        other = copy(self)
        other.ignored_resources = resources
        return other

    def _is_ignored(self, name: str) -> bool:
        if not is_extended_resource_name(name):
            return False
        return name in self.ignored_resources or name.partition("/")[0] in self._ignored_groups

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """What the pod requests, and what of it stands for devices."""
        resource = cluster.pod_info(pod).resource
        return Signature((resource.key, self._left_to_devices(resource.requested.scalars, cluster)))

    def filter(self, pod: Pod, state: FitRequest, node_info: NodeInfo) -> Status | None:
        """None if all that is requested is left on the node."""
        if self._rejects_sidecars and self._has_sidecars_in_vain(pod):
            return _SIDECARS_REJECTED
        lacking = shortages(state, node_info)
        return (state.statuses.get(lacking) or self._status(state, lacking)) if lacking else None

    def filter_all(self, pod: Pod, state: FitRequest, cluster: Cluster) -> Column | None:
        """The same of all nodes; None where they have to be asked one by one."""
        if state.backed_by_class or self._rejects_sidecars:
            return None
        numbers, lacking = shortages_by_place(state, cluster)
        return Column(numbers, {key: (self._status(state, each),) if each else () for key, each in lacking.items()})

    def _status(self, state: FitRequest, lacking: tuple[Shortage, ...]) -> Status:
        status = state.statuses.get(lacking)
        if status is None:
            unresolvable = self._features.oversized_request_is_unresolvable
            status = state.statuses[lacking] = status_of_shortages(lacking, oversized_is_unresolvable=unresolvable)
        return status

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> ScoredRequests:
        """What the pod counts for, resource by resource."""
        counts = self.scoring.counts_overhead
        return ScoredRequests.of(
            pod, self.strategy.resources, cluster, self._features, use_defaults=True, counts_overhead=counts
        )

    def scores_node_by_node(self, state: ScoredRequests) -> bool:
        """Not where devices count: which are taken is more than a node knows."""
        return state.devices is None

    def score(self, pod: Pod, state: ScoredRequests, node_info: NodeInfo) -> int:
        """From 0 to 100 by the scoring strategy."""
        resources = state.allocations(node_info, self.strategy.resources, use_defaults=True)
        return score_by_strategy(self.strategy, resources)

    def score_all(self, pod: Pod, state: ScoredRequests, node_infos: Sequence[NodeInfo]) -> list[int] | None:
        """The same of many nodes."""
        columns = state.columns(node_infos, self.strategy.resources, use_defaults=True)
        return scores_by_strategy(self.strategy, columns)

    def score_placement(self, name: GroupName, cluster: Cluster, placed: Placement) -> int:
        """From 0 to 100: how full its nodes would be, taken together, whatever the scoring strategy is."""
        resources = self.strategy.resources
        amounts = [self.pre_score(pod, cluster, ()).amounts for pod in placed.pods]
        requests = [sum(each[place] for each in amounts) for place in range(len(resources))]
        infos = [cluster.node_info_by_name[node_name] for node_name in placed.node_names]
        on_nodes = [allocations(each, resources, requests, use_defaults=True) for each in infos]
        together = []
        for request, on_each in zip(requests, zip(*on_nodes, strict=True), strict=True):
            allocated = sum(each.allocated for each in on_each)
            together.append(Allocation(sum(each.allocatable for each in on_each), allocated, allocated + request))
        return score_by_strategy(ScoringStrategy("MostAllocated", resources), together)

    def normalize_placements(self, scores: Sequence[int]) -> Sequence[int]:
        """The scores as they are."""
        return scores

    def score_terms(self, pod: Pod, state: ScoredRequests, node_info: NodeInfo) -> ScoreTerms:
        """How the score comes about, resource by resource."""
        resources = state.allocations(node_info, self.strategy.resources, use_defaults=True)
        return terms_of_score(self.strategy, resources)


def _requests_anything(requested: Resource) -> bool:
    return bool(requested.cpu_milli or requested.memory_bytes or requested.ephemeral_storage_bytes or requested.scalars)
