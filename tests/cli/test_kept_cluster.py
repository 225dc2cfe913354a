"""Files that are read once for many questions, and again when they have changed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kexplain.cli import EXIT_USAGE, agent_runs
from kexplain.cli.agents import questions
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.cli.kept_cluster import KeptCluster
from kexplain.cli.requests.mcp import Request

NODE = (
    "apiVersion: v1\nkind: Node\nmetadata: {name: worker-1, uid: u1}\n"
    "status: {allocatable: {cpu: '%d', memory: 8Gi, pods: '9'}}\n"
)
POD = (
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n"
    "spec: {containers: [{name: c, image: 'c:1', resources: {requests: {cpu: 2}}}]}\n"
)
FITS, FITS_NOT = 0, 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "nodes.yaml"
    file.write_text(NODE % 4)
    return file


@pytest.fixture
def kept(file: Path) -> Iterator[KeptCluster]:
    kept = KeptCluster([str(file)])
    yield kept
    kept.close()


def asked(kept: KeptCluster, file: Path, *, patience: int = 60) -> subprocess.CompletedProcess[bytes]:
    """What is said of a pod that asks for two CPUs, in the folder of the file."""
    return kept.run(["explain", f"--cluster={file}", "--", "-"], str(file.parent), POD, patience)


def test_a_run_answers_as_one_of_its_own_does(kept: KeptCluster, file: Path) -> None:
    alone = subprocess.run(
        ["kexplain", "explain", "--cluster", file, "-"], input=POD.encode(), capture_output=True, check=False
    )
    for _ in range(2):
        found = asked(kept, file)
        assert (found.returncode, found.stdout, found.stderr) == (FITS, alone.stdout, alone.stderr)


def test_what_is_in_a_file_is_read_once_and_again_when_it_has_changed(kept: KeptCluster, file: Path) -> None:
    assert asked(kept, file).returncode == FITS
    before = file.stat()
    file.write_text(NODE % 1)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert asked(kept, file).returncode == FITS
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert asked(kept, file).returncode == FITS_NOT


def test_a_run_that_takes_too_long_is_given_up(kept: KeptCluster, file: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        asked(kept, file, patience=0)


def test_a_directory_is_read_again_when_something_in_it_has_changed(file: Path) -> None:
    kept = KeptCluster([str(file.parent)])
    assert asked(kept, file.parent).returncode == FITS
    process = kept._process
    assert asked(kept, file.parent).returncode == FITS
    assert kept._process is process
    file.write_text(NODE % 1)
    (file.parent / "more.yaml").write_text(NODE.replace("worker-1", "worker-2") % 1)
    assert asked(kept, file.parent).returncode == FITS_NOT
    assert kept._process is not process
    kept.close()


def test_what_is_not_kept(file: Path) -> None:
    """Kustomizations are built of files that may stand anywhere."""
    (file.parent / "kustomization.yaml").write_text("resources: [nodes.yaml]\n")
    with pytest.raises(OSError, match="is no file that can be kept"):
        asked(KeptCluster([str(file.parent)]), file)
    with pytest.raises(FileNotFoundError):
        asked(KeptCluster([f"{file}.gone"]), file)


def test_a_run_says_itself_why_the_cluster_cannot_be_read(kept: KeptCluster, file: Path) -> None:
    file.write_text("{")
    found = asked(kept, file)
    assert found.returncode == EXIT_USAGE
    assert b"nodes.yaml" in found.stderr


def test_questions_of_agents_share_what_was_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[KeptCluster] = []

    def kept_cluster(files: Sequence[str]) -> KeptCluster:
        made.append(KeptCluster(files))
        return made[-1]

    monkeypatch.setattr(agent_runs, "KeptCluster", kept_cluster)
    asked_of = questions(
        Request(cluster=ClusterFlags(cluster=[str(file)]), scheduler=CycleFlags(), connection=ConnectionFlags())
    )
    (kept,) = made
    assert "shop/web" in asked_of["explain"](manifest=POD)
    process = kept._process
    assert process is not None
    assert "nothing found" in asked_of["lint"](manifest=POD)
    assert kept._process is process
    kept.close()
