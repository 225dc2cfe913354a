"""What helps against objections because of too little room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from kexplain.admission.limit_range import CONTAINER
from kexplain.case.daemon_pods import pinned_node
from kexplain.cluster import NodeInfo
from kexplain.cluster.node_info import amount_of, used_of
from kexplain.cluster.resource import is_extended_resource_name, is_scalar_resource_name
from kexplain.cluster.siblings import asked_before, waiting_siblings
from kexplain.diagnosis.beyond_templates import default_of, raised_from
from kexplain.diagnosis.judges.full_nodes import fits_beside_daemons
from kexplain.diagnosis.lost_offers import LostOffer
from kexplain.diagnosis.overdue import is_new
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import slots_of_others
from kexplain.diagnosis.wishes import Wish, has_capacity, is_nothing
from kexplain.explain.distance import shares_free
from kexplain.explain.objections import AnyFact
from kexplain.explain.objections.resources import ResourceFact, among, but_for_amounts, never_fit, share_free
from kexplain.explain.wording import amount, at_most
from kexplain.objects.changes import DELETE, Change
from kexplain.objects.core import LimitRange, Node, Pod
from kexplain.objects.node_pools import comes_along
from kexplain.objects.requests import PODS, resource_units
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.commands import commands
from kexplain.remedies.moved_pods import lacking, making_room
from kexplain.remedies.pod_edits import in_turn
from kexplain.remedies.proposal import NodeChange, Proposal, rank_on
from kexplain.remedies.ranking import UNTRIED
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.smaller_requests import requesting_as, requesting_less
from kexplain.remedies.steps import setting, target_of
from kexplain.words import joined, some

#: What is left of a request that is cut moderately.
MODERATE = 0.75
REQUEST_LESS = Action.REQUEST_LESS


class AgainstResources(Against[ResourceFact]):
    """The node has too little left of what the pod requests."""

    spans_causes = True

    def nearest_first(
        self, facts_by_node: Mapping[str, Sequence[ResourceFact]]
    ) -> Mapping[str, Sequence[ResourceFact]]:
        """Those first that could give the largest share of what is requested."""
        shares = shares_free(facts_by_node)
        return among(facts_by_node, sorted(facts_by_node, key=shares.__getitem__, reverse=True))

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[ResourceFact]]) -> Iterator[Proposal]:
        """The smaller request that would fit where most is left, and the least that would have to go for this one."""
        node, facts = next(iter(facts_by_node.items()))
        if all(fact.resource != PODS for fact in facts):
            yield from _as_before(facts, home)
            for_rollout = partial(_less_for_several, facts_by_node, home)
            yield from (replace(each, for_rollout=for_rollout) for each in _asking_less(node, facts, home))
            yield from _with_less_overhead(node, facts, home)
        elif others := slots_of_others(home, node):
            yield proposed("more-slots", node, others, order=-UNTRIED)
        may_hold = not all(map(never_fit, but_for_amounts(facts_by_node)))
        if may_hold:
            holding = next(name for name, facts in facts_by_node.items() if not never_fit(facts))
            yield proposed("free", freeing(facts_by_node[holding], holding), nodes=(holding,), is_fallback=True)
        else:
            needed = joined([f"{amount(fact.resource, fact.requested)} {fact.resource}" for fact in facts])
            yield proposed("node-that-holds", needed, is_fallback=True)

    def at_node(self, node_info: NodeInfo, facts: Sequence[ResourceFact], home: Scene) -> Iterator[Proposal]:
        """Who would have to leave the node."""
        if not never_fit(facts):
            yield from making_room(node_info, {fact.resource: fact.requested - fact.free for fact in facts}, home)

    def node_change(self, node_info: NodeInfo, facts: Sequence[ResourceFact], home: Scene) -> NodeChange | None:
        """Make devices work again that the machine has and nobody may use."""
        idle = {
            fact.resource: str(fact.requested + fact.used)
            for fact in facts
            if (fact.resource == PODS and fact.allocatable <= 0)
            or is_idle(node_info, fact.resource)
            or home.has_lost(fact.resource, node_info.name)
        }
        lost = home.lost_offer
        if lost is None or lost.resource not in idle or not home.has_lost(lost.resource, node_info.name):
            return _with_devices(idle, rank_on(home, [node_info.name])) if idle else None
        idle[lost.resource] = str(
            (home.cluster.node_info_by_name[lost.like].node.status.allocatable or {})[lost.resource]
        )
        found = _with_devices(idle, Rank.MENDS, lost)
        if not (is_new(node_info.node, home.cluster) and is_extended_resource_name(lost.resource)):
            return found
        words: Callable[[str], str] = lambda nodes: f"wait: {nodes}, minutes old, may offer {lost.resource} soon"  # noqa: E731
        return replace(found, action=Action.WAIT, kind=Action.WAIT, words=words, rank=Rank.BY_ITSELF)


def _asking_less(node: str, facts: Sequence[ResourceFact], home: Scene) -> Iterator[Proposal]:
    """The smaller request that would fit on the node, unless it is not the template that asks for so much."""
    before = {fact.resource: raised_from(home.pod, fact.resource, home.cluster) for fact in facts}
    if raised := [f"{resource} from {least}" for resource, least in before.items() if least]:
        yield proposed("raised-requests", raised, order=-UNTRIED)
        return
    less = _asking_for_free(node, facts, home)
    yield from _lower_default(node, facts, home)
    yield replace(less, for_others=partial(_less_for_all, node, facts, home)) if comes_along(home.pod) else less


def _lower_default(node: str, facts: Sequence[ResourceFact], home: Scene) -> Iterator[Proposal]:
    """The default of a LimitRange no larger than what is free, where the template leaves the amount to it."""
    (fact, *more), listers = facts, home.cluster.listers
    found = listers.get(LimitRange, default_of(home.pod, fact.resource, home.cluster), home.pod.namespace)
    limits = found.spec.limits or () if found and not more and fact.free > 0 else ()
    for place, item in enumerate(limits):
        given, least = {**(item.default or {}), **(item.default_request or {})}, at_most(fact.resource, fact.free)
        if found is None or item.type != CONTAINER or fact.resource not in given:
            continue
        asked = {**(item.default_request or {}), fact.resource: least}
        lowered = setting(target_of(found), {f"/spec/limits/{place}/defaultRequest": asked})
        gone = dict.fromkeys(map(target_of, (home.pod, *waiting_siblings(home.pod, home.cluster))))
        changes = (lowered, *(Change(target=each, verb=DELETE) for each in gone))
        about = found.name, least, fact.resource, given[fact.resource], some([each.name for each in gone])
        rank, order = (Rank.MENDS, 1 - UNTRIED) if never_fit(facts) else (Rank.LOOSENS, 3)
        how = {"nodes": (node,), "changes": changes, "commands": tuple(commands(changes, {}))}
        yield proposed("lower-default", *about, rank=rank, order=order, **how)


def _less_for_all(node: str, facts: Sequence[ResourceFact], home: Scene, others: Iterable[Pod]) -> Proposal | None:
    """The request that fits on the node, and on those of other pods; None where one of these has nothing left."""
    known = home.cluster.node_info_by_name
    infos = [known[name] for name in {*map(pinned_node, others)} if name in known]
    free = {fact.resource: min([fact.free, *(_free(info, fact.resource) for info in infos)]) for fact in facts}
    least = [replace(fact, free=free[fact.resource]) for fact in facts]
    return _asking_for_free(node, least, home) if infos and min(free.values()) > 0 else None


def _less_for_several(facts_by_node: Mapping[str, Sequence[ResourceFact]], home: Scene, more: int) -> Proposal | None:
    """The request of which so many pods more fit; None where it is about several resources, or there is no room."""
    lacking = [(name, facts[0]) for name, facts in facts_by_node.items() if len(facts) == 1 and facts[0].free > 0]
    shares = ((fact.free // count, name, fact) for name, fact in lacking for count in range(1, more + 2))
    best = sorted(shares, key=lambda share: share[0], reverse=True)[more : more + 1]
    return next((_asking_for_free(name, [replace(fact, free=free)], home) for free, name, fact in best if free), None)


def _free(info: NodeInfo, resource: str) -> int:
    return amount_of(resource, "allocatable")(info) - used_of(resource)(info)


def _asking_for_free(node: str, facts: Sequence[ResourceFact], home: Scene) -> Proposal:
    """The request of no more than what is free."""
    wanted = joined(
        [
            f"{f'at most {at_most(fact.resource, fact.free)}' if fact.free > 0 else 'no'} {fact.resource}"
            f" (now {amount(fact.resource, fact.requested, max(fact.free, 0))}{_given(fact.resource, home)})"
            for fact in facts
        ]
    )
    less = requesting_less(home.pod, {fact.resource: fact.free for fact in facts})
    is_had = share_free(facts) > 0 or all(fact.free >= 0 and is_scalar_resource_name(fact.resource) for fact in facts)
    rank, text, order = _rank_of_less(facts, home), f"request {wanted}", 2
    if rank is Rank.LOOSENS and comes_along(home.pod):
        # Others can go elsewhere, unlike what belongs to the node.
        rank, order = Rank.MOVES, 9
    return Proposal(REQUEST_LESS, text, less, (node,), rank, order, is_fallback=not is_had)


def _given(resource: str, home: Scene) -> str:
    name = default_of(home.pod, resource, home.cluster)
    return f", the default of LimitRange {name}, as the template has none" if name else ""


def _as_before(facts: Sequence[ResourceFact], home: Scene) -> Iterator[Proposal]:
    """What pods request that were made of an earlier template, where that is less."""
    before = {fact.resource: asked_before(home.pod, home.cluster, fact.resource) for fact in facts}
    found = {resource: each for resource, each in before.items() if each is not None}
    if len(found) == len(before):
        wanted = joined([f"{amount(resource, asked)} {resource}" for resource, (_, asked) in found.items()])
        edit = in_turn(*(requesting_as(pod, resource) for resource, (pod, _) in found.items()))
        yield Proposal(REQUEST_LESS, f"request {wanted} again, as its earlier pods do", edit, rank=Rank.MENDS, order=1)


def _with_less_overhead(node: str, facts: Sequence[ResourceFact], home: Scene) -> Iterator[Proposal]:
    """What a RuntimeClass adds, where that is more than all containers ask for, and too much."""
    spec = home.pod.spec
    added = {name: resource_units(name, raw) for name, raw in (spec.overhead or {}).items()}
    if all(max(fact.requested - fact.free, fact.requested // 2) < added.get(fact.resource, 0) for fact in facts):
        much = joined([f"{amount(fact.resource, added[fact.resource])} {fact.resource}" for fact in facts])
        yield proposed("lower-overhead", spec, much, nodes=(node,))


def nearly_enough(facts_by_node: Mapping[str, Sequence[AnyFact]], home: Scene) -> frozenset[str]:
    """The nodes where a moderate cut of what is requested is all that it takes, or asking for what the template does.

    That is what pods of an earlier template asked for, and nothing where a LimitRange fills it in.
    """
    pod, cluster, enough = home.pod, home.cluster, MODERATE
    every = (fact for facts in but_for_amounts(facts_by_node) for fact in facts if isinstance(fact, ResourceFact))
    for name, requested in {fact.resource: fact.requested for fact in every if fact.requested}.items():
        before = asked_before(pod, cluster, name)
        meant = 1 if default_of(pod, name, cluster) else before[1] if before else requested
        enough = min(enough, meant / requested)
    return frozenset(name for name, share in shares_free(facts_by_node).items() if share >= enough)


def is_idle(node_info: NodeInfo, resource: str) -> bool:
    """Whether the machine has devices of a resource, none of which may be had."""
    return node_info.allocatable.amount(resource) <= 0 and has_capacity(resource, node_info)


def _with_devices(resources: Mapping[str, str], rank: Rank, lost: LostOffer | None = None) -> NodeChange:
    """Nodes whose devices may be had again: all of the capacity, or so many where that is not known."""

    def working(node: Node) -> Node:
        capacity = node.status.capacity or {}
        had = {name: least if is_nothing(capacity.get(name)) else capacity[name] for name, least in resources.items()}
        return replace(node, status=replace(node.status, allocatable={**(node.status.allocatable or {}), **had}))

    def words(nodes: str) -> str:
        if PODS in resources:
            return f"see to the kubelet of {nodes}, which takes no pods at all (its maxPods is 0, or was not read)"
        if lost and not is_extended_resource_name(lost.resource):
            image = ", or give them its image" if lost.newer else ""
            return f"reserve {lost.resource} on {nodes}, as on {lost.like}{image}"
        return f"repair the device plugin of {joined(list(resources))} on {nodes}, or its devices if they are unhealthy"

    return NodeChange(Action.CHECK_NODE, (Action.CHECK_NODE, *resources), working, words, None, rank)


def _rank_of_less(facts: Sequence[ResourceFact], home: Scene) -> Rank:
    """That of a request that is cut to what is free: by a quarter at most, unless no node is as large as it."""
    # What is larger than any node has to ask for less; how much, a node that is full does not say.
    is_moderate = share_free(facts) >= MODERATE
    is_too_big = home.is_unmet(Wish.SIZE) or (is_moderate and _is_too_big(facts, home))
    if is_too_big and all(0 < fact.allocatable <= 2 * fact.free for fact in facts):
        return Rank.MENDS
    return Rank.LOOSENS if is_moderate else Rank.LAST_RESORT


def _is_too_big(facts: Sequence[ResourceFact], home: Scene) -> bool:
    """Whether no node where the pod belongs has as much beside the pods that come with it."""
    return not all(fits_beside_daemons(home.names, each.resource, each.requested, home.cluster) for each in facts)


def freeing(facts: Sequence[ResourceFact], node: str) -> str:
    """What would have to become free on the node."""
    return f"make room on {node}, which lacks {lacking({fact.resource: fact.requested - fact.free for fact in facts})}"
