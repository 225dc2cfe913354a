"""Which objects of other projects are kept beside what they stand for."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.load.other_resources import read_as_others

META = {"name": "a", "namespace": "n", "uid": "u"}
WAITS = {"phase": "Pending", "message": "waits"}


@pytest.mark.parametrize(
    ("manifest", "with_status", "is_kept"),
    [
        pytest.param({"metadata": META, "status": WAITS}, True, True, id="says-something"),
        pytest.param({"metadata": META, "status": WAITS}, False, False, id="nobody-asks"),
        pytest.param({"metadata": META}, True, False, id="says-nothing"),
        pytest.param({"metadata": META, "spec": {"targetRef": {"name": "web"}}}, True, True, id="points-at-something"),
        pytest.param({"metadata": {**META, "finalizers": ["x"], "deletionTimestamp": "t"}}, True, True, id="held"),
        pytest.param({"metadata": {**META, "finalizers": ["x"]}}, True, False, id="not-to-go"),
        pytest.param({"metadata": {"name": "a", "uid": "u"}, "status": WAITS}, True, False, id="without-namespace"),
        pytest.param({"metadata": {"name": "a", "namespace": "n"}, "status": WAITS}, True, False, id="of-a-manifest"),
        pytest.param({"metadata": "odd", "status": WAITS}, True, False, id="odd"),
    ],
)
def test_what_is_kept(manifest: dict[str, Any], *, with_status: bool, is_kept: bool) -> None:
    found = read_as_others("example.com/v1", "Run", manifest, with_status=with_status)
    assert [each.kind for each in found] == (["Run"] if is_kept else [])


def test_workloads_come_first() -> None:
    pod = {"spec": {"containers": [{"name": "c", "image": "i"}]}}
    manifest = {"metadata": META, "spec": {"replicas": 2, "template": pod}, "status": WAITS}
    found = read_as_others("example.com/v1", "Run", manifest, with_status=True)
    assert [type(each).__name__ for each in found] == ["CustomWorkload", "OtherResource"]
