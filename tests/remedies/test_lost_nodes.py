"""What lets go of a pod that nobody ends."""

from __future__ import annotations

from kexplain.remedies.lost_nodes import letting_go
from kexplain.remedies.records import Rank
from tests.factories import pod


def test_each_way_with_what_it_means_for_data() -> None:
    found = [*letting_go(pod("db-0", namespace="shop", node="n1", deleting=True))]
    assert {each.rank for each in found} == {Rank.MENDS}
    assert [(each.action, each.text, *each.commands) for each in found] == [
        (
            "mend-node",
            "taint node n1 out-of-service, if its machine is off for good: its pods and volumes are let go then",
            "kubectl taint node n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
        ),
        (
            "mend-node",
            "delete node n1, if its machine does not exist any more: its pods go with it",
            "kubectl delete node n1",
        ),
        ("mend-node", "repair n1: its kubelet then ends the pod in order"),
        (
            "check-controller",
            "force the deletion of db-0, once it surely runs no more: two at a time may damage its data",
            "kubectl delete pod --force --grace-period=0 db-0 -n shop",
        ),
    ]
