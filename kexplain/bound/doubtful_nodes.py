"""Nodes that take pods and may not start them, as their status, their pods and events say."""

import math
from collections.abc import Iterator, Sequence
from itertools import chain

from kexplain.bound.pod_on_node import short_reason
from kexplain.bound.starting import not_started
from kexplain.bound.stopped import all_stopped
from kexplain.cluster import Cluster, NodeInfo
from kexplain.diagnosis.caretakers import Subject, caretaker
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.records import Kind
from kexplain.diagnosis.reported import bad_conditions
from kexplain.objects.core import Pod
from kexplain.objects.events import NODE_REASONS, Event
from kexplain.objects.node_pools import created
from kexplain.objects.node_service import Trouble, out_of_service
from kexplain.plugins.victims import seconds

#: For so many seconds a pod may wait for its containers, a node be ready again, and an event say how a node is.
_SLOW, _AGAIN, _SAID = 300, 600, 3600
#: What a container waits for that nothing is known to keep.
_COMING = ("ContainerCreating", "")


class DoubtfulNodes:
    """The nodes of a cluster on which pods may not start, by its events as well; each is looked at once."""

    def __init__(self, cluster: Cluster, events: Sequence[Event]) -> None:
        self._cluster, self._events, self._known = cluster, events, dict[str, str]()
        times = [seconds(each) for each in (*map(_start, cluster.pods), *(event.last_seen for event in events))]
        self._newest = max((each for each in times if each < math.inf), default=math.inf)

    def doubt(self, name: str) -> str:
        """Why, as a clause behind its name; empty where nothing is known, as of a node that is not there yet."""
        info = self._cluster.node_info_by_name.get(name)
        if info and name not in self._known:
            # What says most comes first.
            judges = (self._out_of_service, self._none_starts, self._without_network)
            weaker = (self._reported, self._ready_again, self._said)
            self._known[name] = str(next(chain.from_iterable(judge(info) for judge in (*judges, *weaker)), ""))
        return self._known.get(name, "")

    def _is_within(self, time: str, most: int) -> bool:
        return self._newest - most <= seconds(time) < math.inf

    def _out_of_service(self, info: NodeInfo) -> Iterator[Statement]:
        """What ails it, which no taint says yet, or which the pods that land there tolerate."""
        service = out_of_service(info.node)
        trouble = service.troubles[0] if service else Trouble.CORDONED
        ready = info.node.status.ready
        since = "" if ready.status == "True" else ready.last_transition_time or ""
        if trouble is not Trouble.CORDONED:
            yield told("lands-where/out-of-service", trouble.value, since)

    def _none_starts(self, info: NodeInfo) -> Iterator[Statement]:
        """Pods wait there for their containers, for nothing of their own, and none has started since they came."""
        placed = [each.pod for each in info.pods]
        last = max((_start(each) for each in placed if each.status.phase == "Running"), default="")
        coming = [each for each in placed if _start(each) > last and _is_coming(each)]
        held = dict(all_stopped(coming, self._cluster, self._events))
        by_node = [pod for pod, each in held.items() if each.kind is Kind.SANDBOX_FAILED]
        waiting = sorted((*by_node, *(each for each in coming if each not in held)), key=_start)
        if by_node or (waiting and not self._is_within(_start(waiting[0]), _SLOW)):
            why = held[by_node[0]].hold.text if by_node else ""
            yield told("lands-where/none-starts", _start(waiting[0]), len(waiting), why)

    def _without_network(self, info: NodeInfo) -> Iterator[Statement]:
        """What sets up the network of pods fails there."""
        who = caretaker(Subject.NETWORK, "network")
        for pod in (each.pod for each in info.pods):
            owner = pod.metadata.controller
            is_agent = who and owner and owner.kind == "DaemonSet" and who.is_called(owner.name or "")
            if is_agent and (held := not_started(pod, (), self._cluster)):
                yield told("lands-where/network-fails", pod.key, held.hold.reason)

    def _reported(self, info: NodeInfo) -> Iterator[Statement]:
        """Conditions that agents on nodes report."""
        for each in bad_conditions(info.node):
            yield told("lands-where/reported", each.type, each.last_transition_time, short_reason(each.message or ""))

    def _ready_again(self, info: NodeInfo) -> Iterator[Statement]:
        since = info.node.status.ready.last_transition_time or ""
        is_new = seconds(since) - seconds(created(info.node)) <= _AGAIN
        if info.node.status.ready.status == "True" and self._is_within(since, _AGAIN) and not is_new:
            yield told("lands-where/ready-again", since)

    def _said(self, info: NodeInfo) -> Iterator[Statement]:
        """The newest event of its kubelet, or the node controller, that tells of no good."""
        about = [each for each in self._events if (each.subject.kind, each.subject.name) == ("Node", info.name)]
        bad = [each for each in about if each.reason in NODE_REASONS]
        newest = max(bad, key=lambda each: each.last_seen, default=None)
        if newest and self._is_within(newest.last_seen, _SAID):
            yield told("lands-where/said", newest.reason, newest.last_seen, short_reason(newest.text))


def _start(pod: Pod) -> str:
    return pod.status.start_time or ""


def _is_coming(pod: Pod) -> bool:
    statuses = (*(pod.status.init_container_statuses or ()), *(pod.status.container_statuses or ()))
    states = [each.state for each in statuses if each.state is not None]
    is_first = all(each.terminated is None and each.waiting and each.waiting.reason in _COMING for each in states)
    return pod.status.phase == "Pending" and pod.metadata.deletion_timestamp is None and is_first
