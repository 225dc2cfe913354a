"""The pods that somebody asks about: each is made when its controller makes it, and tried until nothing moves."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import is_from_cluster
from kexplain.case.case import Case
from kexplain.case.case_builder import CaseBuilder
from kexplain.case.records import NotCreated
from kexplain.objects.apps import StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.problem import Problem
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.scheduler.simulate import Settled
from kexplain.world.api_server import ApiServer
from kexplain.world.control_plane import Controller, ControlPlane
from kexplain.world.controllers import Controllers, Workloads
from kexplain.world.members import Refused, Rollout
from kexplain.world.replica_sets import Replicas, ReplicasController
from kexplain.world.stateful_sets import StatefulSetController


class Ended(Struct, frozen=True):
    """The end, and how far the new workloads got of which several pods were asked for."""

    settled: Settled
    rollouts: tuple[Rollout, ...]


def ask(case: Case, builder: CaseBuilder, scheduler: Scheduler, start_index: int = 0, *, evicts: bool) -> Ended:
    """What becomes of the case's pods. Unless it `evicts`, whoever would preempt is nominated only.

    What is evicted is made again by its controller, as far as that is known.
    """
    makers = _by_maker(case)
    made_here = {pod.uid for _, pods in makers.values() for pod in pods}
    shown = {each.shown for each in case.not_created}
    known = [each.pod for each in case.pods if each.pod.uid not in made_here | shown]
    refused = {id(each.made_of): _refused(each) for each in case.not_created}
    missing = {id(each.made_of): each.missing for each in case.not_created}
    server = ApiServer(builder, (pod for _, pods in makers.values() for pod in pods), lambda of: refused.get(id(of)))
    plane = ControlPlane(Queue(scheduler, case.cluster, start_index, evicts=evicts), server)
    if evicts:
        Controllers(Workloads(builder, [*case.cluster.pods, *known]), plane)
    made = [_controller(obj, pods, len(pods) + missing.get(id(obj), 0), plane) for obj, pods in makers.values()]
    plane.add(known)
    # What is not created takes no room from what is.
    plane.go_on()
    plane.add(each.pod for each in case.pods if each.pod.uid in shown)
    return Ended(plane.run(), tuple(each.rollout() for each in made))


def _refused(missing: NotCreated) -> Refused:
    """What is said to the controller that would make these pods."""
    return Refused(tuple(Problem(("spec",), fault.message) for fault in missing.faults))


def _by_maker(case: Case) -> dict[int, tuple[KubernetesObject, list[Pod]]]:
    """The new pods by what makes them, but for those that are only shown, as an API server refuses them."""
    shown = {each.shown for each in case.not_created}
    makers: dict[int, tuple[KubernetesObject, list[Pod]]] = {}
    for each in case.pods:
        obj = each.made_of
        is_known = obj is None or (isinstance(obj, Pod) and is_from_cluster(obj))
        if obj is not None and not is_known and each.pod.uid not in shown:
            makers.setdefault(id(obj), (obj, []))[1].append(each.pod)
    return makers


def _controller(obj: KubernetesObject, pods: Sequence[Pod], wanted: int, plane: ControlPlane) -> Controller:
    """What makes these pods, in their order, and would make more that are refused."""
    if isinstance(obj, StatefulSet):

        def make(ordinal: int, _: bool) -> tuple[Pod, tuple[PersistentVolumeClaim, ...]]:
            return _nth(pods, ordinal - obj.start, f"{obj.name}-{ordinal}"), ()

        stateful_set = StatefulSetController(obj, wanted, make)
        plane.watch(stateful_set, stateful_set.pods)
        return stateful_set
    name = obj.name or pods[0].name
    made = Replicas(name, wanted, lambda n: _nth(pods, n, f"{name}-{n}"), obj, is_controlled=not isinstance(obj, Pod))
    controller = ReplicasController((obj.kind, pods[0].namespace, name), made)
    plane.watch(controller, made.pods)
    return controller


def _nth(pods: Sequence[Pod], number: int, name: str) -> Pod:
    """The pod of that number; one more than there are is like the first, by that name."""
    return pods[number] if number < len(pods) else replace(pods[0], metadata=replace(pods[0].metadata, name=name))
