"""A workload whose pods an API server refuses gets what would help, at its place in the template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import load_case
from kexplain.diagnosis.never_created import diagnose_workload
from kexplain.diagnosis.records import Kind
from kexplain.remedies.never_created import creating
from tests.remedies.situations import deployment, limits, node, obj, template

IMPORTANT = obj("scheduling.k8s.io/v1", "PriorityClass", "important", "", value=1000)


@pytest.mark.parametrize(
    ("spec", "more", "text"),
    [
        pytest.param(
            {"priorityClassName": "importnt"},
            IMPORTANT,
            'mend spec.template.spec.priorityClassName in Deployment web: PriorityClass "importnt" is not there; '
            "did you mean important?",
            id="priority-class",
        ),
        pytest.param(
            {},
            limits(min={"cpu": "2"}),
            "mend spec.template.spec.containers[0].resources.requests.cpu in Deployment web: 1 is less than the 2 of "
            "cpu that a LimitRange asks for",
            id="limit-range",
        ),
    ],
)
def test_what_is_refused_is_named_with_its_field(
    tmp_path: Path, spec: dict[str, Any], more: dict[str, Any], text: str
) -> None:
    path = tmp_path / "cluster.json"
    never_created = [*deployment("web", template("1", **spec), ["", ""])][:2]
    others = [node("n1"), more, *deployment("api", template("3"), ["n1"])]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*never_created, *others]}))
    (own,) = load_case([], [str(path)], own_pods=True, may_be_empty=True).workloads
    assert [each.text for each in creating(own)] == [text]
    diagnosis = diagnose_workload(own)
    assert diagnosis is not None
    assert (diagnosis.kind, diagnosis.detail) == (Kind.REFUSED, text.partition(": ")[2])
