"""What of a scheduler's message may leave a cluster."""

from __future__ import annotations

import pytest

from kexplain.load.snapshot.message_redaction import redacted_message
from kexplain.load.snapshot.new_names import Names


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
    assert redacted_message(Names(), message) == message


@pytest.mark.parametrize(
    ("message", "left"),
    [
        pytest.param(
            "0/2 nodes are available: 2 node(s) had untolerated taint {team: secret}.",
            "0/2 nodes are available: 2 node(s) had untolerated taint {key-1: name-1}.",
            id="a-taint",
        ),
        pytest.param(
            '0/2 nodes are available: persistentvolumeclaim "secret" not found. preemption: 0/2 nodes are available.',
            '0/2 nodes are available: persistentvolumeclaim "name-1" not found. preemption: 0/2 nodes are available.',
            id="a-claim",
        ),
        pytest.param(
            "0/2 nodes are available: 2 Insufficient deviceclass.resource.kubernetes.io/secret.",
            "0/2 nodes are available: 2 Insufficient deviceclass.resource.kubernetes.io/name-1.",
            id="a-device-class",
        ),
        pytest.param(
            'running PreFilter plugin "DynamicResources": could not find ResourceClaim "secret"',
            'running PreFilter plugin "DynamicResources": could not find ResourceClaim "name-1"',
            id="a-cause",
        ),
        pytest.param('running PreFilter plugin "secret": secret, secret', "redacted", id="a-plugin-of-somebody"),
        pytest.param(
            'running PreFilter plugin "DynamicResources": secret, secret', "redacted", id="a-cause-that-is-not-known"
        ),
        pytest.param(
            "0/3 nodes are available: 1 secret taint, 2 Insufficient cpu. preemption: secret.",
            "0/3 nodes are available: 1 redacted, 2 Insufficient cpu. preemption: redacted.",
            id="parts-that-are-not-known",
        ),
        pytest.param(
            "0/3 nodes are available: 3 Insufficient secret thing.",
            "0/3 nodes are available: 3 redacted.",
            id="no-resource",
        ),
        pytest.param(
            'Failed to schedule pod, incompatible with nodepool "secret", no instance type satisfied resources',
            "redacted",
            id="another-component",
        ),
        pytest.param("secret", "redacted", id="a-word"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_all_else_is_replaced(message: str, left: str) -> None:
    names = Names()
    redacted_message(names, message)
    names.choose([])
    assert redacted_message(names, message) == left
    assert "secret" not in left
