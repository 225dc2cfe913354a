"""Extenders in reports, asked over a real connection and not asked."""

from __future__ import annotations

import json

import pytest

from kexplain.api import Case, PodToPlace, Report, explain
from kexplain.config.component.default_profile import default_profile
from kexplain.config.component.extenders import with_extenders
from kexplain.framework.extender import ExtenderConfig
from kexplain.objects.core import Pod
from kexplain.render import Kind, render
from kexplain.render.view import View
from kexplain.scheduler.cycle import Scheduler
from tests.extenders.extender_server import ExtenderServer, Raw, serving
from tests.factories import cluster, node, pod

FIVE = cluster([node(f"n{number}") for number in range(1, 6)], [pod("busy", node="n5", cpu="4")])
WEB = pod("web", cpu="1")


def report(server: ExtenderServer, asking: Pod = WEB, *, calls: bool = True, **changes: object) -> Report:
    settings = {"filter_verb": "filter", "prioritize_verb": "prioritize", "node_cache_capable": True, "weight": 5}
    config = ExtenderConfig(url_prefix=server.url, **{**settings, **changes})  # type: ignore[arg-type]
    scheduler = Scheduler({"default-scheduler": default_profile()}, extenders=(config,))
    return explain(Case(FIVE, (PodToPlace(asking),)), with_extenders(scheduler, calls=calls))


def shown(found: Report, server: ExtenderServer, output: str = "text", *, verbose: bool = False) -> str:
    """The report with the server's address, which is another every time, replaced."""
    rendered = render(Kind.EXPLANATION, output, found, View(verbose=verbose))
    if not isinstance(rendered, str):
        rendered = "".join(f"{line.plain}\n" for line in rendered.lines(1000))
    return rendered.replace(server.url, "http://rack")


REJECTING = {"NodeNames": [], "FailedNodes": {"n1": "rack is full", "n2": "rack is full"},
             "FailedAndUnresolvableNodes": {"n3": "no rack"}}  # fmt: skip


def test_rejections_of_an_extender_stand_among_those_of_plugins() -> None:
    with serving(filter=REJECTING) as server:
        found = report(server)
        text = shown(found, server, verbose=True)
    assert found.pods[0].message == (
        "0/5 nodes are available: 1 Insufficient cpu, 1 no rack, 2 rack is full. no new claims to deallocate, "
        "preemption: 0/5 nodes are available: 2 Preemption is not helpful for scheduling, "
        "3 No preemption victims found for incoming pod."
    )
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert "2 candidates extender http://rack rack is full n1, n2" in rows
    assert "1 candidate extender http://rack no rack n3" in rows
    assert "1 candidate extender http://rack left out without a reason n4" in rows
    assert "extender http://rack was asked to filter 4 nodes; it kept 0" in rows


def test_scores_of_an_extender_have_a_column() -> None:
    with serving(filter=lambda asked: asked, prioritize=[{"Host": "n3", "Score": 10}]) as server:
        found = report(server)
        text, table = shown(found, server, verbose=True), shown(found, server, "csv")
    assert found.pods[0].choice is not None
    assert found.pods[0].choice.node == "n3"
    assert found.pods[0].choice.margins[0].plugin == f"extender {server.url}"
    assert found.pods[0].weights[f"extender {server.url}"] == 5
    assert "10/100/500" in text
    assert "extender http://rack was asked to prioritize 4 nodes; it scored 1" in text
    assert "extender http://rack=500" in table
    assert found.notes == ("extenders are sent what scheduling reads of pods and nodes, not the whole objects",)


@pytest.mark.parametrize("output", ["text", "markdown", "csv", "event", "json", "yaml"])
def test_every_format_says_who_was_not_asked(output: str) -> None:
    with serving() as server:
        found = report(server, calls=False)
        assert "it was not asked to filter and prioritize" in shown(found, server, output)
    assert (server.asked, found.notes) == ([], ())


def test_an_extender_that_is_passed_over_is_told() -> None:
    with serving(filter=Raw(status=503), prioritize=[]) as server:
        found = report(server, ignorable=True)
        text = shown(found, server)
        document = json.loads(shown(found, server, "json"))
    failed = "failed filter with extender at URL http://rack/filter, code 503"
    assert f"! extender http://rack was asked to filter, failed and was ignored: {failed}" in text
    assert document["pods"][0]["extenderCalls"][0] == {
        "extender": "extender http://rack", "verb": "filter", "nodesSent": 4, "nodesKept": 0, "error": failed,
        "passedOver": True, "emptied": 0,
    }  # fmt: skip


def test_a_failure_that_counts_ends_the_attempt() -> None:
    with serving(filter=Raw(status=500)) as server:
        found = report(server)
        text = shown(found, server)
    assert found.pods[0].outcome == "Error"
    assert "default/web cannot be scheduled: failed filter with extender at URL http://rack/filter, code 500" in text


def test_nodes_that_come_back_whole_are_scored_as_empty_and_the_figures_add_up() -> None:
    """n5 has 4 CPUs taken; without them, as its object alone says, it has as many points as the others."""
    with serving(filter=lambda asked: {"Nodes": asked["Nodes"]}, prioritize=[]) as server:
        asking = pod("web", cpu="1", memory="1Gi")
        there = cluster([node("n1", cpu="8", memory="8Gi"), node("n2", cpu="8", memory="8Gi")],
                        [pod("busy", node="n2", cpu="4", memory="4Gi")])  # fmt: skip
        config = ExtenderConfig(url_prefix=server.url, filter_verb="filter", weight=1)
        scheduler = Scheduler({"default-scheduler": default_profile()}, extenders=(config,))
        found = explain(Case(there, (PodToPlace(asking),)), with_extenders(scheduler, calls=True), score_details=None)
        text = shown(found, server, verbose=True)
    assert "! extender http://rack sent 1 node back whole, which the scheduler scores as if no pod ran there" in text
    assert "n1: (87×1 + 87×1) / 2 = 87" in text
    assert "n2: (87×1 + 87×1) / 2 = 87" in text
