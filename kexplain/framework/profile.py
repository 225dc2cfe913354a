"""A scheduler's profile: which plugins run where, in which order, and with what weight."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.plugin import (
    BindingPlugin,
    ExtensionPoint,
    FilterPlugin,
    NodeByNodeFilter,
    NodeByNodeScore,
    NormalizeScorePlugin,
    NotEvaluatedPlugin,
    PermitPlugin,
    PlacementFeasiblePlugin,
    PlacementGeneratePlugin,
    PlacementScorePlugin,
    Plugin,
    PostFilterPlugin,
    PreEnqueuePlugin,
    PreFilterExtensions,
    PreFilterPlugin,
    PreScorePlugin,
    QueueSortPlugin,
    ReservePlugin,
    ScorePlugin,
    SelectiveFilter,
    WholesaleFilter,
    offering,
    runs_at,
)
from kexplain.framework.signing import PodSignature, SignPlugin, joined
from kexplain.objects.core import Pod
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME

#: The fields of a profile whose plugins turn nodes away.
FILTERING = ("pre_filter", "filter")
#: The fields whose plugins have a part in whether a pod fits, and where it goes.
_DECIDING = ("pre_enqueue", *FILTERING, "post_filter", "pre_score", "score")
#: The fields that hold the plugins of the points that they are named after, as they are.
_AS_AT_THEIR_POINTS = (*_DECIDING, "placement_generate", "placement_score")
#: Where plugins prepare what they do at another point.
_PREPARING = {ExtensionPoint.PRE_FILTER: ExtensionPoint.FILTER, ExtensionPoint.PRE_SCORE: ExtensionPoint.SCORE}
#: Those among them, or of other points, that come last.
_LAST = ("score", "placement_feasible", "placement_generate", "placement_score", "not_evaluated")
#: The fields whose plugins can be exchanged.
_EXCHANGEABLE = (*FILTERING, "pre_enqueue", "post_filter", "pre_score", "reserve", "permit", "binding", *_LAST)
PluginsAtPoints = Mapping[ExtensionPoint, Iterable[Plugin]]
Weights = Mapping[str, int]


class Profile(Struct, frozen=True):
    """The plugins of one scheduler name at every extension point, in the order in which they run.

    `binding` are those with a part in any of the points behind the decision, which `at_point` tells apart.
    """

    pre_enqueue: tuple[PreEnqueuePlugin, ...]
    queue_sort: QueueSortPlugin
    pre_filter: tuple[PreFilterPlugin, ...]
    filter: tuple[FilterPlugin, ...]
    post_filter: tuple[PostFilterPlugin, ...]
    pre_score: tuple[PreScorePlugin, ...]
    reserve: tuple[ReservePlugin, ...]
    permit: tuple[PermitPlugin, ...]
    binding: tuple[BindingPlugin, ...]
    score: tuple[ScorePlugin, ...]
    weights: dict[str, int]
    placement_weights: dict[str, int]
    placement_feasible: tuple[PlacementFeasiblePlugin, ...]
    placement_generate: tuple[PlacementGeneratePlugin, ...]
    placement_score: tuple[PlacementScorePlugin, ...]
    not_evaluated: tuple[NotEvaluatedPlugin, ...]
    #: The names of the plugins at each point, those included that are not evaluated.
    at_point: Mapping[ExtensionPoint, tuple[str, ...]] = msgspec.field(default_factory=dict)
    scheduler_name: str = DEFAULT_SCHEDULER_NAME
    #: None leaves it to the scheduler's own setting; 0 means by formula.
    percentage_of_nodes_to_score: int | None = None
    #: By plugin, what it was configured with, as a configuration spells it.
    arguments: Mapping[str, Any] = msgspec.field(default_factory=dict)
    #: Filters are asked even after one of them has objected.
    runs_all_filters: bool = False
    #: What else plugins of this profile can do, by their names.
    pre_filter_extensions: Mapping[str, PreFilterExtensions] = msgspec.field(default_factory=dict)
    prepared_filters: Mapping[str, PreFilterPlugin] = msgspec.field(default_factory=dict)
    node_by_node_filters: Mapping[str, NodeByNodeFilter] = msgspec.field(default_factory=dict)
    wholesale_filters: Mapping[str, WholesaleFilter] = msgspec.field(default_factory=dict)
    selective_filters: Mapping[str, SelectiveFilter] = msgspec.field(default_factory=dict)
    prepared_scores: Mapping[str, PreScorePlugin] = msgspec.field(default_factory=dict)
    node_by_node_scores: Mapping[str, NodeByNodeScore] = msgspec.field(default_factory=dict)
    normalizers: Mapping[str, NormalizeScorePlugin] = msgspec.field(default_factory=dict)
    #: Those that decide, each once; None if one of them signs no pod.
    signing: tuple[SignPlugin, ...] | None = None

    def __post_init__(self) -> None:
        for name, plugins, protocol in (
            ("pre_filter_extensions", self.filter, PreFilterExtensions),
            ("prepared_filters", self.filter, PreFilterPlugin),
            ("node_by_node_filters", self.filter, NodeByNodeFilter),
            ("wholesale_filters", self.filter, WholesaleFilter),
            ("selective_filters", self.filter, SelectiveFilter),
            ("prepared_scores", self.score, PreScorePlugin),
            ("node_by_node_scores", self.score, NodeByNodeScore),
            ("normalizers", self.score, NormalizeScorePlugin),
        ):
            found = {plugin.name: plugin for plugin in offering(plugins, protocol)}
            msgspec.structs.force_setattr(self, name, found)
        deciding = {id(plugin): plugin for name in _DECIDING for plugin in getattr(self, name)}.values()
        signing = offering(deciding, SignPlugin)
        msgspec.structs.force_setattr(self, "signing", signing if len(signing) == len(deciding) else None)

    def with_each(self, change: Callable[[Plugin], Plugin], fields: Iterable[str] = _EXCHANGEABLE) -> Profile:
        """The profile with every plugin changed in these fields, by default all; each keeps its name and its points."""
        changed: dict[int, Plugin] = {}

        def once(plugin: Plugin) -> Plugin:
            # One plugin stays one at all its points.
            return changed.setdefault(id(plugin), change(plugin))

        changes: Any = {name: tuple(once(plugin) for plugin in getattr(self, name)) for name in fields}
        return replace(self, **changes)

    def sign(self, pod: Pod, cluster: Cluster, *further: Hashable) -> PodSignature | None:
        """What the plugins that decide, and who asks for it, read of the pod; None if it is like no other."""
        return None if self.signing is None else joined(self.signing, pod, cluster, *further)

    def left_open(self, pod: Pod) -> dict[str, str]:
        """What of the pod plugins could not look at, by their names."""
        found = {plugin.name: plugin.not_evaluated(pod) for plugin in self.not_evaluated}
        return {name: reason for name, reason in found.items() if reason is not None}

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """Every plugin once, but for the one that sorts the queue."""
        every = (plugin for name in _EXCHANGEABLE for plugin in getattr(self, name))
        return tuple({id(plugin): plugin for plugin in every}.values())

    @classmethod
    def at(
        cls, plugins: PluginsAtPoints, weights: Weights, placement_weights: Weights, anywhere: Iterable[Plugin] = ()
    ) -> Profile:
        """The profile of these plugins at these points; one that does not implement its point is only named there.

        A weight that is not given is 1. There must be a plugin that sorts the queue. `anywhere` are plugins of which
        nobody can tell where they take part.
        """
        by_point = {point: tuple(plugins.get(point, ())) for point in ExtensionPoint}
        running = _running(by_point)
        distinct = {plugin.name: plugin for every in (*by_point.values(), anywhere) for plugin in every}
        at_point: Any = running
        return cls(
            queue_sort=at_point[ExtensionPoint.QUEUE_SORT][0],
            **{field: at_point[ExtensionPoint[field.upper()]] for field in _AS_AT_THEIR_POINTS},
            reserve=offering(running[ExtensionPoint.RESERVE], ReservePlugin),
            permit=offering(running[ExtensionPoint.PERMIT], PermitPlugin),
            binding=offering(distinct.values(), BindingPlugin),
            placement_feasible=offering(running[ExtensionPoint.PLACEMENT_FEASIBLE], PlacementFeasiblePlugin),
            weights=_weights(running[ExtensionPoint.SCORE], weights),
            placement_weights=_weights(running[ExtensionPoint.PLACEMENT_SCORE], placement_weights),
            not_evaluated=offering(distinct.values(), NotEvaluatedPlugin),
            at_point={point: tuple(plugin.name for plugin in every) for point, every in by_point.items()},
        )


def _running(by_point: Mapping[ExtensionPoint, tuple[Plugin, ...]]) -> dict[ExtensionPoint, tuple[Plugin, ...]]:
    """Those that have something to do at their points, and at one where they prepare what they do at another."""
    running = {point: tuple(each for each in every if runs_at(each, point)) for point, every in by_point.items()}
    for point, behind in _PREPARING.items():
        prepares = (each for each in running[behind] if point in getattr(each, "not_at", ()))
        running[point] = (*running[point], *prepares)
    return running


def _weights(plugins: Iterable[Plugin], given: Weights) -> dict[str, int]:
    return {each.name: given.get(each.name) or 1 for each in plugins}
