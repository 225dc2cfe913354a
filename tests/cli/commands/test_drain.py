from __future__ import annotations

import json

import pytest

from tests.cli.command import ROOT, kexplain

CLUSTER = ROOT / "fixtures" / "drain-one-by-one" / "cluster.yaml"
POOL = "cloud.google.com/gke-nodepool=general"


@pytest.mark.parametrize("words", [("general-1",), ("-l", "kubernetes.io/hostname=general-1")])
def test_nodes_by_name_and_by_labels(words: tuple[str, ...]) -> None:
    done = kexplain("drain", *words, "--cluster", CLUSTER, "-o", "json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["kind"], report["nodes"]) == ("DrainReport", ["general-1"])
    by_pod = {pod["pod"]: (pod["outcome"], pod["node"]) for pod in report["pods"]}
    assert by_pod["shop/web-6d4f-a"] == ("Scheduled", "general-3")
    assert by_pod["shop/db-0"] == ("Unschedulable", None)


@pytest.mark.parametrize(("words", "code"), [(("--one-by-one",), 1), (("--surge", "1"), 0), (("--surge", "3"), 0)])
def test_rolling_upgrades(words: tuple[str, ...], code: int) -> None:
    assert kexplain("drain", "-l", POOL, *words, "--cluster", CLUSTER, "-q").returncode == code


def test_which_of_all_nodes_could_be_drained() -> None:
    done = kexplain("drain", "--each", "--cluster", CLUSTER)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1
    assert lines[0].split("  ")[0].endswith("nodes could be drained now, each if the others stay")
    assert {"  COULD BE DRAINED", "  COULD NOT"} <= {*lines}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), b"name the nodes to drain"),
        (("general-1", "-l", POOL), b"name the nodes to drain"),
        (("general-11",), b"did you mean general-1?"),
        (("-l", "pool=none"), b"no node has the labels pool=none"),
        (("-l", "pool in"), b"--selector"),
        (("--each", "--one-by-one"), b"--each drains no node after another"),
    ],
)
def test_what_is_wrong(words: tuple[str, ...], message: bytes) -> None:
    done = kexplain("drain", *words, "--cluster", CLUSTER)
    assert done.returncode == 2
    assert message in done.stderr
