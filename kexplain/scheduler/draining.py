"""Nodes drained as `kubectl drain` does it, and where everybody goes.

Source: kubectl `drain/filters.go` and `drain.go`, and the eviction subresource of kube-apiserver
(`registry/core/pod/storage/eviction.go`). The objections are in their words.
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.objects.apps import DaemonSet
from kexplain.objects.core import Node, Pod
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.selectors import Selector, SelectorError, selector_from
from kexplain.parameters import parameter
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT

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
    #: It leaves, and its controller gets no other made.
    NOT_CREATED = "NotCreated"
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


class EvictionBudget(Struct):
    """A budget, and how many pods that it protects may still be evicted now."""

    budget: PodDisruptionBudget
    selector: Selector
    allowed: int


class EvictionBudgets:
    """The disruption budgets as the eviction subresource counts them. Unlike preemption, it never overrules one."""

    def __init__(self, budgets: Iterable[PodDisruptionBudget]) -> None:
        """A budget whose selector cannot be read protects nothing."""
        self._by_namespace: dict[str, list[EvictionBudget]] = {}
        self._drawn_on: dict[str, EvictionBudget] = {}
        for budget in budgets:
            try:
                selector = selector_from(budget.spec.selector)
            except SelectorError:
                continue
            allowed = budget.status.disruptions_allowed or 0
            self._by_namespace.setdefault(budget.namespace, []).append(EvictionBudget(budget, selector, allowed))

    def protecting(self, pod: Pod) -> list[EvictionBudget]:
        """The budgets that protect a pod."""
        return [each for each in self._by_namespace.get(pod.namespace, ()) if each.selector.matches(pod.labels)]

    def evict(self, pod: Pod) -> tuple[str, tuple[str, ...]] | None:
        """Count an eviction; if it is refused, why, and the keys of the budgets in its way."""
        if pod.is_terminated or pod.status.phase == "Pending" or pod.metadata.deletion_timestamp is not None:
            return None
        protecting = self.protecting(pod)
        keys = tuple(each.budget.key for each in protecting)
        if len(protecting) > 1:
            return HAS_SEVERAL_BUDGETS, keys
        for each in protecting:
            if not pod.is_ready and _spares_only_healthy(each.budget):
                return None
            if each.allowed <= 0:
                return f"{VIOLATES_BUDGET} {_needs(each.budget)}", keys
            each.allowed -= 1
            self._drawn_on[pod.key] = each
        return None

    def runs_again(self, key: str) -> None:
        """Count a pod that was evicted, by `namespace/name`, as healthy again: another serves in its place."""
        drawn_on = self._drawn_on.pop(key, None)
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
