"""What stands together on one page."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, build_scheduler, explain
from kexplain.diagnosis.records import Finding, Kind
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.render.pages import Listing, Page, Sheet, State
from kexplain.render.pages.explanation import page
from kexplain.render.view import View
from kexplain.report.not_running import NotRunning
from kexplain.report.workloads import PlacedPod, WorkloadReport
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


@pytest.mark.parametrize("cpu", ["2", "8"])
def test_what_helps_pods_that_do_not_run_stands_behind_what_helps_those_without_a_node(cpu: str) -> None:
    asking = pod("w-1", cpu=cpu, owner=controlled_by("ReplicaSet", "w"))
    there = cluster([node("n1", cpu="4")], [pod("full", cpu="3", node="n1")])
    stopped = NotRunning(
        namespace="default", name="w-0", node="n1", kind="image-not-pulled", by="the kubelet", text="x"
    )
    workload = WorkloadReport(
        kind="Deployment",
        namespace="default",
        name="w",
        wanted=2,
        missing=0,
        placed=(PlacedPod("w-0", "n1"),),
        pending=("w-1",),
        stopped=(stopped,),
        diagnosis=Finding(kind=Kind.IMAGE_NOT_PULLED, text="its image cannot be pulled"),
        remedies=(Remedy(action=Action.CHECK_NODE, text="check the image", rank=Rank.MENDS),),
    )
    report = replace(explain(Case(there, (PodToPlace(asking),)), build_scheduler()), workloads=(workload,))
    (only,) = page(report, View()).pages
    (listing,) = (part for part in only.parts if isinstance(part, Listing))
    assert [entry.text for entry in listing.entries][-1] == "for w-0: check the image"
    assert len(listing.entries) == len(report.pods[0].remedies) + 1


def waiting(kind: Kind = Kind.WAITS_FOR_EARLIER, namespace: str = "default", missing: int = 2) -> WorkloadReport:
    """A StatefulSet of which the first pod is pending, and the next ones are not made."""
    return WorkloadReport(
        kind="StatefulSet",
        namespace=namespace,
        name="w",
        wanted=2 + missing,
        missing=missing,
        placed=(PlacedPod("w-9", "n1"),),
        pending=("w-1",),
        diagnosis=Finding(kind=kind, text="w-1 is not ready"),
    )


def pages_of(workload: WorkloadReport, cpu: str = "2") -> list[Page]:
    asking = pod("w-1", cpu=cpu, owner=controlled_by("StatefulSet", "w"))
    there = cluster([node("n1", cpu="4")], [pod("full", cpu="3", node="n1")])
    report = replace(explain(Case(there, (PodToPlace(asking),)), build_scheduler()), workloads=(workload,))
    return [*page(report, View()).pages]


@pytest.mark.parametrize(("missing", "wait"), [(1, "1 pod waits"), (2, "2 pods wait")])
def test_a_workload_that_waits_for_its_pending_pod_has_its_cause(missing: int, wait: str) -> None:
    (found,) = pages_of(waiting(missing=missing))
    headline = f"default/w (StatefulSet): w-1 is pending, and {wait} for it: no room on node n1"
    assert found.headline == headline
    assert found.state is State.BAD
    titles = [part.title for part in found.parts if isinstance(part, Sheet | Listing)]
    assert titles.count("WHAT WOULD HELP") == 1
    places = next(part for part in found.parts if isinstance(part, Sheet) and part.title == "WHERE THE OTHERS RUN")
    assert places.rows == [("n1", "w-9")]


@pytest.mark.parametrize(
    ("workload", "cpu"),
    [
        pytest.param(waiting(Kind.QUOTA_USED_UP), "2", id="another reason"),
        pytest.param(waiting(namespace="other"), "2", id="another namespace"),
        pytest.param(replace(waiting(), pending=("w-2",)), "2", id="another pod"),
        pytest.param(replace(waiting(), diagnosis=None), "2", id="no reason"),
        pytest.param(waiting(), "1", id="it fits now"),
    ],
)
def test_what_waits_for_no_pod_of_the_report(workload: WorkloadReport, cpu: str) -> None:
    assert "for it" not in pages_of(workload, cpu)[0].headline
