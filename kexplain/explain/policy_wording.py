"""Facts about a Policy's own plugins: from evidence, and in words."""

from __future__ import annotations

from typing import assert_never

from kexplain.explain.policy_records import LabelPresenceFact, NodeConditionFact, PolicyFact, ServiceAffinityFact
from kexplain.framework.policy_evidence import (
    LabelPresenceViolated,
    NodeConditionUnmet,
    PolicyEvidence,
    ServiceAffinityUnmatched,
)


def policy_fact(evidence: PolicyEvidence) -> PolicyFact:
    """The evidence as it is published."""
    match evidence:
        case LabelPresenceViolated():
            return LabelPresenceFact(missing=evidence.missing, unwanted=evidence.unwanted)
        case ServiceAffinityUnmatched():
            return ServiceAffinityFact(
                key=evidence.key,
                value=evidence.value,
                actual=evidence.actual,
                pinned_by=evidence.pinned_by,
                pinned_on=evidence.pinned_on,
            )
        case NodeConditionUnmet():
            return NodeConditionFact(condition=evidence.condition, status=evidence.status)
        case _:
            assert_never(evidence)


def policy_words(fact: PolicyFact) -> str:
    """The fact about one node."""
    match fact:
        case LabelPresenceFact():
            return _labels(fact)
        case ServiceAffinityFact():
            actual = "no such label" if fact.actual is None else f"has {fact.key}={fact.actual}"
            return f"needs {policy_cause(fact)}; {actual}"
        case NodeConditionFact():
            return policy_cause(fact)
        case _:
            assert_never(fact)


def policy_cause(fact: PolicyFact) -> str:
    """What is the same on all nodes that stand for one cause; facts of equal wording are one cause."""
    match fact:
        case LabelPresenceFact():
            return f"the scheduler asks for other labels: {_labels(fact)}"
        case ServiceAffinityFact():
            pinned = (
                f"as {fact.pinned_by} of its service has on {fact.pinned_on}" if fact.pinned_by else "by nodeSelector"
            )
            return f"{fact.key}={fact.value} ({pinned})"
        case NodeConditionFact():
            return f"condition {fact.condition} is {fact.status}"
        case _:
            assert_never(fact)


def _labels(fact: LabelPresenceFact) -> str:
    texts = [f"no label {key}" for key in fact.missing] + [f"label {key} must not be there" for key in fact.unwanted]
    return "; ".join(texts)
