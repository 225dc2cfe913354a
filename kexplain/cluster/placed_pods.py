"""The pods on nodes, found by namespace and label, and counted by topology domain."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeAlias, TypeVar

from kexplain.cluster.node_info import NodeInfo
from kexplain.cluster.pod_info import AffinityTerm, AffinityTerms, PodInfo
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Labels, OwnerReference
from kexplain.objects.selectors import Selector
from kexplain.objects.well_known import POD_TEMPLATE_HASH, ROLLOUTS_POD_TEMPLATE_HASH

#: What counts are by: a domain, or a topology key and a domain.
Domain = TypeVar("Domain", str, tuple[str, str])
_NodeByPod = dict[PodInfo, Node]
#: The namespace, kind and name of a workload, and what says which has made a pod.
Maker: TypeAlias = tuple[str, str | None, str]
_MAKER_FIELDS = ("metadata.namespace", "metadata.labels", "metadata.ownerReferences")
#: Counts by topology key and domain.
PairCounts = dict[tuple[str, str], int]


def maker(pod: Pod) -> Maker | None:
    """The namespace, kind and name of what makes the pod; the replica sets of a deployment count as one."""
    owner = pod.metadata.controller
    return None if owner is None else maker_by(pod, owner)


def maker_by(pod: Pod, owner: OwnerReference) -> Maker:
    """The same of a pod that has this controller."""
    labels = pod.labels
    template_hash = labels.get(POD_TEMPLATE_HASH) or labels.get(ROLLOUTS_POD_TEMPLATE_HASH)
    return pod.namespace, owner.kind, (owner.name or "").removesuffix(f"-{template_hash}")


def _name(pod_info: PodInfo) -> str:
    return pod_info.pod.name


def _maker(pod_info: PodInfo) -> Maker | None:
    return maker(pod_info.partly(_MAKER_FIELDS))


class _PodsOfNamespace:
    """The pods of one namespace; by name or maker, or by a label, only once that has been asked for."""

    __slots__ = ("_by", "by_label", "every")

    def __init__(self) -> None:
        self.every: _NodeByPod = {}
        self.by_label: dict[str, dict[str, _NodeByPod]] = {}
        self._by: dict[Callable[[PodInfo], Hashable], dict[Hashable, _NodeByPod]] = {}

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        _note(self.every, pod_info, node, sign)
        for read, pods in self._by.items():
            _note(pods.setdefault(read(pod_info), {}), pod_info, node, sign)
        for key, by_value in self.by_label.items():
            value = pod_info.labels.get(key)
            if value is not None:
                _note(by_value.setdefault(value, {}), pod_info, node, sign)

    def of(self, read: Callable[[PodInfo], Hashable], value: Hashable) -> _NodeByPod:
        """The pods of which that value is read."""
        pods = self._by.get(read)
        if pods is None:
            pods = self._by[read] = {}
            for pod_info, node in self.every.items():
                pods.setdefault(read(pod_info), {})[pod_info] = node
        return pods.get(value, {})

    def candidates(self, selector: Selector) -> _NodeByPod:
        """All that the selector can match, and perhaps others."""
        if not selector.equal:
            return self.every
        key, value = selector.equal[0]
        by_value = self.by_label.get(key)
        if by_value is None:
            by_value = self.by_label[key] = {}
            for pod_info, node in self.every.items():
                carried = pod_info.labels.get(key)
                if carried is not None:
                    by_value.setdefault(carried, {})[pod_info] = node
        return by_value.get(value, {})


def _note(pods: _NodeByPod, pod_info: PodInfo, node: Node, sign: int) -> None:
    if sign > 0:
        pods[pod_info] = node
    else:
        del pods[pod_info]


class PlacedPods:
    """All pods on nodes; a tally."""

    def __init__(self, node_infos: Iterable[NodeInfo]) -> None:
        self._by_namespace: dict[str, _PodsOfNamespace] = {}
        for node_info in node_infos:
            node = node_info.node
            for pod_info in node_info.pods:
                self._of(pod_info.namespace).every[pod_info] = node

    def _of(self, namespace: str) -> _PodsOfNamespace:
        pods = self._by_namespace.get(namespace)
        if pods is None:
            pods = self._by_namespace[namespace] = _PodsOfNamespace()
        return pods

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Note a pod that came or went."""
        self._of(pod_info.namespace).count(pod_info, node, sign)

    def named(self, namespace: str, name: str) -> PodInfo | None:
        """The pod of that name, if it is on a node."""
        pods = self._by_namespace.get(namespace)
        # One, but for pods that are tried beside themselves.
        return next(iter(pods.of(_name, name)), None) if pods else None

    def made_by(self, what: Maker) -> Mapping[PodInfo, Node]:
        """The pods that a workload has made, each with its node."""
        pods = self._by_namespace.get(what[0])
        return pods.of(_maker, what) if pods else {}

    def node_of(self, pod: Pod) -> Node | None:
        """The node that the pod is on, if it is on one."""
        pods = self._by_namespace.get(pod.namespace)
        found = pods.of(_name, pod.name).items() if pods else ()
        return next((node for pod_info, node in found if pod_info.pod is pod), None)

    def matching(self, selector: Selector, namespaces: Iterable[str] | None) -> Iterator[tuple[PodInfo, Node]]:
        """The pods of these namespaces (None: of all) that the selector matches, in no order."""
        if selector.requirements is None:
            return
        among = self._by_namespace if namespaces is None else namespaces
        for pods in [self._by_namespace[name] for name in among if name in self._by_namespace]:
            for pod_info, node in pods.candidates(selector).items():
                if selector.matches(pod_info.labels):
                    yield pod_info, node


class LeavingPods:
    """The pods that are being deleted on each node that has such, by `namespace/name`; a tally."""

    def __init__(self, node_infos: Iterable[NodeInfo]) -> None:
        self.on_nodes: dict[str, dict[str, Pod]] = {}
        for node_info in node_infos:
            for pod_info in node_info.pods:
                if pod_info.is_leaving:
                    self.count(pod_info, node_info.node, 1)

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Note a pod that came or went."""
        if not pod_info.is_leaving:
            return
        pod = pod_info.pod
        pods = self.on_nodes.setdefault(node.name, {})
        pods.pop(pod.key, None)
        if sign > 0:
            pods[pod.key] = pod
        elif not pods:
            del self.on_nodes[node.name]


class PodsByDomain:
    """How many pods there are by domain, of those that count; a tally. Domains without any are missing."""

    def __init__(
        self, domain_by_node: Mapping[str, str], counts: Callable[[PodInfo], bool], pods: Iterable[tuple[PodInfo, Node]]
    ) -> None:
        """`pods` are at least those that count already; nodes without a domain are missing."""
        self._domain_by_node = domain_by_node
        self._counts = counts
        self.count_by_domain: dict[str, int] = {}
        for pod_info, node in pods:
            self.count(pod_info, node, 1)

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count a pod that came or went."""
        domain = self._domain_by_node.get(node.name)
        if domain is not None and self._counts(pod_info):
            bump(self.count_by_domain, domain, sign)


class _CountedTerm:
    __slots__ = ("counts", "term", "weight")

    def __init__(self, term: AffinityTerm, weight: int) -> None:
        self.term = term
        self.weight = weight
        self.counts: PairCounts = {}


#: The kind of terms that keep other pods away.
REPELLING = "required anti"


class PlacedTerms:
    """One kind of affinity term of all pods on nodes, found by the labels that it asks for; a tally.

    Replicas share their terms, so each is looked at once, however many pods have it.
    """

    def __init__(
        self, node_infos: Iterable[NodeInfo], terms_of: Callable[[AffinityTerms], Iterable[tuple[AffinityTerm, int]]]
    ) -> None:
        self._terms_of = terms_of
        self._by_label: dict[tuple[str, str] | None, dict[int, _CountedTerm]] = {}
        for node_info in node_infos:
            for pod_info in node_info.pods_with_affinity:
                self.count(pod_info, node_info.node, 1)

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count the terms of a pod that came or went, in the node's domains."""
        for term, weight in self._terms_of(pod_info.terms):
            domain = node.labels.get(term.topology_key)
            if domain is not None:
                equal = term.selector.equal
                terms = self._by_label.setdefault(equal[0] if equal else None, {})
                counted = terms.get(id(term))
                if counted is None:
                    counted = terms[id(term)] = _CountedTerm(term, weight)
                bump(counted.counts, (term.topology_key, domain), sign)

    def about(self, pod: Pod, namespace_labels: Labels) -> Iterator[tuple[AffinityTerm, int, PairCounts]]:
        """The terms that are about this pod, whose namespace carries these labels: weight, and pods by domain."""
        buckets = (self._by_label.get(label) for label in (*pod.labels.items(), None))
        for counted in chain.from_iterable(bucket.values() for bucket in buckets if bucket):
            if counted.counts and counted.term.matches(pod, namespace_labels):
                yield counted.term, counted.weight, counted.counts


def bump(counts: dict[Domain, int], domain: Domain, delta: int) -> None:
    """Add to a domain's count; one that comes to nothing goes."""
    count = counts.get(domain, 0) + delta
    if count:
        counts[domain] = count
    else:
        counts.pop(domain, None)
