"""What would help.

What is tried goes through the whole cycle, on the cluster's objects as they would be then. What cannot be tried, such
as data that has to be restored, is advice: it names nodes only if nothing else stands in the pod's way there.

First comes what helps where the pod belongs. Last resorts are sought if they are asked for, or nothing else helps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain, filterfalse, islice
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster.siblings import are_siblings, siblings, turn
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.distance import closest_first, is_open, rejections
from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.objections.resources import among, but_for_amounts
from kexplain.explain.records import Cause, NodeVerdict, RequestSum
from kexplain.objects.core import Pod
from kexplain.objects.scheduling import PriorityClass
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import advice
from kexplain.remedies.against import AnyAgainst, against
from kexplain.remedies.against.resources import nearly_enough
from kexplain.remedies.change_sets import enough_for_all, main, repair, said_to_end, to_the_end
from kexplain.remedies.controller_fields import as_made
from kexplain.remedies.fitting_node import FittingNode
from kexplain.remedies.more_nodes import OneMore, first_nodes, for_all, one_larger, one_more, too_small
from kexplain.remedies.moved_pods import ended, strands
from kexplain.remedies.preempted_pods import evicts, higher_classes, preempting_class, priority_rank
from kexplain.remedies.proposal import NodeChange, Proposal, rank_on, ranked
from kexplain.remedies.ranking import UNTRIED, Ranking
from kexplain.remedies.records import Action, NewNode, Rank, Remedies, Remedy
from kexplain.remedies.rolling_updates import unstuck
from kexplain.remedies.slips import Slip, slips
from kexplain.remedies.steps import Step, of_pod
from kexplain.remedies.trials import GAVE_UP, Trials, Tried
from kexplain.remedies.untried import FactsByNode, beside_made_nodes, closest, done_by_hand, groups, of_kind, untried

#: How many causes remedies are sought for, and on how many nodes of each.
CAUSES_TRIED, NODES_TRIED = 8, 2
#: For how many of the closest nodes sets of changes are sought, and how many such sets are enough.
CLOSEST, SETS = 4, 2
#: So many classes and slips of the pen: whoever makes more of these means something else.
CLASSES, SLIPS = 4, 12


class Sought(Struct, frozen=True):
    """What is known of the pod beside the decision, and what is wanted."""

    requests: Sequence[RequestSum] = ()
    #: Where the pod belongs; everywhere if nobody sorted the nodes.
    home: Scene | None = None
    #: What one more node of each pool is known to come to.
    new_nodes: Sequence[NewNode] = ()
    last_resorts: bool = False


def remedies(
    trials: Trials, causes: Sequence[Cause], verdicts: Sequence[NodeVerdict], asked: Sought | None = None
) -> Remedies:
    """What would help the pod of a decision, by rank and, among equals, on most nodes."""
    return _Search(trials, verdicts, asked or Sought()).run(causes)


class _Search:
    """The remedies found so far, and what was left aside."""

    def __init__(self, trials: Trials, verdicts: Sequence[NodeVerdict], asked: Sought) -> None:
        self._trials = trials
        self._decision = trials.decision
        self._pod, self._cluster = trials.decision.pod, trials.decision.cluster
        self._asked = asked
        self._home = asked.home or Scene(self._pod, self._cluster)
        self._verdicts = NodeVerdicts.of(verdicts)
        #: What stopped each node first.
        self._facts_by_node = self._verdicts.where(lambda each: each.stopped_by is not None).facts_by_node
        #: What mends slips where that alone is not enough: it is part of what else is done.
        self._mending: Sequence[Proposal] = ()
        self._ranking = Ranking()
        #: Whether mending what looks mistyped is enough.
        self._is_mended = False
        #: Whether last resorts are tried now, and those that were met when they were not.
        self._is_last = False
        self._left_aside: list[tuple[str, Callable[[], object]]] = []
        #: By what would help, why an API server refuses the pods that are made then.
        self._refused: dict[str, str] = {}
        #: What a rollout does not get to its end with, in whose place something else was looked at.
        self._replaced: set[str] = set()

    def run(self, causes: Sequence[Cause]) -> Remedies:
        if others := tuple(beside_made_nodes(self._trials, self._home)):
            return Remedies(others)
        self._mended(slips(self._pod, self._asked.requests, self._cluster))
        for found in unstuck(self._trials, self._home):
            self._add_set(*found)
        nodes_by_cause = [cause.alone_on for cause in causes]
        with self._trials.keeping_some():
            self._against_each(map(self._near, nodes_by_cause))
            if not self._ranking.has_wanted:
                self._sets()
        self._one_more_node()
        if not self._decision.nominated_node and any(cause.preemption_may_help for cause in causes):
            self._priority()
        if not self._ranking.has_any:
            self._suiting_node()
        if self._asked.last_resorts or not self._ranking.has_any:
            self._last_resorts(nodes_by_cause)
        return self._result()

    def _result(self) -> Remedies:
        every = self._ranking.remedies(self._trials) or [*closest(self._verdicts, self._pod, self._cluster)]
        # What was left aside refers to the search, and would keep all that is known of the pod.
        aside, self._left_aside = [text for text, _ in self._left_aside if text], []
        helpful = [each for each in every if self._asked.last_resorts or each.rank < Rank.LAST_RESORT]
        aside += [each.text for each in every[len(helpful) :]]
        if self._trials.gave_up and (self._asked.last_resorts or not helpful):
            helpful.append(Remedy(action=Action.GIVE_UP, text=GAVE_UP, rank=Rank.LAST_RESORT))
        refused = (f'"{text}" would help, but the new pods are refused: {why}' for text, why in self._refused.items())
        return Remedies(tuple(helpful), tuple(dict.fromkeys(aside)), (*self._trials.notes_on(helpful), *refused))

    def _near(self, names: Sequence[str]) -> list[str]:
        """The nodes to which one thing objects where the pod belongs, or would if it asked for a little less."""
        own, home = self._home.names, self._home
        others = frozenset(home.others_of(names))
        near = nearly_enough(among(self._facts_by_node, filterfalse(home.is_kept, others)), home)
        return [name for name in names if name in own or name not in others or name in near]

    def _may_try(self, text: str, rank: Rank, attempt: Callable[[], object]) -> bool:
        """Whether a proposal of that rank is tried now; else it is left aside, to be tried by `attempt` if need be."""
        if rank < Rank.LAST_RESORT or self._is_last:
            return True
        self._left_aside.append((text, attempt))
        return False

    def _add_set(self, tried: Tried, kept: Sequence[Proposal]) -> None:
        """Proposals that are enough together."""
        if len(kept) == 1:
            self._add_tried(tried, kept[0])
        else:
            rank, order = max(each.rank for each in kept), max(each.order for each in kept)
            text = "; ".join(each.text for each in kept)
            self._add_tried(tried, Proposal(Action.COMBINE, f"together: {text}", rank=rank, order=order))

    def _add_tried(self, tried: Tried, proposal: Proposal, bundle: Sequence[str] = ()) -> None:
        """What was tried, with what becomes of the pods that would have to leave."""
        gone = self._gone(tried)
        if proposal.text in self._replaced or (gone and self._decision.nominated_node):
            # The scheduler makes room itself, maybe elsewhere.
            return
        found, refused = self._trials.carried_out(tried, gone), self._trials.refused
        if better := to_the_end(found, proposal, self._trials):
            self._replaced.add(proposal.text)
            if self._may_try(better[1].text, better[1].rank, lambda: self._add_tried(*better)):
                self._add_tried(*better)
                return
        if found is None:
            self._refused |= {proposal.text: refused} if refused else {}
            return
        proposal = said_to_end(found[0], proposal, self._trials)
        tried, places = found
        if any(not node and are_siblings(self._pod, pod) for pod, node in places):
            # One replica in place of another is no gain.
            return
        is_stranding = strands(tried, places)
        rank = Rank.LAST_RESORT if is_stranding else proposal.rank
        if is_stranding and not self._may_try(proposal.text, rank, lambda: self._add_tried(tried, proposal, bundle)):
            return
        tried, ending = ended(tried, places, self._cluster)
        remedy = tried.remedy(proposal.action, proposal.text + ending, rank)
        self._ranking.add(proposal.order, replace(remedy, bundle=tuple(bundle) if len(bundle) > 1 else ()), tried)

    def _gone(self, tried: Tried) -> list[Pod]:
        """The pods that would have to leave their nodes."""
        targets = [each.target for each in tried.changes if (each.verb, each.target.kind) == ("delete", "Pod")]
        found = [self._cluster.placed_pods.named(target.namespace or "default", target.name) for target in targets]
        return [info.pod for info in found if info]

    # -------------------------------------------------------------------------------------------- slips of the pen

    def _mended(self, found: Sequence[Slip]) -> None:
        """What looks mistyped, mended if that is enough, or enough together with more; else it is only asked about."""
        known = filter(attrgetter("edit"), found[:SLIPS])
        mending = [Proposal(Action.CHECK_MANIFEST, s.mending, s.edit, rank=Rank.MENDS, order=0) for s in known]
        kept: Sequence[Proposal] = ()
        if mending:
            tried = self._trials.minimal([step for each in mending for step in each.steps_to_try])
            if tried is not None:
                self._is_mended = True
                kept = [each for each in mending if {*each.steps_to_try} <= {*tried.steps}]
                self._add_set(tried, kept)
            else:
                self._mending = mending
                kept = mending if self._sets(mending) else ()
        mended = {id(each.edit) for each in kept}
        for number, slip in enumerate(found):
            if slip.edit is None or id(slip.edit) not in mended:
                # A slip that can be guessed is mended before anything else is done.
                order, rank = (UNTRIED, Rank.LOOSENS) if slip.edit is None else (-UNTRIED, Rank.MENDS)
                self._ranking.add(order, advice("manifest", slip.question, rank=rank), key=number)

    # ------------------------------------------------------------------------------------------ one objection alone

    def _against_each(self, nodes_by_cause: Iterable[Sequence[str]]) -> None:
        """What helps on the nodes to which only one thing objects."""
        for answer, group in islice(groups(nodes_by_cause, self._facts_by_node), CAUSES_TRIED):
            self._against(answer, group)

    def _against(self, answer: AnyAgainst, facts_by_node: FactsByNode) -> None:
        """What helps against the one objection that these nodes have."""
        before = len(self._ranking)
        nearest_first = answer.nearest_first(of_kind(answer, facts_by_node))
        every = list(answer.proposals(self._home, nearest_first))
        for proposal in every:
            if not proposal.is_fallback:
                self._of_pod(proposal, facts_by_node)
        self._of_nodes(answer, nearest_first)
        for name, facts in islice(nearest_first.items(), NODES_TRIED):
            known = len(self._ranking)
            for proposal in answer.at_node(self._cluster.node_info_by_name[name], facts, self._home):
                self._of_node(ranked(proposal, rank_on(self._home, [name], Rank.BY_ITSELF)), name)
            if self._ranking.has_more_than(known) and not self._trials.are_plenty:
                break
        if not self._ranking.has_more_than(before):
            self._fallbacks([each for each in every if each.is_fallback], facts_by_node)

    def _fallbacks(self, proposals: Sequence[Proposal], facts_by_node: FactsByNode) -> None:
        """What is left to do against an objection where nothing else helps."""
        for proposal in proposals:
            self._of_pod(proposal, facts_by_node)
        kinds = set(map(type, chain.from_iterable(but_for_amounts(facts_by_node))))
        if any(against(kind).has_by_hand for kind in kinds):
            self._ranking.add(2, done_by_hand(facts_by_node, self._home))

    def _of_node(self, proposal: Proposal, name: str) -> None:
        """What is done at one node, if all of it is needed."""
        if not self._may_try(proposal.text, proposal.rank, lambda: self._of_node(proposal, name)):
            return
        tried = self._trials.minimal(proposal.steps_to_try, at=name)
        if tried is not None and len(tried.steps) == len(proposal.steps_to_try):
            self._add_tried(tried, proposal)

    def _of_nodes(self, answer: AnyAgainst, facts_by_node: FactsByNode) -> None:
        """What is done to several nodes alike: all of those in one pool are one remedy."""
        names_by_kind: dict[Hashable, tuple[NodeChange, list[str]]] = {}
        alike: dict[tuple[str, int], list[str]] = {}  # of which any one would be changed
        for name, facts in self._home.lost_first(facts_by_node).items():
            place = (self._home.places.pool(name), id(facts))
            if (names := alike.get(place)) is None:
                change = answer.node_change(self._cluster.node_info_by_name[name], facts, self._home)
                if change is None:
                    # Nodes with the same objection differ in numbers only.
                    break
                names = names_by_kind.setdefault((change.kind, change.rank, place[0]), (change, []))[1]
                if change.is_alone:
                    alike[place] = names
            names.append(name)
        for change, names in islice(names_by_kind.values(), CAUSES_TRIED):
            self._of_bundle(change, names)

    def _of_bundle(self, change: NodeChange, names: Sequence[str]) -> None:
        proposal = change.of_all(names, self._home.nodes_in_words(names))
        if not self._may_try(proposal.text, proposal.rank, lambda: self._of_bundle(change, names)):
            return
        if not self._trials.can_try:
            self._ranking.add(proposal.order, untried(proposal, names, names))
            return
        tried = self._trials.attempt(proposal.steps_to_try)
        if tried is not None:
            one = change.of_one(names) if self._trials.are_plenty else None
            alone = self._trials.attempt(one.steps_to_try) if one else None
            if alone is not None and self._trials.serves_all(alone, max((self._pod, *self._trials.pending), key=turn)):
                proposal = replace(proposal, text=f"{proposal.text}; {names[0]} alone is enough")
                # A command does no more than what is enough.
                tried, names = (alone, names[:1]) if change.command else (tried, names)
            self._add_tried(tried, proposal, () if change.is_alone else names)

    def _of_pod(self, proposal: Proposal, facts_by_node: FactsByNode) -> None:
        """A change of the pod, tried; what nobody can try only shows where the pod would fit."""
        if not self._may_try(proposal.text, proposal.rank, lambda: self._of_pod(proposal, facts_by_node)):
            return
        if not proposal.steps_to_try or not (proposal.edit or self._trials.can_try):
            self._ranking.add(proposal.order + UNTRIED * proposal.is_fallback, untried(proposal, proposal.nodes))
        elif self._trials.can_try:
            tried = self._trials.attempt(proposal.steps_to_try)
            if tried is not None:
                self._add_tried(*enough_for_all(tried, proposal, self._trials))
        elif proposal.edit:
            left = self._decision.objections(as_made(proposal.edit(self._pod), self._pod), list(facts_by_node))
            nodes = tuple(name for name in facts_by_node if not left.get(name))
            self._ranking.add(proposal.order, untried(proposal, nodes) if nodes else None)

    # ------------------------------------------------------------------------------------------------ sets of changes

    def _sets(self, first: Sequence[Proposal] = ()) -> bool:
        """Small sets of changes for the nodes that are closest: whether any is enough."""
        found = 0
        among = self._cluster.node_info_by_name if self._is_last else self._home.names
        for verdict in islice(closest_first(self._verdicts, is_open, among), CLOSEST):
            repaired = repair(self._trials, verdict.node, self._home, first, last_resorts=self._is_last)
            if repaired is not None:
                self._add_set(*repaired)
                found += 1
            if found == SETS:
                break
        return bool(found)

    def _suiting_node(self) -> None:
        """A new node made to suit the pod, perhaps with more changes."""
        for model in one_more(self._home, self._asked.new_nodes):
            if model.rank < Rank.LAST_RESORT or self._is_last:
                node = FittingNode(model.proposal, is_own=model.is_own)
                repaired = repair(self._trials, node, self._home, self._mending, last_resorts=self._is_last)
                if repaired is not None:
                    self._add_set(*repaired)
                    return

    # ------------------------------------------------------------------------------------ more nodes, more importance

    def _one_more_node(self) -> None:
        unfit = frozenset(each.like for each in self._asked.new_nodes if each.fits is False)
        models = [each for each in one_more(self._home, self._asked.new_nodes) if each.model not in unfit]
        mended = pod_edits.in_turn(*(each.edit for each in self._mending if each.edit))(self._pod)
        # Nobody buys a machine for a slip of the pen.
        larger = () if self._is_mended else one_larger(mended, self._home, too_small(self._verdicts))
        for each in (*models, *larger):
            if self._of_new_node(each) and not each.is_named:
                # A pool has a name of its own; of nodes that are only alike one is enough.
                break
        if self._home.is_unmet(Wish.VOLUME):
            self._suiting_node()
        for remedy in first_nodes(self._asked.new_nodes, self._home):
            self._ranking.add(-UNTRIED if remedy.rank == Rank.MENDS else 1, remedy, key=remedy.text)

    def _of_new_node(self, new: OneMore) -> bool:
        """Whether the pod fits with one more node, and that is said."""
        # What a node of another pool comes to is not worth a word before it is known.
        if not self._may_try("", new.rank, lambda: self._of_new_node(new)):
            return False
        mending = [step for each in self._mending for step in each.steps_to_try]
        tried = self._trials.attempt([*mending, *new.proposal.steps], at=FittingNode(new.proposal).name)
        if tried is not None:
            found, several = for_all(new, tried, self._trials, mending)
            self._add_set(found, [*self._mending, several])
        return tried is not None

    def _priority(self) -> None:
        """The smallest existing priority with which the scheduler makes room itself."""
        new = preempting_class(self._pod, self._cluster)
        for each in (*new, *higher_classes(self._pod, self._cluster)[:CLASSES]):
            raised = pod_edits.of_priority(each.name, each.value)
            made = [Step(PriorityClass, "", each.name, created=each)] if each in new else []
            tried = self._trials.attempt([*made, of_pod(raised)], may_preempt=True)
            if tried is not None and any(are_siblings(self._pod, pod) for pod in tried.evicted):
                # A change of the template reaches the pods that run already, too.
                others = siblings(self._pod, self._cluster)
                made += [Step(Pod, pod.namespace, pod.name, raised, follows=True) for pod in others]
                tried = self._trials.attempt([of_pod(raised), *made], may_preempt=True)
            found = self._trials.carried_out(tried, (), may_preempt=True) if tried else None
            if found is not None and (tried := found[0]).evicted:
                tried = self._trials.with_those_beside(tried) if tried.serves is None else tried
                places = [*self._trials.places(tried, tried.evicted)]
                named = f"{each.name} ({each.value}{', a new class that evicts' if each in new else ''})"
                text = f"set priorityClassName: {named}; the scheduler {evicts(tried, places)}"
                if self._may_try(text, rank := priority_rank(self._pod, places), self._priority):
                    self._ranking.add(7, tried.remedy(Action.RAISE_PRIORITY, text, rank), tried)
                return

    # --------------------------------------------------------------------------------------------------- last resorts

    def _last_resorts(self, nodes_by_cause: Sequence[Sequence[str]]) -> None:
        """What crosses a reservation, gives something up, or leaves others without a place."""
        self._is_last = True
        aside, self._left_aside = self._left_aside, []
        for _, attempt in aside:
            attempt()
        self._against_each([self._home.others_of(nodes) for nodes in nodes_by_cause])
        if not self._ranking.has_tried:
            if not len(self._ranking):
                self._advised()
            self._sets()
        if not self._ranking.has_tried:
            self._suiting_node()

    def _advised(self) -> None:
        """What would lift an objection of the first node; as others lie before or behind it, no node is promised."""
        first = self._verdicts.where(lambda each: each.stopped_by is not None)[:1]
        every = [(each.node, said.facts) for each in first for said in rejections(each) if said.facts]
        for node, facts in [(node, facts) for node, facts in every if main(facts).has_by_hand][:1]:
            found = done_by_hand(of_kind(main(facts), {node: facts}), self._home)
            self._ranking.add(2, found and replace(found, nodes=()))
