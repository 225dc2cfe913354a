"""Each in a process of its own: one with threads, as that of the tests may be, is not to be copied."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = """
import os
from kexplain.cli.workers import cores, shared_out
from kexplain.errors import KexplainError, PluginError

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
        pytest.param("raise KeyError('what')", "RuntimeError: 'what'", id="any-other-too"),
        pytest.param("os._exit(3)", "KexplainError: a worker process has gone", id="one-that-has-gone"),
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


def test_comparing_running_pods_says_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    dump = tmp_path / "cluster.json"
    allocatable = {"cpu": "8", "memory": "16Gi", "pods": "110"}
    nodes = [
        {"kind": "Node", "metadata": {"name": f"n{number}"}, "status": {"allocatable": allocatable}}
        for number in range(3)
    ]
    containers = [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "50m"}}}]
    pods = [
        {
            "kind": "Pod",
            "metadata": {"name": f"p{number}"},
            "spec": {"nodeName": f"n{number % 3}", "containers": containers},
        }
        for number in range(151)
    ]
    items = [{"apiVersion": "v1"} | each for each in (*nodes, *pods)]
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    compare = ["diff", "--cluster", str(dump), "--all-running", "--to-kubernetes-version", "1.30", "-o", "json"]
    reports = [
        subprocess.run(
            [sys.executable, "-m", "kexplain", *compare, "--workers", workers], capture_output=True, check=False
        )
        for workers in ("1", "3")
    ]
    assert reports[0].stdout == reports[1].stdout
    assert len(json.loads(reports[0].stdout)["pods"]) == len(pods)
    assert [(report.returncode, report.stderr) for report in reports] == [(reports[0].returncode, b"")] * 2
