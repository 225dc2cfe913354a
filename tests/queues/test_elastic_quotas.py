"""ElasticQuotas: what the pod would exceed, by what is written."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.records import Kind
from tests.factories import pod
from tests.queues.made import held


def _quota(used: str, most: str, name: str = "eq", namespace: str = "a") -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.sigs.k8s.io/v1alpha1",
        "kind": "ElasticQuota",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"max": {"cpu": most}},
        "status": {"used": {"cpu": used}},
    }


@pytest.mark.parametrize(("used", "exceeds"), [("7", True), ("6", False), ("odd", False)])
def test_the_quota_of_the_namespace(used: str, exceeds: bool) -> None:
    found = held(pod("p", namespace="a", cpu="2"), _quota(used, "8"), _quota("8", "8", namespace="b"))
    assert (found is not None) is exceeds
    if found is not None:
        assert found.kind is Kind.QUEUE_WAITING_FOR_QUOTA
        assert f"cpu: {used} of 8 used" in found.text


def test_the_quota_that_a_label_names() -> None:
    labelled = pod("p", namespace="a", labels={"quota.scheduling.koordinator.sh/name": "team"}, cpu="2")
    found = held(labelled, _quota("8", "8"), _quota("8", "8", "team", "elsewhere"))
    assert found is not None
    assert (found.by, found.queue) == ("Koordinator", "team")
