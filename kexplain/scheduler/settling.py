"""A queue of pods followed to its end, with preemption carried out.

Source: scheduler `backend/queue` (PriorityQueue, backoffQueue), `eventhandlers.go`, preemption `Executor` and
`schedule_one.go` (`handleSchedulingFailure`), as of 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, PodInfo
from kexplain.framework.trace import Decision, Outcome
from kexplain.framework.waking import FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS, ClusterEvent, wakes
from kexplain.objects.core import Pod
from kexplain.objects.well_known import GATED
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.placing import anew, nominated


class Attempt(Struct, frozen=True):
    """One attempt, and the pods that left to make room for its pod."""

    decision: Decision
    evicted: tuple[Pod, ...] = ()


class Waiting(Struct, frozen=True):
    """A pod without a place, the last that was said about it, and the node that is nominated for it, if any."""

    pod: Pod
    message: str
    nominated_node: str


class Settled(Struct, frozen=True):
    """What stood when nothing moved any more; `placed` has the node of each pod by the pod's key.

    `evicted` are all pods that left, in order. One with a controller comes back under its own name, and is then
    among the placed or the waiting as well.
    """

    attempts: tuple[Attempt, ...]
    placed: Mapping[str, str]
    evicted: tuple[Pod, ...]
    waiting: tuple[Waiting, ...]
    cluster: Cluster


def settle(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0) -> Settled:
    """Try the pods, and again whenever something wakes them, until nothing moves any more.

    Victims have left before the next pod is tried. Time stands still: back-off only orders what is tried again.
    Of two pods with one name the later one counts.
    """
    queue = _Queue(scheduler, cluster, start_index)
    for pod in {pod.uid: pod for pod in pods}.values():
        queue.add(pod)
    while (item := queue.pop()) is not None:
        queue.attempt(item)
    return queue.settled()


class _Queued(Struct, eq=False):
    """A pod in the queue: when it last came or failed, how often, what wakes it, and in what cluster."""

    pod: Pod
    since: int
    failures: int = 0
    woken_by: tuple[ClusterEvent, ...] = ()
    message: str = ""
    failed_in: Cluster | None = None

    @property
    def backoff_seconds(self) -> int:
        """How long a real scheduler would leave it alone."""
        return min(FIRST_BACKOFF_SECONDS << max(self.failures - 1, 0), LONGEST_BACKOFF_SECONDS)


class _Queue(Struct):
    """Pods to be tried, those that back off, and those that sleep until something wakes them."""

    scheduler: Scheduler
    cluster: Cluster
    start_index: int
    _clock: int = 0
    _active: list[tuple[int, int, _Queued]] = msgspec.field(default_factory=list)
    _backing_off: list[tuple[int, int, int, _Queued]] = msgspec.field(default_factory=list)
    _sleeping: list[_Queued] = msgspec.field(default_factory=list)
    #: Those whose attempt ended in an error, which are tried again whatever happens.
    _failed: list[_Queued] = msgspec.field(default_factory=list)
    _by_uid: dict[str, _Queued] = msgspec.field(default_factory=dict)
    _attempts: list[Attempt] = msgspec.field(default_factory=list)
    _placed: dict[str, str] = msgspec.field(default_factory=dict)
    _evicted: list[Pod] = msgspec.field(default_factory=list)

    def add(self, pod: Pod) -> None:
        """A new pod; one that is nominated already keeps its room."""
        item = self._by_uid[pod.uid] = _Queued(pod, self._tick())
        heappush(self._active, (self.scheduler.sort_key(pod), item.since, item))
        if pod.status.nominated_node_name:
            self.cluster = self.cluster.nominate(pod, pod.status.nominated_node_name)

    def pop(self) -> _Queued | None:
        """The next pod; of those that back off only if no other is left, and failed ones last of all."""
        if self._active:
            return heappop(self._active)[-1]
        if self._backing_off:
            return heappop(self._backing_off)[-1]
        for item in self._failed:
            if item.failed_in is not self.cluster:
                self._failed.remove(item)
                return item
        return None

    def attempt(self, item: _Queued) -> None:
        """Try a pod, and put it where it belongs then."""
        decision = self.scheduler.schedule(item.pod, self.cluster, self.start_index)
        self.start_index = decision.sampling.next_start_index
        match decision.outcome:
            case Outcome.SCHEDULED:
                self._bind(item, decision)
            case Outcome.UNSCHEDULABLE:
                self._reject(item, decision)
            case _:
                self._set_aside(item, decision)

    def settled(self) -> Settled:
        """The end."""
        waiting = tuple(
            Waiting(item.pod, item.message, item.pod.status.nominated_node_name or "") for item in self._by_uid.values()
        )
        return Settled(tuple(self._attempts), self._placed, tuple(self._evicted), waiting, self.cluster)

    # ------------------------------------------------------------------------------------ what becomes of a pod

    def _bind(self, item: _Queued, decision: Decision) -> None:
        self._attempts.append(Attempt(decision))
        self.cluster = self.scheduler.assume(decision)
        self._placed[item.pod.key] = decision.host
        del self._by_uid[item.pod.uid]
        self._wake("Add", self.cluster.pod_info(item.pod), self._sleeping)

    def _reject(self, item: _Queued, decision: Decision) -> None:
        """Let the victims go, move the nomination, and put the pod to sleep unless something of that wakes it."""
        statuses = decision.statuses
        plugins = dict.fromkeys(status.plugin for status in (*statuses.by_node.values(), statuses.absent))
        item.woken_by = tuple(event for plugin in plugins if plugin for event in decision.events_of(plugin))
        item.message = decision.condition_message
        item.failures += 1
        item.since = self._tick()
        self._sleeping.append(item)
        self._attempts.append(Attempt(decision, decision.victims))
        if decision.victims:
            self._evict(decision.victims)
            self._clear_nominations(decision.nominated_node, below=item.pod.priority)
        if _moves_nomination(decision):
            self._nominate(item, decision.nominated_node)

    def _set_aside(self, item: _Queued, decision: Decision) -> None:
        item.message = GATED if decision.outcome is Outcome.GATED else decision.message
        self._attempts.append(Attempt(decision))
        if decision.outcome is Outcome.ERROR:
            item.failures += 1
            item.since = self._tick()
            self._failed.append(item)
            self._nominate(item, "")
            item.failed_in = self.cluster

    def _evict(self, victims: Iterable[Pod]) -> None:
        """The victims leave at once; what has a controller comes back as a new pod."""
        gone = [self.cluster.pod_info(pod) for pod in victims]
        self.cluster = self.cluster.without(pod_info.pod for pod_info in gone)
        for pod_info in gone:
            self._evicted.append(pod_info.pod)
            self._placed.pop(pod_info.pod.key, None)
            self._wake_for_deletion(pod_info)
            if pod_info.pod.metadata.controller is not None:
                self.add(anew(pod_info.pod))

    def _clear_nominations(self, node_name: str, *, below: int) -> None:
        for pod_info in self.cluster.nominated_by_node.get(node_name, ()):
            loser = self._by_uid.get(pod_info.pod.uid)
            if loser is not None and pod_info.pod.priority < below:
                self._nominate(loser, "")

    def _nominate(self, item: _Queued, node_name: str) -> None:
        """Nominate another node or none; the room that is given up is free for pods of no higher priority."""
        old = item.pod
        former = old.status.nominated_node_name or ""
        if former == node_name:
            return
        self.cluster = self.cluster.without([old])
        item.pod = nominated(old, node_name)
        if node_name:
            self.cluster = self.cluster.nominate(item.pod, node_name)
        if former:
            self._wake_for_deletion(self.cluster.pod_info(old), up_to=old.priority)

    # ------------------------------------------------------------------------------------------------- waking

    def _wake_for_deletion(self, gone: PodInfo, up_to: int | None = None) -> None:
        """Wake what may have waited for a pod to leave; `up_to` is the highest priority that is free to."""
        self._wake("Delete", gone, (item for item in self._sleeping if up_to is None or item.pod.priority <= up_to))

    def _wake(self, action: str, other: PodInfo, sleeping: Iterable[_Queued]) -> None:
        """Let those back off that are woken by another pod that comes or goes."""
        for item in list(sleeping):
            if wakes(item.woken_by, action, self.cluster.pod_info(item.pod), other, self.cluster):
                self._sleeping.remove(item)
                heappush(self._backing_off, (item.backoff_seconds, self.scheduler.sort_key(item.pod), item.since, item))

    def _tick(self) -> int:
        self._clock += 1
        return self._clock


def _moves_nomination(decision: Decision) -> bool:
    """Whether a rejection settles which node is nominated, if only by taking the nomination away.

    A pod that may not preempt, or whose candidates extenders turned down, keeps what it had.
    """
    preemption = decision.preemption
    if preemption is None:
        return not decision.post_filter
    return bool(decision.nominated_node) or not (preemption.ineligible or preemption.candidates)
