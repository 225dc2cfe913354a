"""What stands together on one page."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, build_scheduler, explain
from kexplain.diagnosis.records import Finding, Kind
from kexplain.render.pages.explanation import page
from kexplain.render.view import View
from kexplain.report.workloads import WorkloadReport
from tests.factories import cluster, controlled_by, node, pod


@pytest.mark.parametrize(
    ("missing", "headlines"),
    [
        pytest.param(0, ["default/w (Deployment): 1 of 1 pod is pending: no room on node n1"], id="one-fate"),
        pytest.param(
            1,
            [
                "default/w (Deployment): 1 of 2 pods has not been created; 1 is pending: quota q is used up",
                "default/w-1 does not fit on the only node: no room on node n1",
            ],
            id="two-fates",
        ),
    ],
)
def test_pods_that_are_missing_for_another_reason_have_a_page_of_their_own(missing: int, headlines: list[str]) -> None:
    asking = pod("w-1", cpu="2", owner=controlled_by("ReplicaSet", "w"))
    there = cluster([node("n1", cpu="4")], [pod("full", cpu="3", node="n1")])
    workload = WorkloadReport(
        kind="Deployment",
        namespace="default",
        name="w",
        wanted=1 + missing,
        missing=missing,
        placed=(),
        pending=("w-1",),
        diagnosis=Finding(kind=Kind.QUOTA_USED_UP, text="quota q is used up") if missing else None,
    )
    report = replace(explain(Case(there, (PodToPlace(asking),)), build_scheduler()), workloads=(workload,))
    assert [each.headline for each in page(report, View()).pages] == headlines
