"""Trying the pods of a group one after the other, in one placement or several. Source: `schedule_one_podgroup.go`.

Upstream tries pods of equal priority in any order; here they come in that of the queue.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.features import Features
from kexplain.framework.permitting import run_permits
from kexplain.framework.placing_groups import run_placement_feasible, run_placement_generators, run_placement_scores
from kexplain.framework.plugin import Placement
from kexplain.framework.postfilter import NodeStatuses, fit_error
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error
from kexplain.framework.trace import Decision, NodeScore, Outcome, PlacementTrial
from kexplain.objects.core import GroupName, Pod
from kexplain.scheduler.cycle import Scheduler

UNSCHEDULABLE = "pod group is unschedulable"
AWAITS_PREEMPTION = "pod group is waiting for preemption to complete"
NOBODY_FITS = "no pods were schedulable"


class TriedPod(Struct, frozen=True):
    """A pod as it was tried after those before it; what Permit said if it has a node or would get one."""

    decision: Decision
    node_name: str = ""
    permit: Status | None = None

    @property
    def needs_room(self) -> bool:
        """Whether others would have to leave first."""
        return bool(self.node_name) and not self.decision.host


class Trial(Struct, frozen=True):
    """The pods of a group, tried one after the other; no status means that the group can run.

    `cluster` has all of them on their nodes. Pods behind an error were not tried, nor, in some releases, those that
    came when it was clear that the group cannot run.
    """

    pods: tuple[TriedPod, ...]
    status: Status | None
    cluster: Cluster
    next_start_index: int
    awaits_preemption: bool = False
    placements: tuple[PlacementTrial, ...] = ()
    placement: str = ""
    #: Those that the group as a whole preempts.
    victims: tuple[Pod, ...] = ()
    #: Where preemption keeps a node for pods of the group, by their uids; empty for one that loses its own.
    nominations: dict[str, str] = {}

    @property
    def can_run(self) -> bool:
        """Whether the group can run, if need be once others have left."""
        return self.status is None or self.awaits_preemption

    @property
    def placed(self) -> tuple[Pod, ...]:
        """The pods that have a node, or would get one."""
        return tuple(each.decision.pod for each in self.pods if each.node_name)

    @property
    def fitting(self) -> int:
        """How many these are."""
        return len(self.placed)


class GroupInQueue(Struct, frozen=True):
    """The pods of a group that are to be tried, each begun as a decision; there is at least one."""

    scheduler: Scheduler
    name: GroupName
    begun: Sequence[Decision]

    @property
    def profile(self) -> Profile:
        """The profile of all of them."""
        return self.scheduler.profiles[self.begun[0].scheduler_name]

    def tried(self, cluster: Cluster, start_index: int) -> Trial:
        """What comes of trying these pods in the best placement."""
        features = self.scheduler.features
        place = self._in_placements if features.group_placements else self._together
        trial = place(cluster, start_index)
        if trial.status is None and features.groups_are_counted_while_tried and not trial.fitting:
            return replace(trial, status=rejected(NOBODY_FITS if features.group_texts_stand_alone else "", features))
        return trial

    def _in_placements(self, cluster: Cluster, start_index: int) -> Trial:
        """The best of the placements, or the first one if the group can run in none.

        Upstream draws among the best. Source: `podGroupSchedulingPlacementAlgorithm`.
        """
        placements = run_placement_generators(self.profile, self.name, cluster)
        if isinstance(placements, Status):
            return Trial((), placements, cluster, start_index)
        comes_first = self.scheduler.features.nominated_placements_come_first
        nominated = self._nominated(placements) if comes_first else None
        if nominated is not None:
            placements = [nominated, *(each for each in placements if each is not nominated)]
        trials: list[Trial] = []
        for placement in placements:
            is_everywhere = len(placement.node_names) == len(cluster.node_infos)
            trial = self._together(cluster, start_index, None if is_everywhere else frozenset(placement.node_names))
            if trial.status is not None and not trial.status.is_rejection:
                return trial
            trials.append(trial)
            start_index = trial.next_start_index
            if placement is nominated and trial.status is None and trial.fitting:
                return replace(trial, placement=placement.name, placements=(_outcome(placement, trial),))
        return replace(self._best(cluster, placements, trials), next_start_index=start_index)

    def _nominated(self, placements: Sequence[Placement]) -> Placement | None:
        """The placement that most of the pods are nominated to, if any is. Source: `nominatedPlacement`."""
        pods_by_node = Counter(each.pod.status.nominated_node_name for each in self.begun)
        counts = [sum(pods_by_node[node_name] for node_name in each.node_names) for each in placements]
        return placements[counts.index(max(counts))] if any(counts) else None

    def _best(self, cluster: Cluster, placements: Sequence[Placement], trials: Sequence[Trial]) -> Trial:
        """The trial with the highest score, or the first one if the group can run in none."""
        runs = [place for place, trial in enumerate(trials) if trial.can_run]
        placed = [replace(placements[place], pods=trials[place].placed) for place in runs]
        found = run_placement_scores(self.profile, self.name, cluster, placed) if len(runs) > 1 else ()
        if isinstance(found, Status):
            return Trial((), found, cluster, 0)
        by_name = {each.node_name: each for each in found}
        outcomes = tuple(
            _outcome(each, trial, by_name.get(each.name)) for each, trial in zip(placements, trials, strict=True)
        )
        chosen = max(runs, key=lambda place: each.total if (each := outcomes[place].score) else 0, default=0)
        best = replace(trials[chosen], placements=outcomes, placement=placements[chosen].name)
        if runs or best.status is None:
            return best
        features, reasons = self.scheduler.features, best.status.reasons
        first = reasons[0] if reasons[0] == UNSCHEDULABLE else best.status.message
        text = f"0/{len(placements)} placements are available, first placement status: {first}"
        counted = features.groups_are_counted_while_tried
        return replace(best, status=rejected(text, features) if counted else Status(Code.UNSCHEDULABLE, (text,)))

    def _together(self, cluster: Cluster, start_index: int, placement: frozenset[str] | None = None) -> Trial:
        """The pods in this placement. Source: `podGroupSchedulingDefaultAlgorithm`."""
        if self.scheduler.features.groups_are_counted_while_tried:
            return self._counted(cluster, start_index, placement)
        return self._permitting(cluster, start_index, placement)

    def _counted(self, cluster: Cluster, start_index: int, placement: frozenset[str] | None) -> Trial:
        """Pod after pod, until it is clear that the group cannot run."""
        calm = self.scheduler.without_post_filter()
        scheduled, remaining = len(cluster.groups.members(self.name).placed), len(self.begun)
        status = run_placement_feasible(self.profile, self.name, cluster, scheduled, remaining)
        if status is not None and status.is_rejection:
            return Trial((), rejected(status.message, self.scheduler.features), cluster, start_index)
        pods: list[TriedPod] = []
        for each in self.begun:
            decision = _attempted(calm, each, cluster, start_index, placement)
            start_index = decision.sampling.next_start_index
            pods.append(TriedPod(decision, decision.host))
            if decision.outcome is Outcome.ERROR:
                status = _failed(decision)
                break
            if decision.host:
                cluster = self.scheduler.assume(decision)
                scheduled += 1
            remaining -= 1
            status = run_placement_feasible(self.profile, self.name, cluster, scheduled, remaining)
            if status is not None and status.is_rejection:
                break
        if status is not None and status.code is Code.WAIT:
            status = rejected(status.message, self.scheduler.features)
        return Trial(tuple(pods), status, cluster, start_index)

    def _permitting(self, cluster: Cluster, start_index: int, placement: frozenset[str] | None) -> Trial:
        """All pods, the last of which Permit lets go on if it lets any."""
        pods: list[TriedPod] = []
        status: Status | None = Status(Code.UNSCHEDULABLE, (UNSCHEDULABLE,))
        needs_room = awaits_preemption = False
        for each in self.begun:
            decision = _attempted(self.scheduler, each, cluster, start_index, placement)
            start_index = decision.sampling.next_start_index
            tried_pod, cluster = _permitted(self.scheduler, decision)
            pods.append(tried_pod)
            if tried_pod.decision.outcome is Outcome.ERROR:
                status = _failed(tried_pod.decision)
                awaits_preemption = False
                break
            needs_room = needs_room or tried_pod.needs_room
            if tried_pod.node_name and tried_pod.permit is None:
                status = Status(Code.UNSCHEDULABLE, (UNSCHEDULABLE, AWAITS_PREEMPTION)) if needs_room else None
                awaits_preemption = needs_room
        return Trial(tuple(pods), status, cluster, start_index, awaits_preemption)


def rejected(reason: str, features: Features) -> Status:
    """A group that cannot run; most releases say so before they say why."""
    told = () if features.group_texts_stand_alone else (UNSCHEDULABLE,)
    return Status(Code.UNSCHEDULABLE, (*told, *((reason,) if reason else ())))


def _outcome(placement: Placement, trial: Trial, score: NodeScore | None = None) -> PlacementTrial:
    message = "" if trial.can_run or trial.status is None else trial.status.message
    stopped = None if trial.can_run else next((each.decision for each in trial.pods if not each.node_name), None)
    counts = len(placement.node_names), trial.fitting, trial.can_run
    return PlacementTrial(placement.name, *counts, score, message, stopped)


def _attempted(
    scheduler: Scheduler, begun: Decision, cluster: Cluster, start_index: int, placement: frozenset[str] | None
) -> Decision:
    sampling = replace(begun.sampling, start_index=start_index, next_start_index=start_index)
    return scheduler.attempt(replace(begun, cluster=cluster, sampling=sampling, placement=placement))


def _failed(decision: Decision) -> Status:
    return error(f"failed to schedule other pod from a pod group: {decision.message}")


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
        return TriedPod(failing(decision, fit_error(1, NodeStatuses({node_name: permit})))), decision.cluster
    return TriedPod(failing(decision, permit.message, Outcome.ERROR)), decision.cluster


def failing(decision: Decision, message: str, outcome: Outcome = Outcome.UNSCHEDULABLE) -> Decision:
    """The pod where its group cannot run, whether it fits itself or not."""
    said = replace(decision, outcome=outcome, message=message, condition_message=message)
    return replace(said, host="", binding=(), kept_node="")
