from __future__ import annotations

from pathlib import Path

import pytest

from .__main__ import main
from .store import lines


def _program(tmp_path: Path, script: str) -> Path:
    program = tmp_path / "recorder"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def _drawn(tmp_path: Path) -> Path:
    assert main(["draw", "--area", "ports", "--count", "3", "-o", str(tmp_path / "drawn")]) == 0
    return tmp_path / "drawn"


def test_every_scenario_is_decided(tmp_path: Path) -> None:
    drawn, output = _drawn(tmp_path), tmp_path / "v1.36"
    assert main(["deep", str(_program(tmp_path, "cat")), str(drawn), "-o", str(output)]) == 0
    assert lines(output / "ports.jsonl.gz") == lines(drawn / "ports.jsonl.gz")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'recorder: ports-0000: no such pod' >&2; exit 1", "recorder: ports-0000: no such pod"),
        ("exit 3", "recorder ended with 3"),
        ("head -n 1", "decided 1 of the 3 scenarios"),
    ],
)
def test_a_recorder_that_gives_up_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str, message: str
) -> None:
    drawn = _drawn(tmp_path)
    assert main(["deep", str(_program(tmp_path, script)), str(drawn), "-o", str(tmp_path / "v1.36")]) == 2
    assert message in capsys.readouterr().err


def test_one_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deep", str(tmp_path / "none"), str(_drawn(tmp_path)), "-o", str(tmp_path / "v1.36")]) == 2
    assert "No such file" in capsys.readouterr().err
