"""Situations that tests of upstream's plugins are about, understood and put anew; the whole cycle decides them here.

Each says what stops the pod on every node, and whether evicting others might help; a node that it leaves out will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.framework.status import Code
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import cluster

#: Eviction might help, and nothing does but another node or pod.
FOR_NOW, FOR_GOOD = Code.UNSCHEDULABLE, Code.UNSCHEDULABLE_AND_UNRESOLVABLE


class Case(NamedTuple):
    """A pod, and what each node is to it; a node that is not in `stops` will do."""

    name: str
    asks: Pod
    nodes: Sequence[Node]
    plugin: str
    stops: Mapping[str, Code] = {}
    running: Sequence[Pod] = ()
    others: Sequence[KubernetesObject] = ()
    gates: Mapping[str, bool] = {}

    def __str__(self) -> str:
        return self.name


def check(case: Case) -> None:
    """Decide it, and compare every node."""
    scheduler = build_scheduler(SchedulerSettings(feature_gates=dict(case.gates)))
    decision = scheduler.schedule(case.asks, cluster(case.nodes, case.running, *case.others))
    # A node that PreFilter has left out was not asked about by anybody.
    stopped = {name: decision.statuses.by_node.get(name, decision.statuses.absent) for name in case.stops}
    assert decision.statuses.by_node.keys() <= case.stops.keys()
    assert {name: status.code for name, status in stopped.items()} == case.stops
    assert {status.plugin for status in stopped.values()} <= {case.plugin, ""}
    will_do = {each.metadata.name for each in case.nodes} - case.stops.keys()
    assert set(decision.best) <= will_do
    assert bool(decision.best) == bool(will_do)
