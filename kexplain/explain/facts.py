"""Evidence as published facts; looks up in the cluster what a filter had no need to know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import assert_never

from kexplain.cluster import AffinityTerm, Cluster, NodeInfo
from kexplain.explain.device_facts import device_fact
from kexplain.explain.policy_wording import policy_fact
from kexplain.explain.records import (
    AffinityFact,
    AntiAffinityFact,
    AnyFact,
    CordonFact,
    ExistingAntiAffinityFact,
    LeftOutFact,
    NodeNameFact,
    NodeSelectorFact,
    PortFact,
    ResourceFact,
    SkewFact,
    TaintFact,
    TopologyLabelFact,
)
from kexplain.explain.storage_facts import StorageFactFinder
from kexplain.framework.device_evidence import AboutDevices
from kexplain.framework.evidence import (
    AffinityUnmatched,
    AntiAffinityMatched,
    Cordoned,
    Evidence,
    ExistingAntiAffinity,
    InsufficientResource,
    LeftOutByExtender,
    MissingTopologyLabel,
    NodeLabelsMismatch,
    OtherNodeName,
    PortInUse,
    SkewExceeded,
    UntoleratedTaints,
)
from kexplain.framework.policy_evidence import AboutPolicies
from kexplain.framework.status import Status
from kexplain.framework.storage_evidence import AboutStorage
from kexplain.objects.core import Pod, Taint

#: What admission makes every pod tolerate.
DEFAULT_TOLERATION_KEYS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
#: How many pods are named as examples.
EXAMPLES = 5


class FactFinder:
    """Turns a pod's evidence into facts; what it has to search the whole cluster for, it searches once."""

    def __init__(self, pod: Pod, cluster: Cluster) -> None:
        self._pod = pod
        self._cluster = cluster
        self._storage = StorageFactFinder(cluster)
        self._pods_by_term: dict[AffinityTerm, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._examples: dict[tuple[AffinityTerm | str, str], tuple[str, ...]] = {}
        self._node_infos_by_domain: dict[str, dict[str, list[NodeInfo]]] = {}

    def facts(self, status: Status, node_info: NodeInfo) -> tuple[AnyFact, ...]:
        """The facts behind one plugin's rejection of one node."""
        return tuple(fact for evidence in status.evidence for fact in self._facts(evidence, node_info))

    def _facts(self, evidence: Evidence, node_info: NodeInfo) -> Iterator[AnyFact]:  # noqa: C901, PLR0912 - a branch a kind of evidence
        match evidence:
            case InsufficientResource():
                yield ResourceFact(
                    resource=evidence.resource,
                    requested=evidence.requested,
                    free=evidence.free,
                    allocatable=evidence.allocatable,
                    used=evidence.used,
                )
            case UntoleratedTaints():
                for taint in evidence.taints:
                    miss = _near_miss(self._pod, taint)
                    yield TaintFact(key=taint.key, value=taint.value or "", effect=taint.effect, near_miss=miss)
            case Cordoned():
                yield CordonFact()
            case OtherNodeName():
                yield NodeNameFact(wanted=evidence.wanted)
            case NodeLabelsMismatch():
                yield from _selector_facts(evidence, node_info)
            case PortInUse():
                yield PortFact(
                    port=evidence.wanted.port,
                    protocol=evidence.wanted.protocol,
                    host_ip=evidence.wanted.ip,
                    held_by=tuple(p.pod.key for p in node_info.pods if evidence.in_use in p.host_ports),
                )
            case MissingTopologyLabel():
                yield TopologyLabelFact(topology_key=evidence.topology_key)
            case SkewExceeded():
                yield _skew_fact(evidence)
            case AffinityUnmatched() | AntiAffinityMatched() | ExistingAntiAffinity():
                yield self._about_other_pods(evidence)
            case LeftOutByExtender():
                yield LeftOutFact()
            case AboutStorage():
                yield self._storage.fact(evidence, node_info)
            case AboutPolicies():
                yield policy_fact(evidence)
            case AboutDevices():
                yield device_fact(evidence, self._pod)
            case _:
                assert_never(evidence)

    def _about_other_pods(
        self, evidence: AffinityUnmatched | AntiAffinityMatched | ExistingAntiAffinity
    ) -> AffinityFact | AntiAffinityFact | ExistingAntiAffinityFact:
        match evidence:
            case AffinityUnmatched():
                return self._affinity_fact(evidence)
            case AntiAffinityMatched():
                return self._anti_affinity_fact(evidence)
            case ExistingAntiAffinity():
                return self._existing_fact(evidence)

    def _affinity_fact(self, evidence: AffinityUnmatched) -> AffinityFact:
        term = evidence.term
        if term not in self._pods_by_term:
            self._pods_by_term[term] = self._find(term)
        elsewhere, in_other_namespaces = self._pods_by_term[term]
        return AffinityFact(
            topology_key=term.topology_key,
            domain=evidence.domain,
            selector=str(term.selector),
            namespaces=tuple(sorted(term.namespaces)),
            found_elsewhere=elsewhere,
            found_in_other_namespaces=in_other_namespaces,
        )

    def _find(self, term: AffinityTerm) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A few pods that the term is about, and a few that only miss it by their namespace."""
        selected = [
            pod_info.pod
            for node_info in self._cluster.node_infos
            for pod_info in node_info.pods
            if term.selector.matches(pod_info.pod.labels)
        ]
        matching = [pod.key for pod in selected if term.matches(pod, {})]
        others = [pod.key for pod in selected if not term.matches(pod, {})]
        return tuple(matching[:EXAMPLES]), tuple(others[:EXAMPLES])

    def _anti_affinity_fact(self, evidence: AntiAffinityMatched) -> AntiAffinityFact:
        term = evidence.term
        place = (term, evidence.domain)
        if place not in self._examples:
            pods = (
                pod_info.pod.key
                for node_info in self._in_domain(term.topology_key, evidence.domain)
                for pod_info in node_info.pods
                if term.matches(pod_info.pod, {})
            )
            self._examples[place] = tuple(islice(pods, EXAMPLES))
        return AntiAffinityFact(
            topology_key=term.topology_key,
            domain=evidence.domain,
            selector=str(term.selector),
            matching=evidence.matching,
            pods=self._examples[place],
        )

    def _existing_fact(self, evidence: ExistingAntiAffinity) -> ExistingAntiAffinityFact:
        place = (evidence.topology_key, evidence.domain)
        if place not in self._examples:
            self._examples[place] = tuple(islice(self._repelling_pods(*place), EXAMPLES))
        return ExistingAntiAffinityFact(
            topology_key=evidence.topology_key,
            domain=evidence.domain,
            matching=evidence.matching,
            pods=self._examples[place],
        )

    def _repelling_pods(self, topology_key: str, domain: str) -> Iterator[str]:
        labels = self._cluster.listers.namespace_labels.get(self._pod.namespace, {})
        for node_info in self._in_domain(topology_key, domain):
            for pod_info in node_info.pods_with_required_anti_affinity:
                terms = pod_info.terms.required_anti
                if any(t.topology_key == topology_key and t.matches(self._pod, labels) for t in terms):
                    yield pod_info.pod.key

    def _in_domain(self, topology_key: str, domain: str) -> list[NodeInfo]:
        if topology_key not in self._node_infos_by_domain:
            by_domain: dict[str, list[NodeInfo]] = {}
            for node_info in self._cluster.node_infos:
                if topology_key in node_info.node.labels:
                    by_domain.setdefault(node_info.node.labels[topology_key], []).append(node_info)
            self._node_infos_by_domain[topology_key] = by_domain
        return self._node_infos_by_domain[topology_key].get(domain, [])


def _near_miss(pod: Pod, taint: Taint) -> str:
    """The toleration of the same key that does not fit the taint; empty if there is none."""
    for toleration in pod.spec.tolerations or ():
        # Every pod tolerates these two for a while: it says nothing about what was meant.
        if toleration.key == taint.key and taint.key not in DEFAULT_TOLERATION_KEYS:
            value = f"={toleration.value}" if toleration.value else ""
            effect = f":{toleration.effect}" if toleration.effect else ""
            return f"{toleration.key}{value}{effect}"
    return ""


def _selector_facts(evidence: NodeLabelsMismatch, node_info: NodeInfo) -> Iterator[NodeSelectorFact]:
    unmet = [(0, requirement) for requirement in evidence.unmet_labels]
    unmet += [
        (number, requirement)
        for number, (_, requirements) in enumerate(evidence.unmet_terms, start=1)
        for requirement in requirements
    ]
    if not unmet:
        expression = "required affinity without any term that could match"
        yield NodeSelectorFact(term=1, expression=expression, key="", actual=None)
    for term, requirement in unmet:
        is_name = requirement.key == "metadata.name"
        actual = node_info.name if is_name else node_info.node.labels.get(requirement.key)
        yield NodeSelectorFact(
            term=term,
            expression=str(requirement),
            key=requirement.key,
            actual=actual,
            enforced_by_scheduler=evidence.enforced,
        )


def _skew_fact(evidence: SkewExceeded) -> SkewFact:
    return SkewFact(
        topology_key=evidence.topology_key,
        domain=evidence.domain,
        selector=str(evidence.selector),
        matching=evidence.matching,
        self_match=evidence.own,
        minimum=evidence.minimum,
        minimum_domain=evidence.minimum_domain,
        max_skew=evidence.max_skew,
        skew=evidence.skew,
        domains=evidence.domains,
        min_domains=evidence.min_domains,
    )
