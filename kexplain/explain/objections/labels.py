"""Objections because the pod asks for other nodes: by label or by name."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import methodcaller

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection, Read
from kexplain.explain.output import Fact
from kexplain.framework.evidence import NodeLabelsMismatch, OtherNodeName
from kexplain.grouping import grouped
from kexplain.objects.selectors import Requirement
from kexplain.words import some

_NAME = "metadata.name"


@lru_cache(maxsize=4096)
def _label(key: str) -> Read:
    """What reads a label, the same for all that read it."""
    return methodcaller("label", key)


class NodeSelectorFact(Fact, frozen=True, tag="NodeSelectorMismatch"):
    """An expression of the node selector, or of one required term, that the node does not meet.

    `term` counts the required terms from 1; 0 stands for `spec.nodeSelector`. `actual` is null where the node
    lacks the label.
    """

    term: int
    expression: str
    key: str
    actual: str | None
    enforced_by_scheduler: bool = False


class NodeLabels(Objection[NodeLabelsMismatch, NodeSelectorFact]):
    """The node does not match the node selector or the required node affinity."""

    fields = (("nodeSelector",), ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"))
    same = ("term", "expression")

    def facts(self, evidence: NodeLabelsMismatch, node_info: NodeInfo, lookup: Lookup) -> Iterator[NodeSelectorFact]:
        """One fact an expression, with what the node has instead."""
        unmet = _numbered(evidence)
        if not unmet:
            expression = "required affinity has no term that can match"
            yield NodeSelectorFact(term=1, expression=expression, key="", actual=None)
        for term, requirement in unmet:
            yield NodeSelectorFact(
                term=term,
                expression=str(requirement),
                key=requirement.key,
                actual=node_info.label(requirement.key),
                enforced_by_scheduler=evidence.enforced,
            )

    def reads(self, evidence: NodeLabelsMismatch) -> tuple[Read, ...]:
        return tuple([_label(requirement.key) for _, requirement in _numbered(evidence)])

    def words(self, fact: NodeSelectorFact) -> str:
        if not fact.key:
            return fact.expression
        if fact.key == _NAME:
            return f"needs {fact.expression}"
        return f"needs {fact.expression}, has {'no such label' if fact.actual is None else f'{fact.key}={fact.actual}'}"

    def detail(self, facts: Sequence[NodeSelectorFact]) -> str:
        """Everything of the node selector, and the alternatives of the required terms one after the other."""
        by_term = facts_by_term(facts)
        texts = list(map(self.words, by_term.pop(0, [])))
        terms = [" and ".join(map(self.words, term)) for term in by_term.values()]
        if terms:
            texts.append(" or ".join(f"({term})" if len(terms) > 1 else term for term in terms))
        return "; ".join(texts)

    def cause(self, facts_by_node: Mapping[str, Sequence[NodeSelectorFact]]) -> str:
        """What is needed, and what these nodes have instead."""
        first = next(iter(facts_by_node.values()))
        if not first[0].key:
            return first[0].expression
        by_term = facts_by_term(first)
        labels = [fact.expression for fact in by_term.pop(0, [])]
        parts = [f"nodeSelector {', '.join(labels)}"] if labels else []
        if by_term:
            prefix = "scheduler-enforced" if first[0].enforced_by_scheduler else "required"
            alternatives = (" and ".join(fact.expression for fact in term) for term in by_term.values())
            parts.append(f"{prefix} affinity {' or '.join(alternatives)}")
        every = (fact for facts in facts_by_node.values() for fact in facts)
        values = sorted({f"{f.key}={f.actual}" for f in every if f.actual is not None and f.key != _NAME})
        return "; ".join(parts) + (f" (nodes have {some(values, 4)})" if values else "")


def _numbered(evidence: NodeLabelsMismatch) -> list[tuple[int, Requirement]]:
    """What is not met, with the number of its term."""
    unmet = (evidence.unmet_labels, *(requirements for _, requirements in evidence.unmet_terms))
    return [(number, requirement) for number, requirements in enumerate(unmet) for requirement in requirements]


def facts_by_term(facts: Sequence[NodeSelectorFact]) -> dict[int, list[NodeSelectorFact]]:
    """The facts by the number of the required term, 0 for `spec.nodeSelector`."""
    return grouped((fact.term, fact) for fact in facts)


class NodeNameFact(Fact, frozen=True, tag="OtherNodeName"):
    """The pod names another node; `exists` is whether the cluster has a node of that name."""

    wanted: str
    exists: bool = True


class NodeNames(Objection[OtherNodeName, NodeNameFact]):
    """The pod names another node."""

    fields = (("nodeName",),)

    def facts(self, evidence: OtherNodeName, node_info: NodeInfo, lookup: Lookup) -> Iterator[NodeNameFact]:
        yield NodeNameFact(wanted=evidence.wanted, exists=evidence.wanted in lookup.cluster.node_info_by_name)

    def words(self, fact: NodeNameFact) -> str:
        return f"spec.nodeName is {fact.wanted}{'' if fact.exists else ', which does not exist'}"
