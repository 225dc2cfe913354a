"""Queues of Kueue that cannot take anything, and who stands in the way in them."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.records import Kind
from tests.queues.made import cluster_queue, local_queue, workload
from tests.queues.test_work import JOB, owned, waiting


def flavor(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ResourceFlavor", "metadata": {"name": name}, "spec": spec}


def test_flavors_that_do_not_exist() -> None:
    found = waiting(owned(workload()), local_queue(), cluster_queue(), flavor("ff"))[JOB]
    assert found.kind is Kind.QUEUE_MISCONFIGURED
    assert found.text.startswith("ClusterQueue cq is inactive: ResourceFlavor f, which it refers to, does not exist")
    assert found.fix == "create ResourceFlavor f, or correct the names of the flavors in ClusterQueue cq"
    assert waiting(owned(workload()), local_queue(), cluster_queue(), flavor("f"))[JOB].fix == ""
    assert waiting(owned(workload()), local_queue(), cluster_queue())[JOB].fix == ""


def test_a_queue_behind_that_does_not_exist() -> None:
    found = waiting(owned(workload()), local_queue(cluster_queue="cqs"), cluster_queue())[JOB]
    assert found.text == "ClusterQueue cqs, which LocalQueue q names, does not exist; did you mean cq?"
    assert waiting(owned(workload()), local_queue(cluster_queue="cqs"))[JOB].kind is Kind.QUEUE_NOT_EVALUATED


def test_the_head_of_a_queue_in_which_nobody_passes() -> None:
    big = owned(workload("big", "ExceedsMaxQuota", "too much", created="2026-11-02T07:00:00Z"), name="big")
    found = waiting(big, owned(workload()), local_queue(), cluster_queue(queueingStrategy="StrictFIFO"))
    assert found[JOB].text.startswith(
        "Job big is at the head of StrictFIFO queue cq and is not admitted, which blocks all behind it (too much)"
    )
    assert found[JOB].fix.startswith("let Job big ask for less or take it out of ClusterQueue cq")
    assert "asks for more than" in found["Job", "a", "big"].text
    assert "Job big" not in waiting(big, owned(workload()), local_queue(), cluster_queue())[JOB].text


@pytest.mark.parametrize(
    ("tolerations", "taint", "says"),
    [
        (
            [],
            {"key": "gpu", "value": "true", "effect": "NoSchedule"},
            "flavor f has the taint gpu=true:NoSchedule, which",
        ),
        ([], {"key": "gpu", "effect": "NoExecute"}, "flavor f has the taint gpu:NoExecute, which"),
        ([], {"key": "gpu", "effect": "PreferNoSchedule"}, "no flavor of ClusterQueue cq suits"),
        ([{"key": "gpu"}], {"key": "gpu", "effect": "NoSchedule"}, "no flavor of ClusterQueue cq suits"),
        ([{"operator": "Exists"}], {"key": "gpu", "effect": "NoSchedule"}, "no flavor of ClusterQueue cq suits"),
    ],
)
def test_flavors_that_do_not_take_its_pods(tolerations: list[Any], taint: dict[str, str], says: str) -> None:
    sets = [{"name": "main", "count": 1, "template": {"spec": {"tolerations": tolerations}}}]
    waits = owned(workload(reason="NoMatchingFlavor", podSets=sets))
    found = waiting(waits, local_queue(), cluster_queue(), flavor("f", nodeTaints=[taint]))[JOB]
    assert found.kind is Kind.QUEUE_NO_MATCHING_FLAVOR
    assert found.text.startswith(says)
    assert bool(found.fix) is ("which its pods" in found.text)


@pytest.mark.parametrize(
    ("labels", "fix"),
    [
        ({}, "label namespace a with kueue=on, or widen namespaceSelector of ClusterQueue cq"),
        ({"kueue": "off"}, "label namespace a with kueue=on, or widen namespaceSelector of ClusterQueue cq"),
        ({"kueue": "on"}, ""),
        (None, ""),
    ],
)
def test_namespaces_that_a_queue_does_not_take(labels: dict[str, str] | None, fix: str) -> None:
    choosy = cluster_queue(namespaceSelector={"matchLabels": {"kueue": "on"}})
    there = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": labels}}
    around = [there] if labels is not None else []
    found = waiting(owned(workload(message="selector")), local_queue(), choosy, *around)[JOB]
    assert found.fix == fix
    assert ("namespace a lacks" in found.text) is bool(fix)


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        pytest.param({"status": "False", "message": "no flavors"}, "no flavors", id="says why"),
        pytest.param({"status": "False"}, "", id="does not"),
        pytest.param({"status": "True", "message": "ready"}, None, id="is active"),
    ],
)
def test_queues_that_are_not_active(condition: dict[str, str], says: str | None) -> None:
    idle = cluster_queue()
    idle["status"]["conditions"] = [{"type": "Active", **condition}]
    found = waiting(owned(workload()), local_queue(), idle)[JOB]
    assert (found.kind is Kind.QUEUE_STOPPED) is (says is not None)
    assert found.text.endswith(says) if says else True


def test_a_workload_that_names_no_queue_that_was_read() -> None:
    """Where it is known which queue it is, that is named."""
    assert "its queue" in waiting(owned(workload(queueName="", reason="WaitingForQuota")))[JOB].text
    assert "LocalQueue q" in waiting(owned(workload(reason="WaitingForQuota")))[JOB].text
    assert (
        "ClusterQueue cq"
        in waiting(owned(workload(reason="WaitingForQuota")), local_queue(), cluster_queue())[JOB].text
    )
