"""Who has preempted pods of a workload is said with its pods that find no room since."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import ExplainOptions, PodExplanation, Wanted, load_case, one_by_one
from tests.remedies.situations import Json, deployment, node, obj, of_kind, template

NEWER = "Preempted by pod pod-{} on node {}"
OLDER = "Preempted by shop/{} on node {}"
ALONE = "no room on node n1"


def preempted(victim: str, text: str, **fields: Any) -> Json:
    """What a scheduler says of a pod that had to go."""
    about = {"kind": "Pod", "namespace": "shop", "name": victim}
    said = {"reason": "Preempted", "message": text, "involvedObject": about}
    return obj("v1", "Event", f"{victim}.1", **{**said, **fields})


def report_of(path: Path, *items: Json, places: Sequence[str] = ("n1",), priority: int = 9) -> PodExplanation:
    """What is said of a pod of `web` that waits for room on a node that `batch` has filled."""
    others = [*deployment("batch", template("3", priority=priority), list(places))]
    every = [node("n1"), *deployment("web", template("3"), [""]), *others, *items]
    return waiting(path, every)


def waiting(path: Path, items: Sequence[Json]) -> PodExplanation:
    """What is said of the pod that is pending."""
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    found = one_by_one(load_case([], [str(path)], Wanted(own_pods=True)), ExplainOptions())
    return next(each for each in found.report(tuple(found.pods)).pods if each.choice is None)


@pytest.mark.parametrize("text", [NEWER, OLDER])
def test_who_took_the_room_is_named(text: str, tmp_path: Path) -> None:
    said = text.format("batch-1-0", "n1")
    events = [preempted(f"web-1-{each}", said) for each in "ab"]
    found = report_of(tmp_path / "cluster.json", *events).diagnosis
    assert found is not None
    why = "deployment shop/batch, which is more important, preempted 2 of its pods"
    assert found.text == f"{ALONE}, which more important pods fill, as {why}"
    assert found.facts["because"] == {"type": "preempted", "by": "deployment shop/batch", "pods": 2}
    assert found.evidence[-1].pods == ("shop/batch-1-0",)


@pytest.mark.parametrize(
    ("event", "priority"),
    [
        pytest.param(preempted("web-1-a", NEWER.format("batch-1-7", "n1")), 9, id="gone"),
        pytest.param(preempted("web-1-a", NEWER.format("batch-1-0", "n2")), 9, id="elsewhere"),
        pytest.param(preempted("web-1-a", NEWER.format("batch-1-0", "n1")), 0, id="of-no-more-importance-by-now"),
        pytest.param(preempted("api-1-a", NEWER.format("batch-1-0", "n1")), 9, id="of-another-workload"),
        pytest.param(preempted("web-1-a", NEWER.format("batch-1-0", "n1"), reason="Killing"), 9, id="other-words"),
        pytest.param(
            preempted(
                "web-1-a", NEWER.format("batch-1-0", "n1"), involvedObject={"kind": "Workload", "name": "web-1-a"}
            ),
            9,
            id="of-a-queue",
        ),
    ],
)
def test_who_did_not_is_not(event: Json, priority: int, tmp_path: Path) -> None:
    found = report_of(tmp_path / "cluster.json", event, priority=priority).diagnosis
    assert found is not None
    assert "preempted" not in found.text


def test_what_is_no_want_of_room_is_told_by_itself(tmp_path: Path) -> None:
    asking = [*of_kind("StatefulSet", "db", template("1", nodeSelector={"disk": "ssd"}), [""])]
    others = [*deployment("batch", template("3", priority=9), ["n1"])]
    event = preempted("db-1", NEWER.format("batch-1-0", "n1"))
    found = waiting(tmp_path / "cluster.json", [node("n1"), *asking, *others, event]).diagnosis
    assert found is not None
    assert "preempted" not in found.text
