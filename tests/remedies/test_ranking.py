"""Which of the remedies found are worth a word."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import Case, build_scheduler, explain
from kexplain.case import PodToPlace
from kexplain.objects.changes import Change, Target
from kexplain.objects.core import Pod
from kexplain.remedies.ranking import Ranking
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.trials import Trials
from kexplain.render.pages.sentences import promise
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


@pytest.mark.parametrize(
    ("created", "priority", "rivals"), [("10:00", 0, ("default/other",)), ("10:01", 0, ()), ("10:00", -1, ())]
)
def test_pods_of_the_same_second_may_take_the_room_first(created: str, priority: int, rivals: tuple[str, ...]) -> None:
    def waiting(name: str, at: str, priority: int) -> Pod:
        made = pod(name, cpu="3", priority=priority)
        return replace(made, metadata=replace(made.metadata, creation_timestamp=f"2026-01-01T{at}:00Z"))

    asked, other = waiting("asked", "10:00", 0), waiting("other", created, priority)
    case = Case(cluster([node("n1", cpu="4")], [pod("runs", cpu="3", node="n1")], other), (PodToPlace(asked),))
    (told,) = explain(case, build_scheduler()).pods
    adding = next(each for each in told.remedies if each.action == Action.ADD_NODE)
    assert adding.rivals == rivals
    assert ("created in the same second" in promise(adding)) is bool(rivals)
