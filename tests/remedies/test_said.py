"""What would help against each of a hundred faults, recorded pods, and in each situation, word for word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kexplain.api import ExplainOptions, Wanted, load_case, one_by_one
from kexplain.explanation.records import PodExplanation
from tests.conformance import unschedulable
from tests.diagnosis import explained, seldom
from tests.said import differences, of_remedies

from .situations import SITUATIONS

HERE = Path(__file__).parent


def test_what_would_help_against_every_fault(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_remedies(pod)] for name, pod in explained.explained().items()}
    rewrite = request.config.getoption("--rewrite-golden")
    assert differences(HERE / "said.txt", said, rewrite=rewrite) == {}


def test_what_would_help_against_what_is_seldom(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_remedies(pod)] for name, pod in seldom.explained().items()}
    rewrite = request.config.getoption("--rewrite-golden")
    assert differences(HERE / "said_of_seldom.txt", said, rewrite=rewrite) == {}


def test_what_would_help_recorded_pods(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_remedies(pod, commands=False)] for name, pod in unschedulable.explained().items()}
    rewrite = request.config.getoption("--rewrite-golden")
    assert differences(HERE / "said_of_recorded.txt", said, rewrite=rewrite) == {}


def test_what_would_help_in_every_situation(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    said = {name: [*_lines(pods)] for name, pods in _situations(tmp_path)}
    rewrite = request.config.getoption("--rewrite-golden")
    assert differences(HERE / "said_in_situations.txt", said, rewrite=rewrite) == {}


def _situations(folder: Path) -> Iterator[tuple[str, list[PodExplanation]]]:
    path = folder / "cluster.json"
    for name, objects in SITUATIONS.items():
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        yield name, [*one_by_one(load_case([], [str(path)], Wanted(own_pods=True)), ExplainOptions()).pods]


def _lines(pods: list[PodExplanation]) -> Iterator[str]:
    before: list[str] = []
    for pod in pods:
        lines = [*of_remedies(pod)]
        yield f"{pod.pod.key}: {pod.diagnosis.text if pod.diagnosis else pod.outcome.value}"
        yield from ["the same"] if lines == before else lines
        before = lines
