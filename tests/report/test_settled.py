from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, SchedulerSettings, build_scheduler, explain
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(("release", "notes"), [("1.36", 0), ("1.34", 1), ("1.37", 1)])
def test_the_rules_of_waking_are_those_of_one_release(release: str, notes: int) -> None:
    case = Case(cluster([node("n1")]), (PodToPlace(pod("web")),))
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=release))
    report = explain(case, scheduler=scheduler, until_settled=True)
    said = f"waiting pods are woken by the rules of Kubernetes 1.36; in {release} other changes may wake them"
    assert report.settled is not None
    assert report.notes.count(said) == notes
