"""Objections because the pod asks for other nodes: by label or by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
from kexplain.objects.selectors import Requirement
from kexplain.words import some

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
            yield Proposal("label-node", f"{text} configuration")
            return
        dropped: list[tuple[str, Edit]] = []
        if unmet := by_term.pop(0, []):
            text = f"drop {_expressions(unmet)} from the node selector"
            dropped.append((text, edits.without_node_selector(fact.key for fact in unmet)))
        if by_term:
            dropped.append(_relaxed_terms(pod, by_term))
        texts, changes = zip(*dropped, strict=True)
        yield Proposal("relax-node-affinity", " and ".join(texts), edits.together(changes))

    def here(self, node_info: NodeInfo, facts: Sequence[NodeSelectorFact], lookup: Lookup) -> Iterator[Proposal]:
        """Give the node the labels that the pod asks for, unless they say what the node is or where."""
        required = RequiredNodeAffinity.of(lookup.pod)
        terms = [term.labels for term in required.terms or () if not term.fields]
        unmet = [each for each in required.labels if not each.matches(node_info.node.labels)]
        least = min(([r for r in term if not r.matches(node_info.node.labels)] for term in terms), key=len, default=[])
        labels = {each.key: _wanted(each) for each in (*unmet, *least)}
        is_given = any(key.partition("/")[0].endswith("kubernetes.io") for key in labels)
        if facts[0].enforced_by_scheduler or is_given or not labels or any(v is False for v in labels.values()):
            return
        new = {key: value for key, value in labels.items() if isinstance(value, str)}

        def labelled(node: Node) -> Node:
            kept = {key: value for key, value in node.labels.items() if key not in labels}
            return replace(node, metadata=replace(node.metadata, labels=kept | new))

        name = node_info.name
        words = [f"{key}={value}" if isinstance(value, str) else f"{key}-" for key, value in labels.items()]
        command = f"kubectl label node {name} --overwrite {' '.join(words)}"
        added = [f"{key}={value}" for key, value in new.items()]
        dropped = [f"drop its label {key}" for key, value in labels.items() if value is None]
        text = " and ".join([*([f"label {name} with {' and '.join(added)}"] if added else []), *dropped])
        text = text if added else f"on {name}, {text}"
        yield Proposal("label-node", text, order=6, steps=(to_node(name, labelled, command),))


def _wanted(requirement: Requirement) -> str | bool | None:
    """The value that a label must have, None if it must be gone, False if there is no telling."""
    match requirement.operator:
        case "In":
            return min(requirement.values, default=False)
        case "Exists":
            return "true"
        case "NotIn" | "DoesNotExist":
            return None
        case _:
            return False


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
