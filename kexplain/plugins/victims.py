"""Whom preemption may evict together, and who of them matters most. Source: `framework/preemption`."""

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.go_sort import go_sorted
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.scheduling import PodGroup


class Victim(Struct, frozen=True):
    """A pod, or all pods of a group that is only disrupted as a whole, each with the name of its node.

    `started` is when the first of them did, as `start_time` has it.
    """

    placed: tuple[tuple[PodInfo, str], ...]
    pods: tuple[Pod, ...]
    priority: int
    started: float
    is_of_group: bool = False


class Victims:
    """The victims of a cluster, on one node or on all; each group is put together once."""

    def __init__(self, cluster: Cluster, *, by_group: bool, all_by_group: bool = True) -> None:
        """Whether groups count: with one priority, `all_by_group` or those that leave as a whole, and that together."""
        self._cluster = cluster
        self._by_group = by_group and bool(cluster.groups.members_by_name)
        self._all_by_group = all_by_group
        self._groups: dict[GroupName, Victim] = {}

    def priority(self, pod: Pod) -> int:
        """What decides who may evict the pod."""
        group = self._group(pod)
        return group.priority if group and (self._all_by_group or group.leaves_as_a_whole) else pod.priority

    def on(self, node_info: NodeInfo) -> list[Victim]:
        """All who are on that node, in its order, each group once."""
        name = node_info.name
        if not self._by_group:
            alone = [(each, each.pod) for each in node_info.pods]
            return [Victim(((each, name),), (pod,), pod.spec.priority or 0, start_time(pod)) for each, pod in alone]
        every: dict[object, Victim] = {}
        for pod_info in node_info.pods:
            pod, of_group = pod_info.pod, pod_info.pod.group
            group = self._group(pod)
            if group is not None and of_group is not None and group.leaves_as_a_whole:
                every.setdefault(of_group, self._together(of_group, group))
            else:
                said = self.priority(pod), start_time(pod), of_group is not None
                every[id(pod_info)] = Victim(((pod_info, name),), (pod,), *said)
        return list(every.values())

    def everywhere(self) -> list[Victim]:
        """All in the cluster, in the order of the nodes, each group once."""
        found = (each for node_info in self._cluster.node_infos for each in self.on(node_info))
        return list({id(each): each for each in found}.values())

    def _group(self, pod: Pod) -> PodGroup | None:
        name = pod.group if self._by_group else None
        return self._cluster.listers.get(PodGroup, name.name, name.namespace) if name else None

    def _together(self, name: GroupName, group: PodGroup) -> Victim:
        if name not in self._groups:
            placed = self._cluster.groups.members(name).placed
            nodes = dict.fromkeys(each.node_name for each in placed.values())
            infos = [info for node in nodes if (info := self._cluster.node_info_by_name.get(node))]
            there = tuple((each, info.name) for info in infos for each in info.pods if each.pod.uid in placed)
            pods = tuple(each.pod for each, _ in there)
            self._groups[name] = Victim(there, pods, group.priority, min(map(start_time, pods)), is_of_group=True)
        return self._groups[name]


@lru_cache(maxsize=65536)
def seconds(text: str) -> float:
    """The time in seconds; infinity for a text that is none, which no API server would hold."""
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(text).timestamp()
    return math.inf


def start_time(pod: Pod) -> float:
    """When the pod started, in seconds; infinity if it has not yet, which upstream counts as just now.

    A text that is no time, which no API server would hold, counts as none.
    """
    return seconds(pod.status.start_time or "")


_Key = tuple[float, ...]
_Keyed = tuple[_Key, Victim]


def by_importance(victims: Iterable[Victim], *, reads_clock_once: bool) -> list[Victim]:
    """Higher priority first, then groups, larger ones first, then the longer running; ties as Go leaves them.

    Pods that have not started count as starting when the clock is read: once for each of them, or whenever two are
    compared, so that of those the first is always the more important one. Source: `util.MoreImportantPod`,
    `preemption.MoreImportantVictim`.
    """
    keyed = [(_key(each, place if reads_clock_once else 0), each) for place, each in enumerate(victims)]
    by_key = dict(keyed)
    if len(by_key) == len(keyed):
        return [by_key[key] for key in sorted(by_key)]
    return [victim for _, victim in go_sorted(keyed, _comes_first if reads_clock_once else _is_more_important)]


def _key(victim: Victim, reading: int) -> _Key:
    started, is_of_group = victim.started, victim.is_of_group
    size = -len(victim.placed) if is_of_group else 0
    return -victim.priority, not is_of_group, size, started, reading if started == math.inf else 0


def _comes_first(one: _Keyed, other: _Keyed) -> bool:
    return one[0] < other[0]


def _is_more_important(one: _Keyed, other: _Keyed) -> bool:
    return one[0] < other[0] or (one[0] == other[0] and one[1].started == math.inf)


def pods_of(victims: Sequence[Victim]) -> tuple[Pod, ...]:
    """All of them, in their order."""
    return tuple(pod for victim in victims for pod in victim.pods)
