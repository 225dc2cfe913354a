"""What objects of queues tell: where to look is named with its group, as several projects have kinds of one name."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Kind
from kexplain.objects.queues import QueueObject
from kexplain.objects.untrusted import WrittenCondition
from kexplain.queues.told import told_of
from tests.queues.made import pod_group, read, workload


@pytest.mark.parametrize(
    ("written", "about", "command"),
    [
        (workload(), "Workload a/train", "kubectl describe workloads.kueue.x-k8s.io train -n a"),
        *(
            (pod_group(f"{group}/{version}", {}, {}), "PodGroup a/g", f"kubectl describe podgroups.{group} g -n a")
            for group, version in (
                ("scheduling.volcano.sh", "v1beta1"),
                ("scheduling.run.ai", "v2alpha2"),
                ("scheduling.x-k8s.io", "v1alpha1"),
                ("scheduling.sigs.k8s.io", "v1alpha1"),
            )
        ),
    ],
)
def test_where_to_look(written: dict[str, object], about: str, command: str) -> None:
    (obj,) = read(written)
    assert isinstance(obj, QueueObject)
    condition = WrittenCondition(reason="Full", message="words", since="t")
    found = told_of(obj, "somebody", Kind.QUEUE_WAITING, told("no-workload"), condition, ahead=2).hold
    assert found is not None
    assert (found.object, found.command) == (about, command)
    assert (found.reason, found.message, found.since, found.ahead) == ("Full", "words", "t", 2)
