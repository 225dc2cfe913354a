"""What a kubelet makes of a resize: done at once, kept waiting for room, or never done on its node."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.case.case_builder import Contents
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import UsageError
from kexplain.load import Loaded
from kexplain.objects.core import (
    ContainerStatus,
    LimitRange,
    LimitRangeItem,
    LimitRangeSpec,
    Node,
    Pod,
    PodStatus,
    ResourceQuota,
    ResourceQuotaSpec,
    ResourceQuotaStatus,
    ResourceRequirements,
)
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta, ResourceList
from kexplain.world.edit_options import applying
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.members import ResizeOutcome
from kexplain.world.resizing import resizing
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World
from tests.factories import container, node, pod

SMALL = node("n1", cpu="4", memory="8Gi")
DONE, DEFERRED, REFUSED = ResizeOutcome.DONE, ResizeOutcome.DEFERRED, ResizeOutcome.REFUSED


def running(name: str = "a", cpu: str = "2", memory: str = "1Gi", **more: Any) -> Pod:
    return pod(name, node="n1", cpu=cpu, memory=memory, uid=name, **more)


def limited(**limits: str) -> Pod:
    made = running()
    (only,) = made.spec.containers or ()
    resources = ResourceRequirements(requests=(only.resources and only.resources.requests) or {}, limits={**limits})
    return replace(made, spec=replace(made.spec, containers=(replace(only, resources=resources),)))


def waiting(reason: str, cpu: str, given: str) -> Pod:
    """A pod that asks for so much CPU and has less."""
    made = running("b", cpu)
    status = ContainerStatus(name=(made.spec.containers or ())[0].name or "", allocated_resources={"cpu": given})
    pending = Condition(type="PodResizePending", status="True", reason=reason)
    return replace(made, status=PodStatus(phase="Running", container_statuses=(status,), conditions=(pending,)))


def resized(value: str, *objects: KubernetesObject, on: Node = SMALL, release: str = "1.36") -> EditedCluster:
    edited = EditedCluster(ReadObjects(Contents(Loaded(), [on, *objects], build_scheduler())))
    for each in value.split():
        resizing(each, release)(edited)
    return edited


WINDOWS = node("n1", cpu="4", memory="8Gi", labels={"kubernetes.io/os": "windows"})


@pytest.mark.parametrize(
    ("value", "pods", "on", "outcome", "because"),
    [
        pytest.param("a=cpu:4", [running()], SMALL, DONE, "", id="all that there is"),
        pytest.param("pod/a=cpu:4001m", [running()], SMALL, REFUSED, "n1 has 4 cpu in all, and 4.001 is asked for",
                     id="more than there is"),
        pytest.param("a=memory:9Gi,cpu:1", [running()], SMALL, REFUSED, "n1 has 8Gi memory in all", id="memory"),
        pytest.param("a=cpu:3", [running(), running("b", "1")], SMALL, DONE, "", id="beside another"),
        pytest.param("a=cpu:3100m", [running(), running("b", "1")], SMALL, DEFERRED,
                     "n1 has 3 cpu for it, and 3.1 is asked for", id="not beside another"),
        pytest.param("a=cpu:3", [running(), waiting("Deferred", "3", "1")], SMALL, DONE, "",
                     id="what another was given counts"),
        pytest.param("a=cpu:3100m", [running(), waiting("Infeasible", "9", "1")], SMALL, DEFERRED,
                     "n1 has 3 cpu for it", id="whatever it asks for"),
        pytest.param("a=cpu:1", [running(), running("b", "9")], SMALL, DEFERRED, "n1 has 0 cpu for it",
                     id="on a node that has too many"),
        pytest.param("a=cpu:1", [running()], WINDOWS, REFUSED, "pods on Windows are not resized", id="Windows"),
    ],
)  # fmt: skip
def test_what_a_kubelet_does(value: str, pods: list[Pod], on: Node, outcome: ResizeOutcome, because: str) -> None:
    (found,) = resized(value, *pods, on=on).resized
    assert (found.pod, found.node, found.outcome) == ("default/a", "n1", outcome)
    assert found.because.startswith(because)
    assert bool(found.because) is bool(because)


@pytest.mark.parametrize(("value", "given", "reason"), [("a=cpu:3", "3", None), ("a=cpu:5", "2", "Infeasible")])
def test_what_is_written_about_the_pod(value: str, given: str, reason: str | None) -> None:
    (made,) = resized(value, running(), release="1.35").on_node("n1")
    (only,), (status,) = made.spec.containers or (), made.status.container_statuses or ()
    assert ((only.resources and only.resources.requests) or {})["cpu"] == value[-1]
    assert (status.allocated_resources or {})["cpu"] == given
    assert [each.reason for each in made.status.conditions or ()] == ([reason] if reason else [])


@pytest.mark.parametrize(("release", "outcome"), [("1.33", "Infeasible"), ("1.35", "Infeasible"), ("1.36", "Refused")])
def test_since_when_more_than_there_is_gets_no_further_than_the_api_server(release: str, outcome: str) -> None:
    edited = resized("a=cpu:5", running(), release=release)
    assert edited.resized[0].outcome.value == outcome
    (made,) = edited.on_node("n1")
    assert (made.spec == running().spec) is (outcome == "Refused")


@pytest.mark.parametrize(
    ("limits", "value", "limit"),
    [
        pytest.param({"cpu": "2"}, "a=cpu:3", "3", id="as high as the request moves with it"),
        pytest.param({"cpu": "3"}, "a=cpu:3", "3", id="up to the limit"),
        pytest.param({"memory": "4Gi"}, "a=cpu:3", None, id="of another resource"),
    ],
)
def test_limits(limits: dict[str, str], value: str, limit: str | None) -> None:
    (made,) = resized(value, limited(**limits)).on_node("n1")
    (only,) = made.spec.containers or ()
    assert only.resources is not None
    assert (only.resources.limits or {}).get("cpu") == limit


TWO = replace(running(), spec=replace(running().spec, containers=(container(name="x"), container(name="y"))))


@pytest.mark.parametrize(
    ("value", "there", "said"),
    [
        pytest.param("a", running(), '"a" is not a resize', id="no amount"),
        pytest.param("a=cpu:", running(), '"a=cpu:" is not a resize', id="an empty amount"),
        pytest.param("a=cpu:4,gpu:1", running(), "gpu cannot be resized in place", id="another resource"),
        pytest.param("a=cpu:-1", running(), '"-1" is negative', id="less than nothing"),
        pytest.param("a=cpu:lots", running(), '"lots" is not a quantity', id="no quantity"),
        pytest.param("b=cpu:1", running(), "there is no pod b in namespace default", id="no such pod"),
        pytest.param("a:z=cpu:1", running(), "pod a has no container z", id="no such container"),
        pytest.param("a=cpu:1", TWO, "pod a has 2 containers", id="which container"),
        pytest.param("a=cpu:1", pod("a", uid="a"), "pod a runs on no node", id="pending"),
        pytest.param("a=cpu:1", running(phase="Succeeded"), "pod a runs on no node", id="ended"),
        pytest.param(
            "a=cpu:1",
            replace(running(), status=PodStatus(container_statuses=(ContainerStatus(name="c"),))),
            "the kubelet of n1 resizes no pods",
            id="an old kubelet",
        ),
        pytest.param("a=cpu:3", limited(cpu="2500m"), "is limited to 2.5 cpu", id="above its limit"),
    ],
)
def test_what_cannot_be_asked_for(value: str, there: Pod, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        resized(value, there)


@pytest.mark.parametrize(("release", "can"), [("1.32", False), ("1.33", True), ("1.36", True)])
def test_releases(release: str, can: bool) -> None:
    if can:
        assert resized("a=cpu:1", running(), release=release).resized[0].outcome is DONE
    else:
        with pytest.raises(UsageError, match=r"Kubernetes 1\.32 resizes no pods in place"):
            resized("a=cpu:1", running(), release=release)


# ------------------------------------------------------------------------------- what the namespace has against it


def quota(used: str | None, namespace: str = "default", **hard: str) -> ResourceQuota:
    """A quota of requests, of which so much CPU is used; None where no controller has counted yet."""
    bounds: ResourceList = {f"requests.{name}": amount for name, amount in hard.items()}
    status = ResourceQuotaStatus(hard=bounds, used={"requests.cpu": used}) if used else ResourceQuotaStatus()
    metadata = ObjectMeta(name="team", namespace=namespace)
    return ResourceQuota(metadata=metadata, spec=ResourceQuotaSpec(hard=bounds), status=status)


def sizes(**item: ResourceList) -> LimitRange:
    spec = LimitRangeSpec(limits=(LimitRangeItem(type="Container", **item),))
    return LimitRange(metadata=ObjectMeta(name="sizes", namespace="default"), spec=spec)


OVER = "ResourceQuota team allows 3 of requests.cpu: {} is used, and this asks for {} more"


@pytest.mark.parametrize(
    ("value", "objects", "because"),
    [
        pytest.param("a=cpu:3", [quota("2", cpu="3")], "", id="up to the quota"),
        pytest.param("a=cpu:4", [quota("2", cpu="3")], OVER.format(2, 2), id="above the quota"),
        pytest.param("a=cpu:4", [quota(None, cpu="3")], OVER.format(2, 2), id="that nobody has counted"),
        pytest.param("a=cpu:4", [quota("2", "other", cpu="3")], "", id="of another namespace"),
        pytest.param("a=memory:2Gi", [quota("5", cpu="3")], "", id="what does not grow is not counted"),
        pytest.param("a=cpu:1", [quota("5", cpu="3")], "", id="nor what becomes less"),
        pytest.param("b=cpu:1500m a=cpu:2500m", [quota("2500m", cpu="3"), running("b", "1")],
                     OVER.format(3, "500m"), id="after another"),
        pytest.param("a=cpu:3", [sizes(max={"cpu": "2500m"}, default={"memory": "2Gi"})],
                     "requests.cpu: 3 is more than the 2500m of cpu that LimitRange sizes allows", id="above"),
        pytest.param("a=cpu:100m", [sizes(min={"cpu": "500m"})],
                     "requests.cpu: 100m is less than the 500m of cpu that LimitRange sizes asks for", id="below"),
        pytest.param("a=cpu:3", [sizes(max={"cpu": "3"})], "", id="limits are filled in"),
    ],
)  # fmt: skip
def test_what_an_api_server_refuses(value: str, objects: list[KubernetesObject], because: str) -> None:
    edited = resized(value, running(), *objects)
    last = edited.resized[-1]
    assert (last.outcome, last.because) == (REFUSED if because else DONE, because)
    found = edited.find("Pod", "default", "a")
    assert isinstance(found, Pod)
    assert (found.spec == running().spec) is bool(because)


def test_the_quota_of_a_resize_counts_for_what_comes_later() -> None:
    world = World(ReadObjects(Contents(Loaded(), [SMALL, running(), quota("2", cpu="3")], build_scheduler())))
    late = applying([pod("late", cpu="500m")])
    (refused,) = world.after([resizing("a=cpu:3", "1.36"), late]).settled().rollouts
    assert (refused.not_created, str(refused.refusals[0])) == (
        1, "ResourceQuota team allows 3 of requests.cpu: 3 is used, and this asks for 500m"
    )  # fmt: skip
    (fits,) = world.after([resizing("a=cpu:2500m", "1.36"), late]).settled().rollouts
    assert (fits.not_created, fits.placed) == (0, 1)


def sized(requests: ResourceList, limits: ResourceList) -> Pod:
    made = running()
    (only,) = made.spec.containers or ()
    resources = ResourceRequirements(requests=requests, limits=limits)
    return replace(made, spec=replace(made.spec, containers=(replace(only, resources=resources),)))


GUARANTEED: ResourceList = {"cpu": "2", "memory": "1Gi"}


@pytest.mark.parametrize(
    ("there", "value", "because"),
    [
        pytest.param(sized({}, {}), "a=cpu:1", "it would be Burstable, and its class stays BestEffort", id="none"),
        pytest.param(sized({"cpu": "1", "memory": "1Gi"}, GUARANTEED), "a=cpu:2",
                     "it would be Guaranteed, and its class stays Burstable", id="as much as its limits"),
        pytest.param(sized({"cpu": "1"}, {"cpu": "2"}), "a=cpu:2", "", id="without memory"),
        pytest.param(sized(GUARANTEED, GUARANTEED), "a=cpu:3", "", id="both move"),
        pytest.param(sized({}, GUARANTEED), "a=cpu:1", "it would be Burstable, and its class stays Guaranteed",
                     id="limits are requests, too"),
    ],
)  # fmt: skip
def test_the_class_of_a_pod_stays(there: Pod, value: str, because: str) -> None:
    (found,) = resized(value, there).resized
    assert (found.outcome, found.because) == (REFUSED if because else DONE, because)
