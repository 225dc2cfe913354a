"""Annotations of the simulator, beside our own verdict."""

from __future__ import annotations

import json

from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Pod
from kexplain.objects.core.pods import PodAnnotations
from kexplain.render.pages.sentences import simulator_line
from tests.factories import cluster, node, pod

NODES = [node("n1", cpu="1"), node("n2", cpu="8"), node("n3", cpu="4")]
PASSED = {"NodeName": "passed", "NodeResourcesFit": "passed"}
FULL = {"NodeName": "passed", "NodeResourcesFit": "Insufficient cpu"}


def annotated(web: Pod, filtered: object, selected: str = "", scored: object = None) -> PodExplanation:
    annotations = PodAnnotations(
        filter_result=json.dumps(filtered), final_score_result=json.dumps(scored or {}), selected_node=selected
    )
    web = replace(web, metadata=replace(web.metadata, annotations=annotations))
    return explain(Case(cluster(NODES), (PodToPlace(web),))).pods[0]


def test_the_same() -> None:
    found = annotated(pod("web", cpu="9"), dict.fromkeys(("n1", "n2", "n3"), FULL))
    assert found.simulator is not None
    assert (found.simulator.agrees, found.simulator.differences) == (True, ())
    said = "by its annotations, kube-scheduler-simulator found no node; it says the same of 3 nodes"
    assert simulator_line(found) == said


def test_another_node_and_another_verdict() -> None:
    found = annotated(pod("web", cpu="2"), {"n1": FULL, "n2": FULL, "n3": PASSED}, "n3")
    assert simulator_line(found) == (
        "by its annotations, kube-scheduler-simulator chose n3, which is not the best here; "
        "it differs on 1 of 3 nodes (n2: NodeResourcesFit: Insufficient cpu there, passed here)"
    )


def test_points_are_compared_where_both_pass() -> None:
    filtered = {"n1": FULL, "n2": PASSED, "n3": PASSED}
    found = annotated(pod("web", cpu="2"), filtered, "n2", {"n2": {"A": "100", "B": "3"}, "n3": {}})
    assert found.simulator is not None
    (difference,) = found.simulator.differences
    assert (difference.node, difference.there) == ("n2", "103 points")
    assert found.simulator.agrees


def test_what_cannot_be_read_is_passed_over() -> None:
    for filtered in ("nonsense", [1], {"n1": "x"}):
        found = annotated(pod("web"), filtered)
        assert found.simulator is None
        assert simulator_line(found) == ""
    assert explain(Case(cluster(NODES), (PodToPlace(pod("web")),))).pods[0].simulator is None
