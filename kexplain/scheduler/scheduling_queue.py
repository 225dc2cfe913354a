"""The queue of the scheduler: who is tried next, and what becomes of a pod and of those around it after an attempt.

Source: scheduler `backend/queue` (PriorityQueue, backoffQueue), `eventhandlers.go`, preemption `Executor` and
`schedule_one.go` (`handleSchedulingFailure`), as of 1.36.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, PodInfo
from kexplain.cluster.departing import freed
from kexplain.framework.trace import Decision, GroupOutcome, Outcome
from kexplain.framework.wake_events import (
    ANY_CHANGE,
    FIRST_BACKOFF_SECONDS,
    LONGEST_BACKOFF_SECONDS,
    ClusterEvent,
    awaits_claims,
    wakes,
)
from kexplain.objects.core import GroupName, Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.well_known import GATED
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.pod_copies import nominated, returning, take_turns
from kexplain.scheduler.signing import Latest


class Attempt(Struct, frozen=True):
    """One attempt, and the pods that left to make room for its pod."""

    decision: Decision
    evicted: tuple[Pod, ...] = ()

    @property
    def preempted(self) -> list[Pod]:
        """Those that would have stayed: whoever is being deleted already goes anyway."""
        return [pod for pod in self.evicted if not pod.metadata.deletion_timestamp]


class Waiting(Struct, frozen=True):
    """A pod without a node, and the last that was said about it."""

    pod: Pod
    message: str

    @property
    def nominated_node(self) -> str:
        """The node that is nominated for it; empty if none."""
        return self.pod.status.nominated_node_name or ""


class _Queued(Struct, eq=False):
    """A pod in the queue: when it last came or failed, how often, what wakes it, and in what cluster."""

    pod: Pod
    since: int
    #: When it was first tried.
    first_tried: int = 0
    failures: int = 0
    woken_by: tuple[ClusterEvent, ...] = ()
    message: str = ""
    failed_in: Cluster | None = None

    @property
    def backoff_seconds(self) -> int:
        """How long a real scheduler would leave it alone."""
        return min(FIRST_BACKOFF_SECONDS << max(self.failures - 1, 0), LONGEST_BACKOFF_SECONDS)


class Queue(Struct):
    """Pods to be tried, those that back off, and those that sleep until something wakes them.

    Whatever follows several pods, or one through what it preempts, takes its steps here. Unless it `evicts`, whoever
    would preempt is nominated, and the victims stay. Unless it `retries`, each pod is tried once, and along with a
    group those of its pods, too, that only the cluster knows. Unless it `tries_groups`, each pod is tried by itself.
    `after_eviction` hears of each pod that is preempted, and gives what comes in its place at once, if anything does;
    `after_binding` hears of each pod that lands, as it stands in the cluster then, and where.
    """

    scheduler: Scheduler
    cluster: Cluster
    start_index: int = 0
    evicts: bool = True
    retries: bool = True
    tries_groups: bool = True
    after_eviction: Callable[[Pod], Pod | None] = returning
    after_binding: Callable[[Pod, str], None] = lambda _pod, _node_name: None
    #: The node of each pod that has landed, by `namespace/name`.
    placed: dict[str, str] = msgspec.field(default_factory=dict)
    #: All pods that were preempted, in order.
    evicted: list[Pod] = msgspec.field(default_factory=list)
    #: What was last said of each group, but that one which is scheduled stays so.
    groups: dict[GroupName, GroupOutcome] = msgspec.field(default_factory=dict)
    _clock: int = 0
    _active: list[tuple[int, int, _Queued]] = msgspec.field(default_factory=list)
    _backing_off: list[tuple[int, int, int, _Queued]] = msgspec.field(default_factory=list)
    _sleeping: list[_Queued] = msgspec.field(default_factory=list)
    #: Those whose attempt ended in an error, which are tried again whatever happens.
    _failed: list[_Queued] = msgspec.field(default_factory=list)
    _by_uid: dict[str, _Queued] = msgspec.field(default_factory=dict)
    _attempts: list[Attempt] = msgspec.field(default_factory=list)
    #: The last decision, for the next pod that fares alike in the same cluster.
    _latest: Latest | None = None
    _decided_in: Cluster | None = None

    def step(self) -> bool:
        """Try the next pod; whether there was one."""
        item = self._pop()
        if item is None:
            return False
        self._attempt(item)
        return True

    def attempts(self) -> Iterator[Attempt]:
        """Try pod after pod until nothing moves any more."""
        while self.step():
            yield from self.take_attempts()

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """The pods without a node."""
        return tuple(Waiting(item.pod, item.message) for item in self._by_uid.values())

    def enter(self, pods: Iterable[Pod], objects: Iterable[KubernetesObject] = ()) -> None:
        """New pods, and what was made along with them."""
        pods, objects = list(pods), list(objects)
        if objects:
            self.cluster = self.cluster.replacing(objects)
        self.cluster = self.cluster.awaiting(pods)
        for pod in pods:
            self.add(pod)

    def leave(self, pods: Sequence[Pod]) -> None:
        """Pods are deleted, wherever they are, which may wake others; without any, nothing has happened."""
        if not pods:
            return
        placed = [self.cluster.pod_info(pod) for pod in pods if pod.uid not in self._by_uid]
        waiting = [self._by_uid.pop(pod.uid) for pod in pods if pod.uid in self._by_uid]
        self._take_out(waiting)
        self.cluster = self.cluster.without([*(each.pod for each in placed), *(each.pod for each in waiting)])
        for pod_info in placed:
            self.placed.pop(pod_info.pod.key, None)
            self._wake_for_deletion(pod_info)

    def gone(self, pods: Sequence[Pod], nodes: Sequence[Node]) -> None:
        """Pods that were on their way out have left; nodes are as they are from now on, which wakes all others."""
        left = [self.cluster.pod_info(pod) for pod in pods]
        self.cluster = self.cluster.without(pods).with_nodes(nodes)
        for each in left:
            self._wake_for_deletion(each)
        if nodes:
            self._back_off(self._sleeping)

    def free(self, gone: Sequence[Pod]) -> None:
        """Claims give back what only these pods used, which have left; that wakes whoever waits for devices."""
        cluster = freed(self.cluster, gone)
        if cluster is not self.cluster:
            self.cluster = cluster
            self._back_off(each for each in self._sleeping if awaits_claims(each.woken_by))

    def add(self, pod: Pod) -> None:
        """A new pod; one that is nominated already keeps its room."""
        item = self._by_uid[pod.uid] = _Queued(pod, self._tick())
        heappush(self._active, (self.scheduler.sort_key(pod), item.since, item))
        if pod.status.nominated_node_name:
            self.cluster = self.cluster.nominate(pod, pod.status.nominated_node_name)

    def _take_out(self, items: Iterable[_Queued]) -> None:
        """Take them from where they are queued."""
        taken = set(map(id, items))
        for name in ("_active", "_backing_off"):
            entries = getattr(self, name)
            kept = [entry for entry in entries if id(entry[-1]) not in taken]
            if len(kept) < len(entries):
                heapify(kept)
                setattr(self, name, kept)
        for queued in (self._sleeping, self._failed):
            queued[:] = [each for each in queued if id(each) not in taken]

    def _pop(self) -> _Queued | None:
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

    def _attempt(self, item: _Queued) -> None:
        """Try a pod, or the group that it belongs to, and put it where it belongs then."""
        features = self.scheduler.features
        together = self.tries_groups and features.pod_groups and features.groups_are_scheduled_at_once
        members = self._members(item) if together and item.pod.spec.scheduling_group is not None else []
        if members:
            self._attempt_group(members)
            return
        decision = self._decision(item.pod)
        self.start_index = decision.sampling.next_start_index
        match decision.outcome:
            case Outcome.SCHEDULED:
                self.cluster = self.scheduler.assume(decision)
                self._has_landed(item, decision)
            case Outcome.UNSCHEDULABLE:
                self._reject(item, decision)
            case _:
                self._set_aside(item, decision)

    def _decision(self, pod: Pod) -> Decision:
        """The decision; that on the pod before it where the two cannot be told apart, and nothing has changed."""
        if self._latest is None or self._decided_in is not self.cluster:
            self._latest, self._decided_in = Latest(self.scheduler), self.cluster
        decision = self._latest.about(pod, self.cluster)
        if decision is None:
            decision = self.scheduler.schedule(pod, self.cluster, self.start_index)
        self._latest.keep(decision)
        return decision

    def take_attempts(self) -> list[Attempt]:
        """What was tried since they were last taken."""
        taken, self._attempts = self._attempts, []
        return taken

    # ------------------------------------------------------------------------------------ what becomes of a pod

    def _has_landed(self, item: _Queued, decision: Decision) -> None:
        self._attempts.append(Attempt(decision))
        self.placed[item.pod.key] = decision.host
        self.after_binding(decision.pod, decision.host)
        # Two pods of one name and no uid, as a file may hold, are one here.
        self._by_uid.pop(item.pod.uid, None)
        if self._sleeping:
            self._wake("Add", self.cluster.pod_info(item.pod), self._sleeping)

    def _reject(self, item: _Queued, decision: Decision) -> None:
        """Put the pod to sleep, let the victims go and move the nomination, which may wake it again."""
        victims = decision.victims if self.evicts and not take_turns(decision.victims, self.evicted) else ()
        self._put_to_sleep(item, decision, victims)
        if victims:
            self._evict(victims)
            self._clear_nominations(decision.nominated_node, below=item.pod.priority)
        if decision.moves_nomination:
            self._nominate(item, decision.nominated_node)

    def _put_to_sleep(self, item: _Queued, decision: Decision, evicted: tuple[Pod, ...]) -> None:
        self._attempts.append(Attempt(decision, evicted))
        item.message = decision.condition_message
        if not self.retries:
            return
        statuses = decision.statuses
        plugins = dict.fromkeys(status.plugin for status in (*statuses.by_node.values(), statuses.absent))
        item.woken_by = tuple(event for plugin in plugins if plugin for event in decision.events_of(plugin))
        if decision.group is not None:
            # Whoever of a group is woken takes the others along, so that whatever happens wakes them all.
            item.woken_by = ANY_CHANGE
        item.failures += 1
        item.since = self._tick()
        self._sleeping.append(item)

    def _set_aside(self, item: _Queued, decision: Decision) -> None:
        if decision.outcome is not Outcome.GATED:
            item.message = decision.message
        elif item.pod.spec.scheduling_gates:
            # This alone is said by the API server; other plugins keep a pod back in silence.
            item.message = GATED
        self._attempts.append(Attempt(decision))
        if decision.outcome is Outcome.ERROR and self.retries:
            item.failures += 1
            item.since = self._tick()
            self._failed.append(item)
            self._nominate(item, "")
            item.failed_in = self.cluster

    # ------------------------------------------------------------------------------------------------ groups

    def _members(self, item: _Queued) -> list[_Queued]:
        """Everyone of the group who can be tried, taken from where they are queued; empty if that one cannot."""
        if item.pod.group is None or not self._is_queued(item.pod):
            return []
        known = self.cluster.groups.members(item.pod.group).waiting.values()
        others = [each for pod in known if pod.uid != item.pod.uid and (each := self._member(pod)) is not None]
        members = sorted((item, *(each for each in others if self._is_queued(each.pod))), key=lambda each: each.pod.key)
        self._take_out(members)
        for each in (item, *members) if self.retries else ():
            each.first_tried = each.first_tried or self._tick()
        return sorted(members, key=lambda each: (self.scheduler.sort_key(each.pod), each.first_tried))

    def _member(self, pod: Pod) -> _Queued | None:
        """A pod of a group that waits, if it takes part; where pods are tried once, others than were added do, too."""
        item = self._by_uid.get(pod.uid)
        return item if item is not None or self.retries else _Queued(pod, self._tick())

    def _is_queued(self, pod: Pod) -> bool:
        return self.scheduler.begin(pod, self.cluster, self.start_index).outcome is Outcome.UNSCHEDULABLE

    def _attempt_group(self, members: Sequence[_Queued]) -> None:
        """Bind all that fit, or none; whoever is preempted leaves in either case."""
        from kexplain.scheduler.group_cycle import schedule_group  # noqa: PLC0415

        group = schedule_group(self.scheduler, [each.pod for each in members], self.cluster, self.start_index)
        self.start_index = group.next_start_index
        if group.outcome.is_scheduled:
            self.cluster = group.cluster
        if group.outcome.is_scheduled or not self._is_scheduled(group.outcome.name):
            self.groups[group.outcome.name] = group.outcome
        fates = list(zip(members, group.decisions, strict=True))
        victims = group.outcome.victims if self.evicts else ()
        # What is bound wakes the others of its group, too, as they are put aside before.
        for place, (item, decision) in enumerate(sorted(fates, key=lambda fate: self.retries and bool(fate[1].host))):
            match decision.outcome:
                case Outcome.SCHEDULED:
                    self._has_landed(item, decision)
                case Outcome.UNSCHEDULABLE:
                    self._put_to_sleep(item, decision, () if place else victims)
                case _:
                    self._set_aside(item, decision)
        if victims:
            self._evict(victims)
        for item, decision in fates:
            if decision.outcome is Outcome.UNSCHEDULABLE and decision.moves_nomination:
                self._nominate(item, decision.nominated_node)

    def _is_scheduled(self, name: GroupName) -> bool:
        return name in self.groups and self.groups[name].is_scheduled

    def _evict(self, victims: Iterable[Pod]) -> None:
        """The victims leave at once."""
        gone = [self.cluster.pod_info(pod) for pod in victims]
        self.cluster = self.cluster.without(pod_info.pod for pod_info in gone)
        for pod_info in gone:
            self.evicted.append(pod_info.pod)
            self.placed.pop(pod_info.pod.key, None)
            self._wake_for_deletion(pod_info)
            if (again := self.after_eviction(pod_info.pod)) is not None:
                self.add(again)

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
        item.pod = nominated(old, node_name)
        self.cluster = self.cluster.awaiting([item.pod]).nominate(item.pod, node_name)
        if former:
            self._wake_for_deletion(self.cluster.pod_info(old), up_to=old.priority)

    # ------------------------------------------------------------------------------------------------- waking

    def _wake_for_deletion(self, gone: PodInfo, up_to: int | None = None) -> None:
        """Wake what may have waited for a pod to leave; `up_to` is the highest priority that is free to."""
        self._wake("Delete", gone, (item for item in self._sleeping if up_to is None or item.pod.priority <= up_to))

    def _wake(self, action: str, other: PodInfo, sleeping: Iterable[_Queued]) -> None:
        """Wake those whom another pod wakes that comes or goes."""
        known, cluster = self.cluster.pod_info, self.cluster
        self._back_off(each for each in sleeping if wakes(each.woken_by, action, known(each.pod), other, cluster))

    def _back_off(self, sleeping: Iterable[_Queued]) -> None:
        for item in [*sleeping]:
            self._sleeping.remove(item)
            heappush(self._backing_off, (item.backoff_seconds, self.scheduler.sort_key(item.pod), item.since, item))

    def _tick(self) -> int:
        self._clock += 1
        return self._clock


def alone(scheduler: Scheduler, cluster: Cluster, start_index: int) -> Queue:
    """A queue for one pod after the other, each without its group: whom it preempts leaves for good."""
    queue = Queue(scheduler, cluster, start_index, tries_groups=False)
    queue.after_eviction = lambda pod: queue.free([pod])
    return queue


def place(scheduler: Scheduler, cluster: Cluster, pod: Pod, start_index: int) -> list[Attempt]:
    """All that follows at once where a pod is tried: whom it preempts leaves, and it lands."""
    queue = alone(scheduler, cluster, start_index)
    queue.enter([pod])
    return [*queue.attempts()]
