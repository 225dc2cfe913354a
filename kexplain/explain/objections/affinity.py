"""Objections because of the pods that run near by: affinity and anti-affinity."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from kexplain.cluster import AffinityTerm, Cluster, NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact, copied
from kexplain.explain.wording import a_pod, pods_of
from kexplain.framework.evidence import AffinityUnmatched, AntiAffinityMatched, ExistingAntiAffinity
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import plural, some

#: How many pods a fact names as examples.
EXAMPLES = 5
#: How many of them words name.
SHOWN = 4


class AffinityFact(Fact, frozen=True, tag="AffinityUnmatched"):
    """No pod that a required affinity term asks for runs in the node's domain.

    `domain` is null where the node is in none. `found_elsewhere` are such pods in other domains, and
    `found_in_other_namespaces` pods that only miss the term by their namespace; a few of each.
    """

    topology_key: str
    domain: str | None
    selector: str
    namespaces: tuple[str, ...]
    found_elsewhere: tuple[str, ...] = ()
    found_in_other_namespaces: tuple[str, ...] = ()


class Affinities(Objection[AffinityUnmatched, AffinityFact]):
    """No pod runs near by that the pod must be near to."""

    fields = (("affinity", "podAffinity"),)
    same = ("topology_key", "selector")

    def facts(self, evidence: AffinityUnmatched, node_info: NodeInfo, lookup: Lookup) -> Iterator[AffinityFact]:
        term = evidence.term
        elsewhere, in_other_namespaces = lookup.found(("such pods", term), lambda: _such_pods(term, lookup.cluster))
        yield AffinityFact(
            topology_key=term.topology_key,
            domain=evidence.domain,
            selector=str(term.selector),
            namespaces=tuple(sorted(term.namespaces)),
            found_elsewhere=elsewhere,
            found_in_other_namespaces=in_other_namespaces,
        )

    def words(self, fact: AffinityFact) -> str:
        if fact.domain is None:
            return f"needs {a_pod(fact.selector)}, but has no label {fact.topology_key}"
        return f"needs {a_pod(fact.selector)}{_beyond_node(fact.topology_key, fact.domain) or ' on this node'}"

    def words_for_all(self, facts_by_node: Mapping[str, AffinityFact]) -> str:
        """What is not there, and where it is instead."""
        fact = next(iter(facts_by_node.values()))
        text = f"needs {a_pod(fact.selector)} in the same {fact.topology_key}"
        if fact.found_elsewhere:
            return f"{text}; such pods run elsewhere: {some(fact.found_elsewhere, SHOWN)}"
        namespaces = some(fact.namespaces) or "any namespace"
        if fact.found_in_other_namespaces:
            others = some(fact.found_in_other_namespaces, SHOWN)
            return f"{text}; none runs in {namespaces}, but in other namespaces: {others}"
        return f"{text}; none runs in {namespaces}"


def _such_pods(term: AffinityTerm, cluster: Cluster) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A few pods that the term is about, and a few that only miss it by their namespace."""
    selected = [pod for pod in cluster.pods if term.selector.matches(pod.labels)]
    matching = [pod.key for pod in selected if term.matches(pod, {})]
    others = [pod.key for pod in selected if not term.matches(pod, {})]
    return tuple(matching[:EXAMPLES]), tuple(others[:EXAMPLES])


class AntiAffinityFact(Fact, frozen=True, tag="AntiAffinityMatched"):
    """Pods that the pod must be away from run in the node's domain."""

    topology_key: str
    domain: str
    selector: str
    matching: int
    pods: tuple[str, ...]


class AntiAffinities(Objection[AntiAffinityMatched, AntiAffinityFact]):
    """Pods run near by that the pod must be away from."""

    fields = (("affinity", "podAntiAffinity"),)
    same = ("topology_key", "selector")

    def facts(self, evidence: AntiAffinityMatched, node_info: NodeInfo, lookup: Lookup) -> Iterator[AntiAffinityFact]:
        """The term, with such pods in the domain.

        The filter counts the pods of all terms over a key together, and names the first of these terms.
        """
        key, domain = evidence.term.topology_key, evidence.domain

        def search() -> tuple[AffinityTerm, tuple[str, ...]]:
            for term in lookup.cluster.pod_info(lookup.pod).terms.required_anti:
                near = (info.pod for each in _in_domain(key, domain, lookup) for info in each.pods)
                found = islice((pod.key for pod in near if term.matches(pod, {})), EXAMPLES)
                if term.topology_key == key and (pods := tuple(found)):
                    return term, pods
            return evidence.term, ()

        term, pods = lookup.found(("matching", key, domain), search)
        yield AntiAffinityFact(
            topology_key=key, domain=domain, selector=str(term.selector), matching=evidence.matching, pods=pods
        )

    def words(self, fact: AntiAffinityFact) -> str:
        pods = _counted(fact.pods, fact.matching)
        return f"must be away from {pods} ({pods_of(fact.selector)}){_beyond_node(fact.topology_key, fact.domain)}"

    def words_for_all(self, facts_by_node: Mapping[str, AntiAffinityFact]) -> str:
        fact = next(iter(facts_by_node.values()))
        return f"must not share {fact.topology_key} with {pods_of(fact.selector)}: {_examples(facts_by_node)}"


class ExistingAntiAffinityFact(Fact, frozen=True, tag="ExistingAntiAffinity"):
    """Pods in the node's domain must be away from this pod."""

    topology_key: str
    domain: str
    matching: int
    pods: tuple[str, ...]


class ExistingAntiAffinities(Objection[ExistingAntiAffinity, ExistingAntiAffinityFact]):
    """Pods run near by that must be away from the pod."""

    fields = (("affinity", "podAntiAffinity"), ("affinity", "podAffinity"))
    same = ("topology_key",)

    def facts(
        self, evidence: ExistingAntiAffinity, node_info: NodeInfo, lookup: Lookup
    ) -> Iterator[ExistingAntiAffinityFact]:
        place = (evidence.topology_key, evidence.domain)
        pods = lookup.found(("repelling", place), lambda: tuple(islice(_repelling(*place, lookup), EXAMPLES)))
        yield copied(evidence, ExistingAntiAffinityFact, pods=pods)

    def words(self, fact: ExistingAntiAffinityFact) -> str:
        pods = _counted(fact.pods, fact.matching)
        return f"anti-affinity of {pods}{_beyond_node(fact.topology_key, fact.domain)}"

    def words_for_all(self, facts_by_node: Mapping[str, ExistingAntiAffinityFact]) -> str:
        fact = next(iter(facts_by_node.values()))
        return f"anti-affinity of running pods over {fact.topology_key}: {_examples(facts_by_node)}"


def _repelling(topology_key: str, domain: str, lookup: Lookup) -> Iterator[str]:
    labels = lookup.cluster.listers.namespace_labels.get(lookup.pod.namespace, {})
    for node_info in _in_domain(topology_key, domain, lookup):
        for pod_info in node_info.pods_with_required_anti_affinity:
            terms = pod_info.terms.required_anti
            if any(t.topology_key == topology_key and t.matches(lookup.pod, labels) for t in terms):
                yield pod_info.pod.key


def _in_domain(topology_key: str, domain: str, lookup: Lookup) -> Iterator[NodeInfo]:
    names = lookup.cluster.names_by_label(topology_key).get(domain, ())
    return map(lookup.cluster.node_info_by_name.__getitem__, names)


def _examples(facts_by_node: Mapping[str, AntiAffinityFact] | Mapping[str, ExistingAntiAffinityFact]) -> str:
    return some(list(dict.fromkeys(pod for fact in facts_by_node.values() for pod in fact.pods)), SHOWN)


def _counted(names: Sequence[str], count: int) -> str:
    if not names:
        return plural(count, "pod")
    return ", ".join(names) + (f" and {count - len(names)} more" if count > len(names) else "")


def _beyond_node(key: str, domain: str) -> str:
    return "" if key == HOSTNAME else f" in {key}={domain}"
