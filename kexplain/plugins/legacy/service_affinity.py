"""Pods of a service kept on nodes alike, or spread over unlike ones. Source: `plugins/serviceaffinity` of 1.22."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.evidence.policies import ServiceAffinityUnmatched
from kexplain.framework.plugin import MAX_NODE_SCORE, PreFiltered
from kexplain.framework.signing import Signature, encoded
from kexplain.framework.status import Status, unschedulable
from kexplain.grouping import counted
from kexplain.objects.core import Node, Pod
from kexplain.objects.selectors import Selector, selector_from_labels
from kexplain.plugins.default_selector import services_of


class ServicePods(Struct):
    """Placed pods that carry all labels of the pod, with their nodes; only the list changes in a dry run."""

    placed: list[tuple[Pod, Node]]
    selector: Selector
    has_service: bool


class ServiceSpread(Struct, frozen=True):
    """What pods to count, and the nodes to look up labels of."""

    selector: Selector
    node_infos: Mapping[str, NodeInfo]


class ServiceAffinity:
    """Turns away nodes unlike that of the service's first pod, and prefers those with few of its pods."""

    name = "ServiceAffinity"
    missing_state = 'error reading "PreFilterServiceAffinity" from cycleState: not found'

    def __init__(self, affinity_labels: Sequence[str] = (), anti_affinity_labels: Sequence[str] = ()) -> None:
        """Keys of node labels: those that a service's pods share, and those that they are spread over."""
        self._affinity = affinity_labels
        self._anti_affinity = anti_affinity_labels

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """All labels of the pod, as it looks for others that have them, and the labels of nodes that it asks for."""
        return Signature((pod.namespace, encoded((pod.labels, pod.spec.node_selector))))

    # -------------------------------------------------------------------------------------------- filtering

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[ServicePods]:
        """The pods that may pin this one."""
        selector = selector_from_labels(pod.labels)
        placed = [
            (pod_info.pod, node_info.node)
            for node_info in cluster.node_infos
            for pod_info in node_info.pods
            if self._affinity and pod_info.pod.namespace == pod.namespace and selector.matches(pod_info.pod.labels)
        ]
        return PreFiltered(ServicePods(placed, selector, bool(services_of(pod, cluster.listers))))

    def clone(self, state: ServicePods) -> ServicePods:
        """A copy; the selector never changes."""
        return ServicePods(state.placed.copy(), state.selector, state.has_service)

    def count_pod(self, pod: Pod, state: ServicePods, other: PodInfo, node_info: NodeInfo, change: int) -> None:
        """One that comes is the last, and the others keep their order."""
        if change < 0:
            state.placed = [(placed, node) for placed, node in state.placed if placed is not other.pod]
        elif other.pod.namespace == pod.namespace and state.selector.matches(other.pod.labels):
            state.placed.append((other.pod, node_info.node))

    def filter(self, pod: Pod, state: ServicePods, node_info: NodeInfo) -> Status | None:
        """None if the node has the labels that the pod's node selector or a pod of its service asks for."""
        chosen = pod.spec.node_selector or {}
        wanted = {key: chosen[key] for key in self._affinity if key in chosen}
        pinned_by, pinned_on = "", ""
        if len(wanted) < len(self._affinity) and state.has_service and state.placed:
            other, node = state.placed[0]
            pinned_by, pinned_on = other.key, node.name
            wanted = {key: node.labels[key] for key in self._affinity if key in node.labels} | wanted
        labels = node_info.node.labels
        unmet = tuple((key, value) for key, value in wanted.items() if labels.get(key) != value)
        if not unmet:
            return None
        by = {key: ("", "") if key in chosen else (pinned_by, pinned_on) for key, _ in unmet}
        evidence = (ServiceAffinityUnmatched(key, value, labels.get(key), *by[key]) for key, value in unmet)
        return unschedulable("node(s) didn't match service affinity", *evidence)

    # ---------------------------------------------------------------------------------------------- scoring

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> ServiceSpread:
        """The pods of the first service."""
        services = services_of(pod, cluster.listers)
        selector = selector_from_labels((services[0].spec.selector or {}) if services else {})
        return ServiceSpread(selector, {node_info.name: node_info for node_info in node_infos})

    def score(self, pod: Pod, state: ServiceSpread, node_info: NodeInfo) -> int:
        """How many pods of the service run on the node."""
        if state.selector.is_empty:
            return 0
        there = (each.pod for each in node_info.pods if each.pod.metadata.deletion_timestamp is None)
        return sum(each.namespace == pod.namespace and state.selector.matches(each.labels) for each in there)

    def normalize(self, state: ServiceSpread, scores: Mapping[str, int]) -> dict[str, int]:
        """The share of the service's pods outside the node's domain, on average over the labels; 0 without any."""
        pods = sum(scores.values())
        result = dict.fromkeys(scores, 0.0)
        for key in self._anti_affinity:
            value_by_node = {
                name: value for name in scores if (value := state.node_infos[name].node.labels.get(key)) is not None
            }
            counts = counted((value, scores[name]) for name, value in value_by_node.items())
            for name, value in value_by_node.items():
                share = (pods - counts[value]) / pods if pods else 1.0
                result[name] += MAX_NODE_SCORE * share / len(self._anti_affinity)
        return {name: int(score) for name, score in result.items()}
