"""Documents that are too long are cut in lists, never in the text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kexplain.cli.bounded_json import bounded, part

DOCUMENT: dict[str, Any] = {
    "kind": "Report",
    "pods": [
        {
            "nodeVerdicts": [{"node": f"n{number}"} for number in range(500)],
            "remedies": [{"text": f"remedy {number}"} for number in range(20)],
            "diagnosis": {"text": "no room"},
        }
    ],
}


def test_what_is_short_enough_is_whole() -> None:
    found = json.loads(bounded(DOCUMENT, 1 << 20))
    assert found == DOCUMENT
    assert list(found["pods"][0]) == ["diagnosis", "remedies", "nodeVerdicts"]


@pytest.mark.parametrize("longest", [200, 500, 1000, 3000, 8000])
def test_lists_that_say_little_are_cut_first(longest: int) -> None:
    text = bounded(DOCUMENT, longest)
    found = json.loads(text)
    assert len(text) <= longest
    assert found["leftOut"]["pods.0.nodeVerdicts"] == 500
    assert ("pods.0.remedies" in found["leftOut"]) is (longest < 1000)


def test_a_part_comes_page_by_page() -> None:
    found: list[Any] = []
    while True:
        page = json.loads(part(DOCUMENT, "pods.0.nodeVerdicts", len(found), 1000))
        found += page["items"]
        if "next" not in page:
            break
        assert page["next"] == len(found)
    assert found == DOCUMENT["pods"][0]["nodeVerdicts"]


@pytest.mark.parametrize("path", ["", "pods.1", "pods.x", "pods.0.diagnosis.text.0", "none"])
def test_what_is_not_there(path: str) -> None:
    with pytest.raises(KeyError):
        part(DOCUMENT, path, 0, 1000)


def test_a_value_and_an_item_that_is_longer_than_there_is_room() -> None:
    assert json.loads(part(DOCUMENT, "kind", 0, 100)) == {"value": "Report"}
    assert len(part({"pods": [{"a": ["x" * 50] * 50}]}, "pods", 0, 300)) <= 300
