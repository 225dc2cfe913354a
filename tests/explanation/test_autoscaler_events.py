"""What autoscalers have said about a pod, beside the nodes that have joined since."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.explanation.autoscaler_events import autoscaler_events
from kexplain.objects.core import Node
from kexplain.objects.events import Event, Subject
from tests.factories import node, pod

PENDING = pod("web", uid="web")


def joined(name: str, when: str | None) -> Node:
    """A node of that age."""
    made = node(name)
    return replace(made, metadata=replace(made.metadata, creation_timestamp=when))


@pytest.mark.parametrize(
    ("reason", "nodes", "said"),
    [
        ("TriggeredScaleUp", [("old", "2026-11-25T02:00:00Z")], "new nodes are on their way"),
        ("TriggeredScaleUp", [("old", "2026-11-25T02:00:00Z"), ("new", "2026-11-25T02:09:00Z")],
         "it has asked for nodes; since then new has joined"),
        ("TriggeredScaleUp", [("new", "2026-11-25T02:05:00Z"), ("newer", "2026-11-25T02:09:00Z")],
         "it has asked for nodes; since then new, newer have joined"),
        ("TriggeredScaleUp", [("unknown", None)], "new nodes are on their way"),
        ("NotTriggerScaleUp", [("new", "2026-11-25T02:09:00Z")], "new nodes are on their way"),
    ],
)  # fmt: skip
def test_nodes_that_were_on_their_way_may_have_come(
    reason: str, nodes: list[tuple[str, str | None]], said: str
) -> None:
    subject = Subject(kind="Pod", name="web", namespace="default", uid="web")
    text = "pod triggered scale-up: [{general 4->7 (max: 10)}]"
    event = Event(reason=reason, message=text, involved_object=subject, last_timestamp="2026-11-25T02:05:00Z")
    (found,) = autoscaler_events(PENDING, [event], lambda: [joined(*each) for each in nodes])
    assert len(found.meaning) == 1
    assert found.meaning[0].startswith(said)


def event_of(reason: str, minute: int, text: str, by: str = "cluster-autoscaler") -> Event:
    subject = Subject(kind="Pod", name="web", namespace="default", uid="web")
    when = f"2026-11-25T02:{minute:02}:00Z"
    return Event(
        reason=reason, message=text, involved_object=subject, last_timestamp=when, reporting_component=by, count=minute
    )


def test_the_newest_of_each_reason_and_reporter_counts() -> None:
    events = [
        event_of("NotTriggerScaleUp", 9, "newest"),
        event_of("TriggeredScaleUp", 5, "pod triggered scale-up"),
        event_of("NotTriggerScaleUp", 1, "oldest"),
        event_of("NotTriggerScaleUp", 7, "of another", by="karpenter"),
        event_of("FailedScheduling", 8, "no autoscaler's", by="default-scheduler"),
    ]
    found = autoscaler_events(PENDING, events, list)
    assert [(each.reason, each.message, each.reported_by, each.times) for each in found] == [
        ("TriggeredScaleUp", "pod triggered scale-up", "cluster-autoscaler", 5),
        ("NotTriggerScaleUp", "of another", "karpenter", 7),
        ("NotTriggerScaleUp", "newest", "cluster-autoscaler", 9),
    ]


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        (
            "pod didn't trigger scale-up: 1 Insufficient cpu, 1 max node group size reached",
            ["the node group may not grow"],
        ),
        ("pod didn't trigger scale-up: 2 node(s) didn't match Pod's node affinity/selector", []),
    ],
)
def test_what_plugins_find_is_told_of_nodes(text: str, meanings: list[str]) -> None:
    (found,) = autoscaler_events(PENDING, [event_of("NotTriggerScaleUp", 1, text)], list)
    assert [each[: len(meant)] for each, meant in zip(found.meaning, meanings, strict=True)] == meanings


@pytest.mark.parametrize(("minute", "means"), [(9, ()), (3, ("new nodes are on their way",))])
def test_nodes_are_on_their_way_until_the_autoscaler_says_otherwise(minute: int, means: tuple[str, ...]) -> None:
    asked = event_of("TriggeredScaleUp", 5, "pod triggered scale-up: [{general 4->7 (max: 10)}]")
    other = event_of("NotTriggerScaleUp", minute, "pod didn't trigger scale-up: 1 Insufficient cpu")
    found = {each.reason: each.meaning for each in autoscaler_events(PENDING, [asked, other], list)}
    assert tuple(each[:26] for each in found["TriggeredScaleUp"]) == means
