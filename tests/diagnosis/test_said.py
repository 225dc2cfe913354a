"""What is wrong in each of a hundred faults and with a hundred recorded pods, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import unschedulable
from tests.diagnosis import explained, seldom
from tests.said import differences, of_diagnosis

HERE = Path(__file__).parent


def test_what_is_said_of_every_fault(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_diagnosis(pod)] for name, pod in explained.explained().items()}
    assert differences(HERE / "said.txt", said, rewrite=request.config.getoption("--rewrite-golden")) == {}


def test_what_is_said_of_what_is_seldom(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_diagnosis(pod)] for name, pod in seldom.explained().items()}
    assert differences(HERE / "said_of_seldom.txt", said, rewrite=request.config.getoption("--rewrite-golden")) == {}


def test_what_is_said_of_recorded_pods(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_diagnosis(pod)] for name, pod in unschedulable.explained().items()}
    assert differences(HERE / "said_of_recorded.txt", said, rewrite=request.config.getoption("--rewrite-golden")) == {}
