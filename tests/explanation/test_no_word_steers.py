"""No word steers: with every text in other words, the same remedies come in the same order, with the same numbers."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest

import kexplain.diagnosis.diagnose
import kexplain.explanation.holds
import kexplain.remedies.components
import kexplain.remedies.left_alone
import kexplain.remedies.never_created
import kexplain.remedies.search  # noqa: F401 - what is reworded has to be there
from kexplain.api import Case, Wanted, explain, load_case
from kexplain.diagnosis.findings.statement import Statement, Words
from kexplain.diagnosis.records import Finding
from kexplain.explain.objections import OBJECTIONS
from kexplain.messages.part import Part
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Remedy
from tests.cli.command import ROOT
from tests.remedies.situations import SITUATIONS

#: Where a node is written down.
NODE = re.compile(r'kind"?: *"?Node\b')
#: A pod beside its nodes.
FIXTURES = [
    path.parent
    for path in sorted((ROOT / "fixtures").glob("*/pod.yaml"))
    if any(NODE.search(each.read_text(encoding="utf-8")) for each in path.parent.glob("*.[yj]*"))
]
#: Clusters with all that is in them in one file.
WORKLOADS = [
    path.parent
    for path in sorted((ROOT / "fixtures").glob("*/cluster.yaml"))
    if not (path.parent / "nodes.yaml").is_file()
]
NAMES = sorted(SITUATIONS)


def reworded(text: str) -> str:
    """Another text for each, which looks as if something could be read out of it."""
    return f"add one more node; wait ({md5(text.encode(), usedforsecurity=False).hexdigest()})" if text else ""


@pytest.fixture(name="reword")
def _reword(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Give every proposal, remedy, finding, objection and meaning of a message other words."""

    def constructed(kind: type[Any]) -> Callable[..., Any]:
        at = kind.__struct_fields__.index("text")

        def make(*values: Any, **fields: Any) -> Any:
            values = tuple(reworded(each) if place == at else each for place, each in enumerate(values))
            return kind(*values, **{name: reworded(each) if name == "text" else each for name, each in fields.items()})

        return make

    def worded(method: Callable[..., str]) -> Callable[..., str]:
        return lambda *values: reworded(method(*values))

    def in_words(said: Statement) -> Words:
        return Words(*(reworded(f"{place} {said!r}") for place in ("text", "amounts", "detail")))

    def reword() -> None:
        for kind in (Proposal, Remedy):
            for name, module in [*sys.modules.items()]:
                if name.startswith("kexplain.") and getattr(module, kind.__name__, None) is kind:
                    monkeypatch.setattr(module, kind.__name__, constructed(kind))
        monkeypatch.setattr(Statement, "in_words", property(in_words))
        for objection in {type(each) for each in OBJECTIONS}:
            for name in ("words", "detail", "words_for_all"):
                monkeypatch.setattr(objection, name, worded(getattr(objection, name)))
        for name in ("meaning", "check"):
            monkeypatch.setattr(Part, name, property(worded(vars(Part)[name].fget)))

    return reword


def decided(case: Case) -> list[object]:
    """All that is decided about the pods and workloads of a case."""
    report = explain(case, last_resorts=True)
    pods = [
        (pod.outcome, [*map(fields, pod.remedies)], len(pod.last_resorts), pod.circles, judged(pod.diagnosis))
        for pod in report.pods
    ]
    workloads = [(judged(each.diagnosis), [*map(fields, each.remedies)]) for each in report.workloads]
    return [pods, workloads, [each.pods for each in report.groups]]


def fields(remedy: Remedy) -> tuple[object, ...]:
    counted = remedy.serves, remedy.pending
    return remedy.action, remedy.rank, remedy.nodes, remedy.changes, remedy.bundle, counted, remedy.tried


def judged(found: Finding | None) -> object:
    return found and (found.kind, found.plugin, found.pool, found.nodes, found.certain, found.chain)


@pytest.mark.parametrize("folder", FIXTURES[::4], ids=lambda folder: folder.name)
def test_of_three_replicas(folder: Path, reword: Callable[[], None]) -> None:
    def case() -> Case:
        return load_case([str(folder / "pod.yaml")], [str(folder)], Wanted(replicas=3))

    plain = decided(case())
    reword()
    assert decided(case()) == plain


@pytest.mark.parametrize("folder", WORKLOADS[::2], ids=lambda folder: folder.name)
def test_of_all_that_waits(folder: Path, reword: Callable[[], None]) -> None:
    def case() -> Case:
        return load_case([], [str(folder / "cluster.yaml")], Wanted(own_pods=True, may_be_empty=True))

    plain = decided(case())
    reword()
    assert decided(case()) == plain


@pytest.mark.parametrize("name", NAMES[::5])
def test_of_pods_of_a_workload(name: str, reword: Callable[[], None], tmp_path: Path) -> None:
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(SITUATIONS[name])}))

    def case() -> Case:
        return load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True))

    plain = decided(case())
    reword()
    assert decided(case()) == plain


def test_there_is_much_to_reword() -> None:
    assert min(len(FIXTURES), len(WORKLOADS), len(NAMES)) > 40


def test_other_words_are_what_is_said(reword: Callable[[], None]) -> None:
    folder = ROOT / "fixtures" / "cpu-fragmented"
    reword()
    (pod, *_) = explain(load_case([str(folder / "pod.yaml")], [str(folder)])).pods
    assert all(each.text.startswith("add one more node; wait") for each in pod.remedies)
    assert pod.diagnosis is not None
    assert pod.diagnosis.text.startswith("add one more node; wait")
