"""Everything that one scheduling attempt saw and decided."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import chain, repeat
from operator import add, mul
from typing import overload

from msgspec import Struct, field

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.extender import ExtenderVerb
from kexplain.framework.plugin import BindingStep, PreFiltered, ScoreTerms, Skip
from kexplain.framework.postfilter import NodeStatuses, PostFiltered, Preemption
from kexplain.framework.status import Column, Status
from kexplain.framework.wake_events import ClusterEvent
from kexplain.objects.core import GroupName, Pod


class Outcome(StrEnum):
    """How an attempt to schedule a pod ended, as reports publish it."""

    SCHEDULED = "Scheduled"
    UNSCHEDULABLE = "Unschedulable"
    #: Kept out of the queue by PreEnqueue.
    GATED = "Gated"
    #: No profile has the pod's schedulerName: this scheduler leaves the pod to another.
    NO_PROFILE = "NoProfile"
    #: Being deleted: taken from the queue and left alone.
    DELETING = "Deleting"
    #: Something failed where the real scheduler would fail too.
    ERROR = "Error"


class PluginScore(Struct, frozen=True):
    """One plugin's score of one node."""

    raw: int
    normalized: int
    weighted: int


class NodeScore(Struct, frozen=True):
    """All scores of one node, in the profile's order; plugins that skipped are missing."""

    node_name: str
    by_plugin: Mapping[str, PluginScore]
    total: int


class PluginScores(Struct, frozen=True):
    """One plugin's scores by node, in the order found."""

    raw: Mapping[str, int]
    normalized: Mapping[str, int]
    weight: int

    def of(self, node_name: str) -> PluginScore:
        normalized = self.normalized[node_name]
        return PluginScore(self.raw[node_name], normalized, normalized * self.weight)


class NodeScores(Sequence[NodeScore]):
    """The scores of nodes in the order found; those of one node are put together once somebody asks for them."""

    __slots__ = ("_names", "by_plugin", "total_by_node")

    def __init__(
        self, node_names: Sequence[str], by_plugin: Mapping[str, PluginScores], totals: Iterable[int] = ()
    ) -> None:
        """`totals` are what the plugins come to on each of the nodes."""
        self._names = node_names
        self.by_plugin = by_plugin
        self.total_by_node = dict(zip(node_names, totals, strict=True))

    def and_also(self, by_plugin: Mapping[str, PluginScores]) -> NodeScores:
        """With further scores, which add to the totals."""
        totals = added(self.total_by_node.values(), by_plugin.values())
        return NodeScores(self._names, {**self.by_plugin, **by_plugin}, totals)

    def points(self) -> tuple[Mapping[str, int], list[tuple[str, Mapping[str, int], int]]]:
        """All that ranks nodes: their totals, and by plugin the points of each, with the weight."""
        by_plugin = [(name, scores.normalized, scores.weight) for name, scores in self.by_plugin.items()]
        return self.total_by_node, by_plugin

    @overload
    def __getitem__(self, index: int) -> NodeScore: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[NodeScore]: ...

    def __getitem__(self, index: int | slice) -> NodeScore | Sequence[NodeScore]:
        if isinstance(index, slice):
            return tuple(self.of(name) for name in self._names[index])
        return self.of(self._names[index])

    def of(self, name: str) -> NodeScore:
        """Those of one node, which must have some."""
        by_plugin = {plugin: scores.of(name) for plugin, scores in self.by_plugin.items()}
        return NodeScore(name, by_plugin, self.total_by_node[name])

    def __len__(self) -> int:
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def added(totals: Iterable[int], every: Iterable[PluginScores]) -> Iterable[int]:
    """The totals of nodes with what further plugins give these, in the same order."""
    for scores in every:
        totals = map(add, totals, map(mul, scores.normalized.values(), repeat(scores.weight)))
    return totals


class Sampling(Struct, frozen=True, rename="camel"):
    """How the search over nodes went.

    `evaluated` nodes were looked at, from `start_index` on; the next attempt begins at `next_start_index`.
    `nodes_to_find` is for the whole cluster, even where PreFilter left only some of its nodes to look at.
    """

    start_index: int
    next_start_index: int
    nodes_to_find: int
    evaluated: int


class ExtenderCall(Struct, frozen=True, rename="camel"):
    """One time that an extender was asked, about so many nodes, of which it left so many.

    With an error it left none; `is_passed_over` if the attempt went on as if it had not been asked. `emptied` are nodes
    that it sent back whole: plugins score these as if no pod ran there.
    """

    extender: str
    verb: ExtenderVerb
    nodes_sent: int
    nodes_kept: int = 0
    error: str = ""
    is_passed_over: bool = field(default=False, name="passedOver")
    emptied: int = 0


class Objections(Mapping[str, Mapping[str, Status]]):
    """What every plugin says of every node, by node and plugin, rejections only; asked for once somebody looks."""

    def __init__(self, node_names: Collection[str] = (), ask: Callable[[], Column] = Column) -> None:
        """`ask` answers with the objections to these nodes in the order of the plugins, each of another one."""
        self._node_names = node_names
        self._ask = ask

    @cached_property
    def column(self) -> Column:
        """All objections to each node in their order, none where nobody asked."""
        return self._ask()

    @cached_property
    def by_node(self) -> Mapping[str, tuple[Status, ...]]:
        """All objections to each node that has some, in the order of the plugins."""
        return self.column.by_name(self._node_names)

    def __getitem__(self, node_name: str) -> Mapping[str, Status]:
        return {status.plugin: status for status in self.by_node[node_name]}

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_node)

    def __len__(self) -> int:
        return len(self.by_node)


class GroupMember(Struct, frozen=True, eq=False):
    """A pod of a group as it was tried, and the node where it fits, or would once others have left; else empty."""

    decision: Decision
    node_name: str = ""
    needs_room: bool = False

    @property
    def pod(self) -> Pod:
        return self.decision.pod


class PlacementTrial(Struct, frozen=True, eq=False):
    """A placement that a group was tried in: how many of its pods fit, whether it can run there, and its scores.

    Only several placements that a group can run in have scores. Where it cannot run, `message` says why, and `stopped`
    is the first pod that fits on no node.
    """

    name: str
    nodes: int
    fitting: int
    can_run: bool
    score: NodeScore | None = None
    message: str = ""
    stopped: Decision | None = None


class GroupOutcome(Struct, frozen=True, eq=False):
    """What became of a group all of whose pods without a node were tried at once.

    `message` is that of the group's condition; empty if its pods are bound. If it `awaits_preemption`, its pods come
    back once the victims have left. `victims` leave in any case. Where the group was tried in several `placements`,
    `members` are as in the one picked, or else the first.
    """

    name: GroupName
    members: tuple[GroupMember, ...]
    is_scheduled: bool
    message: str = ""
    is_error: bool = False
    awaits_preemption: bool = False
    victims: tuple[Pod, ...] = ()
    placements: tuple[PlacementTrial, ...] = ()
    placement: str = ""


class Decision(Struct, frozen=True, eq=False):
    """One attempt to schedule one pod, complete: every number in a report comes from here.

    `statuses` are the verdicts that the real scheduler would have reached, plugins asked until one objects.
    `matrix` is what every plugin says of every node, by node and plugin, rejections only.
    `feasible` and `scores` are in the order found; nothing is scored where only one node fits.
    `best` are all nodes with the highest total: upstream draws one of them, kexplain takes the first.
    """

    pod: Pod
    cluster: Cluster
    scheduler_name: str
    outcome: Outcome
    sampling: Sampling
    message: str = ""
    #: The message as the pod's condition holds it, which is not cut like that of the event; only where it may differ.
    condition_message: str = ""
    #: The names that this scheduler answers to.
    profile_names: tuple[str, ...] = ()
    #: The plugin that keeps the pod out of the queue.
    gated_by: str = ""
    pre_filter: Mapping[str, PreFiltered[object] | Skip | Status] = field(default_factory=dict)
    feasible: tuple[str, ...] = ()
    statuses: NodeStatuses = field(default_factory=lambda: NodeStatuses({}))
    matrix: Objections = field(default_factory=Objections)
    scores: NodeScores = field(default_factory=lambda: NodeScores((), {}))
    weights: Mapping[str, int] = field(default_factory=dict)
    best: tuple[str, ...] = ()
    host: str = ""
    post_filter: tuple[tuple[str, PostFiltered], ...] = ()
    #: The nodes among which the group of the pod was tried, where these are not all.
    placement: frozenset[str] | None = None
    #: What became of the group that the pod was tried with, if it was.
    group: GroupOutcome | None = None
    #: The node that is kept for a pod that was tried with its group; empty if none, None if that stays as it was.
    kept_node: str | None = None
    #: What would be done next on the node picked, by whom, in order.
    binding: tuple[tuple[str, BindingStep], ...] = ()
    #: The extenders that were asked, in the order of the questions.
    extender_calls: tuple[ExtenderCall, ...] = ()
    #: By plugin or extender: what of this pod it could not look at.
    not_evaluated: Mapping[str, str] = field(default_factory=dict)
    #: Every objection to a changed pod on some nodes, by node and plugin, everything else being as it was.
    objections: Callable[[Pod, Sequence[str]], Mapping[str, Mapping[str, Status]]] = field(default=lambda *_: {})

    #: The changes that wake the pod if a plugin of this name rejects it.
    events_of: Callable[[str], tuple[ClusterEvent, ...]] = lambda _plugin: ()

    #: How the scores of a feasible node come about, by plugin, worked out when asked.
    score_terms: Callable[[str], Mapping[str, ScoreTerms]] = lambda _node: {}

    def exclusion(self, node_info: NodeInfo) -> Status:
        """Why a node was left out before it was looked at: the plugin that did it, and its evidence if it has any."""
        status = self.statuses.absent
        for plugin, answer in self.pre_filter.items():
            names = answer.node_names if isinstance(answer, PreFiltered) else None
            if isinstance(answer, PreFiltered) and names is not None and node_info.name not in names:
                evidence = (answer.exclusion(node_info),) if answer.exclusion else ()
                return Status(status.code, status.reasons, evidence, plugin)
        return status

    def fares_like(self, other: Decision) -> bool:
        """Whether the other one, about the same pod in the same cluster, says the same of it and of every node."""
        return (
            (self.outcome, self.message, self.best, self.feasible)
            == (other.outcome, other.message, other.best, other.feasible)
            and self.statuses == other.statuses
            # What pods take of them is said by the nodes themselves.
            and self.cluster.node_infos == other.cluster.node_infos
            and self.scores.points() == other.scores.points()
        )

    @property
    def speaking(self) -> frozenset[str]:
        """The plugins that object to the pod, or to any node whether or not they were reached, or saw to a way out."""
        statuses = (*self.statuses.by_node.values(), self.statuses.absent, *chain(*self.matrix.by_node.values()))
        at_once = (name for name, answer in self.pre_filter.items() if isinstance(answer, Status))
        return frozenset((*(each.plugin for each in statuses), *at_once, *(name for name, _ in self.post_filter)))

    @property
    def nodes(self) -> Sequence[NodeInfo]:
        """The nodes that may be picked: all, or those of the placement. Plugins see the whole cluster in any case."""
        every, names = self.cluster.node_infos, self.placement
        return every if names is None else [info for info in every if info.name in names]

    @property
    def preemption(self) -> Preemption | None:
        """The preemption dry run, if it came to one."""
        return next((answer.preemption for _, answer in self.post_filter if answer.preemption), None)

    @property
    def nominated_node(self) -> str:
        """The node that preemption would clear for the pod, or its group; empty if none."""
        if self.group is not None:
            return self.kept_node or ""
        return next((answer.nominated_node for _, answer in self.post_filter if answer.nominated_node), "")

    @property
    def moves_nomination(self) -> bool:
        """Whether a rejection settles which node is nominated, if only by taking the nomination away.

        A pod that may not preempt, or whose candidates extenders turned down, keeps what it had.
        """
        if self.group is not None:
            return self.kept_node is not None
        preemption = self.preemption
        if preemption is None:
            return not self.post_filter
        return bool(self.nominated_node) or not (preemption.ineligible or preemption.candidates)

    @property
    def victims(self) -> tuple[Pod, ...]:
        """The pods that would leave the nominated node, the most important first."""
        preemption, node_name = self.preemption, self.nominated_node
        candidates = preemption.candidates if preemption and node_name else ()
        return next((each.victims for each in candidates if each.node_name == node_name), ())
