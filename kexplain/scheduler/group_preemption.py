"""Who would have to leave so that a whole group can run. Source: preemption `podgrouppreemption.go`.

Upstream takes equally important victims in any order; here they come in that of the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.framework.placement import group_not_found
from kexplain.framework.profile import Profile
from kexplain.framework.status import Status, error, unresolvable, unschedulable
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.scheduling import PodGroup
from kexplain.plugins.default_preemption import DefaultPreemption, parse_budgets, start_time

#: What is evicted as a whole.
_AS_A_GROUP = "PodGroup"


class Unit(Struct, frozen=True):
    """Pods that leave together, or stay: a pod, or all pods of a group that is only disrupted as a whole."""

    pods: tuple[Pod, ...]
    priority: int

    @property
    def importance(self) -> tuple[float, ...]:
        """Lower for what is more important. Source: `moreImportantVictim`."""
        first = self.pods[0]
        is_of_group = first.spec.scheduling_group is not None
        return (-self.priority, not is_of_group, -len(self.pods) if is_of_group else 0, start_time(first))


def preempted_by_group(
    profile: Profile,
    name: GroupName,
    pods: Sequence[Pod],
    cluster: Cluster,
    rejection: Callable[[Cluster], Status | None],
) -> tuple[Pod, ...] | Status:
    """Those whose eviction lets the group run, the most important first, or why there are none.

    `rejection` is what keeps the group from running in a cluster; None if it can run there.
    """
    if not any(isinstance(plugin, DefaultPreemption) for plugin in _every(profile)):
        return unschedulable("default preemption plugin is not registered, workload aware preemption is disabled")
    group = cluster.listers.get(PodGroup, name.name, name.namespace)
    if group is None:
        return error(f"failed to get pod group object: {group_not_found(name).message}")
    if group.topology_key:
        return unschedulable("workload aware preemption is not supported for pod groups with scheduling constraints")
    if any(pod.spec.preemption_policy == "Never" for pod in pods):
        return unschedulable("not eligible due to preemptionPolicy=Never.")
    units = [unit for unit in _units(cluster) if unit.priority < group.priority]
    if not units:
        return unresolvable("No preemption victims found for incoming preemptor")
    stopped = rejection(cluster.vacated(_pods(units)))
    if stopped is not None:
        return stopped
    leaving = list(units)
    for unit in _reprieved_first(units, cluster):
        others = [each for each in leaving if each is not unit]
        if rejection(cluster.vacated(_pods(others))) is None:
            leaving = others
    return tuple(_pods(sorted(leaving, key=lambda unit: unit.importance)))


def _every(profile: Profile) -> Iterable[object]:
    return (*profile.post_filter, *profile.pre_enqueue)


def _pods(units: Iterable[Unit]) -> list[Pod]:
    return [pod for unit in units for pod in unit.pods]


def _units(cluster: Cluster) -> list[Unit]:
    """All that may have to leave, in the order of the nodes. Source: `newDomainForWorkloadPreemption`."""
    units: list[Unit] = []
    pods_by_group: dict[str, list[Pod]] = {}
    priority_by_group: dict[str, int] = {}
    for info in cluster.node_infos:
        for pod_info in info.pods:
            pod, name = pod_info.pod, pod_info.pod.group
            group = cluster.listers.get(PodGroup, name.name, name.namespace) if name else None
            if group is None or group.spec.disruption_mode != _AS_A_GROUP:
                units.append(Unit((pod,), pod.priority))
            else:
                pods_by_group.setdefault(group.key, []).append(pod)
                priority_by_group[group.key] = group.priority
    return units + [Unit(tuple(pods), priority_by_group[key]) for key, pods in pods_by_group.items()]


def _reprieved_first(units: Iterable[Unit], cluster: Cluster) -> list[Unit]:
    """In the order in which they are given another chance: those under a budget first, then by importance.

    Source: `filterVictimsWithPDBViolation`, which counts what is evicted up to the first pod that violates one.
    """
    budgets = parse_budgets(cluster)
    evicted: dict[int, int] = {}
    violating: list[Unit] = []
    others: list[Unit] = []

    def violates(pod: Pod) -> bool:
        for budget in budgets.protecting(pod):
            evicted[id(budget)] = evicted.get(id(budget), 0) + 1
            if evicted[id(budget)] > budget.allowed:
                return True
        return False

    for unit in sorted(units, key=lambda unit: unit.importance):
        (violating if any(violates(pod) for pod in unit.pods) else others).append(unit)
    return [*violating, *others]
