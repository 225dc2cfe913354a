"""Objects of queues, read from dumps, snapshots and live clusters whatever their form, beside others of that name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any

import pytest

from kexplain.case.queues import with_queues
from kexplain.load import Loaded, load
from kexplain.load.live.api_resources import Resource, cluster_role
from kexplain.load.snapshot.redaction import redacted
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from kexplain.objects import queues, scheduling
from kexplain.objects.core import Pod
from tests.factories import pod

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


class _Source:
    """A cluster that notes what it is asked for."""

    namespace = ""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, resources: Sequence[Resource]) -> Loaded:
        self.asked += (resource.qualified for resource in resources)
        return Loaded()

    def events(self, pods: Iterable[tuple[str, str]], claims: Iterable[tuple[str, str]] = ()) -> Loaded:
        raise NotImplementedError

    def failures(self, controllers: Iterable[tuple[str, str, str]]) -> Loaded:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("meant", "is_asked"),
    [
        pytest.param(pod(), False, id="any-pod"),
        pytest.param(pod(gates=["kueue.x-k8s.io/admission"]), True, id="gate"),
        pytest.param(pod(scheduler_name="volcano"), True, id="another-scheduler"),
        pytest.param(pod(labels={"kueue.x-k8s.io/queue-name": "q"}), True, id="label"),
        pytest.param(pod(scheduler_name="volcano", node="n"), False, id="runs"),
    ],
)
def test_a_live_cluster_is_asked_only_where_it_may_matter(meant: Pod, is_asked: bool) -> None:
    source = _Source()
    with_queues(Loaded(), [meant], source)
    assert ("workloads.kueue.x-k8s.io" in source.asked) is is_asked
    if is_asked:
        assert {"podgroups.scheduling.volcano.sh", "queues.scheduling.run.ai"} <= set(source.asked)
        assert len(source.asked) == len(set(source.asked))


def test_the_printed_rights_have_them() -> None:
    assert 'apiGroups: ["kueue.x-k8s.io"]' in cluster_role()
    assert "clusterqueues" in cluster_role()
