"""What of a scheduler's message may leave a cluster."""

from __future__ import annotations

import pytest

from kexplain.load.snapshot.message_redaction import redacted_message


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(
            "0/5 nodes are available: 2 Insufficient cpu, 3 Insufficient nvidia.com/gpu. no new claims to deallocate, "
            "preemption: 0/5 nodes are available: 5 No preemption victims found for incoming pod.",
            id="resources",
        ),
        pytest.param(
            "0/3 nodes are available: 1 Too many pods, 2 node(s) had untolerated taint(s). preemption: 0/3 nodes are "
            "available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
            id="taints",
        ),
        pytest.param(
            "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: not eligible due "
            "to preemptionPolicy=Never.",
            id="claims",
        ),
    ],
)
def test_upstreams_own_words_stay(message: str) -> None:
    assert redacted_message(message) == message


@pytest.mark.parametrize(
    ("message", "left"),
    [
        pytest.param(
            "0/2 nodes are available: 2 node(s) had untolerated taint {team: secret}.",
            "0/2 nodes are available: 2 redacted: redacted.",
            id="a-taint",
        ),
        pytest.param(
            '0/2 nodes are available: persistentvolumeclaim "secret" not found. preemption: 0/2 nodes are available.',
            "0/2 nodes are available: redacted. preemption: 0/2 nodes are available.",
            id="a-claim",
        ),
        pytest.param(
            "0/2 nodes are available: 2 Insufficient deviceclass.resource.kubernetes.io/secret.",
            "0/2 nodes are available: 2 redacted.",
            id="a-device-class",
        ),
        pytest.param(
            'running PreFilter plugin "secret": secret, secret', "redacted: redacted, redacted", id="an-error"
        ),
        pytest.param("secret", "redacted", id="a-word"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_all_else_is_replaced(message: str, left: str) -> None:
    assert redacted_message(message) == left
    assert "secret" not in left
