"""Nodes that take no pods, whoever asks."""

from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.findings.ways import workload
from kexplain.diagnosis.piled_up import evicted_for
from kexplain.diagnosis.pool_members import pool_members
from kexplain.diagnosis.records import Finding, Kind, Relation, Sign, finding, link
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.grouping import grouped
from kexplain.objects.core import Node
from kexplain.objects.node_pools import comes_along
from kexplain.objects.node_service import Trouble
from kexplain.scheduler.draining import EvictionBudget, EvictionBudgets
from kexplain.words import shortened

#: The most of a kubelet's words.
_MOST = 200
#: What conditions of nodes say why.
_NOT_READY = (("Ready", "False"), ("NetworkUnavailable", "True"))


def no_nodes(scene: Scene) -> Finding | None:
    """The cluster has no nodes at all."""
    return None if scene.cluster.node_infos else finding(Kind.NO_NODES, told("no-nodes"))


def out_of_service(scene: Scene) -> Finding | None:
    """None of the nodes where the pod belongs is in service."""
    lapsed = scene.circles.lapsed
    if scene.candidates or not lapsed:
        return None
    held = f"{scene.held}{'' if scene.zone else 's'}" if scene.circles.narrowed & Wish.VOLUME else ""
    kind = Kind.ZONE_OUT_OF_SERVICE if scene.zone else Kind.POOL_OUT_OF_SERVICE
    ailments = scene.places.ailments(lapsed)
    out = told("out-of-service", scene.place, ailments, held, said_by_kubelets(scene, lapsed))
    # The plugin that turns pods away from most of these nodes, as what ails them first has it.
    plugin = "NodeUnschedulable" if ailments.is_cordon else "TaintToleration"
    services = ((name, service) for name in lapsed if (service := scene.service(name)))
    found = grouped((each.value, name) for name, service in services for each in service.troubles[:1]).items()
    signs = [Sign(text=str(told("out-of-service-sign", each, len(names))), nodes=tuple(names)) for each, names in found]
    chain = [link(Relation.RUNS_ON, Node, name) for name in lapsed] if len(lapsed) == 1 else ()
    return scene.finding(kind, out, plugin, lapsed, evidence=signs, chain=chain)


def said_by_kubelets(scene: Scene, names: Sequence[str]) -> str:
    """Why these nodes are not ready, or have no network, where all say the same."""
    conditions = (each for info in scene.infos(names) for each in info.node.status.conditions or ())
    messages = {each.message or "" for each in conditions if (each.type, each.status) in _NOT_READY}
    message = messages.pop() if len(messages) == 1 else str(evicted_for(names, scene.cluster) or "")
    return shortened(message, _MOST).removesuffix(".")


def drain_help(drain: Statement, pod: str) -> str:
    """What would let a drain go on, other than that this pod runs; empty if it waits for nothing else."""
    others = [each for each in drain.about["unready"] if each != pod]
    is_only = bool(drain.about["unready"]) and not others
    return "" if is_only else str(told("drain-help", others, drain.about["budgets"], drain.about["maker"]))


def stuck_drain(node: str, cluster: Cluster) -> Statement | None:
    """What a drain of the node waits for; None for one that is not cordoned, or has pods that may go.

    Of the pods that are left those come first that the same budgets keep, most of all: one that allows no eviction, or
    several, under which there is none whatever they allow.
    """
    member = pool_members(cluster).get(node)
    if member is None or member.service is None or member.service.troubles != (Trouble.CORDONED,):
        return None
    left = [info.pod for info in cluster.node_info_by_name[node].pods if not comes_along(info.pod)]
    keeping = [_keeping(each) for each in map(EvictionBudgets(cluster).protecting, left)]
    if not left or not all(keeping):
        return None
    kept = grouped((each[0].budget.key, (pod, each)) for pod, each in zip(left, keeping, strict=True))
    (pod, found), *others = max(kept.values(), key=len)
    pods = Few.of((pod.key, *(each.key for each, _ in others)), 1)
    unready = [each.key for each in found[0].missed] if len(found) == 1 else []
    makes, names = workload(maker(pod)) or pod.key, [each.budget.name for each in found]
    return told("drain-waits", node, pods, makes, names, unready, len(kept) - 1, len(left) - pods.count)


def _keeping(protecting: list[EvictionBudget]) -> list[EvictionBudget]:
    return protecting if len(protecting) > 1 else [each for each in protecting if each.allowed <= 0]
