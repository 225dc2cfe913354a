from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod, PodResourceClaim, PodResourceClaimStatus
from kexplain.objects.meta import OwnerReference
from kexplain.objects.resource import ResourceClaim, ResourceClaimConsumerReference
from kexplain.objects.scheduling import PodGroup
from kexplain.scheduler.simulate import simulate
from tests.factories import cluster, node, pod, pod_group

from .makers import claim, device, device_class, exactly, resource_slice

GATES = {"GenericWorkload": True, "DRAWorkloadResourceClaims": True}
OF_1_36 = {**GATES, "GangScheduling": True}
ENTRY = PodResourceClaim(name="x", resource_claim_template_name="t")
BY_NAME = PodResourceClaim(name="x", resource_claim_name="c")
OF_GROUP = ResourceClaimConsumerReference(api_group="scheduling.k8s.io", resource="podgroups", name="g", uid="guid")


def group(*claims: PodResourceClaim, made: str = "c") -> PodGroup:
    group = pod_group("g")
    statuses = (PodResourceClaimStatus(name="x", resource_claim_name=made),) if made else ()
    return replace(
        group,
        metadata=replace(group.metadata, uid="guid"),
        spec=replace(group.spec, resource_claims=claims),
        status=replace(group.status, resource_claim_statuses=statuses),
    )


def made_for(kind: str, name: str, api_version: str = "scheduling.k8s.io/v1beta1") -> ResourceClaim:
    owner = OwnerReference(api_version=api_version, kind=kind, name=name, uid="guid", controller=True)
    made = claim(exactly())
    return replace(made, metadata=replace(made.metadata, owner_references=(owner,)))


def member(name: str, entry: PodResourceClaim = ENTRY, cpu: str = "1") -> Pod:
    made = pod(name, cpu=cpu, group="g")
    statuses = (PodResourceClaimStatus(name="x", resource_claim_name="c"),)
    return replace(
        made,
        spec=replace(made.spec, resource_claims=(entry,)),
        status=replace(made.status, resource_claim_statuses=statuses),
    )


def of_claims(decision: Decision) -> list[str]:
    """What is done about claims once the pod has its node."""
    return [step.action for plugin, step in decision.binding if plugin == "DynamicResources"]


def decided(of: PodGroup, made: ResourceClaim, *pods: Pod, gates: dict[str, bool] = GATES) -> list[Decision]:
    settings = SchedulerSettings(kubernetes_version="1.36" if gates is OF_1_36 else "1.37", feature_gates=gates)
    there = cluster([node("n1", cpu="4")], [], of, made, device_class(), resource_slice(device("a")))
    return list(simulate(build_scheduler(settings), there, pods))


@pytest.mark.parametrize(
    ("made", "gates", "told"),
    [
        (made_for("PodGroup", "g"), GATES, "n1"),
        (
            made_for("PodGroup", "g"), {"GenericWorkload": True},
            "ResourceClaim default/c was not created for Pod default/a (Pod is not owner)",
        ),
        (
            made_for("PodGroup", "other"), GATES,
            "ResourceClaim default/c was not created for Pod default/a (neither Pod nor PodGroup g is the owner)",
        ),
        (
            made_for("PodGroup", "g", "example.com/v1"), GATES,
            "ResourceClaim default/c was not created for Pod default/a (neither Pod nor PodGroup g is the owner)",
        ),
    ],
)  # fmt: skip
def test_claims_are_made_for_groups(made: ResourceClaim, gates: dict[str, bool], told: str) -> None:
    (decision,) = decided(group(ENTRY), made, member("a"), gates=gates)
    assert (decision.host or decision.message) == told


@pytest.mark.parametrize(
    ("of", "entry", "whom"),
    [
        (group(ENTRY), ENTRY, "group default/g"),
        (group(BY_NAME), BY_NAME, "group default/g"),
        (group(), BY_NAME, "default/a"),
        (group(ENTRY), BY_NAME, "default/a"),
    ],
)
def test_claims_that_a_group_shares_are_reserved_for_it(of: PodGroup, entry: PodResourceClaim, whom: str) -> None:
    (decision,) = decided(of, made_for("PodGroup", "g"), member("a", entry))
    assert f"write claim default/c, reserved for {whom}" in of_claims(decision)


def test_one_device_is_enough_for_a_group() -> None:
    decisions = decided(group(ENTRY), made_for("PodGroup", "g"), member("a"), member("b"))
    assert [each.host for each in decisions] == ["n1", "n1"]
    first, second = map(of_claims, decisions)
    assert first == [
        "allocate gpu.example.com/n1/a to claim default/c",
        "write claim default/c, reserved for group default/g",
    ]
    assert second == []


@pytest.mark.parametrize(
    ("of", "reserved", "told"),
    [
        (group(BY_NAME), True, "ResourceClaim unreserved for PodGroup"),
        (group(BY_NAME), False, "still not schedulable"),
        (group(), True, "still not schedulable"),
        (group(ENTRY, made=""), True, "PodGroup default/g: ResourceClaim not created yet"),
    ],
)
def test_what_a_group_does_not_use_is_freed_in_1_36(of: PodGroup, reserved: bool, told: str) -> None:
    given = claim(exactly(), allocated=["n1/a"], reserved_for=(OF_GROUP,) if reserved else None)
    (decision,) = decided(of, given, member("a", BY_NAME, cpu="9"), gates=OF_1_36)
    assert f"1 Insufficient cpu. {told}" in decision.message
