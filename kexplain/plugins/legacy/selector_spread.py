"""Pods of a service or controller spread over nodes and zones. Source: `plugins/selectorspread` of 1.22."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import MAX_NODE_SCORE, SKIP, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, error
from kexplain.grouping import counted
from kexplain.objects.core import Pod
from kexplain.objects.selectors import Selector
from kexplain.plugins.default_selector import default_selector, is_counted
from kexplain.plugins.label_signing import signed_owners

#: How much the zone counts beside the node.
ZONE_WEIGHT = 2.0 / 3.0


class SpreadState(Struct, frozen=True):
    """What pods to count, and the zones of the feasible nodes; nodes without one are missing."""

    selector: Selector
    zone_by_node: Mapping[str, tuple[str, str]]


class SelectorSpread:
    """Prefers nodes and zones with few pods of the same services and controller."""

    name = "SelectorSpread"

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Whose pod it is, and of its labels those that select."""
        return Signature((signed_owners(pod, cluster), bool(pod.spec.topology_spread_constraints)))

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> SpreadState | Skip:
        """What to count; SKIP for pods with spread constraints of their own."""
        if pod.spec.topology_spread_constraints:
            return SKIP
        zones = {node_info.name: node_info.zone for node_info in node_infos}
        return SpreadState(default_selector(pod, cluster.listers), {name: at for name, at in zones.items() if any(at)})

    def unprepared_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Skip | Status:
        """The error that upstream ends with, unless there is nothing to score by."""
        if pod.spec.topology_spread_constraints:
            return SKIP
        return error('reading "PreScoreSelectorSpread" from cycleState: not found')

    def score(self, pod: Pod, state: SpreadState, node_info: NodeInfo) -> int:
        """How many such pods run on the node; an empty selector counts none."""
        if state.selector.is_empty:
            return 0
        return sum(is_counted(pod_info, state.selector, pod.namespace) for pod_info in node_info.pods)

    def normalize(self, state: SpreadState, scores: Mapping[str, int]) -> dict[str, int]:
        """Fewer pods score higher: a third for the node, two thirds for its zone."""
        counts = counted((zone, scores[name]) for name, zone in state.zone_by_node.items())
        most, most_in_zone = max(scores.values(), default=0), max(counts.values(), default=0)
        result = {}
        for name, count in scores.items():
            score = _share_left(count, most)
            if name in state.zone_by_node:
                zone_score = _share_left(counts[state.zone_by_node[name]], most_in_zone)
                score = score * (1.0 - ZONE_WEIGHT) + ZONE_WEIGHT * zone_score
            result[name] = int(score)
        return result


def _share_left(count: int, most: int) -> float:
    return float(MAX_NODE_SCORE) * ((most - count) / most) if most else float(MAX_NODE_SCORE)
