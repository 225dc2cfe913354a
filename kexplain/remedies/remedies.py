"""What would help.

What is tried goes through the whole cycle, on the cluster's objects as they would be then. What cannot be tried, such
as data that has to be restored, is advice: it names nodes only if nothing else stands in the pod's way there.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from itertools import chain, islice

from msgspec.structs import replace

from kexplain.cluster.siblings import are_siblings, siblings
from kexplain.explain.distance import closest_first, is_open
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.pools import pools
from kexplain.explain.records import Cause, NodeVerdict, RequestSum
from kexplain.objects.core import Pod
from kexplain.objects.scheduling import PriorityClass
from kexplain.remedies import edits
from kexplain.remedies.advice import FactsByNode, closest, groups, lifted, own
from kexplain.remedies.against import AnyAgainst, against
from kexplain.remedies.changes import PodStep, Step
from kexplain.remedies.controllers import as_made
from kexplain.remedies.fitting_node import FittingNode
from kexplain.remedies.more_nodes import one_larger, one_more
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Remedy
from kexplain.remedies.repairs import main, repair
from kexplain.remedies.slips import Slip, slips
from kexplain.remedies.trials import Trials, Tried
from kexplain.words import joined

#: How many causes remedies are sought for, and on how many nodes of each.
CAUSES_TRIED, NODES_TRIED = 8, 2
#: For how many of the closest nodes sets of changes are sought, and how many such sets are enough.
CLOSEST, SETS = 4, 2
POOLS, CLASSES = 3, 4
GAVE_UP = "more changes may help: with so many nodes not all were tried"
#: The places in the order of what was not tried, and of what was tried but leaves out what the pod is there for.
ADVICE, LAST_RESORT = 20, 30


def remedies(
    trials: Trials,
    causes: Sequence[Cause],
    verdicts: Sequence[NodeVerdict],
    requests: Sequence[RequestSum],
    unfit: Set[str] = frozenset(),
) -> tuple[Remedy, ...]:
    """What was tried, the least invasive first and, among equals, on most nodes; then advice, then last resorts.

    One more node like one of those that are `unfit` is known not to help.
    """
    return _Search(trials, verdicts, unfit).run(causes, requests)


class _Search:
    """The remedies found so far, each with its place in the order."""

    def __init__(self, trials: Trials, verdicts: Sequence[NodeVerdict], unfit: Set[str]) -> None:
        self._trials = trials
        self._decision = trials.decision
        self._pod, self._cluster = trials.decision.pod, trials.decision.cluster
        self._lookup = Lookup(self._pod, self._cluster)
        self._verdicts = verdicts
        #: What stopped each node first.
        self._facts_by_node = {each.node: each.stopped_by.facts for each in verdicts if each.stopped_by}
        self._unfit = unfit
        #: What mends slips where that alone is not enough: it is part of what else is done.
        self._mending: Sequence[Proposal] = ()
        self._found: list[tuple[int, Remedy]] = []

    def run(self, causes: Sequence[Cause], requests: Sequence[RequestSum]) -> tuple[Remedy, ...]:
        """Everything, in order."""
        self._mended(slips(self._pod, requests, self._cluster))
        nodes_by_cause = [cause.alone_on for cause in causes[:CAUSES_TRIED]]
        for answer, group in groups(nodes_by_cause, self._facts_by_node):
            self._against(answer, group)
        if not self._has_tried:
            self._sets()
        self._one_more_node()
        if any(cause.preemption_may_help for cause in causes):
            self._priority()
        self._further()
        self._found.sort(key=lambda each: (each[0], -len(each[1].nodes)))
        distinct: dict[str, Remedy] = {}
        for _, remedy in self._found:
            distinct.setdefault(remedy.text, remedy)
        helpful = list(distinct.values())
        if not helpful:
            helpful += closest(self._verdicts, self._pod, self._cluster)
        if self._trials.gave_up:
            helpful.append(Remedy(action="give-up", text=GAVE_UP))
        return tuple(helpful)

    def _further(self) -> None:
        """What goes further, as long as nothing else was found."""
        for last_resorts in (False, True):
            if last_resorts and not self._has_tried:
                self._advised()
                self._sets(last_resorts=True)
            if not self._has_tried:
                self._fitting_node(last_resorts=last_resorts)

    def _advised(self) -> None:
        """What would lift the objections that come first; as others lie behind them, no node is promised."""
        facts = next(iter(self._facts_by_node.values()), ())
        answer = main(facts) if facts else None
        if answer and answer.has_lift and (found := lifted(own(answer, self._facts_by_node))):
            self._add(2, replace(found, nodes=()))

    @property
    def _has_tried(self) -> bool:
        return any(remedy.tried for _, remedy in self._found)

    def _add(self, order: int, *found: Remedy | None) -> None:
        self._found += [(order if remedy.tried else order + ADVICE, remedy) for remedy in found if remedy]

    def _add_set(self, tried: Tried, kept: Sequence[Proposal]) -> None:
        """Proposals that are enough together."""
        text = "; ".join(each.text for each in kept)
        order = max(LAST_RESORT if each.is_last_resort else each.order for each in kept)
        if len(kept) == 1:
            self._add(order, self._told(tried, kept[0].action, text))
        else:
            self._add(order, self._told(tried, "combine", f"together: {text}"))

    # -------------------------------------------------------------------------------------------- slips of the pen

    def _mended(self, found: Sequence[Slip]) -> None:
        """What looks mistyped, mended if that is enough, or enough together with more; else it is only asked about."""
        mending = [Proposal("check-manifest", slip.mending, slip.edit, order=0) for slip in found if slip.edit]
        if mending:
            tried = self._trials.minimal([step for each in mending for step in each.steps_to_try])
            if tried is not None:
                self._add_set(tried, [each for each in mending if {*each.steps_to_try} <= {*tried.steps}])
            else:
                self._mending = mending
                self._sets(mending)
        told = " ".join(remedy.text for _, remedy in self._found)
        for slip in found:
            if not slip.edit or slip.mending not in told:
                # A slip that can be guessed is mended before anything else is done.
                self._found.append((0 if slip.edit else ADVICE, Remedy(action="check-manifest", text=slip.question)))

    # ------------------------------------------------------------------------------------------ one objection alone

    def _against(self, answer: AnyAgainst, facts_by_node: FactsByNode) -> None:
        """What helps against the one objection that these nodes have."""
        before = len(self._found)
        nearest_first = answer.nearest_first(own(answer, facts_by_node))
        every = list(answer.proposals(self._pod, nearest_first))
        for proposal in every:
            if not proposal.is_last_resort:
                self._add(proposal.order, self._of_pod(proposal, facts_by_node))
        for name, facts in islice(nearest_first.items(), NODES_TRIED):
            for proposal in answer.here(self._cluster.node_info_by_name[name], facts, self._lookup):
                tried = self._trials.minimal(proposal.steps_to_try, at=name)
                if tried is not None and len(tried.steps) == len(proposal.steps_to_try):
                    self._add(proposal.order, self._told(tried, proposal.action, proposal.text))
        if not any(remedy.tried or remedy.nodes for _, remedy in self._found[before:]):
            self._last_against([each for each in every if each.is_last_resort], facts_by_node)

    def _last_against(self, proposals: Sequence[Proposal], facts_by_node: FactsByNode) -> None:
        """What is left to do against an objection where nothing milder helps."""
        for proposal in proposals:
            order = LAST_RESORT if proposal.steps_to_try else proposal.order
            self._add(order, self._of_pod(proposal, facts_by_node))
        kinds = set(map(type, chain.from_iterable(facts_by_node.values())))
        if any(against(kind).has_lift for kind in kinds):
            self._add(2, lifted(facts_by_node))

    def _of_pod(self, proposal: Proposal, facts_by_node: FactsByNode) -> Remedy | None:
        """A change of the pod, tried; one that nobody would make only shows where the pod would fit."""
        if proposal.edit is None:
            return Remedy(action=proposal.action, text=proposal.text, nodes=proposal.nodes)
        if self._trials.can_try and not proposal.is_stand_in:
            tried = self._trials.attempt(proposal.steps_to_try)
            return tried.remedy(proposal.action, proposal.text) if tried else None
        changed = as_made(proposal.edit(self._pod), self._pod)
        left = self._decision.objections(changed, list(facts_by_node))
        nodes = tuple(name for name in facts_by_node if not left.get(name))
        return Remedy(action=proposal.action, text=proposal.text, nodes=nodes) if nodes else None

    def _told(self, tried: Tried | None, action: str, text: str) -> Remedy | None:
        """What was tried, with what becomes of the pods that would have to leave."""
        if tried is None:
            return None
        gone = [each.target for each in tried.changes if (each.verb, each.target.kind) == ("delete", "Pod")]
        keys = {f"{target.namespace}/{target.name}" for target in gone}
        pods = (
            [info.pod for node in self._cluster.node_infos for info in node.pods if info.pod.key in keys]
            if keys
            else []
        )
        places = list(self._trials.places(tried, pods))
        if any(not node and are_siblings(self._pod, pod) for pod, node in places):
            # One replica in place of another is no gain.
            return None
        return tried.remedy(action, text + _places(places))

    # ------------------------------------------------------------------------------------------------ sets of changes

    @cached_property
    def _closest(self) -> list[NodeVerdict]:
        return [*islice(closest_first(self._verdicts, is_open), CLOSEST)]

    def _sets(self, first: Sequence[Proposal] = (), *, last_resorts: bool = False) -> None:
        """Small sets of changes for the nodes that are closest."""
        found = 0
        for verdict in self._closest:
            repaired = repair(self._trials, verdict.node, first, last_resorts=last_resorts)
            if repaired is not None:
                self._add_set(*repaired)
                found += 1
            if found == SETS:
                return

    # ------------------------------------------------------------------------------------ more nodes, more importance

    def _one_more_node(self) -> None:
        models = [pool.newest.name for pool in pools(self._cluster)]
        like = zip(models, one_more(self._pod, self._cluster, POOLS), strict=False)
        possible = [proposal for model, proposal in like if model not in self._unfit]
        mended = edits.together([each.edit for each in self._mending if each.edit])(self._pod)
        mending = [step for each in self._mending for step in each.steps_to_try]
        for proposal in (*possible, *one_larger(mended, self._cluster)):
            tried = self._trials.attempt([*mending, *proposal.steps], at=FittingNode(proposal).name)
            if tried is None:
                continue
            self._add_set(tried, [*self._mending, proposal])
            # A pool has a name of its own; of nodes that are only alike one is enough.
            if "(pool " not in proposal.text:
                return

    def _fitting_node(self, *, last_resorts: bool = False) -> None:
        """A new node made to suit the pod, perhaps with more changes: where nothing else helps."""
        for proposal in one_more(self._pod, self._cluster, POOLS):
            repaired = repair(self._trials, FittingNode(proposal), self._mending, last_resorts=last_resorts)
            if repaired is not None:
                self._add_set(*repaired)
                return

    def _priority(self) -> None:
        """The smallest existing priority with which the scheduler makes room itself."""
        if self._decision.nominated_node:
            return
        classes = [each for each in self._cluster.listers.every(PriorityClass) if each.value > self._pod.priority]
        for each in sorted(classes, key=lambda each: each.value)[:CLASSES]:
            if each.preemption_policy == "Never" or each.name.startswith("system-"):
                continue
            raised = edits.of_priority(each.name, each.value)
            tried = self._trials.attempt([PodStep(raised)], may_preempt=True)
            if tried is not None and any(are_siblings(self._pod, pod) for pod in tried.evicted):
                # A change of the template reaches the pods that run already, too.
                others = siblings(self._pod, self._cluster)
                steps = [Step(Pod, pod.namespace, pod.name, raised, follows=True) for pod in others]
                tried = self._trials.attempt([PodStep(raised), *steps], may_preempt=True)
            if tried is not None and tried.evicted:
                victims = joined([pod.key for pod in tried.evicted])
                text = f"set priorityClassName: {each.name} ({each.value}); the scheduler then evicts {victims}"
                self._add(7, tried.remedy("raise-priority", text))
                return


def _places(places: Sequence[tuple[Pod, str]]) -> str:
    if not places:
        return ""
    found = [f"{pod.key} then fits on {node}" for pod, node in places if node and pod.metadata.controller]
    waiting = [f"{pod.key} then stays pending" for pod, node in places if not node and pod.metadata.controller]
    gone = [f"no controller would recreate {pod.key}" for pod, _ in places if not pod.metadata.controller]
    return f" ({'; '.join([*found, *waiting, *gone])})"
