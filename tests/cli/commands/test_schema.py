"""What upstream's reasons are called here, as programs read it, held to recordings and to what is diagnosed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kexplain import tables
from kexplain.diagnosis.records import Kind
from kexplain.framework.status import Code
from kexplain.messages.message import parse_message
from kexplain.messages.tables import table
from kexplain.messages.text import Text
from kexplain.render import Kind as Document
from tests.cli.command import kexplain
from tests.conformance.corpora import DEFAULT
from tests.conformance.unschedulable import explained
from tests.recorder.store import lines

KUEUE = Path(__file__).parents[3] / "kexplain/queues/tables/reasons.toml"
#: Every taint that is known by its key has a text of its own, which is one reason all the same.
TAINT = ("node(s) had untolerated taint {", "node(s) had taint {")


@pytest.fixture(scope="module")
def reasons() -> list[dict[str, Any]]:
    done = kexplain("schema", "--reasons")
    assert (done.returncode, done.stderr) == (0, b"")
    document = json.loads(done.stdout)
    assert (document["apiVersion"], document["kind"]) == ("kexplain/v1", "Reasons")
    found: list[dict[str, Any]] = document["reasons"]
    return found


def _key(text: Text) -> str:
    generic = (f"{beginning}<taint>}}" for beginning in TAINT if text.template.startswith(beginning))
    reason = next(generic, text.template)
    return f"{reason}, that the pod didn't tolerate" if reason.startswith(TAINT[1]) else reason


def test_each_reason_of_a_filter_has_a_row_with_its_releases(reasons: list[dict[str, Any]]) -> None:
    rows = {each["reason"]: each for each in reasons}
    for text in table("scheduler-nodes"):
        if text.source:
            row = rows[_key(text)]
            assert row["source"] == text.source
            if not text.template.startswith(TAINT):
                assert (row.get("since", ""), row.get("until", "")) == (text.releases.first, text.releases.last)


def test_kinds_and_codes_are_ours_and_upstream_s(reasons: list[dict[str, Any]]) -> None:
    kinds, codes = set(Kind), {code.value for code in Code}
    for each in reasons:
        assert each["kinds"], each
        assert set(each["kinds"]) <= kinds, each
        assert set(each["codes"]) <= codes, each
        assert bool(each["codes"]) == (each["source"] != "Kueue"), each


def test_tokens_of_kueue_are_read_as_here(reasons: list[dict[str, Any]]) -> None:
    tokens = {each["reason"]: each["kinds"] for each in reasons if each["source"] == "Kueue"}
    assert tokens == {token: [kind] for token, kind in tomllib.loads(KUEUE.read_text())["kinds"].items()}
    assert {token for each in reasons for token in each.get("kueue", ())} <= tokens.keys()


def test_the_codes_that_are_proposed_upstream_stand_beside_the_plugins_they_are_proposed_with(
    reasons: list[dict[str, Any]],
) -> None:
    """Source: the example in kubernetes#138991, `schedulingDiagnostics`, with the event that it is about."""
    proposed = {each["reason"]: (each["source"], each["proposed"]) for each in reasons if "proposed" in each}
    assert proposed.pop("Insufficient cpu") == ("NodeResourcesFit", ["InsufficientCPU"])
    assert [*proposed.values()] == [("TaintToleration", ["TaintMismatch"])] * 4
    assert len(proposed) == sum(each["source"] == "TaintToleration" for each in reasons)


def _recorded() -> Iterator[tuple[str, str, str]]:
    """Plugin, code and reason of every node that was turned down, of every release."""
    for line in (line for file in sorted(DEFAULT.glob("v1.*/*.jsonl.gz")) for line in lines(file)):
        for result in json.loads(line)["expected"]["results"]:
            for answer in (result.get("nodeStatus") or {}).values():
                for reason in answer.get("reasons") or ():
                    yield answer.get("plugin") or "kube-scheduler", answer["code"], reason


def test_what_was_recorded_has_the_code_of_its_row(reasons: list[dict[str, Any]]) -> None:
    rows = {each["reason"]: each for each in reasons}
    seen = set(_recorded())
    assert len(seen) > 100
    for plugin, code, reason in seen:
        text = next(part.text for part in parse_message(f"0/1 nodes are available: 1 {reason}.").parts if part.text)
        row = rows[_key(text)]
        assert plugin in (row["source"], *row.get("alsoOf", ())), reason
        assert code in row["codes"], reason


def test_what_is_diagnosed_is_among_the_kinds_of_its_reasons(reasons: list[dict[str, Any]]) -> None:
    rows: Mapping[str, dict[str, Any]] = {each["reason"]: each for each in reasons}
    asked = 0
    for name, pod in explained().items():
        # Where more objects to a node than the message says, that may be what is told first.
        if pod.diagnosis is None or any(set(cause.alone_on) != set(cause.nodes) for cause in pod.causes):
            continue
        texts = [part.text for part in parse_message(pod.message).parts if part.text]
        kinds = {kind for text in texts if _key(text) in rows for kind in rows[_key(text)]["kinds"]}
        assert not kinds or pod.diagnosis.kind in kinds, (name, pod.message)
        asked += bool(kinds)
    assert asked > 20


def test_each_field_is_described_and_no_description_is_left_over() -> None:
    """A new field needs a row in `json-fields.json`: its name, or `Record.name` where it says something else there."""
    told = tables.table("json-fields", dict[str, str])
    used: set[str] = set()
    for document in Document:
        if document is not Document.SETTINGS:
            definitions = json.loads(kexplain("schema", document.value).stdout)["$defs"]
            fields = [(kind, name) for kind, each in definitions.items() for name in each.get("properties", ())]
            used |= {key for kind, name in fields for key in (name, f"{kind}.{name}")}
            described = {
                (kind, name) for kind, name in fields if "description" in definitions[kind]["properties"][name]
            }
            # What plugins and judges add, which is made known by its type, may go without.
            assert {(kind, name) for kind, name in fields if "type" not in definitions[kind]["properties"]} <= described
    assert told.keys() <= used
    assert all(text.endswith(".") for text in told.values())


def test_a_document_goes_by_its_command_or_by_the_kind_that_it_names() -> None:
    for document in Document:
        printed = kexplain("schema", document.value).stdout
        if document is not Document.SETTINGS:
            record = json.loads(printed)
            kind = record["$defs"][record["$ref"].rpartition("/")[2]]["properties"]["kind"]["default"]
            assert kexplain("schema", kind).stdout == printed
    assert kexplain("schema", "Differense").stderr.decode().startswith("kexplain: there is no document Differense")
