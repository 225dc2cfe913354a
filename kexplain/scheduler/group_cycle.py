"""One attempt to schedule a group of pods: all are tried before any is placed. Source: `schedule_one_podgroup.go`.

Upstream tries pods of equal priority in any order; here they come in that of the queue.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.permitting import run_permits
from kexplain.framework.placement import Placement
from kexplain.framework.placing_groups import run_placement_generators, run_placement_scores
from kexplain.framework.postfilter import NodeStatuses, fit_error
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error
from kexplain.framework.trace import Decision, GroupMember, GroupOutcome, Outcome, PlacementOutcome
from kexplain.objects.core import GroupName, Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.group_preemption import preempted_by_group

UNSCHEDULABLE = "pod group is unschedulable"
AWAITS_PREEMPTION = "pod group is waiting for preemption to complete"


class TriedPod(Struct, frozen=True):
    """A pod as it was tried after those before it; what Permit said if it has a node or would get one."""

    decision: Decision
    node_name: str = ""
    permit: Status | None = None

    @property
    def needs_room(self) -> bool:
        """Whether others would have to leave first."""
        return bool(self.node_name) and not self.decision.host

    @property
    def permit_message(self) -> str:
        return self.permit.message if self.permit else ""


class Trial(Struct, frozen=True):
    """The pods of a group, tried one after the other; no status means that the group can run.

    `cluster` has all of them on their nodes. Where a pod ended in an error those behind it were not tried.
    """

    pods: tuple[TriedPod, ...]
    status: Status | None
    cluster: Cluster
    next_start_index: int
    awaits_preemption: bool = False
    placements: tuple[PlacementOutcome, ...] = ()
    placement: str = ""
    #: Those that the group as a whole preempts.
    victims: tuple[Pod, ...] = ()

    @property
    def can_run(self) -> bool:
        """Whether the group can run, if need be once others have left."""
        return self.status is None or self.awaits_preemption

    @property
    def fitting(self) -> int:
        """How many of the pods have a node, or would get one."""
        return sum(bool(each.node_name) for each in self.pods)


class GroupDecision(Struct, frozen=True):
    """What is said of each pod of a group, and the cluster as the next pod finds it."""

    outcome: GroupOutcome
    decisions: tuple[Decision, ...]
    cluster: Cluster
    next_start_index: int


def schedule_group(scheduler: Scheduler, pods: Sequence[Pod], cluster: Cluster, start_index: int) -> GroupDecision:
    """Try these pods of one group, which are in the queue, in their order; there must be one."""
    name = pods[0].group
    assert name is not None  # noqa: S101 - who calls this has looked
    before, cluster = cluster, cluster.trying_group()
    begun = [scheduler.begin(pod, cluster, start_index) for pod in pods]
    trial = _tried_in_placements(scheduler, name, begun, cluster, start_index)
    if scheduler.features.groups_preempt and trial.status is not None and trial.status.is_rejection:
        trial = _with_preemption(scheduler, name, begun, cluster, trial)
    outcome = GroupOutcome(
        name,
        members=tuple(GroupMember(each.decision, each.node_name, each.needs_room) for each in trial.pods),
        is_scheduled=trial.status is None,
        message=trial.status.message if trial.status else "",
        is_error=trial.status is not None and not trial.status.is_rejection,
        awaits_preemption=trial.awaits_preemption,
        victims=trial.victims or _victims(trial.pods),
        placements=trial.placements,
        placement=trial.placement,
    )
    told = [replace(_told(each, trial), group=outcome) for each in trial.pods]
    told += [_untried(each, trial, outcome) for each in begun[len(trial.pods) :]]
    after = trial.cluster.with_group_tried() if outcome.is_scheduled else before
    for decision in told:
        if decision.kept_node:
            after = after.nominate(decision.pod, decision.kept_node)
    return GroupDecision(outcome, tuple(told), after, trial.next_start_index)


# ------------------------------------------------------------------------------------------- trying the pods


def _tried_in_placements(
    scheduler: Scheduler, name: GroupName, begun: Sequence[Decision], cluster: Cluster, start_index: int
) -> Trial:
    """The best of the placements, or the first one if the group can run in none.

    Upstream draws among the best. Source: `podGroupSchedulingPlacementAlgorithm`.
    """
    other = next((each for each in begun if each.scheduler_name != begun[0].scheduler_name), None)
    if other is not None:
        names = f'"{begun[0].scheduler_name}" and "{other.scheduler_name}"'
        message = f"all pods in a single pod group should have the same .spec.schedulerName set, got: {names}"
        return Trial((), error(message), cluster, start_index)
    if not scheduler.features.group_placements:
        return _tried(scheduler, begun, cluster, start_index)
    profile = scheduler.profiles[begun[0].scheduler_name]
    placements = run_placement_generators(profile, name, cluster)
    if isinstance(placements, Status):
        return Trial((), placements, cluster, start_index)
    trials: list[Trial] = []
    for placement in placements:
        is_everywhere = len(placement.node_names) == len(cluster.node_infos)
        among = None if is_everywhere else frozenset(placement.node_names)
        trial = _tried(scheduler, begun, cluster, start_index, among)
        if trial.status is not None and not trial.status.is_rejection:
            return trial
        trials.append(trial)
        start_index = trial.next_start_index
    return replace(_best(profile, name, cluster, placements, trials), next_start_index=start_index)


def _best(
    profile: Profile, name: GroupName, cluster: Cluster, placements: Sequence[Placement], trials: Sequence[Trial]
) -> Trial:
    runs = [place for place, trial in enumerate(trials) if trial.can_run]
    total_by_place: dict[int, int] = {}
    if len(runs) > 1:
        totals = run_placement_scores(profile, name, cluster, [trials[place].fitting for place in runs])
        if isinstance(totals, Status):
            return Trial((), totals, cluster, 0)
        total_by_place = dict(zip(runs, totals, strict=True))
    chosen = max(runs, key=lambda place: total_by_place.get(place, 0), default=0)
    tried = tuple(
        PlacementOutcome(each.name, len(each.node_names), trial.fitting, trial.can_run, total_by_place.get(place))
        for place, (each, trial) in enumerate(zip(placements, trials, strict=True))
    )
    best = replace(trials[chosen], placements=tried, placement=placements[chosen].name)
    if runs:
        return best
    text = f"0/{len(placements)} placements are available, first placement status: {UNSCHEDULABLE}"
    return replace(best, status=Status(Code.UNSCHEDULABLE, (text,)))


def _tried(
    scheduler: Scheduler,
    begun: Sequence[Decision],
    cluster: Cluster,
    start_index: int,
    placement: frozenset[str] | None = None,
) -> Trial:
    """Source: `podGroupSchedulingDefaultAlgorithm`."""
    pods: list[TriedPod] = []
    status: Status | None = _unschedulable()
    needs_room = awaits_preemption = False
    for each in begun:
        sampling = replace(each.sampling, start_index=start_index, next_start_index=start_index)
        decision = scheduler.attempt(replace(each, cluster=cluster, sampling=sampling, placement=placement))
        start_index = decision.sampling.next_start_index
        tried, cluster = _permitted(scheduler, decision)
        pods.append(tried)
        if tried.decision.outcome is Outcome.ERROR:
            status = error(f"failed to schedule other pod from a pod group: {tried.decision.message}")
            awaits_preemption = False
            break
        needs_room = needs_room or tried.needs_room
        if tried.node_name and tried.permit is None:
            status = _unschedulable(AWAITS_PREEMPTION) if needs_room else None
            awaits_preemption = needs_room
    return Trial(tuple(pods), status, cluster, start_index, awaits_preemption)


def _permitted(scheduler: Scheduler, decision: Decision) -> tuple[TriedPod, Cluster]:
    """The pod on its node, or on the one that others would have to leave first; what has none changes nothing."""
    node_name = decision.host or decision.nominated_node
    if not node_name:
        return TriedPod(decision), decision.cluster
    # Of what is reserved on a node where the pod does not fit yet, nothing is known; the victims are still there.
    cluster = scheduler.assume(decision) if decision.host else decision.cluster.assume(decision.pod, node_name)
    permit = run_permits(scheduler.profiles[decision.scheduler_name], decision.pod, cluster)
    if permit is None or permit.code is Code.WAIT:
        return TriedPod(decision, node_name, permit), cluster
    if permit.is_rejection:
        message = fit_error(1, NodeStatuses({node_name: permit}))
        return TriedPod(_failing(decision, message)), decision.cluster
    return TriedPod(_failing(decision, permit.message, Outcome.ERROR)), decision.cluster


def _with_preemption(
    scheduler: Scheduler, name: GroupName, begun: Sequence[Decision], cluster: Cluster, trial: Trial
) -> Trial:
    """What becomes of a group that cannot run where groups preempt. Source: `runWorkloadAwarePreemption`."""
    calm = scheduler.without_post_filter()
    state = [trial.next_start_index]

    def rejection(room: Cluster) -> Status | None:
        again = _tried_in_placements(calm, name, begun, room, state[0])
        state[0] = again.next_start_index
        return again.status

    profile = scheduler.profiles[begun[0].scheduler_name]
    found = preempted_by_group(profile, name, [each.pod for each in begun], cluster, rejection)
    trial = replace(trial, next_start_index=state[0])
    if not isinstance(found, Status):
        return replace(trial, victims=found, awaits_preemption=True)
    if not found.is_rejection or trial.status is None:
        return replace(trial, status=found)
    return replace(trial, status=Status(trial.status.code, (*trial.status.reasons, found.message)))


# -------------------------------------------------------------------------------------------- what pods are told


def _unschedulable(*reasons: str) -> Status:
    return Status(Code.UNSCHEDULABLE, (UNSCHEDULABLE, *reasons))


def _victims(pods: Sequence[TriedPod]) -> tuple[Pod, ...]:
    """Those that pods of the group preempt by themselves, who leave whatever becomes of the group."""
    return tuple({victim.uid: victim for each in pods for victim in each.decision.victims}.values())


def _untried(begun: Decision, trial: Trial, outcome: GroupOutcome) -> Decision:
    """A pod that it did not come to: all that is said of it is what holds for the group."""
    is_error = trial.status is not None and not trial.status.is_rejection
    told = _failing(begun, outcome.message, Outcome.ERROR if is_error else Outcome.UNSCHEDULABLE)
    return replace(told, group=outcome, kept_node=None)


def _told(tried: TriedPod, trial: Trial) -> Decision:
    """What the event of the pod says, and which node is kept for it. Source: `submitPodGroupAlgorithmResult`."""
    decision = tried.decision
    if trial.status is None:
        return decision
    if not trial.status.is_rejection:
        message = decision.message if decision.outcome is Outcome.ERROR else trial.status.message
        return _failing(decision, message, Outcome.ERROR)
    if not tried.node_name:
        return replace(decision, kept_node="" if decision.moves_nomination else None)
    if not trial.awaits_preemption:
        return _failing(decision, _unschedulable(tried.permit_message).message)
    if tried.needs_room:
        return replace(decision, kept_node=tried.node_name)
    return replace(_failing(decision, trial.status.message), kept_node=tried.node_name)


def _failing(decision: Decision, message: str, outcome: Outcome = Outcome.UNSCHEDULABLE) -> Decision:
    """The pod where its group cannot run, whether it fits itself or not."""
    return replace(
        decision, outcome=outcome, message=message, condition_message=message, host="", binding=(), kept_node=""
    )
