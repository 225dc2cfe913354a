"""What stands against a node, in words."""

from msgspec.structs import replace

from kexplain.cluster import Cluster, PodInfo
from kexplain.explain.objections import AnyFact, detail
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
    """The nominated pods that have a share in what the node lacks; empty if it lacks something else."""
    nominees = [info for info in cluster.nominated_by_node.get(node_name, ()) if info.pod.priority >= pod.priority]
    return ", ".join(info.pod.key for info in nominees if any(_shares(info, fact) for fact in rejection.facts))


def _shares(nominee: PodInfo, fact: AnyFact) -> bool:
    match fact:
        case ResourceFact():
            return fact.resource == PODS or bool(nominee.resource.requested.amount(fact.resource))
        case PortFact():
            return nominee.pod.key in fact.held_by
        case _:
            return False
