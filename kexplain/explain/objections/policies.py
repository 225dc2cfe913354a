"""Objections of plugins that only a Policy can name."""

from collections.abc import Mapping

from kexplain.explain.objections.objection import Objection
from kexplain.framework.evidence.policies import LabelPresenceViolated, NodeConditionUnmet, ServiceAffinityUnmatched


class LabelPresence(Objection[LabelPresenceViolated, LabelPresenceViolated]):
    """The node lacks labels that a Policy asks for, or has some that it forbids."""

    def words(self, fact: LabelPresenceViolated) -> str:
        texts = [f"no label {key}" for key in fact.missing]
        return "; ".join(texts + [f"must not have label {key}" for key in fact.unwanted])

    def words_for_all(self, facts_by_node: Mapping[str, LabelPresenceViolated]) -> str:
        return f"the scheduler's policy checks labels: {super().words_for_all(facts_by_node)}"


class ServiceAffinities(Objection[ServiceAffinityUnmatched, ServiceAffinityUnmatched]):
    """The node does not share a label with the first pod of the service."""

    def words(self, fact: ServiceAffinityUnmatched) -> str:
        """What is needed and why, and what the node has."""
        return f"{self.key(fact)}; has {'no such label' if fact.actual is None else f'{fact.key}={fact.actual}'}"

    def key(self, fact: ServiceAffinityUnmatched) -> str:
        pinned = f"as on {fact.pinned_on}, where {fact.pinned_by} of its service runs" if fact.pinned_by else ""
        return f"needs {fact.key}={fact.value} ({pinned or 'by nodeSelector'})"

    def words_for_all(self, facts_by_node: Mapping[str, ServiceAffinityUnmatched]) -> str:
        return self.key(next(iter(facts_by_node.values())))


class NodeConditions(Objection[NodeConditionUnmet, NodeConditionUnmet]):
    """A condition of the node keeps pods away."""

    text = "condition {0.condition} is {0.status}"
