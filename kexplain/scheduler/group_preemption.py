"""Who would have to leave so that a whole group can run. Source: preemption `podgrouppreemption.go`.

Upstream takes equally important victims in any order; here they come in that of the nodes.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.profile import Profile
from kexplain.framework.status import Status, error, group_not_found, unresolvable, unschedulable
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.scheduling import PodGroup
from kexplain.plugins.default_preemption import DefaultPreemption
from kexplain.plugins.disruption_budgets import Evictions
from kexplain.plugins.victims import Victim, by_importance, pods_of
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.group_trials import Trial

_NEVER = "not eligible due to preemptionPolicy=Never."
_NO_VICTIMS = "No preemption victims found for incoming preemptor"


class GroupRoom(Struct, frozen=True):
    """The room that is made for a group: who leaves for it, and which node is kept for which pod, by its uid."""

    victims: tuple[Pod, ...]
    nominations: Mapping[str, str]
    message: str


def preempted_by_group(
    profile: Profile,
    name: GroupName,
    pods: Sequence[Pod],
    cluster: Cluster,
    rejection: Callable[[Cluster], Status | None],
) -> tuple[Pod, ...] | Status:
    """Those whose eviction lets the group run, the most important first, or why there are none.

    `rejection` is what keeps the group from running in a cluster; None if it can run there. So decides 1.36.
    """
    plugin = _preemption(profile)
    if plugin is None:
        return unschedulable("default preemption plugin is not registered, workload aware preemption is disabled")
    group = cluster.listers.get(PodGroup, name.name, name.namespace)
    if group is None:
        return error(f"failed to get pod group object: {group_not_found(name).message}")
    if group.topology_key:
        return unschedulable("workload aware preemption is not supported for pod groups with scheduling constraints")
    if any(pod.spec.preemption_policy == "Never" for pod in pods):
        return unschedulable(_NEVER)
    victims = _less_important(plugin, cluster, group)
    if not victims:
        return unresolvable(_NO_VICTIMS)
    stopped = rejection(cluster.vacated(pods_of(victims)))
    if stopped is not None:
        return stopped
    reprieved = _reprieved_first(plugin, victims, cluster, counts_all=False)
    leaving = _unspared(reprieved, lambda others: rejection(cluster.vacated(pods_of(others))) is None)
    return pods_of(_by_importance(leaving))


def room_for_group(
    scheduler: Scheduler, name: GroupName, pods: Sequence[Pod], cluster: Cluster, tried: Callable[[Cluster], Trial]
) -> GroupRoom | Status:
    """Who leaves so that the group runs, or why nobody does; an empty message where nothing can make room.

    The group is `tried` once, with all gone that may go. Those come back who leave room for its pods where they fit
    then. So decide 1.37 and later.
    """
    profile = scheduler.profiles[pods[0].scheduler_name]
    plugin, group = _preemption(profile), cluster.listers.get(PodGroup, name.name, name.namespace)
    if plugin is None or group is None:
        return unschedulable("")
    if _never_preempts(scheduler, group, pods):
        return _said(unschedulable(_NEVER))
    if _is_ongoing(plugin, group, pods, cluster):
        kept = {pod.uid: pod.status.nominated_node_name or "" for pod in pods}
        return GroupRoom((), kept, "pod group preemption: ongoing preemption on nominated nodes")
    victims = _less_important(plugin, cluster, group)
    if not victims:
        return _said(unresolvable(_NO_VICTIMS))
    trial = tried(cluster.vacated(pods_of(victims)))
    if trial.status is not None:
        return _said(trial.status)
    reprieved = _reprieved_first(plugin, victims, cluster, counts_all=True)
    leaving = _unspared(reprieved, lambda others: _still_fits(scheduler, trial, cluster.vacated(pods_of(others))))
    gone = pods_of(_by_importance(leaving))
    nodes = {each.decision.pod.uid: each.node_name for each in trial.pods if each.node_name}
    found = f"found a placement for podgroup, preempting {len(gone)} victims"
    return GroupRoom(gone, nodes, f"pod group preemption: {found}")


def _unspared(victims: Sequence[Victim], is_enough: Callable[[Sequence[Victim]], bool]) -> list[Victim]:
    """Those who must leave in the end: one after the other is spared if it `is_enough` that the others leave."""
    leaving = list(victims)
    for victim in victims:
        others = [each for each in leaving if each is not victim]
        if is_enough(others):
            leaving = others
    return leaving


def _never_preempts(scheduler: Scheduler, group: PodGroup, pods: Sequence[Pod]) -> bool:
    if scheduler.features.group_preemption_policies:
        return group.spec.preemption_policy == "Never"
    return any(pod.spec.preemption_policy == "Never" for pod in pods)


def _preemption(profile: Profile) -> DefaultPreemption | None:
    every = (*profile.post_filter, *profile.pre_enqueue)
    return next((plugin for plugin in every if isinstance(plugin, DefaultPreemption)), None)


def _said(status: Status) -> Status:
    return replace(status, reasons=(f"pod group preemption: {status.message}",)) if status.message else status


def _less_important(plugin: DefaultPreemption, cluster: Cluster, group: PodGroup) -> list[Victim]:
    """All who may have to leave for the group, in the order of the nodes. Source: `newDomainForWorkloadPreemption`."""
    return [each for each in plugin.victims_of_groups(cluster).everywhere() if each.priority < group.priority]


def _is_ongoing(plugin: DefaultPreemption, group: PodGroup, pods: Sequence[Pod], cluster: Cluster) -> bool:
    """Whether somebody is leaving already where pods of the group are nominated to."""
    victims = plugin.victims_of_groups(cluster)
    nodes = (cluster.node_info_by_name.get(pod.status.nominated_node_name or "") for pod in pods)
    there = [each.pod for info in nodes if info for each in info.pods]
    return any(victims.priority(pod) < group.priority and plugin.is_going(pod) for pod in there)


def _still_fits(scheduler: Scheduler, trial: Trial, cluster: Cluster) -> bool:
    """Whether each pod fits where it did in the trial, those before it being there."""
    for each in trial.pods:
        if not each.node_name:
            continue
        if scheduler.objections(each.decision.pod, cluster, [each.node_name]):
            return False
        cluster = scheduler.assume(replace(each.decision, cluster=cluster))
    return True


def _by_importance(victims: Sequence[Victim]) -> list[Victim]:
    return by_importance(victims, reads_clock_once=True)


def _reprieved_first(
    plugin: DefaultPreemption, victims: Sequence[Victim], cluster: Cluster, *, counts_all: bool
) -> list[Victim]:
    """In the order in which they are given another chance: those under a budget first, then by importance.

    What is evicted of a group that leaves as a whole counts in all, or up to the first pod that violates a budget.
    Source: `filterVictimsWithPDBViolation`.
    """
    evictions = Evictions(plugin.budgets(cluster), ends_at_first=True)
    violating: list[Victim] = []
    others: list[Victim] = []
    for victim in _by_importance(victims):
        answers = map(evictions.violates, victim.pods)
        (violating if any(list(answers) if counts_all else answers) else others).append(victim)
    return [*violating, *others]
