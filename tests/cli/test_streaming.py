"""Large reports on several pods are written as they come: the same report, with equal verdicts once."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from unittest.mock import patch

import jsonschema
import msgspec
import pytest
import yaml

from kexplain.cli.main import run
from kexplain.render.json import schema
from kexplain.report import shared_verdicts
from kexplain.report.records import Report
from tests.report.shared import written_out

FOLDER = Path(__file__).parents[2] / "fixtures" / "anti-affinity-more-replicas-than-nodes"
REPLICAS = "4"


def _run(*words: str) -> None:
    given = ["--nodes", str(FOLDER / "nodes.yaml"), "--replicas", REPLICAS]
    assert run([str(FOLDER / "deployment.yaml"), *given, *words]) == 1


def _large(*words: str) -> None:
    with patch.object(shared_verdicts, "WRITTEN_OUT", 1):
        _run(*words)


def test_json_says_the_same(tmp_path: Path) -> None:
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    _run("-o", f"json={small}")
    _large("-o", f"json={large}")
    jsonschema.Draft202012Validator(json.loads(schema())).validate(json.loads(large.read_text()))
    whole, shared = (msgspec.json.decode(path.read_bytes(), type=Report) for path in (small, large))
    assert not any(pod.node_verdicts for pod in shared.pods)
    for one, other in zip(whole.pods, written_out(shared), strict=True):
        verdicts = tuple(sorted(one.node_verdicts, key=lambda each: each.node))
        assert other == msgspec.structs.replace(one, node_verdicts=verdicts)
    assert msgspec.structs.replace(shared, pods=whole.pods, node_names=()) == whole


def test_yaml_is_the_json(tmp_path: Path) -> None:
    _large("-o", f"json={tmp_path / 'a.json'}", "-o", f"yaml={tmp_path / 'a.yaml'}")
    assert yaml.safe_load((tmp_path / "a.yaml").read_text()) == json.loads((tmp_path / "a.json").read_text())


def test_csv_and_text_beside_it_are_as_ever(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("-o", f"csv={tmp_path / 'small.csv'}", "-o", "text")
    text = capsys.readouterr().out
    _large("-o", f"csv={tmp_path / 'large.csv'}", "-o", "text")
    assert capsys.readouterr().out == text
    small, large = ((tmp_path / name).read_text() for name in ("small.csv", "large.csv"))
    assert small == large
    assert len(list(csv.DictReader(small.splitlines()))) > int(REPLICAS)


def test_a_view_of_one_plugin_is_that_of_all_pods(tmp_path: Path) -> None:
    _large("-o", f"json={tmp_path / 'one.json'}", "--plugin", "NodeResourcesFit")
    report = msgspec.json.decode((tmp_path / "one.json").read_bytes(), type=Report)
    plugins = {score.plugin for pod in report.pods for verdict in pod.verdicts for score in verdict.scores}
    assert plugins == {"NodeResourcesFit"}


def test_a_file_that_cannot_be_written_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with patch.object(shared_verdicts, "WRITTEN_OUT", 1):
        given = [str(FOLDER / "deployment.yaml"), "--nodes", str(FOLDER / "nodes.yaml"), "--replicas", REPLICAS]
        assert run([*given, "-o", f"json={tmp_path}"]) == 2
    assert "cannot be written" in capsys.readouterr().err
