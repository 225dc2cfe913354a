"""Each file is a Policy that a scheduler would not start with; beside it is what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command_line import FIXTURES, run

FOLDER = FIXTURES / "invalid-policies"
POLICIES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("policy", POLICIES, ids=lambda path: path.stem)
def test_every_fault_is_told_with_its_place(policy: Path, request: pytest.FixtureRequest) -> None:
    recording = policy.with_suffix(".stderr")
    done = run(["case/pod.yaml", "--policy", policy.name], FOLDER)
    if request.config.getoption("--rewrite-golden"):
        recording.write_text(done.stderr)
    assert (done.stderr, done.stdout, done.returncode) == (recording.read_text(), "", 2)
