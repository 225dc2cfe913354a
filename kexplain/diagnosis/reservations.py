"""Which nodes are kept for others: by taints that ordinary pods there tolerate, or made for one pod each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import read_maker
from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.diagnosis.pool_members import pool_members
from kexplain.grouping import grouped
from kexplain.objects.core import Node, Pod, Taint, Toleration
from kexplain.objects.node_pools import (
    CONTROL_PLANE_LABELS,
    comes_along,
    created,
    is_kin,
    lasting_taints,
    make,
    named_pool,
    virtual_label,
)
from kexplain.objects.requests import PODS
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.tolerations import tolerates
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.patterns import regex

if TYPE_CHECKING:
    from kexplain.diagnosis.scene import Scene

#: A pool with one of its taints.
_Use = tuple[str, Taint]
#: The fields that say whether a pod is ordinary, and what it tolerates.
_TELLING = ("metadata.ownerReferences", "metadata.annotations", "spec.tolerations", "spec.schedulerName")
#: Keys that say what nodes are for, whoever is to tolerate them.
_OF_A_PURPOSE = regex(r"(^|[/.-])(dedicated|purpose|reserved|role|team|tenant|workload)")


class TaintUse:
    """How many ordinary pods, by pool and taint of the nodes that they run on, tolerate it or do not; a tally.

    Pods of DaemonSets and of kubelets, and those that tolerate everything, say nothing.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.tolerating: Counter[_Use] = Counter()
        self.others: Counter[_Use] = Counter()
        self._members = pool_members(cluster)
        self._known: dict[tuple[tuple[Toleration, ...], Taint], bool] = {}
        for node_info in cluster.node_infos:
            if node_info.node.spec.taints:
                for pod_info in node_info.pods:
                    self.count(pod_info, node_info.node, 1)

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count a pod that came or went."""
        if not node.spec.taints or not _is_ordinary(pod := pod_info.partly(_TELLING)):
            return
        member = self._members.get(node.name)
        if member is None:
            return
        for taint in repelling_taints(node):
            counts = self.tolerating if self._tolerates(pod, taint) else self.others
            counts[member.pool, taint] += sign

    def _tolerates(self, pod: Pod, taint: Taint) -> bool:
        key = (pod.spec.tolerations or (), taint)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = any(tolerates(each, taint, comparison_operators=True) for each in key[0])
        return found

    def speaks_against(self, pod_info: PodInfo, taint: Taint) -> bool:
        """Whether an ordinary pod does not tolerate the taint, so that it came after the pod."""
        pod = pod_info.partly(_TELLING)
        return _is_ordinary(pod) and not self._tolerates(pod, taint)

    def came_later(self, pool: str, taint: Taint) -> bool:
        """Whether most ordinary pods in the pool, of those on nodes with the taint, do not tolerate it."""
        return self.others[pool, taint] > self.tolerating[pool, taint]

    def has_any(self, taints: Collection[tuple[str, str]]) -> bool:
        """Whether an ordinary pod tolerates one of these, by key and effect, where it runs."""
        return any(count and (each.key, each.effect) in taints for (_, each), count in self.tolerating.items())

    def is_proven(self, pool: str, taint: Taint) -> bool:
        """Whether ordinary pods run there because they tolerate it, or the taint itself says what for."""
        return self.tolerating[pool, taint] > 0 or taint.key in CONTROL_PLANE_LABELS


def taint_use(cluster: Cluster) -> TaintUse:
    """Who tolerates which taints of the nodes where they run."""
    return cluster.tally((TaintUse, cluster.nodes_key), lambda: TaintUse(cluster))


def outlived_taints(cluster: Cluster) -> frozenset[tuple[str, str]]:
    """The keys of taints, each with a pool, on whose nodes an ordinary pod runs that does not tolerate them."""
    use, members = taint_use(cluster), pool_members(cluster)
    return cluster.fact(
        outlived_taints,
        lambda: frozenset(
            (members[info.name].pool, taint.key)
            for info in cluster.node_infos
            for taint in info.node.spec.taints or ()
            if any(use.speaks_against(each, taint) for each in info.pods)
        ),
    )


def stray_taints(cluster: Cluster) -> frozenset[tuple[str, Taint]]:
    """The taints, by pool, that nodes have which are made like others without, and that say nothing of what for.

    They are of one pool by its name, or of one make with the same labels: then the others have no taints at all, the
    node was away since it was made, and nobody tolerates this one.
    """
    return cluster.fact(stray_taints, lambda: frozenset(_strays(cluster)))


def _strays(cluster: Cluster) -> Iterator[tuple[str, Taint]]:
    members = pool_members(cluster)
    every = ((members[info.name], info.node) for info in cluster.node_infos)
    alike = grouped((own.pool if own.is_named else make(node), node) for own, node in every)
    for nodes in alike.values():
        having = Counter(taint for node in nodes for taint in dict.fromkeys(repelling_taints(node)))
        for node in nodes:
            odd = [taint for taint in repelling_taints(node) if having[taint] < len(nodes)]
            yield from ((members[node.name].pool, each) for each in odd if _is_stray(node, each, nodes, cluster))


def _is_stray(node: Node, taint: Taint, nodes: Sequence[Node], cluster: Cluster) -> bool:
    """Whether a taint that not all of these nodes have says nothing of what the node is for."""
    # It became ready on a later day than it was made.
    was_away = (node.status.ready.last_transition_time or "")[:10] > created(node)[:10] > ""
    if named_pool(node) or not was_away or _is_tolerated(taint, cluster) or _OF_A_PURPOSE.search(taint.key):
        return bool(named_pool(node))
    return any(is_kin(node, each) for each in nodes if not repelling_taints(each))


def _is_tolerated(taint: Taint, cluster: Cluster) -> bool:
    """Whether any pod on a node names the taint among what it tolerates."""
    pods = (each.partly(_TELLING) for info in cluster.node_infos for each in info.pods)
    return any(each.key and tolerates(each, taint) for pod in pods for each in pod.spec.tolerations or ())


def repelling_taints(node: Node) -> list[Taint]:
    """The taints that keep pods off the node and say what it is for."""
    return [taint for taint in lasting_taints(node) if taint.effect in REPELLING_EFFECTS]


def _is_ordinary(pod: Pod) -> bool:
    # What other schedulers heed is not known.
    tolerations = pod.spec.tolerations or ()
    is_any = any(not each.key and each.operator == "Exists" and not each.effect for each in tolerations)
    return not (is_any or comes_along(pod)) and pod.scheduler_name == DEFAULT_SCHEDULER_NAME


class MadeNodes(Struct, frozen=True):
    """Who makes them, and by what the pod says that it wants none: the key of their taint, with another value."""

    schedulers: Sequence[str]
    key: str = ""
    value: str = ""
    wanted: str = ""


def makers_of(node_info: NodeInfo) -> list[str]:
    """The scheduler that made the node for the one pod that it takes; empty if it takes others, or nobody says so."""
    names = [info.pod.scheduler_name for info in node_info.pods]
    return names if node_info.allocatable.amount(PODS) == 1 and DEFAULT_SCHEDULER_NAME not in names else []


def virtual_place(scene: Scene) -> str:
    """The label of the only node of a DaemonSet's pod, where that stands for a service; empty for all others."""
    infos = scene.infos(scene.home) if comes_along(scene.pod) else ()
    has_agents = len(infos) != 1 or any(comes_along(each.pod) for each in infos[0].pods)
    return "" if has_agents else virtual_label(infos[0].node)


def made_nodes(scene: Scene) -> MadeNodes | None:
    """What all nodes in service are; None if any is not made so."""
    infos = scene.infos(scene.circles.reserved) if scene.is_nowhere else ()
    found = {tuple(makers_of(each)) for each in infos}
    if not found or not all(found):
        return None
    made_by = read_maker(scene.pod, scene.cluster.listers)
    template = template_of(made_by) if made_by else None
    noted = (template and template.metadata.annotations) or {}
    taints = [each for each in infos[0].node.spec.taints or () if noted.get(each.key, each.value) != each.value]
    schedulers = sorted({name for names in found for name in names})
    return MadeNodes(schedulers, *((taints[0].key, taints[0].value or "", noted[taints[0].key]) if taints else ()))
