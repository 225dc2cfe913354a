"""Which kinds of objects could make a difference to a pod: where others are missing, nothing is said of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.case.records import PodToPlace
from kexplain.case.relevance import bears_on
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, ReplicaSetMeta, StatefulSet
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import LimitRange, Namespace, Node, Pod, PodResourceClaim, ReplicationController, Service
from kexplain.objects.meta import KubernetesObject, LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.scheduling import PodGroup, PriorityClass, RuntimeClass
from kexplain.objects.storage import CSINode, StorageClass
from tests.factories import affinity, cluster, controlled_by, node, pod, spread, term, volume
from tests.storage_factories import uses

APP = {"app": "web"}
ANYWHERE = replace(term(APP), namespace_selector=LabelSelector())
STORED = pod("web", uid="u")
OF_RUNTIME = replace(pod("web"), spec=replace(pod("web").spec, runtime_class_name="kata"))
WITH_DEVICES = replace(pod("web"), spec=replace(pod("web").spec, resource_claims=(PodResourceClaim("c", "c"),)))
WEB = controlled_by("ReplicaSet", "web-1")
SET = ReplicaSet(
    metadata=ReplicaSetMeta(name="web-1", namespace="default", owner_references=(controlled_by("Deployment", "web"),))
)
CLUSTER = cluster(
    [node("n1")],
    [pod("low", node="n1", priority=1), pod("plain", node="n1", priority=5, affinity=affinity(near=[term(APP)]))],
    SET,
)
Kind = type[KubernetesObject]


def of(made: Pod) -> PodToPlace:
    return PodToPlace(made, made_of=made)


@pytest.mark.parametrize(
    ("kind", "bearing", "others"),
    [
        (Node, [pod("web")], []),
        (Service, [pod("web", labels=APP)], [pod("web"), pod("web", labels=APP, spread=[spread(labels=APP)])]),
        (ReplicationController, [pod("web", labels=APP)], [pod("web")]),
        (StatefulSet, [pod("web", labels=APP)], [pod("web", owner=controlled_by("StatefulSet", "web"))]),
        (LimitRange, [pod("web")], [STORED]),
        (PriorityClass, [pod("web")], [STORED]),
        (RuntimeClass, [OF_RUNTIME], [pod("web"), replace(OF_RUNTIME, metadata=STORED.metadata)]),
        (PodGroup, [pod("web", group="g")], [pod("web")]),
        (
            PodDisruptionBudget,
            [pod("web", priority=2)],
            [pod("web", priority=1), pod("web", priority=2, preemption_policy="Never")],
        ),
        (
            PersistentVolumeClaim,
            [pod("web", volumes=uses("data")), pod("web", volumes=[volume("v", empty_dir=True), *uses("data")])],
            [pod("web"), pod("web", volumes=[volume("v", empty_dir=True)])],
        ),
        (StorageClass, [pod("web", volumes=uses("data"))], [pod("web")]),
        (CSINode, [pod("web", volumes=uses("data"))], [pod("web")]),
        (ResourceClaim, [WITH_DEVICES, pod("web", further={"acme.com/gpu": "1"})], [pod("web", cpu="1")]),
        (HorizontalPodAutoscaler, [], [pod("web", owner=WEB)]),
        (Deployment, [pod("web", owner=WEB)], [pod("web"), pod("web", owner=controlled_by("ReplicaSet", "other"))]),
        (DaemonSet, [pod("web", owner=controlled_by("DaemonSet", "web"))], [pod("web"), pod("web", owner=WEB)]),
        (Job, [pod("web", owner=controlled_by("Job", "web"))], [pod("web"), pod("web", owner=WEB)]),
        (CronJob, [], [pod("web"), pod("web", owner=controlled_by("Job", "web"))]),
        (
            Namespace,
            [pod("web", affinity=affinity(near=[ANYWHERE])), pod("web", affinity=affinity(far=[ANYWHERE]))],
            [pod("web"), pod("web", affinity=affinity(near=[term(APP)]))],
        ),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_what_could_make_a_difference(kind: Kind, bearing: list[Pod], others: list[Pod]) -> None:
    assert [bears_on(kind, [of(each)], CLUSTER) for each in bearing] == [True] * len(bearing)
    assert [bears_on(kind, [of(each)], CLUSTER) for each in others] == [False] * len(others)
    # It is enough that one of the pods needs to know.
    assert bears_on(kind, [*map(of, others), *map(of, bearing)], CLUSTER) is bool(bearing)


@pytest.mark.parametrize(
    ("kind", "expected"), [(Node, True), (Deployment, True), (Job, True), (Service, False), (StorageClass, False)]
)
def test_where_nothing_is_pending_something_may_not_have_been_created(kind: Kind, *, expected: bool) -> None:
    assert bears_on(kind, [], CLUSTER) is expected


def test_running_pods_look_at_namespaces_too() -> None:
    there = cluster([node("n1")], [pod("far", node="n1", affinity=affinity(far=[ANYWHERE]))])
    assert bears_on(Namespace, [of(pod("web"))], there)
