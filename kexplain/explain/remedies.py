"""What would help.

What is tried goes through the whole cycle, on the cluster's objects as they would be then. What cannot be tried, such
as data that has to be restored, is advice: it names nodes only if nothing else stands in the pod's way there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from kexplain.explain import edits
from kexplain.explain.changes import AnyStep, PodStep
from kexplain.explain.details import in_words
from kexplain.explain.objections import BY_FACT, AnyFact, AnyObjection
from kexplain.explain.objections.objection import Certainty, Lift, Lookup, Proposal
from kexplain.explain.objections.resources import ResourceFact, never_fit, share_free
from kexplain.explain.objections.spreading import TopologyLabelFact
from kexplain.explain.objections.taints import NODE_CONDITIONS, TaintFact
from kexplain.explain.pools import one_larger, one_more
from kexplain.explain.records import Cause, NodeVerdict, Rejection, Remedy, RequestSum
from kexplain.explain.slips import slips
from kexplain.explain.trials import Trials, Tried
from kexplain.objects.core import Pod
from kexplain.objects.scheduling import PriorityClass
from kexplain.words import joined, some

FactsByNode = Mapping[str, Sequence[AnyFact]]

#: How many causes remedies are sought for, and on how many nodes of each.
CAUSES_TRIED, NODES_TRIED = 8, 2
#: Of how many of the closest nodes sets of changes are tried, how many of each, and of so many changes at most.
CLOSEST, SETS, LARGEST_SET = 4, 8, 3
POOLS, CLASSES = 3, 4
GAVE_UP = "more changes may help: with so many nodes not all were tried"


def remedies(
    trials: Trials, causes: Sequence[Cause], verdicts: Sequence[NodeVerdict], requests: Sequence[RequestSum]
) -> tuple[Remedy, ...]:
    """Likely slips first, then what helps, the least invasive first and, among equals, on most nodes."""
    return _Search(trials, verdicts).run(causes, requests)


class _Search:
    """The remedies found so far, each with its place in the order."""

    def __init__(self, trials: Trials, verdicts: Sequence[NodeVerdict]) -> None:
        self._trials = trials
        self._decision = trials.decision
        self._pod, self._cluster = trials.decision.pod, trials.decision.cluster
        self._lookup = Lookup(self._pod, self._cluster)
        self._verdicts = verdicts
        self._found: list[tuple[int, Remedy]] = []

    def run(self, causes: Sequence[Cause], requests: Sequence[RequestSum]) -> tuple[Remedy, ...]:
        """Everything, in order."""
        facts_by_node = {each.node: each.stopped_by.facts for each in self._verdicts if each.stopped_by}
        for objection, group in _groups([cause.alone_on for cause in causes[:CAUSES_TRIED]], facts_by_node):
            self._against(objection, group)
        mistyped = list(slips(self._pod, requests, self._cluster))
        if not any(remedy.tried for _, remedy in self._found):
            self._sets()
        self._one_more_node()
        if any(cause.preemption_may_help for cause in causes):
            self._priority()
        self._found.sort(key=lambda each: (each[0], -len(each[1].nodes)))
        distinct = {remedy.text: remedy for _, remedy in reversed(self._found)}
        helpful = [remedy for _, remedy in self._found if distinct.pop(remedy.text, None)]
        if not helpful and not mistyped:
            helpful += self._closest()
        if self._trials.gave_up:
            helpful.append(Remedy(action="give-up", text=GAVE_UP))
        return (*mistyped, *helpful)

    def _add(self, order: int, *found: Remedy | None) -> None:
        self._found += [(order, remedy) for remedy in found if remedy]

    # ------------------------------------------------------------------------------------------ one objection alone

    def _against(self, objection: AnyObjection, facts_by_node: FactsByNode) -> None:
        """What helps against the one objection that these nodes have."""
        before = len(self._found)
        for proposal in objection.proposals(self._pod, _own(objection, facts_by_node)):
            if not proposal.is_last_resort:
                self._add(proposal.order, self._of_pod(proposal, facts_by_node))
        for name in _nearest(facts_by_node)[:NODES_TRIED]:
            for proposal in objection.here(*self._here(name, objection, facts_by_node[name])):
                tried = self._trials.needed(proposal.steps or _own_steps(proposal))
                self._add(proposal.order, self._told(tried, proposal.action, proposal.text))
        if not any(remedy.tried or remedy.nodes for _, remedy in self._found[before:]):
            for proposal in objection.proposals(self._pod, _own(objection, facts_by_node)):
                if proposal.is_last_resort:
                    self._add(proposal.order, self._of_pod(proposal, facts_by_node))
        if any(BY_FACT[kind].has_lift for kind in {type(fact) for facts in facts_by_node.values() for fact in facts}):
            self._add(2, _lifted(facts_by_node))

    def _here(self, name: str, objection: AnyObjection, facts: Sequence[AnyFact]) -> tuple[Any, Any, Lookup]:
        own = [fact for fact in facts if type(fact) is objection.fact]
        return self._cluster.node_info_by_name[name], own, self._lookup

    def _of_pod(self, proposal: Proposal, facts_by_node: FactsByNode) -> Remedy | None:
        """A change of the pod, tried; one that nobody would make only shows where the pod would fit."""
        nodes = proposal.nodes
        if proposal.edit is None:
            return Remedy(action=proposal.action, text=proposal.text, nodes=nodes)
        left = self._decision.objections(proposal.edit(self._pod), list(facts_by_node))
        nodes = tuple(name for name in facts_by_node if not left.get(name))
        if not nodes:
            return None
        if proposal.is_stand_in or not self._trials.can_try:
            return Remedy(action=proposal.action, text=proposal.text, nodes=nodes)
        tried = self._trials.attempt(_own_steps(proposal))
        if tried is None and not self._trials.gave_up:
            return None
        return tried.remedy(proposal.action, proposal.text, nodes) if tried else None

    def _told(self, tried: Tried | None, action: str, text: str) -> Remedy | None:
        """What was tried, with what becomes of the pods that would have to leave."""
        if tried is None:
            return None
        gone = [each.target for each in tried.changes if (each.verb, each.target.kind) == ("delete", "Pod")]
        keys = {f"{target.namespace}/{target.name}" for target in gone}
        pods = [info.pod for node in self._cluster.node_infos for info in node.pods if info.pod.key in keys]
        places = _places(list(self._trials.places(tried, pods))) if pods else ""
        return tried.remedy(action, text + places)

    # ------------------------------------------------------------------------------------------------ sets of changes

    def _sets(self) -> None:
        """The smallest set of changes for the nodes that are closest."""
        for verdict in sorted(filter(_is_open, self._verdicts), key=distance)[:CLOSEST]:
            options = [list(self._options(each, verdict.node)) for each in _uncovered(verdict)]
            if len(options) <= LARGEST_SET and all(options):
                sets = sorted(product(*options), key=lambda each: sum(proposal.order for proposal in each))
                self._add_first(sets[:SETS])

    def _add_first(self, sets: Iterable[Sequence[Proposal]]) -> None:
        """The first of these sets that is enough, without what it does not need."""
        for chosen in sets:
            tried = self._trials.smallest([step for each in chosen for step in (each.steps or _own_steps(each))])
            if tried is not None:
                kept = [each for each in chosen if {*(each.steps or _own_steps(each))} <= {*tried.steps}]
                text = "; ".join(each.text for each in kept)
                order = max((each.order for each in kept), default=0)
                self._add(order, self._told(tried, "combine", f"together: {text}" if len(kept) > 1 else text))
                return

    def _options(self, rejection: Rejection, node: str) -> Iterator[Proposal]:
        """What would lift one rejection of one node, the least invasive first."""
        found: list[Proposal] = []
        if rejection.facts:
            objection = _main(rejection.facts)
            own = _own(objection, {node: rejection.facts})
            found += [each for each in objection.proposals(self._pod, own) if each.edit and not each.is_stand_in]
            found += objection.here(*self._here(node, objection, rejection.facts))
        yield from sorted(found, key=lambda each: each.order)[:LARGEST_SET]

    def _closest(self) -> Iterator[Remedy]:
        """What stands in the way on the node that lacks least."""
        rejected = [each for each in self._verdicts if each.stopped_by and not never_fit(_resource_facts(each))]
        if rejected:
            nearest = in_words(min(rejected, key=distance), self._pod, self._cluster)
            details = "; ".join(rejection.detail for rejection in _rejections(nearest))
            yield Remedy(action="combine", text=f"no single change is enough; {nearest.node} comes closest: {details}")

    # ------------------------------------------------------------------------------------ more nodes, more importance

    def _one_more_node(self) -> None:
        for proposal in (*one_more(self._pod, self._cluster, POOLS), *one_larger(self._pod, self._cluster)):
            told = self._told(self._trials.attempt(proposal.steps), proposal.action, proposal.text)
            self._add(proposal.order, told)
            # A pool has a name of its own; of nodes that are only alike one is enough.
            if told and "(pool " not in proposal.text:
                return

    def _priority(self) -> None:
        """The smallest existing priority with which the scheduler makes room itself."""
        if self._decision.nominated_node:
            return
        classes = [each for each in self._cluster.listers.every(PriorityClass) if each.value > self._pod.priority]
        for each in sorted(classes, key=lambda each: each.value)[:CLASSES]:
            if each.preemption_policy == "Never" or each.name.startswith("system-"):
                continue
            tried = self._trials.attempt([PodStep(edits.of_priority(each.name, each.value))], may_preempt=True)
            if tried is not None and tried.evicted:
                victims = joined([pod.key for pod in tried.evicted])
                text = f"set priorityClassName: {each.name} ({each.value}); the scheduler then evicts {victims}"
                self._add(7, tried.remedy("raise-priority", text))
                return


def _own_steps(proposal: Proposal) -> list[AnyStep]:
    return [PodStep(proposal.edit)] if proposal.edit else []


def _places(places: Sequence[tuple[Pod, str]]) -> str:
    found = [f"{pod.key} then fits on {node}" for pod, node in places if node and pod.metadata.controller]
    waiting = [f"{pod.key} then stays pending" for pod, node in places if not node and pod.metadata.controller]
    gone = [f"no controller would recreate {pod.key}" for pod, _ in places if not pod.metadata.controller]
    return f" ({'; '.join([*found, *waiting, *gone])})"


def _groups(
    nodes_by_cause: Iterable[Sequence[str]], facts_by_node: FactsByNode
) -> Iterable[tuple[AnyObjection, FactsByNode]]:
    """The nodes that one objection alone keeps the pod from, by cause, with that objection."""
    groups: dict[Hashable, tuple[AnyObjection, dict[str, Sequence[AnyFact]]]] = {}
    for nodes in nodes_by_cause:
        facts = facts_by_node[nodes[0]] if nodes else ()
        if facts:
            objection = _main(facts)
            _, group = groups.setdefault(objection if objection.spans_causes else nodes, (objection, {}))
            group.update({name: facts_by_node[name] for name in nodes})
    return groups.values()


def _main(facts: Sequence[AnyFact]) -> AnyObjection:
    """What a rejection is about: a label that is missing matters for what it is needed for, if that is there too."""
    kinds = [type(fact) for fact in facts]
    return BY_FACT[next((kind for kind in kinds if kind is not TopologyLabelFact), kinds[0])]


def _nearest(facts_by_node: FactsByNode) -> list[str]:
    """The nodes, those with most room first."""
    short = {
        name: share_free([fact for fact in facts if isinstance(fact, ResourceFact)])
        for name, facts in facts_by_node.items()
    }
    return sorted(facts_by_node, key=lambda name: -short[name])


def _own(objection: AnyObjection, facts_by_node: FactsByNode) -> FactsByNode:
    """Without facts of other kinds that the same plugin may have given."""
    return {node: [fact for fact in facts if type(fact) is objection.fact] for node, facts in facts_by_node.items()}


def _lifted(facts_by_node: FactsByNode) -> Remedy | None:
    """What has to change outside the pod, where that takes the least effort or else helps on most nodes.

    Nodes with the same words are taken together. Only those are promised on which the pod is sure to fit then.
    """
    nodes_by_text: dict[str, list[str]] = {}
    lifts_by_text: dict[str, list[Lift]] = {}
    for node, facts in facts_by_node.items():
        lifts = [lift for fact in facts if (lift := BY_FACT[type(fact)].lift(fact))]
        text = " and ".join(dict.fromkeys(lift.text for lift in lifts))
        nodes_by_text.setdefault(text, []).append(node)
        lifts_by_text[text] = lifts
    efforts = {text: sum(lift.effort for lift in lifts) for text, lifts in lifts_by_text.items()}
    text, nodes = min(nodes_by_text.items(), key=lambda item: (efforts[item[0]], -len(item[1])))
    if not text:
        return None
    lifts = lifts_by_text[text]
    match max(lift.certainty for lift in lifts):
        case Certainty.FITS:
            return Remedy(action=lifts[0].action, text=text, nodes=tuple(nodes))
        case Certainty.NEEDED:
            return Remedy(action=lifts[0].action, text=f"{text} (for {some(nodes)})")
        case Certainty.NEEDED_ANYWHERE:
            return Remedy(action=lifts[0].action, text=text)


# ------------------------------------------------------------------------------------------------ the closest node


def distance(verdict: NodeVerdict) -> tuple[bool, int, float]:
    """How far the pod is from fitting on the node: never, objections to lift, share of requests missing."""
    rejections = _rejections(verdict)
    facts = sum(len(rejection.facts) for rejection in rejections)
    short = _resource_facts(verdict)
    if not short:
        return False, max(len(rejections), facts), 0.0
    missing = max((fact.requested - fact.free) / fact.requested for fact in short)
    return never_fit(short), max(len(rejections), facts), missing


def _is_open(verdict: NodeVerdict) -> bool:
    """Whether anything could bring the pod there: the node was looked at, and is not lost."""
    facts = [fact for each in _rejections(verdict) for fact in each.facts]
    return bool(facts) and not any(isinstance(fact, TaintFact) and fact.key in NODE_CONDITIONS for fact in facts)


def _rejections(verdict: NodeVerdict) -> Sequence[Rejection]:
    return (verdict.stopped_by, *verdict.also) if verdict.stopped_by else verdict.also


def _uncovered(verdict: NodeVerdict) -> list[Rejection]:
    """The rejections but for those that go away with another one."""
    every = _rejections(verdict)
    return [
        each
        for each in every
        if not any(
            each is not other
            and each.facts
            and all(any(BY_FACT[type(fact)].covers(fact, behind) for fact in other.facts) for behind in each.facts)
            for other in every
        )
    ]


def _resource_facts(verdict: NodeVerdict) -> list[ResourceFact]:
    return [fact for each in _rejections(verdict) for fact in each.facts if isinstance(fact, ResourceFact)]
