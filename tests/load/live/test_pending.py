"""All that is pending, live and in a snapshot: which pods are chosen, and how they are told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn


def _pod(name: str, namespace: str = "shop", /, *, cpu: str = "9", node: str = "", **spec: Any) -> dict[str, Any]:
    container = {"name": "main", "image": "registry.example/x:v1", "resources": {"requests": {"cpu": cpu}}}
    where = {"nodeName": node} if node else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": name, "labels": {"app": name.rstrip("-0123456789")}},
        "spec": {"schedulerName": "default-scheduler", "containers": [container], **where, **spec},
        "status": {"phase": "Running" if node else "Pending"},
    }


def _hold(server: StandIn, *pods: dict[str, Any]) -> None:
    for pod in pods:
        server.hold("v1", "Pod", pod)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        pytest.param([], ["web", "batch-1", "batch-2", "lab-1"], id="all"),
        pytest.param(["-n", "lab"], ["lab-1"], id="of-a-namespace"),
        pytest.param(["-n", "lab", "-A"], ["web", "batch-1", "batch-2", "lab-1"], id="of-all-namespaces"),
        pytest.param(["-l", "app=batch"], ["batch-1", "batch-2"], id="by-label"),
        pytest.param(["-l", "app notin (batch),app"], ["web", "lab-1"], id="by-labels"),
        pytest.param(["--field-selector", "metadata.name!=web", "-n", "shop"], ["batch-1", "batch-2"], id="by-field"),
        pytest.param(["--field-selector", "status.phase=Pending", "-n", "lab"], ["lab-1"], id="by-phase"),
        pytest.param(["--field-selector", "status.phase=Running", "-n", "lab"], ["lab-2"], id="running-ones"),
    ],
)
def test_which_pods_are_explained(shell: Shell, server: StandIn, words: list[str], names: list[str]) -> None:
    _hold(
        server, _pod("batch-1"), _pod("batch-2"), _pod("lab-1", "lab"), _pod("lab-2", "lab", cpu="1", node="worker-1")
    )
    shell.kexplain("snapshot", "-o", "x.snapshot")
    for more in ([], ["--cluster", "x.snapshot"]):
        ended = shell.kexplain(*words, *more, "-o", "json")
        assert sorted(pod["pod"]["name"] for pod in json.loads(ended.out)["pods"]) == sorted(names)


def test_many_pods_of_two_sizes_take_two_rows(shell: Shell, server: StandIn) -> None:
    # Two sizes in turn, so that hardly any two neighbours are alike.
    _hold(server, *(_pod(f"batch-{number}", cpu=str(9 + number % 2)) for number in range(400)))
    ended = shell.kexplain("-n", "shop", "-l", "app=batch")
    assert ended.code == 1
    assert ended.out.count("\n") < 30
    assert "400 pods pending, for 2 reasons" in ended.out
    assert "9 cpu is more than" in ended.out
    assert "10 cpu is more than" in ended.out


def test_twelve_causes_fit_one_screen(shell: Shell, server: StandIn) -> None:
    for number in range(12):
        claim = [{"name": "data", "persistentVolumeClaim": {"claimName": f"gone-{number}"}}]
        _hold(server, *(_pod(f"batch-{number}-{each}", cpu="1", volumes=claim) for each in range(12 - number)))
    _hold(server, _pod("late", schedulingGates=[{"name": "example.com/quota"}]), _pod("mine", schedulerName="mine"))
    ended = shell.kexplain("--width", "80")
    lines = ended.out.splitlines()
    assert ended.code == 1
    # No more than two lines a cause, but for the longest.
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("✗ 81 pods pending, for 15 reasons")
    counted = [line.split()[0] for line in lines[1:] if line[2:4].strip().isdigit()]
    assert counted == [*map(str, range(12, 2, -1))]
    assert "claim shop/gone-0 does not exist" in ended.out
    assert "… and 5 more (--top 0 shows all)" in ended.out
    assert "→ wait: the scheduler would evict" in shell.kexplain("--top", "0").out
    assert "kexplain pod/" in ended.out
    full = shell.kexplain("-v", "--width", "80").out
    assert "WHAT WOULD HELP" in full
    assert full.count("\n") > 200


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["-n", "lab"], "✓ nothing is pending in namespace lab: the only pod has a node or has finished"),
        (["-l", "app=nobody"], "no pods found"),
    ],
    ids=["none-is-pending", "none-of-these"],
)
def test_nothing_pending_is_a_line_and_no_failure(shell: Shell, server: StandIn, words: list[str], line: str) -> None:
    _hold(server, _pod("lab-2", "lab", cpu="1", node="worker-1"))
    ended = shell.kexplain(*words)
    assert (ended.code, ended.out) == (0, f"{line}\n")
    report = json.loads(shell.kexplain(*words, "-o", "json").out)
    assert report["pods"] == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-l", "app in"], '--selector "app in": expected "(", found the end'),
        (["--field-selector", "spec.containers=x"], '--field-selector "spec.containers=x": "spec.containers" is not'),
        (["pod/web", "-l", "app=web"], "web is named already"),
    ],
    ids=["labels", "fields", "a-name-too"],
)
def test_selectors_that_mean_nothing(shell: Shell, words: list[str], problem: str) -> None:
    ended = shell.kexplain(*words)
    assert ended.code == 2
    assert problem in ended.err
