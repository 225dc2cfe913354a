"""How many more pods of a stateful set fit: it grows by one at a time, as its controller makes them."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from kexplain.admission.workloads import stateful_pods
from kexplain.bounds import MAX_COPIES
from kexplain.case.case_builder import CaseBuilder
from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.apps import StatefulSet
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.replica_capacity import Filled, Placement, Replica
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.world.api_server import ApiServer
from kexplain.world.control_plane import ControlPlane
from kexplain.world.members import Member, Pods
from kexplain.world.replicas import ordinals_on_nodes
from kexplain.world.stateful_sets import StatefulSetController


class Growing(Struct, frozen=True):
    """How stateful sets are to grow."""

    builder: CaseBuilder
    scheduler: Scheduler
    start_index: int = 0
    listener: Callable[[int], None] | None = None

    def filled(self, stateful_set: StatefulSet, cluster: Cluster, limit: int) -> Filled:
        """The pods that fit beside those that it has in the cluster, up to a limit.

        It ends where a pod does not fit, or is not created, and all that could follow would fare alike: a pod that
        finds its claim may have to go elsewhere than one that brings a new one.
        """
        growth = _Growth(self, stateful_set, cluster)
        number, was_stuck = 0, False
        while number < limit:
            number += 1
            was_stuck |= bool(growth.stuck)
            growth.go_on()
            if self.listener is not None:
                self.listener(len(growth.landed))
            if growth.is_over:
                break
        if was_stuck:
            # One that was stuck lets others go first only where these are there already.
            growth = _Growth(self, stateful_set, cluster)
            growth.go_on(limit if limit <= MAX_COPIES else number)
        refused = growth.controller.refused
        return Filled(
            tuple(Placement(Replica(member.pod, 0), member.node) for member in growth.landed),
            growth.queue.cluster,
            growth.failed if refused is None and growth.stuck else None,
            refused=str(refused or ""),
            evicted=tuple(growth.queue.evicted),
        )


class _Growth:
    """A stateful set that grows."""

    def __init__(self, growing: Growing, stateful_set: StatefulSet, cluster: Cluster) -> None:
        there = ordinals_on_nodes(stateful_set, stateful_set.namespace, cluster)
        self._there = [Member(pod, node=node, is_ready=True, slot=str(ordinal)) for ordinal, pod, node in there]
        self._finds = frozenset(_claimed(stateful_set, cluster))
        self.queue = Queue(growing.scheduler, cluster, growing.start_index)
        self._plane = ControlPlane(self.queue, ApiServer(growing.builder))
        make = stateful_pods(stateful_set)
        wanted = max((int(member.slot) - stateful_set.start + 1 for member in self._there), default=0)
        pods = Pods([*self._there])
        self.controller = StatefulSetController(stateful_set, wanted, lambda ordinal, _: make(ordinal), pods)
        self._plane.watch(self.controller, self.controller.pods)
        #: What was last decided about a pod that does not fit.
        self.failed: Decision | None = None

    def go_on(self, more: int = 1) -> None:
        """So many more are wanted, until nothing moves any more."""
        self.controller.wanted += more
        self._plane.go_on()
        for attempt in self.queue.take_attempts():
            if not attempt.decision.host and not attempt.evicted:
                self.failed = attempt.decision

    @property
    def landed(self) -> list[Member]:
        """The new pods that have a node."""
        return [member for member in self.controller.pods.members if member.node and member not in self._there]

    @property
    def stuck(self) -> list[int]:
        """The ordinals of those that have none."""
        return [int(member.slot) for member in self.controller.pods.members if not member.node]

    @property
    def is_over(self) -> bool:
        """Whether no further pod can fare better."""
        stuck = self.stuck
        if self.controller.refused is not None or (stuck and self.controller.stateful_set.is_ordered):
            return True
        latest = max((int(member.slot) for member in self.controller.pods.members), default=-1)
        return any(ordinal not in self._finds for ordinal in stuck) and all(each <= latest for each in self._finds)


def _claimed(stateful_set: StatefulSet, cluster: Cluster) -> Iterator[int]:
    """The ordinals whose claims are there."""
    stems = [f"{each.metadata.name}-{stateful_set.name}-" for each in stateful_set.spec.volume_claim_templates or ()]
    for claim in cluster.listers.every(PersistentVolumeClaim) if stems else ():
        for stem in stems:
            ordinal = claim.name.removeprefix(stem)
            if claim.namespace == stateful_set.namespace and ordinal != claim.name and ordinal.isdecimal():
                yield int(ordinal)
