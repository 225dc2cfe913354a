"""What a pod that has a node tells of itself."""

from __future__ import annotations

import pytest

from kexplain.bound.pod_on_node import KUBELET, of_pod, short_reason
from kexplain.diagnosis.findings.statement import told
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


LONG = "x" * 80


@pytest.mark.parametrize(
    ("text", "short"),
    [
        pytest.param("no such disk", "no such disk", id="short"),
        pytest.param("rpc error: code = Internal desc = no such disk", "no such disk", id="of-a-driver"),
        pytest.param(f"{LONG} {LONG}: {LONG} {LONG}: no such disk", "no such disk", id="the-end-of-what-is-long"),
        pytest.param(f"{LONG}: no such disk", f"{LONG}: no such disk", id="not-too-long"),
        pytest.param(f"{LONG} {LONG}: EOF", f"{LONG} …", id="an-end-that-says-nothing"),
    ],
)
def test_reasons_in_a_sentence_are_short(text: str, short: str) -> None:
    assert short_reason(text) == short
