from __future__ import annotations

from typing import Any

import pytest

from kexplain.admission.runtime_class import merge_tolerations, with_runtime_class

from .factories import runtime_class, spec, tolerations

KATA = runtime_class(
    "kata",
    overhead={"podFixed": {"cpu": "250m"}},
    scheduling={"nodeSelector": {"runtime": "kata"}, "tolerations": [{"key": "kata", "operator": "Exists"}]},
)
PLAIN = runtime_class("plain")
SCHEDULED = runtime_class("scheduled", scheduling={})
CLASSES = {known.name: known for known in (KATA, PLAIN, SCHEDULED)}


def test_everything_of_a_class() -> None:
    pod_spec = spec(
        runtimeClassName="kata", nodeSelector={"disk": "ssd"}, tolerations=[{"key": "a", "operator": "Exists"}]
    )
    admitted, notes = with_runtime_class(pod_spec, CLASSES)
    assert admitted.overhead == {"cpu": "250m"}
    assert admitted.node_selector == {"disk": "ssd", "runtime": "kata"}
    assert [toleration.key for toleration in admitted.tolerations or ()] == ["a", "kata"]
    assert notes == ()


@pytest.mark.parametrize("name", [None, "", "plain"])
def test_nothing_to_do(name: str | None) -> None:
    pod_spec = spec(runtimeClassName=name, tolerations=[{"key": "a"}, {"key": "a"}])
    assert with_runtime_class(pod_spec, CLASSES) == (pod_spec, ())


def test_scheduling_without_tolerations_still_drops_redundant_ones() -> None:
    pod_spec = spec(runtimeClassName="scheduled", tolerations=[{"key": "a"}, {"key": "a"}])
    admitted, _ = with_runtime_class(pod_spec, CLASSES)
    assert admitted.tolerations == tolerations({"key": "a"})
    assert admitted.node_selector is None


def test_own_node_selector_stands() -> None:
    admitted, _ = with_runtime_class(spec(runtimeClassName="kata", nodeSelector={"runtime": "x"}), CLASSES)
    assert admitted.node_selector == {"runtime": "x"}


def test_missing_class() -> None:
    pod_spec = spec(runtimeClassName="gvisor")
    admitted, (note,) = with_runtime_class(pod_spec, CLASSES)
    assert admitted is pod_spec
    assert note == (
        'RuntimeClass "gvisor" was not read: nothing assumed of its overhead, node selector '
        "and tolerations (kubectl get runtimeclass/gvisor -o yaml)"
    )


ALL = {"operator": "Exists"}
ANY_A = {"key": "a", "operator": "Exists"}
A_1 = {"key": "a", "operator": "Equal", "value": "1"}
A_1_BARE = {"key": "a", "value": "1"}
A_NO_SCHEDULE = {"key": "a", "operator": "Exists", "effect": "NoSchedule"}
A_EVICT = {"key": "a", "operator": "Exists", "effect": "NoExecute"}
B_GT = {"key": "b", "operator": "Gt", "value": "1"}


def for_seconds(seconds: int) -> dict[str, Any]:
    return {**A_EVICT, "tolerationSeconds": seconds}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param([A_1], [B_GT], [A_1, B_GT], id="in-order"),
        pytest.param([A_1, ANY_A], [], [ANY_A], id="later-covers-earlier"),
        pytest.param([ANY_A], [A_1], [ANY_A], id="earlier-covers-later"),
        pytest.param([A_1, ANY_A], [ALL], [ALL], id="everything"),
        pytest.param([A_1], [A_1], [A_1], id="equal"),
        pytest.param([{**A_1, "effect": ""}], [A_1], [{**A_1, "effect": ""}], id="empty-is-absent"),
        pytest.param([{**A_NO_SCHEDULE, "operator": ""}], [A_NO_SCHEDULE], [A_NO_SCHEDULE], id="any-value"),
        pytest.param([A_NO_SCHEDULE], [ANY_A], [ANY_A], id="any-effect"),
        pytest.param([A_NO_SCHEDULE], [A_EVICT], [A_NO_SCHEDULE, A_EVICT], id="other-effect"),
        pytest.param([for_seconds(5)], [for_seconds(9)], [for_seconds(9)], id="longer"),
        pytest.param([for_seconds(9)], [for_seconds(5)], [for_seconds(9)], id="shorter"),
        pytest.param([for_seconds(9)], [A_EVICT], [A_EVICT], id="forever"),
        pytest.param([for_seconds(9)], [ANY_A], [ANY_A], id="forever-with-any-effect"),
        pytest.param(
            [A_1], [{**A_1, "effect": "NoSchedule"}], [A_1], id="equal-covered-by-value",
        ),
        pytest.param(
            [A_1_BARE], [{**A_1_BARE, "effect": "NoSchedule"}],
            [A_1_BARE, {**A_1_BARE, "effect": "NoSchedule"}],
            id="left-out-operator-not-covered-by-value",
        ),
        pytest.param([A_1_BARE], [A_1], [A_1_BARE], id="left-out-operator-covers-equal"),
        pytest.param([B_GT], [{**B_GT, "value": "2"}], [B_GT, {**B_GT, "value": "2"}], id="other-operator"),
        pytest.param([{"operator": "Equal"}], [A_1], [{"operator": "Equal"}, A_1], id="no-key-no-exists"),
    ],
)  # fmt: skip
def test_merge(first: list[dict[str, Any]], second: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert merge_tolerations(tolerations(*first), tolerations(*second)) == tolerations(*expected)
