"""Statements are data until they are worded, and are published as they are."""

from __future__ import annotations

import msgspec
import pytest

from kexplain.diagnosis.findings.place import Place
from kexplain.diagnosis.findings.statement import Few, Statement, told

G1 = Place(count=1, nodes=("g1",), pools=("general",), pool="general")


@pytest.mark.parametrize(
    ("said", "published", "text"),
    [
        pytest.param(told("node-unknown", "g9", meant=["g1"]), {"type": "node-unknown", "node": "g9", "meant": ["g1"]},
                     "spec.nodeName is g9, and there is no such node; did you mean g1?", id="names"),
        pytest.param(told("node-pools-empty", node_pools=["gpu"]), {"type": "node-pools-empty", "nodePools": ["gpu"]},
                     "NodePool gpu, which it asks for, has no node", id="camel-case"),
        pytest.param(told("larger-elsewhere", G1),
                     {"type": "larger-elsewhere",
                      "place": {"count": 1, "nodes": ["g1"], "pools": ["general"], "pool": "general"}},
                     "only node g1 (pool general) would be large enough", id="a-place"),
        pytest.param(told("resource-unknown", "a.b/c", [], [told("supply", "a.b/d", 2, 0)]),
                     {"type": "resource-unknown", "resource": "a.b/c",
                      "instead": [{"type": "supply", "resource": "a.b/d", "total": 2, "free": 0}]},
                     "no node offers a.b/c; nodes offer 2 a.b/d (0 free)", id="statements-within"),
    ],
)  # fmt: skip
def test_data_and_words(said: Statement, published: dict[str, object], text: str) -> None:
    assert said.published == published == msgspec.json.decode(msgspec.json.encode(said.published))
    assert str(said) == text


def test_amounts_and_details_go_with_the_text() -> None:
    assert told("labels-unmet", ["a=b"], "a", [], [], Few.of("cd")).in_words.amounts == "nodes have a=c, d"
    assert told("gated", ["q"], "Kueue", "there is room").in_words.detail == "Kueue removes it once there is room."


def test_the_first_of_many_names() -> None:
    assert [str(Few.of(names)) for names in ("ab", "abcde")] == ["a, b", "a, b, c and 2 more"]
    assert not Few.of([])
