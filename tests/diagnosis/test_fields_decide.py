"""What is wrong decides what helps, and in which order; the words for it only say it."""

from __future__ import annotations

import re
from hashlib import md5
from pathlib import Path

import pytest

from kexplain.api import explain, load_case
from kexplain.diagnosis.findings.statement import Statement, Words
from kexplain.diagnosis.records import Finding
from kexplain.explanation.records import PodExplanation
from kexplain.report.records import Report
from tests.cli.command import ROOT

#: Where a node is written down.
NODE = re.compile(r'kind"?: *"?Node\b')
#: A pod beside its nodes.
SCENARIOS = [
    path.parent
    for path in sorted((ROOT / "fixtures").glob("*/pod.yaml"))
    if any(NODE.search(each.read_text(encoding="utf-8")) for each in path.parent.glob("*.[yj]*"))
]


def found(scenario: Path) -> list[object]:
    report = explain(load_case([str(scenario / "pod.yaml")], cluster=[str(scenario)]), last_resorts=True)
    return [*map(fields, report.pods), grouped(report)]


def grouped(report: Report) -> list[tuple[object, ...]]:
    return [(group.pods, group.outcome, group.causes, group.remedies) for group in report.groups]


def fields(pod: PodExplanation) -> tuple[object, ...]:
    helps = [(each.action, each.rank, each.nodes, each.changes, each.bundle, each.serves) for each in pod.remedies]
    return helps, pod.last_resorts, pod.circles, pod.causes, pod.diagnosis and decided(pod.diagnosis)


def decided(finding: Finding) -> tuple[object, ...]:
    facts, signs = finding.facts, [(each.nodes, each.pods, each.taint, each.label) for each in finding.evidence]
    return finding.kind, finding.plugin, finding.pool, finding.nodes, finding.certain, finding.chain, facts, signs


def scrambled(said: Statement) -> Words:
    """Each statement has another wording, which looks like words that one might read something out of."""
    whole = md5(repr(said).encode(), usedforsecurity=False).hexdigest()
    return Words(f"add one more node: {whole}; wait", f"pool {whole[:9]}", f"did you mean {whole[9:]}?")


@pytest.mark.parametrize("scenario", SCENARIOS[::4], ids=lambda path: path.name)
def test_other_words_change_nothing(scenario: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Statement, "in_words", property(scrambled))
    other = found(scenario)
    monkeypatch.undo()
    assert other == found(scenario)


def test_many_of_the_scenarios_have_something_wrong() -> None:
    assert len(SCENARIOS) > 100
