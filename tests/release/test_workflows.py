"""The workflows themselves: what zizmor finds, and what it cannot know."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

from .workflow import Runner

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*(ROOT / ".github" / "workflows").glob("*.yml")]
#: Labels of runners that there are, as the list of GitHub's images had them in August 2026.
RUNNERS = {"ubuntu-latest", "ubuntu-24.04-arm", "macos-latest", "macos-15-intel", "windows-latest"}


def test_zizmor_finds_nothing() -> None:
    zizmor = shutil.which("zizmor", path=f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}")
    assert zizmor is not None
    words = [zizmor, "--offline", "--no-progress", "--persona", "pedantic", ".github"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


def test_every_runner_exists() -> None:
    named = set()
    for path in WORKFLOWS:
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            matrix = job.get("strategy", {}).get("matrix", {})
            rows = matrix.get("os") or [row["os"] for row in matrix.get("include", ())]
            named |= {*rows} if rows else {job["runs-on"]}
    assert named - RUNNERS == set()


WORKFLOW = """
jobs:
  second:
    needs: first
    strategy: {matrix: {include: [{word: a}, {word: b}]}}
    steps:
      - {uses: get@1, with: {from: "${{ matrix.word }}"}}
      - {env: {WORD: "${{ matrix.word }}"}, run: echo "$WORD $PLACE" >> "$LOG"}
  first:
    steps: [{run: 'echo first >> "$LOG"'}, {name: slow, run: exit 1}]
  never: {if: vars.IMAGE != '', steps: [{run: exit 1}]}
"""


def _runner(folder: Path, got: list[str]) -> Runner:
    environment = {"PATH": "/usr/bin:/bin", "LOG": str(folder / "log"), "PLACE": "here"}
    actions = {"get": lambda workspace, given: got.append(f"{workspace.name} {given['from']}")}
    return Runner({}, actions, environment, frozenset({"slow"}))


@pytest.mark.skipif(os.name == "nt", reason="runs bash as a runner on Linux does")
def test_steps_run_in_the_order_of_jobs(tmp_path: Path) -> None:
    (tmp_path / "workflow.yml").write_text(WORKFLOW)
    got: list[str] = []
    _runner(tmp_path, got).run(tmp_path / "workflow.yml", tmp_path / "jobs")
    assert (tmp_path / "log").read_text() == "first\na here\nb here\n"
    assert got == ["second-0 a", "second-1 b"]


@pytest.mark.skipif(os.name == "nt", reason="runs bash as a runner on Linux does")
@pytest.mark.parametrize(
    "step", ["{uses: unknown@1}", "{run: exit 1}", "{run: 'echo ${{ x.y }}'}", "{run: 'echo ${{ a && b }}'}"]
)
def test_what_is_not_known_or_fails_ends_it(step: str, tmp_path: Path) -> None:
    (tmp_path / "workflow.yml").write_text(f"jobs: {{one: {{steps: [{step}]}}}}")
    with pytest.raises((KeyError, ValueError, subprocess.CalledProcessError)):
        _runner(tmp_path, []).run(tmp_path / "workflow.yml", tmp_path / "jobs")
