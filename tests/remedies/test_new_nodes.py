"""What is known of one more node of each pool."""

from __future__ import annotations

import pytest

from kexplain.explain.autoscaling import NodeOnItsWay
from kexplain.objects.events import Event
from kexplain.remedies.new_nodes import hindered
from kexplain.remedies.records import NewNode
from tests.factories import pod
from tests.queues.made import read

FULL = (
    "creating instance, insufficient capacity, with fleet error(s), VcpuLimitExceeded: … your current vCPU limit of 64"
)
AWAITED = NewNode("a", 1, fits=True, node_pool=(), on_their_way=(NodeOnItsWay("a-y", "a"),))


def _event(kind: str, name: str, message: str, **fields: object) -> Event:
    about = {"kind": kind, "name": name}
    (found,) = read({"apiVersion": "v1", "kind": "Event", "involvedObject": about, "message": message, **fields})
    assert isinstance(found, Event)
    return found


@pytest.mark.parametrize(
    ("new", "said", "hindered_by"),
    [
        (NewNode("a", 1, fits=True, node_pool=()), FULL, "the account's vCPU limit of 64 in the cloud is reached"),
        (NewNode("a", 1, fits=True, node_pool=()), "", ""),
        (NewNode("b", 1, fits=True, node_pool=()), FULL, ""),
        (NewNode("a", 1, fits=True), FULL, ""),
        (AWAITED, FULL, ""),
    ],
    ids=["refused", "says-nothing-of-it", "of-another-pool", "of-no-node-pool", "the-next-is-on-its-way"],
)
def test_a_node_that_the_cloud_refused_and_that_is_gone(new: NewNode, said: str, hindered_by: str) -> None:
    reason = "InsufficientCapacityError" if said else "DisruptionBlocked"
    events = [_event("NodeClaim", "a-x", said or FULL, reason=reason, lastTimestamp="2026-11-01T10:00:00Z")]
    (found,) = hindered([new], pod(), events)
    assert " ".join(found.hindered_by).partition(" (")[0] == hindered_by
    assert not (hindered_by and found.may_come)
