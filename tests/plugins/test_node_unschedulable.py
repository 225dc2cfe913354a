from __future__ import annotations

import pytest

from kexplain.framework.evidence import Cordoned
from kexplain.framework.features import Features
from kexplain.framework.status import Status
from kexplain.objects.core import Node, Pod
from kexplain.plugins.node_unschedulable import NodeUnschedulable
from tests.factories import cluster, node, pod, toleration

from .asking import UNRESOLVABLE, filter_verdict, rejection

KEY = "node.kubernetes.io/unschedulable"
CORDONED = rejection(UNRESOLVABLE, "node(s) were unschedulable", evidence=[Cordoned()])


@pytest.mark.parametrize(
    ("asking", "asked", "verdict"),
    [
        pytest.param(pod(), node(), None, id="open-node"),
        pytest.param(pod(), node(cordoned=True), CORDONED, id="cordoned"),
        pytest.param(
            pod(tolerations=[toleration(KEY, operator="Exists")]), node(cordoned=True), None, id="tolerates-cordons",
        ),
        pytest.param(
            pod(tolerations=[toleration(KEY, operator="Exists", effect="NoSchedule")]), node(cordoned=True), None,
            id="tolerates-its-effect",
        ),
        pytest.param(
            pod(tolerations=[toleration(KEY, operator="Exists", effect="NoExecute")]), node(cordoned=True), CORDONED,
            id="tolerates-another-effect",
        ),
        pytest.param(pod(tolerations=[toleration(KEY)]), node(cordoned=True), None, id="equals-the-empty-value"),
        pytest.param(pod(tolerations=[toleration(KEY, "true")]), node(cordoned=True), CORDONED, id="another-value"),
        pytest.param(
            pod(tolerations=[toleration("other", operator="Exists"), toleration(operator="Exists")]),
            node(cordoned=True), None, id="tolerates-everything",
        ),
        pytest.param(
            pod(), node(taints=[f"{KEY}:NoSchedule"]), None, id="the-taint-alone-is-left-to-TaintToleration",
        ),
    ],
)  # fmt: skip
def test_filter(asking: Pod, asked: Node, verdict: Status | None) -> None:
    assert filter_verdict(NodeUnschedulable(Features()), asking, cluster([asked])) == verdict
