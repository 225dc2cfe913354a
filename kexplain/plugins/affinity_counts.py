"""What InterPodAffinity counts: placed pods by topology domain, as a pod's own terms match them."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain

from kexplain.cluster import AffinityTerm, Cluster, PodInfo
from kexplain.cluster.placed_pods import PairCounts, bump
from kexplain.cluster.pod_info import AffinityTerms
from kexplain.framework.status import Rejections, Status
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Labels


class MatchingPods:
    """How many placed pods a pod's required terms match, by topology key and domain; a tally."""

    def __init__(self, terms: AffinityTerms, cluster: Cluster) -> None:
        self._terms = terms
        self.affinity: PairCounts = {}
        self.anti: PairCounts = {}
        # Who matches all the terms of one kind is among those who match the first.
        for term in terms.required[:1]:
            for pod_info, node in _matching(term, cluster):
                count_all(self.affinity, terms.required, pod_info.pod, node, 1)
        for term in terms.required_anti:
            for _, node in _matching(term, cluster):
                _bump(self.anti, node, term.topology_key, 1)
        self._rejections = Rejections()
        #: The nodes that these are about, and the domains whose counts have changed since.
        self._nodes_key: Hashable = None
        self._changed: set[tuple[str, str]] = set()

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count a pod that came or went."""
        count_all(self.affinity, self._terms.required, pod_info.pod, node, sign)
        for term in self._terms.required_anti:
            domain = node.labels.get(term.topology_key)
            if domain is not None and term.matches(pod_info.pod, {}):
                bump(self.anti, (term.topology_key, domain), sign)
                self._changed.add((term.topology_key, domain))

    def rejections(self, cluster: Cluster, objection: Callable[[Labels], Status | None], plugin: str) -> Rejections:
        """The plugin's objection to each node in domains with pods that are to be away; it goes by `anti` alone."""
        if self._nodes_key is not cluster.nodes_key:
            self._nodes_key, self._rejections, self._changed = cluster.nodes_key, Rejections(), {*self.anti}
        by_node = self._rejections.by_node
        pairs = (cluster.names_by_label(key).get(domain, ()) for key, domain in self._changed)
        for name in dict.fromkeys(chain.from_iterable(pairs)):
            self._rejections.touched.append(name)
            status = objection(cluster.node_info_by_name[name].labels)
            if status is None:
                by_node.pop(name, None)
            else:
                by_node[name] = status.by(plugin)
        self._changed = set()
        return self._rejections


class PodsByDomain:
    """How many placed pods one term matches, by topology key and domain; a tally."""

    def __init__(self, term: AffinityTerm, cluster: Cluster) -> None:
        self._term = term
        self.counts: PairCounts = {}
        for _, node in _matching(term, cluster):
            _bump(self.counts, node, term.topology_key, 1)

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count a pod that came or went."""
        if self._term.matches(pod_info.pod, {}):
            _bump(self.counts, node, self._term.topology_key, sign)


def _matching(term: AffinityTerm, cluster: Cluster) -> Iterator[tuple[PodInfo, Node]]:
    """The placed pods that the term is about; its namespaces are written out."""
    anywhere = term.namespace_selector.matches({})
    return cluster.placed_pods.matching(term.selector, None if anywhere else term.namespaces)


def matches_all(terms: Sequence[AffinityTerm], pod: Pod) -> bool:
    """Whether the pod is what all the terms are about; false without terms."""
    return bool(terms) and all(term.matches(pod, {}) for term in terms)


def matches_any(terms: Sequence[AffinityTerm], pod: Pod) -> bool:
    """Whether the pod is what one of the terms is about."""
    return any(term.matches(pod, {}) for term in terms)


def _bump(counts: PairCounts, node: Node, topology_key: str, delta: int) -> None:
    domain = node.labels.get(topology_key)
    if domain is not None:
        bump(counts, (topology_key, domain), delta)


def count_all(counts: PairCounts, terms: Sequence[AffinityTerm], pod: Pod, node: Node, delta: int) -> None:
    """Count the pod under every term if it matches all of them."""
    if matches_all(terms, pod):
        for term in terms:
            _bump(counts, node, term.topology_key, delta)


def count_each(
    counts: PairCounts, terms: Sequence[AffinityTerm], pod: Pod, namespace_labels: Labels, node: Node, delta: int
) -> None:
    """Count the pod under each term that it matches."""
    for term in terms:
        if term.matches(pod, namespace_labels):
            _bump(counts, node, term.topology_key, delta)
