"""A scheduler's profile: which plugins run where, in which order, and with what weight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kexplain.framework.plugin import (
    BindingPlugin,
    FilterPlugin,
    NotEvaluatedPlugin,
    Plugin,
    PostFilterPlugin,
    PreEnqueuePlugin,
    PreFilterPlugin,
    PreScorePlugin,
    QueueSortPlugin,
    ReservePlugin,
    ScorePlugin,
)

DEFAULT_SCHEDULER_NAME = "default-scheduler"


@dataclass(frozen=True, slots=True)
class Profile:
    """The plugins of one scheduler name at every extension point, in the order in which they run."""

    scheduler_name: str
    #: None leaves it to the scheduler's own setting; 0 means by formula.
    percentage_of_nodes_to_score: int | None
    pre_enqueue: tuple[PreEnqueuePlugin, ...]
    queue_sort: QueueSortPlugin
    pre_filter: tuple[PreFilterPlugin, ...]
    filter: tuple[FilterPlugin, ...]
    post_filter: tuple[PostFilterPlugin, ...]
    pre_score: tuple[PreScorePlugin, ...]
    reserve: tuple[ReservePlugin, ...]
    binding: tuple[BindingPlugin, ...]
    score: tuple[ScorePlugin, ...]
    weights: dict[str, int]
    not_evaluated: tuple[NotEvaluatedPlugin, ...]

    @classmethod
    def of(
        cls,
        plugins: Iterable[Plugin],
        weights: dict[str, int],
        *,
        scheduler_name: str = DEFAULT_SCHEDULER_NAME,
        percentage_of_nodes_to_score: int | None = None,
    ) -> Profile:
        """The profile of plugins that run at every extension point they implement, in this order."""
        every = tuple(plugins)
        scores = tuple(plugin for plugin in every if isinstance(plugin, ScorePlugin))
        return cls(
            scheduler_name=scheduler_name,
            percentage_of_nodes_to_score=percentage_of_nodes_to_score,
            pre_enqueue=tuple(plugin for plugin in every if isinstance(plugin, PreEnqueuePlugin)),
            queue_sort=next(plugin for plugin in every if isinstance(plugin, QueueSortPlugin)),
            pre_filter=tuple(plugin for plugin in every if isinstance(plugin, PreFilterPlugin)),
            filter=tuple(plugin for plugin in every if isinstance(plugin, FilterPlugin)),
            post_filter=tuple(plugin for plugin in every if isinstance(plugin, PostFilterPlugin)),
            pre_score=tuple(plugin for plugin in every if isinstance(plugin, PreScorePlugin)),
            reserve=tuple(plugin for plugin in every if isinstance(plugin, ReservePlugin)),
            binding=tuple(plugin for plugin in every if isinstance(plugin, BindingPlugin)),
            score=scores,
            weights={plugin.name: weights.get(plugin.name, 1) for plugin in scores},
            not_evaluated=tuple(plugin for plugin in every if isinstance(plugin, NotEvaluatedPlugin)),
        )
