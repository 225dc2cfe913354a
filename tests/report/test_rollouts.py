"""A manifest of a workload whose pods are there is followed to where its rollout ends, as lint follows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kexplain.api import Wanted, explain, load_case
from tests.cli.command import kexplain
from tests.remedies.situations import deployment, template
from tests.remedies.test_rolling_updates import two_of_three


@pytest.mark.parametrize(
    ("cpu", "stalled"),
    [
        ("1400m", "its rollout stalls at 1 of 3 new (maxSurge 1, maxUnavailable 0); 2 old pods left; 1 pending"),
        ("1", ""),
    ],
)
def test_a_pod_that_fits_is_no_rollout(cpu: str, stalled: str, tmp_path: Path) -> None:
    manifest, dump = tmp_path / "web.json", tmp_path / "cluster.json"
    asking, *_ = deployment("web", template(cpu), ["", "", ""])
    del asking["metadata"]["uid"], asking["metadata"]["creationTimestamp"]
    manifest.write_text(json.dumps(asking))
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": two_of_three()}))
    report = explain(load_case([str(manifest)], [str(dump)], Wanted(own_pods=True)))
    assert all(pod.fits for pod in report.pods)
    assert [each.stalled for each in report.workloads] == ([stalled] if stalled else [])
    done = [kexplain(*command, manifest, "--cluster", dump).returncode for command in ((), ("lint",))]
    assert done == [int(bool(stalled))] * 2
