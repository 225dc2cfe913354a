from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.config.releases.release import features_of
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.status import Code, Status
from kexplain.objects.core import GroupName, Pod, PodSpec, WorkloadReference
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.scheduling import (
    GangSchedulingPolicy,
    PodGroupSchedulingPolicy,
    Workload,
    WorkloadPodGroup,
    WorkloadSpec,
)
from kexplain.plugins.gang_scheduling import GangScheduling
from tests.factories import cluster, node, pod, pod_group

from .asking import UNRESOLVABLE, rejection

OLD = GangScheduling(features_of("1.35"))
MEMBERS = [pod(name, group="pg1") for name in ("p1", "p2", "p3")]
OTHERS = [pod("p4", group="pg2"), pod("p5", group="pg2"), pod("p6"), pod("p7", group="basic")]
TOO_FEW = "waiting for minCount pods from a gang to appear in scheduling queue"
OBJECTS = [pod_group("pg1", 3), pod_group("pg2", 4), pod_group("basic")]
WORKLOAD = Workload(
    metadata=ObjectMeta(name="w", namespace="default"),
    spec=WorkloadSpec(
        pod_groups=(
            WorkloadPodGroup(name="g", policy=PodGroupSchedulingPolicy(gang=GangSchedulingPolicy(min_count=2))),
            WorkloadPodGroup(name="basic"),
        )
    ),
)


def of_workload(name: str, group: str = "g", workload: str = "w", replica: str | None = None) -> Pod:
    ref = WorkloadReference(name=workload, pod_group=group, pod_group_replica_key=replica)
    return Pod(metadata=pod(name).metadata, spec=PodSpec(workload_ref=ref))


@pytest.mark.parametrize(
    ("asking", "there", "objects", "verdict"),
    [
        pytest.param(OTHERS[2], [], [], None, id="no-group"),
        pytest.param(OTHERS[3], [], OBJECTS, None, id="no-gang"),
        pytest.param(
            MEMBERS[0], MEMBERS, [], 'waiting for pods\'s pod group "pg1" to appear in scheduling queue', id="not-there"
        ),
        pytest.param(MEMBERS[0], [MEMBERS[0], MEMBERS[1], *OTHERS], OBJECTS, TOO_FEW, id="too-few"),
        pytest.param(MEMBERS[0], MEMBERS, OBJECTS, None, id="enough"),
        pytest.param(
            MEMBERS[0],
            [*MEMBERS[:2], pod("p3", group="pg1", node="gone")],
            OBJECTS,
            None,
            id="one-on-a-node-that-is-gone",
        ),
        pytest.param(
            MEMBERS[0], [*MEMBERS[:2], pod("p3", group="pg1", phase="Failed")], OBJECTS, TOO_FEW, id="one-has-failed"
        ),
        pytest.param(
            MEMBERS[0],
            [*MEMBERS[:2], pod("p3", group="pg1", namespace="other")],
            OBJECTS,
            TOO_FEW,
            id="one-in-another-namespace",
        ),
        pytest.param(of_workload("a"), [], [], None, id="reference-of-another-release"),
    ],
)
def test_pre_enqueue(
    asking: Pod, there: Sequence[Pod], objects: Sequence[KubernetesObject], verdict: str | None
) -> None:
    found = GangScheduling().pre_enqueue(asking, cluster([], there, *objects))
    assert found == (rejection(UNRESOLVABLE, verdict) if verdict else None)


@pytest.mark.parametrize(
    ("asking", "there", "objects", "verdict"),
    [
        pytest.param(of_workload("a"), [of_workload("a"), of_workload("b")], [WORKLOAD], None, id="enough"),
        pytest.param(of_workload("a"), [of_workload("a")], [WORKLOAD], TOO_FEW, id="too-few"),
        pytest.param(
            of_workload("a", replica="0"),
            [of_workload("a", replica="0"), of_workload("b", replica="1")],
            [WORKLOAD],
            TOO_FEW,
            id="replicas-count-apart",
        ),
        pytest.param(of_workload("a", "basic"), [], [WORKLOAD], None, id="no-gang"),
        pytest.param(
            of_workload("a"), [], [], 'waiting for pods\'s workload "w" to appear in scheduling queue', id="no-workload"
        ),
        pytest.param(
            of_workload("a", "x"), [], [WORKLOAD], 'pod group "x" doesn\'t exist for a workload "w"', id="no-such-group"
        ),
        pytest.param(pod("p", group="pg1"), [], [], None, id="group-of-another-release"),
    ],
)
def test_groups_of_workloads(
    asking: Pod, there: Sequence[Pod], objects: Sequence[KubernetesObject], verdict: str | None
) -> None:
    found = OLD.pre_enqueue(asking, cluster([], there, *objects))
    assert found == (rejection(UNRESOLVABLE, verdict) if verdict else None)


WAITS = "waiting for minCount pods from a gang to be scheduled"


@pytest.mark.parametrize(
    ("asking", "placed", "verdict"),
    [
        pytest.param(OTHERS[2], 0, None, id="no-group"),
        pytest.param(OTHERS[3], 0, None, id="no-gang"),
        pytest.param(MEMBERS[0], 2, Status(Code.WAIT, (WAITS,)), id="too-few-have-a-node"),
        pytest.param(MEMBERS[0], 3, None, id="enough-have-a-node"),
    ],
)
def test_permit(asking: Pod, placed: int, verdict: Status | None) -> None:
    made = cluster([node("n1")], MEMBERS, *OBJECTS)
    for member in MEMBERS[:placed]:
        made = made.assume(member, "n1")
    assert GangScheduling().permit(asking, made) == verdict


def test_permit_of_a_group_that_is_gone() -> None:
    found = GangScheduling().permit(MEMBERS[0], cluster([], MEMBERS))
    assert found is not None
    assert found.code is Code.ERROR


def test_steps_before_binding() -> None:
    made = cluster([node("n1")], MEMBERS, *OBJECTS)
    (step,) = GangScheduling().binding_steps(MEMBERS[0], None, made, "n1")
    assert step.action == "wait until 3 pods of the gang default/pg1 have a node"
    assert GangScheduling().binding_steps(OTHERS[3], None, made, "n1") == ()


# ------------------------------------------------------------------------------------- while a group is tried

NEWEST = GangScheduling(features_of("1.37", {"GenericWorkload": True}))


@pytest.mark.parametrize(
    ("group", "scheduled", "remaining", "verdict"),
    [
        pytest.param("pg1", 0, 3, Code.WAIT, id="all-may-yet-fit"),
        pytest.param("pg1", 1, 2, Code.WAIT, id="some-do"),
        pytest.param("pg1", 3, 0, None, id="enough"),
        pytest.param("pg1", 3, 5, None, id="enough-before-the-last"),
        pytest.param("pg1", 4, 0, None, id="more-than-enough"),
        pytest.param("pg1", 0, 2, Code.UNSCHEDULABLE, id="too-few-from-the-start"),
        pytest.param("pg1", 2, 0, Code.UNSCHEDULABLE, id="one-is-missing"),
        pytest.param("basic", 0, 2, Code.WAIT, id="no-gang-needs-one"),
        pytest.param("basic", 1, 1, None, id="no-gang-has-one"),
        pytest.param("basic", 0, 0, Code.UNSCHEDULABLE, id="no-gang-has-none"),
    ],
)
def test_feasible(group: str, scheduled: int, remaining: int, verdict: Code | None) -> None:
    found = NEWEST.feasible(GroupName("default", group), cluster([], [], *OBJECTS), scheduled, remaining)
    assert (found.code if found else None) is verdict


def test_what_is_said_while_a_group_is_tried_counts() -> None:
    made = cluster([], [], *OBJECTS)
    waits = NEWEST.feasible(GroupName("default", "pg1"), made, 1, 2)
    ends = NEWEST.feasible(GroupName("default", "pg1"), made, 1, 1)
    assert waits is not None
    assert ends is not None
    assert waits.message == "minCount (3) is not yet satisfied: 1 scheduled, 2 remaining"
    assert ends.message == "minCount (3) cannot be satisfied: 1 scheduled, 1 remaining"


def test_newer_releases_name_the_pod() -> None:
    found = NEWEST.pre_enqueue(MEMBERS[0], cluster([], MEMBERS))
    assert found is not None
    assert found.message == 'waiting for pod\'s pod group "pg1" to appear in scheduling queue'


@pytest.mark.parametrize(("release", "points"), [("1.37", (ExtensionPoint.PERMIT,)), ("1.38", ())])
def test_the_newest_release_has_no_say_at_permit(release: str, points: tuple[ExtensionPoint, ...]) -> None:
    assert GangScheduling(features_of(release, {"GenericWorkload": True})).binding_points == points
