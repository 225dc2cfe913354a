"""`kexplain replay` through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import kexplain
from tests.load.texts import write
from tests.scenarios import FIXTURES

PLACE = FIXTURES / "replay-of-configurations"
TRACE, NODES = str(PLACE / "pods.csv"), str(PLACE / "nodes.csv")


def _played(*words: str, code: int = 0) -> dict[str, Any]:
    done = kexplain("replay", TRACE, "--nodes", NODES, *words, "-o", "json")
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_runs_by_configuration_and_seed() -> None:
    words = ("--config", "default", "--config", f"tight={PLACE / 'packed.yaml'}", "--seeds", "3")
    found = _played(*words)
    assert [(run["configuration"], run["seed"]) for run in found["runs"]] == [
        (name, seed) for name in ("default", "tight") for seed in range(3)
    ]
    assert (found["pods"], found["nodes"], found["sharedGpus"], found["measured"]) == (7, 3, 1, "nvidia.com/gpu")
    assert found == _played(*words, "--workers", "1")
    # The others have their pods in another order.
    assert found["runs"][0]["samples"] != found["runs"][1]["samples"]


def test_who_takes_a_share_does_not_show() -> None:
    one, two = (
        kexplain("replay", TRACE, "--nodes", NODES, "--seeds", "2", "--workers", number, "-o", "csv") for number in "12"
    )
    assert one.stdout == two.stdout


def test_pods_arrive_faster() -> None:
    found = _played("--faster", "10")
    assert (found["firstArrival"], found["lastArrival"]) == (0, 720)


def test_what_never_runs_is_exit_1(tmp_path: Path) -> None:
    nodes = write(tmp_path / "nodes.csv", "name,cpu,memory,gpu\nn1,4,8Gi,1\n")
    done = kexplain("replay", TRACE, "--nodes", nodes)
    assert done.returncode == 1
    assert b"never ran" in done.stdout


def test_the_page_has_curves_and_asks_for_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = kexplain("replay", TRACE, "--nodes", NODES, "-o", f"html={page}")
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.count("<polyline") == 6
    assert "http://" not in text.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "nothing to replay"),
        (
            (TRACE, "--nodes", NODES, "--config", "default", "--config", "default"),
            "two configurations are called default",
        ),
    ],
)
def test_misuse(words: tuple[str, ...], says: str) -> None:
    done = kexplain("replay", *words)
    assert done.returncode == 2
    assert says in done.stderr.decode()


@pytest.mark.parametrize("text", ["soon", "-1", "inf", "nan"])
def test_times_are_seconds(tmp_path: Path, text: str) -> None:
    pod = write(
        tmp_path / "pod.yaml",
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a, annotations: {{kexplain/duration: '{text}'}}}}\n"
        "spec: {containers: [{name: a, image: b}]}\n",
    )
    done = kexplain("replay", pod, "--nodes", NODES)
    assert done.returncode == 2
    assert f'pod default/a: kexplain/duration: "{text}" is not a number of seconds' in done.stderr.decode()
