"""Why the nodes were turned down, grouped so that each node counts once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from kexplain.explain.fares import Facts, Fare, NodeVerdicts
from kexplain.explain.objections import BY_FACT, AnyFact, runs
from kexplain.explain.records import Cause, NodeVerdict, Rejection
from kexplain.explain.verdicts import node_verdicts
from kexplain.framework.status import Code
from kexplain.framework.trace import Decision, Outcome

#: How a node fares, its name, and the facts about what stopped the pod there first.
_Stopped = tuple[Fare, str, Facts]
#: The code of what evicting pods may help against, worked out once.
_UNSCHEDULABLE = Code.UNSCHEDULABLE.value


def was_tried(decision: Decision) -> bool:
    """Whether the scheduler looked at nodes for the pod at all."""
    return decision.outcome in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE)


def causes_of(decision: Decision) -> tuple[Cause, ...]:
    """Why nodes turn the pod down; empty where the scheduler looked at none."""
    return causes(node_verdicts(decision, 0)) if was_tried(decision) else ()


def causes(verdicts: Sequence[NodeVerdict]) -> tuple[Cause, ...]:
    """The causes, most nodes first; a node belongs to what stopped it first, in all its detail."""
    found = NodeVerdicts.of(verdicts)
    by_key: dict[Hashable, tuple[list[_Stopped], dict[Fare, Rejection]]] = {}
    groups: dict[Fare, list[_Stopped]] = {}
    for fare in found.distinct:
        if (rejection := fare.sample.stopped_by) is not None:
            groups[fare], by_fare = by_key.setdefault(_key(rejection), ([], {}))
            by_fare[fare] = rejection
    for each in zip(found.fares, found.names, found.facts, strict=True):
        if each[0] in groups:
            groups[each[0]].append(each)
    return tuple(sorted([_cause(*each) for each in by_key.values()], key=lambda cause: -cause.count))


def _key(rejection: Rejection) -> Hashable:
    """What makes two rejections the same cause: all but the numbers of the node."""
    facts = tuple([(type(fact), BY_FACT[type(fact)].key(fact)) for fact in rejection.facts])
    return rejection.plugin, facts, rejection.reasons


def _cause(group: Sequence[_Stopped], by_fare: Mapping[Fare, Rejection]) -> Cause:
    """That of nodes whose rejections are one cause."""
    facts_by_node = {name: facts for _, name, facts in group}
    alone = {fare for fare, rejection in by_fare.items() if _is_alone(rejection, fare.sample.also)}
    first = next(iter(by_fare.values()))
    return Cause(
        plugin=first.plugin,
        text=_text(facts_by_node) or "; ".join(first.reasons),
        count=len(group),
        nodes=tuple(facts_by_node),
        alone_on=tuple([name for fare, name, _ in group if fare in alone] if alone else ()),
        preemption_may_help=_UNSCHEDULABLE in {rejection.code for rejection in by_fare.values()},
    )


def _is_alone(rejection: Rejection, also: Sequence[Rejection]) -> bool:
    """Whether nothing stands behind the objection but what goes away with it."""

    def is_covered(other: AnyFact) -> bool:
        return any(BY_FACT[type(fact)].covers(fact, other) for fact in rejection.facts)

    return all(other.facts and all(map(is_covered, other.facts)) for other in also)


def _text(facts_by_node: Mapping[str, Sequence[AnyFact]]) -> str:
    """What the facts say of all these nodes; their keys are equal, so that they stand in the same order on each."""
    first = next(iter(facts_by_node.values()))
    texts: list[str] = []
    start = 0
    for objection, run in runs(first):
        end = start + len(run)
        is_all = len(run) == len(first)
        own = facts_by_node if is_all else {node: facts[start:end] for node, facts in facts_by_node.items()}
        texts.append(objection.cause(own))
        start = end
    return "; ".join(texts)
