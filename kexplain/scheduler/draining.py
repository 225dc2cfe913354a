"""Nodes drained as `kubectl drain` does it, and where everybody goes.

Source: kubectl `drain/filters.go` and `drain.go`, and the eviction subresource of kube-apiserver
(`registry/core/pod/storage/eviction.go`). The objections are in their words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from heapq import heappop, heappush
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.apps import DaemonSet
from kexplain.objects.core import Node, Pod
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.selectors import Selector, SelectorError, selector_from
from kexplain.parameters import parameter
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.landing import anew, place

DAEMON_SET_STAYS = "ignoring DaemonSet-managed Pods"
MIRROR_STAYS = "mirror pods belong to their node's kubelet"
VIOLATES_BUDGET = "Cannot evict pod as it would violate the pod's disruption budget."
HAS_SEVERAL_BUDGETS = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


def has_local_storage() -> str:
    """The objection to pods with an emptyDir volume."""
    return f"cannot delete Pods with local storage (use {parameter('delete_emptydir_data')} to override)"


def has_no_controller() -> str:
    """The objection to pods that nobody would make again."""
    return f"cannot delete Pods that declare no controller (use {parameter('force')} to override)"


class Fate(StrEnum):
    """What a drain does to a pod."""

    #: It leaves, and its controller makes it again.
    EVICTED = "Evicted"
    #: It makes room for a pod that was evicted, and its controller makes it again.
    PREEMPTED = "Preempted"
    #: It leaves, and nobody makes it again.
    GONE = "Gone"
    #: It is left where it is.
    STAYS = "Stays"
    #: `kubectl drain` does not drain the node at all because of it, unless asked to by a flag.
    REFUSED = "Refused"
    #: A budget never lets it go.
    BLOCKED = "Blocked"


class DrainOptions(Struct, frozen=True):
    """The flags of `kubectl drain` that decide who leaves."""

    force: bool = False
    delete_emptydir_data: bool = False
    disable_eviction: bool = False


#: What `kubectl drain` does without any of them.
BY_DEFAULT = DrainOptions()


class Leaver(Struct, frozen=True):
    """A pod of a drained node, or one that is preempted by such a pod, and what becomes of it.

    `decision` is about the pod made again. `round` counts from 1: evictions that a budget held up come later, once
    enough of the earlier ones run again. `held_up_by` are the keys of these budgets.
    """

    pod: Pod
    node_name: str
    fate: Fate
    reason: str = ""
    decision: Decision | None = None
    round: int = 1
    held_up_by: tuple[str, ...] = ()
    preempted_by: str = ""


class Drained(Struct, frozen=True):
    """What became of every pod, node by node, the cluster then, and where the round robin stands."""

    pods: tuple[Leaver, ...]
    cluster: Cluster
    start_index: int


def cordoned(node: Node) -> Node:
    """The node unschedulable, with the taint that its controller adds then."""
    taints = node.spec.taints or ()
    if UNSCHEDULABLE_TAINT not in taints:
        taints = (*taints, UNSCHEDULABLE_TAINT)
    return replace(node, spec=replace(node.spec, unschedulable=True, taints=taints))


def uncordoned(node: Node) -> Node:
    """The node schedulable again, without that taint."""
    taints = tuple(taint for taint in node.spec.taints or () if taint != UNSCHEDULABLE_TAINT)
    return replace(node, spec=replace(node.spec, unschedulable=None, taints=taints or None))


def verdict(pod: Pod, cluster: Cluster, options: DrainOptions = BY_DEFAULT) -> tuple[Fate, str]:
    """What `kubectl drain` does with a pod of a drained node, budgets aside, and in which words."""
    if pod.is_terminated:
        return Fate.GONE, "it has finished"
    owner = pod.metadata.controller
    if owner is not None and owner.kind == "DaemonSet":
        return _verdict_on_daemon_pod(pod, owner.name or "", cluster, options)
    if pod.is_mirror:
        return Fate.STAYS, MIRROR_STAYS
    if any(volume.empty_dir is not None for volume in pod.spec.volumes or ()) and not options.delete_emptydir_data:
        return Fate.REFUSED, has_local_storage()
    if owner is None:
        return (Fate.GONE, "no controller recreates it") if options.force else (Fate.REFUSED, has_no_controller())
    if pod.metadata.deletion_timestamp is not None:
        return Fate.GONE, "it is being deleted already"
    return Fate.EVICTED, ""


def _verdict_on_daemon_pod(pod: Pod, name: str, cluster: Cluster, options: DrainOptions) -> tuple[Fate, str]:
    listers = cluster.listers
    if not listers.has(DaemonSet) or listers.get(DaemonSet, name, pod.namespace) is not None:
        return Fate.STAYS, DAEMON_SET_STAYS
    missing = f'daemonsets.apps "{name}" not found'
    return (Fate.GONE, missing) if options.force else (Fate.REFUSED, missing)


def drain(
    scheduler: Scheduler,
    cluster: Cluster,
    node_names: Sequence[str],
    options: DrainOptions = BY_DEFAULT,
    start_index: int = 0,
    listener: Callable[[int], None] | None = None,
) -> Drained:
    """Cordon the nodes, then empty one after the other; every pod that leaves is placed anew in queue order.

    Where a pod makes `kubectl drain` refuse a node, that pod stays and the others leave, as if the node were drained
    around it. The listener hears of how many pods it is known what becomes of them.
    """
    cluster = cluster.with_nodes(cordoned(cluster.node_info_by_name[name].node) for name in node_names)
    emptying = _Emptying(scheduler, cluster, options, start_index)
    for name in node_names:
        emptying.empty(name)
        if listener:
            listener(len(emptying.done))
    return Drained(tuple(emptying.done), emptying.cluster, emptying.start_index)


class _Emptying:
    """A drain in progress."""

    def __init__(self, scheduler: Scheduler, cluster: Cluster, options: DrainOptions, start_index: int) -> None:
        self.scheduler, self.cluster, self.options, self.start_index = scheduler, cluster, options, start_index
        self.done: list[Leaver] = []
        self._budgets = EvictionBudgets(() if options.disable_eviction else cluster.listers.every(PodDisruptionBudget))

    def empty(self, node_name: str) -> None:
        """Evict in the order of the pods all that budgets allow, place them anew, and go on while that helps."""
        waiting: list[Leaver] = []
        for pod_info in self.cluster.node_info_by_name[node_name].pods:
            fate, reason = verdict(pod_info.pod, self.cluster, self.options)
            leaving = Leaver(pod_info.pod, node_name, fate, reason)
            if fate in (Fate.EVICTED, Fate.GONE):
                waiting.append(leaving)
            else:
                self.done.append(leaving)
        while waiting:
            held_up = self._evict(waiting)
            if len(held_up) == len(waiting):
                self.done += [replace(each, fate=Fate.BLOCKED) for each in held_up]
                return
            waiting = [replace(each, round=each.round + 1) for each in held_up]

    def _evict(self, waiting: Sequence[Leaver]) -> list[Leaver]:
        """Let those go that may, and place them anew; those that may not are left over, with what holds them up."""
        going: list[Leaver] = []
        held_up: list[Leaver] = []
        for leaving in waiting:
            objection = self._budgets.evict(leaving.pod)
            if objection is None:
                going.append(leaving)
            else:
                reason, keys = objection
                every = tuple(dict.fromkeys((*leaving.held_up_by, *keys)))
                held_up.append(replace(leaving, reason=reason, held_up_by=every))
        self.cluster = self.cluster.without(leaving.pod for leaving in going)
        self._place_anew(going)
        return held_up

    def _place_anew(self, gone: Iterable[Leaver]) -> None:
        arrivals = count()
        queue: list[tuple[int, int, Leaver]] = []

        def join(leaving: Leaver) -> None:
            if leaving.fate is Fate.GONE:
                self.done.append(leaving)
            else:
                heappush(queue, (self.scheduler.sort_key(leaving.pod), next(arrivals), leaving))

        for leaving in gone:
            join(leaving)
        while queue:
            _, _, leaving = heappop(queue)
            placed = place(self.scheduler, self.cluster, anew(leaving.pod), self.start_index)
            self.cluster = placed.cluster
            self.start_index = placed.decision.sampling.next_start_index
            self.done.append(replace(leaving, decision=placed.decision))
            if placed.decision.host:
                self._budgets.runs_again(leaving.pod)
            for victim, node_name in placed.evicted:
                fate = Fate.GONE if victim.metadata.controller is None else Fate.PREEMPTED
                reason = f"preempted by {leaving.pod.key}"
                join(Leaver(victim, node_name, fate, reason, round=leaving.round, preempted_by=leaving.pod.key))


class _Budget(Struct):
    """How many pods that it protects may still be evicted now."""

    budget: PodDisruptionBudget
    selector: Selector
    allowed: int


class EvictionBudgets:
    """The disruption budgets as the eviction subresource counts them. Unlike preemption, it never overrules one."""

    def __init__(self, budgets: Iterable[PodDisruptionBudget]) -> None:
        """A budget whose selector cannot be read protects nothing."""
        self._by_namespace: dict[str, list[_Budget]] = {}
        self._drawn_on: dict[Pod, _Budget] = {}
        for budget in budgets:
            try:
                selector = selector_from(budget.spec.selector)
            except SelectorError:
                continue
            allowed = budget.status.disruptions_allowed or 0
            self._by_namespace.setdefault(budget.namespace, []).append(_Budget(budget, selector, allowed))

    def evict(self, pod: Pod) -> tuple[str, tuple[str, ...]] | None:
        """Count an eviction; if it is refused, why, and the keys of the budgets in its way."""
        if pod.is_terminated or pod.status.phase == "Pending" or pod.metadata.deletion_timestamp is not None:
            return None
        protecting = [each for each in self._by_namespace.get(pod.namespace, ()) if each.selector.matches(pod.labels)]
        keys = tuple(each.budget.key for each in protecting)
        if len(protecting) > 1:
            return HAS_SEVERAL_BUDGETS, keys
        for each in protecting:
            if not pod.is_ready and _spares_only_healthy(each.budget):
                return None
            if each.allowed <= 0:
                return f"{VIOLATES_BUDGET} {_needs(each.budget)}", keys
            each.allowed -= 1
            self._drawn_on[pod] = each
        return None

    def runs_again(self, pod: Pod) -> None:
        """Count a pod that was evicted and has found another place as healthy again."""
        drawn_on = self._drawn_on.pop(pod, None)
        if drawn_on is not None:
            drawn_on.allowed += 1


def _spares_only_healthy(budget: PodDisruptionBudget) -> bool:
    """Whether a pod that is not ready may go without being counted."""
    if budget.spec.unhealthy_pod_eviction_policy == "AlwaysAllow":
        return True
    desired = budget.status.desired_healthy or 0
    return (budget.status.current_healthy or 0) >= desired > 0


def _needs(budget: PodDisruptionBudget) -> str:
    current, desired = budget.status.current_healthy or 0, budget.status.desired_healthy or 0
    if current <= desired:
        return f"The disruption budget {budget.name} needs {desired} healthy pods and has {current} currently"
    return f"The disruption budget {budget.name} does not allow evicting pods currently"
