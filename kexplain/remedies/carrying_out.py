"""Changes carried out: what API server, controllers and scheduler make of them, until nothing moves any more."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.case.case_builder import Contents
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import are_siblings, placed_siblings
from kexplain.load import Loaded
from kexplain.objects.apps import DaemonSet
from kexplain.objects.changes import Change, Target
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.selectors import EVERYTHING
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.remedies.steps import cordons
from kexplain.scheduler.cycle import Scheduler
from kexplain.world.members import Rollout
from kexplain.world.world import Followed, World

#: So many pods of a workload are followed to the end, and more where few nodes are looked at for all of them.
MOST_PODS, NODES_LOOKED_AT = 40, 10_000
#: With more pods than these, only those are thought of that share a namespace with the pods in question.
MOST_AROUND = 2_000
#: The kinds of objects whose changes are followed.
_FOLLOWED = {"Pod", *WORKLOAD_KIND_BY_NAME}


class CarriedOut(Struct, frozen=True):
    """How many of the pods in question have a node in the end, and where the first of them is.

    `places` are the nodes of pods that had to leave, by `namespace/name`; empty for those that find none. For
    theirs, the scheduler has `evicted` so many others. `evicts` is whether any make room for themselves but those for
    which it is kept.
    """

    serves: int
    host: str
    places: dict[str, str]
    evicted: int = 0
    evicts: bool = False


def carry_out(
    changes: Sequence[Change], pods: Sequence[Pod], gone: Sequence[Pod], cluster: Cluster, scheduler: Scheduler
) -> CarriedOut | None:
    """What comes of the changes for these pods without a node, once those that are `gone` have left theirs.

    `cluster` is as it is then, of changes to other objects than workloads and pods. None where that is not followed.
    """
    own, others = [each for each in changes if each.target.kind in _FOLLOWED], _nominated(cluster, pods)
    targets = [each.target for each in own if each.target.kind != "Pod"]
    world = _world(cluster, scheduler, [*pods, *gone], others)
    most = max(MOST_PODS, NODES_LOOKED_AT // max(len(cluster.node_infos), 1))
    named = _named(targets, world.contents.objects)
    if len(pods) > most or any(_count(each, cluster) > most for each in named):
        return None
    cordoned = {each.target.name for each in changes if cordons(each)}
    followed = world.after([*own, lambda after: after.keep_cordoned(cordoned)]).settled()
    running = [node.name for _, node in placed_siblings(pods[0], cluster)]
    done = _carried_out(followed, _changed(followed, targets), pods, gone, running)
    return replace(done, evicts=_evicts(followed, {pod.uid for pod in others}))


def _world(cluster: Cluster, scheduler: Scheduler, pods: Sequence[Pod], others: Iterable[Pod]) -> World:
    """The world around pods that wait, or have left, beside others; in large clusters only that of their namespaces."""
    are_few = sum(len(info.pods) for info in cluster.node_infos) <= MOST_AROUND
    namespaces = None if are_few else {pod.namespace for pod in pods}
    placed = [info.pod for info, _ in cluster.placed_pods.matching(EVERYTHING, namespaces)]
    # Pods that were put on their nodes here, and only here, wait for nothing.
    bound = [pod for pod in placed if pod.spec.node_name]
    objects = [*_objects(cluster, namespaces), *bound, *others, *pods]
    return World(Contents(_loaded(cluster), objects, scheduler, pods[0].namespace), cluster, placed)


def _evicts(followed: Followed, kept: set[str]) -> bool:
    """Whether pods are evicted for others than those with these identities."""
    return any(each.evicted and each.decision.pod.uid not in kept for each in followed.settled.attempts)


def _loaded(cluster: Cluster) -> Loaded:
    loaded = Loaded()
    loaded.listed = {*cluster.listers.listed}
    return loaded


def _objects(cluster: Cluster, namespaces: set[str] | None) -> Iterator[KubernetesObject]:
    """All that bears on pods of these namespaces, or of any, but for other pods."""
    for kind in cluster.listers.kinds:
        every = cluster.listers.every(kind) if kind is not Pod else ()
        yield from (obj for obj in every if not (obj.is_namespaced and namespaces) or obj.namespace in namespaces)


def _nominated(cluster: Cluster, pods: Sequence[Pod]) -> list[Pod]:
    """The others for which room is kept on a node, and which are tried as well."""
    own = {pod.uid for pod in pods}
    return [each.pod for kept in cluster.nominated_by_node.values() for each in kept if each.pod.uid not in own]


def _named(targets: Iterable[Target], objects: Iterable[KubernetesObject]) -> list[KubernetesObject | None]:
    by_name = {(obj.kind, obj.name): obj for obj in objects}
    return [by_name.get((target.kind, target.name)) for target in targets]


def _count(workload: KubernetesObject | None, cluster: Cluster) -> int:
    """How many pods it has, as far as it was read."""
    if isinstance(workload, DaemonSet):
        return len(cluster.node_infos)
    return (declared_replicas(workload) or 0) if workload else 0


def _changed(followed: Followed, targets: Iterable[Target]) -> list[Rollout]:
    """What became of the workloads that were changed."""
    changed = {(target.kind, target.name) for target in targets}
    return [each for each in followed.rollouts if (each.kind, each.name) in changed]


def _carried_out(
    followed: Followed, rollouts: Sequence[Rollout], pods: Sequence[Pod], gone: Sequence[Pod], running: Sequence[str]
) -> CarriedOut:
    """`running` are the nodes of the pods that the workload has already."""
    placed = followed.settled.placed
    hosts = list(filter(None, (placed.get(pod.key) for pod in pods)))
    serves = len(hosts)
    if rollouts:
        short, leaving = sum(map(attrgetter("short"), rollouts)), {pod.key for pod in gone}
        hosts = hosts or [host for key, host in placed.items() if key not in leaving]
        # Who goes back to an earlier template may have all its pods.
        hosts = hosts or ([*running] if not short and all(each.new for each in rollouts) else [])
        serves = _gained(rollouts, len(pods), len(running)) if hosts else 0
    places = {pod.key: placed.get(pod.key, "") for pod in gone if pod.metadata.controller}
    return CarriedOut(serves, hosts[0] if serves else "", places, _evicted(followed, pods[0]))


def _gained(rollouts: Sequence[Rollout], pending: int, running: int) -> int:
    """How many of the pods that waited have a node; a rollout that gets no further has pods more than are wanted."""
    if not any(each.short for each in rollouts):
        return pending
    gained = sum(min(each.placed, each.desired) for each in rollouts) - running
    return min(max(gained, 0), pending)


def _evicted(followed: Followed, pod: Pod) -> int:
    """How many pods of others had to go for those of the pod's workload; some do twice, as they come back."""
    own = (each for each in followed.settled.attempts if are_siblings(pod, each.decision.pod))
    return len({victim.key for each in own for victim in each.evicted if not are_siblings(pod, victim)})
