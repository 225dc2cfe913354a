"""The facts behind the rejections of plugins that only a Policy can name."""

from __future__ import annotations

from kexplain.explain.output import Fact


class AboutPolicies(Fact, frozen=True):
    """What all these facts have in common."""


class LabelPresenceFact(AboutPolicies, frozen=True, tag="LabelPresenceViolated"):
    """Labels by key that a Policy wants nodes to have and this one lacks, and those that it must not have."""

    missing: tuple[str, ...]
    unwanted: tuple[str, ...]


class ServiceAffinityFact(AboutPolicies, frozen=True, tag="ServiceAffinityUnmatched"):
    """A label that the node does not share with what pins the pod; `actual` is the node's own value.

    That is the pod `pinned_by` of its service, on the node `pinned_on`; without, the pod's own node selector.
    """

    key: str
    value: str
    actual: str | None
    pinned_by: str = ""
    pinned_on: str = ""


class NodeConditionFact(AboutPolicies, frozen=True, tag="NodeConditionUnmet"):
    """A condition of the node, and its status."""

    condition: str
    status: str


PolicyFact = LabelPresenceFact | ServiceAffinityFact | NodeConditionFact
