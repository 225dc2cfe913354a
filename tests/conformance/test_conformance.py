"""The runner notices whatever is not as recorded; `python -m tests.conformance` runs it on the recordings."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kexplain.config.scheduler_settings import build_scheduler

from . import scheduling
from .__main__ import main
from .corpora import DEFAULT, Kind, find
from .report import narrowed
from .run import run_all

AREAS = find([DEFAULT])

Json = dict[str, Any]
Steps = tuple[str | int, ...]
Run = Callable[..., "Outcome"]


def test_recordings_are_whole() -> None:
    areas = Counter(area.corpus.kind for area in AREAS)
    assert areas >= Counter({Kind.SCHEDULING: 92, Kind.POLICY: 1, Kind.ADMISSION: 2, Kind.TEXT: 2})


@pytest.mark.slow
def test_processes_count_what_one_process_counts() -> None:
    small = [area for area in AREAS if area.name in {"edge", "quantities"} and area.corpus.name in {"v1.30", "text"}]
    assert len(small) == 2
    assert run_all(small, 2) == run_all(small, 1)


@dataclass(frozen=True)
class Outcome:
    """What a run printed, wrote and returned; `figures` are those of its only area."""

    status: int
    last_line: str
    output: str
    figures: Json

    @property
    def fields(self) -> set[str]:
        """The fields with a difference."""
        found = {difference["field"] for difference in self.figures["differences"]}
        counted = {name for name, count in self.figures["fields"].items() if count["equal"] < count["total"]}
        assert found == counted
        return found


@pytest.fixture(name="run_rows")
def _run_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_rows(*rows: Json, folder: str = "v1.36", name: str = "edge", area: str | None = None) -> Outcome:
        file = tmp_path / folder / f"{name}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        figures = tmp_path / "figures.json"
        status = main([str(file), "--json", str(figures), *(["--area", area] if area else [])])
        output = capsys.readouterr().out
        (by_area,) = json.loads(figures.read_bytes()).values()
        (only,) = by_area.values()
        return Outcome(status, output.splitlines()[-1], output, only)

    return run_rows


def rows(corpus: str, name: str) -> Iterator[Json]:
    for area in AREAS:
        if (area.corpus.name, area.name) == (corpus, name):
            yield from area.rows(Json)


def change(value: Any, path: Steps) -> None:
    """Change what is at the path to something else; `*` is the first key. Raises LookupError if it is not there."""
    *steps, last = path
    for step in steps:
        value = value[_key(value, step)]
    key = _key(value, last)
    value[key] = _other(value[key])


def _key(value: Any, step: str | int) -> Any:
    return min(value, default="") if step == "*" else step


def _other(value: Any) -> Any:
    """A text or number that differs, a list in another order, an object with one entry less."""
    if isinstance(value, str):
        return f"{value}."
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return {key: value[key] for key in sorted(value)[1:]}
    if value == value[::-1]:
        raise LookupError("there is no other order")
    return value[::-1]


def tampered(path: Steps, *, name: str = "edge") -> Json:
    """The first scenario with something at this path of one of its results, which is changed."""
    for scenario in rows("v1.36", name):
        for result in scenario["expected"]["results"]:
            try:
                change(result, path)
            except LookupError:
                continue
            return scenario
    raise AssertionError(f"nothing recorded at {path}")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        (("outcome",), "outcome"),
        (("message",), "message"),
        (("startNodeIndex",), "startNodeIndex"),
        (("nextStartNodeIndex",), "nextStartNodeIndex"),
        (("numFeasibleNodesToFind",), "numFeasibleNodesToFind"),
        (("evaluatedNodes",), "evaluatedNodes"),
        (("feasibleNodes", 0), "feasibleNodes"),
        (("feasibleNodes",), "feasibleNodes"),
        (("nodeStatus",), "nodeStatus"),
        (("nodeStatus", "*", "code"), "nodeStatus"),
        (("nodeStatus", "*", "plugin"), "nodeStatus"),
        (("nodeStatus", "*", "reasons", 0), "nodeStatus"),
        (("preFilter",), "preFilter"),
        (("preFilter", "*", "code"), "preFilter"),
        (("matrix",), "matrix"),
        (("matrix", "*", "*", "code"), "matrix"),
        (("matrix", "*", "*", "reasons", 0), "matrix"),
        (("scores",), "scores"),
        (("scores", 0, "total"), "scores"),
        (("scores", 0, "plugins"), "scores"),
        (("scores", 0, "plugins", "*", 0), "scores"),
        (("scores", 0, "plugins", "*", 1), "scores"),
        (("scores", 0, "plugins", "*", 2), "scores"),
        (("best", 0), "best"),
        (("preemption", "candidates", 0, "node"), "preemption.candidates"),
        (("preemption", "candidates", 0, "pdbViolations"), "preemption.candidates"),
        (("preemption", "candidates", 1, "pods"), "preemption.candidates"),
        (("preemption", "best", 0), "preemption.best"),
        (("preemption", "status", "code"), "preemption.status"),
        (("preemption", "status", "plugin"), "preemption.status"),
        (("preemption", "status", "reasons", 0), "preemption.status"),
        (("preemption", "nodeStatus", "*", "code"), "preemption.nodeStatus"),
        (("preemption", "nodeStatus", "*", "reasons", 0), "preemption.nodeStatus"),
    ],
)
def test_difference_in_a_decision_is_found(run_rows: Run, path: Steps, field: str) -> None:
    scenario = tampered(path)
    decisions = len(scenario["expected"]["results"])
    outcome = run_rows(scenario)
    assert outcome.fields == {field}
    assert (outcome.status, outcome.last_line) == (1, f"{decisions - 1} passed, 1 failed")
    (difference,) = outcome.figures["differences"]
    assert f"edge {difference['id']} {difference['pod']} {field}" in outcome.output


@pytest.mark.parametrize("field", ["nodeOrder", "filterPlugins", "scorePlugins", "weights"])
def test_difference_in_a_scenario_fails_all_its_decisions(run_rows: Run, scenario: Json, field: str) -> None:
    change(scenario["expected"], (field,))
    decisions = len(scenario["expected"]["results"])
    outcome = run_rows(scenario)
    assert outcome.fields == {field}
    assert outcome.last_line == f"0 passed, {decisions} failed"


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("message", {"message"}),
        ("evaluatedNodes", {"evaluatedNodes"}),
        ("feasibleNodes", {"feasibleNodes"}),
        ("nodeStatus", {"nodeStatus"}),
        ("preFilter", {"preFilter"}),
        ("matrix", {"matrix"}),
        ("scores", {"scores"}),
        ("best", {"best"}),
        ("preemption", {"preemption.status"}),
    ],
)
def test_absent_is_empty(run_rows: Run, field: str, fields: set[str]) -> None:
    for scenario in rows("v1.36", "edge"):
        (*_, last) = scenario["expected"]["results"]
        if last.pop(field, None):
            assert run_rows(scenario).fields == fields
            return
    pytest.fail("nothing recorded")


def test_numbers_of_a_sampling_scenario_are_compared(run_rows: Run) -> None:
    assert run_rows(tampered(("evaluatedNodes",), name="sampling"), name="sampling").fields == {"evaluatedNodes"}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("images", ("best",)),
        ("edge", ("nodeStatus", "*", "reasons")),
        ("edge", ("matrix", "*", "*", "reasons")),
        ("edge", ("preemption", "candidates")),
        ("edge", ("preemption", "status", "reasons")),
    ],
)
def test_order_of_a_set_does_not_matter(run_rows: Run, name: str, path: Steps) -> None:
    outcome = run_rows(tampered(path, name=name))
    assert (outcome.status, outcome.fields) == (0, set())


def test_nodes_named_by_a_plugin_have_no_order(run_rows: Run) -> None:
    for scenario in rows("v1.36", "nodeaffinity"):
        for result in scenario["expected"]["results"]:
            if any(status["code"] == "Success" for status in result.get("preFilter", {}).values()):
                result["feasibleNodes"] = result.get("feasibleNodes", [])[::-1]
                assert run_rows(scenario).status == 0
                return
    pytest.fail("nothing recorded")


@pytest.fixture(name="scenario")
def _scenario() -> Json:
    """A scenario with several pods that are all placed."""
    for scenario in rows("v1.36", "images"):
        results = scenario["expected"]["results"]
        if len(results) > 1 and all(result["outcome"] == "Scheduled" for result in results):
            return scenario
    raise AssertionError("nothing recorded")


def test_crash_fails_its_decision_only(run_rows: Run, scenario: Json) -> None:
    (first, *others) = scenario["expected"]["results"]
    first["host"] = "nowhere"
    outcome = run_rows(scenario)
    assert outcome.figures["fields"]["decided"] == {"equal": len(others), "total": len(others) + 1}
    assert outcome.figures["differences"][0]["got"] == "KeyError: 'nowhere'"
    assert outcome.status == 1


def test_scenario_that_cannot_begin_fails_pod_by_pod(run_rows: Run, scenario: Json) -> None:
    decisions = len(scenario["expected"]["results"])
    broken = {**scenario, "objects": [{"apiVersion": "v1", "kind": "Node", "metadata": 1}]}
    outcome = run_rows(broken, scenario)
    assert outcome.fields == {"decided"}
    assert outcome.last_line == f"{decisions} passed, {decisions} failed"


def test_configuration_that_is_not_understood_fails(run_rows: Run, scenario: Json) -> None:
    outcome = run_rows({**scenario, "config": {"apiVersion": "v1", "kind": "KubeSchedulerConfiguration", "x": 1}})
    assert outcome.fields == {"decided"}
    assert "scheduler configuration" in outcome.figures["differences"][0]["got"]


@pytest.mark.parametrize("folder", ["v1.2", "policy-v1.2"])
def test_release_that_is_not_built_fails(run_rows: Run, scenario: Json, folder: str) -> None:
    outcome = run_rows(scenario, folder=folder)
    assert outcome.last_line == f"0 passed, {len(scenario['expected']['results'])} failed"
    assert outcome.figures["differences"][0]["got"] == "Kubernetes 1.2 is not known here"


def test_policy_recordings_hold_less(run_rows: Run, scenario: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "scheduler_of_policy", lambda _: build_scheduler())
    del scenario["expected"]["scorePlugins"]
    for result in scenario["expected"]["results"]:
        for name in {*result} - {"pod", "outcome", "message", "nodeStatus", "feasibleNodes", "scores", "best", "host"}:
            del result[name]
        for score in result["scores"]:
            score["weighted"] = {name: weighted for name, (_, _, weighted) in score.pop("plugins").items()}
    outcome = run_rows(scenario, folder="policy-v1.22")
    assert outcome.status == 0
    assert {"matrix", "preFilter", "startNodeIndex", "preemption.status"}.isdisjoint(outcome.figures["fields"])
    change(scenario["expected"]["results"][-1], ("scores", 0, "weighted", "*"))
    assert run_rows(scenario, folder="policy-v1.22").fields == {"scores"}


@pytest.mark.parametrize(
    ("name", "row", "fields"),
    [
        ("quantities", {"text": "1", "error": "no"}, {"error"}),
        ("quantities", {"text": "1x", "value": 1, "milliValue": 1000, "sign": 1, "canonical": "1"}, {"error"}),
        ("quantities", {"text": "1", "value": 2, "milliValue": 1000, "sign": 1, "canonical": "1"}, {"value"}),
        ("quantities", {"text": "1", "value": 1, "milliValue": 1, "sign": 1, "canonical": "1"}, {"milliValue"}),
        ("quantities", {"text": "1", "value": 1, "milliValue": 1000, "sign": 0, "canonical": "1"}, {"sign"}),
        ("quantities", {"text": "1", "value": 1, "milliValue": 1000, "sign": 1, "canonical": "1.0"}, {"canonical"}),
        ("yaml", {"text": "a: 1", "error": "no"}, {"error"}),
        ("yaml", {"text": "a: *b", "json": "{}"}, {"error"}),
        ("yaml", {"text": "a: 1", "json": '{"a": 2}'}, {"json"}),
        ("yaml", {"text": "a: [{b: 1}]", "json": '{"a": [{"b": true}]}'}, {"json"}),
        ("yaml", {"text": "a: 1", "json": '{"a": 1}', "strictError": "no"}, {"strictError"}),
        ("yaml", {"text": "a: 1\na: 1", "json": '{"a": 1}'}, {"strictError"}),
    ],
)
def test_difference_in_a_text_is_found(run_rows: Run, name: str, row: Json, fields: set[str]) -> None:
    outcome = run_rows(row, folder="text", name=name)
    assert outcome.fields == fields
    assert outcome.last_line == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("text", "canonical", "value", "milli_value", "passes"),
    [("1E", "1E", 10**18, 2**63 - 1, True), ("1E", "1E", 10**18, 0, True), ("2E", "2E", 10**18, 0, False)],
)
def test_overflow_is_expected_to_saturate(
    run_rows: Run, text: str, canonical: str, value: int, milli_value: int, passes: bool
) -> None:
    row = {"text": text, "canonical": canonical, "value": value, "milliValue": milli_value, "sign": 1}
    assert run_rows(row, folder="text", name="quantities").status == (0 if passes else 1)


@pytest.mark.parametrize("path", [("spec", "priority"), ("spec", "containers", 0, "name"), ("spec", "tolerations")])
def test_difference_in_an_admitted_pod_is_found(run_rows: Run, tmp_path: Path, path: Steps) -> None:
    folder = "admission-v1.36"
    (tmp_path / folder).mkdir()
    shutil.copy(DEFAULT / folder / "cluster.json", tmp_path / folder)
    manifest = next(row for row in rows(folder, "accepted") if row["expected"]["accepted"])
    change(manifest["expected"], path)
    outcome = run_rows(manifest, folder=folder, name="pods", area="accepted")
    assert outcome.fields == {"spec"}
    assert outcome.last_line == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("code", "changes", "fields"),
    [
        (422, {"accepted": True, "causes": []}, {"accepted", "spec"}),
        (422, {"causes": [{"field": "spec.nowhere"}]}, {"fields"}),
        (422, {"code": 403, "causes": []}, {"stage"}),
        (403, {"code": 422}, {"stage"}),
        (404, {"code": 400}, {"stage"}),
    ],
)
def test_difference_in_a_refusal_is_found(
    run_rows: Run, tmp_path: Path, code: int, changes: Json, fields: set[str]
) -> None:
    folder = "admission-v1.36"
    (tmp_path / folder).mkdir()
    shutil.copy(DEFAULT / folder / "cluster.json", tmp_path / folder)
    manifest = next(row for row in rows(folder, "rejected") if row["expected"].get("code") == code)
    manifest["expected"] |= changes
    area = "accepted" if manifest["expected"]["accepted"] else "rejected"
    outcome = run_rows(manifest, folder=folder, name="pods", area=area)
    assert outcome.fields == fields
    assert outcome.last_line == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("folder", "name", "path", "field"),
    [
        ("capacity-v1.36", "capacity", ("expected", "fits"), "fits"),
        ("capacity-v1.36", "capacity", ("expected", "byNode", "*"), "byNode"),
        ("capacity-v1.36", "capacity", ("expected", "message"), "message"),
        ("capacity-v1.36", "drain", ("expected", 0, "outcome"), "outcome"),
        ("capacity-v1.36", "drain", ("expected", 0, "node"), "node"),
        ("settled-v1.36", "sync", ("expected", "placed", "*"), "placed"),
        ("workloads-v1.36", "workloads", ("expected", "pods", "pending"), "what-if"),
        ("changes-v1.36", "changes", ("expected", "workloads", "*", "pending"), "pending"),
        ("changes-v1.36", "changes", ("expected", "evicted", "*"), "evicted"),
        ("settled-v1.36", "sync", ("expected", "evicted", 0), "evicted"),
        ("settled-v1.36", "sync", ("expected", "pending", "*", "message"), "pending"),
        ("groups-v1.36", "preemption", ("expected", "evicted", 0), "evicted"),
        ("groups-v1.36", "topology", ("expected", "groups", "*", "message"), "groups"),
    ],
)
def test_capacities_drains_and_ends_are_compared(
    run_rows: Run, folder: str, name: str, path: Steps, field: str
) -> None:
    for row in rows(folder, name):
        try:
            change(row, path)
        except LookupError:
            continue
        outcome = run_rows(row, folder=folder, name=name)
        assert outcome.fields == {field}
        assert outcome.last_line == "0 passed, 1 failed"
        return
    raise AssertionError(f"nothing recorded at {path}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere is not there"),
        ([str(Path(__file__).parent)], "holds no recordings"),
        ([__file__], "is not a .jsonl or .jsonl.gz file"),
        ([str(DEFAULT / "text"), "--area", "taints"], "no area taints; there are quantities, yaml"),
    ],
)
def test_nothing_to_run(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no decisions"),
        ("{}\n", "edge.jsonl:1: Object missing required field"),
        ('\n{"id": ', "edge.jsonl:2: Input data was truncated"),
    ],
)
def test_file_that_is_no_recording(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, message: str
) -> None:
    file = tmp_path / "v1.36" / "edge.jsonl"
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    assert main([str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_folders_of_one_name_are_counted_together(run_rows: Run, tmp_path: Path, scenario: Json) -> None:
    run_rows(scenario)
    shutil.copytree(tmp_path / "v1.36", tmp_path / "copy" / "v1.36")
    figures = tmp_path / "both.json"
    assert main([str(tmp_path), str(tmp_path), str(tmp_path / "copy"), "--json", str(figures)]) == 0
    decisions = len(scenario["expected"]["results"])
    assert json.loads(figures.read_bytes())["v1.36"]["edge"]["passed"] == 2 * decisions


@pytest.mark.parametrize(
    ("expected", "got", "narrow"),
    [
        (1, 2, (1, 2)),
        ({"a": 1, "b": 1}, {"a": 1, "c": 1}, ({"b": 1}, {"c": 1})),
        ([1, [2, 3]], [1, [2, 4]], ([[3]], [[4]])),
        ([1, 2], [1], ([1, 2], [1])),
        ([{"node": "a"}, {"node": "b"}], [{"node": "a"}], ({"b": {"node": "b"}}, {})),
    ],
)
def test_only_what_differs_is_shown(expected: Any, got: Any, narrow: tuple[Any, Any]) -> None:
    assert narrowed(expected, got) == narrow
