"""`kexplain trace` through the command line: one page, rows, lines and spans of the same cycle."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.command import kexplain
from tests.scenarios import FIXTURES

SAMPLED = FIXTURES / "sampling-stops-early"
ASKED = ("trace", str(SAMPLED / "pod.yaml"), "--nodes", str(SAMPLED / "nodes.json"))


def _printed(*words: str) -> str:
    return kexplain(*ASKED, *words).stdout.decode()


def test_json_has_every_node_in_its_turn() -> None:
    (pod,) = json.loads(_printed("-o", "json"))["pods"]
    assert pod["walk"]["first"] == "worker-001"
    assert [each["turn"] for each in pod["walk"]["nodes"]] == [*range(1, 131)]
    assert pod["walk"]["preferred"] == ["worker-126", "worker-127"]
    assert pod["steps"][0]["extensionPoint"] == "PreEnqueue"


def test_rows_and_lines_say_the_same() -> None:
    rows = [*csv.DictReader(io.StringIO(_printed("-o", "csv")))]
    lines = [json.loads(line) for line in _printed("-o", "jsonl").splitlines()]
    nodes = [line for line in lines if "turn" in line]
    assert [row["node"] for row in rows] == [line["node"] for line in nodes]
    assert rows[125]["wouldGet"] == str(nodes[125]["wouldGet"])
    assert {line["pod"] for line in lines} == {"default/db"}
    assert "NormalizeScore" in {line.get("extensionPoint") for line in lines}


def test_spans_are_within_each_other_and_follow_one_another() -> None:
    document = json.loads(_printed("-o", "otlp"))
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    by_id = {each["spanId"]: each for each in spans}
    assert len(by_id) == len(spans)
    root, *others = spans
    assert (root["name"], root["parentSpanId"], root["status"]) == ("schedulingCycle", "", {"code": 1})
    for each in others:
        around = by_id[each["parentSpanId"]]
        assert int(around["startTimeUnixNano"]) <= int(each["startTimeUnixNano"]) < int(each["endTimeUnixNano"])
        assert int(each["endTimeUnixNano"]) <= int(around["endTimeUnixNano"])
        assert len(each["traceId"]) == 32
    # Viewers keep microseconds: what begins at once there has no order.
    assert all(int(each["startTimeUnixNano"]) % 1_000_000 == 0 for each in spans)
    values = {each["key"]: each["value"] for each in root["attributes"]}
    assert values["scheduler.nodes_to_find"] == {"intValue": "100"}
    assert values["scheduler.node"] == {"stringValue": "worker-001"}
    steps = [each["name"] for each in others if "/" in each["name"]]
    assert steps.index("Filter/NodeName") < steps.index("Score/NodeAffinity")


def test_a_pod_that_fits_nowhere_is_an_error_of_its_span() -> None:
    folder = FIXTURES / "insufficient-cpu-different-reasons"
    done = kexplain("trace", str(folder / "pod.yaml"), "--cluster", str(folder), "-o", "otlp")
    assert done.returncode == 1
    spans = json.loads(done.stdout)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert spans[0]["status"] == {"code": 2}


@pytest.mark.parametrize(("top", "shown"), [("0", 130), ("3", 3)])
def test_as_many_rows_as_asked_for(top: str, shown: int) -> None:
    printed = _printed("--top", top, "--width", "200")
    first, _, further = printed.partition("THE BEST, THE LAST, AND WHAT WAS MISSED")
    assert len(_rows(first)) == shown
    assert _rows(further) == ([] if shown == 130 else ["worker-100", "worker-126", "worker-127"])


def _rows(printed: str) -> list[str]:
    """The nodes of the rows, in order."""
    words = [line.split() for line in printed.splitlines()]
    return [each[1] for each in words if each[1:2] and each[1].startswith("worker-") and each[0].isdigit()]


def test_each_node_has_the_points_of_each_plugin_and_what_stopped_it() -> None:
    rows = [*csv.DictReader(io.StringIO(_printed("-o", "csv")))]
    assert rows[0]["points"].startswith("TaintToleration=300 NodeAffinity=0 NodeResourcesFit=90")
    assert "NodeAffinity=200" in rows[125]["points"]
    folder = FIXTURES / "insufficient-cpu-different-reasons"
    asked = ("trace", str(folder / "pod.yaml"), "--cluster", str(folder), "-o", "json")
    (pod,) = json.loads(kexplain(*asked).stdout)["pods"]
    node = pod["walk"]["nodes"][1]
    assert (node["plugin"], node["reasons"]) == ("NodeResourcesFit", ["Insufficient cpu"])
    assert node["detail"].startswith("cpu 2 > 920m free")


def test_a_page_has_a_map_of_all_nodes() -> None:
    page = _printed("-o", "html")
    assert "Each node in its turn" in page
    assert "not looked at (28)" in page
    assert "preferred, but not looked at (2)" in page
    assert page.count(' edge"') == 1
    assert page.count(' picked"') == 1
    assert '<option value="" selected>nothing</option>' in page
