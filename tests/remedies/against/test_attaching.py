"""Room for volumes that cannot be attached."""

from __future__ import annotations

from typing import cast

from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence.storage import AttachLimitExceeded
from kexplain.remedies.against.attaching import AgainstAttachLimits
from tests.factories import cluster, node, pod, volume


def test_who_would_have_to_go_is_asked_of_few_pods_however_many_volumes_there_are_too_many() -> None:
    running = [pod(f"web-{at}", node="n1", volumes=[volume("data", claim="data")]) for at in range(100)]
    made = cluster([node("n1")], running)
    fact = AttachLimitExceeded(driver="d", requested=1, attached=0, limit=-(2**31))
    scene = cast("Scene", type("", (), {"cluster": made}))
    found = [*AgainstAttachLimits().at_node(made.node_infos[0], [fact], scene)]
    assert [len(each.steps) for each in found] == [1, 2, 3, 4, 5, 6]
