from __future__ import annotations

import pytest

from kexplain.objects.meta import KubernetesObject, LabelSelector
from kexplain.plugins.disruption_budgets import Evictions, parse_budgets
from tests.factories import budget, cluster, node, pod, selector

A = {"app": "a"}
BY_A = selector(A)


def violating(
    names: str, *budgets: KubernetesObject, labels: dict[str, str] | None = None, ends_at_first: bool = False
) -> str:
    evictions = Evictions(parse_budgets(cluster([node("n1")], (), *budgets)), ends_at_first=ends_at_first)
    pods = [pod(name, node="n1", labels=A if labels is None else labels) for name in names.split()]
    return " ".join(each.name for each in pods if evictions.violates(each))


@pytest.mark.parametrize(
    ("budgets", "expected"),
    [
        pytest.param([], "", id="no-budgets"),
        pytest.param([budget("b", BY_A, 3)], "", id="enough"),
        pytest.param([budget("b", BY_A, 2)], "c", id="the-last-is-one-too-many"),
        pytest.param([budget("b", BY_A, 0)], "a b c", id="none-left"),
        pytest.param([budget("b", BY_A, -1)], "a b c", id="overdrawn"),
        pytest.param([budget("b", BY_A, None)], "a b c", id="unknown-is-none"),
        pytest.param([budget("b", BY_A, 1), budget("c", BY_A, 2)], "b c", id="every-budget-counts"),
        pytest.param([budget("b", BY_A, 1, disrupted=["a"])], "c", id="already-disrupted-costs-nothing"),
        pytest.param([budget("b", BY_A, 0, namespace="other")], "", id="another-namespace"),
        pytest.param([budget("b", selector({"app": "b"}), 0)], "", id="other-pods"),
        pytest.param([budget("b", selector(), 0)], "", id="empty-selector-protects-nothing"),
        pytest.param([budget("b", None, 0)], "", id="no-selector-protects-nothing"),
        pytest.param([budget("b", selector(None, ("app", "In", ())), 0)], "", id="malformed-selector"),
        pytest.param([budget("b", selector(None, ("app", "Exists", ())), 2)], "c", id="expression"),
    ],
)
def test_budgets(budgets: list[KubernetesObject], expected: str) -> None:
    assert violating("a b c", *budgets) == expected


@pytest.mark.parametrize("matching", [selector(None, ("app", "DoesNotExist", ())), selector(A)])
def test_pods_without_labels_are_never_protected(matching: LabelSelector) -> None:
    assert violating("a b", budget("b", matching, 0), labels={}) == ""


def test_a_violation_may_leave_the_budgets_behind_it_alone() -> None:
    budgets = [budget("b", BY_A, 0), budget("c", selector(None, ("app", "Exists", ())), 1)]
    evictions = Evictions(parse_budgets(cluster([node("n1")], (), *budgets)), ends_at_first=True)
    assert evictions.violates(pod("x", labels=A))
    assert not evictions.violates(pod("y", labels={"app": "other"}))
    assert violating("x", *budgets) == "x"
