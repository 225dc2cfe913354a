"""Fields decide what would help, and in which order; texts only say it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import kexplain.remedies.search  # noqa: F401 - what is scrambled has to be there
from kexplain.api import explain, load_case
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Remedy
from tests.cli.command import ROOT

#: Scenarios of which the pod fits nowhere, by what stands in its way.
SCENARIOS = (
    "behind-the-first-rejection",
    "cpu-fragmented",
    "help-behind-the-first-constraint",
    "insufficient-cpu-different-reasons",
    "host-port-taken",
    "node-selector-typo",
    "volume-claim-unbound",
    "devices-taken-by-another-claim",
    "anti-affinity-more-replicas-than-nodes",
)


def helping(scenario: Path) -> list[tuple[object, ...]]:
    case = load_case([str(scenario / "pod.yaml")], cluster=[str(scenario)])
    report = explain(case, last_resorts=True)
    return [fields(remedy) for pod in report.pods for remedy in pod.remedies]


def fields(remedy: Remedy) -> tuple[object, ...]:
    return remedy.action, remedy.rank, remedy.nodes, remedy.changes, remedy.bundle, remedy.serves


@pytest.fixture
def scrambled(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Every proposal says something else, and never the same twice; how many there were."""
    numbers = count(1)
    last = 0

    def made(action: Action, text: str, *rest: Any, **more: Any) -> Proposal:
        nonlocal last
        last = next(numbers)
        return Proposal(action, f"{hash(str(last)):x} (pool {last}); wait", *rest, **more)

    for name, module in [*sys.modules.items()]:
        if name.startswith("kexplain.remedies.") and getattr(module, "Proposal", None) is Proposal:
            monkeypatch.setattr(module, "Proposal", made)
    return lambda: last


PATHS = [ROOT / "fixtures" / name for name in SCENARIOS if (ROOT / "fixtures" / name / "pod.yaml").is_file()]


@pytest.mark.parametrize("scenario", PATHS, ids=lambda path: path.name)
def test_other_words_change_nothing(
    scenario: Path, scrambled: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = helping(scenario)
    assert scrambled()
    monkeypatch.undo()
    assert other == helping(scenario)


def test_there_are_enough_scenarios() -> None:
    assert len(PATHS) >= 6
