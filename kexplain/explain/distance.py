"""How far a pod is from fitting on a node."""

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import repeat

from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.objections import BY_FACT
from kexplain.explain.objections.resources import FactsByNode, ResourceFact, share_free
from kexplain.explain.objections.taints import TaintFact
from kexplain.explain.records import NodeVerdict, Rejection, Verdict
from kexplain.framework.evidence import Evidence, InsufficientResource
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


def shares_free(facts_by_node: Mapping[str, Sequence[Evidence]]) -> dict[str, float]:
    """How much of what is requested each node could give, of what it has least of; nothing where it objects to more."""

    def share(facts: Sequence[Evidence]) -> float:
        lacking = [fact for fact in facts if isinstance(fact, ResourceFact)]
        return share_free(lacking) if len(lacking) == len(facts) else 0.0

    if not isinstance(facts_by_node, FactsByNode):
        return {name: share(facts) for name, facts in facts_by_node.items()}
    found: dict[str, float] = {}
    for alike, names in facts_by_node.groups:
        free = ((each.requested, facts_by_node.free(each, names)) for each in alike.short)
        columns = [[room / asked if asked else -math.inf for room in rooms] for asked, rooms in free]
        shares = map(min, *columns) if len(columns) > 1 else columns[0] if columns else repeat(share(alike.facts))
        found.update(zip(names, shares, strict=bool(columns)))
    return found


def closest_first(
    verdicts: NodeVerdicts, counts: Callable[[NodeVerdict], bool], among: Container[str]
) -> Iterator[NodeVerdict]:
    """The verdicts on those nodes that count, as in `where`, in order of their distance.

    They come as `node_verdicts` orders them, by distance within each kind of verdict, so that only the first of each
    kind are looked at.
    """
    kinds = {fare: fare.sample.verdict for fare in verdicts.distinct if counts(fare.sample)}

    def of_kind(kind: Verdict) -> Iterator[NodeVerdict]:
        places = (place for place, fare in enumerate(verdicts.fares) if kinds.get(fare) is kind)
        return (verdicts[place] for place in places if verdicts.names[place] in among)

    found = frozenset(kinds.values())
    return merge(*[of_kind(kind) for kind in Verdict if kind in found], key=lambda each: distance(rejections(each)))


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
