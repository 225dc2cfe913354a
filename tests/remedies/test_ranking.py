"""Which of the remedies found are worth a word."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.api import build_scheduler
from kexplain.objects.changes import Change, Target
from kexplain.remedies.ranking import Ranking
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.trials import Trials
from tests.factories import cluster, node, pod

SELECTOR = "/spec/template/spec/nodeSelector"


def remedy(text: str, *operations: dict[str, Any], rank: Rank = Rank.MENDS) -> Remedy:
    change = Change(target=Target(kind="Deployment", name="web"), verb="patch", patch=list(operations))
    return Remedy(action=Action.RELAX_NODE_AFFINITY, text=text, tried=True, changes=(change,), rank=rank)


def remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


LINE, ARCH = remove(f"{SELECTOR}/line"), remove(f"{SELECTOR}/kubernetes.io~1arch")


@pytest.mark.parametrize(
    ("found", "texts"),
    [
        pytest.param([remedy("both", remove(SELECTOR)), remedy("line", LINE)], ["line"], id="the-whole-and-a-part"),
        pytest.param([remedy("both", LINE, ARCH), remedy("arch", ARCH)], ["arch"], id="two-and-one-of-them"),
        pytest.param([remedy("line", LINE), remedy("arch", ARCH)], ["line", "arch"], id="one-or-the-other"),
        pytest.param(
            [remedy("both", LINE, ARCH), remedy("arch", ARCH, rank=Rank.LAST_RESORT)],
            ["both", "arch"],
            id="a-part-that-nobody-wants",
        ),
    ],
)
def test_what_does_more_than_is_enough_is_left_out(found: list[Remedy], texts: list[str]) -> None:
    ranking = Ranking()
    for each in found:
        ranking.add(0, each)
    asked = Trials(build_scheduler().schedule(pod(), cluster([node("n1")])))
    assert [each.text for each in ranking.remedies(asked)] == texts
