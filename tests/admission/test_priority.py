from __future__ import annotations

from typing import Any

import pytest

from kexplain.admission.priority import group_with_priority, with_priority
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.scheduling import PodGroup, PodGroupSpec

from .factories import priority_class, spec

LOWER = "PreemptLowerPriority"
HIGH = priority_class("high", 1000)
NEVER = priority_class("never", -5, preemptionPolicy="Never")
DEFAULT = priority_class("normal", 7, globalDefault=True)
OTHER_DEFAULT = priority_class("lower", 3, globalDefault=True, preemptionPolicy="Never")


@pytest.mark.parametrize(
    ("fields", "classes", "expected"),
    [
        pytest.param({}, [], (None, 0, LOWER), id="no-class-at-all"),
        pytest.param({}, [HIGH], (None, 0, LOWER), id="no-default-class"),
        pytest.param({}, [HIGH, DEFAULT], ("normal", 7, LOWER), id="global-default"),
        pytest.param({"priorityClassName": ""}, [DEFAULT], ("normal", 7, LOWER), id="empty-name"),
        pytest.param({}, [DEFAULT, OTHER_DEFAULT], ("lower", 3, "Never"), id="lowest-of-two-defaults"),
        pytest.param({"priorityClassName": "high"}, [HIGH, DEFAULT], ("high", 1000, LOWER), id="named"),
        pytest.param({"priorityClassName": "never"}, [NEVER], ("never", -5, "Never"), id="never-preempts"),
        pytest.param(
            {"priorityClassName": "high", "priority": 1000}, [HIGH], ("high", 1000, LOWER), id="agrees",
        ),
        pytest.param(
            {"priorityClassName": "system-cluster-critical"}, [],
            ("system-cluster-critical", 2000000000, LOWER), id="system-cluster-critical",
        ),
        pytest.param(
            {"priorityClassName": "system-node-critical"}, [DEFAULT],
            ("system-node-critical", 2000001000, LOWER), id="system-node-critical",
        ),
    ],
)  # fmt: skip
def test_known_classes(fields: dict[str, Any], classes: list[Any], expected: tuple[str | None, int, str]) -> None:
    admitted, notes = with_priority(spec(**fields), {known.name: known for known in classes})
    assert (admitted.priority_class_name, admitted.priority, admitted.preemption_policy) == expected
    assert notes == ()


@pytest.mark.parametrize(
    ("fields", "priority", "note"),
    [
        pytest.param(
            {"priorityClassName": "high"}, 0,
            'PriorityClass "high" was not read: priority 0 assumed '
            "(kubectl get priorityclass/high -o yaml)", id="unknown",
        ),
        pytest.param(
            {"priorityClassName": "high", "priority": 5}, 5,
            'PriorityClass "high" was not read: its own priority 5 kept '
            "(kubectl get priorityclass/high -o yaml)", id="unknown-but-resolved",
        ),
        pytest.param(
            {"priority": 5}, 5,
            "no PriorityClass gives priority 5: the pod keeps it here, "
            "but an API server would refuse the pod (kubectl get priorityclasses)", id="bare-number",
        ),
    ],
)  # fmt: skip
def test_assumptions(fields: dict[str, Any], priority: int, note: str) -> None:
    admitted, notes = with_priority(spec(**fields), {})
    assert (admitted.priority, admitted.preemption_policy) == (priority, LOWER)
    assert notes == (note,)


@pytest.mark.parametrize(
    ("spec", "uid", "classes", "expected"),
    [
        pytest.param(PodGroupSpec(), "", [HIGH], None, id="no default class"),
        pytest.param(PodGroupSpec(), "", [DEFAULT], 7, id="global default"),
        pytest.param(PodGroupSpec(priority_class_name="high"), "", [HIGH, DEFAULT], 1000, id="named"),
        pytest.param(PodGroupSpec(priority_class_name="gone"), "", [DEFAULT], None, id="unknown"),
        pytest.param(
            PodGroupSpec(priority_class_name="system-node-critical"), "", [], 2_000_001_000, id="of the system"
        ),
        pytest.param(PodGroupSpec(priority_class_name="high", priority=5), "", [HIGH], 5, id="has one"),
        pytest.param(PodGroupSpec(priority_class_name="high"), "u", [HIGH], None, id="of a cluster"),
    ],
)
def test_groups(spec: PodGroupSpec, uid: str, classes: list[Any], expected: int | None) -> None:
    group = PodGroup(metadata=ObjectMeta(name="g", uid=uid or None), spec=spec)
    assert group_with_priority(group, {each.name: each for each in classes}).spec.priority == expected
