"""Strategies that were plugins of their own up to 1.22. Source: `plugins/noderesources` of that release."""

from collections.abc import Sequence

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import ScoreTerms
from kexplain.framework.signing import Signature
from kexplain.objects.core import Pod
from kexplain.plugins.resource_allocation import ScoredRequests, scored_requests
from kexplain.plugins.scoring_strategy import ScoringStrategy, score_by_strategy, terms_of_score


class NodeResourcesScorer(Struct, frozen=True):
    """Ranks nodes by one strategy, and filters nothing: NodeResourcesLeastAllocated and its like."""

    strategy: ScoringStrategy

    @property
    def name(self) -> str:
        """That of its strategy, as it was then."""
        kind = self.strategy.type
        return kind if kind == "RequestedToCapacityRatio" else f"NodeResources{kind}"

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(cluster.pod_info(pod).resource.key)

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> ScoredRequests:
        """What the pod counts for, resource by resource."""
        return ScoredRequests(scored_requests(pod, self.strategy.resources, cluster.rules, use_defaults=True))

    def score(self, pod: Pod, state: ScoredRequests, node_info: NodeInfo) -> int:
        """From 0 to 100 by the scoring strategy."""
        resources = state.allocations(node_info, self.strategy.resources, use_defaults=True)
        return score_by_strategy(self.strategy, resources)

    def score_terms(self, pod: Pod, state: ScoredRequests, node_info: NodeInfo) -> ScoreTerms:
        """How the score comes about, resource by resource."""
        resources = state.allocations(node_info, self.strategy.resources, use_defaults=True)
        return terms_of_score(self.strategy, resources)
