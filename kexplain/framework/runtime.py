"""Runs a profile's plugins as kube-scheduler does, with parallelism 1. Source: `framework/runtime/framework.go`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.lineage import NodeMemo
from kexplain.errors import PluginError
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import (
    MAX_NODE_SCORE,
    BindingStep,
    ExtensionPoint,
    FilterPlugin,
    PostFilterPlugin,
    PreFiltered,
    PreFilterExtensions,
    PreFilterPlugin,
    PreScorePlugin,
    ScoreExplainer,
    ScorePlugin,
    ScoreTerms,
    Skip,
    UnpreparedFilter,
    UnpreparedScore,
)
from kexplain.framework.postfilter import Candidate, NodeStatuses, PostFiltered, Review
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.framework.trace import NodeScores, PluginScores
from kexplain.objects.core import Pod


class _Link:
    """A filter with its state; `extensions` is the same plugin if its state depends on which pods run where."""

    __slots__ = ("extensions", "filter", "name", "state")

    def __init__(self, plugin: FilterPlugin, state: Any, extensions: PreFilterExtensions | None) -> None:
        self.name = plugin.name
        self.filter = plugin.filter
        self.state = state
        self.extensions = extensions

    def clone(self) -> _Link:
        """The link with a state that may change."""
        if self.extensions is None:
            return self
        copy = _Link.__new__(_Link)
        copy.name, copy.filter, copy.extensions = self.name, self.filter, self.extensions
        copy.state = self.extensions.clone(self.state)
        return copy

    def first(self, pod: Pod, node_info: NodeInfo) -> Status | None:
        """What the filter says."""
        try:
            status = self.filter(pod, self.state, node_info)
        except Exception as fault:
            raise _plugin_error(self.name, pod, fault, node_info.name) from fault
        return None if status is None else status.by(self.name)

    def every(self, pod: Pod, node_info: NodeInfo) -> tuple[Status, ...]:
        """The same, as one of several."""
        status = self.first(pod, node_info)
        return () if status is None else (status,)


class _Run:
    """Filters in a row whose verdicts stand as long as the node does: about each node they are asked once."""

    __slots__ = ("_links", "_memo")

    def __init__(self, links: Sequence[_Link], memo: NodeMemo[tuple[Status, ...]]) -> None:
        self._links = links
        self._memo = memo

    def first(self, pod: Pod, node_info: NodeInfo) -> Status | None:
        """The first objection."""
        known = self._memo.get(node_info.name)
        # Spelled out, since it is asked for every node of every pod.
        every = known[1] if known is not None and known[0] is node_info else self.every(pod, node_info)
        return every[0] if every else None

    def every(self, pod: Pod, node_info: NodeInfo) -> tuple[Status, ...]:
        """All objections."""
        known = self._memo.get(node_info.name)
        if known is not None and known[0] is node_info:
            return known[1]
        found = (link.first(pod, node_info) for link in self._links)
        every = tuple(status for status in found if status is not None)
        self._memo[node_info.name] = (node_info, every)
        return every


class FilterChain:
    """The filters that have something to say about a pod, each with the state that its PreFilter made."""

    __slots__ = ("_links", "_names_by_plugin", "_runs_all", "_stateless", "_steps", "pod")

    def __init__(
        self,
        pod: Pod,
        links: Sequence[_Link],
        names_by_plugin: Mapping[str, frozenset[str]],
        *,
        runs_all: bool = False,
        steps: Sequence[_Link | _Run] | None = None,
        stateless: tuple[str, str] = ("", ""),
    ) -> None:
        """`names_by_plugin` are the nodes that a PreFilter narrowed the search to.

        With `runs_all` the scheduler itself asks every filter. `steps` are the links, some of them perhaps as runs,
        which is for nodes of the cluster only: the node of a trial changes. `stateless` are the first plugin, and what
        it says, that cannot follow pods which come and go, as its PreFilter never ran.
        """
        self.pod = pod
        self._names_by_plugin = names_by_plugin
        self._links = links
        self._steps = links if steps is None else steps
        self._runs_all = runs_all
        self._stateless = stateless

    def clone(self) -> FilterChain:
        """A chain whose states may change."""
        links = [link.clone() for link in self._links]
        return FilterChain(self.pod, links, self._names_by_plugin, runs_all=self._runs_all, stateless=self._stateless)

    def state(self, plugin_name: str) -> Any:
        """What that plugin's PreFilter has made; None if it has no state here."""
        return next((link.state for link in self._links if link.name == plugin_name), None)

    def add_pod(self, pod_info: PodInfo, node_info: NodeInfo) -> Status | None:
        """Tell every state that the pod is on the node now; an answer is the error that upstream ends with."""
        for link in self._links:
            if link.extensions is not None:
                link.extensions.add_pod(self.pod, link.state, pod_info, node_info)
        return self._failure("AddPod")

    def remove_pod(self, pod_info: PodInfo, node_info: NodeInfo) -> Status | None:
        """Tell every state that the pod has left the node; an answer is the error that upstream ends with."""
        for link in self._links:
            if link.extensions is not None:
                link.extensions.remove_pod(self.pod, link.state, pod_info, node_info)
        return self._failure("RemovePod")

    def _failure(self, extension: str) -> Status | None:
        plugin, fault = self._stateless
        return error(f'running {extension} on PreFilter plugin "{plugin}": {fault}') if fault else None

    def first_rejection(self, node_info: NodeInfo) -> Status | None:
        """The objection as the scheduler hears it: the first, or all of them as one where it asks every filter."""
        if self._runs_all:
            return self._merged_rejections(node_info)
        pod = self.pod
        for step in self._steps:
            status = step.first(pod, node_info)
            if status is not None:
                return status if status.is_rejection else _failed(status)
        return None

    def _merged_rejections(self, node_info: NodeInfo) -> Status | None:
        """All objections with the severest code; the first plugin with that is to blame, upstream any of them."""
        statuses = list(self.all_rejections(node_info).values())
        failed = next((status for status in statuses if not status.is_rejection), None)
        if failed is not None:
            return _failed(failed)
        if not statuses:
            return None
        codes = [status.code for status in statuses]
        unresolvable_code = Code.UNSCHEDULABLE_AND_UNRESOLVABLE
        worst = statuses[codes.index(unresolvable_code)] if unresolvable_code in codes else statuses[0]
        reasons = tuple(reason for status in statuses for reason in status.reasons)
        evidence = tuple(each for status in statuses for each in status.evidence)
        return Status(worst.code, reasons, evidence, worst.plugin)

    def all_rejections(self, node_info: NodeInfo) -> dict[str, Status]:
        """Every filter's objection to the node, asked without stopping at the first.

        What a plugin says whose PreFilter ruled the node out already does not count.
        """
        rejections = {}
        pod, names_by_plugin = self.pod, self._names_by_plugin
        for step in self._steps:
            for status in step.every(pod, node_info):
                names = names_by_plugin.get(status.plugin)
                if names is None or node_info.name in names:
                    rejections[status.plugin] = status
        return rejections


def _failed(status: Status) -> Status:
    """A filter's error as the scheduler hears it."""
    return error(f'running "{status.plugin}" filter plugin: {status.message}').by(status.plugin)


def _plugin_error(plugin: str, pod: Pod, fault: Exception, node: str = "") -> PluginError:
    place = f" on node {node}" if node else ""
    return PluginError(f"{plugin} failed for pod {pod.key}{place}: {type(fault).__name__}: {fault}")


@dataclass(frozen=True, slots=True)
class PreFilterResult:
    """What all PreFilters said together.

    `rejection` turns down the pod as a whole; plugins that are not in `reached` were asked after it, for the
    trace only, and so was `chain` made with what they said. `reached_chain` does without, as upstream has to.
    `node_names`, where given, are the only nodes to look at, as `narrowed_by` (sorted) said.
    """

    by_plugin: Mapping[str, PreFiltered[Any] | Skip | Status]
    chain: FilterChain
    reached_chain: FilterChain
    reached: frozenset[str]
    rejection: Status | None = None
    node_names: frozenset[str] | None = None
    narrowed_by: tuple[str, ...] = ()


Answers = Mapping[str, PreFiltered[Any] | Skip | Status]


def run_pre_filters(
    profile: Profile, pod: Pod, cluster: Cluster, features: Features = DEFAULT_FEATURES
) -> PreFilterResult:
    """Ask every PreFilter; one that rejects for good has the last word, and so has finding no common node."""
    answers: dict[str, PreFiltered[Any] | Skip | Status] = {}
    rejection: Status | None = None
    names: frozenset[str] | None = None
    narrowed_by: list[str] = []
    reached: set[str] = set()
    is_over = False
    for plugin in profile.pre_filter:
        answer = answers[plugin.name] = _pre_filtered(plugin, pod, cluster)
        if is_over:
            continue
        reached.add(plugin.name)
        if isinstance(answer, Status):
            rejection = _pre_filter_failure(plugin.name, answer)
            is_over = rejection.code is not Code.UNSCHEDULABLE
        elif isinstance(answer, PreFiltered) and answer.node_names is not None:
            narrowed_by.append(plugin.name)
            names = answer.node_names if names is None else names & answer.node_names
            if not names:
                rejection = _no_common_node(narrowed_by, is_unresolvable=features.no_common_node_is_unresolvable)
                is_over = True
    chain = reached_chain = _chain(profile, pod, cluster, answers)
    if is_over:
        known = _known_to_upstream(answers, reached, forgets_skips=features.pre_filter_rejection_leaves_nodes_open)
        reached_chain = _chain(profile, pod, cluster, known)
    return PreFilterResult(
        answers, chain, reached_chain, frozenset(reached), rejection, names, tuple(sorted(narrowed_by))
    )


def _pre_filtered(plugin: PreFilterPlugin, pod: Pod, cluster: Cluster) -> PreFiltered[Any] | Skip | Status:
    try:
        return plugin.pre_filter(pod, cluster)
    except Exception as fault:
        raise _plugin_error(plugin.name, pod, fault) from fault


def _known_to_upstream(answers: Answers, reached: Container[str], *, forgets_skips: bool) -> Answers:
    """The answers that leave something behind when PreFilter ends early."""
    return {
        name: answer
        for name, answer in answers.items()
        if name in reached and (isinstance(answer, PreFiltered) or (isinstance(answer, Skip) and not forgets_skips))
    }


def _chain(profile: Profile, pod: Pod, cluster: Cluster, answers: Answers) -> FilterChain:
    names_by_plugin = {
        name: answer.node_names
        for name, answer in answers.items()
        if isinstance(answer, PreFiltered) and answer.node_names is not None
    }
    missing = [
        (plugin.name, plugin.missing_state)
        for plugin in profile.pre_filter
        if plugin.name not in answers and isinstance(plugin, PreFilterExtensions) and plugin.missing_state
    ]
    links = _links(profile, pod, cluster, answers)
    return FilterChain(
        pod,
        links,
        names_by_plugin,
        runs_all=profile.runs_all_filters,
        steps=_steps(profile, pod, links, cluster),
        stateless=missing[0] if missing else ("", ""),
    )


def _pre_filter_failure(plugin: str, status: Status) -> Status:
    """A rejection as it is; an error says where it happened."""
    if status.is_rejection:
        return status.by(plugin)
    return error(f'running PreFilter plugin "{plugin}": {status.message}').by(plugin)


def _no_common_node(narrowed_by: Sequence[str], *, is_unresolvable: bool) -> Status:
    names = sorted(narrowed_by)
    reason = f"node(s) didn't satisfy plugin(s) [{' '.join(names)}] simultaneously"
    if len(names) == 1:
        reason = f"node(s) didn't satisfy plugin {names[0]}"
    return unresolvable(reason) if is_unresolvable else unschedulable(reason)


def _links(profile: Profile, pod: Pod, cluster: Cluster, answers: Answers) -> list[_Link]:
    """The filters that did not skip; one whose PreFilter rejected has no state to run on."""
    links = []
    for plugin in profile.filter:
        answer = answers.get(plugin.name)
        extensions = profile.pre_filter_extensions.get(plugin.name)
        if isinstance(answer, PreFiltered):
            links.append(_Link(plugin, answer.state, extensions))
        elif answer is None and plugin.name in profile.unprepared_filters:
            links += _unprepared_link(profile.unprepared_filters[plugin.name], pod, cluster)
        elif answer is None:
            links.append(_Link(plugin, None, extensions))
    return links


def _steps(profile: Profile, pod: Pod, links: Sequence[_Link], cluster: Cluster) -> list[_Link | _Run]:
    """The links in their order, those together that look at nothing but the node."""
    steps: list[_Link | _Run] = []
    for is_run, every in groupby(
        links, lambda link: link.name in profile.node_by_node_filters and not isinstance(link.state, Status)
    ):
        group = list(every)
        if is_run:
            plugins = [(link, profile.node_by_node_filters[link.name]) for link in group]
            key = tuple((plugin, plugin.filter_key(pod, link.state)) for link, plugin in plugins)
            steps.append(_Run(group, cluster.node_memo(key)))
        else:
            steps += group
    return steps


def _unprepared_link(plugin: UnpreparedFilter, pod: Pod, cluster: Cluster) -> Iterator[_Link]:
    try:
        answer = plugin.unprepared(pod, cluster)
    except Exception as fault:
        raise _plugin_error(plugin.name, pod, fault) from fault
    if isinstance(answer, Status):
        yield _Link(_SameAnswer(plugin.name), answer, None)
    elif isinstance(answer, PreFiltered):
        yield _Link(plugin, answer.state, None)


@dataclass(frozen=True, slots=True)
class _SameAnswer:
    """A filter that says the same of every node: its state."""

    name: str

    def filter(self, pod: Pod, state: Status, node_info: NodeInfo) -> Status:  # noqa: ARG002
        return state


class Trial:
    """A node and the filters' states, copied to try things out on; see `TrialRun`."""

    def __init__(self, chain: FilterChain, node_info: NodeInfo, cluster: Cluster) -> None:
        self._chain = chain.clone()
        self.node_info = node_info.copy()
        self._cluster = cluster

    def add_pod(self, pod_info: PodInfo) -> Status | None:
        """Put a pod on the node; an answer is the error that upstream ends with."""
        self.node_info.add_pod(pod_info)
        return self._chain.add_pod(pod_info, self.node_info)

    def remove_pod(self, pod_info: PodInfo) -> Status | None:
        """Take a pod off the node; an answer is the error that upstream ends with."""
        self.node_info.remove_pod(pod_info)
        return self._chain.remove_pod(pod_info, self.node_info)

    def rejection(self) -> Status | None:
        """What the filters say now, nominated pods considered; None if the pod fits."""
        return rejection_with_nominated(self._chain, self.node_info, self._cluster)


def rejection_with_nominated(chain: FilterChain, node_info: NodeInfo, cluster: Cluster) -> Status | None:
    """Why the pod does not fit on the node, both with the pods that are nominated for it and without.

    Those of lower priority do not count: the pod may take what was freed for them.
    """
    pod = chain.pod
    nominees = cluster.nominated_by_node.get(node_info.name)
    nominated = nominees and [
        pod_info for pod_info in nominees if pod_info.pod.priority >= pod.priority and pod_info.pod.uid != pod.uid
    ]
    if nominated:
        with_nominated, joined = chain.clone(), node_info.copy()
        for pod_info in nominated:
            joined.add_pod(pod_info)
            failed = with_nominated.add_pod(pod_info, joined)
            if failed is not None:
                return failed
        rejection = with_nominated.first_rejection(joined)
        if rejection is not None:
            return rejection
    return chain.first_rejection(node_info)


def unreviewed(candidates: Sequence[Candidate]) -> Review:
    """The candidates as they are, where no extender is asked about them."""
    return Review(tuple(candidates))


@dataclass(frozen=True, slots=True)
class PostFilterRun:
    """What PostFilter plugins may look at; see `PostFilterHandle`."""

    cluster: Cluster
    statuses: NodeStatuses
    chain: FilterChain
    reviewer: Callable[[Sequence[Candidate]], Review | Status] = unreviewed

    def trial(self, node_info: NodeInfo) -> Trial:
        """A trial run on a copy of that node."""
        return Trial(self.chain, node_info, self.cluster)

    def state(self, plugin_name: str) -> Any:
        """What that plugin's PreFilter has made; None if it skipped, rejected or was not asked."""
        return self.chain.state(plugin_name)

    def review(self, candidates: Sequence[Candidate]) -> Review | Status:
        """What extenders say of these candidates, of which there is at least one; a Status if one failed."""
        return self.reviewer(candidates)


@dataclass(frozen=True, slots=True)
class PostFilterResult:
    """All PostFilter plugins' answers, and the text that joins the event's message."""

    answers: tuple[tuple[str, PostFiltered], ...] = field(default=())
    message: str = ""


def run_post_filters(
    profile: Profile,
    pod: Pod,
    cluster: Cluster,
    statuses: NodeStatuses,
    pre_filter: PreFilterResult,
    reviewer: Callable[[Sequence[Candidate]], Review | Status] = unreviewed,
) -> PostFilterResult:
    """Ask until one succeeds or says that nothing can help; otherwise all reasons are joined."""
    handle = PostFilterRun(cluster, statuses, pre_filter.reached_chain, reviewer)
    answers: list[tuple[str, PostFiltered]] = []
    reasons: list[str] = []
    for plugin in profile.post_filter:
        answer = _post_filtered(plugin, pod, handle, pre_filter)
        answers.append((plugin.name, answer))
        if answer.status is None:
            return PostFilterResult(tuple(answers))
        if answer.status.code is not Code.UNSCHEDULABLE:
            return PostFilterResult(tuple(answers), answer.status.message)
        reasons += answer.status.reasons
    return PostFilterResult(tuple(answers), ", ".join(reasons))


def _post_filtered(
    plugin: PostFilterPlugin, pod: Pod, handle: PostFilterRun, pre_filter: PreFilterResult
) -> PostFiltered:
    if isinstance(plugin, PreFilterPlugin) and plugin.name not in pre_filter.reached:
        # Upstream keeps state by name, and does not find any of a PreFilter that never ran.
        return PostFiltered(error("not found"))
    try:
        return plugin.post_filter(pod, handle)
    except PluginError:
        raise
    except Exception as fault:
        raise _plugin_error(plugin.name, pod, fault) from fault


def run_scores(
    profile: Profile,
    pod: Pod,
    cluster: Cluster,
    node_infos: Sequence[NodeInfo],
    pre_filtered: Mapping[str, PreFiltered[Any] | Skip | Status] | None = None,
) -> NodeScores | Status:
    """The scores of these nodes, in their order, or the error of a PreScore or a Score.

    `pre_filtered` is what each PreFilter answered.

    Raises PluginError if a plugin fails or normalizes to something outside 0 to 100.
    """
    by_plugin: dict[str, PluginScores] = {}
    states: dict[str, Any] = {}
    for pre_score in profile.pre_score:
        state = _guarded_pre_score(pre_score.pre_score, pre_score.name, pod, cluster, node_infos)
        if isinstance(state, Status):
            return error(f'running PreScore plugin "{pre_score.name}": {state.message}').by(pre_score.name)
        states[pre_score.name] = state
    for plugin in profile.score:
        if plugin.name not in states:
            states[plugin.name] = _unprepared_score(plugin, pod, cluster, node_infos, pre_filtered or {})
        state = states[plugin.name]
        if isinstance(state, Status):
            return error(f'running Score plugins: plugin "{plugin.name}" failed with: {state.message}').by(plugin.name)
        if not isinstance(state, Skip):
            by_plugin[plugin.name] = _score_nodes(plugin, state, pod, cluster, node_infos, profile)
    # Where nothing scores, upstream gives every node the same.
    return NodeScores([node_info.name for node_info in node_infos], by_plugin, 0 if profile.score else 1)


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


def reserve_failure(profile: Profile, pre_filter: PreFilterResult) -> Status | None:
    """The error of the first plugin that cannot reserve anything, as the profile does not name it at preFilter."""
    for plugin in profile.reserve:
        if isinstance(plugin, PreFilterPlugin) and plugin.name not in pre_filter.by_plugin:
            return error(f'running Reserve plugin "{plugin.name}": not found')
    return None


def binding_steps(
    profile: Profile,
    pod: Pod,
    cluster: Cluster,
    answers: Mapping[str, PreFiltered[Any] | Skip | Status],
    node_name: str,
) -> tuple[tuple[str, BindingStep], ...]:
    """What would be done once the pod is to go to that node: all of Reserve, then Permit, PreBind and Bind."""
    steps: list[tuple[str, BindingStep]] = []
    order = list(ExtensionPoint)
    for plugin in profile.binding:
        answer = answers.get(plugin.name)
        state = answer.state if isinstance(answer, PreFiltered) else None
        try:
            made = plugin.binding_steps(pod, state, cluster, node_name)
            steps += [(plugin.name, step) for step in made if plugin.name in profile.at_point[step.extension_point]]
        except Exception as fault:
            raise _plugin_error(plugin.name, pod, fault, node_name) from fault
    return tuple(sorted(steps, key=lambda step: order.index(step[1].extension_point)))


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
        raise _plugin_error(name, pod, fault) from fault


def _unprepared_score(
    plugin: ScorePlugin, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], pre_filtered: Answers
) -> Any:
    """What a plugin scores by that the profile does not name at preScore: what its PreFilter made, if it has one."""
    if isinstance(plugin, UnpreparedScore):
        return _guarded_pre_score(plugin.score_unprepared, plugin.name, pod, cluster, node_infos)
    answer = pre_filtered.get(plugin.name)
    if answer is None and isinstance(plugin, UnpreparedFilter):
        answer = plugin.unprepared(pod, cluster)
    if isinstance(answer, PreFiltered):
        return answer.state
    return answer if isinstance(answer, Status) else None


def _score_nodes(
    plugin: ScorePlugin, state: Any, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], profile: Profile
) -> PluginScores:
    normalizer = profile.normalizers.get(plugin.name)
    try:
        raw = _raw_scores(plugin, state, pod, cluster, node_infos, profile)
        normalized = normalizer.normalize(state, raw) if normalizer else raw
    except Exception as fault:
        raise _plugin_error(plugin.name, pod, fault) from fault
    if min(normalized.values()) < 0 or max(normalized.values()) > MAX_NODE_SCORE:
        worst = next(score for score in normalized.values() if not 0 <= score <= MAX_NODE_SCORE)
        raise PluginError(f"{plugin.name} scored {worst} for pod {pod.key}, which is not within 0 to 100")
    return PluginScores(raw, normalized, profile.weights[plugin.name])


def _raw_scores(
    plugin: ScorePlugin, state: Any, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo], profile: Profile
) -> dict[str, int]:
    """The plugin's scores by node; a node that has not changed since it was asked about is not asked about again."""
    node_by_node = profile.node_by_node_scores.get(plugin.name)
    key = node_by_node.score_key(pod, state) if node_by_node else None
    if key is None:
        return {node_info.name: plugin.score(pod, state, node_info) for node_info in node_infos}
    memo: NodeMemo[int] = cluster.node_memo((run_scores, node_by_node, key))
    raw = {}
    for node_info in node_infos:
        name = node_info.name
        known = memo.get(name)
        if known is None or known[0] is not node_info:
            known = memo[name] = (node_info, plugin.score(pod, state, node_info))
        raw[name] = known[1]
    return raw
