"""Changes tried: applied to the cluster's objects, and the pod decided anew through the whole cycle."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.daemon_pods import pinned_node
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.siblings import turn
from kexplain.errors import KexplainError
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.records import Rejection
from kexplain.explain.verdicts import rejection
from kexplain.framework.postfilter import Candidate
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.changes import Change
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.quantity import QuantityError
from kexplain.objects.selectors import SelectorError
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.remedies.carrying_out import CarriedOut, as_good, carry_out
from kexplain.remedies.controller_fields import as_made, made_from
from kexplain.remedies.moved_pods import splits
from kexplain.remedies.records import Rank, Remedy
from kexplain.remedies.step_applier import StepApplier
from kexplain.remedies.steps import Step, by_change, flat, meanwhile_cordoned, target_of, units
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.feasibility import fits_anywhere
from kexplain.scheduler.pod_copies import anew
from kexplain.scheduler.scheduling_queue import place
from kexplain.shell import command
from kexplain.world.world import World

#: How many nodes may be looked at in all trials of a run: with many nodes or pods, fewer things are tried for each.
NODES_LOOKED_AT = 120_000
#: The same for pods that are followed until nothing moves any more.
NODES_FOLLOWED = 40_000
#: What a trial costs even if there are few nodes, as so many of them.
LEAST_NODES = 50
MOST_TRIALS = 120
#: So many are kept for one more node, before pods that run are moved one by one.
KEPT = 2
GAVE_UP = "more changes may help: with so many nodes and pods, not all of them were tried"
#: Each trial, or part of one, writes out what the pod is made of: of one that is very large, fewer things are tried.
BYTES_WRITTEN = 2_000_000
#: Looking at one node costs this part of a trial, as the changes have to be applied too.
ONE_NODE = 0.25
#: Of more changes than these, not every subset is tried.
SUBSETS_OF = 4

#: What cannot be made, an API server would not take either.
_IMPOSSIBLE = (KexplainError, QuantityError, SelectorError, msgspec.ValidationError, LookupError)


class Tried(Struct, frozen=True):
    """Steps that are enough: what they change, where the pod then lands, and the cluster with it there."""

    steps: tuple[Step, ...]
    changes: tuple[Change, ...]
    decision: Decision
    scheduler: Scheduler
    cluster: Cluster
    evicted: tuple[Pod, ...] = ()
    #: The nodes where the scheduler would make room, with who leaves; of several it takes any.
    chosen_from: tuple[Candidate, ...] = ()
    commands: tuple[str, ...] = ()
    #: What is done beside the steps, behind what is said of them.
    more: str = ""
    #: Of the pods of the workload that wait, how many have a node in the end; None where that was not found out.
    serves: int | None = None
    #: How many that are, with those that are made after them; 0 where it is those that wait.
    wanted: int = 0
    #: The cluster without the pod.
    before: Cluster | None = None
    #: How far the rollout gets, in words, where that is not its end.
    end: str = ""
    #: How many more the scheduler evicts for the others that wait.
    evicted_later: int = 0

    def remedy(self, action: str, text: str, rank: Rank) -> Remedy:
        """What is reported: the node where the pod lands is the first of the nodes that it fits on, then its equals.

        What people do elsewhere shows in no change, so that it does not count as tried.
        """
        drawn = (each.node_name for each in self.chosen_from)
        is_whole = not any(step.is_by_hand for step in self.steps)
        return Remedy(
            action=action,
            text=text + self.more,
            nodes=tuple(dict.fromkeys((self.decision.host, *self.decision.best, *drawn, *self.decision.feasible))),
            tried=is_whole,
            changes=self.changes,
            commands=self.commands,
            rank=rank,
        )


class NodeAfterSteps(Struct, frozen=True):
    """How the pod stands with one node after some steps: what still objects to it."""

    node_info: NodeInfo
    lookup: Lookup
    rejections: tuple[Rejection, ...]


class Trials:
    """The trials for one decision about a pod that was `placed`, which says what it was made of, and makes it again.

    Other pods of the same workload are `pending`, too.
    """

    def __init__(
        self,
        decision: Decision,
        scheduler: Scheduler | None = None,
        placed: PodToPlace | None = None,
        sharing: int = 1,
        pending: Sequence[Pod] = (),
    ) -> None:
        self.decision, self.scheduler, self.pending = decision, scheduler, pending
        self._applier = StepApplier(decision, placed or PodToPlace(decision.pod), pending, scheduler)
        #: The first pods of other workloads that wait, in their turn, and those of them that are tried before this one.
        self.others = self._applier.others
        self.earlier = [each for each in self.others if turn(each) < turn(decision.pod)]
        #: Whether anything was not tried that might have been, and whether nothing more is tried now.
        self.gave_up = self._is_over = False
        self.refused = ""  #: why an API server refuses what was carried out last
        nodes = len(decision.cluster.node_infos) + LEAST_NODES
        #: How many more trials there may be, and how often what the pod is made of may be written out.
        self._left: float = min(NODES_LOOKED_AT // (nodes * max(sharing, 1)), MOST_TRIALS)
        #: How many of these are kept for what is tried later.
        self._kept = 0
        #: How many more pods may be followed to where they end up: each is tried several times.
        self._followed_left = max(NODES_FOLLOWED // (nodes * max(sharing, 1)), 1)
        self._writings_left = BYTES_WRITTEN // len(msgspec.json.encode(self._applier.made_of))
        #: The same scheduler, which looks for no room: whether a pod fits does not depend on it, and it takes longest.
        self._calm = scheduler.without_post_filter() if scheduler else None

    @property
    def can_try(self) -> bool:
        """Whether anything can be tried: extenders that are asked over HTTP are not asked about what might be."""
        return self.scheduler is not None and not self.scheduler.connected_extenders

    @property
    def workload(self) -> KubernetesObject:
        """What is changed in place of the pod, the topmost; the pod itself where nothing makes it."""
        return self._applier.makers.targets[0]

    @property
    def are_plenty(self) -> bool:
        """Whether something may be tried only to say it better."""
        return self._left > MOST_TRIALS / 2

    @contextmanager
    def keeping_some(self) -> Iterator[None]:
        """A few trials are left over for what comes after, where there are more."""
        self._kept = KEPT if self._left > KEPT else 0
        yield
        self._kept, self._is_over = 0, False

    def notes_on(self, found: Iterable[Remedy]) -> Iterator[str]:
        """That a workload which some of these change was not read."""
        changed = {each.target for remedy in found for each in remedy.changes}
        for own in self._applier.makers.were_not_read:
            if target_of(own) in changed:
                yield f"{own.kind} {own.name} was not read: what changes it goes by its name, and by what its pods show"

    def attempt(self, steps: Sequence[Step], *, at: str = "", may_preempt: bool = False) -> Tried | None:
        """What the steps lead to if they are enough; None if not, or once too much has been tried.

        With the name of a node, they have to be enough there; the pod may land on another one all the same.
        """
        if self.scheduler is None or self._calm is None or not (self.can_try and self._spend(0)):
            return None
        if at and ((there := self.node_after(steps, at)) is None or there.rejections):
            return None
        self._spend(1)
        try:
            pod, cluster, changes, more = self._applier.apply(steps)
            start = self.decision.sampling.start_index % max(len(cluster.node_infos), 1)
            if may_preempt:
                attempts = place(self.scheduler, cluster, pod, start)
                decision, evicted = attempts[-1].decision, tuple(pod for each in attempts for pod in each.evicted)
                chosen_from = tuple(as_good(attempts))
            elif at or fits_anywhere(self._calm, pod, cluster):
                decision, evicted, chosen_from = self._calm.schedule(pod, cluster, start), (), ()
            else:
                return None
            if decision.outcome is not Outcome.SCHEDULED:
                return None
            after = self.scheduler.assume(decision)
        except _IMPOSSIBLE:
            return None
        lines = self._applier.commands(steps, changes)
        return Tried(
            tuple(steps), changes, decision, self.scheduler, after, evicted, chosen_from, lines, more, before=cluster
        )

    def written(self, steps: Sequence[Step]) -> tuple[tuple[Change, ...], tuple[str, ...]]:
        """What the steps change, and the commands for it, where what comes of them cannot be tried."""
        try:
            changes = self._applier.apply(steps).changes
        except _IMPOSSIBLE:
            return (), ()
        return changes, self._applier.commands(steps, changes)

    def node_after(self, steps: Sequence[Step], node_name: str) -> NodeAfterSteps | None:
        """What still objects to the pod on a node after these steps; None if they cannot be made."""
        if self._calm is None or not self._spend(ONE_NODE):
            return None
        try:
            pod, cluster, *_ = self._applier.apply(steps)
            statuses = self._calm.objections(pod, cluster, [node_name]).get(node_name, {})
        except _IMPOSSIBLE:
            return None
        node_info, lookup = cluster.node_info_by_name[node_name], Lookup(pod, cluster)
        rejections = tuple(rejection(status, node_info, lookup) for status in statuses.values())
        return NodeAfterSteps(node_info, lookup, rejections)

    def _spend(self, trials: float) -> bool:
        """Whether there is anything left to spend; a part of a trial writes out as much as a whole one."""
        self._is_over = self._is_over or self._left <= self._kept or self._writings_left <= 0
        self.gave_up = self.gave_up or self._is_over
        self._left -= 0 if self._is_over else trials
        self._writings_left -= trials > 0
        return not self._is_over

    def minimal(self, steps: Sequence[Step], at: str = "") -> Tried | None:
        """The steps without those that are not needed, if they are enough; None if that was not to be found out.

        With the name of a node, all of them have to be enough there.
        """
        tried = self.attempt(steps, at=at)
        if tried is None:
            return None
        needed = units(steps)
        for unit in reversed(needed):
            others = [each for each in needed if each is not unit]
            fewer = self.attempt(flat(others)) if others else None
            if fewer is not None:
                needed, tried = others, fewer
        return None if self._is_over or self._is_enough_alone(needed) else self._fewer(needed) or tried

    def _fewer(self, needed: Sequence[Sequence[Step]]) -> Tried | None:
        """Some of the changes that are enough although they lack more than one: that one is needed each is known."""
        groups = by_change(needed)
        if len(groups) > SUBSETS_OF:
            return None
        for size in range(1, len(groups) - (len(groups) == len(needed))):
            for chosen in combinations(groups, size):
                if (tried := self.attempt(flat(chosen))) is not None:
                    return tried
        return None

    def _is_enough_alone(self, needed: Sequence[Sequence[Step]]) -> bool:
        """Whether one of several changes is enough as long as nothing follows it: who tries that needs no other."""
        groups = by_change(needed)
        following = (unit for unit in groups if len(groups) > 1 and unit[-1].follows)
        return any(self.attempt(unit[:1]) is not None for unit in following)

    def with_those_beside(self, tried: Tried, last: Pod | None = None) -> Tried:
        """The same with what becomes of those pending beside the pod, if any, unless that is too much to find out.

        What the workload does then is followed to its end, if it does more. Else pods of others that are tried before
        them, or before the `last` of them, take their room first. Where the pod evicts others, so do those beside it.
        """
        done = self._done(tried, ()) if last is None and self._applier.is_followed(tried.changes) else None
        if done is not None:
            return replace(tried, serves=done.serves, wanted=done.wanted, end=done.end)
        ahead = self.earlier if last is None else [each for each in self.others if turn(each) <= turn(last)]
        return self._behind(ahead, tried)

    def _behind(self, ahead: Sequence[Pod], tried: Tried) -> Tried:
        """Of pods of one template none fits once one does not, unless each has its own node."""
        scheduler = tried.scheduler if tried.evicted else tried.scheduler.without_post_filter()
        cluster, own = tried.cluster, self._own_pods(tried)
        is_one_template = len({*map(made_from, own)}) == 1
        made, count, evicted = own[1:], 1, 0
        if tried.before is not None and (ahead or not is_one_template):
            cluster, made, count, evicted = tried.before, own, 0, -len(tried.evicted)
            for other in ahead:
                if not self._spend(ONE_NODE):
                    return replace(tried, serves=None)
                decision = scheduler.schedule(other, cluster)
                cluster = scheduler.assume(decision) if decision.outcome is Outcome.SCHEDULED else cluster
        for pod in made:
            if not self._spend(1):
                return replace(tried, serves=None)
            attempts = place(scheduler, cluster, pod, 0)
            decision, evicted = attempts[-1].decision, evicted + sum(len(each.evicted) for each in attempts)
            if decision.outcome is Outcome.SCHEDULED and not splits(pod, decision.host, cluster):
                cluster, count = scheduler.assume(decision), count + 1
            elif is_one_template and not pinned_node(pod):
                break
        return replace(tried, serves=count, evicted_later=max(evicted, 0))

    def _own_pods(self, tried: Tried) -> list[Pod]:
        """The pod and those pending beside it, as they are then; those of other templates in the order of the queue."""
        first, others = tried.decision.pod, [*self.pending]
        if any(step.is_of_pod for step in tried.steps):
            alike = (replace(first, metadata=other.metadata, status=other.status) for other in self.pending)
            others = [anew(as_made(each, other)) for each, other in zip(alike, self.pending, strict=True)]
        elif any(made_from(each) != made_from(first) for each in others):
            return sorted([first, *others], key=lambda pod: pod.metadata.creation_timestamp or "~")
        return [first, *others]

    def serves_all(self, tried: Tried | None, last: Pod | None = None) -> bool:
        """Whether the pod and all others of its workload fit then, behind those that are tried before them."""
        beside = self.with_those_beside(tried) if tried else None
        if tried is None or beside is None or beside.serves != max(beside.wanted, 1 + len(self.pending)) or beside.end:
            return False
        return last is None or self.with_those_beside(tried, last).serves == 1 + len(self.pending)

    def places(self, tried: Tried, pods: Iterable[Pod]) -> Iterator[tuple[Pod, str]]:
        """Where pods that had to leave go then, all together; an empty name for those that find no place."""
        cluster, scheduler = tried.cluster, tried.scheduler.without_post_filter()
        for pod in pods:
            decision = scheduler.schedule(anew(pod), cluster)
            if decision.outcome is Outcome.SCHEDULED:
                cluster = scheduler.assume(decision)
            yield pod, decision.host

    def carried_out(
        self, tried: Tried, gone: Sequence[Pod], *, may_preempt: bool = False
    ) -> tuple[Tried, list[tuple[Pod, str]]] | None:
        """The same with what controllers make of it, and where pods that are gone go; None if it comes to nothing.

        If what is deleted would come back to the same room, its node takes no pods meanwhile.
        """
        comes_back = self._comes_back(gone)
        done = self._done(self._cordoned(tried, gone) if comes_back else tried, gone)
        if done is None:
            return tried, list(self.places(tried, gone))
        if comes_back or (gone and not done.host):
            tried = self._cordoned(tried, gone)
            done = done if comes_back else self._done(tried, gone)
            if done is None or not all(done.places.values()):
                return None
        # Who makes room itself does so whatever is done besides.
        if not done.host or (done.evicts and not may_preempt and not self.decision.nominated_node):
            return None
        places = [(pod, done.places.get(pod.key, "")) for pod in gone]
        more = max(done.evicted - len(tried.evicted), 0)
        serves, wanted = (done.serves, done.wanted) if self._applier.pending else (None, 0)
        return replace(tried, serves=serves, wanted=wanted, evicted_later=more, end=done.end), places

    def end_of(self, made: Sequence[Change]) -> CarriedOut | None:
        """What becomes of the pods, once that alone is changed; None if nobody can tell."""
        return self._followed(made, self._applier.pending, (), self._applier.after(made)) if self.can_try else None

    def _comes_back(self, gone: Sequence[Pod]) -> bool:
        """Whether a successor finds room beside its pod, while that ends and those before it are gone already."""
        for number, pod in enumerate(gone):
            # A replica that was only just placed here has no node that anybody could cordon.
            owner, node = pod.metadata.controller, pod.spec.node_name
            is_known = self._calm and pod.scheduler_name in self._calm.profiles
            if self._calm and is_known and node and owner and owner.kind != "StatefulSet":
                objections = self._calm.objections(anew(pod), self.decision.cluster.without(gone[:number]), [node])
                if not objections.get(node):
                    return True
        return False

    def _cordoned(self, tried: Tried, gone: Sequence[Pod]) -> Tried:
        """The same while the nodes of the pods that are gone take no others."""
        nodes = list(dict.fromkeys(pod.spec.node_name or "" for pod in gone))
        commands = (command("kubectl cordon", *nodes), *tried.commands, command("kubectl uncordon", *nodes))
        return replace(tried, changes=meanwhile_cordoned(tried.changes, nodes), commands=commands)

    def _done(self, tried: Tried, gone: Sequence[Pod]) -> CarriedOut | None:
        """What comes of it; None where nothing depends on it, or it cannot be found out."""
        is_moved = bool(self._applier.update or gone or (tried.before and tried.before.nominated_by_node))
        pods = self._applier.pending or ((self.decision.pod,) if is_moved else ())
        is_about_pods = is_moved or any(each.target.kind in WORKLOAD_KIND_BY_NAME for each in tried.changes)
        if not (is_about_pods or self._applier.is_followed(tried.changes)) or tried.before is None:
            return None
        return self._followed(tried.changes, pods, gone, self._applier.until_controllers_act(tried.steps))

    def _followed(
        self, changes: Sequence[Change], pods: Sequence[Pod], gone: Sequence[Pod], world: World
    ) -> CarriedOut | None:
        """What controllers and the scheduler that evicts make of changes, for as many pods as may be followed."""
        if not pods or self.scheduler is None or self._followed_left <= 0:
            return None
        self._followed_left -= len(pods)
        if self._applier.goes_on and (known := world.edited.known(self.workload)):
            world = world.after([lambda after: after.replace(known, known)])
        try:
            found = carry_out(changes, pods, gone, world, self._applier.beside)
        except _IMPOSSIBLE:
            return None
        self.refused = found.refused if found else ""
        return found
