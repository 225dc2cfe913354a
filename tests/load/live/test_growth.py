"""Capacity, drains and changes of a live cluster: only lists are asked for, and the answer is that on its snapshot."""

from __future__ import annotations

import json

import pytest

from tests.load.live.cluster import pending
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn

QUESTIONS = [
    pytest.param(["capacity", "new.json", "-n", "shop"], 1, id="capacity"),
    pytest.param(["capacity", "deploy/api", "-n", "shop"], 0, id="capacity-of-a-workload"),
    pytest.param(["capacity"], 0, id="headroom"),
    pytest.param(["drain", "worker-2", "--force", "--delete-emptydir-data"], 1, id="drain"),
    pytest.param(["drain", "-l", "team=blue", "--one-by-one", "--force"], 1, id="rolling"),
    pytest.param(["what-if", "--cordon", "worker-1", "--uncordon", "worker-2"], 0, id="cordon"),
    pytest.param(["what-if", "--add-node", "2=like:worker-1", "--scale", "deploy/api=5", "-n", "shop"], 0, id="grow"),
    pytest.param(["what-if", "--remove-node", "worker-1"], 0, id="shrink"),
]


@pytest.fixture(autouse=True)
def manifest(shell: Shell) -> None:
    (shell.directory / "new.json").write_text(json.dumps(pending()))


@pytest.mark.parametrize(("words", "code"), QUESTIONS)
def test_a_live_cluster_and_its_snapshot_are_answered_alike(
    shell: Shell, server: StandIn, words: list[str], code: int
) -> None:
    live = shell.kexplain(*words, "-o", "json")
    assert live.code == code, live.err
    assert {line.partition(" ")[0] for line in server.lines()} == {"GET"}
    shell.kexplain("snapshot", "-o", "x.snapshot")
    kept = shell.kexplain(*words, "--cluster", "x.snapshot", "-o", "json")
    assert (kept.code, kept.out) == (live.code, live.out.replace(server.address, "x.snapshot"))


def test_headroom_is_that_of_every_workload_that_runs(shell: Shell) -> None:
    report = json.loads(shell.kexplain("capacity", "-o", "json").out)
    (api,) = (each for each in report["pods"] if each["workload"].endswith("/api"))
    assert api["workload"] == "shop/Deployment/api"
    assert (api["running"], api["fits"]) == (3, sum(api["byNode"].values()))
    assert "Insufficient cpu" in api["stoppedBy"]["message"]
    assert {room["resource"] for room in report["room"]} >= {"cpu", "memory"}


def test_a_drain_says_where_the_pods_go(shell: Shell) -> None:
    """The pod that waits makes room on worker-1 first, and what it evicts is on worker-2 by then."""
    blocked = json.loads(shell.kexplain("drain", "worker-2", "-o", "json").out)
    assert {pod["outcome"] for pod in blocked["pods"]} == {"Blocked", "Unschedulable"}
    words = ["drain", "worker-2", "--disable-eviction", "--surge", "1"]
    report = json.loads(shell.kexplain(*words, "-o", "json").out)
    assert [(pod["outcome"], pod["node"]) for pod in report["pods"]] == [("Scheduled", "worker-2-new-1")] * 2


def test_what_is_pending_fits_on_a_larger_node(shell: Shell) -> None:
    words = ["--set", "node/worker-1", 'status.allocatable.cpu="64"']
    ended = shell.kexplain("what-if", *words, "-o", "json")
    (web,) = json.loads(ended.out)["pods"]
    assert (ended.code, web["pod"], web["effect"]) == (0, "shop/web", "FitsNow")


@pytest.mark.parametrize(
    "words", [["drain", "worker-9"], ["what-if", "--cordon", "worker-9"]], ids=["drain", "what-if"]
)
def test_a_node_that_is_not_there_gets_those_that_are_near(shell: Shell, words: list[str]) -> None:
    ended = shell.kexplain(*words)
    assert (ended.code, ended.out) == (2, "")
    assert "did you mean worker-" in ended.err


@pytest.mark.parametrize("redact", [[], ["--redact"]], ids=["as-it-is", "redacted"])
def test_node_pools_are_read_and_kept(shell: Shell, server: StandIn, redact: list[str]) -> None:
    requirement = {"key": "team", "operator": "In", "values": ["green"]}
    pool = {
        "metadata": {"name": "green"},
        "spec": {"template": {"spec": {"requirements": [requirement]}}, "limits": {"cpu": "1"}},
        "status": {"resources": {"cpu": "1"}},
    }
    server.hold("karpenter.sh/v1", "NodePool", pool)
    shell.kexplain("snapshot", "-o", "x.snapshot", *redact)
    for more in ([], ["--cluster", "x.snapshot"]):
        pods = [] if redact else ["pod/web", "-n", "shop"]
        (web,) = json.loads(shell.kexplain(*pods, *more, "-o", "json").out)["pods"]
        (new,) = web["newNodes"]
        assert (new["nodes"], new["fits"]) == (0, None)
        limit, requirements = new["nodePool"]
        assert limit == {"kind": "Limit", "text": "limit reached: cpu 1 of 1 used"}
        assert requirements["kind"] == "Requirements"
