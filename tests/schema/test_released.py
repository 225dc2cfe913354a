"""Programs that read the documents of a release can read those of today."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from . import released

Json = dict[str, Any]
PROMISED: dict[str, Json] = json.loads(released.RELEASED.read_text())


@pytest.mark.parametrize("document", PROMISED)
def test_nothing_that_was_released_is_gone(document: str) -> None:
    assert released.losses(PROMISED[document], released.schemas()[document]) == []


def gone(schema: Json) -> None:
    del schema["$defs"]["PodExplanation"]["properties"]["diagnosis"]


def another_type(schema: Json) -> None:
    schema["$defs"]["NodeCounts"]["properties"]["total"] = {"type": "string"}


def perhaps_null(schema: Json) -> None:
    schema["$defs"]["NodeCounts"]["properties"]["total"] = {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def word_gone(schema: Json) -> None:
    schema["$defs"]["Outcome"]["enum"].remove("Gated")


def not_always_there(schema: Json) -> None:
    schema["$defs"]["Report"]["required"].remove("pods")


def fact_gone(schema: Json) -> None:
    del schema["$defs"]["ResourceFact"]["properties"]["free"]


@pytest.mark.parametrize(
    ("change", "loss"),
    [
        (gone, ".diagnosis: gone"),
        (another_type, ".nodes.total: string, was integer"),
        (perhaps_null, ".nodes.total: may be null now"),
        (word_gone, ".outcome: no 'Gated' any longer"),
        (not_always_there, ".pods: not always there"),
        (fact_gone, ".free: gone"),
    ],
)
def test_what_is_lost_is_told(change: Callable[[Json], None], loss: str) -> None:
    schema = deepcopy(PROMISED["report"])
    change(schema)
    assert any(each.endswith(loss) for each in released.losses(PROMISED["report"], schema))


def test_new_fields_words_and_kinds_of_facts_are_no_loss() -> None:
    schema = deepcopy(PROMISED["report"])
    definitions = schema["$defs"]
    definitions["NodeCounts"]["properties"]["further"] = {"type": "integer"}
    definitions["Outcome"]["enum"].append("Further")
    assert released.losses(PROMISED["report"], schema) == []
