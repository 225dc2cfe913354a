"""How many more pods fit, where, and what stops the next one."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.case.case_builder import CaseBuilder
from kexplain.case.creation import PodCreation
from kexplain.case.immediate_binding import bound_in
from kexplain.case.own_pods import Key, above, read_controller
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.records import Finding
from kexplain.explain import causes_of
from kexplain.explain.output import Output
from kexplain.explain.records import Cause, Document
from kexplain.grouping import counted
from kexplain.objects.apps import StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject, OwnerReference
from kexplain.objects.node_pools import comes_along, pool_names
from kexplain.objects.pod_selection import EVERY_POD, PodSelection
from kexplain.report.cluster_figures import ClusterFigures
from kexplain.report.free_room import Room
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.pod_copies import anew
from kexplain.scheduler.replica_capacity import Claims, Filled, fill, replicas_of
from kexplain.world.growing import Growing


class StoppedBy(Output, frozen=True):
    """The verdict on the first pod that does not fit: the text of its event, the causes, and what is wrong."""

    message: str
    causes: tuple[Cause, ...] = ()
    diagnosis: Finding | None = None


class PodCapacity(Output, frozen=True):
    """How many more of a pod fit, up to the limit if there is one, by node and by pool.

    `stopped_by` is null where the limit ended it, and in a mix for all pods but the one that did not fit. `made_of` is
    the workload whose template it follows, as `namespace/kind/name`; empty for a pod by itself. `workload`
    is the controller of running pods that the pod is one of, and `running` how many of them there are.
    """

    pod: str
    fits: int
    limit: int | None
    by_node: dict[str, int]
    by_pool: dict[str, int]
    stopped_by: StoppedBy | None
    #: Pods that would have to leave, where replicas may preempt.
    evicted: tuple[str, ...] = ()
    workload: str = ""
    running: int = 0
    made_of: str = ""
    #: How many its manifest declares, where it has no pods yet; null where that is not known.
    declared: int | None = None


class CapacityReport(Document, frozen=True, kw_only=True):
    """The capacity for each pod asked about, or for every workload of the cluster, the tightest first.

    `room` is what the cluster has left, where no pod was named. Of a `mix`, pods were placed in turn, so many of each.
    """

    kind: str = "CapacityReport"
    kubernetes_version: str
    pods: tuple[PodCapacity, ...]
    room: tuple[Room, ...] = ()
    mix: tuple[int, ...] = ()
    #: Whether replicas may evict pods of lower priority.
    preempts: bool = False
    #: How many pods have no node as it is; none of them is placed first.
    pending: int = 0
    #: The cluster as it is, if asked for.
    figures: ClusterFigures | None = None
    #: What is taken for granted, as the input does not say it.
    rests_on: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


#: Of one pod no more are placed, unless a limit asks for more: a node may promise room for millions.
MOST = 20_000


class Filling(Struct, frozen=True):
    """How to fill a cluster; `claims` makes what each replica has for itself.

    A scheduler without plugins after the filters evicts nobody.
    """

    scheduler: Scheduler
    cluster: Cluster
    limit: int | None = None
    start_index: int = 0
    claims: Claims = msgspec.field(default=lambda pod, _: (pod, ()))
    #: Hears how many replicas have a place.
    listener: Callable[[int], None] | None = None
    #: What each of the pods asked about is made of, and what knows whether an API server takes it.
    makers: tuple[KubernetesObject | None, ...] = ()
    builder: CaseBuilder | None = None
    #: How many are counted without a limit.
    most: int = MOST

    def each(self, pods: Sequence[Pod], places: Iterable[int] | None = None) -> Iterator[PodCapacity]:
        """The capacity for each pod by itself, or for those at these places only."""
        for place in range(len(pods)) if places is None else places:
            makers = (self.makers[place],) if self.makers else ()
            # Alone, each is the first of one.
            yield replace(self, claims=partial(_claims_at, self.claims, place), makers=makers).alone(pods[place])

    def alone(self, pod: Pod) -> PodCapacity:
        """The capacity for the one pod that is asked about."""
        maker = self.makers[0] if self.makers else None
        if not isinstance(maker, StatefulSet) or self.builder is None:
            return self.mix([pod], (1,))[0]
        # The claims that are made for the first pod are in the cluster, also where none of them is created.
        claims = self.builder.claims_of(PodToPlace(pod))
        if claims and (refused := PodCreation(self.builder).refusal(pod, claims)):
            filled = Filled((), self.cluster, None, refused=refused)
        else:
            growing = Growing(self.builder, self.scheduler, self.start_index, self.listener)
            filled = growing.filled(maker.in_namespace(pod.namespace), self.cluster, self.limit or self.most)
        return self._capacity(pod, 0, filled, _stopped_by(filled))

    def mix(self, pods: Sequence[Pod], proportions: Sequence[int]) -> list[PodCapacity]:
        """The capacity for all pods together, so many of each in turn, until one does not fit."""
        replicas = replicas_of(pods, proportions, self.claims)
        limit = (self.limit or self.most) * sum(proportions)
        refusal = PodCreation(self.builder).refusal if self.builder is not None else lambda *_: ""
        filled = fill(
            self.scheduler, self.cluster, islice(replicas, limit), self.start_index, self.listener, refusal, bound_in
        )
        stopped = {filled.stopped_at: _stopped_by(filled)}
        return [self._capacity(pod, of, filled, stopped.get(of)) for of, pod in enumerate(pods)]

    def _capacity(self, pod: Pod, of: int, filled: Filled, stopped_by: StoppedBy | None) -> PodCapacity:
        by_node = filled.by_node(of)
        names = self.cluster.fact(pool_names, lambda: pool_names(info.node for info in self.cluster.node_infos))
        return PodCapacity(
            pod=pod.key,
            fits=sum(by_node.values()),
            limit=self.limit or (self.most if filled.stopped_by is None and not filled.refused else None),
            by_node=dict(by_node),
            by_pool=dict(counted((names[name], count) for name, count in by_node.items())),
            stopped_by=stopped_by,
            evicted=tuple(pod.key for pod in filled.evicted),
            made_of=_made_of(pod, self.makers[of]) if self.makers else "",
            declared=self._declared(of),
        )

    def _declared(self, of: int) -> int | None:
        """How many pods a new workload is to have."""
        maker = self.makers[of] if self.makers else None
        is_new = maker and self.builder and not (maker.is_stored or self.builder.has_pods(maker))
        return declared_replicas(maker) if maker and is_new else None


def _made_of(pod: Pod, by: KubernetesObject | None) -> str:
    return "" if by is None or isinstance(by, Pod) or not by.name else f"{pod.namespace}/{by.kind}/{by.name}"


def _claims_at(claims: Claims, place: int, pod: Pod, _of: int) -> tuple[Pod, tuple[KubernetesObject, ...]]:
    return claims(pod, place)


def _stopped_by(filled: Filled) -> StoppedBy | None:
    if filled.refused:
        return StoppedBy(message=f"an API server refuses the next one: {filled.refused}")
    if filled.stopped_by is None:
        return None
    found = diagnose(filled.stopped_by)
    diagnosis = found.diagnosis if found else None
    return StoppedBy(message=filled.stopped_by.message, causes=causes_of(filled.stopped_by), diagnosis=diagnosis)


class RunningWorkload(Struct, frozen=True):
    """Pods of one controller, and one of them as it would be made again; `stateful_set` is what makes their claims."""

    name: str
    pod: Pod
    running: int
    stateful_set: StatefulSet | None = None


def running_workloads(cluster: Cluster, selection: PodSelection = EVERY_POD) -> list[RunningWorkload]:
    """What made the pods that run, in their order; pods that come with their node have nothing that counts.

    With a selection, of its pods only.

    The pod is the newest one: that is how the next one will be.
    """
    pods_by_maker: dict[Key, list[Pod]] = {}
    makers: dict[tuple[str, OwnerReference], Key] = {}
    for node_info in cluster.node_infos:
        for pod_info in node_info.pods:
            pod, owner = pod_info.pod, pod_info.pod.metadata.controller
            if owner is not None and not comes_along(pod) and selection.matches(pod):
                maker = makers.get((pod.namespace, owner))
                if maker is None:
                    *_, maker = above(pod, pod.namespace, partial(read_controller, cluster.listers))
                    makers[pod.namespace, owner] = maker
                pods_by_maker.setdefault(maker, []).append(pod)
    return [
        RunningWorkload(
            f"{namespace}/{kind}/{name}",
            anew(max(pods, key=lambda pod: pod.metadata.creation_timestamp or "")),
            len(pods),
            cluster.listers.get(StatefulSet, name, namespace) if kind == StatefulSet.__name__ else None,
        )
        for (kind, namespace, name), pods in pods_by_maker.items()
    ]


def largest(workloads: Sequence[RunningWorkload], cluster: Cluster, count: int) -> Sequence[RunningWorkload]:
    """So many workloads, those whose pods request the largest share of any node's resources, in their order."""
    if len(workloads) <= count:
        return workloads
    most: Counter[str] = Counter()
    for info in cluster.node_infos:
        most |= Counter(info.allocatable.amounts())

    def share(workload: RunningWorkload) -> float:
        requests = cluster.pod_info(workload.pod).resource.requested.amounts()
        return max((amount / most[name] for name, amount in requests.items() if most[name]), default=0.0)

    chosen = set(heapq.nlargest(count, range(len(workloads)), key=lambda place: share(workloads[place])))
    return [workload for place, workload in enumerate(workloads) if place in chosen]


def headroom(workloads: Sequence[RunningWorkload], capacities: Iterable[PodCapacity]) -> Iterator[PodCapacity]:
    """The capacities of these workloads' pods as what each workload can grow by."""
    for workload, capacity in zip(workloads, capacities, strict=True):
        yield structs.replace(capacity, workload=workload.name, running=workload.running)
