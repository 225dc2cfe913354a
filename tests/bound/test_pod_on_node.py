"""What a pod that has a node tells of itself."""

from __future__ import annotations

from kexplain.bound.pod_on_node import KUBELET, of_pod
from kexplain.diagnosis.findings.holds import told
from kexplain.diagnosis.records import Kind
from tests.bound.made import made


def test_a_pod_is_described_unless_something_else_tells_more() -> None:
    pod = made({})
    said = told("sandbox-failed")
    found = of_pod(pod, Kind.EVICTED, KUBELET, said, None, None).hold
    assert found is not None
    assert (found.object, found.node, found.reason, found.message) == ("Pod a/web", "n1", "", "")
    assert found.command == "kubectl describe pod web -n a"
    more = of_pod(pod, Kind.EVICTED, KUBELET, said, "Evicted", "words", since="t", step="kubectl get nodes").hold

    assert (more.command, more.reason, more.message, more.since) == ("kubectl get nodes", "Evicted", "words", "t")
