"""Every scenario in every format: the report is whole, and valid where there is a schema."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shlex
from functools import cache
from pathlib import Path
from unittest.mock import patch

import jsonschema
import msgspec
import pytest
import yaml
from msgspec import structs
from msgspec.structs import replace

from kexplain.api import explain
from kexplain.cli.app import COMMANDS, DEFAULT_COMMAND
from kexplain.cli.inputs import load_inputs
from kexplain.cli.main import run
from kexplain.cli.requests.explain import Request
from kexplain.errors import UsageError
from kexplain.explanation.records import NotEvaluated, PodExplanation
from kexplain.render import Kind, formats, render
from kexplain.render.json import schema
from kexplain.render.view import View
from kexplain.report.records import Report
from tests.scenarios import FIXTURES, SCENARIOS

SCHEMA = Path(__file__).parent / "kexplain-v1.schema.json"


@cache
def report(folder: Path) -> Report | None:
    """The scenario's report, everything traced; None for one of another command, or about wrong usage."""
    words = shlex.split((folder / "cmd").read_text())[1:]
    asked: list[Request] = []
    with contextlib.chdir(folder), patch("kexplain.cli.commands.explain.run", asked.append):
        if "<" in words:
            words = [word for word in words if word not in ("-", "<")]
        if words[0] in set(COMMANDS) - {DEFAULT_COMMAND}:
            return None
        assert run(words) == 0
        (request,) = asked
        try:
            settings = structs.replace(request.scheduler.settings(), traces_everything=True)
            case = load_inputs(request, request.pods, settings)
        except UsageError:
            return None
        return explain(case, start_index=request.scheduler.start_index)


def _reports() -> list[tuple[str, Report]]:
    return [(folder.name, found) for folder in SCENARIOS if (found := report(folder)) is not None]


def _text(output_format: str, found: Report, view: View) -> str:
    rendered = render(Kind.EXPLANATION, output_format, found, view)
    if isinstance(rendered, str):
        return rendered
    return "".join(f"{line.plain}\n" for line in rendered.lines(view.width or 1000))


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: folder.name)
def test_programs_get_the_whole_report(folder: Path) -> None:
    found = report(folder)
    if found is None:
        return
    document = json.loads(_text("json", found, View()))
    _validator().validate(document)
    assert msgspec.convert(document, Report) == found
    assert yaml.load(_text("yaml", found, View()), yaml.CSafeLoader) == document
    rows = list(csv.DictReader(io.StringIO(_text("csv", found, View()))))
    assert len(rows) == sum(max(len(pod.node_verdicts), 1) for pod in found.pods)
    for pod in found.pods:
        _check_counts(pod)


def _check_counts(pod: PodExplanation) -> None:
    nodes = pod.nodes
    assert nodes.feasible + nodes.rejected + nodes.excluded + nodes.not_evaluated == nodes.total
    if pod.outcome in ("Scheduled", "Unschedulable"):
        assert len(pod.node_verdicts) == nodes.total
        assert len({verdict.node for verdict in pod.node_verdicts}) == nodes.total
        assert sum(cause.count for cause in pod.causes) == nodes.rejected + nodes.excluded
        assert all(cause.count == len(cause.nodes) for cause in pod.causes)
        assert all(set(cause.alone_on) <= set(cause.nodes) for cause in pod.causes)


def test_the_published_schema_is_what_the_program_prints(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rewrite-golden"):
        SCHEMA.write_text(schema())
    assert SCHEMA.read_text() == schema()
    jsonschema.Draft202012Validator.check_schema(json.loads(schema()))


@pytest.mark.parametrize(
    ("message", "cell"),
    [
        pytest.param("=1+1", "'=1+1", id="a formula"),
        pytest.param("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0", id="a formula that begins with a minus"),
        pytest.param("-1", "-1", id="a number"),
    ],
)
def test_csv_holds_nothing_that_a_spreadsheet_would_run(message: str, cell: str) -> None:
    found = report(FIXTURES / "tie-between-nodes")
    assert found is not None
    found = replace(found, pods=(replace(found.pods[0], node_verdicts=(), message=message),))
    assert [row["detail"] for row in csv.DictReader(io.StringIO(_text("csv", found, View())))] == [cell]


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_the_table_of_causes_ends_at_the_top_as_well(format_: str) -> None:
    found = report(FIXTURES / "insufficient-cpu-different-reasons")
    assert found is not None
    causes = tuple(replace(found.pods[0].causes[0], text=f"cause {number}") for number in range(5))
    found = replace(found, pods=(replace(found.pods[0], causes=causes),))
    text = _text(format_, found, View(top=2))
    assert ("cause 1" in text, "cause 2" in text, "and 3 more" in text) == (True, False, True)


@pytest.mark.parametrize("output_format", [each.name for each in formats(Kind.EXPLANATION)])
def test_what_was_not_evaluated_is_told_in_every_format_that_tells_anything(output_format: str) -> None:
    found = report(FIXTURES / "tie-between-nodes")
    assert found is not None
    unseen = NotEvaluated(plugin="DynamicResources", what="resource claims gpu: devices on nodes")
    found = replace(found, pods=tuple(replace(pod, not_evaluated=(unseen,)) for pod in found.pods))
    # None of these has a place for it.
    if output_format not in ("name", "simulator", "openmetrics"):
        assert "DynamicResources" in _text(output_format, found, View())


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("output_format", ["text", "wide"])
def test_text_fits_its_width(output_format: str, width: int) -> None:
    for _, found in _reports():
        for line in _text(output_format, found, View(width=width)).splitlines():
            # A command to copy stays whole, and so does a name.
            is_whole = line.split()[:1] in (["kexplain"], ["kubectl"], line.split())
            assert len(line.rstrip()) <= width or is_whole


def test_piped_text_never_truncates_a_node_name() -> None:
    for _, found in _reports():
        text = _text("text", found, View(top=0, all_failures=True))
        for pod in found.pods:
            rejected = [verdict.node for verdict in pod.node_verdicts if verdict.stopped_by]
            assert all(node in text for node in rejected) or len(found.pods) > 1


def test_top_limits_rows_and_says_so() -> None:
    found = report(FIXTURES / "sampling-stops-early")
    assert found is not None
    text = _text("text", found, View(top=2))
    assert "… and 98 more (top=0 shows all)" in text
    assert "worker-003 " not in text.split("RANKED")[1]


def test_the_view_leaves_only_the_node_asked_for() -> None:
    found = report(FIXTURES / "insufficient-cpu-different-reasons")
    assert found is not None
    document = json.loads(_text("json", found, View(node="worker-3")))
    assert [verdict["node"] for verdict in document["pods"][0]["nodeVerdicts"]] == ["worker-3"]


def test_the_view_leaves_only_the_plugin_asked_for() -> None:
    found = report(FIXTURES / "behind-the-first-rejection")
    assert found is not None
    document = json.loads(_text("json", found, View(plugin="NodeResourcesFit")))
    verdicts = document["pods"][0]["nodeVerdicts"]
    assert [[also["plugin"] for also in verdict["also"]] for verdict in verdicts] == [["NodeResourcesFit"]] * 2


def test_a_pod_that_an_api_server_refuses_is_assigned_to_no_node() -> None:
    found = report(FIXTURES / "manifest-refused")
    assert found is not None
    (pod,) = found.pods
    assert (pod.refused, pod.choice is not None) == (True, True)
    assert render(Kind.EXPLANATION, "name", found, View()) == f"{pod.pod.key}\t<none>\n"
    assert "no event: an API server refuses the pod\n" in str(render(Kind.EXPLANATION, "event", found, View()))
