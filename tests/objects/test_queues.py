"""Objects of queues, read from dumps, snapshots and live clusters whatever their form, beside others of that name."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from kexplain.load import Loaded, load
from kexplain.load.live.api_resources import cluster_role
from kexplain.load.snapshot.redaction import redacted
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from kexplain.objects import queues, scheduling
from kexplain.objects.core import Pod

KUEUE = {
    "apiVersion": "kueue.x-k8s.io/v1beta1",
    "kind": "Workload",
    "metadata": {"name": "w", "namespace": "a"},
    "spec": {"queueName": "q"},
    "status": {"conditions": [{"type": "QuotaReserved", "status": "False"}]},
}
KUBERNETES = {"apiVersion": "scheduling.k8s.io/v1alpha1", "kind": "Workload", "metadata": {"name": "w"}}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}, "spec": {"containers": []}}


def _read(*objects: dict[str, Any]) -> Loaded:
    dump = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
    return load(["-"], stdin=BytesIO(json.dumps(dump).encode()))


def test_kinds_of_one_name_are_told_apart() -> None:
    found = _read(POD, KUEUE, KUBERNETES).objects
    assert list(map(type, found)) == [Pod, queues.Workload, scheduling.Workload]
    assert isinstance(found[1], queues.Workload)
    assert found[1].spec.queue_name == "q"


@pytest.mark.parametrize("spec", ["x", 5, [1], {"queueName": {"a": 1}, "active": "x"}])
def test_another_form_is_no_fault(spec: object) -> None:
    loaded = _read(POD, {**KUEUE, "spec": spec})
    assert any(isinstance(obj, Pod) for obj in loaded.objects)


def test_yaml() -> None:
    text = "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: q}\nspec: 5\n"
    (found,) = load(["-"], stdin=BytesIO(text.encode())).objects
    assert isinstance(found, queues.Queue)


def test_snapshots_keep_them_and_redacted_ones_do_not() -> None:
    loaded = _read(POD, KUEUE)
    again = load(["-"], stdin=BytesIO(encode_snapshot(loaded, taken_at="t")))
    assert [type(obj) for obj in again.objects] == [Pod, queues.Workload]
    assert again.objects[1].api_version == "kueue.x-k8s.io/v1beta1"
    hidden = redacted(loaded)
    assert [type(obj) for obj in hidden.objects] == [Pod]
    assert any("queues left out" in note for note in hidden.notes)


def test_the_printed_rights_have_them() -> None:
    assert "apiGroups: [kueue.x-k8s.io]" in cluster_role()
    assert "clusterqueues" in cluster_role()
