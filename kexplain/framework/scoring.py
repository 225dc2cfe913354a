"""PreScore, Score and NormalizeScore. Source: `framework/runtime/framework.go`, `RunScorePlugins`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from operator import add, attrgetter, itemgetter, mul
from typing import Any, NamedTuple

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.shared_history import NodeMemo
from kexplain.framework.answer_cache import NO_CACHE, AnswerCache
from kexplain.framework.plugin import (
    MAX_NODE_SCORE,
    Plugin,
    PreFiltered,
    PreFilterPlugin,
    PreScorePlugin,
    ScoreExplainer,
    ScorePlugin,
    ScoreTerms,
    ScoreWorker,
    Skip,
    WholesaleScore,
    offers,
)
from kexplain.framework.plugin_errors import Asked, ScoreError, score_error
from kexplain.framework.pre_filtering import Answers, filter_unprepared
from kexplain.framework.profile import Profile
from kexplain.framework.status import Status, error
from kexplain.framework.trace import NodeScores, PluginScores, added
from kexplain.objects.core import Pod

_NAME = attrgetter("name")
#: So many nodes are asked about sooner than it is looked up what is known of them.
FEW = 3


class Scoring(Struct, frozen=True):
    """A pod and the nodes that it fits on; `pre_filtered` is what each PreFilter answered."""

    profile: Profile
    pod: Pod
    cluster: Cluster
    node_infos: Sequence[NodeInfo]
    pre_filtered: Answers = {}

    def run(self, cache: AnswerCache = NO_CACHE) -> NodeScores:
        """The scores of the nodes, in their order.

        Raises ScoreError where upstream fails, too, PluginError if a plugin fails.
        """
        states = self._prepared(cache)
        by_plugin: dict[str, PluginScores] = {}
        alone: list[Scorer] = []
        for plugin, state in states:
            if isinstance(state, Status):
                raise score_error(plugin.name, state.message)
            scorer = self._scorer(plugin, state)
            if scorer.signature is not None:
                alone.append(scorer)
                continue
            score = partial(self._score_nodes, plugin, state)
            raw, normalized = cache.answer("score", (plugin, state, self.node_infos), score)
            by_plugin[plugin.name] = PluginScores(raw, normalized, self.profile.weights[plugin.name])
        # Where nothing scores, upstream gives every node the same.
        totals = added([0 if self.profile.score else 1] * len(self.node_infos), by_plugin.values())
        if alone:
            parts = [part for each in alone for part in (each.plugin, each.state)]
            weights = [(each.weight, self.profile.weights[each.plugin.name]) for each in alone]
            score_alone = partial(self._scored_alone, alone)
            found, sums = cache.answer(("score", *weights), (*parts, self.node_infos), score_alone)
            by_plugin |= found
            totals = map(add, totals, sums)
        ordered = {plugin.name: by_plugin[plugin.name] for plugin, _ in states}
        return NodeScores([*map(_NAME, self.node_infos)], ordered, totals)

    def scorers(self) -> Sequence[Scorer] | None:
        """The plugins that score these nodes; None if one of them ends with an error. PluginError if one fails."""
        try:
            states = self._prepared(NO_CACHE)
        except ScoreError:
            return None
        if any(isinstance(state, Status) for _, state in states):
            return None
        return [self._scorer(plugin, state) for plugin, state in states]

    def pre_scored(self, plugin: PreScorePlugin) -> Any:
        """What a plugin prepares. Raises PluginError if it fails."""
        with Asked(plugin.name, self.pod):
            return plugin.pre_score(self.pod, self.cluster, self.node_infos)

    def _prepared(self, cache: AnswerCache) -> list[tuple[ScorePlugin, Any]]:
        """The plugins that do not skip, with what they score by. Raises ScoreError for the error of a PreScore."""
        states: dict[str, Any] = {}
        for plugin in self.profile.pre_score:
            state = cache.answer("preScore", (plugin, self.node_infos), partial(self.pre_scored, plugin))
            if isinstance(state, Status):
                raise ScoreError(f'running PreScore plugin "{plugin.name}": {state.message}')
            states[plugin.name] = state
        states |= {each.name: self._unprepared(each) for each in self.profile.score if each.name not in states}
        return [(each, state) for each in self.profile.score if not isinstance(state := states[each.name], Skip)]

    def _unprepared(self, plugin: ScorePlugin) -> Any:
        """What a plugin scores by that the profile does not name at preScore: what its PreFilter made, if any."""
        prepared = self.profile.prepared_scores.get(plugin.name)
        if prepared is not None:
            with Asked(plugin.name, self.pod):
                return score_unprepared(prepared, self.pod, self.cluster, self.node_infos)
        answer = self.pre_filtered.get(plugin.name)
        if answer is None and offers(plugin, PreFilterPlugin):
            answer = filter_unprepared(plugin, self.pod, self.cluster)
        if isinstance(answer, PreFiltered):
            return answer.state
        return answer if isinstance(answer, Status) else None

    def _score_nodes(self, plugin: ScorePlugin, state: Any) -> tuple[Mapping[str, int], Mapping[str, int]]:
        with Asked(plugin.name, pod := self.pod):
            raw = {node_info.name: plugin.score(pod, state, node_info) for node_info in self.node_infos}
        return raw, normalized_scores(plugin, state, pod, raw, self.profile)

    def _scorer(self, plugin: ScorePlugin, state: Any) -> Scorer:
        by_node = self.profile.node_by_node_scores.get(plugin.name)
        signature = by_node.sign(self.pod, self.cluster) if by_node and by_node.scores_node_by_node(state) else None
        weight = None if plugin.name in self.profile.normalizers else self.profile.weights[plugin.name]
        return Scorer(plugin, state, signature, weight)

    def _scored_alone(self, alone: Sequence[Scorer]) -> tuple[dict[str, PluginScores], Sequence[int]]:
        """The scores by plugins that look at single nodes, asked together, and what all of them come to on each node.

        A node that has not changed since is not asked about again.
        """

        def ask(infos: Sequence[NodeInfo]) -> Iterable[_Together]:
            columns = [raw_scores(each, self.pod, self.cluster, infos) for each in alone]
            weights = [each.weight or 0 for each in alone]
            return [(sum(map(mul, raws, weights)), raws) for raws in zip(*columns, strict=True)]

        key = tuple([(each.plugin, each.signature, each.weight) for each in alone])
        memo: NodeMemo[_Together] = self.cluster.fact((Scoring, key), NodeMemo)
        known = memo.of(self.node_infos, ask)
        sums: Iterable[int] = map(itemgetter(0), known)
        found: dict[str, PluginScores] = {}
        scored = _Scored([*map(_NAME, self.node_infos)], known)
        for place, (plugin, state, _, weight) in enumerate(alone):
            raw = _Column(scored, place)
            if weight is None:
                normalized = normalized_scores(plugin, state, self.pod, raw.by_node(), self.profile)
                found[plugin.name] = PluginScores(raw, normalized, self.profile.weights[plugin.name])
                sums = added(sums, [found[plugin.name]])
            else:
                found[plugin.name] = PluginScores(raw, raw, weight)
        return found, [*sums]


class ScoreDetails(Struct, dict=True, eq=False):
    """How the scores of nodes come about, of the plugins that can say; each prepares once, when it is first asked."""

    scoring: Scoring
    scores: Mapping[str, PluginScores]
    #: What plugins score by, of those that prepare something for it.
    _prepared: dict[str, Any] = {}

    def of(self, node_name: str) -> dict[str, ScoreTerms]:
        """Those of one of the nodes, by plugin. Where all nodes score nothing, some have nothing to say."""
        node_info = self._info_by_name[node_name]
        terms = {}
        for plugin in (each for each in self.scoring.profile.score if each.name in self.scores):
            raw = self.scores[plugin.name].raw
            if offers(plugin, ScoreExplainer):
                terms[plugin.name] = plugin.score_terms(self.scoring.pod, self._state(plugin), node_info)
            elif offers(plugin, ScoreWorker):
                terms[plugin.name] = ScoreTerms(working=plugin.working(self._state(plugin), node_info, raw))
        return {name: each for name, each in terms.items() if each.strategy or each.working}

    @cached_property
    def _info_by_name(self) -> Mapping[str, NodeInfo]:
        return {info.name: info for info in self.scoring.node_infos}

    def _state(self, plugin: Plugin) -> Any:
        if not offers(plugin, PreScorePlugin):
            answer = self.scoring.pre_filtered.get(plugin.name)
            return answer.state if isinstance(answer, PreFiltered) else None
        if plugin.name not in self._prepared:
            self._prepared[plugin.name] = self.scoring.pre_scored(plugin)
        return self._prepared[plugin.name]


def score_unprepared(plugin: PreScorePlugin, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Any:
    """What a plugin scores by where its PreScore has not run: state, SKIP, or an error.

    That is what its method `unprepared_score` makes, the error `missing_score_state`, or what PreScore would make, as
    with filters.
    """
    prepare = getattr(plugin, "unprepared_score", plugin.pre_score)
    missing = getattr(plugin, "missing_score_state", "")
    return error(missing) if missing else prepare(pod, cluster, node_infos)


def normalized_scores(
    plugin: ScorePlugin, state: Any, pod: Pod, raw: Mapping[str, int], profile: Profile
) -> Mapping[str, int]:
    """The scores by node as they count. Raises PluginError if the plugin fails, ScoreError if it leaves the range."""
    normalizer = profile.normalizers.get(plugin.name)
    with Asked(plugin.name, pod):
        normalized = normalizer.normalize(state, raw) if normalizer else raw
    _check_range(plugin, normalized.values())
    return normalized


def _check_range(plugin: ScorePlugin, scores: Collection[int]) -> None:
    # A weight that no API server takes leads to such a score.
    if min(scores) < 0 or max(scores) > MAX_NODE_SCORE:
        worst = next(score for score in scores if not 0 <= score <= MAX_NODE_SCORE)
        said = f"returns an invalid score {worst}, it should in the range of [0, {MAX_NODE_SCORE}] after normalizing"
        raise ScoreError(f'applying score defaultWeights on Score plugins: plugin "{plugin.name}" {said}')


class Scorer(NamedTuple):
    """A plugin that scores a pod, with its state; and its signature of the pod if it looks at nothing but single nodes.

    `weight` is None where what it says is normalized over the nodes first.
    """

    plugin: ScorePlugin
    state: Any
    signature: Hashable
    weight: int | None


def raw_scores(each: Scorer, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Sequence[int]:
    """The scores by one plugin; other pods may have its signature in common with this one, and no other."""
    ask = partial(_asked, each, pod)
    if len(node_infos) <= FEW or each.signature is None:
        return ask(node_infos)
    memo: NodeMemo[int] = cluster.fact((raw_scores, each.plugin, each.signature), NodeMemo)
    return memo.of(node_infos, ask)


def _asked(each: Scorer, pod: Pod, node_infos: Sequence[NodeInfo]) -> Sequence[int]:
    plugin, state = each.plugin, each.state
    found: Sequence[int] | None = None
    with Asked(plugin.name, pod):
        if len(node_infos) > FEW and offers(plugin, WholesaleScore):
            found = plugin.score_all(pod, state, node_infos)
        if found is None:
            found = [plugin.score(pod, state, info) for info in node_infos]
    if each.weight is not None:
        _check_range(each.plugin, found)
    return found


#: What a node scores by several plugins: together, of those that nobody normalizes, by weight; and each by itself.
_Together = tuple[int, tuple[int, ...]]


class _Scored:
    """What several plugins give nodes."""

    def __init__(self, names: Sequence[str], known: Sequence[_Together]) -> None:
        self.names, self.known = names, known

    @cached_property
    def by_node(self) -> Mapping[str, _Together]:
        """The same by name, put together once somebody asks about single nodes."""
        return dict(zip(self.names, self.known, strict=True))


class _Column(Mapping[str, int]):
    """What one of them gives each node."""

    __slots__ = ("_place", "_scored")

    def __init__(self, scored: _Scored, place: int) -> None:
        self._scored, self._place = scored, place

    def by_node(self) -> dict[str, int]:
        """All of it."""
        raws = map(itemgetter(1), self._scored.known)
        return dict(zip(self._scored.names, map(itemgetter(self._place), raws), strict=True))

    def __getitem__(self, node_name: str) -> int:
        return self._scored.by_node[node_name][1][self._place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scored.names)

    def __len__(self) -> int:
        return len(self._scored.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self.by_node() == dict(other)

    __hash__ = None  # type: ignore[assignment]
