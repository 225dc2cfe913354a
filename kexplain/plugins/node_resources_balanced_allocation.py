"""Nodes should fill up evenly. Source: `plugins/noderesources/balanced_allocation.go`."""

import math
from collections.abc import Mapping, Sequence

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.features import Features
from kexplain.framework.plugin import MAX_NODE_SCORE, SKIP, Skip, points_left_out
from kexplain.framework.signing import Signature
from kexplain.objects.core import Pod
from kexplain.plugins.resource_allocation import DEFAULT_RESOURCES, ResourceSpec, ScoredRequests, Taken

HALF = MAX_NODE_SCORE // 2


class NodeResourcesBalancedAllocation:
    """Ranks nodes by how alike the used shares of their resources would be."""

    name = "NodeResourcesBalancedAllocation"

    def __init__(self, features: Features, resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES) -> None:
        self._features = features
        self.not_at = points_left_out(preScore=features.resources_prepare_scores)
        self.resources = resources

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> ScoredRequests | Skip:
        """What the pod requests; SKIP if that is nothing."""
        requests = ScoredRequests.of(pod, self.resources, cluster, self._features, use_defaults=False)
        return SKIP if self._features.best_effort_skips_balance and not any(requests.amounts) else requests

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(cluster.pod_info(pod).resource.key)

    def scores_node_by_node(self, state: ScoredRequests | None) -> bool:
        """Not where devices count: which are taken is more than a node knows."""
        return state is not None and state.devices is None

    def unprepared_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> ScoredRequests | None:
        """The same, worked out while scoring; None for pods that request nothing."""
        requests = self.pre_score(pod, cluster, node_infos)
        return None if isinstance(requests, Skip) else requests

    def score(self, pod: Pod, state: ScoredRequests | None, node_info: NodeInfo) -> int:
        """Around 75 if the balance stays as it is, towards 100 if it improves, towards 50 if it suffers."""
        if state is None:
            return 0
        resources = state.allocations(node_info, self.resources, use_defaults=False)
        counted = [each for each in resources if each.allocatable]
        after = balance([(each.requested, each.allocatable) for each in counted])
        if not self._features.balance_by_improvement:
            return after
        before = balance([(each.allocated, each.allocatable) for each in counted])
        return HALF + (HALF + after - before) // 2

    def working(self, state: ScoredRequests | None, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """The balance of the used shares with the pod, and without it where that counts."""
        resources = state.allocations(node_info, self.resources, use_defaults=False) if state else ()
        named = [(spec.name, each) for spec, each in zip(self.resources, resources, strict=False) if each.allocatable]
        with_pod = {name: (each.requested, each.allocatable) for name, each in named}
        without = {name: (each.allocated, each.allocatable) for name, each in named}
        said = f"with the pod {_balance_working(with_pod)}"
        if not self._features.balance_by_improvement:
            return said
        after, before = balance([*with_pod.values()]), balance([*without.values()])
        half = "" if (HALF + after - before) % 2 == 0 else f"{HALF + (HALF + after - before) / 2}, so "
        sums = f"{HALF} + ({HALF} + {after} − {before}) / 2 = {half}{raw[node_info.name]}"
        return f"{said}; without it {_balance_working(without)}; {sums}"

    def score_all(self, pod: Pod, state: ScoredRequests | None, node_infos: Sequence[NodeInfo]) -> list[int] | None:
        """The same of many nodes, where two resources count."""
        taken = state.columns(node_infos, self.resources, use_defaults=False) if state else []
        if len(taken) != 2:
            return None
        after = _balances(*[_shares(each, each.request) for each in taken])
        if not self._features.balance_by_improvement:
            return after
        before = _balances(*[_shares(each, 0) for each in taken])
        return [HALF + (HALF + now - then) // 2 for now, then in zip(after, before, strict=True)]


def _shares(of: Taken, more: int) -> list[float]:
    return [min((took + more) / has, 1.0) for took, has in zip(of.allocated, of.offered, strict=True)]


def _balances(one: Sequence[float], other: Sequence[float]) -> list[int]:
    """The `balance` of each node by the used shares of two resources."""
    deviations = (abs((share - another) / 2) for share, another in zip(one, other, strict=True))
    return [int((1 - deviation) * float(MAX_NODE_SCORE)) for deviation in deviations]


def _balance_working(used_of: Mapping[str, tuple[int, int]]) -> str:
    """The shares, and how the balance is cut off: to the last digit, as it may be that which decides."""
    shares = [f"{name} {used}/{has}" for name, (used, has) in used_of.items()]
    exact = _balance([*used_of.values()])
    cut = "" if exact == int(exact) else f"{exact!r}, so "
    return f"{', '.join(shares)}: {MAX_NODE_SCORE} × (1 − stddev) = {cut}{int(exact)}"


def balance(used_of: Sequence[tuple[int, int]]) -> int:
    """100 less the standard deviation of the used shares, in percent; the share of an overfull resource is 1.

    The order of the floating point operations is upstream's, since the result is cut to an integer.
    """
    return int(_balance(used_of))


def _balance(used_of: Sequence[tuple[int, int]]) -> float:
    fractions = [min(used / allocatable, 1.0) for used, allocatable in used_of]
    if len(fractions) == 2:
        deviation = abs((fractions[0] - fractions[1]) / 2)
    elif len(fractions) > 2:
        total = 0.0
        for fraction in fractions:
            total += fraction
        mean = total / len(fractions)
        squares = 0.0
        for fraction in fractions:
            squares += (fraction - mean) * (fraction - mean)
        deviation = math.sqrt(squares / len(fractions))
    else:
        deviation = 0.0
    return (1 - deviation) * float(MAX_NODE_SCORE)
