"""Large reports on several pods write equal verdicts once, and nothing is lost by that."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from msgspec.structs import replace

from kexplain.api import explain
from kexplain.case.case import Case
from kexplain.case.records import PodToPlace
from kexplain.explain.records import NodeVerdict, SharedVerdict
from kexplain.objects.core import Pod
from kexplain.objects.well_known import ZONE
from kexplain.report import shared_verdicts
from kexplain.report.records import Report
from kexplain.report.shared_verdicts import Sharing, ranges, shares
from tests.factories import cluster, container, in_, node, node_term, pod
from tests.storage_factories import claim, persistent_volume, uses

from .shared import written_out


def _report(*pods: Pod) -> Report:
    nodes = [node(f"n{number}", cpu=number) for number in range(1, 6)]
    return explain(Case(cluster(nodes), tuple(map(PodToPlace, pods))))


def _shared(report: Report) -> Report:
    made = Sharing(f"n{number}" for number in range(1, 6))
    return replace(report, pods=tuple(map(made.shared, report.pods)), node_names=made.node_names)


FOUR = [pod(name, containers=[container(cpu=3)]) for name in "abcd"]


@pytest.mark.parametrize("remembered", [1, shared_verdicts.REMEMBERED])
def test_nothing_is_lost(remembered: int) -> None:
    report = _report(*FOUR)
    with patch.object(shared_verdicts, "REMEMBERED", remembered):
        pods = written_out(_shared(report))
    for whole, pod_ in zip(report.pods, pods, strict=True):
        assert pod_ == replace(whole, node_verdicts=tuple(sorted(whole.node_verdicts, key=lambda each: each.node)))


def test_verdicts_that_a_pod_before_has_are_not_written_again() -> None:
    first, second, *_ = _shared(_report(*FOUR)).pods
    assert (len(first.verdicts), len(second.verdicts)) == (5, 1)
    assert sorted(each.nodes for each in second.shared_verdicts if each.rank is None) == ["0", "1", "4"]


def test_pods_that_fare_alike_share_all_that_is_said_of_nodes() -> None:
    first, second, third = _shared(_report(*[pod(name, containers=[container(cpu=9)]) for name in "abc"])).pods
    assert (first.same_as, second.same_as, third.same_as) == (None, 0, 0)
    assert first.causes
    assert (second.causes, second.shared_verdicts) == ((), ())
    assert (second.diagnosis, second.circles) == (None, None)


@pytest.mark.parametrize(
    ("names", "places"),
    [
        pytest.param(("n1", "n2", "n4"), ("0-1,3",), id="known"),
        pytest.param(("gone",), ("gone",), id="gone"),
        pytest.param(("gone", "n2", "lost", "n1"), ("0-1", "gone", "lost"), id="both"),
        pytest.param((), (), id="none"),
    ],
)
def test_a_diagnosis_may_be_about_a_node_that_is_gone(names: tuple[str, ...], places: tuple[str, ...]) -> None:
    report = _report(pod(containers=[container(cpu=9)]))
    (whole,) = report.pods
    assert whole.diagnosis is not None
    about = replace(whole, diagnosis=replace(whole.diagnosis, nodes=names))
    (made,) = _shared(replace(report, pods=(about,))).pods
    assert made.diagnosis is not None
    assert made.diagnosis.nodes == places


def test_facts_with_labels_of_nodes_are_shared_too() -> None:
    elsewhere = persistent_volume("pv", reach=[node_term(in_(ZONE, "b"))], reserved="data")
    nodes = [node(f"n{number}", labels={ZONE: "a"}) for number in range(1, 6)]
    around = cluster(nodes, (), claim(volume="pv"), elsewhere)
    report = explain(Case(around, tuple(PodToPlace(pod(name, volumes=uses("data"))) for name in "ab")))
    first, second = _shared(report).pods
    assert len(first.verdicts) == 1
    assert second.same_as == 0 or not second.verdicts


def test_nodes_of_a_diagnosis_are_places() -> None:
    report = _report(pod("a", containers=[container(cpu=9)]), pod("b", containers=[container(cpu=10)]))
    shared = _shared(report)
    assert shared.pods[1].circles is not None
    assert shared.pods[1].circles.candidates == ("0-4",)
    assert [each.circles for each in written_out(shared)] == [each.circles for each in report.pods]
    assert [each.diagnosis for each in written_out(shared)] == [each.diagnosis for each in report.pods]


@pytest.mark.parametrize(("places", "text"), [([3], "3"), ([0, 1, 2, 8], "0-2,8"), ([1, 3, 4], "1,3-4")])
def test_places_are_written_as_ranges(places: list[int], text: str) -> None:
    assert ranges(places) == text


@pytest.mark.parametrize(("pods", "nodes", "is_large"), [(1, 100_000, False), (2, 100, False), (3, 5_000, True)])
def test_only_large_reports_on_several_pods_share(pods: int, nodes: int, is_large: bool) -> None:
    assert shares(pods, nodes) is is_large


def test_a_shared_verdict_has_every_field_of_a_verdict_but_its_node_and_rank() -> None:
    shared = set(SharedVerdict.__struct_fields__)
    assert shared == set(NodeVerdict.__struct_fields__) - {"node", "rank"}
