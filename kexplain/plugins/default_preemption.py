"""Evict less important pods to make room. Source: `plugins/defaultpreemption`, `framework/preemption`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.filtering import Trial
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.post_filtering import PostFilterHandle
from kexplain.framework.postfilter import (
    Candidate,
    LadderStep,
    NodeStatuses,
    PostFiltered,
    Preemption,
    Reprieve,
    fit_error,
    nodes_with_code,
)
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.objects.core import Pod
from kexplain.objects.scheduling import PodGroup
from kexplain.plugins.disruption_budgets import Budgets, Evictions, parse_budgets
from kexplain.plugins.victims import Victim, Victims, by_importance, pods_of, start_time

NO_VICTIMS = unresolvable("No preemption victims found for incoming pod")
NOT_HELPFUL = unresolvable("Preemption is not helpful for scheduling")
#: Upstream adds this to each priority, so that more victims of negative priority do not look cheaper.
PRIORITY_OFFSET = 2**31


class DefaultPreemption:
    """Finds the node where evicting pods of lower priority would cost least.

    Upstream begins at a random node and stops at enough candidates; here every node that may help is tried, so
    that the choice is the best of all and the same every time, and where upstream may stop earlier, that is told.
    """

    name = "DefaultPreemption"

    def __init__(
        self,
        min_candidate_nodes_percentage: int = 10,
        min_candidate_nodes_absolute: int = 100,
        *,
        features: Features = DEFAULT_FEATURES,
    ) -> None:
        self._features = features
        self._groups_are_victims = features.groups_are_victims and features.pod_groups
        #: Upstream keeps a pod from the queue while its victims are being evicted, which takes no time here.
        self.also_at = (ExtensionPoint.PRE_ENQUEUE,) if features.preemption_guards_the_queue else ()
        self.min_candidate_nodes_percentage = min_candidate_nodes_percentage
        self.min_candidate_nodes_absolute = min_candidate_nodes_absolute

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Whom the pod may preempt; in some releases, messages name it."""
        read = (pod.priority, pod.spec.preemption_policy, pod.group)
        return Signature(read, pod.name if self._features.nodes_without_victims_are_named else ())

    def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:
        """The node to nominate with all that was weighed, or why preemption does not help."""
        ineligible = self._ineligible(pod, handle)
        if ineligible:
            return PostFiltered(self._refused(ineligible), preemption=Preemption(ineligible=ineligible))
        cluster = handle.cluster
        if not cluster.node_infos:
            return PostFiltered(error(self._said("no nodes available")))
        candidates, rejections = self._dry_run(pod, handle)
        if not candidates:
            failure = _failure(rejections.values())
            message = fit_error(len(cluster.node_infos), NodeStatuses(rejections, NOT_HELPFUL))
            status = error(self._said(failure)) if failure else unschedulable(self._said(message))
            return PostFiltered(status, preemption=Preemption(rejections=rejections))
        review = handle.review(candidates)
        if isinstance(review, Status):
            weighed = Preemption(candidates=candidates, rejections=rejections)
            return PostFiltered(error(self._said(review.message)), preemption=weighed)
        potential = len(candidates) + len(rejections)
        enough = self.enough_candidates(potential)
        weighed = Preemption(rejections=rejections | dict(review.turned_down), potential=potential, enough=enough)
        return self._chosen(review.candidates, weighed)

    def enough_candidates(self, nodes: int) -> int:
        """How many candidates among so many nodes upstream stops at. Source: `calculateNumCandidates`."""
        share = nodes * self.min_candidate_nodes_percentage // 100
        return min(max(share, self.min_candidate_nodes_absolute), nodes)

    def _ineligible(self, pod: Pod, handle: PostFilterHandle) -> str:
        """Why the pod may not preempt at all; empty if it may."""
        if pod.spec.scheduling_group is not None and (reason := self._group_limit(pod, handle.cluster)):
            return reason
        if pod.spec.preemption_policy == "Never":
            return "not eligible due to preemptionPolicy=Never."
        nominated = pod.status.nominated_node_name
        if not nominated or handle.statuses.get(nominated).code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
            return ""
        node_info = handle.cluster.node_info_by_name.get(nominated)
        victims = self.victims(handle.cluster)
        for victim in node_info.pods if node_info else ():
            if victims.priority(victim.pod) < pod.priority and self.is_going(victim.pod):
                return "not eligible due to a terminating pod on the nominated node."
        return ""

    def _group_limit(self, pod: Pod, cluster: Cluster) -> str:
        """Why the pod of a group may not preempt by itself; empty if it may."""
        waits_for_all = self._features.group_placements and not self._features.groups_preempt_where_they_fit
        if waits_for_all and pod.group is not None:
            group = cluster.listers.get(PodGroup, pod.group.name, pod.namespace)
            if group is None:
                return "pod group for pod not found"
            if group.spec.scheduling_constraints is not None:
                return "not eligible due to placement-based pod group scheduling limitation"
        return "not eligible due to workload aware preemption enabled" if self._features.groups_preempt else ""

    def _dry_run(self, pod: Pod, handle: PostFilterHandle) -> tuple[tuple[Candidate, ...], dict[str, Status]]:
        """Who would have to go on each node; candidates that violate no budget come first."""
        budgets = self.budgets(handle.cluster)
        kept: list[Candidate] = []
        violating: list[Candidate] = []
        rejections: dict[str, Status] = {}
        victims, priority = self.victims(handle.cluster), pod.priority
        for node_info in nodes_with_code(handle.cluster, handle.statuses, Code.UNSCHEDULABLE):
            # A group's priority may be lower than that of its pods.
            if node_info.lowest_priority >= priority and not self._groups_are_victims:
                rejections[node_info.name] = self._no_victims(pod, node_info)
                continue
            found = self._select_victims(pod, handle.trial(node_info), victims.on(node_info), budgets)
            if isinstance(found, Candidate) and not found.victims:
                found = self._needless(found, handle)
            if isinstance(found, Status):
                rejections[node_info.name] = found
            elif found.pdb_violations:
                violating.append(found)
            else:
                kept.append(found)
        return (*kept, *violating), rejections

    def _select_victims(self, pod: Pod, trial: Trial, there: Sequence[Victim], budgets: Budgets) -> Candidate | Status:
        """The least important ones that have to go, or why evicting all that may go does not help.

        First all of lower priority go. Then as many as possible come back, those that a budget protects first,
        within each group the most important first.
        """
        potential = [victim for victim in there if victim.priority < pod.priority]
        if not potential:
            return self._no_victims(pod, trial.node_info)
        rejection = _without(potential, trial)
        return rejection if rejection is not None else self._spared(trial, self._by_importance(potential), budgets)

    def _spared(self, trial: Trial, potential: Sequence[Victim], budgets: Budgets) -> Candidate:
        """As many as possible come back, and the others are the victims."""
        ordered = self._split_by_budget(potential, budgets)
        reprieves = [Reprieve(victim.pods, count, _stopped(victim, trial)) for victim, count in ordered]
        gone = [each for each, reprieve in zip(ordered, reprieves, strict=True) if reprieve.stopped]
        victims = [victim for victim, _ in gone]
        if ordered[0][1] and not ordered[-1][1] and self._features.victims_are_sorted:
            victims = self._by_importance(victims)
        return Candidate(
            trial.node_info.name,
            pods_of(victims),
            sum([count for _, count in gone]),
            budgets.drawn_on(pods_of([victim for victim, count in gone if count])),
            tuple(reprieves),
        )

    def victims(self, cluster: Cluster) -> Victims:
        """Who may be evicted there, as this release counts groups."""
        return Victims(cluster, by_group=self._groups_are_victims)

    def victims_of_groups(self, cluster: Cluster) -> Victims:
        """The same where a whole group asks for room."""
        return Victims(cluster, by_group=True, all_by_group=self._groups_are_victims)

    def _by_importance(self, victims: Iterable[Victim]) -> list[Victim]:
        return by_importance(victims, reads_clock_once=self._features.starting_pods_keep_their_order)

    def _split_by_budget(self, victims: Iterable[Victim], budgets: Budgets) -> list[tuple[Victim, int]]:
        """Each with how many evictions violate a budget if all before it leave too; those with any come first."""
        if not budgets:
            return [(victim, 0) for victim in victims]
        evictions = Evictions(budgets, ends_at_first=self._features.violations_draw_on_one_budget)
        counted = [(victim, sum(map(evictions.violates, victim.pods))) for victim in victims]
        return sorted(counted, key=lambda each: not each[1])

    def budgets(self, cluster: Cluster) -> Budgets:
        """The budgets of the cluster as this release reads them."""
        return parse_budgets(cluster, selects_all=not self._features.empty_budget_selectors_protect_nothing)

    def _needless(self, candidate: Candidate, handle: PostFilterHandle) -> Candidate | Status:
        """What becomes of a node where no plugin objects any more, while some extender does."""
        if self._features.preemption_needs_victims:
            return error(f'expected at least one victim pod on node "{candidate.node_name}"')
        return candidate if handle.seeks_victims else NO_VICTIMS

    def _no_victims(self, pod: Pod, node_info: NodeInfo) -> Status:
        if not self._features.nodes_without_victims_are_named:
            return NO_VICTIMS
        return unresolvable(f"No victims found on node {node_info.name} for preemptor pod {pod.name}")

    def _said(self, message: str) -> str:
        return f"preemption: {message}" if self._features.preemption_is_named else message

    def _refused(self, message: str) -> Status:
        is_told = self._features.preemption_is_named
        return unschedulable(self._said(message)) if is_told else Status(Code.UNSCHEDULABLE)

    def _chosen(self, candidates: tuple[Candidate, ...], weighed: Preemption) -> PostFiltered:
        """The best of the candidates that extenders left, which may be none."""
        if not candidates:
            return PostFiltered(self._refused("no candidate node for preemption"), preemption=weighed)
        ladder = choose(candidates)
        best = ladder[-1].remaining if ladder else (candidates[0].node_name,)
        weighed = replace(weighed, candidates=candidates, ladder=ladder, best=best)
        message = self._found(candidates, best[0]) if self._features.found_placement_is_told else ""
        return PostFiltered(None, best[0], weighed, message)

    def _found(self, candidates: tuple[Candidate, ...], node_name: str) -> str:
        victims = next(len(each.victims) for each in candidates if each.node_name == node_name)
        return self._said(f"found a potential placement for pod on node {node_name}, preempting {victims} victims")

    def is_going(self, pod: Pod) -> bool:
        """Whether the pod's end will make room that was asked for."""
        if pod.metadata.deletion_timestamp is None:
            return False
        return not self._features.only_preempted_pods_terminate or _was_preempted(pod)


def _failure(rejections: Iterable[Status]) -> str:
    """All errors of the dry run as one text; empty without. Source: apimachinery `errors.Aggregate`."""
    errors = list(dict.fromkeys(each.message for each in rejections if not each.is_rejection))
    return errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]" if errors else ""


def _was_preempted(pod: Pod) -> bool:
    for condition in pod.status.conditions or ():
        if condition.type == "DisruptionTarget":
            return condition.status == "True" and condition.reason == "PreemptionByScheduler"
    return False


def _without(victims: Iterable[Victim], trial: Trial) -> Status | None:
    """What still stops the pod once these are gone, or why they cannot be taken away."""
    for victim in victims:
        for pod_info, node_name in victim.placed:
            failed = trial.remove_pod(pod_info, node_name)
            if failed is not None:
                return failed
    return trial.rejection()


def _stopped(victim: Victim, trial: Trial) -> Status | None:
    """What stops the pod once the victim is back, which then leaves again."""
    for pod_info, node_name in victim.placed:
        trial.add_pod(pod_info, node_name)
    rejection = trial.rejection()
    if rejection is not None:
        for pod_info, node_name in victim.placed:
            trial.remove_pod(pod_info, node_name)
    return rejection


# ---------------------------------------------------------------------------------------- choosing a candidate


def _sum_of_priorities(candidate: Candidate) -> int:
    return sum([(victim.spec.priority or 0) + PRIORITY_OFFSET for victim in candidate.victims])


def _earliest_start_of_highest(candidate: Candidate) -> float:
    highest = max([victim.spec.priority or 0 for victim in candidate.victims])
    return min([start_time(victim) for victim in candidate.victims if (victim.spec.priority or 0) == highest])


def _moment(cost: float) -> str:
    """When somebody started."""
    return "not started" if cost == -math.inf else f"{datetime.fromtimestamp(-cost, UTC):%Y-%m-%dT%H:%M:%SZ}"


#: Each criterion by its code and in words, its cost, and how that is written: those with the lowest go on to the next.
CRITERIA: tuple[tuple[str, str, Callable[[Candidate], float], Callable[[float], str]], ...] = (
    ("pdb-violations", "fewest PDB violations", lambda c: c.pdb_violations, str),
    ("highest-priority", "lowest priority of the most important victim", lambda c: c.victims[0].priority, str),
    ("priority-sum", "lowest sum of victim priorities, 2^31 added to each", _sum_of_priorities, str),
    ("victims", "fewest victims", lambda c: len(c.victims), str),
    ("latest-start", "latest start of the most important victims", lambda c: -_earliest_start_of_highest(c), _moment),
)


def choose(candidates: Sequence[Candidate]) -> tuple[LadderStep, ...]:
    """The steps that were taken until one candidate was left, or all criteria were used up.

    Empty for a single candidate. Source: preemption `pickOneNodeForPreemption`.
    """
    steps: list[LadderStep] = []
    remaining = list(candidates)
    for code, criterion, cost, written in CRITERIA:
        if len(remaining) == 1:
            break
        lowest = min(cost(candidate) for candidate in remaining)
        remaining = [candidate for candidate in remaining if cost(candidate) == lowest]
        names = tuple(candidate.node_name for candidate in remaining)
        steps.append(LadderStep(criterion, names, written(lowest), code))
    return tuple(steps)
