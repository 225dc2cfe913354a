"""Traces that are played: who waits for whom, and what is measured on the way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.objects.core import Node, Pod
from kexplain.report.replay import ReplayRun
from kexplain.report.replaying import Measure, Replay, Stay
from tests.factories import cluster, node, pod

GPU = "nvidia.com/gpu"


def _played(stays: list[Stay], *nodes: Node) -> ReplayRun:
    there = cluster([*nodes] or [node("n1", cpu="2")])
    return Replay(build_scheduler(), there, stays, Measure.for_pods([each.pod for each in stays], there)).run("x", 0)


def test_a_pod_waits_until_another_is_through() -> None:
    found = _played([Stay(pod("a", cpu="2"), 0, 100), Stay(pod("b", cpu="1"), 10, 50)])
    assert (found.ran, found.waited, found.never_ran) == (2, 1, 0)
    assert (found.longest_wait, found.mean_wait, found.median_wait) == (90, 45, 90)
    assert found.ends_at == 150
    assert [(each.time, each.pending, each.running) for each in found.samples] == [
        (0, 0, 1),
        (10, 1, 1),
        (100, 0, 1),
        (150, 0, 0),
    ]
    assert (found.most_pending, found.pending) == (1, 0.6)
    assert found.used["cpu"] == pytest.approx((100 * 2 + 50 * 1) / 150 / 2, abs=1e-4)


def test_what_fits_nowhere_never_runs_and_what_has_no_end_stays() -> None:
    found = _played([Stay(pod("a", cpu="9"), 0, 100), Stay(pod("b", cpu="1"), 5, None), Stay(pod("c", cpu="1"), 9, 1)])
    assert (found.ran, found.never_ran, found.ends_at) == (2, 1, 10)
    assert found.samples[-1].running == 1
    assert found.most_pending == 1


def test_an_evicted_pod_begins_anew() -> None:
    low, high = pod("low", cpu="2"), pod("high", cpu="2", priority=9)
    found = _played([Stay(low, 0, 100), Stay(high, 40, 10)])
    assert (found.evictions, found.ran, found.waited) == (1, 2, 0)
    assert found.ends_at == 150


def test_a_pod_of_the_cluster_that_is_evicted_is_gone() -> None:
    low, high = pod("low", cpu="2", node="n1"), pod("high", cpu="2", priority=9)
    there = cluster([node("n1", cpu="2")], [low])
    played = Replay(build_scheduler(), there, [Stay(high, 1, 10)], Measure.for_pods([high], there))
    assert played.run("x", 0).evictions == 1
    assert [*played.queue.cluster.pods] == []


def test_fragments_are_what_pods_cannot_use() -> None:
    nodes = [node("n1", cpu="1", further={GPU: "2"}), node("n2", cpu="8", further={GPU: "6"})]
    stays = [Stay(_on_gpu(name, cpu), 0, 10) for name, cpu in (("a", "1"), ("b", "4"))]
    there = cluster(nodes)
    measure = Measure.for_pods([each.pod for each in stays], there)
    assert (measure.of, measure.resources) == (GPU, ("cpu", "memory", GPU))
    # One of the two does not fit on the first node.
    used = [measure.of_node(info, 0)[-3:] for info in there.node_infos]
    assert used == [(2, 1.0, 0), (6, 0.0, 0)]


def _on_gpu(name: str, cpu: str) -> Pod:
    return pod(name, cpu=cpu, further={GPU: "1"})


def test_many_moments_are_thinned() -> None:
    stays = [Stay(replace(pod(f"p{number}", cpu="1")), number, 1) for number in range(600)]
    found = _played(stays)
    assert len(found.samples) == 240
    assert {round(each.used["cpu"], 1) for each in found.samples} == {0.5}
