"""What lets a pod go that its budget keeps: only where the budget would let it go then."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.objects.core import Pod
from kexplain.objects.meta import Condition, LabelSelector
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.report.sparing import sparing_one
from tests.factories import budget, cluster, controlled_by, node, pod


def replica(name: str, *, ready: bool = True) -> Pod:
    conditions = [Condition(type="Ready", status=str(ready))]
    return pod(
        name, phase="Running", node="n1", labels={"app": "db"}, conditions=conditions, owner=controlled_by("Pool", "db")
    )


def kept_by(name: str) -> PodDisruptionBudget:
    """A budget of one pod."""
    made = budget(name, LabelSelector(match_labels={"app": "db"}))
    return replace(made, spec=replace(made.spec, min_available=1))


@pytest.mark.parametrize(
    ("others", "text"),
    [
        pytest.param(
            [], "let PodDisruptionBudget default/db spare one pod: maxUnavailable 1 (now minAvailable 1), or run 1 "
            "more pod of Pool db", id="all-run",
        ),
        pytest.param([replica("b", ready=False)], "", id="another-does-not-run"),
    ],
)  # fmt: skip
def test_a_budget_spares_a_pod_where_all_run(others: list[Pod], text: str) -> None:
    first = replica("a")
    there = cluster([node("n1")], [first, *others], kept_by("db"))
    assert [each.text for each in sparing_one(first, there)] == ([text] if text else [])


@pytest.mark.parametrize(
    ("least", "most", "ending"),
    [
        (2, None, "(now minAvailable 2), or run 2 more pods of Pool db"),
        ("50%", None, "(now minAvailable 50%)"),
        (None, 0, "(now maxUnavailable 0)"),
    ],
)
def test_more_pods_are_proposed_only_where_they_help(least: int | str | None, most: int | None, ending: str) -> None:
    made = kept_by("db")
    made = replace(made, spec=replace(made.spec, min_available=least, max_unavailable=most))
    (found,) = sparing_one(replica("a"), cluster([node("n1")], [replica("a")], made))
    assert found.text.endswith(ending)


def test_a_budget_that_spares_one_already_is_left_as_it_is() -> None:
    pods = [replica("a"), replica("b")]
    assert not [*sparing_one(pods[0], cluster([node("n1")], pods, kept_by("db")))]


def test_of_two_budgets_one_is_kept() -> None:
    first = replica("a")
    budgets = [kept_by("one"), kept_by("two")]
    (found,) = sparing_one(first, cluster([node("n1")], [first], *budgets))
    assert found.text.startswith("keep one of PodDisruptionBudgets default/one and default/two for these pods")
