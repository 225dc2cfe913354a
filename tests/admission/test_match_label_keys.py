from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.admission.match_label_keys import with_merged_label_keys
from kexplain.objects.meta import LabelSelector

from .factories import spec

LABELS = {"app": "web", "version": "2", "tenant": "t"}
WEB = {"matchLabels": {"app": "web"}}
IN_2 = {"key": "version", "operator": "In", "values": ["2"]}
NOT_IN_T = {"key": "tenant", "operator": "NotIn", "values": ["t"]}
HAS_X = {"key": "x", "operator": "Exists"}

CASES = [
    pytest.param({"labelSelector": WEB}, WEB, id="no-keys"),
    pytest.param({"labelSelector": WEB, "matchLabelKeys": ["version"]}, {**WEB, "matchExpressions": [IN_2]}, id="one"),
    pytest.param(
        {"labelSelector": {"matchExpressions": [HAS_X]}, "matchLabelKeys": ["version"]},
        {"matchExpressions": [HAS_X, IN_2]},
        id="behind-its-own",
    ),
    pytest.param({"labelSelector": WEB, "matchLabelKeys": ["no"]}, WEB, id="pod-has-no-such-label"),
    pytest.param({"matchLabelKeys": ["version"]}, None, id="no-selector-selects-nothing"),
    pytest.param(
        {"labelSelector": {}, "matchLabelKeys": ["version"]}, {"matchExpressions": [IN_2]}, id="empty-selector"
    ),
]
MISMATCH = pytest.param(
    {"labelSelector": WEB, "mismatchLabelKeys": ["tenant"], "matchLabelKeys": ["version"]},
    {**WEB, "matchExpressions": [IN_2, NOT_IN_T]},
    id="match-before-mismatch",
)


def selector(fields: dict[str, Any] | None) -> LabelSelector | None:
    return msgspec.convert(fields, LabelSelector | None)


@pytest.mark.parametrize("side", ["pod_affinity", "pod_anti_affinity"])
@pytest.mark.parametrize(("term", "expected"), [*CASES, MISMATCH])
def test_pod_affinity(side: str, term: dict[str, Any], expected: dict[str, Any] | None) -> None:
    terms = {
        "requiredDuringSchedulingIgnoredDuringExecution": [term],
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": term}],
    }
    field = {"pod_affinity": "podAffinity", "pod_anti_affinity": "podAntiAffinity"}[side]
    affinity = getattr(with_merged_label_keys(spec(affinity={field: terms}), LABELS).affinity, side)
    (required,) = affinity.required
    (preferred,) = affinity.preferred
    assert required.label_selector == selector(expected)
    assert preferred.pod_affinity_term.label_selector == selector(expected)


@pytest.mark.parametrize(("constraint", "expected"), CASES)
def test_spread_constraints(constraint: dict[str, Any], expected: dict[str, Any] | None) -> None:
    merged = with_merged_label_keys(spec(topologySpreadConstraints=[constraint]), LABELS)
    (only,) = merged.topology_spread_constraints or ()
    assert only.label_selector == selector(expected)


def test_nothing_to_merge() -> None:
    assert with_merged_label_keys(spec(), LABELS) == spec()
