"""Controllers, API server and scheduler together, until nothing moves any more.

Time stands still: what is deleted is gone at once, and a pod that has a node serves at once, unless it waited for its
volume when that began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from kexplain.cluster.departing import made_again
from kexplain.cluster.listers import waits_for_volume
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.scheduler.pod_copies import anew, returning
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.scheduler.simulate import Settled
from kexplain.world.api_server import ApiServer
from kexplain.world.members import Member, Pods, Refused, Rollout

#: Hostile numbers end here.
_MOST_ROUNDS = 100_000
#: Controllers that move more often before anything is tried undo what each other, or they themselves, have done.
_MOST_MOVES = 500


class Controller(Protocol):
    """What looks after the pods of one workload."""

    def reconcile(self, plane: ControlPlane) -> bool:
        """One step towards what is wanted; whether anything changed."""

    def rollout(self) -> Rollout:
        """How far it got."""


class ControlPlane:
    """A cluster whose controllers act."""

    def __init__(self, queue: Queue, server: ApiServer, listener: Callable[[int], None] | None = None) -> None:
        self.nodes = [info.node for info in queue.cluster.node_infos]
        self._at_first = queue.cluster.listers
        self._listener = listener
        self._landed = 0
        self._queue = queue
        self._server = server
        queue.after_binding = self._has_landed
        queue.after_eviction = self._was_evicted
        #: Each pod as its workload knows it, and the pods of its template.
        self._known_by_uid: dict[str, tuple[Member, Pods]] = {}
        self._controller_of: Callable[[Pod], Controller | None] = lambda _: None
        self._touched: dict[int, Controller] = {}
        #: Those that act of their own accord, and are of no interest until they have done something.
        self._idle: set[int] = set()
        self._has_evicted = False
        self._goes_in_circles = False
        #: Pods on nodes that went as their workload came to an end.
        self.ended: list[Pod] = []

    # ------------------------------------------------------------------------------------------ who takes part

    def watch(self, controller: Controller, home: Pods) -> None:
        """Pods of a controller; what becomes of them is noted on them."""
        for member in home.members:
            self._known_by_uid[member.pod.uid] = member, home
        self._touched[id(controller)] = controller

    def ask(self, controller_of: Callable[[Pod], Controller | None]) -> None:
        """Whom to wake for a pod that lands or leaves: its controller, which watches its pods from then on."""
        self._controller_of = controller_of

    def wake(self, controllers: Iterable[Controller | None]) -> None:
        """Controllers act of their own accord; of those that find nothing to do, nothing is said."""
        touched = {*self._touched}
        for _ in controllers:
            pass
        self._idle |= self._touched.keys() - touched

    # ------------------------------------------------------------------------------------- what controllers do

    def create(
        self,
        home: Pods,
        pod: Pod,
        of: KubernetesObject,
        *,
        claims: Iterable[PersistentVolumeClaim] = (),
        is_new: bool = True,
        slot: str = "",
    ) -> Refused | None:
        """A new pod, which waits for a node from then on; why not, if the API server refuses it or its claims."""
        made = self._server.create(pod, of, claims, self._queue.cluster)
        if isinstance(made.pod, Refused):
            self._queue.enter([], made.objects)
            return made.pod
        member = Member(made.pod, is_new=is_new, slot=slot)
        home.members.append(member)
        self._known_by_uid[made.pod.uid] = member, home
        self._queue.enter([made.pod], made.objects)
        return None

    def create_object(self, obj: KubernetesObject) -> Refused | None:
        """An object that is no pod."""
        refused = self._server.create_object(obj)
        if refused is None:
            self._queue.enter([], [obj])
        return refused

    def delete(self, members: Iterable[Member]) -> None:
        """Pods go, and are gone at once."""
        gone = list(members)
        for member in gone:
            self._forget(member.pod)
            self._release(member.pod)
        self._leave([member.pod for member in gone])

    def evict(self, pods: Sequence[Pod]) -> None:
        """Pods on nodes go, and are gone at once; what comes in their place comes when controllers act."""
        self._leave(pods)
        self.add([again for pod in pods if (again := self._was_evicted(pod)) is not None])

    def end(self, pods: Sequence[Pod]) -> None:
        """Pods on nodes go that have ended, or that nobody makes again, but that a controller may have waited for."""
        self._leave(pods)
        for pod in pods:
            self._controller_of(pod)
            if not pod.is_terminated:
                self._release(pod)

    def _release(self, pod: Pod) -> None:
        self._server.release(pod, self._queue.cluster.listers)

    def _leave(self, pods: Sequence[Pod]) -> None:
        self._queue.leave(pods)
        self._queue.free(pods)

    def rollouts(self) -> tuple[Rollout, ...]:
        """How far each workload got that took part, be it that its pods are refused for another reason."""
        every, refused_next = ((key, each.rollout()) for key, each in self._touched.items()), self._server.refused_next
        return tuple(
            each for key, each in every if key not in self._idle or not refused_next.isdisjoint(map(str, each.refusals))
        )

    # -------------------------------------------------------------------------------------------------- the loop

    def add(self, pods: Iterable[Pod]) -> None:
        """Pods that wait for a node already."""
        self._queue.enter(pods)

    def make_again(self, pod: Pod) -> Pod:
        """What comes in place of a pod whose controller is not known, and waits for a node from then on."""
        again, claims = made_again(anew(pod), f"{pod.uid}-again", self._queue.cluster.listers)
        self._server.take(again, *claims)
        self._queue.enter([again], claims)
        return again

    def gone(self, pods: Sequence[Pod], nodes: Sequence[Node]) -> None:
        """Pods that were deleted have left, and nodes are as they are from now on."""
        self._queue.gone(pods, nodes)
        self._queue.free(pods)

    def run(self) -> Settled:
        """What stands when nothing moves any more."""
        self.go_on()
        return Settled.of(self._queue, self._queue.take_attempts())

    def go_on(self) -> None:
        """Act until nothing moves any more."""
        for _ in range(_MOST_ROUNDS):
            self._reconcile()
            if self._goes_in_circles or not self._queue.step():
                break
            going = True
            while going and not self._goes_in_circles:
                # What is evicted on the way is made again before the next pod is tried.
                if self._has_evicted:
                    self._has_evicted = False
                    self._reconcile()
                going = self._queue.step()

    def _reconcile(self) -> None:
        """Controllers act as long as one moves; those whose pods were refused before wait longer, and come last."""
        for _ in range(_MOST_MOVES):
            last = [key for key in self._touched if key in self._idle]
            if not (self._act([key for key in self._touched if key not in self._idle]) or self._act(last)):
                return
        self._goes_in_circles = True

    def _act(self, keys: Iterable[int]) -> bool:
        moved = [key for key in keys if self._touched[key].reconcile(self)]
        self._idle.difference_update(moved)
        return bool(moved)

    def _has_landed(self, pod: Pod, node_name: str) -> None:
        self._landed += 1
        if self._listener is not None:
            self._listener(self._landed)
        if known := self._known(pod):
            member, _ = known
            member.pod, member.node = pod, node_name
            member.is_ready = not waits_for_volume(pod, self._at_first)

    def _was_evicted(self, pod: Pod) -> Pod | None:
        """Its controller makes another; where that is not known, the same comes back if it has one at all."""
        self._queue.free([pod])
        known = self._known(pod)
        if known is None:
            # A controller that is known does not count who is being deleted, and has made another one.
            is_replaced = pod.metadata.deletion_timestamp and self._controller_of(pod)
            return None if is_replaced else returning(pod)
        member, home = known
        home.lose(member)
        self._forget(pod)
        self._release(pod)
        self._has_evicted = True
        return None

    def _known(self, pod: Pod) -> tuple[Member, Pods] | None:
        if pod.uid not in self._known_by_uid:
            self._controller_of(pod)
        return self._known_by_uid.get(pod.uid)

    def _forget(self, pod: Pod) -> None:
        if known := self._known_by_uid.pop(pod.uid, None):
            member, home = known
            home.members.remove(member)
