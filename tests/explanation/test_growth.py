"""Why no autoscaler adds a node, in the first sentence and in what would help."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, schedule
from kexplain.diagnosis.records import Finding, Kind
from kexplain.explain.autoscaling import GroupTrouble, NodeGroup, NodeOnItsWay, NodePoolObjection, Refusal
from kexplain.explanation.growth import with_growth
from kexplain.objects.events import Event, Subject
from kexplain.remedies.new_nodes import hindered
from kexplain.remedies.records import NewNode
from tests.factories import cluster, node, pod

FOUND = Finding(kind=Kind.NO_ROOM, text="no room in pool a", pool="a")
FULL = NodeGroup(name="a-1", most=3, troubles=(GroupTrouble.AT_MAXIMUM,), text="it has its maximum of 3 nodes")
QUOTA = NodeGroup(name="a-2", troubles=(GroupTrouble.BACKED_OFF,), text="backed off (QUOTA_EXCEEDED)")
HEALTHY = NodeGroup(name="a-3", most=3)
LIMIT = NodePoolObjection(kind=Refusal.LIMIT, text="limit reached: cpu 8 of 8 used")
TAINT = NodePoolObjection(kind=Refusal.TAINT, text="its nodes have the taint x")


def told(*nodes: NewNode, found: Finding = FOUND) -> str:
    (decision,) = schedule(Case(cluster([node("n1")], []), (PodToPlace(pod("web", cpu="64")),)))
    said = with_growth(found, nodes, decision)
    assert said is not None
    return said.text.removeprefix("no room in pool a")


@pytest.mark.parametrize(
    ("new", "says"),
    [
        (
            NewNode("a", 1, node_groups=(FULL,)),
            "cluster-autoscaler adds no node: node group a-1 has its maximum of 3 nodes",
        ),
        (NewNode("a", 1, node_groups=(QUOTA,)), "cluster-autoscaler adds no node: the quota of the cloud is used up"),
        (NewNode("a", 1, node_groups=(FULL, HEALTHY)), ""),
        (NewNode("a", 1, node_pool=(LIMIT,)), "Karpenter adds no node: limit reached: cpu 8 of 8 used (NodePool a)"),
        (NewNode("a", 1, node_pool=(TAINT,)), "Karpenter adds no node: its nodes have the taint x"),
        (NewNode("a", 1, node_pool=()), ""),
        (NewNode("a", 1, fits=False, node_groups=(FULL,)), ""),
        (
            NewNode(
                "a", 1, node_pool=(), on_their_way=(NodeOnItsWay("c", "a", fails=True, message="SkuNotAvailable"),)
            ),
            "Karpenter adds no node: the cloud has no such machines left there",
        ),
        (NewNode("a", 1, node_pool=(), on_their_way=(NodeOnItsWay("c", "a", message="SkuNotAvailable"),)), ""),
    ],
)
def test_what_keeps_a_pool_from_growing(new: NewNode, says: str) -> None:
    assert told(new) == (f", and {says}" if says else "")


def test_a_pool_that_may_grow_says_nothing() -> None:
    assert told(NewNode("a", 1, node_groups=(FULL,)), NewNode("b", 1, fits=True, node_groups=(HEALTHY,))) == ""


def test_of_other_pools_only_where_its_own_has_no_name() -> None:
    full = NewNode("b", 1, node_groups=(FULL,))
    assert told(NewNode("a", 1), full) == ""
    assert "a-1" in told(full)


def test_more_nodes_are_no_help_against_every_fault() -> None:
    missing = Finding(kind=Kind.CLAIM_MISSING, text="no room in pool a", pool="a")
    assert told(NewNode("a", 1, node_groups=(FULL,)), found=missing) == ""


# ------------------------------------------------------------------------------------------------------- events


def said(reason: str, text: str, at: str = "2026-11-01T10:00:00Z") -> Event:
    subject = Subject(kind="Pod", namespace="default", name="web")
    return Event(reason=reason, message=text, involved_object=subject, last_timestamp=at)


MOST = said("NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached")
COMES = said("TriggeredScaleUp", "pod triggered scale-up: [a 1->2 (max: 3)]", "2026-11-01T11:00:00Z")
STOCK = said("FailedScaleUp", "Node scale up in zones a failed: GCE out of resources.", "2026-11-01T12:00:00Z")
ROOM = said("NotTriggerScaleUp", "pod didn't trigger scale-up: 1 Insufficient cpu")


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([MOST], "the node group is at its maximum size"),
        ([MOST, COMES], ""),
        ([MOST, COMES, STOCK], "the cloud has no such machines left there"),
        ([ROOM], ""),
        ([], ""),
    ],
)
def test_the_newest_event_counts(events: list[Event], says: str) -> None:
    (new,) = hindered([NewNode("a", 1)], pod("web"), events)
    assert told(new) == (f", and cluster-autoscaler adds no node: {says}" if says else "")


@pytest.mark.parametrize("new", [NewNode("a", 1, node_pool=()), NewNode("a", 1, fits=False)])
def test_what_tells_of_itself_needs_no_event(new: NewNode) -> None:
    assert hindered([new], pod("web"), [MOST]) == (new,)


@pytest.mark.parametrize(
    ("events", "is_refused"),
    [
        pytest.param([ROOM], False, id="one of two"),
        pytest.param([ROOM, MOST], False, id="the newest event alone"),
        pytest.param([said("NotTriggerScaleUp", "scale-up: 1 x, 1 y")], True, id="for two reasons"),
        pytest.param([said("NotTriggerScaleUp", "scale-up: 2 x")], True, id="for one"),
        pytest.param([said("NotTriggerScaleUp", "scale-up: 2 x"), COMES], False, id="until one grows"),
        pytest.param([said("FailedScaleUp", "scale-up: 2 x")], False, id="a failure is of one"),
        pytest.param([], False, id="without an event"),
    ],
)
def test_groups_are_passed_over_where_all_are_refused(events: list[Event], is_refused: bool) -> None:
    other = NodeGroup(name="b-1", most=2)
    nodes = hindered(
        [NewNode("a", 1, node_groups=(HEALTHY,)), NewNode("b", 0, node_groups=(other,))], pod("web"), events
    )
    assert [each.may_come for each in nodes] == [not is_refused] * 2
    assert [each.is_unknown for each in nodes] == [False, is_refused]


@pytest.mark.parametrize(("at", "is_silent"), [("10:14:00", False), ("10:16:00", True)])
def test_an_autoscaler_that_writes_no_status_decides_nothing(at: str, is_silent: bool) -> None:
    group = NodeGroup(name="a-3", most=3, as_of="2026-11-01T10:00:30Z")
    other = said("Killing", "x", f"2026-11-01T{at}Z")
    (new,) = hindered([NewNode("a", 1, node_groups=(group,))], pod("web"), [other])
    since = ", and cluster-autoscaler adds no node: it has written no status since 2026-11-01T10:00:30Z"
    assert told(new).startswith(since) is is_silent is new.help.startswith("see in the log of cluster-autoscaler")


def test_the_error_of_a_cloud_is_told_before_the_waiting_after_it() -> None:
    waits = said("NotTriggerScaleUp", "scale-up: 1 in backoff after failed scale-up", "2026-11-01T13:00:00Z")
    (new,) = hindered([NewNode("a", 1)], pod("web"), [STOCK, waits])
    assert "no such machines left there" in told(new)


def test_what_would_help_is_said_for_the_group() -> None:
    assert NewNode("a", 1, node_groups=(QUOTA,)).help.startswith("raise the quota of the cloud for node group a-2")
    assert NewNode("a", 1, said=STOCK.text).help.startswith("let pool a use other machine types")
    assert NewNode("a", 1).help == ""
