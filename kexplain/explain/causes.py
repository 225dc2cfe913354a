"""Why the nodes were turned down, grouped so that each node counts once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from msgspec import Struct

from kexplain.explain.fares import Facts, Fare, NodeVerdicts
from kexplain.explain.objections import BY_FACT, AnyFact, runs
from kexplain.explain.records import Cause, NodeVerdict, Rejection
from kexplain.explain.verdicts import node_verdicts
from kexplain.framework.status import Code
from kexplain.framework.trace import Decision, Outcome

#: The code of what evicting pods may help against, worked out once.
_UNSCHEDULABLE = Code.UNSCHEDULABLE.value


class _Stopped(Struct):
    """Nodes that are one cause by how they fare, in order, and what stopped the pod there first."""

    fare_by_node: dict[str, Fare]
    by_fare: dict[Fare, Rejection]


def was_tried(decision: Decision) -> bool:
    """Whether the scheduler looked at nodes for the pod at all."""
    return decision.outcome in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE)


def causes_of(decision: Decision) -> tuple[Cause, ...]:
    """Why nodes turn the pod down; empty where the scheduler looked at none."""
    return causes(node_verdicts(decision, 0)) if was_tried(decision) else ()


def causes(verdicts: Sequence[NodeVerdict]) -> tuple[Cause, ...]:
    """The causes, most nodes first; a node belongs to what stopped it first, in all its detail."""
    found = NodeVerdicts.of(verdicts)
    by_key: dict[Hashable, _Stopped] = {}
    groups: dict[Fare, dict[str, Fare]] = {}
    for fare in found.distinct:
        if (rejection := fare.sample.stopped_by) is not None:
            stopped = by_key.setdefault(_key(rejection), _Stopped({}, {}))
            stopped.by_fare[fare], groups[fare] = rejection, stopped.fare_by_node
    for name, fare in zip(found.names, found.fares, strict=True):
        if fare in groups:
            groups[fare][name] = fare
    every = [_cause(each, found.facts_on(each.fare_by_node)) for each in by_key.values()]
    return tuple(sorted(every, key=lambda cause: -cause.count))


def _key(rejection: Rejection) -> Hashable:
    """What makes two rejections the same cause: all but the numbers of the node."""
    facts = tuple([(type(fact), BY_FACT[type(fact)].key(fact)) for fact in rejection.facts])
    return rejection.plugin, facts, rejection.reasons


def _cause(stopped: _Stopped, facts_by_node: Mapping[str, Facts]) -> Cause:
    """That of nodes whose rejections are one cause."""
    by_fare, fare_by_node = stopped.by_fare, stopped.fare_by_node
    alone = {fare for fare, rejection in by_fare.items() if _is_alone(rejection, fare.sample.also)}
    first = next(iter(by_fare.values()))
    return Cause(
        plugin=first.plugin,
        text=_text(facts_by_node) or "; ".join(first.reasons),
        count=len(fare_by_node),
        nodes=tuple(fare_by_node),
        alone_on=tuple([name for name, fare in fare_by_node.items() if fare in alone] if alone else ()),
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
