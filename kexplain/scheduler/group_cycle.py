"""One attempt to schedule a group of pods: all are tried before any is placed. Source: `schedule_one_podgroup.go`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.status import Status, error
from kexplain.framework.trace import Decision, GroupMember, GroupOutcome, Outcome
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.scheduling import PodGroup
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.group_preemption import preempted_by_group, room_for_group
from kexplain.scheduler.group_trials import UNSCHEDULABLE, GroupInQueue, Trial, TriedPod, failing, rejected

_PREEMPTS_BY_DEFAULT = "PreemptLowerPriority"


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
    before = cluster
    if not scheduler.features.groups_see_their_own_affinity:
        cluster = cluster.trying_group()
    begun = [scheduler.begin(pod, cluster, start_index) for pod in pods]
    group = GroupInQueue(scheduler, name, begun)
    at_odds = _at_odds(group, cluster)
    failed = Trial((), error(at_odds), cluster, start_index)
    trial = first = failed if at_odds else group.tried(cluster, start_index)
    if scheduler.features.groups_preempt and trial.status is not None and trial.status.is_rejection:
        trial = _with_preemption(group, cluster, trial)
    outcome = _outcome(name, trial)
    told = [replace(_told(scheduler, each, trial), group=outcome) for each in trial.pods]
    told += [_untried(each, first, trial, outcome) for each in begun[len(trial.pods) :]]
    after = trial.cluster.with_group_tried() if outcome.is_scheduled else before
    for decision in told:
        if decision.kept_node:
            after = after.nominate(decision.pod, decision.kept_node)
    return GroupDecision(outcome, tuple(told), after, trial.next_start_index)


def _outcome(name: GroupName, trial: Trial) -> GroupOutcome:
    return GroupOutcome(
        name,
        members=tuple(_member(each, trial) for each in trial.pods),
        is_scheduled=trial.status is None,
        message=trial.status.message if trial.status else "",
        is_error=trial.status is not None and not trial.status.is_rejection,
        awaits_preemption=trial.awaits_preemption,
        victims=trial.victims or _victims(trial.pods),
        placements=trial.placements,
        placement=trial.placement,
    )


def _member(each: TriedPod, trial: Trial) -> GroupMember:
    node_name = each.node_name or trial.nominations.get(each.decision.pod.uid, "")
    return GroupMember(each.decision, node_name, each.needs_room or bool(node_name and not each.node_name))


# ---------------------------------------------------------------------------------------------- what must be equal


def _at_odds(tried: GroupInQueue, cluster: Cluster) -> str:
    """In what pods of the group differ that must not; empty if in nothing. Source: `validatePodGroup`."""
    name, begun, features = tried.name, tried.begun, tried.scheduler.features
    ours = begun[0].scheduler_name
    told = "all pods in a single pod group should have the same .spec.schedulerName set, got:"
    if not features.groups_must_agree:
        other = next((each.scheduler_name for each in begun if each.scheduler_name != ours), None)
        return f'{told} "{ours}" and "{other}"' if other is not None else ""
    group = cluster.listers.get(PodGroup, name.name, name.namespace)
    if group is None:
        return ""
    asked = group.spec.preemption_policy or _PREEMPTS_BY_DEFAULT
    expected = asked if features.group_preemption_policies else _policy(begun[0].pod)
    whose = " as the pod group's preemption policy" if features.group_preemption_policies else ""
    for pod in (*(each.pod for each in begun), *_placed(name, cluster)):
        if (theirs := pod.scheduler_name) != ours:
            return f'{told} "{theirs}" and "{ours}"'
        if pod.priority != group.priority:
            same = "all pods in a single pod group should have the same priority as the pod group's priority"
            return f"{same}, got {pod.priority} and {group.priority}"
        if _policy(pod) != expected:
            same = f"all pods in a single pod group should have the same preemption policy{whose}"
            return f"{same}, got {_policy(pod)} and {expected}"
    return ""


def _policy(pod: Pod) -> str:
    return pod.spec.preemption_policy or _PREEMPTS_BY_DEFAULT


def _placed(name: GroupName, cluster: Cluster) -> Iterator[Pod]:
    """The pods of the group that have a node."""
    placed = cluster.groups.members(name).placed
    for node_name in dict.fromkeys(each.node_name for each in placed.values()):
        info = cluster.node_info_by_name.get(node_name)
        yield from (each.pod for each in (info.pods if info else ()) if each.pod.uid in placed)


# ------------------------------------------------------------------------------------------------------ preemption


def _with_preemption(group: GroupInQueue, cluster: Cluster, trial: Trial) -> Trial:
    """What becomes of a group that cannot run where groups preempt. Source: `runWorkloadAwarePreemption`."""
    calm = replace(group, scheduler=group.scheduler.without_post_filter())
    state = [trial.next_start_index]
    pods = [each.pod for each in group.begun]

    def again(room: Cluster) -> Trial:
        found = calm.tried(room, state[0])
        state[0] = found.next_start_index
        return found

    if group.scheduler.features.groups_preempt_where_they_fit:
        made = room_for_group(group.scheduler, group.name, pods, cluster, again)
        trial = replace(trial, next_start_index=state[0])
        if isinstance(made, Status):
            return _turned_down(trial, made)
        status = _behind(trial, made.message)
        return replace(trial, status=status, victims=made.victims, nominations=made.nominations, awaits_preemption=True)
    found = preempted_by_group(group.profile, group.name, pods, cluster, lambda room: again(room).status)
    trial = replace(trial, next_start_index=state[0])
    if not isinstance(found, Status):
        return replace(trial, victims=found, awaits_preemption=True)
    return _turned_down(trial, found)


def _turned_down(trial: Trial, found: Status) -> Trial:
    """The trial where preemption does not help; an error takes the place of what was said before."""
    return replace(trial, status=_behind(trial, found.message) if found.is_rejection else found)


def _behind(trial: Trial, message: str) -> Status | None:
    """What is said of the group, with that behind it."""
    if trial.status is None or not message:
        return trial.status
    return Status(trial.status.code, (*trial.status.reasons, message))


# --------------------------------------------------------------------------------------------- what pods are told


def _victims(pods: Sequence[TriedPod]) -> tuple[Pod, ...]:
    """Those that pods of the group preempt by themselves, who leave whatever becomes of the group."""
    return tuple({victim.uid: victim for each in pods for victim in each.decision.victims}.values())


def _untried(begun: Decision, first: Trial, trial: Trial, outcome: GroupOutcome) -> Decision:
    """A pod that it did not come to: all that is said of it is what held for the group before preemption."""
    message = first.status.message if first.status and not outcome.is_error else outcome.message
    told = failing(begun, message, Outcome.ERROR if outcome.is_error else Outcome.UNSCHEDULABLE)
    return replace(told, group=outcome, kept_node=trial.nominations.get(begun.pod.uid))


def _told(scheduler: Scheduler, each: TriedPod, trial: Trial) -> Decision:
    """What the event of the pod says, and which node is kept for it. Source: `submitPodGroupAlgorithmResult`."""
    decision = each.decision
    if trial.status is None:
        return decision
    if not trial.status.is_rejection:
        message = decision.message if decision.outcome is Outcome.ERROR else trial.status.message
        return failing(decision, message, Outcome.ERROR)
    kept = trial.nominations.get(decision.pod.uid)
    if not each.node_name:
        return replace(decision, kept_node=kept if kept is not None else "" if decision.moves_nomination else None)
    if scheduler.features.groups_are_counted_while_tried:
        if trial.awaits_preemption:
            return replace(failing(decision, trial.status.message), kept_node=kept)
        return failing(decision, rejected(trial.status.message, scheduler.features).message)
    if not trial.awaits_preemption:
        return failing(decision, f"{UNSCHEDULABLE}, {each.permit.message if each.permit else ''}")
    if each.needs_room:
        return replace(decision, kept_node=each.node_name)
    return replace(failing(decision, trial.status.message), kept_node=each.node_name)
