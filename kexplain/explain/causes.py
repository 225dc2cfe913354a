"""Why the nodes were turned down, grouped so that each node counts once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from operator import attrgetter

from kexplain.explain.objections import BY_FACT, AnyFact, runs
from kexplain.explain.records import Cause, NodeVerdict, Rejection
from kexplain.explain.verdicts import node_verdicts
from kexplain.framework.status import Code
from kexplain.framework.trace import Decision, Outcome

#: The code of what evicting pods may help against, worked out once.
_UNSCHEDULABLE = Code.UNSCHEDULABLE.value


class _Group:
    """The nodes of one cause, with what stopped each of them first, and those to which nothing else objects."""

    __slots__ = ("alone_on", "nodes", "rejections")

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.rejections: list[Rejection] = []
        self.alone_on: list[str] = []


def was_tried(decision: Decision) -> bool:
    """Whether the scheduler looked at nodes for the pod at all."""
    return decision.outcome in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE)


def causes_of(decision: Decision) -> tuple[Cause, ...]:
    """Why nodes turn the pod down; empty where the scheduler looked at none."""
    return causes(node_verdicts(decision, 0)) if was_tried(decision) else ()


def causes(verdicts: Sequence[NodeVerdict]) -> tuple[Cause, ...]:
    """The causes, most nodes first; a node belongs to what stopped it first, in all its detail."""
    groups: dict[Hashable, _Group] = {}
    #: By the very rejections, which nodes that fare alike have in common.
    known: dict[int, _Group] = {}
    alone: dict[tuple[int, int], bool] = {}
    for verdict in verdicts:
        rejection, also = verdict.stopped_by, verdict.also
        if rejection is None:
            continue
        group = known.get(id(rejection))
        if group is None:
            group = known[id(rejection)] = groups.setdefault(_key(rejection), _Group())
        group.nodes.append(verdict.node)
        group.rejections.append(rejection)
        is_alone = not also or alone.get((id(rejection), id(also)))
        if is_alone is None:
            is_alone = alone[id(rejection), id(also)] = _is_alone(verdict)
        if is_alone:
            group.alone_on.append(verdict.node)
    return tuple(sorted(map(_cause, groups.values()), key=lambda cause: -cause.count))


def _key(rejection: Rejection) -> Hashable:
    """What makes two rejections the same cause: all but the numbers of the node."""
    facts = tuple([(type(fact), BY_FACT[type(fact)].key(fact)) for fact in rejection.facts])
    return rejection.plugin, facts, rejection.reasons


def _cause(group: _Group) -> Cause:
    first = group.rejections[0]
    facts_by_node = dict(zip(group.nodes, map(attrgetter("facts"), group.rejections), strict=True))
    return Cause(
        plugin=first.plugin,
        text=_text(facts_by_node) or "; ".join(first.reasons),
        count=len(group.nodes),
        nodes=tuple(group.nodes),
        alone_on=tuple(group.alone_on),
        preemption_may_help=any(rejection.code == _UNSCHEDULABLE for rejection in group.rejections),
    )


def _is_alone(verdict: NodeVerdict) -> bool:
    """Whether nothing stands behind the objection but what goes away with it."""
    facts = verdict.stopped_by.facts if verdict.stopped_by else ()

    def is_covered(other: AnyFact) -> bool:
        return any(BY_FACT[type(fact)].covers(fact, other) for fact in facts)

    return all(rejection.facts and all(map(is_covered, rejection.facts)) for rejection in verdict.also)


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
