"""Claims on what a node has allocatable, in 1.36 and 1.37."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod, PodResourceClaim, ResourceRequirements
from kexplain.objects.core.containers import ResourceClaimReference
from kexplain.objects.core.pods import NodeAllocatableResourceClaimStatus
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.resource import CapacityRequirements, Device, ResourceClaim, ResourceClaimConsumerReference
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate
from tests.factories import cluster, node, pod

from .makers import DRIVER, claim, device, device_class, exactly, resource_slice

OLD, NEW = "1.36", "1.37"
#: A device that is two CPUs, as each release says it.
TWO: dict[str, dict[str, Any]] = {
    OLD: {"nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "2"}}},
    NEW: {"nodeAllocatableResources": {"cpu": {"mapping": {"deviceMultiplier": "2"}}}},
}
#: A device whose cores are half a CPU each, and which several claims share.
CORES: dict[str, Any] = {"capacity": {"cores": {"value": "16"}}, "allowMultipleAllocations": True}
HALVES: dict[str, dict[str, Any]] = {
    OLD: {"nodeAllocatableResourceMappings": {"cpu": {"capacityKey": "cores", "allocationMultiplier": "500m"}}},
    NEW: {"nodeAllocatableResources": {"cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "500m"}}}},
}
SIX_CORES = exactly("r0", capacity=CapacityRequirements(requests={"cores": "6"}))
OVERHEAD: dict[str, Any] = {"memory": {"overhead": {"perPod": "100Mi", "perContainer": "20Mi"}}}
TO_OTHERS = (ResourceClaimConsumerReference(resource="pods", name="q", uid="q"),)
MAPPED_ELSEWHERE = "node allocatable resource claim c has a mapped device and cannot be shared across pods"
PODS_LEVEL = "pod level {} is insufficient to cover the aggregated container and node-allocatable DRA"


def of(release: str) -> Scheduler:
    gates = {"DRANodeAllocatableResources": True}
    return build_scheduler(SchedulerSettings(kubernetes_version=release, feature_gates=gates))


def claiming(name: str = "p", *, uses: bool = True, whole: ResourceRequirements | None = None, **fields: Any) -> Pod:
    """A pod with claim c, which its one container uses."""
    made = pod(name, **fields)
    (container,) = made.spec.containers or ()
    resources = container.resources or ResourceRequirements()
    if uses:
        container = replace(container, resources=replace(resources, claims=(ResourceClaimReference(name="k"),)))
    spec = replace(made.spec, containers=(container,), resource_claims=(PodResourceClaim("k", "c"),), resources=whole)
    return replace(made, spec=spec)


def having(*devices: Device, asks: ResourceClaim | None = None, cpu: str = "4", **further: Any) -> Cluster:
    objects: list[KubernetesObject] = [resource_slice(*devices), device_class(), asks or claim(exactly())]
    return cluster([node("n1", cpu=cpu, memory="1Gi")], further.get("pods", ()), *objects)


def decided(release: str, asking: Pod, made: Cluster) -> Decision:
    scheduler = of(release)
    return scheduler.schedule(asking, made.counted_by(scheduler.rules))


def reason(decision: Decision) -> str:
    """The node, or what is said of the only one."""
    return decision.host or ", ".join(decision.statuses.by_node["n1"].reasons)


def used(pod_: Pod, **amounts: str) -> Pod:
    """The pod with a status that says what its claim c takes."""
    status = {"resourceClaimName": "c", "containers": ["main"], "resources": amounts}
    return replace(
        pod_,
        status=replace(
            pod_.status,
            node_allocatable_resource_claim_statuses=(msgspec.convert(status, NodeAllocatableResourceClaimStatus),),
        ),
    )


@pytest.mark.parametrize("release", [OLD, NEW])
@pytest.mark.parametrize(
    ("cpu", "requested", "expected"),
    [
        pytest.param("4", "2", "n1", id="exactly"),
        pytest.param("4", "2001m", "Insufficient cpu", id="beside-requests"),
        pytest.param("1", "0", "Insufficient cpu", id="alone"),
    ],
)
def test_a_device_that_is_cpus(release: str, cpu: str, requested: str, expected: str) -> None:
    asking = claiming(cpu=requested)
    assert reason(decided(release, asking, having(device("a", **TWO[release]), cpu=cpu))) == expected


@pytest.mark.parametrize("release", [OLD, NEW])
@pytest.mark.parametrize(("cpu", "expected"), [("3", "n1"), ("2999m", "Insufficient cpu")])
def test_amounts_of_a_capacity_are_multiplied(release: str, cpu: str, expected: str) -> None:
    made = having(device("a", **CORES, **HALVES[release]), asks=claim(SIX_CORES), cpu=cpu)
    assert reason(decided(release, claiming(cpu="0"), made)) == expected


@pytest.mark.parametrize("release", [OLD, NEW])
def test_without_a_share_there_are_no_amounts(release: str) -> None:
    """A device that is given whole consumes nothing that could be multiplied, which is an error."""
    decision = decided(release, claiming(), having(device("a", **HALVES[release])))
    assert "claim default/c, device a: ConsumedCapacity is nil, but Capacity key 'cores' is set" in decision.message


@pytest.mark.parametrize("release", [OLD, NEW])
def test_what_a_claim_takes_is_gone_for_the_next_pod_and_comes_back(release: str) -> None:
    made = having(device("a", **TWO[release]), cpu="4")
    scheduler = of(release)
    queue = [claiming("a", cpu="1"), pod("b", cpu="2"), pod("c", cpu="1")]
    first, second, third = simulate(scheduler, made.counted_by(scheduler.rules), queue)
    assert [first.host, second.host, third.host] == ["n1", "", "n1"]


@pytest.mark.parametrize("release", [OLD, NEW])
def test_others_are_evicted_for_what_a_claim_takes(release: str) -> None:
    low = pod("low", node="n1", cpu="3", priority=-1)
    decision = decided(release, claiming(cpu="1"), having(device("a", **TWO[release]), pods=[low]))
    assert [victim.name for victim in decision.victims] == ["low"]


@pytest.mark.parametrize("release", [OLD, NEW])
def test_pods_on_nodes_hold_what_their_status_says(release: str) -> None:
    there = used(pod("q", node="n1", cpu="1"), cpu="2")
    made = having(device("a"), asks=claim(exactly(), allocated=["n1/a"]), pods=[there]).counted_by(of(release).rules)
    assert made.node_infos[0].requested.cpu_milli == 3000


@pytest.mark.parametrize(
    ("release", "uses", "expected"),
    [
        (OLD, True, "n1"),
        (OLD, False, "claim c: node-allocatable resource claim not referenced by any container within the pod"),
        (NEW, False, "n1"),
    ],
)
def test_whether_a_container_has_to_use_the_claim(release: str, uses: bool, expected: str) -> None:
    assert reason(decided(release, claiming(uses=uses), having(device("a", **TWO[release])))) == expected


@pytest.mark.parametrize(
    ("release", "namespace", "expected"),
    [
        (OLD, "default", "node allocatable resource claim c is already used by another pod"),
        (OLD, "other", "n1"),
        (NEW, "other", MAPPED_ELSEWHERE),
    ],
)
def test_a_claim_is_for_one_pod(release: str, namespace: str, expected: str) -> None:
    """1.36 looks at the pods on the node, 1.37 at whom the claim is reserved for."""
    asks = claim(exactly(), allocated=["n1/a"], reserved_for=TO_OTHERS)
    there = used(pod("q", namespace=namespace, node="n1"), cpu="2")
    assert (
        reason(decided(release, claiming(), having(device("a", **TWO[release]), asks=asks, pods=[there]))) == expected
    )


def test_a_claim_of_overheads_only_is_shared() -> None:
    asks = claim(exactly(), allocated=["n1/a"], reserved_for=TO_OTHERS)
    made = having(device("a", nodeAllocatableResources=OVERHEAD), asks=asks)
    assert decided(NEW, claiming(), made).host == "n1"


@pytest.mark.parametrize(("release", "expected"), [(OLD, "n1"), (NEW, "Insufficient cpu")])
def test_claims_allocated_before_count_since_1_37(release: str, expected: str) -> None:
    asks = claim(exactly(), allocated=["n1/a"])
    assert reason(decided(release, claiming(cpu="3"), having(device("a", **TWO[release]), asks=asks))) == expected


@pytest.mark.parametrize(("memory", "expected"), [("904Mi", "n1"), ("905Mi", "Insufficient memory")])
def test_overheads_count_for_the_pod_and_each_container(memory: str, expected: str) -> None:
    """100Mi for the pod and 20Mi for its container, of 1Gi."""
    made = having(device("a", nodeAllocatableResources=OVERHEAD))
    assert reason(decided(NEW, claiming(memory=memory), made)) == expected


@pytest.mark.parametrize(
    ("release", "whole", "expected"),
    [
        (OLD, ResourceRequirements(requests={"cpu": "3"}), "n1"),
        (OLD, ResourceRequirements(requests={"cpu": "2500m"}), f"{PODS_LEVEL.format('request for cpu')} requests"),
        (NEW, ResourceRequirements(requests={"cpu": "2500m"}), f"{PODS_LEVEL.format('request for cpu')} requests"),
        (OLD, ResourceRequirements(requests={"cpu": "3"}, limits={"cpu": "3"}), "n1"),
        (
            NEW, ResourceRequirements(requests={"cpu": "3"}, limits={"cpu": "3"}),
            "pod level limit for cpu is insufficient to cover the limit and DRA overhead for container main",
        ),
    ],
)  # fmt: skip
def test_what_the_pod_asks_as_a_whole_has_to_do(release: str, whole: ResourceRequirements, expected: str) -> None:
    asking = claiming(cpu="1", whole=whole)
    (container,) = asking.spec.containers or ()
    assert container.resources is not None
    limited = replace(container, resources=replace(container.resources, limits={"cpu": "2"}))
    asking = replace(asking, spec=replace(asking.spec, containers=(limited,)))
    assert reason(decided(release, asking, having(device("a", **TWO[release])))) == expected


@pytest.mark.parametrize("release", [OLD, NEW])
def test_without_the_gate_claims_take_nothing_of_the_node(release: str) -> None:
    made = having(device("a", **TWO[release]), cpu="1")
    plain = build_scheduler(SchedulerSettings(kubernetes_version=release))
    assert plain.schedule(claiming(cpu="1"), made.counted_by(plain.rules)).host == "n1"


def test_devices_go_by_driver_since_1_37() -> None:
    """Another driver has a device of that name in a pool of that name, which takes nothing."""
    other = resource_slice(device("a"), driver="other.example.com", pool="n1")
    own = resource_slice(device("a", **TWO[NEW]), driver=DRIVER, pool="n1")
    made = cluster(
        [node("n1", cpu="1")], [], other, own, device_class(), claim(exactly("r0", f"device.driver == '{DRIVER}'"))
    )
    assert reason(decided(NEW, claiming(cpu="0"), made)) == "Insufficient cpu"
