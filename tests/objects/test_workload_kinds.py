from __future__ import annotations

import pytest

from kexplain.load.record_types import record_for
from kexplain.objects.workload_kinds import WORKLOAD_KINDS, WorkloadKind, template_path


@pytest.mark.parametrize("kind", WORKLOAD_KINDS, ids=lambda kind: kind.kind)
def test_every_kind_is_read_under_its_api_version(kind: WorkloadKind) -> None:
    record = record_for(kind.api_version, kind.kind)
    assert record is not None
    assert record.__name__ == kind.kind


def test_aliases_are_those_of_kubectl() -> None:
    aliases = {kind.kind: kind.aliases for kind in WORKLOAD_KINDS}
    assert aliases["Deployment"] == ("deployment", "deployments", "deploy")
    assert aliases["Job"] == ("job", "jobs")


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("Pod", ()),
        ("PodTemplate", ("template",)),
        ("Deployment", ("spec", "template")),
        ("CronJob", ("spec", "jobTemplate", "spec", "template")),
        ("Service", ()),
    ],
)
def test_where_pods_are_described(kind: str, path: tuple[str, ...]) -> None:
    assert template_path(kind) == path
