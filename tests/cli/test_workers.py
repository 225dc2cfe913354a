"""Each in a process of its own: one with threads, as that of the tests may be, is not to be copied."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = """
import os
from kexplain.cli.workers import cores, shared_out
from kexplain.errors import InputError, KexplainError, PluginError

def share(places):
    for place in places:
        fail(place)
        yield str(place).encode()

def fail(place):
    pass
"""


def said(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", PRELUDE + program], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("workers", [1, 2, 3, 9])
def test_parts_come_in_the_order_of_a_single_process(workers: int) -> None:
    assert said(f"print(*map(bytes.decode, shared_out(share, {workers}, 7)))") == "0 1 2 3 4 5 6\n"


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        pytest.param("raise PluginError('broken')", "PluginError: broken", id="a-bug-is-named"),
        pytest.param("raise InputError([])", "KexplainError: ", id="what-is-read-is-at-fault"),
        pytest.param("raise KeyError('what')", "RuntimeError: 'what'", id="any-other-too"),
        pytest.param("os._exit(3)", "KexplainError: a worker process died", id="one-that-died"),
    ],
)
def test_what_ends_a_worker_ends_the_work(fault: str, raised: str) -> None:
    program = f"""
def fail(place):
    if place == 3:
        {fault}

seen = []
try:
    for part in shared_out(share, 2, 7):
        seen.append(part.decode())
except Exception as error:
    print(*seen, f"{{type(error).__name__}}: {{error}}")
"""
    assert said(program) == f"0 1 2 {raised}\n"


def test_there_is_a_core() -> None:
    assert int(said("print(cores())")) >= 1


def dump(directory: Path, nodes: int, pods: int) -> Path:
    """A cluster of so many nodes, on which so many pods run."""
    path = directory / "cluster.json"
    allocatable = {"cpu": "8", "memory": "16Gi", "pods": "110"}
    containers = [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "50m"}}}]
    items: list[dict[str, object]] = [
        {"kind": "Node", "metadata": {"name": f"n{number}"}, "status": {"allocatable": allocatable}}
        for number in range(nodes)
    ]
    items += [
        {
            "kind": "Pod",
            "metadata": {"name": f"p{number}", "ownerReferences": [_owner(f"owner{number % 7}")]},
            "spec": {"nodeName": f"n{number % nodes}", "containers": containers},
        }
        for number in range(pods)
    ]
    path.write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1"} | i for i in items]})
    )
    return path


def _owner(name: str) -> dict[str, object]:
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": name, "controller": True}


def comparison(cluster: Path) -> list[str]:
    change = ["--to-kubernetes-version", "1.30", "--all-running"]
    return [sys.executable, "-m", "kexplain", "diff", "--cluster", str(cluster), *change, "-o", "json"]


def test_comparing_running_pods_says_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    compare = comparison(dump(tmp_path, 3, 151))
    reports = [
        subprocess.run([*compare, "--workers", workers], capture_output=True, check=False) for workers in ("1", "3")
    ]
    assert reports[0].stdout == reports[1].stdout
    names = [each["pod"]["name"] for each in json.loads(reports[0].stdout)["pods"]]
    assert names == [f"p{number}" for node in range(3) for number in range(node, 151, 3)]
    assert [(report.returncode, report.stderr) for report in reports] == [(reports[0].returncode, b"")] * 2


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_comparison_that_is_interrupted_says_what_is_known(tmp_path: Path, workers: str) -> None:
    """As in a terminal, where all processes of a group are interrupted at once."""
    terminal, stderr = pty.openpty()
    # What runs in the background may ignore interrupts.
    heeding = ["env", "--default-signal=INT"]
    command = [*heeding, *comparison(dump(tmp_path, 150, 4000)), "--workers", workers]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True)
    os.close(stderr)
    shown = b""
    while b" left" not in shown:
        shown += os.read(terminal, 4096)
    os.killpg(process.pid, signal.SIGINT)
    report = json.loads(process.communicate(timeout=300)[0])
    said = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    assert process.returncode == 130
    assert re.search(rb"placing \[#*\.*\] \d+ of 4000 running pods, \d+ (s|min) left", shown)
    known = len(report["pods"])
    assert 0 < known < 4000
    assert report["notes"] == [f"interrupted when {known} of 4000 running pods had been compared"]
    assert f"kexplain: note: interrupted when {known} of 4000" in said
