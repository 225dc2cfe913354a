"""What a whole report says of a pod that is held back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.command import ROOT, kexplain

FIXTURES = ROOT / "fixtures"


def _pod(name: str, *words: str) -> dict[str, Any]:
    case = FIXTURES / name
    report = json.loads(kexplain(*words, "--cluster", case / "cluster.yaml", "-o", "json").stdout)
    pods: list[dict[str, Any]] = report["pods"]
    return pods[0]


@pytest.mark.parametrize(
    ("case", "words", "kind"),
    [
        ("queue-kueue-waits-for-quota", ["pod/train-0", "-n", "blue"], "queue-waiting-for-quota"),
        ("queue-volcano-group", ["pod/worker-0", "-n", "red"], "queue-waiting-for-quota"),
    ],
)
def test_what_the_scheduler_would_say_then(case: str, words: list[str], kind: str) -> None:
    pod = _pod(case, *words)
    assert pod["held"]["kind"] == kind
    assert pod["onceAdmitted"] == {"nodes": ["n1"], "fits": 1}
    assert pod["outcome"] in ("Gated", "NoProfile")


def test_a_pod_that_would_not_fit_either() -> None:
    then = _pod("queue-kai-over-limit", "pod/notebook", "-n", "green")["onceAdmitted"]
    assert "Insufficient cpu" in then["message"]
    assert "nodes" not in then


def test_a_suspended_job_does_not_land() -> None:
    case = FIXTURES / "queue-kueue-suspended-job"
    done = kexplain(case / "job.yaml", "--cluster", FIXTURES / "tie-between-nodes", cwd=case)
    assert b"lands on" not in done.stdout
    assert b"suspended" in done.stdout
    assert b"once it is started, it would fit" in done.stdout


@pytest.mark.parametrize(
    ("status", "is_said"),
    [
        ({"phase": "Pending"}, True),
        ({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False"}]}, False),
    ],
)
def test_a_pod_that_nobody_has_tried(status: dict[str, Any], is_said: bool) -> None:
    metadata = {"name": "web", "namespace": "a", "uid": "u", "creationTimestamp": "2026-11-02T08:00:00Z"}
    spec = {"schedulerName": "default-scheduler", "containers": [{"name": "c", "image": "c:1"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "9"}}}
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": [node, pod]}).encode()
    done = kexplain("pod/web", "-n", "a", "--cluster", "-", "-o", "json", stdin=dump)
    (said,) = json.loads(done.stdout)["pods"]
    assert ((said["held"] or {}).get("kind") == "not-tried") is is_said
    assert (done.returncode, said["outcome"]) == (int(is_said), "Scheduled")
    if is_said:
        assert said["diagnosis"]["kind"] == "not-tried"
        assert said["onceAdmitted"]["nodes"] == ["n1"]
        assert [each["action"] for each in said["remedies"]] == ["check-controller"]


def test_what_helps_is_a_remedy_like_any_other() -> None:
    pod = _pod("queue-kueue-waits-for-quota", "pod/train-0", "-n", "blue")
    assert [each["action"] for each in pod["remedies"]][:2] == ["wait", "change-queue"]
    assert pod["held"]["helps"] == [each["text"] for each in pod["remedies"]]
