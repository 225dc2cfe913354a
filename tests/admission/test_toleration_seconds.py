from __future__ import annotations

from typing import Any

import pytest

from kexplain.admission.toleration_seconds import with_default_tolerations

from .factories import spec, tolerations

NOT_READY = {
    "key": "node.kubernetes.io/not-ready",
    "operator": "Exists",
    "effect": "NoExecute",
    "tolerationSeconds": 300,
}
UNREACHABLE = {**NOT_READY, "key": "node.kubernetes.io/unreachable"}
OTHER = {"key": "a", "operator": "Exists"}
KEY = NOT_READY["key"]


@pytest.mark.parametrize(
    ("own", "added"),
    [
        pytest.param([], [NOT_READY, UNREACHABLE], id="both"),
        pytest.param([OTHER], [NOT_READY, UNREACHABLE], id="behind-its-own"),
        pytest.param([{"operator": "Exists"}], [], id="tolerates-everything"),
        pytest.param([{"operator": "Exists", "effect": "NoExecute"}], [], id="any-key"),
        pytest.param([{"operator": "Exists", "effect": "NoSchedule"}], [NOT_READY, UNREACHABLE], id="effect"),
        pytest.param([{"key": KEY, "operator": "Exists"}], [UNREACHABLE], id="one-of-both"),
        pytest.param([{"key": KEY, "operator": "Equal", "value": "x"}], [UNREACHABLE], id="whatever-its-value"),
        pytest.param([{**UNREACHABLE, "tolerationSeconds": 5}], [NOT_READY], id="own-seconds"),
    ],
)
def test_default_tolerations(own: list[dict[str, Any]], added: list[dict[str, Any]]) -> None:
    admitted = with_default_tolerations(spec(tolerations=own))
    assert admitted.tolerations == tolerations(*own, *added)


def test_none_at_all() -> None:
    assert with_default_tolerations(spec()).tolerations == tolerations(NOT_READY, UNREACHABLE)
