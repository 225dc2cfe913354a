"""Changes carried out: what API server, controllers and scheduler make of them, until nothing moves any more."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.cluster.placed_pods import maker
from kexplain.cluster.siblings import are_siblings, placed_siblings
from kexplain.framework.postfilter import Candidate
from kexplain.objects.apps import DaemonSet
from kexplain.objects.changes import Change, Target
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.step_applier import FOLLOWED
from kexplain.remedies.steps import cordons
from kexplain.scheduler.scheduling_queue import Attempt
from kexplain.world.members import Rollout
from kexplain.world.world import Followed, World

#: So many pods of a workload are followed to the end, and more where few nodes are looked at for all of them.
MOST_PODS, NODES_LOOKED_AT = 40, 10_000


class CarriedOut(Struct, frozen=True):
    """How many of the pods in question have a node in the end, and where the first of them is.

    Those are also the pods that a StatefulSet makes only after them: so many in all, where that is more.

    `places` are the nodes of pods that had to leave, by `namespace/name`; empty for those that find none. For
    theirs, the scheduler has `evicted` so many others. `evicts` is whether any make room for themselves but those for
    which it is kept.
    """

    serves: int
    host: str
    places: dict[str, str]
    evicted: int = 0
    evicts: bool = False
    #: What became of the workloads that were changed.
    rollouts: tuple[Rollout, ...] = ()
    wanted: int = 0

    @property
    def refused(self) -> str:
        """Why an API server does not create pods that a workload makes of the changes."""
        return next(map(str, chain.from_iterable(each.refusals for each in self.rollouts)), "")

    @property
    def end(self) -> str:
        """How far a rollout gets that does not get to its end, in words."""
        return next((each.end for each in self.rollouts if each.old), "")

    def told(self, pending: Sequence[Pod]) -> dict[str, Any]:
        """What a remedy says of it where these are pending beside the first."""
        several = 1 + len(pending) if pending else None
        return {"nodes": (self.host,), "tried": True, "serves": several and self.serves, "pending": several}


def carry_out(
    changes: Sequence[Change], pods: Sequence[Pod], gone: Sequence[Pod], world: World, beside: Iterable[Pod] = ()
) -> CarriedOut | None:
    """What comes of the changes for these pods without a node, once those that are `gone` have left theirs.

    `world` is as it is then, of changes to other objects than workloads and pods, but for a manifest that is applied;
    `beside` are others in it that wait, and keep room for themselves. None where that is not followed.
    """
    own = [each for each in changes if each.target.kind in FOLLOWED]
    targets = [*_applied(world), *(each.target for each in own if each.target.kind != "Pod")]
    nodes = len(world.source.cluster.node_infos)
    most = max(MOST_PODS, NODES_LOOKED_AT // max(nodes, 1))
    named = (world.edited.find(each.kind, each.namespace, each.name) for each in targets)
    if len(pods) > most or any(_count(each, nodes) > most for each in named):
        return None
    cordoned = {each.target.name for each in changes if cordons(each)}
    followed = world.after([*own, lambda after: after.cordoned_then.update(cordoned)]).settled()
    running = [node.name for _, node in placed_siblings(pods[0], followed.before)]
    done = _carried_out(followed, _changed(followed, targets, pods[0]), pods, gone, running)
    kept, attempts = {pod.uid for pod in beside}, followed.settled.attempts
    return replace(done, evicts=any(each.evicted and each.decision.pod.uid not in kept for each in attempts))


def _applied(world: World) -> Iterator[Target]:
    """The workloads that manifests have changed."""
    return (Target(kind=kind, namespace=namespace, name=name) for kind, namespace, name in world.edited.before)


def _count(workload: KubernetesObject | None, nodes: int) -> int:
    """How many pods it has, as far as it was read."""
    declared = (declared_replicas(workload) or 0) if workload else 0
    return nodes if isinstance(workload, DaemonSet) else declared


def _changed(followed: Followed, targets: Iterable[Target], pod: Pod) -> list[Rollout]:
    """What became of those that were changed, of the pod's own workload; pods of others wait under the same names."""
    changed, made_by = {(target.kind, target.name) for target in targets}, maker(pod)
    own = [each for each in followed.rollouts if made_by is None or made_by[-1].startswith(each.name)]
    return [each for each in own if (each.kind, each.name) in changed]


def _carried_out(
    followed: Followed, rollouts: Sequence[Rollout], pods: Sequence[Pod], gone: Sequence[Pod], running: Sequence[str]
) -> CarriedOut:
    """`running` are the nodes of the pods that the workload has already."""
    placed = followed.settled.placed
    hosts = list(filter(None, (placed.get(pod.key) for pod in pods)))
    serves, landed, wanted = len(hosts), len(hosts), _wanted(rollouts, len(pods), len(running))
    if rollouts:
        short, leaving = sum(map(attrgetter("short"), rollouts)), {pod.key for pod in gone}
        hosts = hosts or [host for key, host in placed.items() if key not in leaving]
        # Who goes back to an earlier template may have all its pods.
        hosts = hosts or ([*running] if not short and all(each.new for each in rollouts) else [])
        serves = _gained(rollouts, wanted, len(running), landed) if hosts else 0
    places = {pod.key: placed.get(pod.key, "") for pod in gone if pod.metadata.controller}
    host, evicted = hosts[0] if serves else "", _evicted(followed, pods[0])
    return CarriedOut(serves, host, places, evicted, rollouts=tuple(rollouts), wanted=wanted)


def _wanted(rollouts: Iterable[Rollout], pending: int, running: int) -> int:
    """How many pods are to have a node that have none, those among them that a StatefulSet makes later."""
    return max([pending, *(each.desired - running for each in rollouts if each.kind == "StatefulSet")])


def _gained(rollouts: Sequence[Rollout], pending: int, running: int, landed: int) -> int:
    """How many of the pods that waited have a node; a rollout that gets no further has pods more than are wanted.

    It may leave others without one where those that waited have `landed`, but not more of them.
    """
    if not any(each.short for each in rollouts):
        return pending
    more = sum(min(each.placed, each.desired) for each in rollouts) - running
    return min(max(more, landed if more >= 0 and any(each.old for each in rollouts) else 0), pending)


def _evicted(followed: Followed, pod: Pod) -> int:
    """How many pods of others had to go for those of the pod's workload; some do twice, as they come back."""
    own = (each for each in followed.settled.attempts if are_siblings(pod, each.decision.pod))
    return len({victim.key for each in own for victim in each.preempted if not are_siblings(pod, victim)})


def as_good(attempts: Iterable[Attempt]) -> Iterator[Candidate]:
    """The candidates that were as good as those where pods left, these among them."""
    for decision in (each.decision for each in attempts if each.evicted):
        if decision.preemption is not None:
            best = {*decision.preemption.best, decision.nominated_node}
            yield from (each for each in decision.preemption.candidates if each.node_name in best)
