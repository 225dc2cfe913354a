"""What the objection to a fact says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections import BY_FACT
from kexplain.framework.evidence import Evidence
from kexplain.objects.core import Pod
from kexplain.remedies.against import against
from kexplain.remedies.proposal import Proposal
from tests.factories import cluster, node, pod


def words(*facts: Evidence) -> str:
    """The facts of one rejection of one node."""
    return BY_FACT[type(facts[0])].detail(facts)


def key(fact: Evidence) -> str:
    """What makes two nodes one cause."""
    return BY_FACT[type(fact)].key(fact)


def cause(*facts: Evidence) -> str:
    """One fact of each of several nodes, n0 and so on."""
    return cause_of({f"n{index}": (fact,) for index, fact in enumerate(facts)})


def cause_of(facts_by_node: Mapping[str, Sequence[Evidence]]) -> str:
    """All facts of several nodes."""
    first = next(iter(facts_by_node.values()))
    return BY_FACT[type(first[0])].cause(facts_by_node)


def covers(fact: Evidence, other: Evidence) -> bool:
    """Whether the other one goes away with it."""
    return BY_FACT[type(fact)].covers(fact, other)


def by_hand(fact: Evidence) -> str:
    """What would have to change outside the pod."""
    found = against(type(fact)).by_hand(fact)
    return found.text if found else ""


def proposals(*facts: Evidence, asking: Pod | None = None) -> list[Proposal]:
    """What would help where all these facts stand against one node, n0."""
    return list(against(type(facts[0])).proposals(Scene(asking or pod(), cluster([node("n0")])), {"n0": facts}))


def texts(*facts: Evidence, asking: Pod | None = None) -> list[str]:
    """The same in words alone."""
    return [proposal.text for proposal in proposals(*facts, asking=asking)]
