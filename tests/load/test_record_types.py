from __future__ import annotations

import pytest

from kexplain.load.record_types import record_for, versions_of
from kexplain.objects.scheduling import PodGroup, Workload


@pytest.mark.parametrize("record", [PodGroup, Workload])
def test_groups_of_pods_are_read_in_every_version_that_was_served(record: type) -> None:
    newest, *older = versions_of(record)
    assert newest == "scheduling.k8s.io/v1"
    assert "scheduling.k8s.io/v1beta1" in older
    for version in (newest, *older):
        assert record_for(version, record.__name__) is record
    assert record_for("scheduling.k8s.io/v2", record.__name__) is None
