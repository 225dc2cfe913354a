"""With a real scheduler and two worker processes of Dask on this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .command import ROOT, kexplain

pytestmark = pytest.mark.slow


@contextmanager
def dask_cluster(directory: Path, environments: Sequence[dict[str, str]] = ({}, {})) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler with a worker for each environment, and the workers' processes."""
    own = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}
    file = directory / "scheduler.json"
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard", "--no-nanny", "--nthreads", "1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": directory}
    where = ["--scheduler-file", str(file)]
    started = [subprocess.Popen([*scheduler, *where], env=own, **quiet)]  # type: ignore[call-overload]
    try:
        _wait_for(file.exists)
        for each in environments:
            one = subprocess.Popen([*worker, *where], env={**own, **each}, **quiet)  # type: ignore[call-overload]
            started.append(one)
        address = json.loads(file.read_text())["address"]
        _wait_for(lambda: _workers(address) == len(environments))
        yield address, [each.pid for each in started[1:]]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _client(address: str) -> Any:
    """Imported where it is needed: runs of other tests collect these as well."""
    from distributed import Client  # noqa: PLC0415

    return Client(address, set_as_default=False)


def _workers(address: str) -> int:
    with _client(address) as client:
        return len(client.scheduler_info(n_workers=-1)["workers"])


def _wait_for(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def dump(directory: Path, pods: int) -> Path:
    """A cluster of three nodes on which so many pods run."""
    path = directory / "cluster.json"
    allocatable = {"cpu": "64", "memory": "64Gi", "pods": "500"}
    nodes = [{"kind": "Node", "metadata": {"name": f"n{n}"}, "status": {"allocatable": allocatable}} for n in range(3)]
    containers = [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "50m"}}}]
    running = [
        {"kind": "Pod", "metadata": {"name": f"p{n}"}, "spec": {"nodeName": f"n{n % 3}", "containers": containers}}
        for n in range(pods)
    ]
    items = [{"apiVersion": "v1"} | each for each in (*nodes, *running)]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return path


def test_the_report_is_byte_for_byte_that_of_one_process_and_a_worker_may_die(tmp_path: Path) -> None:
    words = ["diff", "--cluster", str(dump(tmp_path, 1200)), "--all-running", "--to-kubernetes-version", "1.30"]
    alone = kexplain(*words, "-o", "json", "--workers", "1")
    with dask_cluster(tmp_path) as (address, workers):
        command = [sys.executable, "-m", "kexplain", *words, "-o", "json", "--dask", address]
        shared = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        with _client(address) as client:
            running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
            # Whether each worker has a chunk.
            _wait_for(lambda: all(client.processing().values()))
            os.kill(workers[0], signal.SIGKILL)
        bereft, _ = running.communicate(timeout=120)
        assert _workers(address) == 1
    assert (shared.stdout, shared.stderr) == (alone.stdout, alone.stderr)
    assert bereft == alone.stdout
    assert len(json.loads(bereft)["pods"]) == 1200


def test_workers_of_another_release_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("import kexplain\nkexplain.__version__ = '0.0.1'\n")
    words = ["capacity", "--cluster", str(dump(tmp_path, 9))]
    with dask_cluster(tmp_path, [{"PYTHONPATH": f"{other}:{ROOT}"}]) as (address, _):
        refused = kexplain(*words, "--dask", address)
    assert refused.returncode == 2
    assert b"has kexplain 0.0.1 with Python" in refused.stderr
    assert b"hint: install the same kexplain and the same Python on all machines" in refused.stderr


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
    refused = kexplain("capacity", "--cluster", str(dump(tmp_path, 9)), "--dask", address)
    assert refused.returncode == 2
    assert f"no Dask scheduler answers at {address}".encode() in refused.stderr
