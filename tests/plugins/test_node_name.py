from __future__ import annotations

import pytest

from kexplain.framework.evidence import OtherNodeName
from kexplain.framework.status import Status
from kexplain.objects.core import Pod
from kexplain.plugins.node_name import NodeName
from tests.factories import cluster, node, pod

from .asking import UNRESOLVABLE, filter_verdict, rejection

OTHER = rejection(
    UNRESOLVABLE, "node(s) didn't match the requested node name", evidence=[OtherNodeName("n2")]
)  # fmt: skip


@pytest.mark.parametrize(
    ("asking", "verdict"),
    [
        pytest.param(pod(), None, id="names-no-node"),
        pytest.param(pod(node=""), None, id="empty-name"),
        pytest.param(pod(node="n1"), None, id="this-node"),
        pytest.param(pod(node="n2"), OTHER, id="another-node"),
    ],
)
def test_filter(asking: Pod, verdict: Status | None) -> None:
    assert filter_verdict(NodeName(), asking, cluster([node("n1")])) == verdict
