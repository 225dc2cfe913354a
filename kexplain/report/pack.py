"""Which nodes can be emptied together: sought node by node, then carried out in order, as `kubectl drain` would."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import accumulate

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.placed_pods import maker
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.findings.statement import told
from kexplain.explain.removal import Obstacle, removal_obstacles
from kexplain.objects.core import Pod
from kexplain.objects.instance_types import InstanceType
from kexplain.objects.node_pools import CONTROL_PLANE_LABELS, is_virtual, machine_of, pool_names
from kexplain.remedies.against.taints import mended
from kexplain.report.drain import Draining, why_drained
from kexplain.report.drain_records import DrainedPod, DrainReport
from kexplain.report.headroom import Headroom
from kexplain.report.pack_records import PackReport, Saved, Staying
from kexplain.report.replacing import MoveSearch, movable, movable_infos, replaced
from kexplain.scheduler.draining import EvictionBudgets, Fate, cordoned_in, verdict
from kexplain.scheduler.pod_copies import anew
from kexplain.shell import command

#: What people ask of autoscalers holds for everybody who takes nodes away.
KEPT = (Obstacle.NOT_SAFE_TO_EVICT, Obstacle.DO_NOT_DISRUPT, Obstacle.NODE_SAYS_NO, Obstacle.MINIMUM_SIZE)
_RESOURCES = ("cpu", "memory")
_AWAITED = "it suits a pod that waits, once it is back in service"
_NONE_LEFT = "no other node would be left for its pods"
#: Of more nodes it is not worked out what their pods lack.
_EXPLAINED = 100


class Packing(MoveSearch, frozen=True, kw_only=True):
    """How nodes are to be emptied, of which the listener hears. `headroom` is what has to be left.

    What is found has to be carried out until `is_over`.
    """

    headroom: Headroom = Headroom()
    is_over: Callable[[], bool] = lambda: False

    def report(self, names: Sequence[str]) -> PackReport:
        """The plan for as many of these nodes as possible."""
        cluster = self.case.cluster
        kept = {each.node: each for each in self._kept(names)}
        found = _Search(self)
        chosen = found.emptied_of([name for name in names if name not in kept])
        drained, chosen, failed = self._carried_out(chosen)
        emptied = tuple(name for step in drained.steps for name in step.nodes if name != drained.stopped_at)
        staying = [*kept.values(), *found.staying(emptied), *(each for each in failed if each.node not in emptied)]
        return PackReport(
            kubernetes_version=self.case.scheduler.release,
            total=len(cluster.node_infos),
            keep=self.headroom.kept,
            emptied=emptied,
            commands=tuple(self._commands(chosen, emptied)),
            pods=tuple(_moved(drained, emptied)),
            staying=tuple(sorted(staying, key=lambda each: names.index(each.node))),
            untried=len(names) - len(emptied) - len(staying),
            saved=tuple(_saved(cluster, emptied)),
            pending_before=drained.pending_before,
            rests_on=drained.rests_on,
            notes=drained.notes,
        )

    def _carried_out(self, chosen: list[str]) -> tuple[DrainReport, list[str], list[Staying]]:
        """The run that comes furthest, of what nodes, without those that cannot be drained.

        The last may have been cut short when one before it had come further.
        """
        failed: list[Staying] = []
        runs = [(drained := self._drained(chosen), chosen)]
        while drained.stopped_at:
            left = next(pod for pod in drained.pods if pod.is_left)
            failed.append(Staying(node=drained.stopped_at, because=left.message or left.outcome, pods=(left.pod,)))
            chosen = [name for name in chosen if name != drained.stopped_at]
            runs.append((drained := self._drained(chosen), chosen))
        furthest, nodes = max(reversed(runs), key=lambda run: len(run[0].steps))
        return furthest, nodes, failed

    def _drained(self, names: Sequence[str]) -> DrainReport:
        """All of these cordoned, then one after the other drained, until one cannot be."""
        case = replace(self.case, cluster=cordoned_in(self.case.cluster, names))

        def hear(done: int) -> None:
            self.listener(done, 0, "pods of the plan")

        return Draining(
            case, self.options, one_by_one=True, start_index=self.start_index, listener=hear, is_over=self.is_over
        ).report(names)

    def _commands(self, chosen: Sequence[str], emptied: Sequence[str]) -> Iterator[str]:
        """All of it for a shell; nodes that were to go take pods again if nobody got to them."""
        by_name = self.case.cluster.node_info_by_name
        cordoning = [name for name in chosen if not by_name[name].node.spec.unschedulable]
        flags = [flag for flag in ("force", "delete_emptydir_data") if getattr(self.options, flag)]
        words = ["--ignore-daemonsets", *(f"--{flag.replace('_', '-')}" for flag in flags)]
        if emptied and cordoning:
            yield command("kubectl cordon", *cordoning)
        yield from (command("kubectl drain", name, flags=words) for name in emptied)
        if emptied and (left := [name for name in cordoning if name not in emptied]):
            yield command("kubectl uncordon", *left)

    def _kept(self, names: Sequence[str]) -> Iterator[Staying]:
        """The nodes that nobody may empty, whatever room there is."""
        cluster = self.case.cluster
        obstacles = {each.node: each for each in removal_obstacles(cluster, names) if each.kind in KEPT}
        budgets, awaited = EvictionBudgets(cluster), self._awaited()
        for name in names:
            info = cluster.node_info_by_name[name]
            if any(label in info.labels for label in CONTROL_PLANE_LABELS):
                yield Staying(node=name, because="it runs the control plane")
            elif is_virtual(info.node):
                yield Staying(node=name, because="it is no machine")
            elif name in awaited:
                yield Staying(node=name, because=_AWAITED, pods=(awaited[name],))
            elif name in obstacles:
                yield Staying(node=name, because=obstacles[name].text, pods=obstacles[name].pods)
            else:
                yield from self._refused(info, budgets)

    def _awaited(self) -> dict[str, str]:
        """The nodes that are out of service and would suit pods that have none, with the first such pod."""
        cluster, scheduler = self.case.cluster, self.case.scheduler
        first = {maker(each.pod) or each.pod.key: each.pod for each in reversed(self.case.pods)}
        awaited: dict[str, str] = {}
        for pod in [*first.values()][:_EXPLAINED]:
            found = diagnose(scheduler.schedule(pod, cluster))
            names = found.circles.out_of_service if found and found.circles else ()
            back = cluster.with_nodes([mended(info.node) for info in cluster.nodes_named(names)])
            objections = scheduler.objections(pod, back, names) if names else {}
            awaited |= {name: pod.key for name in names if not objections.get(name)}
        return awaited

    def _refused(self, info: NodeInfo, budgets: EvictionBudgets) -> Iterator[Staying]:
        """The first pod that cannot be evicted."""
        for pod in (each.pod for each in info.pods):
            fate, reason = verdict(pod, self.case.cluster, self.options)
            if fate is Fate.EVICTED and (objection := budgets.evict(pod)):
                fate, reason = Fate.BLOCKED, objection[0]
            budgets.runs_again(pod.key)
            if fate in (Fate.REFUSED, Fate.BLOCKED):
                yield Staying(node=info.name, because=reason, pods=(pod.key,))
                return


class _Search:
    """Node by node, those with the least to move first, while others that may follow take no pods.

    A pod that is tried stands for what its controller would make; what is found is carried out afterwards.
    """

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._scheduler = packing.case.scheduler.without_post_filter()
        self._before = self._cluster = packing.case.cluster
        infos = self._before.node_infos
        self._totals = [(name, max(sum(each.allocatable.amount(name) for each in infos), 1)) for name in _RESOURCES]
        self._states: dict[str, Cluster] = {}
        #: The first pod of a node that finds no place elsewhere; None if it is headroom that would be lacking.
        self._stuck: dict[str, Pod | None] = {}

    def emptied_of(self, names: Sequence[str]) -> list[str]:
        """Those that can be emptied one after the other, and leave the headroom that is asked for."""
        ordered = sorted(names, key=self._weight)
        waiting = ordered[: self._bound(ordered)]
        self._cluster = cordoned_in(self._cluster, waiting)
        for name in [*ordered, *ordered]:
            if self._packing.is_enough():
                break
            if name not in self._states:
                waiting = self._tried(name, waiting)
        emptied = [*self._states]
        keeps = self._packing.headroom.longest(self._scheduler, self._before, emptied, self._after)
        self._stuck |= dict.fromkeys(emptied[keeps:])
        return emptied[:keeps]

    def staying(self, emptied: Sequence[str]) -> Iterator[Staying]:
        """Why the others stay that were tried; the reason is worked out for some of many."""
        final, headroom = self._after(len(emptied)), self._packing.headroom
        is_last = len(emptied) + 1 == len(final.node_infos)
        otherwise = f"without it, {headroom.lost}" if headroom.kept else "its pods find no room together elsewhere"
        for place, (name, pod) in enumerate(self._stuck.items()):
            said = None
            if pod is not None and place < _EXPLAINED and not is_last:
                remaining = cordoned_in(final.without([pod]).with_nodes((), gone=frozenset(emptied)), [name])
                decision = self._scheduler.schedule(anew(pod), remaining)
                _, said = why_drained(decision, frozenset([name]), self._scheduler)
            because = _NONE_LEFT if is_last and pod else said.text if said else otherwise
            yield Staying(node=name, because=because, pods=(pod.key,) if pod else ())

    def _after(self, count: int) -> Cluster:
        """The cluster once so many nodes are empty, all others as they were."""
        gone = [*self._states][:count]
        others = (info.node for info in self._before.node_infos if info.name not in gone)
        return (self._states[gone[-1]] if gone else self._before).with_nodes(others)

    def _weight(self, name: str) -> tuple[float, int]:
        infos = movable_infos(self._before.node_info_by_name[name])
        shares = (sum(each.resource.requested.amount(name) for each in infos) / total for name, total in self._totals)
        return max(shares), len(infos)

    def _bound(self, names: Sequence[str]) -> int:
        """How many of these could go at most if pods were sand."""
        by_name = self._before.node_info_by_name
        open_infos = [info for info in self._before.node_infos if not info.node.spec.unschedulable]
        most = []
        for resource in _RESOURCES:
            free = sum(info.free(resource) for info in open_infos)
            infos = (by_name[name] for name in names)
            lost = accumulate(
                0 if each.node.spec.unschedulable else each.allocatable.amount(resource) for each in infos
            )
            most.append(sum(each <= free for each in lost))
        return min(most)

    def _tried(self, name: str, waiting: list[str]) -> list[str]:
        """Empty a node; where pods fit nowhere else, the last of those that wait take pods after all.

        Returns who waits then: without that node, and without those that now take pods if that has helped.
        """
        waiting = [each for each in waiting if each != name]
        before = self._cluster
        self._cluster = cordoned_in(before, [name])
        last, count = [*waiting], 1
        while not (emptied := self._is_emptied(name)) and last:
            self._uncordon(last[-count:])
            del last[-count:]
            count *= 2
        if emptied:
            return last
        self._cluster = before
        self._uncordon([name])
        return waiting

    def _is_emptied(self, name: str) -> bool:
        """Move the pods of a node elsewhere, if all find a place."""
        pods = movable(self._cluster.node_info_by_name[name])
        moved = replaced(self._scheduler, self._cluster, pods, self._packing.start_index)
        if moved.left is not None:
            self._stuck[name] = moved.left
            return False
        self._cluster = self._states[name] = moved.cluster
        self._stuck.pop(name, None)
        self._packing.listener(len(self._states), len(self._before.node_infos), "nodes")
        return True

    def _uncordon(self, names: Iterable[str]) -> None:
        by_name = self._before.node_info_by_name
        self._cluster = self._cluster.with_nodes(by_name[name].node for name in names)


def _moved(drained: DrainReport, emptied: Collection[str]) -> Iterator[DrainedPod]:
    """The pods that leave these nodes, of which some may come back to one that was emptied before."""
    for each in drained.pods:
        if (each.is_moved or each.outcome == Fate.GONE) and each.from_node in emptied:
            yield replace(each, doubt=str(told("lands-where/drained"))) if each.node in emptied else each


def _saved(cluster: Cluster, names: Sequence[str]) -> Iterator[Saved]:
    """What goes with these nodes, pool by pool."""
    pools = pool_names(info.node for info in cluster.node_infos)
    sizes = [*pools.values()]
    infos = [cluster.node_info_by_name[name] for name in names]
    for pool in dict.fromkeys(pools[info.name] for info in infos):
        own = [info for info in infos if pools[info.name] == pool]
        types = [cluster.listers.get(InstanceType, machine_of(info.node)) for info in own]
        prices = [each.per_hour if each else None for each in types]
        yield Saved(
            pool=pool,
            nodes=len(own),
            of=sizes.count(pool),
            cpu_milli=sum(info.allocatable.cpu_milli for info in own),
            memory_bytes=sum(info.allocatable.memory_bytes for info in own),
            per_hour=None if None in prices else round(sum(filter(None, prices)), 6),
        )
