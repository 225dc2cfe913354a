"""Nodes drained: who is evicted, what controllers make in place of that, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.case_builder import CaseBuilder
from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.events import FAILED_KILL, Event
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import BY_DEFAULT, DrainOptions, EvictionBudgets, Fate, cordoned_in, verdict
from kexplain.scheduler.scheduling_queue import Attempt, Queue
from kexplain.world.api_server import ApiServer, StandingRefusals
from kexplain.world.control_plane import ControlPlane
from kexplain.world.controllers import Controllers, Workloads
from kexplain.world.jobs import JOB_FAILS
from kexplain.world.members import UNWANTED


class Leaver(Struct, frozen=True):
    """A pod of a drained node, or one that goes because of such a pod, and what becomes of it.

    `decision` is the last one about the pod that is made in its place. `round` counts from 1: evictions that a budget
    held up come later, once enough of the earlier ones run again. `held_up_by` are the keys of these budgets.
    """

    pod: Pod
    node_name: str
    fate: Fate
    reason: str = ""
    decision: Decision | None = None
    round: int = 1
    held_up_by: tuple[str, ...] = ()
    preempted_by: str = ""


class Drain:
    """A drain in progress, step by step."""

    def __init__(
        self,
        builder: CaseBuilder,
        scheduler: Scheduler,
        cluster: Cluster,
        options: DrainOptions = BY_DEFAULT,
        *,
        start_index: int = 0,
        pending: Collection[Pod] = (),
        tries_pending: bool = False,
        listener: Callable[[int], None] | None = None,
        workloads: Workloads | None = None,
    ) -> None:
        """`pending` pods count for their controllers, and are tried, before anybody leaves, only if that is asked for.

        Those of them for which a node keeps room, as their volume is made there, wait again once it is drained. The
        listener hears of how many leavers it is known what becomes of them. `workloads` are those of the cluster, if
        they are known.
        """
        placed = cluster.placed_pods.named
        self._awaited = {each.key for each in pending if placed(each.namespace, each.name)}
        pending = [each for each in pending if each.key not in self._awaited]
        self._queue = Queue(scheduler, cluster.awaiting(pending), start_index)
        self._plane = ControlPlane(self._queue, ApiServer(builder, refused=StandingRefusals(builder.contents).of))
        if tries_pending:
            self._plane.add(pending)
        self._controllers = Controllers(workloads or Workloads(builder, [*cluster.pods, *pending]), self._plane)
        self._options = options
        self._budgets = EvictionBudgets(None if options.disable_eviction else cluster)
        self._listener = listener
        self._known = 0
        #: What kubelets say of pods that they cannot stop, by namespace and name.
        events = (each for each in builder.contents.objects if isinstance(each, Event) and each.reason == FAILED_KILL)
        self._not_stopped = {(each.namespace, each.subject.name): each.text for each in events}

    @property
    def cluster(self) -> Cluster:
        """The cluster as it stands between two steps."""
        return self._queue.cluster

    def go_on_in(self, cluster: Cluster) -> None:
        """Nodes have come or gone, or take pods again, which those may use that wait."""
        self._queue.cluster = cluster
        self._plane.gone([], [cluster.node_infos[0].node])

    def step(self, node_names: Sequence[str]) -> list[Leaver]:
        """Cordon the nodes, then empty one after the other; whatever leaves is made again by its controller.

        Where a pod makes `kubectl drain` refuse a node, that pod stays and the others leave, as if the node were
        drained around it.
        """
        self._plane.go_on()
        self._queue.take_attempts()
        self._queue.cluster = cordoned_in(self.cluster, node_names)
        step = _Step()
        for name in node_names:
            self._empty(name, step)
            if self._listener:
                self._listener(self._known + len(step.leavers))
        self._known += len(step.leavers)
        there = {*self._queue.placed, *(each.pod.key for each in self._queue.waiting)}
        last = {key: decision for key, decision in step.last.items() if key in there}
        return [self._with_end(leaver, last.get(leaver.pod.key)) for leaver in step.leavers]

    def _empty(self, node_name: str, step: _Step) -> None:
        """Evict in the order of the pods all that budgets allow, and go on while that helps."""
        waiting: list[Leaver] = []
        for pod_info in self.cluster.node_info_by_name[node_name].pods:
            leaving = self._leaver(pod_info.pod, node_name)
            (waiting if leaving.fate in (Fate.EVICTED, Fate.GONE, Fate.ENDED) else step.leavers).append(leaving)
        while waiting:
            held_up = self._evict(waiting, step)
            if len(held_up) == len(waiting):
                step.leavers += [replace(each, fate=Fate.BLOCKED) for each in held_up]
                return
            waiting = [replace(each, round=each.round + 1) for each in held_up]

    def _leaver(self, pod: Pod, node_name: str) -> Leaver:
        """What `kubectl drain` does with a pod, budgets aside; it waits for one that is being deleted already."""
        if pod.key in self._awaited:
            return Leaver(pod, node_name, Fate.EVICTED)
        said = self._not_stopped.get((pod.namespace, pod.name), "")
        if said and pod.metadata.deletion_timestamp and not pod.is_terminated:
            waits = "its kubelet cannot stop it, so kubectl drain waits forever"
            return Leaver(pod, node_name, Fate.BLOCKED, f"it is being deleted, and {waits}: {said}")
        return Leaver(pod, node_name, *verdict(pod, self.cluster, self._options))

    def _evict(self, waiting: Sequence[Leaver], step: _Step) -> list[Leaver]:
        """Let those go that may, until nothing moves; those that may not are left over, with what holds them up."""
        going: list[Leaver] = []
        held_up: list[Leaver] = []
        for leaving in waiting:
            objection = self._budgets.evict(leaving.pod)
            if objection is None:
                going.append(leaving)
            else:
                reason, keys = objection
                every = tuple(dict.fromkeys((*leaving.held_up_by, *keys)))
                held_up.append(replace(leaving, reason=reason, held_up_by=every))
        self._let_go(going)
        for key in step.took_place(going, self._queue.take_attempts()):
            self._budgets.runs_again(key)
        known = {leaver.pod.key for leaver in step.leavers}
        ended = {pod.key: pod for pod in self._plane.ended if pod.key not in known}
        self._plane.ended.clear()
        round_ = waiting[0].round
        step.leavers += (
            Leaver(pod, pod.spec.node_name or "", Fate.NOT_CREATED, JOB_FAILS, round=round_) for pod in ended.values()
        )
        return [each for each in held_up if each.pod.key not in ended]

    def _let_go(self, going: Sequence[Leaver]) -> None:
        """All of these leave at once, and what comes in their place is placed."""
        self._plane.end([leaving.pod for leaving in going if leaving.fate is not Fate.EVICTED])
        self._plane.evict([leaving.pod for leaving in going if leaving.fate is Fate.EVICTED])
        bare = (leaving.pod for leaving in going if leaving.pod.metadata.controller is None)
        self._plane.add(pod for pod in bare if pod.key in self._awaited)
        self._plane.go_on()

    def _with_end(self, leaver: Leaver, decision: Decision | None) -> Leaver:
        """With the last decision about what came in its place; else why nothing came."""
        if decision is not None or leaver.fate not in (Fate.EVICTED, Fate.PREEMPTED):
            return replace(leaver, decision=decision)
        controller = self._controllers.of_pod(leaver.pod)
        rollout = controller.rollout() if controller else None
        fate = Fate.NOT_CREATED if rollout and rollout.is_lacking else Fate.GONE
        return replace(leaver, fate=fate, reason=rollout.why_not_again if rollout else UNWANTED)


class _Step(Struct, eq=False):
    """Those who leave in a step, and what was last decided about what comes in their place, by `namespace/name`."""

    leavers: list[Leaver] = msgspec.field(default_factory=list)
    last: dict[str, Decision] = msgspec.field(default_factory=dict)

    def took_place(self, going: Iterable[Leaver], attempts: Sequence[Attempt]) -> list[str]:
        """Note a round, those whose place was sought first in front; the keys of those that landed."""
        round_ = list(going)
        known = {leaver.pod.key for leaver in (*self.leavers, *round_)}
        for attempt in attempts:
            decision = attempt.decision
            for victim in attempt.evicted:
                if victim.key not in known:
                    known.add(victim.key)
                    round_.append(_preempted(victim, decision, round_[0].round))
        tried = {attempt.decision.pod.key: place for place, attempt in enumerate(attempts)}
        self.leavers += sorted(round_, key=lambda leaver: tried.get(leaver.pod.key, -1))
        self.last |= {attempt.decision.pod.key: attempt.decision for attempt in attempts}
        return [attempt.decision.pod.key for attempt in attempts if attempt.decision.host]


def _preempted(victim: Pod, decision: Decision, round_: int) -> Leaver:
    fate = Fate.GONE if victim.metadata.controller is None else Fate.PREEMPTED
    by = decision.pod.key
    return Leaver(victim, decision.nominated_node, fate, f"preempted by {by}", round=round_, preempted_by=by)
