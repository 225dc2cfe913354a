"""What is said of two workloads that mount one claim."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.lint.linting import linted


def _pod(name: str, level: str, **further: Any) -> dict[str, Any]:
    asked = {"namespace": "shop", "claim": "data", "policy": "MountOption", **further}
    context = {"seLinuxOptions": {"level": level}, "seLinuxChangePolicy": asked["policy"]}
    volume = {"name": "v", "persistentVolumeClaim": {"claimName": asked["claim"]}}
    spec = {"containers": [{"name": "c", "image": "i:1"}], "securityContext": context, "volumes": [volume]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": asked["namespace"]},
        "spec": spec,
    }


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (_pod("a", "s0:c1"), _pod("b", "s0:c2"), ["a", "b"]),
        (_pod("a", "s0:c1"), _pod("b", "s0:c1"), []),
        (_pod("a", "s0:c1"), _pod("b", "s0:c2", claim="other"), []),
        (_pod("a", "s0:c1"), _pod("b", "s0:c2", namespace="elsewhere"), []),
        (_pod("a", "s0:c1"), _pod("b", ""), []),
        (_pod("a", "s0:c1"), _pod("b", "s0:c2", policy="Recursive"), ["a"]),
        (_pod("a", "s0:c1", policy="Recursive"), _pod("b", "s0:c2", policy="Recursive"), []),
    ],
)
def test_a_volume_has_one_label(one: dict[str, Any], other: dict[str, Any], told: list[str]) -> None:
    report = linted("\n---\n".join(map(json.dumps, (one, other))))
    found = [each for each in report.findings if each.rule == "volume-with-two-labels"]
    assert [each.object.rpartition("/")[2] for each in found] == told
    assert all("another label of SELinux: s0:c" in each.message for each in found)
