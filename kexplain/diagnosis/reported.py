"""What others than a kubelet report of a node, a volume, or a pool: custom resources that bear its name, and events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kexplain.cluster import Cluster
from kexplain.objects.core import Node, NodeCondition
from kexplain.objects.events import Event
from kexplain.objects.other_resources import OtherResource
from kexplain.patterns import regex
from kexplain.tables import sections
from kexplain.words import clauses, shortened

_WORD = regex(r"[a-z0-9][a-z0-9.-]*[a-z0-9]")
#: The most of their words.
_MOST = 160
#: Conditions of nodes beside those of kubelets.
_CONDITIONS = sections("kubelet-reasons")["of conditions of nodes"]


def bad_conditions(node: Node) -> Iterator[NodeCondition]:
    """What agents on nodes report of one that is not as it should be."""
    return (each for each in node.status.conditions or () if f"{each.type}={each.status}" in _CONDITIONS)


def reported(cluster: Cluster) -> Mapping[str, str]:
    """By the names of what it is about, the newest of what is reported."""
    return cluster.fact((reported, cluster.listers), lambda: dict(_reported(cluster)))


def _reported(cluster: Cluster) -> Iterator[tuple[str, str]]:
    """The weakest first."""
    for event in sorted(cluster.listers.every(Event), key=lambda each: each.last_seen):
        yield event.subject.name or "", f"{event.reporter}: {_short(event.text)}"
    for other in cluster.listers.every(OtherResource):
        # What is about a node, a volume or a pool bears its name, or names it.
        for name in (other.name, *_WORD.findall(other.failure)) if other.failure else ():
            yield name, f"{other.kind} {other.name}: {_short(other.failure)}"
    for info in cluster.node_infos:
        for each in bad_conditions(info.node):
            yield info.name, clauses(f"{each.type} since {each.last_transition_time}", _short(each.message or ""))


def _short(text: str) -> str:
    return shortened(text, _MOST).removesuffix(".")
