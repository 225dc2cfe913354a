"""One cluster, read in every way there is: the report is the same."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kexplain.load.live.api_resources import EVENTS, SCHEDULING
from tests.cli.command import ROOT
from tests.load.live.cluster import CREATED, objects, pending
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn
from tests.sampling import some

pytestmark = pytest.mark.slow

_CASES = ROOT / "tests" / "incidents" / "cases"
DUMP, SNAPSHOT = ["--cluster", "dump.json"], ["--cluster", "x.snapshot"]
#: A list that is whole says that a class does not exist; and snapshots have no workloads of other projects.
_OTHERWISE = ("runtime-class-not-found", "gang-that-counts-a-launcher-not-made-yet")
_INCIDENTS = sorted(path for path in _CASES.glob("*.json.gz") if path.name.partition(".")[0] not in _OTHERWISE)
_KINDS = ",".join(resource.qualified for resource in (*SCHEDULING, EVENTS[0]))


def _without_source(text: str) -> str:
    """A report without where the cluster is, which its commands say again, and what a dump may lack, in one line."""
    lines = (line for line in text.splitlines() if not line.startswith("  ! the input has no "))
    return re.sub(r" --(cluster|kubeconfig) \S+", "", " ".join(" ".join(lines).split()))


def _report(shell: Shell, *words: str | Path) -> str:
    """The JSON report, but for where pods were read from."""
    ended = shell.kexplain(*words, "-o", "json")
    assert ended.out, ended.err
    report = json.loads(ended.out)
    for pod in report["pods"]:
        pod["pod"] = {name: value for name, value in pod["pod"].items() if name not in ("source", "line")}
    return json.dumps(report, indent=1)


@pytest.fixture
def server() -> Iterator[StandIn]:
    """With TLS, as kubectl sends its token nowhere else."""
    with StandIn(objects()) as stand_in:
        yield stand_in


@pytest.fixture
def dump(shell: Shell) -> Path:
    """What kubectl prints of the stand-in, or where there is no kubectl, what it would print."""
    path = shell.directory / "dump.json"
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}))
        return path
    done = subprocess.run(
        [kubectl, "get", _KINDS, "-A", "-o", "json"],
        env={**os.environ, "HOME": str(shell.directory)},
        capture_output=True,
        timeout=60,
        check=True,
    )
    path.write_bytes(done.stdout)
    return path


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["pod/web", "-n", "shop"], id="pending"),
        pytest.param(["pod/api-0000", "-n", "shop", "--node", "worker-3"], id="running"),
        pytest.param(["deploy/api", "-n", "shop"], id="workload"),
        pytest.param(["new.json"], id="new"),
        pytest.param([], id="everything-pending"),
    ],
)
def test_live_snapshot_and_dump_give_the_same_report(shell: Shell, dump: Path, words: list[str]) -> None:
    (shell.directory / "new.json").write_text(json.dumps(pending()))
    words = [*words, "-v", "--all-failures"]
    shell.kexplain("snapshot", "-o", "x.snapshot", "-q")
    live = _report(shell, *words)
    assert _report(shell, *words, "--cluster", "x.snapshot") == live
    assert _report(shell, *words, "--cluster", dump) == live


def test_reading_in_chunks_gives_the_same_report(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _report(shell, "pod/web", "-n", "shop")
    monkeypatch.setattr("kexplain.load.live.chunked_list.CHUNK", 1)
    assert _report(shell, "pod/web", "-n", "shop", "--kubeconfig", shell.kubeconfig("other")) == whole


def test_what_could_not_be_read_is_told_of_a_snapshot_too(shell: Shell, server: StandIn) -> None:
    server.withdraw("policy")
    live = shell.kexplain("pod/web", "-n", "shop")
    shell.kexplain("snapshot", "-o", "x.snapshot")
    assert shell.kexplain("pod/web", "-n", "shop", "--cluster", "x.snapshot") == live
    assert "which budgets preemption would violate could not be considered" in live.err


def test_who_makes_pods_that_are_to_make_way_is_known_in_every_way(shell: Shell) -> None:
    cluster = [each for each in objects(pods=8) if each["kind"] != "PodDisruptionBudget"]
    for each in cluster:
        if each["kind"] in ("Deployment", "ReplicaSet"):
            each["spec"]["replicas"] = 8
    web = pending()
    web["metadata"] |= {"namespace": "shop", "uid": "new", "creationTimestamp": CREATED}
    web["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1500m"
    cluster.append(web)
    (shell.directory / "dump.json").write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": cluster}, sort_keys=True)
    )
    words = ["pod/new", "-n", "shop", "--all-remedies"]
    with StandIn(cluster) as other:
        live = _report(shell, *words, "--kubeconfig", shell.kubeconfig("other", cluster={"server": other.address}))
    assert "scale deployment shop/api to 7" in live
    assert _report(shell, *words, "--cluster", "dump.json") == live


@pytest.mark.parametrize("incident", [*some(_INCIDENTS, 20)], ids=lambda path: path.name.partition(".")[0])
def test_what_lies_around_is_seen_in_every_way(shell: Shell, incident: Path) -> None:
    """What others have said and written, too."""
    content = json.loads(gzip.decompress(incident.read_bytes()))
    dump = {"apiVersion": "v1", "kind": "List", "items": content["objects"]}
    (shell.directory / "dump.json").write_text(json.dumps(dump, sort_keys=True))
    with StandIn(content["objects"], tls=False) as other:
        # Its release is that of its nodes, as far as the dump tells.
        other.version = other.minor = ""
        there: list[str | Path] = ["--kubeconfig", shell.kubeconfig("other", cluster={"server": other.address})]
        shell.kexplain("snapshot", *there, "-o", "x.snapshot")
        for words in (content["truth"]["target"], list[str]()):
            said = {_without_source(shell.kexplain(*words, *each).out) for each in (there, DUMP, SNAPSHOT)}
            assert len(said) == 1, said
