"""Why the nodes were turned down, grouped so that each node counts once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from kexplain.explain.objections import BY_FACT, AnyFact, runs
from kexplain.explain.records import Cause, NodeVerdict, Rejection
from kexplain.framework.status import Code

#: The code of what evicting pods may help against, worked out once.
_UNSCHEDULABLE = Code.UNSCHEDULABLE.value
#: What makes rejections the same cause, by node: it stands while that is the rejection.
KnownKeys = dict[str, tuple[Rejection, Hashable]]


def causes(verdicts: Sequence[NodeVerdict], known: KnownKeys | None = None) -> tuple[Cause, ...]:
    """The causes, most nodes first; a node belongs to what stopped it first, in all its detail.

    `known` is what was found out about rejections that may come again, and is added to.
    """
    known = {} if known is None else known
    groups: dict[Hashable, list[NodeVerdict]] = {}
    for verdict in verdicts:
        rejection = verdict.stopped_by
        if rejection is not None:
            found = known.get(verdict.node)
            if found is None or found[0] is not rejection:
                found = known[verdict.node] = (rejection, _key(rejection))
            groups.setdefault(found[1], []).append(verdict)
    return tuple(sorted(map(_cause, groups.values()), key=lambda cause: -cause.count))


def _key(rejection: Rejection) -> Hashable:
    """What makes two rejections the same cause: all but the numbers of the node."""
    facts = tuple([(type(fact), BY_FACT[type(fact)].key(fact)) for fact in rejection.facts])
    return rejection.plugin, facts, rejection.reasons


def _cause(group: Sequence[NodeVerdict]) -> Cause:
    by_node = {verdict.node: verdict.stopped_by for verdict in group if verdict.stopped_by is not None}
    return Cause(
        plugin=next(iter(by_node.values())).plugin,
        text=_text(by_node),
        count=len(group),
        nodes=tuple(by_node),
        alone_on=tuple([verdict.node for verdict in group if not verdict.also or _is_alone(verdict)]),
        preemption_may_help=_UNSCHEDULABLE in {rejection.code for rejection in by_node.values()},
    )


def _is_alone(verdict: NodeVerdict) -> bool:
    """Whether nothing stands behind the objection but what goes away with it."""
    facts = verdict.stopped_by.facts if verdict.stopped_by else ()

    def is_covered(other: AnyFact) -> bool:
        return any(BY_FACT[type(fact)].covers(fact, other) for fact in facts)

    return all(rejection.facts and all(map(is_covered, rejection.facts)) for rejection in verdict.also)


def _text(by_node: Mapping[str, Rejection]) -> str:
    """What the facts say of all these nodes; their keys are equal, so that they stand in the same order on each."""
    first = next(iter(by_node.values()))
    texts: list[str] = []
    start = 0
    for objection, run in runs(first.facts):
        end = start + len(run)
        texts.append(objection.cause({node: rejection.facts[start:end] for node, rejection in by_node.items()}))
        start = end
    return "; ".join(texts or first.reasons)
