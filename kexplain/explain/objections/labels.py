"""Objections because the pod asks for other nodes: by label or by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain import edits
from kexplain.explain.changes import to_node
from kexplain.explain.edits import Edit
from kexplain.explain.objections.objection import Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.framework.evidence import NodeLabelsMismatch, OtherNodeName
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import Requirement, is_label_value
from kexplain.words import joined, some

_NAME = "metadata.name"


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

    evidence = NodeLabelsMismatch
    fact = NodeSelectorFact
    fields = (("nodeSelector",), ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"))

    def facts(self, evidence: NodeLabelsMismatch, node_info: NodeInfo, lookup: Lookup) -> Iterator[NodeSelectorFact]:  # noqa: ARG002
        """One fact an expression, with what the node has instead."""
        unmet = [(0, requirement) for requirement in evidence.unmet_labels]
        unmet += [
            (number, requirement)
            for number, (_, requirements) in enumerate(evidence.unmet_terms, start=1)
            for requirement in requirements
        ]
        if not unmet:
            expression = "required affinity has no term that can match"
            yield NodeSelectorFact(term=1, expression=expression, key="", actual=None)
        for term, requirement in unmet:
            is_name = requirement.key == _NAME
            yield NodeSelectorFact(
                term=term,
                expression=str(requirement),
                key=requirement.key,
                actual=node_info.name if is_name else node_info.node.labels.get(requirement.key),
                enforced_by_scheduler=evidence.enforced,
            )

    def words(self, fact: NodeSelectorFact) -> str:
        """What is needed, and what the node has."""
        if not fact.key:
            return fact.expression
        if fact.key == _NAME:
            return f"needs {fact.expression}"
        return f"needs {fact.expression}, has {'no such label' if fact.actual is None else f'{fact.key}={fact.actual}'}"

    def detail(self, facts: Sequence[NodeSelectorFact]) -> str:
        """Everything of the node selector, and the alternatives of the required terms one after the other."""
        by_term = _by_term(facts)
        texts = list(map(self.words, by_term.pop(0, [])))
        terms = [" and ".join(map(self.words, term)) for term in by_term.values()]
        if terms:
            texts.append(" or ".join(f"({term})" if len(terms) > 1 else term for term in terms))
        return "; ".join(texts)

    def key(self, fact: NodeSelectorFact) -> str:
        """Where the expression stands, and how it reads."""
        return f"{fact.term} {fact.expression}"

    def cause(self, facts_by_node: Mapping[str, Sequence[NodeSelectorFact]]) -> str:
        """What is needed, and what these nodes have instead."""
        first = next(iter(facts_by_node.values()))
        if not first[0].key:
            return first[0].expression
        by_term = _by_term(first)
        labels = [fact.expression for fact in by_term.pop(0, [])]
        parts = [f"nodeSelector {', '.join(labels)}"] if labels else []
        if by_term:
            prefix = "scheduler-enforced" if first[0].enforced_by_scheduler else "required"
            alternatives = (" and ".join(fact.expression for fact in term) for term in by_term.values())
            parts.append(f"{prefix} affinity {' or '.join(alternatives)}")
        every = (fact for facts in facts_by_node.values() for fact in facts)
        values = sorted({f"{f.key}={f.actual}" for f in every if f.actual is not None and f.key != _NAME})
        return "; ".join(parts) + (f" (nodes have {some(values, 4)})" if values else "")

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[NodeSelectorFact]]) -> Iterator[Proposal]:
        """Drop what is not met: of the node selector, and of the required term that lacks least."""
        facts = next(iter(facts_by_node.values()))
        by_term = _by_term(facts)
        if facts[0].enforced_by_scheduler:
            wanted = " and ".join(fact.expression for fact in by_term[min(by_term)])
            text = f"label a node to match {wanted}, or relax addedAffinity of NodeAffinity in the scheduler's"
            yield Proposal("label-node", f"{text} configuration", is_last_resort=True)
            return
        dropped: list[tuple[str, Edit]] = []
        if unmet := by_term.pop(0, []):
            text = f"drop {_expressions(unmet)} from the node selector"
            dropped.append((text, edits.without_node_selector(fact.key for fact in unmet)))
        if by_term:
            dropped.append(_relaxed_terms(pod, by_term))
        texts, changes = zip(*dropped, strict=True)
        yield Proposal("relax-node-affinity", " and ".join(texts), edits.together(changes))
        everything = edits.together((edits.without_node_selector(pod.spec.node_selector or ()), _without_affinity))
        text = "drop the node selector and the required node affinity"
        yield Proposal("relax-node-affinity", text, everything, is_last_resort=True)

    def here(self, node_info: NodeInfo, facts: Sequence[NodeSelectorFact], lookup: Lookup) -> Iterator[Proposal]:
        """Give the node the labels that the pod asks for, unless they say what the node is or where."""
        is_enforced = facts[0].enforced_by_scheduler
        labels = enforced_labels(facts) if is_enforced else missing_labels(lookup.pod, node_info.node)
        if not labels or any(map(_is_given, labels)):
            return
        new = {key: value for key, value in labels.items() if value is not None}

        def labelled(node: Node) -> Node:
            kept = {key: value for key, value in node.labels.items() if key not in labels}
            return replace(node, metadata=replace(node.metadata, labels=kept | new))

        name, pairs = node_info.name, [f"{key}={value}" for key, value in new.items()]
        gone = [key for key in labels if key not in new]
        command = f"kubectl label node {name} --overwrite {' '.join([*pairs, *(f'{key}-' for key in gone)])}"
        added = f"label {name} with {joined(pairs)}" if pairs else ""
        dropped = f"take the label {joined(gone)} off {name}" if gone else ""
        text = joined([each for each in (added, dropped) if each])
        yield Proposal("label-node", text, order=6, steps=(to_node(name, labelled, command),))


def enforced_labels(facts: Sequence[NodeSelectorFact]) -> dict[str, str | None]:
    """The labels that a scheduler wants nodes to have, of the term that lacks least; empty if it is not that simple."""
    wanted = min(_by_term(facts).values(), key=len)
    known = {each.key: each.expression.removeprefix(f"{each.key}=") for each in wanted if "=" in each.expression}
    return {key: value for key, value in known.items() if is_label_value(value)} if len(known) == len(wanted) else {}


def missing_labels(pod: Pod, node: Node) -> dict[str, str | None]:
    """The labels that the node lacks, None for those that it must not have; empty if there is no telling which."""
    required = RequiredNodeAffinity.of(pod)
    unmet = [each for each in required.labels if not each.matches(node.labels)]
    terms = [[each for each in term.labels if not each.matches(node.labels)] for term in required.terms or ()]
    wanted = {each.key: _wanted(each) for each in (*unmet, *min(terms, key=len, default=[]))}
    known = {key: value for key, value in wanted.items() if value is not False}
    return known if len(known) == len(wanted) else {}


def _is_given(key: str) -> bool:
    """Whether a label says what a node is, or where, which nobody decides."""
    return key.partition("/")[0].endswith("kubernetes.io")


def _without_affinity(pod: Pod) -> Pod:
    has_any = pod.spec.affinity is not None and pod.spec.affinity.node_affinity is not None
    return edits.without_required_node_affinity(pod) if has_any else pod


def _wanted(requirement: Requirement) -> str | Literal[False] | None:
    """The value that a label must have, None if it must be gone, False if there is none that a label can have."""
    match requirement.operator:
        case "In":
            possible = sorted(requirement.values)
        case "Exists":
            possible = ["true"]
        case "Gt":
            possible = [str(requirement.bound + 1)]
        case "Lt":
            possible = [str(requirement.bound - 1)]
        case _:
            return None
    return next((value for value in possible if is_label_value(value)), False)


def _by_term(facts: Sequence[NodeSelectorFact]) -> dict[int, list[NodeSelectorFact]]:
    by_term: dict[int, list[NodeSelectorFact]] = {}
    for fact in facts:
        by_term.setdefault(fact.term, []).append(fact)
    return by_term


def _expressions(facts: Sequence[NodeSelectorFact]) -> str:
    return " and ".join(fact.expression for fact in facts)


def _relaxed_terms(pod: Pod, by_term: Mapping[int, Sequence[NodeSelectorFact]]) -> tuple[str, Edit]:
    """The least change to the required terms, in words and as an edit."""
    term, unmet = min(by_term.items(), key=lambda item: len(item[1]))
    change = edits.without_expressions(pod, term - 1, (fact.key for fact in unmet)) if unmet[0].key else None
    if change is None:
        return "drop the required node affinity", edits.without_required_node_affinity
    return f"drop {_expressions(unmet)} from the required affinity", change


class NodeNameFact(Fact, frozen=True, tag="OtherNodeName"):
    """The pod names another node; `exists` is whether the cluster has a node of that name."""

    wanted: str
    exists: bool = True


class NodeNames(Objection[OtherNodeName, NodeNameFact]):
    """The pod names another node."""

    evidence = OtherNodeName
    fact = NodeNameFact
    fields = (("nodeName",),)

    def facts(self, evidence: OtherNodeName, node_info: NodeInfo, lookup: Lookup) -> Iterator[NodeNameFact]:  # noqa: ARG002
        """The name, and whether a node has it."""
        yield NodeNameFact(wanted=evidence.wanted, exists=evidence.wanted in lookup.cluster.node_info_by_name)

    def words(self, fact: NodeNameFact) -> str:
        """The name."""
        return f"spec.nodeName is {fact.wanted}{'' if fact.exists else ', which does not exist'}"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[NodeNameFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Leave the node to the scheduler."""
        yield Proposal("remove-node-name", "remove spec.nodeName", edits.without_node_name)
