"""PreScore, Score and NormalizeScore. Source: `framework/runtime/framework.go`, `RunScorePlugins`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, cast

from kexplain.cluster import Cluster, NodeInfo
from kexplain.errors import PluginError
from kexplain.framework.answer_cache import NO_CACHE, AnswerCache
from kexplain.framework.plugin import (
    MAX_NODE_SCORE,
    PreFiltered,
    PreFilterPlugin,
    PreScorePlugin,
    ScoreExplainer,
    ScorePlugin,
    ScoreTerms,
    Skip,
)
from kexplain.framework.plugin_errors import ScoreError, plugin_error
from kexplain.framework.pre_filtering import Answers, filter_unprepared
from kexplain.framework.profile import Profile
from kexplain.framework.status import Status, error
from kexplain.framework.trace import NodeScores, PluginScores
from kexplain.objects.core import Pod

_NAME = attrgetter("name")


def run_scores(
    profile: Profile,
    pod: Pod,
    cluster: Cluster,
    node_infos: Sequence[NodeInfo],
    pre_filtered: Mapping[str, PreFiltered[Any] | Skip | Status] | None = None,
    cache: AnswerCache = NO_CACHE,
) -> NodeScores | Status:
    """The scores of these nodes, in their order, or the error of a PreScore or a Score.

    `pre_filtered` is what each PreFilter answered.

    Raises PluginError if a plugin fails or normalizes to something outside 0 to 100.
    """
    by_plugin: dict[str, PluginScores] = {}
    states: dict[str, Any] = {}
    for pre_score in profile.pre_score:
        ask = partial(_guarded_pre_score, pre_score.pre_score, pre_score.name, pod, cluster, node_infos)
        state = cache.answer("preScore", (pre_score, node_infos), ask)
        if isinstance(state, Status):
            return error(f'running PreScore plugin "{pre_score.name}": {state.message}').by(pre_score.name)
        states[pre_score.name] = state
    for plugin in profile.score:
        if plugin.name not in states:
            states[plugin.name] = _unprepared_score(plugin, pod, cluster, node_infos, pre_filtered or {})
        state = states[plugin.name]
        if isinstance(state, Status):
            return _failed(plugin, state.message)
        if not isinstance(state, Skip):
            try:
                score = partial(_score_nodes, plugin, state, pod, cluster, node_infos, profile)
                raw, normalized = cache.answer("score", (plugin, state, node_infos), score)
            except ScoreError as fault:
                return _failed(plugin, str(fault))
            by_plugin[plugin.name] = PluginScores(raw, normalized, profile.weights[plugin.name])
    # Where nothing scores, upstream gives every node the same.
    return NodeScores([node_info.name for node_info in node_infos], by_plugin, 0 if profile.score else 1)


def _failed(plugin: ScorePlugin, message: str) -> Status:
    return error(f'running Score plugins: plugin "{plugin.name}" failed with: {message}').by(plugin.name)


def score_terms(
    profile: Profile, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], node_info: NodeInfo
) -> dict[str, ScoreTerms]:
    """How the scores of one of these nodes come about, by plugin, of those that can say."""
    terms = {}
    for plugin in profile.score:
        if isinstance(plugin, ScoreExplainer):
            state = plugin.pre_score(pod, cluster, node_infos) if isinstance(plugin, PreScorePlugin) else None
            if not isinstance(state, Skip | Status):
                terms[plugin.name] = plugin.score_terms(pod, state, node_info)
    return terms


def _guarded_pre_score(
    prepare: Callable[[Pod, Cluster, Sequence[NodeInfo]], Any],
    name: str,
    pod: Pod,
    cluster: Cluster,
    node_infos: Sequence[NodeInfo],
) -> Any:
    try:
        return prepare(pod, cluster, node_infos)
    except Exception as fault:
        raise plugin_error(name, pod, fault) from fault


def score_unprepared(plugin: PreScorePlugin, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Any:
    """What a plugin scores by where its PreScore has not run: state, SKIP, or an error.

    That is what its method `unprepared_score` makes, the error `missing_score_state`, or what PreScore would make, as
    with filters.
    """
    prepare = getattr(plugin, "unprepared_score", plugin.pre_score)
    missing = getattr(plugin, "missing_score_state", "")
    return error(missing) if missing else prepare(pod, cluster, node_infos)


def _unprepared_score(
    plugin: ScorePlugin, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], pre_filtered: Answers
) -> Any:
    """What a plugin scores by that the profile does not name at preScore: what its PreFilter made, if it has one."""
    if isinstance(plugin, PreScorePlugin):
        return _guarded_pre_score(partial(score_unprepared, plugin), plugin.name, pod, cluster, node_infos)
    answer = pre_filtered.get(plugin.name)
    if answer is None and isinstance(plugin, PreFilterPlugin):
        answer = filter_unprepared(plugin, pod, cluster)
    if isinstance(answer, PreFiltered):
        return answer.state
    return answer if isinstance(answer, Status) else None


def _score_nodes(
    plugin: ScorePlugin, state: Any, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], profile: Profile
) -> tuple[dict[str, int], dict[str, int]]:
    """The plugin's scores by node: raw, and normalized."""
    normalizer = profile.normalizers.get(plugin.name)
    try:
        raw = _raw_scores(plugin, state, pod, cluster, node_infos, profile)
        normalized = normalizer.normalize(state, raw) if normalizer else raw
    except ScoreError:
        raise
    except Exception as fault:
        raise plugin_error(plugin.name, pod, fault) from fault
    if min(normalized.values()) < 0 or max(normalized.values()) > MAX_NODE_SCORE:
        worst = next(score for score in normalized.values() if not 0 <= score <= MAX_NODE_SCORE)
        raise PluginError(f"{plugin.name} scored {worst} for pod {pod.key}, which is not within 0 to 100")
    return raw, normalized


def _raw_scores(
    plugin: ScorePlugin, state: Any, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], profile: Profile
) -> dict[str, int]:
    """The plugin's scores by node; a node that has not changed since it was asked about is not asked about again."""
    node_by_node = profile.node_by_node_scores.get(plugin.name)
    signature = node_by_node.sign(pod, cluster) if node_by_node and node_by_node.scores_node_by_node(state) else None
    if signature is None:
        return {node_info.name: plugin.score(pod, state, node_info) for node_info in node_infos}
    known: _KnownScores = cluster.fact((run_scores, node_by_node, signature), _KnownScores)
    return known.of(node_infos, lambda node_info: plugin.score(pod, state, node_info))


class _KnownScores:
    """Raw scores by node, each of the node as it was: it stands while that is the one."""

    def __init__(self) -> None:
        self._scores: dict[NodeInfo, int] = {}
        #: Of each node the one that was asked about last.
        self._asked: dict[str, NodeInfo] = {}

    def of(self, node_infos: Sequence[NodeInfo], score: Callable[[NodeInfo], int]) -> dict[str, int]:
        """The scores of these nodes in their order. Few have changed, which is told without a step of Python each."""
        known = [*map(self._scores.get, node_infos)]
        if None in known:
            asked = zip(node_infos, known, strict=True)
            known = [self._ask(info, score) if old is None else old for info, old in asked]
        return dict(zip(map(_NAME, node_infos), cast("list[int]", known), strict=True))

    def _ask(self, node_info: NodeInfo, score: Callable[[NodeInfo], int]) -> int:
        former = self._asked.get(node_info.name)
        if former is not None:
            self._scores.pop(former, None)
        self._asked[node_info.name] = node_info
        found = self._scores[node_info] = score(node_info)
        return found
