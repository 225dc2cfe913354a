"""How far a pod is from fitting on a node."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import merge

from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.objections import BY_FACT
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.objections.taints import TaintFact
from kexplain.explain.records import NodeVerdict, Rejection, Verdict
from kexplain.framework.evidence import InsufficientResource
from kexplain.objects.well_known import NODE_CONDITIONS


def distance(every: Sequence[Rejection]) -> tuple[bool, int, float]:
    """How far the pod is from fitting on a node with these objections.

    Whether it never fits, how many objections there are to lift, and the share of what it requests that is missing.
    """
    # Asked for nearly every node, so that it goes through the facts once.
    count, is_lost, missing = 0, False, -math.inf
    for rejection in every:
        for fact in rejection.facts:
            count += 1
            if type(fact) is ResourceFact:
                is_lost = is_lost or fact.requested > fact.allocatable
                missing = max(missing, _missing(fact))
    return is_lost, max(len(every), count), 0.0 if missing == -math.inf else missing


def _missing(fact: ResourceFact) -> float:
    """The share of the request that is missing; old releases turn down overcommitted nodes without any request."""
    return (fact.requested - fact.free) / fact.requested if fact.requested else math.inf


def missing_shares(evidence: InsufficientResource, used: Iterable[int]) -> list[float]:
    """The same for nodes of which so much is used."""
    asked, has = evidence.requested, evidence.allocatable
    return [(asked - (has - each)) / asked if asked else math.inf for each in used]


def closest_first(verdicts: NodeVerdicts, counts: Callable[[NodeVerdict], bool]) -> Iterator[NodeVerdict]:
    """The verdicts that count, as in `where`, in order of their distance; they come as `node_verdicts` orders them.

    That order is by distance within each kind of verdict, so that only the first of each kind are looked at.
    """
    counting = verdicts.where(counts)
    kinds = [counting.where(partial(_is_of, kind)) for kind in Verdict]
    return merge(*kinds, key=lambda verdict: distance(rejections(verdict)))


def _is_of(kind: Verdict, verdict: NodeVerdict) -> bool:
    return verdict.verdict is kind


def is_open(verdict: NodeVerdict) -> bool:
    """Whether anything could bring the pod there: the node was looked at, and is not lost."""
    facts = [fact for each in rejections(verdict) for fact in each.facts]
    return bool(facts) and not any(isinstance(fact, TaintFact) and fact.key in NODE_CONDITIONS for fact in facts)


def rejections(verdict: NodeVerdict) -> Sequence[Rejection]:
    """All objections to the node, what stopped it first."""
    return (verdict.stopped_by, *verdict.also) if verdict.stopped_by else verdict.also


def uncovered(every: Sequence[Rejection]) -> list[Rejection]:
    """The rejections but for those that go away with another one."""
    kept = list(every)
    for each in every:
        others = [other for other in kept if other is not each]
        if each.facts and any(_covers(other, each) for other in others):
            kept = others
    return kept


def _covers(rejection: Rejection, behind: Rejection) -> bool:
    return all(any(BY_FACT[type(fact)].covers(fact, other) for fact in rejection.facts) for other in behind.facts)
