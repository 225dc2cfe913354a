"""What is asked of templates that operators make pods of."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.objects.custom_workloads import TEMPLATE, CustomWorkload
from kexplain.objects.meta import ObjectMeta
from kexplain.validation.custom_workloads import check_template

GOOD: dict[str, Any] = {"containers": [{"name": "c", "image": "i"}]}


def workload(spec: dict[str, Any], *, is_whole: bool = True) -> CustomWorkload:
    return CustomWorkload(
        of_kind="Farm",
        metadata=ObjectMeta(name="f", namespace="shop"),
        is_whole=is_whole,
        origins=((TEMPLATE, ("spec", "workers", 0, "template")),),
        manifest={"spec": {"workers": [{"template": {"spec": spec}}]}},
    )


@pytest.mark.parametrize(
    ("spec", "paths"),
    [
        pytest.param(GOOD, [], id="good"),
        pytest.param({**GOOD, "nodeSelectr": {}}, [("spec", "template", "spec", "nodeSelectr")], id="misspelt"),
        pytest.param(
            {"containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]},
            [],
            id="volumes of the operator",
        ),
    ],
)
def test_faults_of_a_template(spec: dict[str, Any], paths: list[tuple[str | int, ...]]) -> None:
    assert [each.path for each in check_template(workload(spec), {}, releases=["1.36"])] == paths


def test_of_a_template_that_is_only_a_part_what_is_certain_is_judged() -> None:
    spec = {"nodeSelectr": {}, "scaledBy": 3, "containers": [{"image": "i"}]}
    (slip,) = check_template(workload(spec, is_whole=False), {}, releases=["1.36"])
    assert slip.path == ("spec", "template", "spec", "nodeSelectr")
