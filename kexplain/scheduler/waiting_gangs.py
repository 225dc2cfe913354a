"""Gangs of 1.35: each pod waits on its node until enough of the others have one, and is turned away after a while.

Source: `plugins/gangscheduling` of 1.35, scheduler `bindingCycle`.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.permitting import run_permits
from kexplain.framework.trace import Decision, GroupMember, GroupOutcome, Outcome
from kexplain.grouping import grouped
from kexplain.objects.core import GroupName, Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.group_trials import failing

#: What the gang's first pod ends with; for the others, what is then left of the five minutes.
_TIMED_OUT = "0/1 nodes are available: 1 rejected due to timeout after waiting 5m0s at plugin GangScheduling."


def with_their_gangs(pods: Iterable[Pod], cluster: Cluster) -> list[Pod]:
    """The pods, and behind them others of their groups that wait for a node."""
    asked = list(pods)
    uids = {pod.uid for pod in asked}
    names = dict.fromkeys(pod.group for pod in asked if pod.group is not None)
    waiting = (pod for name in names for pod in cluster.groups.members(name).waiting.values())
    return [*asked, *sorted((pod for pod in waiting if pod.uid not in uids), key=lambda pod: pod.key)]


def in_the_end(scheduler: Scheduler, decisions: Iterable[Decision], cluster: Cluster) -> Iterator[Decision]:
    """What becomes of pods that were tried one by one, in the cluster as the last of them has left it."""
    tried = list(decisions)
    ended = (each for each in tried if each.outcome in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE))
    members = grouped((each.pod.group, each) for each in ended if each.pod.group is not None)
    outcomes = {name: _outcome(scheduler, name, of, cluster) for name, of in members.items()}
    for each in tried:
        outcome = outcomes.get(each.pod.group) if each.pod.group else None
        yield each if outcome is None else _told(each, outcome)


def _outcome(scheduler: Scheduler, name: GroupName, tried: Sequence[Decision], cluster: Cluster) -> GroupOutcome | None:
    """What became of the group; None where none of its pods has a node to wait on."""
    on_nodes = [each for each in tried if each.host]
    if not on_nodes:
        return None
    waits = run_permits(scheduler.profiles[on_nodes[0].scheduler_name], on_nodes[0].pod, cluster) is not None
    members = tuple(GroupMember(each, each.host) for each in tried)
    return GroupOutcome(name, members, is_scheduled=not waits, message=_TIMED_OUT if waits else "")


def _told(decision: Decision, outcome: GroupOutcome) -> Decision:
    if not decision.host or outcome.is_scheduled:
        return replace(decision, group=outcome)
    return replace(failing(decision, _TIMED_OUT), group=outcome)
