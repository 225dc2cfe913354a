"""As many nodes are counted out as the pods of a workload take, and one of several is named where it will do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.remedies.situations import deployment, node, template

from .test_scaled_down import helping


@pytest.mark.parametrize(
    ("pods", "text", "serves"),
    [
        (1, "add one more node like n1 (pool general, 2 nodes)", None),
        (2, "add one more node like n1 (pool general, 2 nodes)", 2),
        (5, "add 3 more nodes like n1 (pool general, 2 nodes)", 5),
        (25, "add one more node like n1 (pool general, 2 nodes)", 2),
    ],
)
def test_new_nodes_are_counted_out(pods: int, text: str, serves: int | None, tmp_path: Path) -> None:
    full = [*deployment("full", template("3"), ["n1", "n2"])]
    asking = deployment("web", template("2"), [""] * pods)
    items = [node("n1", pool="general"), node("n2", pool="general"), *full, *asking]
    found = next(each for each in helping(tmp_path / "cluster.json", items) if each.action == "add-node")
    assert (found.text, found.serves) == (text, serves)


@pytest.mark.parametrize(("pods", "is_enough"), [(2, True), (3, False)])
def test_one_of_several_cordoned_nodes_may_be_enough(pods: int, is_enough: bool, tmp_path: Path) -> None:
    items = [node("n1", cordoned=True, pool="general"), node("n2", cordoned=True, pool="general")]
    asking = deployment("web", template("2"), [""] * pods)
    first, *_ = helping(tmp_path / "cluster.json", [*items, *asking])
    alone = "; n1 alone is enough" if is_enough else ""
    assert first.text == f"uncordon n1 and n2, once the reason for the cordon is known{alone}"
