"""The pods of a DaemonSet, node by node.

Source: daemon controller `NodeShouldRunDaemonPod`, daemon/util `ReplaceDaemonSetPodNodeNameNodeAffinity`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from kexplain.objects.core import (
    Affinity,
    Node,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
)
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.tolerations import untolerated_taints


def daemon_pods(pod: Pod, nodes: Iterable[Node]) -> Iterator[tuple[Node, Pod]]:
    """Each node that the controller makes a pod for, and that pod, pinned there.

    `pod` is one without a pin, with the tolerations that the controller adds.
    """
    required = RequiredNodeAffinity.of(pod)
    for node in nodes:
        repelling = untolerated_taints(node.spec.taints or (), pod.spec.tolerations or (), REPELLING_EFFECTS)
        if not repelling and required.matches(node) and pod.spec.node_name in (None, "", node.name):
            metadata = replace(pod.metadata, name=f"{pod.name}-{node.name}")
            spec = replace(pod.spec, affinity=_pinned(pod.spec.affinity, node.name))
            yield node, replace(pod, metadata=metadata, spec=spec)


def _pinned(affinity: Affinity | None, node_name: str) -> Affinity:
    """The affinity with the node's name as the only required node affinity."""
    field = NodeSelectorRequirement(key="metadata.name", operator="In", values=(node_name,))
    selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(field,)),))
    affinity = affinity or Affinity()
    rules = replace(
        affinity.node_affinity or NodeAffinity(), required_during_scheduling_ignored_during_execution=selector
    )
    return replace(affinity, node_affinity=rules)
