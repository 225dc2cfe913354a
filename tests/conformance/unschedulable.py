"""Recorded pods that fit nowhere, a few of each area that differ in what turns them down, and explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice

from kexplain.explanation import ExplainOptions, explain
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.objects.core import Pod

from .corpora import Area
from .remedies import areas
from .scenario import Scenario
from .scheduling import _scheduler, cluster_of, read

#: Of each area: how many pods are explained, and how many scenarios are looked at for them.
EACH, SCENARIOS = 6, 60


@cache
def explained() -> Mapping[str, PodExplanation]:
    """By area, scenario and pod."""
    return {name: pod for area in areas() for name, pod in islice(_of_area(area), EACH)}


def _of_area(area: Area) -> Iterator[tuple[str, PodExplanation]]:
    known = set()
    for scenario in islice(area.rows(Scenario), SCENARIOS):
        scheduler = _scheduler(area.corpus, scenario)
        objects = read(scenario.objects)
        cluster = cluster_of(objects, scheduler)
        # The first one alone: those after it find another cluster.
        pod = next(obj for obj in objects if isinstance(obj, Pod) and obj.key == scenario.pods[0])
        decision = scheduler.schedule(pod, cluster, scenario.start_node_index)
        if decision.outcome is not Outcome.UNSCHEDULABLE:
            continue
        reasons = frozenset(re.findall(r"[A-Za-z][^,.:]+", decision.message))
        if reasons not in known:
            known.add(reasons)
            yield f"{scenario.id} {pod.key}", explain(decision, ExplainOptions(scheduler=scheduler, last_resorts=True))
