"""What turns the pod down in each of a hundred faults, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.explained import explained
from tests.said import differences, of_causes

RECORDING = Path(__file__).with_name("said.txt")


def test_what_is_said_of_every_fault(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_causes(pod)] for name, pod in explained().items()}
    assert differences(RECORDING, said, rewrite=request.config.getoption("--rewrite-golden")) == {}
