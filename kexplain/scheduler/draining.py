"""Nodes drained as `kubectl drain` does it, and where everybody goes.

Source: kubectl `drain/filters.go` and `drain.go`, and the eviction subresource of kube-apiserver
(`registry/core/pod/storage/eviction.go`). The objections are in their words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import Maker, maker
from kexplain.grouping import grouped
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.core import Node, Pod, ReplicationController
from kexplain.objects.meta import scaled
from kexplain.objects.node_service import lost
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.selectors import Selector
from kexplain.parameters import parameter
from kexplain.plugins.disruption_budgets import readable_budgets
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT
from kexplain.words import joined, some, verb

#: What makes pods, by the kind that these name; a replica set may have a deployment above it.
_SCALED: dict[str | None, tuple[type[Deployment | ReplicaSet | StatefulSet | ReplicationController], ...]] = {
    "ReplicaSet": (Deployment, ReplicaSet),
    "StatefulSet": (StatefulSet,),
    "ReplicationController": (ReplicationController,),
}
DAEMON_SET_STAYS = "ignoring DaemonSet-managed Pods"
MIRROR_STAYS = "mirror pods belong to their node's kubelet"
VIOLATES_BUDGET = "Cannot evict pod as it would violate the pod's disruption budget."
HAS_SEVERAL_BUDGETS = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


class Fate(StrEnum):
    """What a drain does to a pod."""

    #: It leaves, and its controller makes it again.
    EVICTED = "Evicted"
    #: It makes room for a pod that was evicted, and its controller makes it again.
    PREEMPTED = "Preempted"
    #: It leaves, and nobody makes it again.
    GONE = "Gone"
    #: It has finished, or is being deleted already.
    ENDED = "Ended"
    #: It is left where it is.
    STAYS = "Stays"
    #: It leaves, and its controller gets no other made.
    NOT_CREATED = "NotCreated"
    #: `kubectl drain` does not drain the node at all because of it, unless asked to by a flag.
    REFUSED = "Refused"
    #: A budget never lets it go, or nobody stops it, as its node is lost.
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


def cordoned_in(cluster: Cluster, names: Iterable[str]) -> Cluster:
    """The cluster with these nodes cordoned."""
    return cluster.with_nodes(cordoned(cluster.node_info_by_name[name].node) for name in names)


def uncordoned(node: Node) -> Node:
    """The node schedulable again, without that taint."""
    taints = tuple(taint for taint in node.spec.taints or () if taint != UNSCHEDULABLE_TAINT)
    return replace(node, spec=replace(node.spec, unschedulable=None, taints=taints or None))


def verdict(pod: Pod, cluster: Cluster, options: DrainOptions = BY_DEFAULT) -> tuple[Fate, str]:
    """What `kubectl drain` does with a pod of a drained node, budgets aside, and in which words."""
    if pod.is_terminated:
        return Fate.ENDED, "it has finished"
    owner = pod.metadata.controller
    if owner is not None and owner.kind == "DaemonSet":
        return _verdict_on_daemon_pod(pod, owner.name or "", cluster, options)
    if pod.is_mirror:
        return Fate.STAYS, MIRROR_STAYS
    if any(volume.empty_dir is not None for volume in pod.spec.volumes or ()) and not options.delete_emptydir_data:
        flag = parameter("delete_emptydir_data")
        return Fate.REFUSED, f"cannot delete Pods with local storage (use {flag} to override)"
    if owner is None and options.force:
        return Fate.GONE, "no controller recreates it"
    if owner is None:
        return Fate.REFUSED, f"cannot delete Pods that declare no controller (use {parameter('force')} to override)"
    return _end(pod, cluster)


def _end(pod: Pod, cluster: Cluster) -> tuple[Fate, str]:
    """What comes of the eviction of a pod that a controller makes again."""
    node_info = cluster.node_info_by_name.get(pod.spec.node_name or "")
    if node_info is not None and (trouble := lost(node_info.node)):
        return Fate.BLOCKED, f"its node is {trouble}, so nobody stops it, and kubectl drain waits forever"
    is_leaving = pod.metadata.deletion_timestamp is not None
    return (Fate.ENDED, "it is being deleted already") if is_leaving else (Fate.EVICTED, "")


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
    cluster: Cluster

    @property
    def missed(self) -> list[Pod]:
        """The pods that it would count if they served, by name, those without a node last."""
        home = self.budget.namespace
        placed = (info.pod for info, _ in self.cluster.placed_pods.matching(self.selector, (home,)))
        found = sorted((pod for pod in placed if pod.spec.node_name and not _is_healthy(pod)), key=lambda pod: pod.name)
        return [*found, *_waiting(home, self.selector, self.cluster)]


class EvictionBudgets:
    """The disruption budgets as the eviction subresource counts them. Unlike preemption, it never overrules one."""

    def __init__(self, cluster: Cluster | None) -> None:
        """Those of a cluster, or none. A budget whose selector cannot be read protects nothing."""
        self._cluster = cluster
        self._by_namespace = grouped((each[0].namespace, each) for each in readable_budgets(cluster)) if cluster else {}
        self._counted: dict[str, EvictionBudget] = {}
        self._drawn_on: dict[str, EvictionBudget] = {}

    def protecting(self, pod: Pod) -> list[EvictionBudget]:
        """The budgets that protect a pod."""
        found = self._by_namespace.get(pod.namespace, ())
        return [self._of(budget, selector) for budget, selector in found if selector.matches(pod.labels)]

    def _of(self, budget: PodDisruptionBudget, selector: Selector) -> EvictionBudget:
        """The budget with what it still allows; there are many, and few are asked about."""
        if budget.key not in self._counted:
            assert self._cluster is not None  # noqa: S101 - where there is a budget, there is a cluster
            self._counted[budget.key] = _allowing(budget, selector, self._cluster)
        return self._counted[budget.key]

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
                return f"{VIOLATES_BUDGET} {_needs(each.budget)}{_unhealthy(each.missed)}", keys
            each.allowed -= 1
            self._drawn_on[pod.key] = each
        return None

    def runs_again(self, key: str) -> None:
        """Count a pod that was evicted, by `namespace/name`, as healthy again: another serves in its place."""
        drawn_on = self._drawn_on.pop(key, None)
        if drawn_on is not None:
            drawn_on.allowed += 1


def _allowing(budget: PodDisruptionBudget, selector: Selector, cluster: Cluster) -> EvictionBudget:
    if budget.status.disruptions_allowed is None:
        budget = counted(budget, selector, cluster)
    allowed, desired = budget.status.disruptions_allowed or 0, budget.status.desired_healthy
    placed = [info.pod for info, _ in cluster.placed_pods.matching(selector, (budget.namespace,))]
    if desired is not None and not all(pod.spec.node_name for pod in placed):
        # Pods that have got a node since serve, as time stands still here; others may have left for them.
        there = (pod for pod in placed if pod.metadata.deletion_timestamp is None)
        allowed = max(sum(not pod.spec.node_name or _is_healthy(pod) for pod in there) - desired, 0)
    return EvictionBudget(budget, selector, allowed, cluster)


def counted(budget: PodDisruptionBudget, selector: Selector, cluster: Cluster) -> PodDisruptionBudget:
    """A budget that no controller has looked at yet, as it does.

    Source: kube-controller-manager `disruption` (`getExpectedPodCount`, `countHealthyPods`, `updatePdbStatus`).
    """
    every = [info.pod for info, _ in cluster.placed_pods.matching(selector, (budget.namespace,))]
    every += _waiting(budget.namespace, selector, cluster)
    healthy = sum(_is_healthy(pod) and pod.metadata.deletion_timestamp is None for pod in every)
    least, most = budget.spec.min_available, budget.spec.max_unavailable
    if most is not None:
        expected = _expected(every, cluster)
        desired = expected - (scaled(most, expected, up=True) or 0)
    elif isinstance(least, int):
        expected, desired = len(every), least
    else:
        expected = _expected(every, cluster)
        desired = scaled(least or 0, expected, up=True) or 0
    desired, allowed = max(desired, 0), max(healthy - max(desired, 0), 0) if expected else 0
    status = replace(budget.status, disruptions_allowed=allowed, current_healthy=healthy, desired_healthy=desired)
    return replace(budget, status=status)


def _is_healthy(pod: Pod) -> bool:
    """Whether it serves; one on a node of which nothing says that it does not is taken to."""
    says = any(each.type == "Ready" for each in pod.status.conditions or ())
    return pod.is_ready or (bool(pod.spec.node_name) and not says)


def _waiting(namespace: str, selector: Selector, cluster: Cluster) -> Iterator[Pod]:
    """Those of the pods without a node that a budget selects."""
    for pod in cluster.listers.every(Pod):
        is_selected = pod.namespace == namespace and selector.matches(pod.labels) and not pod.is_terminated
        if is_selected and not (pod.spec.node_name or cluster.placed_pods.named(namespace, pod.name)):
            yield pod


def _unhealthy(missed: Sequence[Pod]) -> str:
    """Which pods do not count, in brackets; empty if all do."""
    found = [f"{pod.name} on {pod.spec.node_name}" for pod in missed if pod.spec.node_name]
    stand = (found, "not ready"), ([pod.name for pod in missed if not pod.spec.node_name], "pending")
    said = [f"{some(names, 2)} {verb(len(names), 'is')} {how}" for names, how in stand if names]
    return f" ({joined(said)})" if said else ""


def _expected(pods: Iterable[Pod], cluster: Cluster) -> int:
    """How many pods the controllers of these want; those of one that was not read are all it wants."""
    by_maker = Counter(map(maker, pods))
    return sum(_replicas(each, cluster) or count for each, count in by_maker.items() if each is not None)


def _replicas(made_by: Maker, cluster: Cluster) -> int | None:
    namespace, kind, name = made_by
    for each in _SCALED.get(kind, ()):
        if (found := cluster.listers.get(each, name, namespace)) is not None:
            return 1 if found.spec.replicas is None else found.spec.replicas
    return None


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
