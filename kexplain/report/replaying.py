"""Pods of a trace that come and go: the queue of the scheduler, asked at each moment at which something happens."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain, pairwise

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.cluster.node_info import NodeInfo
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.grouping import counted
from kexplain.objects.core import Pod
from kexplain.objects.requests import CPU, MEMORY, PODS
from kexplain.report.replay import ReplayRun, ReplaySample
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.pod_copies import anew
from kexplain.scheduler.scheduling_queue import Queue

#: Points of a curve: as many as one can see.
_MOST_SAMPLES = 240
#: Of the different requests of a trace, the most frequent ones tell what is a fragment.
_MOST_SHAPES = 20


class Stay(Struct, frozen=True):
    """A pod, when it comes, and how many seconds it runs once it has a node; for good without a number."""

    pod: Pod
    arrival: float
    duration: float | None


class Measure(Struct, frozen=True):
    """What is measured of nodes: resources in use, and fragments of one of them.

    A free amount of it is a fragment for a pod that asks for some, and that does not fit on the node. `shapes` are the
    requests of such pods, each with its share among them.
    """

    resources: tuple[str, ...]
    of: str
    shapes: tuple[tuple[tuple[tuple[str, int], ...], float], ...]

    @classmethod
    def for_pods(cls, pods: Iterable[Pod], cluster: Cluster) -> Measure:
        """The measure for these pods: of the extended resource that most of them request, else of CPU."""
        amounts = [cluster.pod_info(pod).resource.requested.amounts() for pod in pods]
        requested = Counter(name for each in amounts for name, amount in each.items() if amount)
        extended = [name for name, _ in requested.most_common() if is_extended_resource_name(name)]
        of = extended[0] if extended else CPU
        asking = (each for each in amounts if each.get(of))
        shapes = Counter((*((name, amount) for name, amount in each.items() if amount),) for each in asking)
        common = shapes.most_common(_MOST_SHAPES)
        total = sum(count for _, count in common)
        return cls((CPU, MEMORY, *extended), of, tuple((shape, count / total) for shape, count in common))

    def of_node(self, node: NodeInfo, own_pods: int) -> tuple[float, ...]:
        """What is used of each resource, what is free of the one, how much of that is lost, and 1 if it is in use."""
        offered, used = node.allocatable.amounts(), node.requested.amounts()
        free = {name: amount - used.get(name, 0) for name, amount in offered.items()}
        free[PODS] = node.allocatable.allowed_pods - len(node.pods)
        left = max(free.get(self.of, 0), 0)
        lost = sum(share for shape, share in self.shapes if not _fits(shape, free)) if left else 0.0
        return (*(used.get(name, 0) for name in self.resources), left, left * lost, min(own_pods, 1))


def _fits(shape: tuple[tuple[str, int], ...], free: dict[str, int]) -> bool:
    return free[PODS] > 0 and all(free.get(name, 0) >= amount for name, amount in shape)


class _Moment(Struct, frozen=True):
    """What stands from a time on; `sums` are those of `Measure.of_node` over all nodes."""

    time: float
    pending: int
    running: int
    sums: tuple[float, ...]


class Replay:
    """One run of a trace under one scheduler."""

    def __init__(self, scheduler: Scheduler, cluster: Cluster, stays: Sequence[Stay], measure: Measure) -> None:
        self.queue = Queue(scheduler, cluster, after_eviction=self._evicted, after_binding=self._bound)
        self._measure = measure
        self._stays = sorted(stays, key=lambda stay: stay.arrival)
        self._by_uid = {stay.pod.uid: stay for stay in stays}
        self._now = 0.0
        #: When each pod first had a node, and the ends of those that have one now; old ones are stale.
        self._started: dict[str, float] = {}
        self._running: dict[str, tuple[float, Pod, str]] = {}
        self._ends: list[tuple[float, int, str]] = []
        self._pods_by_node: Counter[str] = Counter()
        self._by_node = {node.name: measure.of_node(node, 0) for node in cluster.node_infos}
        self._sums: list[float] = [*map(sum, zip(*self._by_node.values(), strict=True))]
        self._touched: set[str] = set()
        self._arrived = 0
        self._moments: list[_Moment] = []

    def run(self, configuration: str, seed: int) -> ReplayRun:
        """Everything comes and goes; what still waits when nothing more happens has never run, unless it did before."""
        while self._arrived < len(self._stays) or self._ends:
            arrival = self._stays[self._arrived].arrival if self._arrived < len(self._stays) else None
            end = self._ends[0][0] if self._ends else None
            self._now = min(each for each in (arrival, end) if each is not None)
            # 1) Who is through leaves, 2) who is there by now comes, 3) and all that can be placed is.
            self.queue.leave(self._through())
            come = bisect_right(self._stays, self._now, lo=self._arrived, key=lambda stay: stay.arrival)
            self.queue.enter(stay.pod for stay in self._stays[self._arrived : come])
            self._arrived = come
            for _ in self.queue.attempts():
                pass
            self._note()
        return self._outcome(configuration, seed)

    def _through(self) -> list[Pod]:
        gone = []
        while self._ends and self._ends[0][0] <= self._now:
            end, _, uid = heappop(self._ends)
            if uid in self._running and self._running[uid][0] == end:
                _, pod, node = self._running.pop(uid)
                gone.append(pod)
                self._moved(node, -1)
        return gone

    def _bound(self, pod: Pod, node: str) -> None:
        stay = self._by_uid[pod.uid]
        self._started.setdefault(pod.uid, self._now)
        end = float("inf") if stay.duration is None else self._now + stay.duration
        self._running[pod.uid] = end, pod, node
        self._moved(node, 1)
        if stay.duration is not None:
            heappush(self._ends, (end, len(self._ends), pod.uid))

    def _evicted(self, pod: Pod) -> Pod | None:
        if pod.uid not in self._running:
            self._touched.add(pod.spec.node_name or "")
            return None
        *_, node = self._running.pop(pod.uid)
        self._moved(node, -1)
        return anew(pod)

    def _moved(self, node: str, number: int) -> None:
        self._pods_by_node[node] += number
        self._touched.add(node)

    def _note(self) -> None:
        for name in self._touched & self._by_node.keys():
            node = self.queue.cluster.node_info_by_name[name]
            now, before = self._measure.of_node(node, self._pods_by_node[name]), self._by_node[name]
            self._by_node[name] = now
            self._sums = [total + new - old for total, new, old in zip(self._sums, now, before, strict=True)]
        self._touched.clear()
        waiting, running = len(self.queue.waiting), len(self._running)
        self._moments.append(_Moment(self._now, waiting, running, tuple(self._sums)))

    def _outcome(self, configuration: str, seed: int) -> ReplayRun:
        waits = sorted(self._started[uid] - stay.arrival for uid, stay in self._by_uid.items() if uid in self._started)
        moments = self._moments
        whole = self._sample(moments, self._now)
        ran = len(waits)
        return ReplayRun(
            configuration=configuration,
            seed=seed,
            kubernetes_version=self.queue.scheduler.release,
            ran=ran,
            never_ran=len(self._by_uid) - ran,
            evictions=len(self.queue.evicted),
            waited=sum(wait > 0 for wait in waits),
            mean_wait=_rounded(sum(waits) / ran if ran else 0.0),
            median_wait=waits[ran // 2] if ran else 0.0,
            wait95=waits[ran * 95 // 100] if ran else 0.0,
            longest_wait=waits[-1] if ran else 0.0,
            pending=_mean([each.pending for each in moments], moments, self._now),
            most_pending=whole.pending,
            nodes_used=whole.nodes_used,
            most_nodes_used=int(max((each.sums[-1] for each in moments), default=0)),
            used=whole.used,
            fragmented=whole.fragmented,
            ends_at=self._now,
            samples=tuple(self._samples()),
        )

    def _samples(self) -> Iterator[ReplaySample]:
        """The curve from moment to moment; where these are many, in stretches of equal length."""
        moments = self._moments
        times = [moment.time for moment in moments]
        edges = [*times, self._now]
        if len(times) > _MOST_SAMPLES:
            step = (self._now - times[0]) / _MOST_SAMPLES
            edges = [times[0] + step * place for place in range(_MOST_SAMPLES + 1)]
        for start, end in pairwise(edges):
            begin = max(bisect_right(times, start) - 1, 0)
            yield self._sample(moments[begin : max(bisect_left(times, end), begin + 1)], end, start)

    def _sample(self, moments: Sequence[_Moment], end: float, start: float | None = None) -> ReplaySample:
        *used, left, lost, nodes = zip(*(each.sums for each in moments), strict=True)
        offered = self.queue.cluster.fact(Replay, self._offered)
        free = _mean(left, moments, end, start)
        return ReplaySample(
            time=_rounded(moments[0].time if start is None else start),
            pending=max(each.pending for each in moments),
            running=_mean([each.running for each in moments], moments, end, start),
            nodes_used=_mean(nodes, moments, end, start),
            used={
                name: _rounded(_mean(each, moments, end, start) / offered[name])
                for name, each in zip(self._measure.resources, used, strict=True)
                if offered[name]
            },
            fragmented=_rounded(_mean(lost, moments, end, start) / free) if free else 0.0,
        )

    def _offered(self) -> Counter[str]:
        amounts = (node.allocatable.amounts().items() for node in self.queue.cluster.node_infos)
        return counted(chain.from_iterable(amounts))


def _mean(values: Sequence[float], moments: Sequence[_Moment], end: float, start: float | None = None) -> float:
    """The mean over time of what each moment holds until the next."""
    times = [*(each.time for each in moments), end]
    times[0] = max(times[0], times[0] if start is None else start)
    spans = [max(until - since, 0.0) for since, until in pairwise(times)]
    whole = sum(spans)
    weighted = sum(value * span for value, span in zip(values, spans, strict=True))
    return _rounded(weighted / whole if whole else values[-1])


def _rounded(value: float) -> float:
    return round(float(value), 4)
