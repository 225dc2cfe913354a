"""`kexplain pack` through the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.command import kexplain
from tests.scenarios import FIXTURES

CLUSTER = str(FIXTURES / "drain-a-node" / "cluster.yaml")


def test_only_these_nodes_may_go() -> None:
    done = kexplain("pack", "batch-1", "--cluster", CLUSTER, "-o", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["emptied"], report["untried"]) == (0, ["batch-1"], 0)


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "html", "json", "yaml"])
def test_every_format(form: str) -> None:
    done = kexplain("pack", "--cluster", CLUSTER, "-o", form)
    assert done.returncode == 0
    assert b"general-2" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--keep", "2"], '"2" is no headroom to keep'),
        (["--keep", "120%"], '"120%" is no headroom to keep'),
        (["nowhere"], "there is no node nowhere in the cluster"),
        (["-l", "pool in"], "--selector"),
        (["-l", "pool=none"], "no node has the labels pool=none"),
    ],
    ids=["a number", "too much", "unknown", "no selector", "selects none"],
)
def test_what_cannot_be_asked(words: list[str], said: str) -> None:
    done = kexplain("pack", *words, "--cluster", CLUSTER)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_nothing_can_go() -> None:
    done = kexplain("pack", "batch-2", "--keep", "90%", "--cluster", CLUSTER)
    assert done.returncode == 1
    assert b"none of 5 nodes can go, keeping 90%" in done.stdout


def test_the_plan_is_commands_with_the_flags_that_are_asked_for() -> None:
    done = kexplain("pack", "general-3", "--force", "--delete-emptydir-data", "--cluster", CLUSTER, "-o", "json")
    assert json.loads(done.stdout)["commands"] == [
        "kubectl cordon general-3",
        "kubectl drain general-3 --ignore-daemonsets --force --delete-emptydir-data",
    ]
