"""Ways to make room for pods: who leaves which node, and where everybody goes, sought by trials."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, count
from typing import NamedTuple

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.departing import departed
from kexplain.explain.removal import removal_obstacles
from kexplain.framework.status import Code
from kexplain.framework.trace import Decision
from kexplain.objects.core import Node, Pod
from kexplain.objects.requests import CPU
from kexplain.report.pack import KEPT
from kexplain.report.replacing import MoveSearch, movable
from kexplain.scheduler.draining import EvictionBudgets, Fate, cordoned, cordoned_in, uncordoned, verdict
from kexplain.scheduler.pod_copies import anew
from kexplain.shell import command
from kexplain.world.edited_cluster import Edit, EditedCluster


class Step(Struct, frozen=True):
    """A node that is cordoned or takes pods again, or a pod of it that moves to another one."""

    verb: str
    node: str
    pod: Pod | None = None
    to: str = ""

    @property
    def edit(self) -> Edit:
        """The same in a world."""

        def edit(edited: EditedCluster) -> None:
            found = edited.find("Pod", self.pod.namespace, self.pod.name) if self.pod else None
            node = edited.find("Node", "", self.node)
            if found is not None:
                edited.remove(found)
            elif isinstance(node, Node):
                edited.replace(node, cordoned(node) if self.verb == "cordon" else uncordoned(node))

        return edit

    @property
    def line(self) -> str:
        """The same for a shell; deleting waits until the pod is gone."""
        if self.pod is None:
            return command(f"kubectl {self.verb}", self.node)
        return command("kubectl delete pod", self.pod.name, namespace=self.pod.namespace)


class Way(Struct, frozen=True):
    """How a pod gets a node: the steps before, while that node takes no others, and the cluster then."""

    pod: Pod
    node: str
    cluster: Cluster
    steps: tuple[Step, ...] = ()
    #: Nodes that take nobody while it comes, as the scheduler would choose them.
    avoided: tuple[str, ...] = ()

    @property
    def moved(self) -> list[str]:
        """Who moves, as `namespace/name`."""
        return [each.pod.key for each in self.steps if each.pod is not None]


class Reach(NamedTuple):
    """The nodes that may take pods that were asked for, and how many are looked at beside the scheduler's choice.

    A pod gets to such a node if those before it are cordoned when it comes.
    """

    among: Collection[str]
    detours: int = 0


class RoomSearch(MoveSearch, frozen=True, kw_only=True):
    """Each pod that moves leaves one node, which takes no others meanwhile, and may need room made itself.

    No pod moves twice. The listener hears of clusters tried.
    """

    _tried: Iterator[int] = msgspec.field(default_factory=partial(count, 1))

    def ways(
        self, cluster: Cluster, pods: Sequence[Pod], most: int, reach: Reach, before: tuple[Way, ...] = ()
    ) -> Iterator[tuple[Way, ...]]:
        """A way for each pod, with at most so many moves in all; nobody who moves takes what one of them has got."""
        if not pods:
            yield before
            return
        for way in self._ways_of_asked(cluster, pods[0], most, reach, before):
            yield from self.ways(way.cluster, pods[1:], most - len(way.moved), reach, (*before, way))

    def _ways_of_asked(
        self, cluster: Cluster, pod: Pod, most: int, reach: Reach, before: tuple[Way, ...]
    ) -> Iterator[Way]:
        decision = self._decide(pod, cluster)
        # The scheduler's choice comes first, then the fullest.
        infos = cluster.nodes_named(set(decision.feasible) - {decision.host})
        others = [each.name for each in sorted(infos, key=lambda each: (each.free(CPU), each.name))]
        names = [name for name in (decision.host, *others) if name in reach.among]
        yield from (Way(pod, name, self.case.scheduler.assume(decision, name)) for name in names[: 1 + reach.detours])
        held, moved = [each.node for each in before], [key for each in before for key in each.moved]
        for info in self._in_question(decision, most):
            if info.name in reach.among:
                for steps, after in self._emptied(decision, info, most, reach, moved, held):
                    landed = self._decide(pod, after)
                    if info.name in landed.feasible:
                        yield Way(pod, info.name, self.case.scheduler.assume(landed, info.name), steps)

    def _ways_of_moved(self, cluster: Cluster, pod: Pod, most: int, reach: Reach, moved: list[str]) -> Iterator[Way]:
        decision, avoided = self._decide(pod, cluster), list[str]()
        while decision.host and len(avoided) <= reach.detours:
            after = self.case.scheduler.assume(decision).with_nodes(_nodes(cluster, avoided))
            yield Way(pod, decision.host, after, avoided=(*avoided,))
            avoided.append(decision.host)
            decision = self._decide(pod, cordoned_in(cluster, avoided))
        for info in [] if avoided else self._in_question(decision, most):
            for steps, after in self._emptied(decision, info, most, reach, moved):
                landed = self._decide(pod, after)
                if landed.host:
                    done = (*steps, Step("uncordon", info.name))
                    yield Way(pod, landed.host, self.case.scheduler.assume(landed), done)

    def _emptied(
        self, decision: Decision, info: NodeInfo, most: int, reach: Reach, moved: list[str], held: Sequence[str] = ()
    ) -> Iterator[tuple[tuple[Step, ...], Cluster]]:
        """Some pods leave a node so that the pod has room there; the cluster is one in which it takes pods again."""
        pod, cluster, closed = decision.pod, decision.cluster, dict.fromkeys((info.name, *held))
        there = [each for each in self._movable(cluster, info) if each.key not in moved]
        counts = range(_fewest(pod, info, there, cluster), most + 1)
        for leaving in chain.from_iterable(combinations(there, each) for each in counts):
            if self.is_enough():
                return
            if _is_enough(pod, info, leaving, cluster) and self._fits(pod, departed(cluster, leaving), info.name):
                # The largest has the fewest places.
                left = self._left(cordoned_in(cluster, closed), leaving[::-1], most - len(leaving), reach, moved)
                for steps, after in left:
                    yield (Step("cordon", info.name), *steps), after.with_nodes(_nodes(cluster, closed))

    def _left(
        self, cluster: Cluster, leaving: Sequence[Pod], most: int, reach: Reach, moved: list[str]
    ) -> Iterator[tuple[tuple[Step, ...], Cluster]]:
        """Pods move one after the other, for which at most so many more may."""
        if not leaving:
            yield (), cluster
            return
        first, *others = leaving
        gone = [*moved, first.key]
        for way in self._ways_of_moved(departed(cluster, [first]), anew(first), most, reach, gone):
            closing, opening = ([Step(verb, each) for each in way.avoided] for verb in ("cordon", "uncordon"))
            move = Step("delete", first.spec.node_name or "", first, way.node)
            rest = self._left(way.cluster, others, most - len(way.moved), reach, [*gone, *way.moved])
            for steps, after in rest:
                yield (*way.steps, *closing, move, *opening, *steps), after

    def _decide(self, pod: Pod, cluster: Cluster) -> Decision:
        self.listener(next(self._tried), 0, "clusters tried")
        return self.case.scheduler.without_post_filter().schedule(pod, cluster, self.start_index)

    def _fits(self, pod: Pod, cluster: Cluster, name: str) -> bool:
        self.listener(next(self._tried), 0, "clusters tried")
        return not self.case.scheduler.objections(pod, cluster, [name])

    def _in_question(self, decision: Decision, most: int) -> list[NodeInfo]:
        """The nodes on which other pods are in the way, where fewest have to leave first."""
        statuses, cluster = decision.statuses, decision.cluster
        counts = {}
        for info in cluster.node_infos if most > 0 else ():
            if statuses.get(info.name).code is Code.UNSCHEDULABLE and not info.node.spec.unschedulable:
                counts[info.name] = _fewest(decision.pod, info, movable(info), cluster)
        names = sorted((name for name, count in counts.items() if count <= most), key=counts.__getitem__)
        return [cluster.node_info_by_name[name] for name in names]

    def _movable(self, cluster: Cluster, info: NodeInfo) -> Iterator[Pod]:
        """Who may be evicted one at a time, small pods first."""
        budgets, obstacles = EvictionBudgets(cluster), removal_obstacles(cluster, [info.name])
        kept = {key for each in obstacles if each.kind in KEPT for key in each.pods}
        for pod in sorted(movable(info), key=lambda each: requested(each, cluster, "cpu")):
            if pod.key not in kept and verdict(pod, cluster, self.options)[0] is Fate.EVICTED:
                if budgets.evict(pod) is None:
                    yield pod
                budgets.runs_again(pod.key)


def _nodes(cluster: Cluster, names: Iterable[str]) -> Iterator[Node]:
    return (cluster.node_info_by_name[name].node for name in names)


def requested(pod: Pod, cluster: Cluster, resource: str) -> int:
    """How much of a resource a pod asks for."""
    return cluster.pod_info(pod).resource.requested.amount(resource)


def _lacks(pod: Pod, info: NodeInfo, cluster: Cluster) -> dict[str, int]:
    """How much of each resource is too little on a node."""
    wanted = cluster.pod_info(pod).resource.requested.amounts()
    return {name: amount - info.free(name) for name, amount in wanted.items() if amount > info.free(name)}


def _fewest(pod: Pod, info: NodeInfo, pods: Sequence[Pod], cluster: Cluster) -> int:
    """How many of these at least have to leave; more than there are if all of them are too few."""
    fewest = 1
    for name, lack in _lacks(pod, info, cluster).items():
        amounts = sorted((requested(each, cluster, name) for each in pods), reverse=True)
        enough = (count for count in range(1, len(amounts) + 1) if sum(amounts[:count]) >= lack)
        fewest = max(fewest, next(enough, len(pods) + 1))
    return fewest


def _is_enough(pod: Pod, info: NodeInfo, leaving: Sequence[Pod], cluster: Cluster) -> bool:
    lacks = _lacks(pod, info, cluster).items()
    return all(sum(requested(each, cluster, name) for each in leaving) >= lack for name, lack in lacks)
