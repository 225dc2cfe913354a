"""How many replicas of a pod a cluster takes before one does not fit."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.binding import pre_bind_failure
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.scheduler.copies import Copies
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import alone

#: After so many replicas it pays to know all nodes for the next one.
SOME = 16

#: What is generated for a replica of the pod at a place among those asked about: the pod with it, and the claims.
Claims = Callable[[Pod, int], tuple[Pod, tuple[KubernetesObject, ...]]]


class Replica(NamedTuple):
    """A copy of one of the pods asked about, by its place among them, and the claims that exist for it alone."""

    pod: Pod
    of: int
    claims: tuple[KubernetesObject, ...] = ()


class Placement(NamedTuple):
    """A replica and the node that took it."""

    replica: Replica
    node_name: str


class Filled(Struct, frozen=True):
    """The replicas that fit, in order, and the cluster with them.

    `stopped_by` is the decision about the first that does not fit, a copy of the pod at `stopped_at`; None where
    the replicas came to an end before. `evicted` are the pods that had to leave where replicas may preempt.
    """

    placements: tuple[Placement, ...]
    cluster: Cluster
    stopped_by: Decision | None = None
    stopped_at: int = 0
    #: Why the next one is not even created, where it was that which ended it.
    refused: str = ""
    evicted: tuple[Pod, ...] = ()

    def by_node(self, of: int) -> dict[str, int]:
        """How many replicas of that pod each node took, in the order in which nodes were first used."""
        return Counter(placement.node_name for placement in self.placements if placement.replica.of == of)


def replicas_of(
    pods: Sequence[Pod], proportions: Sequence[int] = (1,), claims: Claims = lambda pod, _: (pod, ())
) -> Iterator[Replica]:
    """Copies of the pods without end, so many of each in turn, numbered in their names and uids.

    `claims` gives each copy what is generated for it.
    """
    numbers = [count() for _ in pods]
    while True:
        for of, (template, copies) in enumerate(zip(pods, proportions, strict=True)):
            for _ in range(copies):
                pod, made = claims(_numbered(template, next(numbers[of])), of)
                yield Replica(pod, of, made)


def _numbered(pod: Pod, number: int) -> Pod:
    metadata = pod.metadata
    uid = f"{metadata.uid}-{number}" if metadata.uid else None
    return replace(pod, metadata=replace(metadata, name=f"{metadata.name}-{number}", uid=uid))


def fill(
    scheduler: Scheduler,
    cluster: Cluster,
    replicas: Iterable[Replica],
    start_index: int = 0,
    listener: Callable[[int], None] | None = None,
    refusal: Callable[[Pod, Iterable[KubernetesObject]], str] = lambda _pod, _claims: "",
    bound: Callable[[Sequence[KubernetesObject], Cluster], Iterable[KubernetesObject]] = lambda claims, _: claims,
) -> Filled:
    """Place replicas one after the other until one does not fit; the listener hears how many have a place.

    `refusal` says why a replica is not created, if it is not; `bound` makes of new claims what a cluster does at once.

    Each goes to the first of its best nodes in evaluation order, where the next one sees it. One that preempts
    lands once its victims have left.
    """
    queue = alone(scheduler, cluster, start_index)
    placements: list[Placement] = []
    stopped_by, stopped_at, refused = None, 0, ""
    landed: list[str] = []
    copies: dict[int, Copies] = {}
    for replica in replicas:
        if refused := refusal(replica.pod, replica.claims):
            stopped_at = replica.of
            break
        known = copies.get(replica.of)
        host = known.place(replica.pod, queue, landed) if known and not replica.claims else ""
        if not host:
            before = queue.cluster
            queue.enter([replica.pod], bound(replica.claims, queue.cluster))
            *_, last = queue.attempts()
            if last.decision.outcome is not Outcome.SCHEDULED:
                stopped_by, stopped_at = last.decision, replica.of
                break
            if refused := pre_bind_failure(last.decision.binding):
                queue.cluster, stopped_at = before, replica.of
                break
            host = last.decision.host
            if known is None and len(placements) >= SOME:
                copies[replica.of] = Copies(queue, replica.pod, len(placements) + 1)
        placements.append(Placement(replica, host))
        landed.append(host)
        if listener:
            listener(len(placements))
    return Filled(tuple(placements), queue.cluster, stopped_by, stopped_at, refused, tuple(queue.evicted))
