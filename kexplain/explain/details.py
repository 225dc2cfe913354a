"""What stands against a node, in words."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.explain.objections import detail
from kexplain.explain.records import NodeVerdict, Rejection
from kexplain.objects.core import Pod


def in_words(verdict: NodeVerdict, pod: Pod, cluster: Cluster) -> NodeVerdict:
    """The verdict on that pod with the details of all objections."""
    if verdict.stopped_by is None and not verdict.also:
        return verdict
    stopped_by = verdict.stopped_by and _in_words(verdict.stopped_by)
    if stopped_by:
        nominated = _counted_nominees(verdict.node, pod, cluster)
        if nominated:
            stopped_by = replace(stopped_by, detail=f"{stopped_by.detail}, keeping room for nominated {nominated}")
    return replace(verdict, stopped_by=stopped_by, also=tuple(map(_in_words, verdict.also)))


def _in_words(rejection: Rejection) -> Rejection:
    return replace(rejection, detail=detail(rejection.facts, rejection.reasons))


def _counted_nominees(node_name: str, pod: Pod, cluster: Cluster) -> str:
    """The nominated pods that the verdict on this node reckons with."""
    nominees = cluster.nominated_by_node.get(node_name, ())
    return ", ".join(info.pod.key for info in nominees if info.pod.priority >= pod.priority)
