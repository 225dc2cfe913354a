"""One more node: what the newest member of each pool would be like, empty but for what runs on every node there."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from functools import partial
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.newcomers import newcomer_like
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.diagnosis.meant_labels import requirements
from kexplain.diagnosis.reservations import makers_of
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.autoscaling import BROKEN
from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.pools import Pool
from kexplain.explain.records import NodeVerdict
from kexplain.explain.wording import amount
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_pools import Newcomer, PoolId, created, is_virtual, lasting_taints, make, zone_of
from kexplain.objects.node_service import Trouble, lost
from kexplain.objects.requests import CPU
from kexplain.remedies.advice import advice, proposed
from kexplain.remedies.against.resources import is_idle
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.raised_limits import raised_limit
from kexplain.remedies.records import Action, NewNode, Rank, Remedy
from kexplain.remedies.steps import Step
from kexplain.remedies.trials import Trials, Tried
from kexplain.words import joined

#: More new nodes than these nobody counts out, and of more pools nobody thinks.
_MOST, _POOLS = 10, 3
#: What ails nodes that have never been in service.
_NEVER_WELL = (Trouble.STARTING, Trouble.NO_NETWORK)
Found = TypeVar("Found")


#: By how many nodes there are to be.
_Raising: TypeAlias = Callable[[int], tuple[str, tuple[Step, ...]]]


def _added(_: int) -> tuple[str, tuple[Step, ...]]:
    return "add", ()


class OneMore(Struct, frozen=True):
    """A new node like `model`, which is of a pool with a name, or is only alike."""

    proposal: Proposal
    model: str
    is_named: bool
    #: Whether the pod belongs on nodes of that pool.
    is_own: bool = True
    #: How several such nodes are called, behind their number; empty where nobody adds them unasked.
    several: str = ""
    #: What has to be raised first for an autoscaler to add so many: in words, which end in `adds`, and what is done.
    raising: _Raising = _added
    #: The node as it is, of one like its model.
    grown: Callable[[Newcomer], Newcomer] = lambda new: new

    @property
    def rank(self) -> Rank:
        return self.proposal.rank

    def times(self, count: int, cluster: Cluster) -> Proposal:
        """So many of them at once."""
        verb, raised = self.raising(count)
        steps, taken = [*raised], {*cluster.node_info_by_name}
        for _ in range(count):
            new = self.grown(newcomer_like(cluster.node_info_by_name[self.model], cluster, taken))
            taken.add(new.node.name)
            steps += _joining(new)
        return replace(self.proposal, text=f"{verb} {count} {self.several}", steps=tuple(steps))


def one_more(home: Scene, known: Collection[NewNode] = ()) -> Iterator[OneMore]:
    """A node more of each pool: those first where the pod belongs, then the largest.

    `known` are new nodes that were looked at: of a zone or size that is known to take the pod.
    """
    members = sorted(home.members, key=_offers_more) if home.is_nowhere else home.members
    infos = home.cluster.node_info_by_name
    shared = [each for each in members if not _is_of_others(infos[each[0].nodes[0].name])]
    for pool, own in shared[:_POOLS]:
        new = known_of(pool, known)
        newest = _next_like(next((node for node in pool.nodes if own and home.has(node.name)), pool.nodes[0]), pool)
        model = infos[new.like].node if new.fits and not new.zone and new.like in pool.names else newest
        node = newcomer_like(infos[model.name], home.cluster)
        rank = Rank.ADDS_NODES if own or home.is_nowhere else Rank.LAST_RESORT
        rank = Rank.LAST_RESORT if _fares_no_better(pool, newest, home) else rank
        text, several, raising = _adding(new, pool, model, home)
        raised = raising(1)[1] if several else ()
        proposal = Proposal(Action.ADD_NODE, text, rank=rank, steps=(*raised, *_joining(node)))
        yield OneMore(proposal, model.name, bool(pool.name), bool(own), several, raising)


def _is_of_others(node_info: NodeInfo) -> bool:
    """Whether a service that runs pods one by one has it made, which nobody adds."""
    return is_virtual(node_info.node) or bool(makers_of(node_info))


def _fares_no_better(pool: Pool, node: Node, home: Scene) -> bool:
    """Whether the newest of the pool has not come into service, or all nodes in the zone of one like it are lost."""
    service = home.service(pool.nodes[0].name)
    zone = [each for each in pool.nodes if zone_of(each.labels) == zone_of(node.labels) != ""]
    return bool(service and service.troubles[0] in _NEVER_WELL) or (len(zone) > 1 and all(map(lost, zone)))


def _next_like(node: Node, pool: Pool) -> Node:
    """The newest of its machines and zone in the pool: what that one lacks, the next one lacks, too."""
    newer = (each for each in pool.nodes if pool.name and created(each) > created(node))
    return next((each for each in newer if _kind(each) == _kind(node)), node)


def _kind(node: Node) -> object:
    return make(node), zone_of(node.labels), {*map(str, lasting_taints(node))}


def smallest(attempt: Callable[[int], Found | None], most: int, least: int = 1) -> Found | None:
    """What comes of the smallest number that is enough, of which one less is not; None where `most` is not enough."""
    low, high, found = least - 1, least, attempt(least)
    while found is None and high < most:
        low, high = high, min(2 * high, most)
        found = attempt(high)
    while found is not None and high - low > 1:
        middle = (low + high) // 2
        fewer = attempt(middle)
        low, high, found = (middle, high, found) if fewer is None else (low, middle, fewer)
    return found


def for_all(new: OneMore, tried: Tried, trials: Trials, mending: Sequence[Step]) -> tuple[Tried, Proposal]:
    """As many new nodes as all pods of a workload take, or as the first of them that older pods leave any room.

    What was tried of one where that is enough, or more help nobody.
    """
    beside = trials.with_those_beside(tried) if new.several else tried
    every = max(1 + len(trials.pending), beside.wanted)

    def serving(least: int, count: int) -> tuple[Tried, Proposal] | None:
        several = new.times(count, trials.decision.cluster)
        found = trials.attempt([*mending, *several.steps])
        then = trials.with_those_beside(found) if found else None
        if then is None or then.serves is None or then.serves < least or (then.end and least == every):
            return None
        return then, replace(several, text=several.text + (", as older pods take room first" if trials.earlier else ""))

    found, served = None, beside.serves
    if served is not None and (served < every or beside.end):
        # Where nobody is ahead, each node serves as many as the first one does, or more.
        most = _MOST if trials.earlier or beside.end else -(-every // max(served, 1))
        found = smallest(partial(serving, every), most, 2) if most <= _MOST else None
        found = found or (None if served else smallest(partial(serving, 1), most, 2))
    return found or (beside, new.proposal)


def _offers_more(member: tuple[Pool, int]) -> bool:
    """Whether nodes of the pool have what ordinary pods have no use for."""
    allocatable = member[0].nodes[0].status.allocatable or {}
    return any(is_extended_resource_name(name) for name in allocatable)


def _adding(new: NewNode, pool: Pool, model: Node, home: Scene) -> tuple[str, str, _Raising]:
    """How the node is added, in words, words for more, and what has to be raised first for an autoscaler to do so."""
    # Nodes of one shape are no pool that anybody knows.
    like = f"like {model.name}{f' ({pool})' if pool.name else ''}{_where(home, pool)}"
    unasked = f"add one more node {like}", f"more nodes {like}", _added
    if not (new.refused or new.caution):
        return unasked

    def raising(count: int) -> tuple[str, tuple[Step, ...]]:
        text, steps = raised_limit(new, pool, model, home.cluster, count) or ("", ())
        return f"{text}, so that {new.by} adds" if text else "", steps

    if adds := raising(1)[0]:
        return f"{adds} one more node {like}", f"more nodes {like}", raising
    # What is too small for the pod as it is need not be for the pod as it is mended.
    return (f"get {new.by} to add one more node {like}: {new.refused}", "", raising) if new.refused else unasked


def _where(home: Scene, pool: Pool) -> str:
    """The zone of the nodes that the pod belongs on, where the pool has others, too."""
    zones = [zone for zone, names in pool.names_by_zone.items() if any(map(home.has, names))]
    return f" in zone {zones[0]}" if len(zones) == 1 < len(pool.names_by_zone) else ""


def known_of(pool: Pool, known: Iterable[NewNode]) -> NewNode:
    """What is known of one more node of the pool, by its name, with whose it is where there are two of that name."""
    names = (pool.name, str(PoolId(pool.label, pool.name)))
    return next((each for each in known if pool.name and each.pool in names), NewNode(pool=pool.name, nodes=0))


def first_nodes(known: Iterable[NewNode], home: Scene) -> Iterator[Remedy]:
    """To mend what keeps Karpenter from adding the first node of pools that would take the pod."""
    is_served = any(each.may_come or (each.nodes and each.is_managed) for each in known)
    is_wish = home.is_unmet(Wish.LABELS)
    for new in known:
        if new.is_unknown and is_wish:
            yield advice("labels-of-empty-group", new, joined([*map(str, requirements(home.pod, home.cluster))]))
        elif not new.nodes:
            yield from _first_of(new, is_wish=is_wish, is_served=is_served)


def _first_of(new: NewNode, *, is_wish: bool, is_served: bool) -> Iterator[Remedy]:
    """To mend what keeps it away: what is broken before nodes are added by hand, while limits may be meant.

    Where no node meets a wish of the pod, that may be the fault rather than what a cloud says.
    """
    if new.is_refused_to_all:
        is_broken = not is_served and all(each.kind in BROKEN for each in new.node_pool or ())
        yield advice("first-node", new, rank=Rank.MENDS if is_wish or is_broken else Rank.ADDS_NODES)
    elif new.help:
        yield advice("first-node/helped", new, rank=Rank.ADDS_NODES if is_wish else Rank.MENDS)


def one_larger(pod: Pod, home: Scene, too_small: Set[str]) -> Iterator[OneMore]:
    """A node like the largest, with as much of everything as the pod needs besides what runs on every node.

    It is like one of those that are `too_small` and nothing else, if there are any.
    """
    cluster = home.cluster
    if not cluster.node_infos:
        return
    own = home.names or cluster.node_info_by_name.keys()
    own = own & too_small or own
    model = cluster.node_info_by_name[next(name for name in _largest_first(cluster) if name in own)]
    daemons = [info.resource.requested for info in model.pods if info.comes_along]
    new = newcomer_like(model, cluster)
    allocatable = dict(new.node.status.allocatable or {})
    needed: list[str] = []
    for name, least in cluster.pod_info(pod).resource.requested.amounts().items():
        total = least + sum(each.amount(name) for each in daemons)
        if is_idle(model, name):
            # A new machine mends no device plugin.
            return
        if total > model.allocatable.amount(name):
            allocatable[name] = amount(name, total) if name == CPU else str(total)
            needed.append(f"{amount(name, total)} {name}")

    def grown(new: Newcomer) -> Newcomer:
        return replace(new, node=replace(new.node, status=replace(new.node.status, allocatable=allocatable)))

    if needed:
        like = f"like {model.name}, but with at least {joined(needed)} allocatable"
        proposal = proposed("larger-node", like, order=3, steps=tuple(_joining(grown(new))))
        yield OneMore(proposal, model.name, False, several=f"nodes {like}", grown=grown)


def too_small(verdicts: NodeVerdicts) -> frozenset[str]:
    """The nodes that lack resources and nothing else."""

    def lacks(each: NodeVerdict) -> bool:
        facts = each.stopped_by.facts if each.stopped_by else ()
        return bool(each.stopped_by) and not each.also and {ResourceFact}.issuperset(map(type, facts))

    return frozenset(verdicts.where(lacks).names)


def _largest_first(cluster: Cluster) -> Sequence[str]:
    """The names of the nodes, those first that have most CPU."""

    def search() -> list[str]:
        return [info.name for info in sorted(cluster.node_infos, key=lambda info: -info.allocatable.cpu_milli)]

    return cluster.fact(_largest_first, search)


def _joining(new: Newcomer) -> Iterator[Step]:
    """The node, and what comes by itself with it."""
    yield Step(Node, "", new.node.name, created=new.node)
    yield from (Step(type(report), "", report.name, created=report, follows=True) for report in new.reports)
    yield from (Step(Pod, pod.namespace, pod.name, created=pod, follows=True) for pod in new.pods)
