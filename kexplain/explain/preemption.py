"""The preemption dry run, as it is reported."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import filterfalse
from math import isfinite

from kexplain.explain.output import Output
from kexplain.framework.postfilter import Candidate, LadderStep, Preemption
from kexplain.framework.postfilter import Reprieve as TriedReprieve
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.plugins.default_preemption import CRITERIA


class Victim(Output, frozen=True):
    """A pod that would have to go."""

    pod: str
    priority: int
    start_time: str = ""


class Reprieve(Output, frozen=True):
    """Pods of lower priority that were gone for a trial, and whether they may come back.

    `stopped_by` is the plugin that turns the pod down then, with its `reasons`; empty where they stay. `violations` are
    those of disruption budgets if they leave.
    """

    pods: tuple[str, ...]
    priority: int
    violations: int
    stopped_by: str = ""
    reasons: tuple[str, ...] = ()


class CriterionCost(Output, frozen=True):
    """What a candidate costs by a criterion, the `text` of which has its unit.

    A start is in seconds before 1970, so that the latest is the lowest; null where victims have not started, which
    costs least of all.
    """

    criterion: str
    cost: int | None
    text: str


class PreemptionCandidate(Output, frozen=True):
    """A node that evicting pods would make room on.

    `reprieves` are, on the node that would be nominated, all of lower priority in the order in which it was tried
    whether they can stay.
    """

    node: str
    victims: tuple[Victim, ...]
    pdb_violations: int
    violated_budgets: tuple[str, ...] = ()
    reprieves: tuple[Reprieve, ...] = ()
    #: What it costs to take this one, criterion by criterion; the lowest go on. Empty for a single candidate.
    criteria: tuple[CriterionCost, ...] = ()


class PreemptionNotHelpful(Output, frozen=True):
    """Nodes on which evicting everything of lower priority does not help, and why."""

    reason: str
    nodes: tuple[str, ...]


class PreemptionReport(Output, frozen=True):
    """The preemption dry run.

    `decided_by` is the criterion that left one candidate; empty if there was but one, or if the criteria could
    not tell the `best` apart, of which upstream takes any.
    """

    eligible: bool
    ineligible_because: str = ""
    candidates: tuple[PreemptionCandidate, ...] = ()
    steps: tuple[LadderStep, ...] = ()
    decided_by: str = ""
    best: tuple[str, ...] = ()
    nominated_node: str = ""
    not_helpful: tuple[PreemptionNotHelpful, ...] = ()
    #: Where the scheduler may stop before it has seen all candidates: at how many of them, out of how many nodes.
    enough_candidates: int | None = None
    potential_nodes: int | None = None


def preemption_report(decision: Decision) -> PreemptionReport | None:
    """What preemption would do, and where it would not help; None if it was not tried."""
    preemption = decision.preemption
    if preemption is None:
        return None
    nominated = decision.nominated_node
    decided = [step for step in preemption.ladder if len(step.remaining) == 1]
    return PreemptionReport(
        eligible=not preemption.ineligible,
        ineligible_because=preemption.ineligible,
        candidates=tuple(
            PreemptionCandidate(
                node=candidate.node_name,
                victims=tuple(map(_victim, candidate.victims)),
                pdb_violations=candidate.pdb_violations,
                violated_budgets=candidate.violated_budgets,
                criteria=tuple(_costs(candidate)) if preemption.ladder else (),
                reprieves=tuple(map(_reprieve, candidate.reprieves if candidate.node_name == nominated else ())),
            )
            for candidate in preemption.candidates
        ),
        steps=preemption.ladder,
        decided_by=decided[0].criterion if decided else "",
        best=preemption.best,
        nominated_node=nominated,
        not_helpful=_not_helpful(preemption, decision),
        enough_candidates=preemption.enough if preemption.stops_early else None,
        potential_nodes=preemption.potential if preemption.stops_early else None,
    )


def _victim(pod: Pod) -> Victim:
    return Victim(pod=pod.key, priority=pod.spec.priority or 0, start_time=pod.status.start_time or "")


def _costs(candidate: Candidate) -> Iterator[CriterionCost]:
    return (_cost(place, cost(candidate)) for place, (_, _, cost, _) in enumerate(CRITERIA))


@lru_cache(maxsize=4096)
def _cost(place: int, cost: float) -> CriterionCost:
    """That cost by the criterion of that place; many candidates have the same."""
    code, _, _, written = CRITERIA[place]
    return CriterionCost(criterion=code, cost=int(cost) if isfinite(cost) else None, text=written(cost))


def nominees(decision: Decision) -> tuple[str, ...]:
    """The nodes any of which may be nominated, with the one that is at first.

    Where the search may stop at some candidates, one that spares budgets may be the best of as many.
    """
    found, nominated = decision.preemption, decision.nominated_node
    if not nominated or found is None:
        return (nominated,) if nominated else ()
    if not found.stops_early:
        return found.best
    costs = {each.node_name: [cost(each) for _, _, cost, _ in CRITERIA] for each in found.candidates}
    most = sorted(costs.values())[-found.enough]
    spared = (each.node_name for each in found.candidates if not each.pdb_violations)
    return tuple(dict.fromkeys((nominated, *(name for name in spared if costs[name] <= most))))


def _reprieve(tried: TriedReprieve) -> Reprieve:
    stopped = tried.stopped
    return Reprieve(
        pods=tuple(pod.key for pod in tried.pods),
        priority=max(pod.priority for pod in tried.pods),
        violations=tried.violations,
        stopped_by=stopped.plugin if stopped else "",
        reasons=stopped.reasons if stopped else (),
    )


def _not_helpful(preemption: Preemption, decision: Decision) -> tuple[PreemptionNotHelpful, ...]:
    """Why eviction does not help, by reason; nodes whose verdict ruled it out from the start come last."""
    nodes_by_reason: dict[str, list[str]] = {}
    rejections, priority = preemption.rejections, decision.pod.priority
    for node_info in decision.cluster.node_infos if rejections else ():
        status = rejections.get(node_info.name)
        if status is not None:
            if node_info.lowest_priority >= priority:
                reason = "no pod of lower priority runs there"
            else:
                reason = f"even with all pods of lower priority gone: {status.message}"
            nodes_by_reason.setdefault(reason, []).append(node_info.name)
    weighed = {*rejections, *(candidate.node_name for candidate in preemption.candidates)}
    ruled_out = [*filterfalse(weighed.__contains__, decision.cluster.node_info_by_name)]
    if ruled_out and not preemption.ineligible:
        nodes_by_reason["evicting pods would not help here"] = ruled_out
    return tuple(PreemptionNotHelpful(reason=reason, nodes=tuple(nodes)) for reason, nodes in nodes_by_reason.items())
