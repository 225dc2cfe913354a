"""Objections because pods would be spread unevenly."""

from collections.abc import Iterator, Mapping

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact, copied
from kexplain.explain.wording import pods_of
from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import some


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

    fields = (("topologySpreadConstraints",),)
    same = ("topology_key", "selector")

    def facts(self, evidence: SkewExceeded, node_info: NodeInfo, lookup: Lookup) -> Iterator[SkewFact]:
        yield copied(evidence, SkewFact, selector=str(evidence.selector), self_match=evidence.own)

    def words(self, fact: SkewFact) -> str:
        own = f" + {fact.self_match} (itself)" if fact.self_match else ""
        where = "this node" if fact.topology_key == HOSTNAME else f"{fact.topology_key}={fact.domain}"
        return f"{where}: {fact.matching} matching{own} − {_minimum(fact)} = skew {fact.skew} > maxSkew {fact.max_skew}"

    def words_for_all(self, facts_by_node: Mapping[str, SkewFact]) -> str:
        """The matching pods of each domain that is too full."""
        fact = next(iter(facts_by_node.values()))
        counts = {each.domain: each.matching for each in facts_by_node.values()}
        domains = some([f"{count} in {domain}" for domain, count in sorted(counts.items())], 4)
        skewed = f"{pods_of(fact.selector)}: {domains}, {_minimum(fact)}"
        return f"skew over {fact.topology_key} would exceed maxSkew {fact.max_skew} ({skewed})"


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

    fields = (("topologySpreadConstraints",),)
    text = "no label {0.topology_key}"

    def words_for_all(self, facts_by_node: Mapping[str, TopologyLabelFact]) -> str:
        return f"nodes without the label {next(iter(facts_by_node.values())).topology_key}"
