"""Taints repel pods that do not tolerate them. Source: `plugins/tainttoleration`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import UntoleratedTaints
from kexplain.framework.features import Features
from kexplain.framework.plugin import normalize_to_maximum, share_of_maximum
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod, Taint, Toleration
from kexplain.objects.selectors import PREFER_NO_SCHEDULE, REPELLING_EFFECTS
from kexplain.objects.tolerations import untolerated_taints

#: How a message names a taint.
UNTOLERATED = "node(s) had untolerated taint {}"
UNTOLERATED_OF_OLD = "node(s) had taint {}, that the pod didn't tolerate"


class TaintToleration:
    """Turns away nodes with untolerated taints, and prefers those with few that only plead."""

    name = "TaintToleration"
    missing_score_state = 'failed to read "PreScoreTaintToleration" from cycleState: not found'
    filters_by_pods_there = False

    def __init__(self, features: Features) -> None:
        self._comparison = features.taint_toleration_comparison_operators
        self._names_taint = features.untolerated_taint_is_named
        self._wording = UNTOLERATED if features.untolerated_taint_is_called_so else UNTOLERATED_OF_OLD

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(pod.spec.tolerations)

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if every NoSchedule and NoExecute taint is tolerated."""
        taints = node_info.node.spec.taints
        if not taints:
            return None
        untolerated = untolerated_taints(
            taints, pod.spec.tolerations or (), REPELLING_EFFECTS, comparison_operators=self._comparison
        )
        if not untolerated:
            return None
        reason = "node(s) had untolerated taint(s)"
        if self._names_taint:
            first = untolerated[0]
            reason = self._wording.format(f"{{{first.key}: {first.value or ''}}}")
        return _rejection(reason, untolerated)

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> tuple[Toleration, ...]:
        """The tolerations that bear on PreferNoSchedule taints."""
        return tuple(t for t in pod.spec.tolerations or () if not t.effect or t.effect == PREFER_NO_SCHEDULE)

    def scores_node_by_node(self, state: tuple[Toleration, ...]) -> bool:
        """Always."""
        return True

    def score(self, pod: Pod, state: tuple[Toleration, ...], node_info: NodeInfo) -> int:
        """How many PreferNoSchedule taints of the node are not tolerated."""
        taints = node_info.node.spec.taints
        if not taints:
            return 0
        return len(untolerated_taints(taints, state, (PREFER_NO_SCHEDULE,), comparison_operators=self._comparison))

    def working(self, state: tuple[Toleration, ...], node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """How many taints it has that it would rather be kept free for."""
        count = raw[node_info.name]
        taints = f"{count} PreferNoSchedule {'taint' if count == 1 else 'taints'} not tolerated"
        return f"{taints}; {share_of_maximum(count, raw, reverse=True)}" if any(raw.values()) else ""

    def normalize(self, state: tuple[Toleration, ...], scores: Mapping[str, int]) -> dict[str, int]:
        """Fewer untolerated taints score higher."""
        return normalize_to_maximum(scores, reverse=True)


@lru_cache(maxsize=4096)
def _rejection(reason: str, untolerated: tuple[Taint, ...]) -> Status:
    """The very same of all nodes with these taints."""
    return unresolvable(reason, UntoleratedTaints(untolerated))
