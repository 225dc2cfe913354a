"""Each file is a configuration that a scheduler would not start with; beside it is what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command_line import FIXTURES, run

FOLDER = FIXTURES / "invalid-configurations"
CONFIGURATIONS = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda path: path.stem)
def test_every_fault_is_told_with_its_place(configuration: Path, request: pytest.FixtureRequest) -> None:
    recording = configuration.with_suffix(".stderr")
    done = run(["case/pod.yaml", "--config", configuration.name], FOLDER)
    if request.config.getoption("--rewrite-golden"):
        recording.write_text(done.stderr)
    assert (done.stderr, done.stdout, done.returncode) == (recording.read_text(), "", 2)


def test_there_are_configurations() -> None:
    assert len(CONFIGURATIONS) >= 15
