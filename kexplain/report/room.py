"""The fewest pods that have to move so that others find a place: sought by trials, then followed to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case import Case
from kexplain.case.case_builder import CaseBuilder
from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.departing import departed
from kexplain.explain.removal import removal_obstacles
from kexplain.framework.status import Code
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Node, Pod
from kexplain.report.drain import DrainedPod
from kexplain.report.pack import KEPT, cordoned_in
from kexplain.report.pack_records import PackReport, RoomFor
from kexplain.report.replacing import movable
from kexplain.scheduler.draining import DrainOptions, EvictionBudgets, Fate, cordoned, uncordoned, verdict
from kexplain.scheduler.pod_copies import anew
from kexplain.shell import command
from kexplain.world.edit_options import applying
from kexplain.world.edited_cluster import Edit, EditedCluster
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World

#: More moves for one pod than these are not thought of.
_MOST = 4


class _Step(Struct, frozen=True):
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


#: The steps after which a pod fits, the cluster then, and the node that takes it.
_Found = tuple[tuple[_Step, ...], Cluster, str]


class RoomMaking(Struct, frozen=True, kw_only=True):
    """Room is made for the pods of a case, one after the other; the listener hears of clusters tried."""

    case: Case
    options: DrainOptions = DrainOptions()
    start_index: int = 0
    listener: Callable[[int, int, str], None] = lambda _done, _total, _what: None
    is_enough: Callable[[], bool] = lambda: False

    def report(self, notes: Sequence[str] = ()) -> PackReport:
        """The steps in an order that can be carried out, who moves where, and where the pods land then."""
        pods = [each.pod for each in self.case.pods]
        largest_first = sorted(pods, key=lambda each: -_requested(each, self.case.cluster, "cpu"))
        orders = dict.fromkeys((tuple(pods), tuple(largest_first)))
        found = sorted(map(self.found, orders), key=lambda each: (bool(each[2]), len(each[0])))
        for steps, planned, stuck in found:
            lands, left = (planned, stuck) if stuck else self._followed(steps)
            if not left:
                break
        moved = [] if left else [each for each in steps if each.pod is not None]
        return PackReport(
            kubernetes_version=self.case.scheduler.release,
            total=len(self.case.cluster.node_infos),
            room_for=tuple(lands) if not left else tuple(RoomFor(pod=each.pod.key) for each in self.case.pods),
            commands=() if left else tuple(each.line for each in steps),
            pods=tuple(_moved(each.pod, each.node, each.to) for each in moved if each.pod is not None),
            notes=(*([left] if left else []), *notes),
        )

    def found(self, pods: Sequence[Pod]) -> tuple[list[_Step], list[RoomFor], str]:
        """The steps, where the pods land then, and the first for which there are none.

        Until all have room, nobody else takes what is there for the first.
        """
        search, cluster = _Search(self), self.case.cluster
        steps: list[_Step] = []
        lands: list[RoomFor] = []
        for pod in pods:
            held = [*dict.fromkeys(each.node for each in lands if each.node)]
            found = search.fewest(cluster, pod, held)
            if found is None:
                tried = "the search was ended" if self.is_enough() else f"up to {_MOST} moves were tried"
                return steps, lands, f"{tried} for {pod.key}"
            moves, cluster, node = found
            if moves:
                steps += (_Step("cordon", each) for each in held if each not in _closed(steps))
                steps += (each for each in moves[:-1] if each.verb != "cordon" or each.node not in held)
            lands.append(RoomFor(pod=pod.key, node=node))
        steps += [_Step("uncordon", each) for each in _closed(steps)]
        return steps, lands, ""

    def _followed(self, steps: Sequence[_Step]) -> tuple[list[RoomFor], str]:
        """Where the pods land in a world that carries out the steps, and who waits at the end and did not before."""
        assert self.case.builder is not None  # noqa: S101 - cases that are read have one
        contents = self.case.builder.contents
        asked = {each.pod.key for each in self.case.pods}
        objects = [each for each in contents.objects if not (isinstance(each, Pod) and each.key in asked)]
        builder = CaseBuilder(replace(contents, objects=objects))
        waited = {each.key for each in objects if isinstance(each, Pod) and not each.spec.node_name}
        for edits in _batches(steps, applying([each.pod for each in self.case.pods])):
            end = World(ReadObjects(builder.contents)).after(edits).settled(start_index=self.start_index)
            builder = end.builder_at_the_end
        waiting = sorted({each.pod.key for each in end.settled.waiting} - waited)
        lands = [RoomFor(pod=each.pod.key, node=end.settled.placed.get(each.pod.key)) for each in self.case.pods]
        return lands, f"{waiting[0]} would be without a place in the end" if waiting else ""


def _batches(steps: Sequence[_Step], last: Edit) -> list[list[Edit]]:
    """What is done before the world is followed to its end: up to each pod that moves, and all that is left."""
    batches: list[list[Edit]] = [[]]
    for each in steps:
        batches[-1].append(each.edit)
        batches += [[]] if each.pod else []
    return [*batches[:-1], [*batches[-1], last]]


def _closed(steps: Sequence[_Step]) -> list[str]:
    """The nodes that take no pods after these steps."""
    last = {each.node: each.verb for each in steps if each.pod is None}
    return [name for name, verb in last.items() if verb == "cordon"]


def _moved(pod: Pod, from_node: str, to: str) -> DrainedPod:
    return DrainedPod(pod=pod.key, outcome=Outcome.SCHEDULED.value, node=to, message=None, from_node=from_node)


class _Search:
    """By the number of moves: each leaves one node, which takes no others meanwhile, and may need room made itself."""

    def __init__(self, making: RoomMaking) -> None:
        self._making = making
        self._scheduler = making.case.scheduler.without_post_filter()
        self._tried = 0

    def fewest(self, cluster: Cluster, pod: Pod, held: Sequence[str] = ()) -> _Found | None:
        """What makes room for a pod with the fewest moves that are found, none of which ends on what is held."""
        tries = (self._within(cluster, pod, most, held) for most in range(_MOST + 1))
        return next(filter(None, tries), None)

    def _within(self, cluster: Cluster, pod: Pod, most: int, held: Sequence[str] = ()) -> _Found | None:
        decision = self._decide(pod, cluster)
        if decision.host:
            return (), self._scheduler.assume(decision), decision.host
        for info in self._in_question(decision, most):
            pods = [*self._movable(cluster, info)]
            for count in range(_fewest(pod, info, pods, cluster), most + 1):
                for leaving in combinations(pods, count):
                    if self._making.is_enough():
                        return None
                    if _is_enough(pod, info, leaving, cluster) and (
                        found := self._emptied(cluster, pod, [info.name, *held], leaving, most - count)
                    ):
                        return found
        return None

    def _emptied(
        self, cluster: Cluster, pod: Pod, closed: Sequence[str], leaving: Sequence[Pod], more: int
    ) -> _Found | None:
        """These pods of the first closed node move, for which at most so many more may, and the pod gets the room."""
        name = closed[0]
        if self._decide(pod, departed(cluster, leaving)).host != name:
            return None
        steps, cluster = [_Step("cordon", name)], cordoned_in(cluster, closed)
        for each in leaving:
            found = self._within(departed(cluster, [each]), anew(each), more)
            if found is None:
                return None
            more -= sum(step.pod is not None for step in found[0])
            steps += (*found[0], _Step("delete", name, each, found[2]))
            cluster = found[1]
        steps.append(_Step("uncordon", name))
        again = cluster.with_nodes(uncordoned(cluster.node_info_by_name[each].node) for each in closed)
        decision = self._decide(pod, again)
        return (tuple(steps), self._scheduler.assume(decision), decision.host) if decision.host else None

    def _decide(self, pod: Pod, cluster: Cluster) -> Decision:
        self._tried += 1
        self._making.listener(self._tried, 0, "clusters tried")
        return self._scheduler.schedule(pod, cluster, self._making.start_index)

    def _in_question(self, decision: Decision, most: int) -> list[NodeInfo]:
        """The nodes on which other pods are in the way, where fewest have to leave first."""
        statuses, cluster = decision.statuses, decision.cluster
        counts = {}
        for info in cluster.node_infos if most else ():
            if statuses.get(info.name).code is Code.UNSCHEDULABLE and not info.node.spec.unschedulable:
                counts[info.name] = _fewest(decision.pod, info, movable(info), cluster)
        names = sorted((name for name, count in counts.items() if count <= most), key=counts.__getitem__)
        return [cluster.node_info_by_name[name] for name in names]

    def _movable(self, cluster: Cluster, info: NodeInfo) -> Iterator[Pod]:
        """Who may be evicted one at a time, small pods first."""
        budgets, obstacles = EvictionBudgets(cluster), removal_obstacles(cluster, [info.name])
        kept = {key for each in obstacles if each.kind in KEPT for key in each.pods}
        for pod in sorted(movable(info), key=lambda each: _requested(each, cluster, "cpu")):
            if pod.key not in kept and verdict(pod, cluster, self._making.options)[0] is Fate.EVICTED:
                if budgets.evict(pod) is None:
                    yield pod
                budgets.runs_again(pod.key)


def _requested(pod: Pod, cluster: Cluster, resource: str) -> int:
    return cluster.pod_info(pod).resource.requested.amount(resource)


def _lacks(pod: Pod, info: NodeInfo, cluster: Cluster) -> dict[str, int]:
    """How much of each resource is too little on a node."""
    wanted = cluster.pod_info(pod).resource.requested.amounts()
    free = {name: info.allocatable.amount(name) - info.requested.amount(name) for name in wanted}
    return {name: amount - free[name] for name, amount in wanted.items() if amount > free[name]}


def _fewest(pod: Pod, info: NodeInfo, pods: Sequence[Pod], cluster: Cluster) -> int:
    """How many of these at least have to leave; more than there are if all of them are too few."""
    fewest = 1
    for name, lack in _lacks(pod, info, cluster).items():
        amounts = sorted((_requested(each, cluster, name) for each in pods), reverse=True)
        enough = (count for count in range(1, len(amounts) + 1) if sum(amounts[:count]) >= lack)
        fewest = max(fewest, next(enough, len(pods) + 1))
    return fewest


def _is_enough(pod: Pod, info: NodeInfo, leaving: Sequence[Pod], cluster: Cluster) -> bool:
    lacks = _lacks(pod, info, cluster).items()
    return all(sum(_requested(each, cluster, name) for each in leaving) >= lack for name, lack in lacks)
