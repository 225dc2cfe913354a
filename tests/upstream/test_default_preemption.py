"""Who would be evicted, and from which node: one criterion after the other, until one tells the nodes apart."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import budget, cluster, node, pod, selector

EARLY, LATE = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def _on(name: str, *rows: tuple[int, str], started: str = EARLY, **further: Any) -> list[Pod]:
    """Pods on a node, by priority and CPU."""
    return [
        pod(f"{name}-{number}", node=name, priority=priority, cpu=cpu, started=started, **further)
        for number, (priority, cpu) in enumerate(rows)
    ]


def _nodes(*names: str) -> list[Node]:
    return [node(name, cpu="4") for name in names]


class Case(NamedTuple):
    """A pod of priority 100 that asks for so much CPU, and the victims on each of the best nodes."""

    name: str
    cpu: str
    nodes: list[Node]
    running: list[Pod]
    best: dict[str, set[str]]
    others: tuple[KubernetesObject, ...] = ()
    policy: str | None = None

    def __str__(self) -> str:
        return self.name


PROTECTED = budget("b", selector({"app": "db"}), 0)
CASES = [
    Case("nobody of lower priority", "4", _nodes("a"), _on("a", (100, "4")), {}),
    Case("one of lower priority", "4", _nodes("a"), _on("a", (1, "4")), {"a": {"a-0"}}),
    Case("it may not preempt", "4", _nodes("a"), _on("a", (1, "4")), {}, policy="Never"),
    Case("more than the node has", "5", _nodes("a"), _on("a", (1, "4")), {}),
    Case("no more than it takes", "2", _nodes("a"), _on("a", (1, "2"), (1, "2")), {"a": {"a-1"}}),
    Case("the less important one", "2", _nodes("a"), _on("a", (1, "2"), (9, "2")), {"a": {"a-0"}}),
    Case("those above it stay", "2", _nodes("a"), _on("a", (200, "2"), (9, "2")), {"a": {"a-1"}}),
    Case(
        "a budget is kept where another node is free to give",
        "4",
        _nodes("a", "b"),
        [*_on("a", (1, "4"), labels={"app": "db"}), *_on("b", (9, "4"))],
        {"b": {"b-0"}},
        (PROTECTED,),
    ),
    Case(
        "a budget is violated where nothing else helps",
        "4",
        _nodes("a"),
        _on("a", (1, "4"), labels={"app": "db"}),
        {"a": {"a-0"}},
        (PROTECTED,),
    ),
    Case(
        "the lowest of the highest priorities",
        "4",
        _nodes("a", "b"),
        [*_on("a", (9, "4")), *_on("b", (5, "2"), (5, "2"))],
        {"b": {"b-0", "b-1"}},
    ),
    Case(
        "then the smallest sum of priorities",
        "4",
        _nodes("a", "b"),
        [*_on("a", (9, "2"), (8, "2")), *_on("b", (9, "2"), (1, "2"))],
        {"b": {"b-0", "b-1"}},
    ),
    Case(
        "one counts less than two of the same priority",
        "4",
        _nodes("a", "b"),
        [*_on("a", (9, "2"), (9, "2")), *_on("b", (9, "4"))],
        {"b": {"b-0"}},
    ),
    Case(
        "then whose most important started last",
        "4",
        _nodes("a", "b"),
        [*_on("a", (9, "4"), started=EARLY), *_on("b", (9, "4"), started=LATE)],
        {"b": {"b-0"}},
    ),
    Case(
        "nodes that nothing tells apart",
        "4",
        _nodes("a", "b"),
        [*_on("a", (9, "4")), *_on("b", (9, "4"))],
        {"a": {"a-0"}, "b": {"b-0"}},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_victims(case: Case) -> None:
    asks = pod("p", cpu=case.cpu, priority=100, preemption_policy=case.policy)
    decision = build_scheduler(SchedulerSettings()).schedule(asks, cluster(case.nodes, case.running, *case.others))
    tried = decision.preemption
    candidates = (
        {each.node_name: {victim.name for victim in each.victims} for each in tried.candidates} if tried else {}
    )
    assert {name: candidates[name] for name in (tried.best if tried else ())} == case.best
