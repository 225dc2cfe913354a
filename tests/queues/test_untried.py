"""Pods that no scheduler has looked at."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.cluster.departing import departed
from kexplain.queues.untried import is_untried, not_tried, refused
from tests.bound.made import event, made
from tests.factories import cluster, node, pod

NEW = made({"phase": "Pending"}, nodeName=None, metadata={"creationTimestamp": "2026-11-20T08:00:00Z"})


def test_who_has_been_tried() -> None:
    assert is_untried(NEW, [])
    assert not is_untried(NEW, [event("FailedScheduling", "0/1 nodes are available.")])
    assert not is_untried(replace(NEW, metadata=replace(NEW.metadata, uid=None)), [])
    condition = [{"type": "PodScheduled", "status": "False"}]
    assert not is_untried(made({"phase": "Pending", "conditions": condition}, nodeName=None), [])


def test_whoever_places_the_pod_has_said_why_not() -> None:
    asking = replace(NEW, spec=replace(NEW.spec, scheduler_name="batch"))
    unheard, heard = (event("Refusing", "no room in queue", reportingComponent=by) for by in ("grouper", "batch"))
    assert (refused(asking, [unheard]), is_untried(asking, [unheard])) == (None, True)
    assert not is_untried(asking, [heard])
    found = refused(asking, [unheard, heard])
    assert found is not None
    assert found.text == "batch: no node for the pod: no room in queue"
    assert refused(NEW, [event("FailedScheduling", "0/1 nodes", reportingComponent="batch")]) is None


def test_younger_pods_with_a_node_are_counted() -> None:
    later = pod("b", node="n1")
    later = replace(later, metadata=replace(later.metadata, creation_timestamp="2026-11-20T08:05:00Z"))
    there = cluster([node("n1")], [later])
    placed_here = replace(later, spec=replace(later.spec, node_name=None), metadata=replace(later.metadata, name="c"))
    for now, counts in ((there, True), (there.assume(placed_here, "n1"), True), (departed(there, [later]), False)):
        said = not_tried(NEW, now, "default-scheduler").text
        assert ("1 younger pod has a node" in said, "younger" in said) == (counts, counts)
