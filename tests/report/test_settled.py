from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, SchedulerSettings, build_scheduler, explain
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(("release", "of"), [("1.36", ""), ("1.32", ""), ("1.31", "1.32"), ("1.37", "1.36")])
def test_the_rules_of_waking_are_known_of_some_releases(release: str, of: str) -> None:
    case = Case(cluster([node("n1")]), (PodToPlace(pod("web")),))
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=release))
    report = explain(case, scheduler=scheduler, until_settled=True)
    said = f"waiting pods are woken by the rules of Kubernetes {of}; in {release} other changes may wake them"
    assert report.settled is not None
    assert [note for note in report.notes if "are woken by" in note] == ([said] if of else [])
