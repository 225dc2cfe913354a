"""Ask one plugin, in the order of the extension points, as the runtime does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kexplain.cluster import Cluster
from kexplain.framework.evidence import Evidence
from kexplain.framework.plugin import NormalizeScorePlugin, PreFiltered, PreFilterPlugin, PreScorePlugin, Skip, offers
from kexplain.framework.status import Code, Status
from kexplain.objects.core import Pod

UNSCHEDULABLE = Code.UNSCHEDULABLE
UNRESOLVABLE = Code.UNSCHEDULABLE_AND_UNRESOLVABLE


def filter_verdict(plugin: Any, pod: Pod, cluster: Cluster, node_name: str = "n1") -> Status | None:
    """What the plugin says of the pod on that node; None too where its PreFilter skips."""
    state = None
    if offers(plugin, PreFilterPlugin):
        answer = plugin.pre_filter(pod, cluster)
        if isinstance(answer, Status):
            return answer
        if isinstance(answer, Skip):
            return None
        state = answer.state
    verdict: Status | None = plugin.filter(pod, state, cluster.node_info_by_name[node_name])
    return verdict


def pre_filtered(plugin: Any, pod: Pod, cluster: Cluster) -> PreFiltered[Any]:
    """What the plugin's PreFilter found out; it must not skip or reject."""
    answer = plugin.pre_filter(pod, cluster)
    assert isinstance(answer, PreFiltered)
    return answer


def raw_scores(plugin: Any, pod: Pod, cluster: Cluster, feasible: Sequence[str] | None = None) -> dict[str, int] | None:
    """The plugin's scores of the feasible nodes, which are all unless named; None where its PreScore skips."""
    return _scores(plugin, pod, cluster, feasible)[0]


def normalized_scores(
    plugin: Any, pod: Pod, cluster: Cluster, feasible: Sequence[str] | None = None
) -> dict[str, int] | None:
    """The same, normalized."""
    return _scores(plugin, pod, cluster, feasible)[1]


def _scores(
    plugin: Any, pod: Pod, cluster: Cluster, feasible: Sequence[str] | None
) -> tuple[dict[str, int] | None, dict[str, int] | None]:
    infos = [info for info in cluster.node_infos if feasible is None or info.name in feasible]
    state = None
    if offers(plugin, PreScorePlugin):
        state = plugin.pre_score(pod, cluster, infos)
        if isinstance(state, Skip):
            return None, None
    raw = {info.name: plugin.score(pod, state, info) for info in infos}
    return raw, plugin.normalize(state, raw) if offers(plugin, NormalizeScorePlugin) else raw


def rejection(code: Code, *reasons: str, evidence: Sequence[Evidence] = ()) -> Status:
    """A Status as a plugin gives it."""
    return Status(code, reasons, tuple(evidence))
