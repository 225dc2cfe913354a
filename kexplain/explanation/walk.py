"""The search over the nodes, step by step: their order, where it began, why it ended, and who was never looked at.

Source: scheduler `findNodesThatPassFilters`, `numFeasibleNodesToFind`, `backend/cache/node_tree.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.output import Output, copied
from kexplain.explain.records import Verdict
from kexplain.explain.verdicts import stopped_verdict
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision, Outcome
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.sampling import MIN_FEASIBLE_NODES_TO_FIND, default_percentage, nodes_to_find


class Ending(StrEnum):
    """Why the search went no further."""

    #: Every node was looked at.
    ALL = "All"
    #: As many nodes fit as were to be found.
    ENOUGH = "Enough"
    #: The node that is kept for the pod was tried first, and fits.
    NOMINATED = "Nominated"
    #: PreFilter turned the pod down, so that no node was looked at.
    PRE_FILTER = "PreFilter"
    #: The attempt ended with an error.
    ERROR = "Error"
    #: The pod is kept out of the queue, left to others or being deleted.
    NOT_TRIED = "NotTried"


class WalkedNode(Output, frozen=True):
    """One node in the order of the search.

    `turn` is its number in it, from 1. `zone` has the region before it where the zone's name is not enough. `plugin` is
    who turned it down. `would_get` are the points of a node that nobody looked at, had all been looked at; null where
    it would have been turned down, by `would_be_turned_down_by`. `points` are those of each plugin, weighted, and
    `reasons` those of who turned it down or would have, which `detail` says with its amounts.
    """

    turn: int
    node: str
    zone: str
    verdict: Verdict
    plugin: str = ""
    total: int | None = None
    would_get: int | None = None
    would_be_turned_down_by: str = ""
    points: dict[str, int] = msgspec.field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    detail: str = ""


class Walk(Output, frozen=True):
    """How the search over the nodes went.

    The search goes round `nodes`, which are `total`: those of `zones` in turn, or what PreFilter (`narrowed_by`) left
    of them; "" is that of nodes without a zone. It began with `first`, as the one before had ended there
    (`start_index`), and was to find `nodes_to_find` that fit: all, one (`is_one_enough`), or `percentage` of them and
    never fewer than `least`; `is_by_formula` if no configuration says how many. `next_first` is where the next pod's
    begins. `preferred` are nodes that nobody looked at and that would have got more points than the one picked.
    """

    start_index: int
    first: str
    total: int
    nodes_to_find: int
    percentage: int
    is_by_formula: bool
    least: int
    is_one_enough: bool
    evaluated: int
    feasible: int
    ending: Ending
    last: str
    next_start_index: int
    next_first: str
    zones: tuple[str, ...] = ()
    narrowed_by: tuple[str, ...] = ()
    preferred: tuple[str, ...] = ()
    nodes: tuple[WalkedNode, ...] = ()


def walk(decision: Decision, scheduler: Scheduler, *, seeks_unseen: bool = False) -> Walk:
    """How the search went; with `seeks_unseen`, what each was told, and would have been that nobody looked at."""
    infos, narrowed_by = _left(decision)
    start = _start(decision, scheduler) % max(len(infos), 1)
    zones = _zones(infos)
    walked = [*_walked(decision, [*infos[start:], *infos[:start]], zones)]
    ending = _ending(decision, walked)
    preferred: tuple[str, ...] = ()
    if seeks_unseen:
        walked = [*_in_full(decision, walked)]
    if seeks_unseen and ending is Ending.ENOUGH and not scheduler.connected_extenders:
        walked, preferred = _with_unseen(decision, scheduler, walked)
    sampling, every = decision.sampling, decision.nodes
    following = sampling.next_start_index % max(len(every), 1)
    to_find, asked = _wanted(decision, scheduler, len(infos))
    seen = [each.node for each in walked if each.verdict is not Verdict.NOT_EVALUATED]
    return copied(
        sampling,
        Walk,
        first=next((each.node for each in walked), ""),
        total=len(infos),
        nodes_to_find=to_find,
        percentage=asked or default_percentage(len(infos)),
        is_by_formula=not asked,
        least=min(MIN_FEASIBLE_NODES_TO_FIND, len(infos)),
        is_one_enough=to_find == 1 < len(infos),
        feasible=len(decision.feasible),
        ending=ending,
        last="".join(seen[-1:]),
        next_first="".join(info.name for info in every[following : following + 1]),
        zones=tuple(dict.fromkeys(zones.values())) if any(zones.values()) else (),
        narrowed_by=narrowed_by,
        preferred=preferred,
        nodes=tuple(walked),
    )


def _wanted(decision: Decision, scheduler: Scheduler, nodes: int) -> tuple[int, int]:
    """How many of these nodes are to be found, and the percentage that a configuration says; 0 if none does."""
    profile, percentage = scheduler.profiles.get(decision.scheduler_name), scheduler.percentage_of_nodes_to_score
    if profile is None:
        return 0, percentage
    own = profile.percentage_of_nodes_to_score
    wanted = nodes_to_find(nodes, profile, percentage, scheduler.extenders, scheduler.features)
    return wanted, percentage if own is None else own


def _start(decision: Decision, scheduler: Scheduler) -> int:
    """Where the search began: a node that is kept for the pod has some releases begin anew."""
    nominated = decision.cluster.node_info_by_name.get(decision.pod.status.nominated_node_name or "")
    is_reset = nominated is not None and scheduler.features.nominated_node_resets_round_robin
    return 0 if is_reset else decision.sampling.start_index


def _ending(decision: Decision, walked: Sequence[WalkedNode]) -> Ending:
    """Why the search went no further."""
    if decision.outcome is Outcome.ERROR:
        return Ending.ERROR
    if decision.outcome not in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE):
        return Ending.NOT_TRIED
    if _is_turned_down_at_once(decision):
        return Ending.PRE_FILTER
    nominated = decision.pod.status.nominated_node_name
    if nominated and decision.feasible == (nominated,) and decision.sampling.evaluated == 1:
        return Ending.NOMINATED
    are_left = any(each.verdict is Verdict.NOT_EVALUATED for each in walked)
    return Ending.ENOUGH if are_left else Ending.ALL


def _is_turned_down_at_once(decision: Decision) -> bool:
    return any(isinstance(answer, Status) for answer in decision.pre_filter.values())


def _left(decision: Decision) -> tuple[Sequence[NodeInfo], tuple[str, ...]]:
    """The nodes that PreFilter left, in order, and the plugins that named them."""
    answers = ((plugin, each) for plugin, each in decision.pre_filter.items() if isinstance(each, PreFiltered))
    named = {plugin: each.node_names for plugin, each in answers if each.node_names is not None}
    if not named:
        return decision.nodes, ()
    names = frozenset.intersection(*named.values())
    return [info for info in decision.nodes if info.name in names], tuple(named)


def _walked(decision: Decision, around: Sequence[NodeInfo], zones: Mapping[str, str]) -> Iterator[WalkedNode]:
    feasible, totals = frozenset(decision.feasible), decision.scores.total_by_node
    # Some releases write down what PreFilter says as the verdict of every node.
    by_node = {} if _is_turned_down_at_once(decision) else decision.statuses.by_node
    for turn, info in enumerate(around, 1):
        status = None if info.name in feasible else by_node.get(info.name)
        verdict = Verdict.REJECTED if status else Verdict.NOT_EVALUATED
        yield WalkedNode(
            turn=turn,
            node=info.name,
            zone=zones[info.name],
            verdict=Verdict.FEASIBLE if info.name in feasible else verdict,
            plugin=status.plugin if status else "",
            total=totals.get(info.name),
        )


def _in_full(decision: Decision, walked: Iterable[WalkedNode]) -> Iterator[WalkedNode]:
    """The nodes with the points of each plugin, or with what is said against them."""
    lookup, by_plugin = Lookup(decision.pod, decision.cluster), decision.scores.by_plugin.items()
    for each in walked:
        points = {plugin: scores.of(each.node).weighted for plugin, scores in by_plugin if each.node in scores.raw}
        stopped = None
        if each.node in decision.statuses.by_node and not _is_turned_down_at_once(decision):
            stopped = stopped_verdict(decision, each.node, lookup).stopped_by
        said = {"reasons": stopped.reasons, "detail": stopped.detail} if stopped else {}
        yield replace(each, points=points, **said)


def _zones(infos: Sequence[NodeInfo]) -> Mapping[str, str]:
    """The zone of each node, behind its region where zones of several regions have one name."""
    keys = {info.name: info.zone for info in infos}
    are_enough = len({zone for _, zone in keys.values()}) == len({*keys.values()})
    return {key: zone if are_enough else "/".join(filter(None, (region, zone))) for key, (region, zone) in keys.items()}


def _with_unseen(
    decision: Decision, scheduler: Scheduler, walked: Sequence[WalkedNode]
) -> tuple[list[WalkedNode], tuple[str, ...]]:
    """The nodes with what the others would have got, had all been looked at, and those that would have been picked."""
    profiles = {name: replace(each, percentage_of_nodes_to_score=100) for name, each in scheduler.profiles.items()}
    of_all = replace(scheduler, profiles=profiles)
    every = of_all.schedule(decision.pod, decision.cluster, decision.sampling.start_index)
    totals, found = every.scores.total_by_node, [*walked]
    for each in _in_full(every, [each for each in walked if each.verdict is Verdict.NOT_EVALUATED]):
        status = every.statuses.by_node.get(each.node)
        plugin = status.plugin if status else ""
        found[each.turn - 1] = replace(each, would_get=totals.get(each.node), would_be_turned_down_by=plugin)
    picked = totals.get(decision.host)
    better = [each for each in found if picked is not None and each.would_get is not None and each.would_get > picked]
    better.sort(key=lambda each: -(each.would_get or 0))
    return found, tuple(each.node for each in better)
