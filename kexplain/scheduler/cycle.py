"""One attempt to schedule one pod. Source: scheduler `schedule_one.go`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.answer_cache import NO_CACHE, AnswerCache
from kexplain.framework.binding import binding_steps, reserve_failure
from kexplain.framework.extender import Extender, ExtenderConfig, ExtenderError
from kexplain.framework.features import DEFAULT_FEATURES, DEFAULT_RELEASE, Features
from kexplain.framework.filtering import FilterChain, heard, rejection_with_nominated, search_failure
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.plugin_errors import ScoreError
from kexplain.framework.post_filtering import run_post_filters
from kexplain.framework.postfilter import NodeStatuses, fit_error
from kexplain.framework.pre_filtering import PreFilterResult, run_pre_filters
from kexplain.framework.profile import Profile
from kexplain.framework.scoring import ScoreDetails, Scoring
from kexplain.framework.status import Code, Status, unresolvable
from kexplain.framework.trace import Decision, NodeScores, Objections, Outcome, Sampling
from kexplain.framework.wake_events import events_by_plugin
from kexplain.objects.core import Pod
from kexplain.objects.requests import DEFAULT_RULES, RequestRules
from kexplain.scheduler.event_message import no_nodes, post_filter_message, truncated
from kexplain.scheduler.extenders import ExtenderRun, left_out, not_asked, with_binder
from kexplain.scheduler.sampling import nodes_to_find

FILTERED_OUT = unresolvable("node is filtered out by the prefilter result")
#: The verdict on nodes that nobody has judged: preemption is tried there.
_OPEN = Status(Code.UNSCHEDULABLE)


class Scheduler(Struct, frozen=True):
    """A scheduler with one profile a scheduler name. Profiles that set no percentage share this one.

    `traces_everything` asks every plugin about every node even where the pod fits.
    """

    profiles: Mapping[str, Profile]
    percentage_of_nodes_to_score: int = 0
    traces_everything: bool = False
    #: In the order in which they would be asked, after the plugins.
    extenders: tuple[ExtenderConfig, ...] = ()
    #: The same ones where they are really asked; without, reports say that they were not.
    connected_extenders: tuple[Extender, ...] = ()
    #: The release that it decides as, what that is like, and how requests are to be counted for it.
    release: str = DEFAULT_RELEASE
    features: Features = DEFAULT_FEATURES
    rules: RequestRules = DEFAULT_RULES
    #: What there is to say of how it was configured.
    notes: tuple[str, ...] = ()

    def without_post_filter(self) -> Scheduler:
        """The same scheduler, which looks for no room to make for pods that do not fit."""
        profiles = {name: replace(profile, post_filter=()) for name, profile in self.profiles.items()}
        return replace(self, profiles=profiles)

    def schedule(self, pod: Pod, cluster: Cluster, start_index: int = 0, cache: AnswerCache = NO_CACHE) -> Decision:
        """What the scheduler decides about the pod if its round robin stands at `start_index`.

        `cache` is for schedulers with plugins in common: `with_plugins_of`. Raises PluginError on a bug in a plugin.
        """
        begun = self.begin(pod, cluster, start_index)
        return self.attempt(begun, cache) if begun.outcome is Outcome.UNSCHEDULABLE else begun

    def begin(self, pod: Pod, cluster: Cluster, start_index: int = 0) -> Decision:
        """The decision before the attempt: Unschedulable as yet if the pod is in the queue, else why it is not."""
        sampling = Sampling(start_index, start_index, 0, 0)
        name = pod.scheduler_name
        decision = Decision(pod, cluster, name, Outcome.UNSCHEDULABLE, sampling, profile_names=tuple(self.profiles))
        profile = self.profiles.get(name)
        if profile is None:
            return replace(decision, outcome=Outcome.NO_PROFILE)
        decision = replace(decision, events_of=events_by_plugin(profile, self.features, self.rules))
        if pod.metadata.deletion_timestamp is not None:
            return replace(decision, outcome=Outcome.DELETING, message=f"skip schedule deleting pod: {pod.key}")
        for gate in profile.pre_enqueue:
            status = gate.pre_enqueue(pod, cluster)
            if status is not None:
                return replace(decision, outcome=Outcome.GATED, message=status.message, gated_by=gate.name)
        return decision

    def attempt(self, decision: Decision, cache: AnswerCache = NO_CACHE) -> Decision:
        """What is decided about a pod that is in the queue, begun as a decision."""
        pod, profile = decision.pod, self.profiles[decision.scheduler_name]
        unasked = {} if self.connected_extenders else not_asked(self.extenders, pod)
        decision = replace(decision, not_evaluated=profile.left_open(pod) | unasked)
        nodes = decision.nodes
        if not nodes:
            return replace(decision, outcome=Outcome.UNSCHEDULABLE, message=no_nodes(self.features))
        extenders = ExtenderRun(self.connected_extenders, pod, decision.cluster)
        decided = _Attempt(self, profile, decision, nodes, extenders, cache).run(decision)
        return replace(decided, extender_calls=tuple(extenders.calls))

    def objections(self, pod: Pod, cluster: Cluster, node_names: Sequence[str]) -> dict[str, dict[str, Status]]:
        """What all filters say of the pod on these nodes, by node and plugin; extenders are not asked."""
        begun = self.begin(pod, cluster)
        attempt = _Attempt(self, self.profiles[begun.scheduler_name], begun, begun.nodes, ExtenderRun((), pod, cluster))
        return attempt.objections(pod, node_names)

    def sort_key(self, pod: Pod) -> int:
        """Where the pod's profile would queue it: lower keys first. Pods of other schedulers have 0."""
        profile = self.profiles.get(pod.scheduler_name)
        return profile.queue_sort.sort_key(pod) if profile else 0

    def assume(self, decision: Decision, node_name: str = "") -> Cluster:
        """The cluster as the next pod finds it: the pod on its node, and all reserved that it takes there.

        `node_name` is one of the best nodes, where not the one that was picked.
        """
        cluster, node_name = decision.cluster, node_name or decision.host
        for plugin in self.profiles[decision.scheduler_name].reserve:
            answer = decision.pre_filter.get(plugin.name)
            if isinstance(answer, PreFiltered):
                cluster = plugin.reserve(decision.pod, answer.state, cluster, node_name)
        if self.rules.node_allocatable_claims:
            from kexplain.plugins.devices.node_claims import assumed  # noqa: PLC0415 (a gate that is off)

            return cluster.assume(assumed(decision, node_name), node_name)
        return cluster.assume(decision.pod, node_name)


class _Attempt:
    """The steps of one scheduling cycle."""

    def __init__(
        self,
        scheduler: Scheduler,
        profile: Profile,
        decision: Decision,
        nodes: Sequence[NodeInfo],
        extenders: ExtenderRun,
        cache: AnswerCache = NO_CACHE,
    ) -> None:
        self._scheduler, self._cache = scheduler, cache
        self._extenders = extenders
        self._profile = profile
        self._pod, self._cluster = decision.pod, decision.cluster
        self._nodes = nodes
        self._began_at = self._start_index = decision.sampling.start_index
        self._extender_verdicts: dict[str, Status] = {}

    def run(self, decision: Decision) -> Decision:
        """Filter, then score or look for a way out."""
        features = self._scheduler.features
        pre_filter = run_pre_filters(self._profile, self._pod, self._cluster, features, self._cache)
        untouched = Sampling(self._start_index, self._start_index, self._to_find(len(self._nodes)), 0)
        decision = replace(decision, pre_filter=pre_filter.by_plugin, sampling=untouched)
        if pre_filter.rejection is not None:
            if not pre_filter.rejection.is_rejection:
                return replace(decision, outcome=Outcome.ERROR, message=pre_filter.rejection.message)
            return self._rejected_at_once(decision, pre_filter, pre_filter.rejection)
        rejected: dict[str, Status] = {}
        nominated = self._nominated_if_it_fits(pre_filter, rejected)
        if nominated is not None:
            # The round robin does not move, unless it was reset.
            decision = replace(decision, sampling=replace(untouched, evaluated=1, next_start_index=self._start_index))
            return self._scheduled(decision, pre_filter, NodeStatuses(rejected, self._absent(pre_filter)), [nominated])
        if features.missing_named_nodes_fail:
            missing = sorted((pre_filter.node_names or frozenset()).difference(self._cluster.node_info_by_name))
            if missing:
                return self._failed(decision, pre_filter, f'nodeinfo not found for node name "{missing[0]}"')
        feasible, sampling = self._find(pre_filter, rejected)
        decision = replace(decision, sampling=sampling)
        if (failed := search_failure(rejected)) is not None:
            return self._failed(decision, pre_filter, failed.message)
        try:
            passed = self._extenders.filter(feasible)
        except ExtenderError as fault:
            return self._failed(decision, pre_filter, truncated(str(fault)))
        absent = self._absent(pre_filter)
        dropped = left_out(passed, absent)
        self._extender_verdicts = {**dropped, **passed.statuses}
        # A node that was dropped may have been rejected before; that stands.
        statuses = NodeStatuses({**dropped, **rejected, **passed.statuses}, absent)
        if passed.node_infos:
            return self._scheduled(decision, pre_filter, statuses, passed.node_infos)
        return self._unschedulable(decision, pre_filter, statuses)

    def _rejected_at_once(self, decision: Decision, pre_filter: PreFilterResult, rejection: Status) -> Decision:
        """What follows a rejection by PreFilter; releases differ in what it means for single nodes."""
        features = self._scheduler.features
        statuses = NodeStatuses({}, rejection)
        if features.pre_filter_rejection_leaves_nodes_open:
            statuses = NodeStatuses({}, _OPEN)
        elif features.pre_filter_rejects_node_by_node:
            statuses = NodeStatuses(dict.fromkeys(self._cluster.node_info_by_name, rejection), rejection)
            decision = replace(decision, sampling=replace(decision.sampling, evaluated=len(statuses.by_node)))
        return self._unschedulable(decision, pre_filter, statuses, pre_filter_message=rejection.message)

    def _failed(self, decision: Decision, pre_filter: PreFilterResult, message: str) -> Decision:
        """An error ends the attempt: nothing of the search is handed over, but that the round robin has moved."""
        sampling = replace(decision.sampling, evaluated=0)
        matrix = self._matrix(pre_filter)
        return replace(decision, outcome=Outcome.ERROR, message=message, sampling=sampling, matrix=matrix)

    def _absent(self, pre_filter: PreFilterResult) -> Status:
        """The verdict on nodes that were not looked at."""
        if self._scheduler.features.unjudged_nodes_are_open_to_preemption:
            return _OPEN
        if not pre_filter.narrowed_by or not self._scheduler.features.narrowed_out_nodes_are_told:
            return NodeStatuses({}).absent
        return unresolvable(f"node(s) didn't satisfy plugin(s) [{' '.join(pre_filter.narrowed_by)}]")

    def _nominated_if_it_fits(self, pre_filter: PreFilterResult, rejected: dict[str, Status]) -> NodeInfo | None:
        """The node that is nominated for the pod, which is tried alone first; what it is rejected for is kept."""
        nominated = self._cluster.node_info_by_name.get(self._pod.status.nominated_node_name or "")
        if nominated is None or nominated not in self._nodes:
            return None
        rejection = rejection_with_nominated(pre_filter.chain, nominated, self._cluster)
        if self._scheduler.features.nominated_node_resets_round_robin:
            self._start_index = 0
        if rejection is None:
            return self._left_by_extenders(nominated, rejected)
        if rejection.is_rejection:
            rejected[nominated.name] = rejection
        return None

    def _left_by_extenders(self, nominated: NodeInfo, rejected: dict[str, Status]) -> NodeInfo | None:
        """The node if no extender objects; one that fails ends nothing, as the node may still be found."""
        try:
            passed = self._extenders.filter([nominated])
        except ExtenderError:
            self._extenders.go_on()
            return None
        rejected |= passed.statuses
        return passed.node_infos[0] if passed.node_infos else None

    def _find(self, pre_filter: PreFilterResult, rejected: dict[str, Status]) -> tuple[Sequence[NodeInfo], Sampling]:
        """The feasible nodes in the order found, and how the search went; rejections met on the way are added."""
        nodes = self._nodes
        around = len(nodes)
        if pre_filter.node_names is not None:
            nodes = [node_info for node_info in nodes if node_info.name in pre_filter.node_names]
            if self._scheduler.features.round_robin_goes_over_named_nodes:
                # Where none of them is there, early patches of 1.30 crash and later ones count all nodes.
                around = len(nodes) or around
            if self._scheduler.features.narrowed_out_nodes_are_evaluated:
                names = (node_info.name for node_info in self._cluster.node_infos)
                rejected |= {name: FILTERED_OUT for name in names if name not in pre_filter.node_names}
        to_find, enough = self._to_find(len(self._nodes)), self._to_find(len(nodes))
        chain = pre_filter.chain
        asked = ("search", self._start_index, enough, pre_filter.node_names, chain.runs_all, chain.stateless)
        made_of = pre_filter.chain.made_of
        feasible, found = self._cache.answer(asked, made_of, lambda: self._search(nodes, pre_filter.chain, enough))
        rejected |= found
        # Scores are asked for once where the nodes are the same, however they were found.
        feasible = self._cache.answer(("feasible", feasible), (), lambda: feasible)
        failed = search_failure(rejected) is not None
        evaluated = len(feasible) + len(rejected) - failed
        following = (self._start_index + evaluated) % around
        if failed:
            # The round robin moves on all the same, but of the search itself nothing is handed over.
            return (), Sampling(self._began_at, following, to_find, 0)
        return feasible, Sampling(self._began_at, following, to_find, evaluated)

    def _to_find(self, nodes: int) -> int:
        asks = self._scheduler
        return nodes_to_find(nodes, self._profile, asks.percentage_of_nodes_to_score, asks.extenders, asks.features)

    def _search(
        self, nodes: Sequence[NodeInfo], chain: FilterChain, to_find: int
    ) -> tuple[tuple[NodeInfo, ...], dict[str, Status]]:
        """The feasible nodes, and the verdicts on others on the way.

        It goes round from the start index until one feasible node more than needed is met, an error, or the end.
        """
        start = self._start_index % len(nodes) if nodes else 0
        rejected: dict[str, Status] = {}
        feasible: list[NodeInfo] = []
        around = (*nodes[start:], *nodes[:start])
        asked_about = self._asked_about(chain)
        met, is_full = 0, chain.knows_all(self._cluster)
        if is_full and nodes is self._cluster.node_infos and (firsts := chain.all_turned_down(self._cluster)):
            turned_down = [*zip(self._cluster.node_info_by_name, firsts, strict=True)]
            return (), dict(turned_down[start:] + turned_down[:start])
        while met < len(around) and len(feasible) <= to_find and search_failure(rejected) is None:
            wanted = to_find + 1 - len(feasible)
            # Where none of many takes the pod, all the others are asked about in one go.
            some = around[met:] if is_full else around[met : met + wanted]
            verdicts = heard(asked_about(some), wanted)
            some, met = some[: len(verdicts)], met + len(verdicts)
            feasible += [info for info, each in zip(some, verdicts, strict=True) if each is None]
            rejected |= {info.name: each for info, each in zip(some, verdicts, strict=True) if each is not None}
            is_full = not feasible
        return tuple(feasible[:to_find]), rejected

    def _asked_about(self, chain: FilterChain) -> Callable[[Sequence[NodeInfo]], Sequence[Status | None]]:
        if not self._cluster.nominated_by_node:
            return chain.asked_about(self._cluster)
        return lambda infos: [rejection_with_nominated(chain, info, self._cluster) for info in infos]

    def _scheduled(
        self, decision: Decision, pre_filter: PreFilterResult, statuses: NodeStatuses, feasible: Sequence[NodeInfo]
    ) -> Decision:
        scores, weights = NodeScores((), {}), self._profile.weights
        best: tuple[str, ...] = (feasible[0].name,)
        scoring = Scoring(self._profile, self._pod, self._cluster, feasible, pre_filter.by_plugin)
        if len(feasible) > 1:
            try:
                scores = scoring.run(self._cache)
            except ScoreError as fault:
                return self._failed(decision, pre_filter, str(fault))
            scores, extender_weights = self._extenders.prioritize(feasible, scores)
            weights = weights | extender_weights
            totals = scores.total_by_node
            highest = max(totals.values())
            best = tuple([name for name, total in totals.items() if total == highest])
        steps = binding_steps(self._profile, self._pod, self._cluster, pre_filter.by_plugin, best[0])
        if failure := reserve_failure(self._profile, pre_filter):
            return self._failed(decision, pre_filter, failure)
        return replace(
            decision,
            outcome=Outcome.SCHEDULED,
            feasible=tuple([info.name for info in feasible]),
            statuses=statuses,
            matrix=self._matrix(pre_filter) if self._scheduler.traces_everything else decision.matrix,
            scores=scores,
            weights=weights,
            best=best,
            host=best[0],
            binding=with_binder(steps, self._scheduler.extenders, self._pod, best[0]),
            score_terms=ScoreDetails(scoring, scores.by_plugin).of,
        )

    def _unschedulable(
        self, decision: Decision, pre_filter: PreFilterResult, statuses: NodeStatuses, *, pre_filter_message: str = ""
    ) -> Decision:
        after = run_post_filters(self._profile, self._pod, self._cluster, statuses, pre_filter, self._extenders)
        features = self._scheduler.features
        before = pre_filter_message if features.pre_filter_message_stands_alone else ""
        behind = post_filter_message(after, features)
        message = fit_error(len(self._nodes), statuses, pre_filter_message=before, post_filter_message=behind)
        return replace(
            decision,
            outcome=Outcome.UNSCHEDULABLE,
            message=truncated(message),
            condition_message=message,
            statuses=statuses,
            matrix=self._matrix(pre_filter),
            post_filter=after.answers,
            objections=self.objections,
        )

    def objections(self, pod: Pod, node_names: Sequence[str]) -> dict[str, dict[str, Status]]:
        """What all filters say of another pod on these nodes; a rejection by PreFilter is one on every node."""
        pre_filter = run_pre_filters(self._profile, pod, self._cluster, self._scheduler.features)
        objections: dict[str, dict[str, Status]] = {}
        for name in node_names:
            node_info = self._cluster.node_info_by_name[name]
            rejections = {status.plugin: status for status in pre_filter.chain.all_rejections(node_info)}
            if pre_filter.rejection is not None:
                rejections[pre_filter.rejection.plugin] = pre_filter.rejection
            elif pre_filter.node_names is not None and name not in pre_filter.node_names:
                rejections[pre_filter.narrowed_by[0]] = unresolvable("excluded by name").by(pre_filter.narrowed_by[0])
            elif not rejections and (rejection := rejection_with_nominated(pre_filter.chain, node_info, self._cluster)):
                rejections[rejection.plugin] = rejection
            if name in self._extender_verdicts:
                # Extenders are not asked about changed pods: what they said stands.
                verdict = self._extender_verdicts[name]
                rejections = {**rejections, verdict.plugin: verdict}
            if rejections:
                objections[name] = rejections
        return objections

    def _matrix(self, pre_filter: PreFilterResult) -> Objections:
        """Every objection of every filter to every node, nominated pods left aside."""
        return Objections(self._cluster.node_info_by_name, partial(pre_filter.chain.column, self._cluster))
