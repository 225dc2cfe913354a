"""Objections of plugins that only a Policy can name."""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.explain.objections.objection import Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence.policies import LabelPresenceViolated, NodeConditionUnmet, ServiceAffinityUnmatched


class LabelPresenceFact(Fact, frozen=True, tag="LabelPresenceViolated"):
    """Labels by key that a Policy wants nodes to have and this one lacks, and those that it must not have."""

    missing: tuple[str, ...]
    unwanted: tuple[str, ...]


class LabelPresence(Objection[LabelPresenceViolated, LabelPresenceFact]):
    """The node lacks labels that a Policy asks for, or has some that it forbids."""

    evidence = LabelPresenceViolated
    fact = LabelPresenceFact
    fields = ()

    def words(self, fact: LabelPresenceFact) -> str:
        """The labels."""
        texts = [f"no label {key}" for key in fact.missing]
        return "; ".join(texts + [f"must not have label {key}" for key in fact.unwanted])

    def together(self, facts_by_node: Mapping[str, LabelPresenceFact]) -> str:
        """The labels, and who asks for them."""
        return f"the scheduler's policy checks labels: {super().together(facts_by_node)}"


class ServiceAffinityFact(Fact, frozen=True, tag="ServiceAffinityUnmatched"):
    """A label that the node does not share with what pins the pod; `actual` is the node's own value.

    That is the pod `pinned_by` of its service, on the node `pinned_on`; without, the pod's own node selector.
    """

    key: str
    value: str
    actual: str | None
    pinned_by: str = ""
    pinned_on: str = ""


class ServiceAffinities(Objection[ServiceAffinityUnmatched, ServiceAffinityFact]):
    """The node does not share a label with the first pod of the service."""

    evidence = ServiceAffinityUnmatched
    fact = ServiceAffinityFact
    fields = ()

    def words(self, fact: ServiceAffinityFact) -> str:
        """What is needed and why, and what the node has."""
        return f"{self.key(fact)}; has {'no such label' if fact.actual is None else f'{fact.key}={fact.actual}'}"

    def key(self, fact: ServiceAffinityFact) -> str:
        """What is needed, and why."""
        pinned = f"as on {fact.pinned_on}, where {fact.pinned_by} of its service runs" if fact.pinned_by else ""
        return f"needs {fact.key}={fact.value} ({pinned or 'by nodeSelector'})"

    def together(self, facts_by_node: Mapping[str, ServiceAffinityFact]) -> str:
        """What is needed, and why."""
        return self.key(next(iter(facts_by_node.values())))


class NodeConditionFact(Fact, frozen=True, tag="NodeConditionUnmet"):
    """A condition of the node, and its status."""

    condition: str
    status: str


class NodeConditions(Objection[NodeConditionUnmet, NodeConditionFact]):
    """A condition of the node keeps pods away."""

    evidence = NodeConditionUnmet
    fact = NodeConditionFact
    fields = ()

    def words(self, fact: NodeConditionFact) -> str:
        """The condition."""
        return f"condition {fact.condition} is {fact.status}"
