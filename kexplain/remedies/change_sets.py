"""Sets of changes that are enough for one node where no single change is: each is chosen for what still objects."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from kexplain.diagnosis.scene import Scene
from kexplain.explain.distance import uncovered
from kexplain.explain.objections import AnyFact
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.objections.spreading import TopologyLabelFact
from kexplain.explain.records import Rejection
from kexplain.objects.core import Pod
from kexplain.remedies.against import AnyAgainst, against
from kexplain.remedies.against.resources import REQUEST_LESS
from kexplain.remedies.fitting_node import FittingNode
from kexplain.remedies.moved_pods import moving
from kexplain.remedies.pod_edits import in_turn
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.ranking import UNTRIED
from kexplain.remedies.records import Rank
from kexplain.remedies.steps import Step
from kexplain.remedies.trials import NodeAfterSteps, Trials, Tried

#: How often changes are chosen for a node: plugins name one fault at a time, so that others show once it is mended.
ROUNDS = 10
#: More changes than these nobody makes for one pod.
LARGEST_SET = 6
#: For so many pods more than one it is sought how much of something all of them take.
MOST_MORE = 5
#: The facts of a rejection, and the place of one of the changes against it.
_Option = tuple[Sequence[AnyFact], int]


def repair(
    trials: Trials, node: str | FittingNode, home: Scene, first: Sequence[Proposal] = (), *, last_resorts: bool = False
) -> tuple[Tried, list[Proposal]] | None:
    """The changes with which the pod fits, each needed, found by looking at one node; `first` are made anyway.

    The most wanted change against each objection is taken; if it is not enough, the next one. A new node is changed
    itself as far as that helps.
    """
    if isinstance(node, FittingNode) and node.is_own:
        home = home.including(node.name)
    chosen = _chosen(trials, node, home, first, last_resorts=last_resorts)
    tried = trials.minimal(_steps(chosen)) if chosen else None
    kept = _kept(chosen, tried) if tried else []
    is_needed = all(each in kept for each in first)
    return (tried, kept) if tried and is_needed and 0 < len(kept) <= LARGEST_SET else None


def _chosen(
    trials: Trials, node: str | FittingNode, home: Scene, first: Sequence[Proposal], *, last_resorts: bool
) -> list[Proposal]:
    """Changes after which nothing objects to the node any more; empty if there are none."""
    new, name = (None, node) if isinstance(node, str) else (node, node.name)
    chosen = [*([new.proposal] if new else []), *first]
    seen: list[_Option] = []
    asking = in_turn(*(each.edit for each in first if each.edit))(trials.decision.pod)
    for _ in range(ROUNDS):
        after = trials.node_after(_steps(chosen), name)
        if after is None:
            return []
        if not after.rejections:
            break
        if new and new.note(after):
            chosen[0] = new.proposal
            continue
        more = _more(after, asking, home, seen, last_resorts=last_resorts)
        if not more:
            return []
        if any(each.action == REQUEST_LESS for each in more):
            # It says all that the pod has to request less of, and so takes the place of what said less.
            chosen = [each for each in chosen if each.action != REQUEST_LESS]
        chosen += more
    return chosen


def _more(after: NodeAfterSteps, asking: Pod, home: Scene, had: list[_Option], *, last_resorts: bool) -> list[Proposal]:
    """The first change against each objection that was not made yet; nothing if there is none against one of them."""
    chosen: list[Proposal] = []
    # What a plugin gives no facts about may be what another one explains.
    for rejection in uncovered([each for each in after.rejections if each.facts]):
        possible = options(rejection, after, asking, home, last_resorts=last_resorts)
        place = next((n for n in range(len(possible)) if (rejection.facts, n) not in had), None)
        if place is None:
            return []
        had.append((rejection.facts, place))
        chosen.append(possible[place])
    return chosen


def options(said: Rejection, after: NodeAfterSteps, asking: Pod, home: Scene, *, last_resorts: bool) -> list[Proposal]:
    """What would lift one rejection of one node, which has facts, the most wanted first.

    `asking` is the pod before anything was changed for the node.
    """
    answer = main(said.facts)
    facts = [fact for fact in said.facts if type(fact) is answer.fact]
    node_info, now = after.node_info, home.after(after.lookup.pod, after.lookup.cluster)
    if answer.fact is ResourceFact:
        now = home.after(asking, after.lookup.cluster)
        found = [*answer.proposals(now, {node_info.name: _lacking(facts, after, asking)})]
    else:
        found = [*answer.proposals(now, {node_info.name: facts})]
    found = [each for each in found if each.steps_to_try]
    change = answer.node_change(node_info, facts, now)
    if change is not None:
        found.append(change.proposal([node_info.name], node_info.name))
    found += answer.at_node(node_info, facts, home.after(after.lookup.pod, after.lookup.cluster))
    wanted = (each for each in found if last_resorts or each.rank < Rank.LAST_RESORT)
    return sorted(wanted, key=lambda each: (each.rank, each.is_fallback, each.order))


def _lacking(facts: Sequence[Any], after: NodeAfterSteps, asking: Pod) -> list[ResourceFact]:
    """What the node lacks for all that the pod asked for at first: what it was made to request less of counts too."""
    cluster, allocatable = after.lookup.cluster, after.node_info.allocatable
    asked, left = (cluster.pod_info(pod).resource.requested for pod in (asking, after.lookup.pod))
    cut = {
        name: ResourceFact(
            resource=name, requested=least, free=left.amount(name), allocatable=allocatable.amount(name), used=0
        )
        for name, least in asked.amounts().items()
        if left.amount(name) < least
    }
    here = {fact.resource: replace(fact, requested=max(asked.amount(fact.resource), fact.requested)) for fact in facts}
    return list((cut | here).values())


def main(facts: Sequence[AnyFact]) -> AnyAgainst:
    """What a rejection is about: a label that is missing matters for what it is needed for, if that is there too."""
    kinds = [type(fact) for fact in facts]
    return against(next((kind for kind in kinds if kind is not TopologyLabelFact), kinds[0]))


def _steps(chosen: Iterable[Proposal]) -> list[Step]:
    return [step for each in chosen for step in each.steps_to_try]


def _kept(chosen: Sequence[Proposal], tried: Tried) -> list[Proposal]:
    """What is left of the proposals: of one that moves pods, only some of them may have to leave."""
    left = {id(step) for step in tried.steps}
    kept: list[Proposal] = []
    for each in chosen:
        steps = [step for step in each.steps_to_try if id(step) in left]
        if len(steps) == len(each.steps_to_try):
            kept.append(each)
        elif steps:
            keys = [f"{step.namespace}/{step.name}" for step in steps if step.kind is Pod and step.name]
            kept.append(moving(keys, "") if len(keys) == len(steps) else each)
    return kept


def enough_for_all(tried: Tried, proposal: Proposal, trials: Trials) -> tuple[Tried, Proposal]:
    """The least of what is proposed that serves all pods of the workload, where there is more of it to be had."""
    most = len(trials.pending)
    if proposal.for_others is not None and most and not trials.serves_all(tried):
        for_all = proposal.for_others(trials.pending)
        found = trials.attempt(for_all.steps_to_try) if for_all else None
        return (found, for_all) if for_all and found and trials.serves_all(found) else (tried, proposal)
    if proposal.for_more is None or not 0 < most <= MOST_MORE or trials.serves_all(tried):
        return tried, proposal
    every = ((each, trials.attempt(each.steps_to_try)) for each in map(proposal.for_more, range(1, most + 1)))
    return next(((found, each) for each, found in every if found and trials.serves_all(found)), (tried, proposal))


def to_the_end(found: tuple[Tried, object] | None, proposal: Proposal, trials: Trials) -> tuple[Tried, Proposal] | None:
    """The least of what is proposed with which a rollout gets to its end, where what was `found` of it does not."""
    more = proposal.for_rollout or proposal.for_more
    is_well = found is not None and not _stalls(found[0], trials)
    for each in map(more, range(1, MOST_MORE + 1)) if more and not is_well else ():
        tried = trials.attempt(each.steps_to_try) if each else None
        done = trials.carried_out(tried, ()) if tried else None
        if each and tried and done and not done[0].end:
            return tried, each
    return None


def said_to_end(tried: Tried, proposal: Proposal, trials: Trials) -> Proposal:
    """The proposal with how far the rollout gets then, at a lower place, where that is not its end."""
    if not _stalls(tried, trials):
        return proposal
    text = f"{proposal.text}, though the rollout then {tried.end}"
    rank = Rank.MOVES if proposal.rank == Rank.LOOSENS else proposal.rank
    return replace(proposal, text=text, order=proposal.order + UNTRIED, rank=rank)


def _stalls(tried: Tried, trials: Trials) -> bool:
    """Whether a rollout does not get to its end, although all pods that wait now have a node."""
    return bool(tried.end) and tried.serves in (None, 1 + len(trials.pending))
