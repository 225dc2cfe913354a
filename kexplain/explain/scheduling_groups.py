"""Groups of pods that are scheduled together: how many are needed, who has a place, and who keeps it from running."""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.explain.causes import causes
from kexplain.explain.group_records import (
    GroupMemberReport,
    GroupNodes,
    GroupStanding,
    MemberState,
    PlacementOutcome,
    SchedulingGroup,
)
from kexplain.explain.output import copied
from kexplain.explain.verdicts import node_verdicts, scores
from kexplain.framework.trace import Decision, GroupMember, GroupOutcome, Outcome, PlacementTrial
from kexplain.objects.core import GroupName
from kexplain.objects.scheduling import PodGroup, Workload
from kexplain.words import some


def group_standing(decision: Decision) -> GroupStanding | None:
    """Where the pod's group stands; None for a pod of none, or where groups are not looked at."""
    name = decision.pod.group
    if name is None or not (decision.group or decision.gated_by == "GangScheduling"):
        return None
    there, needs = _described(name, decision.cluster)
    members = decision.cluster.groups.members(name)
    tried = decision.group.members if decision.group else ()
    new = {each.pod.uid for each in tried}
    own = next((each.node_name for each in tried if each.pod.uid == decision.pod.uid), "")
    return GroupStanding(
        group=str(name),
        there=there,
        needs=needs,
        exist=len(members),
        placed=sum(uid not in new for uid in members.placed),
        fitting=sum(bool(each.node_name) for each in tried),
        node=own,
        can_run=decision.group is not None and decision.group.is_scheduled,
    )


def scheduling_group(decision: Decision) -> SchedulingGroup | None:
    """The group as a whole; None where `group_standing` has none."""
    name = decision.pod.group
    return _group(name, decision) if name is not None and group_standing(decision) is not None else None


def noting_groups(decisions: Iterable[Decision], together: dict[GroupName, SchedulingGroup]) -> Iterator[Decision]:
    """The decisions, with the groups that their pods are scheduled with noted on the way."""
    for decision in decisions:
        note_group(decision, together)
        yield decision


def note_group(decision: Decision, together: dict[GroupName, SchedulingGroup]) -> None:
    """Note the group that the pod is scheduled with, unless it is noted already."""
    name = decision.pod.group
    if name is not None and name not in together and (group := scheduling_group(decision)) is not None:
        together[name] = group


def blocking(outcome: GroupOutcome) -> Iterator[GroupMember]:
    """The pods of a group that fit on no node."""
    return (each for each in outcome.members if not each.node_name)


def _group(name: GroupName, decision: Decision) -> SchedulingGroup:
    cluster, outcome = decision.cluster, decision.group
    there, needs = _described(name, cluster)
    found = cluster.listers.get(PodGroup, name.name, name.namespace)
    group = SchedulingGroup(
        name=str(name).partition("/")[2],
        namespace=name.namespace,
        there=there,
        needs=needs,
        exist=len(cluster.groups.members(name)),
        members=tuple(_members(name, cluster, outcome)),
        topology_key=found.topology_key if found else "",
    )
    if outcome is None:
        return group
    failed = Outcome.ERROR if outcome.is_error else Outcome.UNSCHEDULABLE
    return replace(
        group,
        outcome=Outcome.SCHEDULED if outcome.is_scheduled else failed,
        message=outcome.message,
        placement=outcome.placement if any(each.can_run for each in outcome.placements) else "",
        placements=tuple(_placement(each) for each in outcome.placements if each.name),
        awaits_preemption=outcome.awaits_preemption,
        evicted=tuple(pod.key for pod in outcome.victims),
        nodes=() if outcome.is_scheduled or outcome.awaits_preemption else group_nodes(outcome),
    )


def _placement(trial: PlacementTrial) -> PlacementOutcome:
    score, stopped = trial.score, trial.stopped
    found = why_not(stopped) if stopped else ""
    because = f"{stopped.pod.name} does not fit: {found}" if stopped and found else trial.message
    total, points = (score.total, scores(score.by_plugin)) if score else (None, ())
    return copied(trial, PlacementOutcome, total=total, scores=points, because=because)


def _described(name: GroupName, cluster: Cluster) -> tuple[bool, int | None]:
    """Whether the object is there that describes the group, and how many pods it needs at once."""
    if name.workload:
        workload = cluster.listers.get(Workload, name.workload, name.namespace)
        part = workload.group(name.name) if workload else None
        return part is not None, part.policy.gang.min_count if part and part.policy.gang else None
    group = cluster.listers.get(PodGroup, name.name, name.namespace)
    return group is not None, group.min_count if group else None


def _members(name: GroupName, cluster: Cluster, outcome: GroupOutcome | None) -> Iterator[GroupMemberReport]:
    tried = {each.pod.uid: each for each in outcome.members} if outcome else {}
    members = cluster.groups.members(name)
    for uid, (key, node_name) in members.placed.items():
        if uid not in tried:
            yield GroupMemberReport(pod=key.partition("/")[2], state=MemberState.PLACED, node=node_name)
    yield from (_member(each) for each in tried.values())
    for uid, pod in members.waiting.items():
        if uid not in tried:
            because = "has scheduling gates" if pod.spec.scheduling_gates else ""
            yield GroupMemberReport(pod=pod.name, state=MemberState.NOT_TRIED, because=because)


def _member(member: GroupMember) -> GroupMemberReport:
    pod, node = member.pod.name, member.node_name
    if node:
        state = MemberState.NEEDS_ROOM if member.needs_room else MemberState.FITS
        return GroupMemberReport(pod=pod, state=state, node=node)
    because = why_not(member.decision) or member.decision.message
    return GroupMemberReport(pod=pod, state=MemberState.DOES_NOT_FIT, because=because)


def why_not(decision: Decision) -> str:
    """The causes that stop the pod of a group, those of the most nodes first, in a line."""
    found = sorted(causes(node_verdicts(decision, 0)), key=lambda cause: -cause.count)
    return some([cause.text for cause in found], 2) if found else ""


def group_nodes(outcome: GroupOutcome) -> tuple[GroupNodes, ...]:
    """The nodes by what stops the first pod there that fits on none; empty if each was given a node."""
    stopped = next((each for each in outcome.members if not each.node_name), None)
    if stopped is None:
        return ()
    takes = Counter(each.node_name for each in outcome.members if each.node_name)
    open_at_first = {name for each in outcome.members for name in each.decision.feasible} | takes.keys()
    verdicts = [*node_verdicts(stopped.decision, 0)]
    return tuple(
        copied(cause, GroupNodes, used_up=used_up, takes={each: takes[each] for each in cause.nodes if each in takes})
        for used_up in (True, False)
        for cause in causes([each for each in verdicts if (each.node in open_at_first) is used_up])
    )
