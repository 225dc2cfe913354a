"""The pods of a DaemonSet, node by node.

Source: daemon controller `NodeShouldRunDaemonPod`, daemon/util `ReplaceDaemonSetPodNodeNameNodeAffinity`, release 1.36.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from kexplain.objects.apps import DaemonSet
from kexplain.objects.core import (
    Affinity,
    Node,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
)
from kexplain.objects.node_pools import fresh_node
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import NO_EXECUTE, REPELLING_EFFECTS
from kexplain.objects.tolerations import untolerated_taints

_NAME = "metadata.name"


class DaemonNodes:
    """Which nodes are to have a pod, and which may keep theirs.

    `pod` is one without a pin, with the tolerations that the controller adds.
    """

    def __init__(self, pod: Pod, nodes: Iterable[Node]) -> None:
        self._pod = pod
        self._node_by_name = {node.name: node for node in nodes}
        self._required = RequiredNodeAffinity.of(pod)
        self.wanted = {name: None for name, node in self._node_by_name.items() if self._takes(node, REPELLING_EFFECTS)}

    def may_stay(self, node_name: str) -> bool:
        """Whether a pod that is on the node, or waits for it, is left there."""
        node = self._node_by_name.get(node_name)
        return node is not None and self._takes(node, frozenset({NO_EXECUTE}))

    def pod_for(self, node_name: str) -> Pod:
        """The pod for a node, pinned there."""
        metadata = replace(self._pod.metadata, name=f"{self._pod.name}-{node_name}")
        spec = replace(self._pod.spec, affinity=_pinned(self._pod.spec.affinity, node_name))
        return replace(self._pod, metadata=metadata, spec=spec)

    def _takes(self, node: Node, effects: frozenset[str]) -> bool:
        pod = self._pod
        repelling = untolerated_taints(node.spec.taints or (), pod.spec.tolerations or (), effects)
        return not repelling and self._required.matches(node) and pod.spec.node_name in (None, "", node.name)


def daemon_pods(pod: Pod, nodes: Iterable[Node]) -> Iterator[tuple[Node, Pod]]:
    """Each node that the controller makes a pod for, and that pod; see DaemonNodes."""
    every = list(nodes)
    found = DaemonNodes(pod, every)
    yield from ((node, found.pod_for(node.name)) for node in every if node.name in found.wanted)


def pods_of_daemon_sets(node: Node, daemon_sets: Iterable[DaemonSet], running: Iterable[Pod]) -> list[Pod]:
    """A pod of each DaemonSet with `running` pods that would run on the node, were it fresh.

    A running pod is pinned to its own node: which others it may run on, the template of its DaemonSet says.
    """
    templates = {obj.key: obj.spec.template for obj in daemon_sets}
    pods: dict[str, Pod] = {}
    for pod in running:
        owner = pod.metadata.controller
        if owner is not None and owner.kind == "DaemonSet":
            pods.setdefault(f"{pod.namespace}/{owner.name}", pod)
    found = []
    for key, pod in pods.items():
        template = templates.get(key)
        affinity = template.spec.affinity if template else None
        free = replace(pod, spec=replace(pod.spec, affinity=affinity, node_name=None))
        found += [pod for _ in daemon_pods(free, [fresh_node(node, node.name)])]
    return found


def pinned_node(pod: Pod) -> str:
    """The node that a daemon pod is on or waits for; empty if nothing says so."""
    if pod.spec.node_name:
        return pod.spec.node_name
    fields = (field for term in pod.spec.required_node_terms for field in term.match_fields or ())
    return next((field.values[0] for field in fields if field.key == _NAME and field.values), "")


def _pinned(affinity: Affinity | None, node_name: str) -> Affinity:
    """The affinity with the node's name as the only required node affinity."""
    field = NodeSelectorRequirement(key=_NAME, operator="In", values=(node_name,))
    selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(field,)),))
    affinity = affinity or Affinity()
    return replace(affinity, node_affinity=replace(affinity.node_affinity or NodeAffinity(), required=selector))
