"""What stands against a node, in words."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.cluster import Cluster, PodInfo
from kexplain.explain.objections import detail
from kexplain.explain.objections.ports import PortFact
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.records import NodeVerdict, Rejection
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS


def in_words(verdict: NodeVerdict, pod: Pod, cluster: Cluster) -> NodeVerdict:
    """The verdict on that pod with the details of all objections."""
    if verdict.stopped_by is None and not verdict.also:
        return verdict
    stopped_by = verdict.stopped_by and _in_words(verdict.stopped_by)
    if stopped_by and (keepers := _kept_for(stopped_by, verdict.node, pod, cluster)):
        stopped_by = replace(stopped_by, detail=f"{stopped_by.detail}, keeping room for nominated {keepers}")
    return replace(verdict, stopped_by=stopped_by, also=tuple(map(_in_words, verdict.also)))


def _in_words(rejection: Rejection) -> Rejection:
    return replace(rejection, detail=detail(rejection.facts, rejection.reasons))


def _kept_for(rejection: Rejection, node_name: str, pod: Pod, cluster: Cluster) -> str:
    """The nominated pods without which the node would have what it lacks; empty if it lacks something else."""
    nominees = [info for info in cluster.nominated_by_node.get(node_name, ()) if info.pod.priority >= pod.priority]
    keys = {info.pod.key for info in nominees}
    has_others = False
    for fact in rejection.facts:
        match fact:
            case ResourceFact():
                kept = sum(1 if fact.resource == PODS else _amount(info, fact.resource) for info in nominees)
                has_others |= fact.requested > fact.free + kept
            case PortFact():
                has_others |= not keys.issuperset(fact.held_by)
            case _:
                has_others = True
    return "" if has_others or not rejection.facts else ", ".join(info.pod.key for info in nominees)


def _amount(info: PodInfo, resource: str) -> int:
    return info.resource.requested.amount(resource)
