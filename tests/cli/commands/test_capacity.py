from __future__ import annotations

import json

import pytest

from tests.cli.command import ROOT, kexplain

CASE = ROOT / "fixtures" / "capacity-of-a-mix"
WEB, IMPORT, CLUSTER = CASE / "web.yaml", CASE / "import.yaml", CASE / "cluster.yaml"


@pytest.mark.parametrize(
    ("limit", "code", "fits", "is_stopped"), [("2", 0, 2, False), ("6", 0, 6, False), ("7", 1, 6, True)]
)
def test_limit(limit: str, code: int, fits: int, is_stopped: bool) -> None:
    done = kexplain("capacity", WEB, "--cluster", CLUSTER, "--limit", limit, "-o", "json")
    assert done.returncode == code
    report = json.loads(done.stdout)
    (pod,) = report["pods"]
    assert report["kind"] == "CapacityReport"
    assert (pod["pod"], pod["fits"], pod["limit"]) == ("shop/web", fits, int(limit))
    assert (pod["stoppedBy"] is not None) is is_stopped
    assert sum(pod["byNode"].values()) == fits


def test_a_running_pod_stays_where_it_is() -> None:
    done = kexplain("capacity", "pod/db-0", "-n", "shop", "--cluster", CLUSTER, "-o", "json")
    assert done.returncode == 1
    (pod,) = json.loads(done.stdout)["pods"]
    assert pod["fits"] == 0
    assert "InterPodAffinity" in {cause["plugin"] for cause in pod["stoppedBy"]["causes"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--until-pending",), b"--until-pending needs pods"),
        ((WEB, IMPORT, "--until-pending", "--proportions", "3"), b"does not give a number for each of 2 pods"),
        ((WEB, "--until-pending", "--proportions", "x"), b"does not give a number"),
        ((WEB, "--limit", "0"), b"--limit"),
    ],
)
def test_what_is_wrong(words: tuple[object, ...], message: bytes) -> None:
    done = kexplain("capacity", *map(str, words), "--cluster", CLUSTER)
    assert done.returncode == 2
    assert message in done.stderr


def test_every_workload_as_rows() -> None:
    done = kexplain("capacity", "--cluster", CLUSTER, "-o", "csv")
    assert done.returncode == 1
    head, *rows = done.stdout.decode().splitlines()
    assert head == "pod,workload,running,fits,limit,node,fitsOnNode,message"
    assert rows[0].split(",")[1] == "shop/StatefulSet/db"
