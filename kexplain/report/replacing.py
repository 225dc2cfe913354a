"""Pods of nodes that are to be emptied, tried elsewhere."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from kexplain.case.case import Case
from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.departing import departed
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.node_pools import comes_along
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import BY_DEFAULT, DrainOptions
from kexplain.scheduler.pod_copies import anew
from kexplain.scheduler.scheduling_queue import Queue


class MoveSearch(Struct, frozen=True, kw_only=True):
    """Whose pods are moved, and how long that is tried: what is found when `is_enough` says so is the answer.

    The listener hears how much was tried, of how much in all where that is known, and of what.
    """

    case: Case
    options: DrainOptions = BY_DEFAULT
    start_index: int = 0
    listener: Callable[[int, int, str], None] = lambda _done, _total, _what: None
    is_enough: Callable[[], bool] = lambda: False


class Replaced(Struct, frozen=True):
    """The cluster with the pods elsewhere; or the first one that is `left` without a place, and why."""

    cluster: Cluster
    left: Pod | None = None
    decision: Decision | None = None


def movable(info: NodeInfo) -> list[Pod]:
    """The pods of a node that its controllers make again elsewhere."""
    return [each.pod for each in movable_infos(info)]


def movable_infos(info: NodeInfo) -> list[PodInfo]:
    """The same with what they ask for."""
    there = [each for each in info.pods if not comes_along(each.pod) and not each.pod.is_terminated]
    return [each for each in there if each.pod.metadata.controller is not None]


def replaced(scheduler: Scheduler, cluster: Cluster, pods: Sequence[Pod], start_index: int = 0) -> Replaced:
    """All of these pods leave and come back as they were, one after the other, until one gets no place."""
    queue = Queue(scheduler, departed(cluster, pods), start_index, evicts=False, retries=False)
    queue.enter(map(anew, pods))
    for attempt in queue.attempts():
        if not attempt.decision.host:
            return Replaced(cluster, attempt.decision.pod, attempt.decision)
    return Replaced(queue.cluster)
