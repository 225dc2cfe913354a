"""Each clause of reports on whole clusters is true, and stands in the fields: the dump is read again, otherwise."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.cli.main import run
from tests.diagnosis.derived import derivations, false_clauses, statements
from tests.scenarios import FIXTURES

INCIDENTS = sorted((FIXTURES / "incidents").glob("*.json.gz"))
#: Statements that no derivation is written for.
UNDERIVED = {"quota-used-up", "refused", "domain-closed", "cannot-grow"}


def read(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def reported(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": read(path)["objects"]}))
    run([*words, "--cluster", str(dump), "-o", "json"])
    return json.loads(capsys.readouterr().out)


def named(path: Path) -> str:
    return path.name.partition(".")[0]


@pytest.mark.parametrize("path", INCIDENTS, ids=named)
def test_every_clause_is_true(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    incident, seen = read(path), set[str]()
    for words in (incident["target"], ()):
        report = reported(path, tmp_path, capsys, *words)
        assert false_clauses(incident["objects"], report, seen.add) == []
    assert seen - {*derivations()} <= UNDERIVED
    assert seen


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("istio-pilot-2gi-on-small-nodes", {"free": 1}),
        ("istio-pilot-2gi-on-small-nodes", {"inAll": 1}),
        ("aks-drained-zone-pv", {"count": 2}),
        ("aks-drained-zone-pv", {"zone": "westeurope-9"}),
        ("aerospike-zone-vs-volume", {"value": "us-west-2b"}),
        ("ccm-broken-uninitialized", {"reason": "ImagePullBackOff"}),
        ("spot-churn-equal-priorities", {"of": 10}),
        ("quota-blocks-surge", {"used": "3"}),
        ("labels-lost-in-node-upgrade", {"since": "2025-01-01T00:00:00Z"}),
        ("hostport-taken-by-svclb", {"ports": [8443]}),
    ],
)
def test_what_is_false_is_found(
    name: str, change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = FIXTURES / "incidents" / f"{name}.json.gz"
    incident = read(path)
    report = reported(path, tmp_path, capsys, *incident["target"])
    for each in (*report["pods"], *report["workloads"]):
        if each.get("diagnosis"):
            _put(each["diagnosis"]["facts"], change)
    assert false_clauses(incident["objects"], report)


def _put(value: object, change: dict[str, Any]) -> None:
    """Change the fields of these names, wherever they are."""
    if isinstance(value, dict):
        value.update({key: each for key, each in change.items() if key in value})
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _put(each, change)


def test_statements_are_found_within_others() -> None:
    facts = {"type": "a", "because": [{"type": "b"}], "besides": {"type": "c"}}
    assert [each["type"] for each in statements(facts)] == ["a", "b", "c"]
