"""Objections because pods would be spread unevenly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain import edits
from kexplain.explain.objections.objection import Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.explain.wording import pods_of
from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.objects.core import Pod, TopologySpreadConstraint
from kexplain.words import joined, some

#: Labels that tell the pods of one revision of a workload from those of another.
_PER_REVISION = ("pod-template-hash", "controller-revision-hash")


class SkewFact(Fact, frozen=True, tag="SkewExceeded"):
    """The domain would have too many of the matching pods: `matching + self - minimum > maxSkew`."""

    topology_key: str
    domain: str
    selector: str
    matching: int
    self_match: int
    minimum: int
    minimum_domain: str | None
    max_skew: int
    skew: int
    domains: int
    min_domains: int


class Skews(Objection[SkewExceeded, SkewFact]):
    """Pods would be spread too unevenly."""

    evidence = SkewExceeded
    fact = SkewFact
    fields = (("topologySpreadConstraints",),)

    def facts(self, evidence: SkewExceeded, node_info: NodeInfo, lookup: Lookup) -> Iterator[SkewFact]:  # noqa: ARG002
        """All numbers of the skew."""
        yield SkewFact(
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

    def words(self, fact: SkewFact) -> str:
        """The skew, worked out."""
        own = f" + {fact.self_match} (itself)" if fact.self_match else ""
        return (
            f"{fact.topology_key}={fact.domain}: {fact.matching} matching{own} − {_minimum(fact)} "
            f"= skew {fact.skew} > maxSkew {fact.max_skew}"
        )

    def key(self, fact: SkewFact) -> str:
        """What is spread over what."""
        return f"{fact.topology_key} {fact.selector}"

    def together(self, facts_by_node: Mapping[str, SkewFact]) -> str:
        """The matching pods of each domain that is too full."""
        fact = next(iter(facts_by_node.values()))
        counts = {each.domain: each.matching for each in facts_by_node.values()}
        domains = some([f"{count} in {domain}" for domain, count in sorted(counts.items())], 4)
        skewed = f"{pods_of(fact.selector)}: {domains}, {_minimum(fact)}"
        return f"skew over {fact.topology_key} would exceed maxSkew {fact.max_skew} ({skewed})"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[SkewFact]]) -> Iterator[Proposal]:
        """Count only nodes that the pod may run on, if that is enough; else allow the least skew that does."""
        least = min((fact for facts in facts_by_node.values() for fact in facts), key=lambda fact: fact.skew)
        key = least.topology_key
        if not pod.spec.topology_spread_constraints:
            yield _of_its_own(key, pod)
            return

        def honoring(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
            return replace(constraint, node_taints_policy="Honor")

        def looser(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
            return replace(constraint, max_skew=max(constraint.max_skew, least.skew))

        yield Proposal(
            "honor-taints",
            f"set nodeTaintsPolicy: Honor for {key}, so that nodes with untolerated taints do not count",
            edits.spreading(key, honoring),
            order=1,
        )
        yield Proposal("relax-spread", f"allow maxSkew {least.skew} over {key}", edits.spreading(key, looser))
        keys = list(dict.fromkeys(fact.topology_key for facts in facts_by_node.values() for fact in facts))
        softer = edits.together(edits.spreading(each, _soft) for each in keys)
        text = f"set whenUnsatisfiable: ScheduleAnyway for {joined(keys)}"
        yield Proposal("relax-spread", text, softer, is_last_resort=True)


def _of_its_own(topology_key: str, pod: Pod) -> Proposal:
    """A constraint in place of those that the scheduler has for pods without any."""
    labels = {key: value for key, value in pod.labels.items() if key not in _PER_REVISION}
    text = f"spread the pod over {topology_key} with whenUnsatisfiable: ScheduleAnyway"
    text += ", in place of the scheduler's default constraints"
    return Proposal("relax-spread", text, edits.spreading_over(topology_key, labels))


def _soft(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
    # Only a hard constraint may say how many domains there must be.
    return replace(constraint, when_unsatisfiable="ScheduleAnyway", min_domains=None)


def _minimum(fact: SkewFact) -> str:
    """The count that the skew is measured from, and where it comes from."""
    if fact.domains < fact.min_domains:
        return f"minimum 0 as only {fact.domains} of {fact.min_domains} minDomains exist"
    return f"minimum {fact.minimum}" + (f" in {fact.minimum_domain}" if fact.minimum_domain is not None else "")


class TopologyLabelFact(Fact, frozen=True, tag="MissingTopologyLabel"):
    """The node lacks a topology label."""

    topology_key: str


class TopologyLabels(Objection[MissingTopologyLabel, TopologyLabelFact]):
    """The node is in no domain to spread over."""

    evidence = MissingTopologyLabel
    fact = TopologyLabelFact
    fields = (("topologySpreadConstraints",),)

    def words(self, fact: TopologyLabelFact) -> str:
        """The label."""
        return f"no label {fact.topology_key}"

    def together(self, facts_by_node: Mapping[str, TopologyLabelFact]) -> str:
        """The label."""
        return f"nodes without the label {next(iter(facts_by_node.values())).topology_key}"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[TopologyLabelFact]]) -> Iterator[Proposal]:
        """Spread over it only where that is possible."""
        keys = list(dict.fromkeys(fact.topology_key for fact in next(iter(facts_by_node.values()))))
        if not pod.spec.topology_spread_constraints:
            yield _of_its_own(keys[0], pod)
            return
        softer = edits.together(edits.spreading(key, _soft) for key in keys)
        yield Proposal("relax-spread", f"set whenUnsatisfiable: ScheduleAnyway for {joined(keys)}", softer)
