"""Evict less important pods to make room. Source: `plugins/defaultpreemption`, `framework/preemption`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.go_sort import go_sorted
from kexplain.framework.postfilter import (
    Candidate,
    LadderStep,
    NodeStatuses,
    PostFiltered,
    PostFilterHandle,
    Preemption,
    TrialRun,
    fit_error,
    nodes_with_code,
)
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.framework.waking import ClusterEvent
from kexplain.objects.core import Pod
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.scheduling import PodGroup
from kexplain.objects.selectors import Selector, SelectorError, selector_from

NO_VICTIMS = unresolvable("No preemption victims found for incoming pod")
NOT_HELPFUL = unresolvable("Preemption is not helpful for scheduling")
#: Upstream adds this to each priority, so that more victims of negative priority do not look cheaper.
PRIORITY_OFFSET = 2**31


class Budget(Struct, frozen=True):
    """A disruption budget: how many of its pods may go, and which have gone already."""

    key: str
    namespace: str
    selector: Selector
    disrupted: frozenset[str]
    allowed: int


class Budgets:
    """All budgets; which of them select a pod is worked out once for all its replicas."""

    def __init__(self, budgets: Iterable[Budget], *, selects_all: bool = False) -> None:
        """One whose selector is empty `selects_all` pods of its namespace, those without labels too, or none."""
        self._selects_all = selects_all
        self._by_namespace: dict[str, list[Budget]] = {}
        for budget in budgets:
            if selects_all or not budget.selector.is_empty:
                self._by_namespace.setdefault(budget.namespace, []).append(budget)
        self._selecting: dict[tuple[str, tuple[tuple[str, str], ...]], list[Budget]] = {}

    def protecting(self, pod: Pod) -> list[Budget]:
        """The budgets that evicting the pod would draw on."""
        here = self._by_namespace.get(pod.namespace)
        if not here or not (pod.labels or self._selects_all):
            return []
        key = (pod.namespace, tuple(pod.labels.items()))
        if key not in self._selecting:
            self._selecting[key] = [budget for budget in here if budget.selector.matches(pod.labels)]
        return [budget for budget in self._selecting[key] if pod.name not in budget.disrupted]


class DefaultPreemption:
    """Finds the node where evicting pods of lower priority would cost least.

    Upstream begins at a random node and stops at enough candidates; here every node that may help is tried, so
    that the choice is the best of all and the same every time, and where upstream may stop earlier, that is told.
    """

    name = "DefaultPreemption"
    events = (ClusterEvent("Pod", ("Delete",), looks_closer=True, needs="preemption_is_waited_for"),)

    def __init__(
        self,
        min_candidate_nodes_percentage: int = 10,
        min_candidate_nodes_absolute: int = 100,
        *,
        features: Features = DEFAULT_FEATURES,
    ) -> None:
        self._sorts_victims = features.victims_are_sorted
        self._names_node_without_victims = features.nodes_without_victims_are_named
        self._is_named = features.preemption_is_named
        self._tells_placement = features.found_placement_is_told
        self._any_termination_counts = not features.only_preempted_pods_terminate
        self._has_placements = features.group_placements
        self._groups_preempt = features.groups_preempt
        self._empty_budgets_select_all = not features.empty_budget_selectors_protect_nothing
        self._needs_victims = features.preemption_needs_victims
        self.min_candidate_nodes_percentage = min_candidate_nodes_percentage
        self.min_candidate_nodes_absolute = min_candidate_nodes_absolute

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:  # noqa: ARG002
        """Whom the pod may preempt; in some releases, messages name it."""
        read = (pod.priority, pod.spec.preemption_policy, pod.group)
        return Signature(read, pod.name if self._names_node_without_victims else ())

    def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:
        """The node to nominate with all that was weighed, or why preemption does not help."""
        ineligible = self._ineligible(pod, handle)
        if ineligible:
            status = unschedulable(self._said(ineligible)) if self._is_named else Status(Code.UNSCHEDULABLE)
            return PostFiltered(status, preemption=Preemption(ineligible=ineligible))
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
        for victim in node_info.pods if node_info else ():
            if victim.pod.priority < pod.priority and self._is_going(victim.pod):
                return "not eligible due to a terminating pod on the nominated node."
        return ""

    def _group_limit(self, pod: Pod, cluster: Cluster) -> str:
        """Why the pod of a group may not preempt by itself; empty if it may."""
        if self._has_placements and pod.group is not None:
            group = cluster.listers.get(PodGroup, pod.group.name, pod.namespace)
            if group is None:
                return "pod group for pod not found"
            if group.spec.scheduling_constraints is not None:
                return "not eligible due to placement-based pod group scheduling limitation"
        return "not eligible due to workload aware preemption enabled" if self._groups_preempt else ""

    def _dry_run(self, pod: Pod, handle: PostFilterHandle) -> tuple[tuple[Candidate, ...], dict[str, Status]]:
        """Who would have to go on each node; candidates that violate no budget come first."""
        budgets = self.budgets(handle.cluster)
        kept: list[Candidate] = []
        violating: list[Candidate] = []
        rejections: dict[str, Status] = {}
        priority = pod.priority
        for node_info in nodes_with_code(handle.cluster, handle.statuses, Code.UNSCHEDULABLE):
            if node_info.lowest_priority >= priority:
                rejections[node_info.name] = self._no_victims(pod, node_info)
                continue
            found = _select_victims(pod, handle.trial(node_info), budgets, sorts_victims=self._sorts_victims)
            if isinstance(found, Candidate) and not found.victims:
                found = self._needless(found, handle)
            if isinstance(found, Status):
                rejections[node_info.name] = found
            elif found.pdb_violations:
                violating.append(found)
            else:
                kept.append(found)
        return (*kept, *violating), rejections

    def budgets(self, cluster: Cluster) -> Budgets:
        """The budgets of the cluster as this release reads them."""
        return parse_budgets(cluster, selects_all=self._empty_budgets_select_all)

    def _needless(self, candidate: Candidate, handle: PostFilterHandle) -> Candidate | Status:
        """What becomes of a node where no plugin objects any more, while some extender does."""
        if self._needs_victims:
            return error(f'expected at least one victim pod on node "{candidate.node_name}"')
        return candidate if handle.seeks_victims else NO_VICTIMS

    def _no_victims(self, pod: Pod, node_info: NodeInfo) -> Status:
        if not self._names_node_without_victims:
            return NO_VICTIMS
        return unresolvable(f"No victims found on node {node_info.name} for preemptor pod {pod.name}")

    def _said(self, message: str) -> str:
        return f"preemption: {message}" if self._is_named else message

    def _chosen(self, candidates: tuple[Candidate, ...], weighed: Preemption) -> PostFiltered:
        """The best of the candidates that extenders left, which may be none."""
        if not candidates:
            message = self._said("no candidate node for preemption")
            status = unschedulable(message) if self._is_named else Status(Code.UNSCHEDULABLE)
            return PostFiltered(status, preemption=weighed)
        ladder = choose(candidates)
        best = ladder[-1].remaining if ladder else (candidates[0].node_name,)
        weighed = replace(weighed, candidates=candidates, ladder=ladder, best=best)
        message = self._found(candidates, best[0]) if self._tells_placement else ""
        return PostFiltered(None, best[0], weighed, message)

    def _found(self, candidates: tuple[Candidate, ...], node_name: str) -> str:
        victims = next(len(each.victims) for each in candidates if each.node_name == node_name)
        return self._said(f"found a potential placement for pod on node {node_name}, preempting {victims} victims")

    def _is_going(self, pod: Pod) -> bool:
        """Whether the pod's end will make room that was asked for."""
        if pod.metadata.deletion_timestamp is None:
            return False
        return self._any_termination_counts or _was_preempted(pod)


def _failure(rejections: Iterable[Status]) -> str:
    """All errors of the dry run as one text; empty without. Source: apimachinery `errors.Aggregate`."""
    errors = list(dict.fromkeys(each.message for each in rejections if not each.is_rejection))
    return errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]" if errors else ""


def _was_preempted(pod: Pod) -> bool:
    for condition in pod.status.conditions or ():
        if condition.type == "DisruptionTarget":
            return condition.status == "True" and condition.reason == "PreemptionByScheduler"
    return False


def _select_victims(pod: Pod, trial: TrialRun, budgets: Budgets, *, sorts_victims: bool) -> Candidate | Status:
    """The least important pods that have to go, or why evicting all that may go (there are some) does not help.

    First all of lower priority go. Then as many as possible come back, those that a budget protects first,
    within each group the most important first.
    """
    node_name = trial.node_info.name
    potential = [pod_info for pod_info in trial.node_info.pods if pod_info.pod.priority < pod.priority]
    rejection = _without(potential, trial)
    if rejection is not None:
        return rejection
    violating, others = split_by_budget(by_importance(potential), budgets)
    unspared = [pod_info for pod_info in violating if not _is_reprieved(pod_info, trial)]
    victims = unspared + [pod_info for pod_info in others if not _is_reprieved(pod_info, trial)]
    if violating and others and sorts_victims:
        victims = by_importance(victims)
    drawn_on = (budget.key for pod_info in unspared for budget in budgets.protecting(pod_info.pod))
    pods = tuple(pod_info.pod for pod_info in victims)
    return Candidate(node_name, pods, len(unspared), tuple(dict.fromkeys(drawn_on)))


def _without(pod_infos: Sequence[PodInfo], trial: TrialRun) -> Status | None:
    """What still stops the pod once these are gone, or why they cannot be taken away."""
    for pod_info in pod_infos:
        failed = trial.remove_pod(pod_info)
        if failed is not None:
            return failed
    return trial.rejection()


def _is_reprieved(pod_info: PodInfo, trial: TrialRun) -> bool:
    trial.add_pod(pod_info)
    if trial.rejection() is None:
        return True
    trial.remove_pod(pod_info)
    return False


@lru_cache(maxsize=65536)
def _timestamp(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return math.inf


def start_time(pod: Pod) -> float:
    """When the pod started, in seconds; infinity if it has not yet, which upstream counts as just now.

    A text that is no time, which no API server would hold, counts as none.
    """
    return _timestamp(pod.status.start_time) if pod.status.start_time else math.inf


def by_importance(pod_infos: Sequence[PodInfo]) -> list[PodInfo]:
    """Higher priority first, then the longer running; ties as Go's unstable sort leaves them.

    Pods that have not started are compared by the clock, which has moved on by the second reading: of two of
    them the first is always the more important one. Source: scheduler `util.MoreImportantPod`.
    """
    keyed = [((-pod_info.pod.priority, start_time(pod_info.pod)), pod_info) for pod_info in pod_infos]
    if len({key for key, _ in keyed}) == len(keyed):
        return [pod_info for _, pod_info in sorted(keyed, key=itemgetter(0))]
    return [pod_info for _, pod_info in go_sorted(keyed, _is_more_important)]


_Keyed = tuple[tuple[int, float], PodInfo]


def _is_more_important(one: _Keyed, other: _Keyed) -> bool:
    return one[0] < other[0] or (one[0] == other[0] and one[0][1] == math.inf)


def parse_budgets(cluster: Cluster, *, selects_all: bool = False) -> Budgets:
    """The budgets whose selectors can be read; see `Budgets`."""
    budgets = []
    for pdb in cluster.listers.every(PodDisruptionBudget):
        try:
            budgets.append(_budget(pdb))
        except SelectorError:
            continue
    return Budgets(budgets, selects_all=selects_all)


def _budget(pdb: PodDisruptionBudget) -> Budget:
    return Budget(
        pdb.key,
        pdb.namespace,
        selector_from(pdb.spec.selector),
        frozenset(pdb.status.disrupted_pods or ()),
        pdb.status.disruptions_allowed or 0,
    )


def split_by_budget(pod_infos: Iterable[PodInfo], budgets: Budgets) -> tuple[list[PodInfo], list[PodInfo]]:
    """The pods whose eviction would violate a budget if all before them were evicted too, and the others."""
    evicted: dict[int, int] = {}
    violating: list[PodInfo] = []
    others: list[PodInfo] = []
    for pod_info in pod_infos:
        violates = False
        for budget in budgets.protecting(pod_info.pod):
            evicted[id(budget)] = evicted.get(id(budget), 0) + 1
            violates = violates or evicted[id(budget)] > budget.allowed
        (violating if violates else others).append(pod_info)
    return violating, others


# ---------------------------------------------------------------------------------------- choosing a candidate


def _highest_priority(candidate: Candidate) -> int:
    """Of the first victim, which is the most important one."""
    return candidate.victims[0].priority


def _sum_of_priorities(candidate: Candidate) -> int:
    return sum(victim.priority + PRIORITY_OFFSET for victim in candidate.victims)


def _earliest_start_of_highest(candidate: Candidate) -> float:
    highest = max(victim.priority for victim in candidate.victims)
    return min(start_time(victim) for victim in candidate.victims if victim.priority == highest)


#: Each criterion, and its cost: the candidates with the lowest go on to the next.
CRITERIA: tuple[tuple[str, Callable[[Candidate], float]], ...] = (
    ("fewest PDB violations", lambda candidate: candidate.pdb_violations),
    ("lowest priority of the most important victim", _highest_priority),
    ("lowest sum of victim priorities, 2^31 added to each", _sum_of_priorities),
    ("fewest victims", lambda candidate: len(candidate.victims)),
    ("latest start of the most important victims", lambda c: -_earliest_start_of_highest(c)),
)


def choose(candidates: Sequence[Candidate]) -> tuple[LadderStep, ...]:
    """The steps that were taken until one candidate was left, or all criteria were used up.

    Empty for a single candidate. Source: preemption `pickOneNodeForPreemption`.
    """
    steps: list[LadderStep] = []
    remaining = list(candidates)
    for criterion, cost in CRITERIA:
        if len(remaining) == 1:
            break
        lowest = min(cost(candidate) for candidate in remaining)
        remaining = [candidate for candidate in remaining if cost(candidate) == lowest]
        steps.append(LadderStep(criterion, tuple(candidate.node_name for candidate in remaining)))
    return tuple(steps)
