from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, SchedulerSettings, build_scheduler
from kexplain.config.releases.release import RELEASES, differing, traits
from kexplain.framework.extender import ExtenderConfig
from kexplain.objects.core import Node, Pod, PodResourceClaim, ResourceRequirements
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta
from kexplain.objects.resource import (
    AllocationResult,
    CapacityRequirements,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceRequestAllocationResult,
    ResourceClaimStatus,
)
from kexplain.objects.storage import VolumeAttachment
from kexplain.report.release_changes import FIND, TOUCHED, release_changes
from tests.factories import affinity, budget, cluster, node, pod, pod_group, selector, spread, term
from tests.plugins.devices.makers import DRIVER, device, device_class, exactly, first_available, resource_slice
from tests.plugins.devices.makers import claim as device_claim
from tests.storage_factories import claim, csi_driver, storage_class


def case_of(
    release: str,
    *objects: KubernetesObject,
    placed: tuple[Pod, ...] = (),
    waiting: tuple[Pod, ...] = (pod("p"),),
    gates: tuple[str, ...] = (),
    nodes: Sequence[Node] = (node("n1"),),
) -> Case:
    settings = SchedulerSettings(kubernetes_version=release, feature_gates=dict.fromkeys(gates, True))
    scheduler = build_scheduler(settings)
    return Case(cluster(nodes, placed, *objects), tuple(map(PodToPlace, waiting)), scheduler=scheduler)


def changes(old: str, new: str, *objects: KubernetesObject, **around: Any) -> list[str]:
    found = release_changes(case_of(new, *objects, **around), differing(old, new))
    return [f"{each.release}: {each.objects}; {each.then}: {', '.join(each.examples)}" for each in found]


COUNTED = "preemption counts it for all pods of the namespace"
EMPTY = tuple(pod(f"p{number}", node="n1", spread=[spread(labels=selector())]) for number in range(5))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "1.37", "1.38",
            "1.38: 5 pods have a spread constraint with an empty selector; it counts all pods of the namespace",
            id="upgrade",
        ),
        pytest.param(
            "1.38", "1.36",
            "1.38: 5 pods have a spread constraint with an empty selector; it counts no pods",
            id="downgrade",
        ),
    ],
)  # fmt: skip
def test_pods_that_a_difference_touches(old: str, new: str, expected: str) -> None:
    assert changes(old, new, placed=EMPTY) == [f"{expected}: default/p0, default/p1, default/p2"]


GROUP = pod_group("g", 2, priority=7)
TRIED = (
    "1.37: 1 pod group waits; "
    "it is given up once too few of its pods can get a node, and none of them preempts on its own: default/g"
)
AT_ODDS = "1.37: 1 pod group has pods of another priority; it fails with an error: default/g"


@pytest.mark.parametrize(
    ("gates", "priority", "expected"),
    [
        pytest.param((), 3, [], id="groups are off"),
        pytest.param(("GenericWorkload",), 7, [TRIED], id="groups that agree"),
        pytest.param(("GenericWorkload",), 3, [TRIED, AT_ODDS], id="groups at odds"),
    ],
)
def test_groups_that_wait(gates: tuple[str, ...], priority: int, expected: list[str]) -> None:
    waiting = (pod("p", group="g", priority=priority), pod("alone", priority=3))
    assert changes("1.36", "1.37", GROUP, waiting=waiting, gates=gates) == expected


@pytest.mark.parametrize(("old", "new", "told"), [("1.36", "1.37", False), ("1.37", "1.38", True)])
def test_groups_that_count_by_default(old: str, new: str, told: bool) -> None:
    together = "1.38: 1 pod group waits; its pods get nodes together, and none where fewer fit than it needs: default/g"
    assert (together in changes(old, new, GROUP, waiting=(pod("p", group="g"), pod("alone")))) is told


def test_groups_that_share_a_claim() -> None:
    entry = PodResourceClaim(name="c", resource_claim_name="c")
    members = tuple(pod(name, group="g", priority=7) for name in ("a", "b"))
    sharing = tuple(replace(each, spec=replace(each.spec, resource_claims=(entry,))) for each in members)
    gates = ("GenericWorkload",)
    told = "1.37: 1 pod group shares a claim without devices yet; all of its pods go where the devices are available"
    assert f"{told}: default/g" in changes("1.36", "1.37", GROUP, device_claim(exactly()), waiting=sharing, gates=gates)
    for objects, waiting in (((GROUP,), sharing), ((GROUP, device_claim(exactly())), sharing[:1])):
        assert not any(
            "shares a claim" in each for each in changes("1.36", "1.37", *objects, waiting=waiting, gates=gates)
        )


def test_devices_with_lists() -> None:
    listed = Device(name="a", attributes={"numa": DeviceAttribute(int_values=(0, 1))})
    told = "1.37: 1 ResourceSlice has attributes that are lists; selectors read them: s"
    assert changes("1.36", "1.37", resource_slice(listed, name="s")) == [told]


def test_groups_that_run() -> None:
    running = (pod("p", group="g", node="n1"), pod("q", group="nowhere", node="n1"))
    assert changes("1.36", "1.37", GROUP, placed=running, gates=("GenericWorkload",)) == [
        (
            "1.37: 1 pod group runs; its pods are preempted by its priority, "
            "and all together if it is disrupted as a whole: default/g"
        )
    ]


def test_pods_under_several_budgets() -> None:
    budgets = [budget("a", selector({"app": "web"})), budget("b", selector({"tier": "front"}))]
    both, one = pod("p", node="n1", labels={"app": "web", "tier": "front"}), pod("q", node="n1", labels={"app": "web"})
    assert changes("1.36", "1.37", *budgets, placed=(both, one)) == [
        (
            "1.37: 1 pod is protected by several disruption budgets; "
            "evicting it draws on no further budget after the first that it violates: default/p"
        )
    ]


NAMED = CapacityRequirements(requests={"gpu.example.com/memory": "4Gi"})


@pytest.mark.parametrize(
    ("new", "objects", "expected"),
    [
        pytest.param(
            "1.37",
            [device_claim(exactly(), distinct="numa")],
            ["1.37: 1 claim wants devices that differ in an attribute; each device differs from all others: default/c"],
            id="different values",
        ),
        pytest.param(
            "1.37", [device_claim(exactly(allocation_mode="All")), resource_slice(device("d"))], [], id="none is shared"
        ),
        pytest.param(
            "1.37",
            [device_claim(exactly(allocation_mode="All")), resource_slice(device("d", allowMultipleAllocations=True))],
            [
                (
                    "1.37: 1 claim asks for all devices, and some are shared; "
                    "a device without room left keeps the pod from its node: default/c"
                )
            ],
            id="all of shared devices",
        ),
        pytest.param(
            "1.38",
            [device_claim(exactly(capacity=NAMED)), resource_slice(device("d", memory="8Gi"))],
            [
                (
                    "1.38: 1 claim asks for a capacity that no driver publishes by that name; "
                    "the name may be with or without the driver's domain: default/c"
                )
            ],
            id="capacity by another name",
        ),
    ],
)
def test_claims_of_devices(new: str, objects: list[KubernetesObject], expected: list[str]) -> None:
    assert changes("1.36" if new == "1.37" else "1.37", new, *objects) == expected


def test_what_is_not_in_the_cluster_is_left_out() -> None:
    assert changes("1.36", "1.38") == []
    assert changes("1.34", "1.35", placed=EMPTY) == []


def test_each_object_once_for_each_row() -> None:
    objects = [storage_class(), claim("data"), csi_driver(must_be_there=True), budget("all", selector())]
    assert changes("1.36", "1.38", *objects) == [
        f"1.38: 1 disruption budget has an empty selector; {COUNTED}: default/all",
        "1.37: 1 claim has no volume yet; nodes are scored by the storage they have left: default/data",
        "1.37: 1 CSIDriver keeps pods from nodes without it; nodes without the driver are turned away: csi.example.com",
    ]


def test_every_row_that_is_looked_for_is_one_of_the_table() -> None:
    told = {trait.name for old, new in pairwise(RELEASES) for trait in differing(old, new)}
    assert TOUCHED.keys() <= told


#: Rows that only change what messages say, what configurations may say, or what nobody sees.
OF_TEXTS = {
    "failing_devices_are_named",
    "found_placement_is_told",
    "gangs_wait_at_permit",
    "group_texts_stand_alone",
    "idle_claims_are_told",
    "placement_feasible_is_configured",
}


@pytest.mark.parametrize(("old", "new"), [("1.36", "1.37"), ("1.37", "1.38")])
def test_of_every_row_it_is_known_what_it_touches(old: str, new: str) -> None:
    assert {trait.name for trait in differing(old, new)} <= TOUCHED.keys() | OF_TEXTS


APART = affinity(far=[term({"app": "a"}), term({"app": "b"})])
GATES = ("GenericWorkload", "TopologyAwareWorkloadScheduling")
COUNTING: dict[str, Any] = {"consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}}]}
IN_GROUPS: dict[str, Any] = {"consumesCounters": [{"counterSet": "s", "compatibilityGroups": ["g"]}]}
OF_NODE: dict[str, Any] = {"nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "1"}}}
SHARED: dict[str, Any] = {"allowMultipleAllocations": True}
IN_HALVES: dict[str, Any] = {"memory": {"value": "3", "requestPolicy": {"default": "1", "validRange": {"min": "500m"}}}}
COUNTERS = msgspec.convert([{"name": "s", "counters": {"c": {"value": "1"}}}], tuple[CounterSet, ...])
HELD = DeviceRequestAllocationResult(request="r0", driver=DRIVER, pool="n1", device="a", share_id="s")
HOLDING = replace(
    device_claim(exactly()),
    status=ResourceClaimStatus(allocation=AllocationResult(devices=DeviceAllocationResult(results=(HELD,)))),
)
WITH_CLAIM = replace(pod("p"), spec=replace(pod("p").spec, resource_claims=(PodResourceClaim("c", "c"),)))
OWN_USERS = replace(pod("p"), spec=replace(pod("p").spec, host_network=True, host_users=False))
AS_A_WHOLE = replace(pod("p"), spec=replace(pod("p").spec, resources=ResourceRequirements(requests={"cpu": "1"})))
RESIZING = replace(
    pod("p", node="n1"),
    status=replace(pod("p").status, conditions=(Condition(type="PodResizePending", status="True"),)),
)
IN_A_TOPOLOGY = pod_group("g", 2, priority=7, key="zone")


@pytest.mark.parametrize(
    ("row", "release", "around"),
    [
        ("one_repelling_term_wakes", "1.37", {"waiting": (pod("p", affinity=APART),)}),
        ("groups_see_their_own_affinity", "1.37",
         {"objects": [GROUP], "waiting": (pod("p", group="g", affinity=APART),)}),
        ("groups_preempt_where_they_fit", "1.37",
         {"objects": [GROUP], "waiting": (pod("p", group="g"),),
          "placed": (pod("low", node="n1"), pod("high", node="n1", priority=9))}),
        ("starting_pods_keep_their_order", "1.37",
         {"placed": (pod("a", node="n1"), pod("b", node="n1")), "waiting": (pod("p", priority=1), pod("q"))}),
        ("failed_picks_leave_nothing", "1.37", {"objects": [resource_slice(device("d", **COUNTING))]}),
        ("shares_without_amounts_draw_once", "1.37", {"objects": [resource_slice(device("d", **COUNTING, **SHARED))]}),
        ("compatibility_groups_are_known", "1.37", {"objects": [resource_slice(device("d", **IN_GROUPS))]}),
        ("node_claims_have_overheads", "1.37", {"objects": [resource_slice(device("d", **OF_NODE))]}),
        ("counters_elsewhere_make_no_pool", "1.37", {"objects": [resource_slice(counters=COUNTERS)]}),
        ("counters_go_by_driver", "1.37",
         {"objects": [resource_slice(counters=COUNTERS, driver=driver) for driver in ("a.example.com", DRIVER)]}),
        ("DRAFractionalCapacityRange", "1.37", {"objects": [resource_slice(device("d", capacity=IN_HALVES))]}),
        ("nominated_placements_come_first", "1.38",
         {"objects": [IN_A_TOPOLOGY], "waiting": (pod("p", group="g", nominated="n1"),)}),
        ("shares_keep_devices_from_others", "1.38", {"objects": [HOLDING, resource_slice(device("a"))]}),
        ("losing_classes_keep_their_names", "1.38",
         {"objects": [device_class(name, resource="example.com/gpu") for name in ("a", "b")]}),
        ("untolerated_taint_is_named", "1.35", {"nodes": [node("n1", taints=["k=v:NoSchedule"])]}),
        ("dynamic_resources_score", "1.35", {"objects": [device_claim(first_available("r", a="true"))]}),
        ("balance_by_improvement", "1.36", {"waiting": (pod("p", cpu="1"),)}),
        ("host_network_user_namespaces_are_declared", "1.36", {"waiting": (OWN_USERS,)}),
        ("groups_are_scheduled_at_once", "1.36", {"objects": [GROUP], "waiting": (pod("p", group="g"),)}),
        ("DRAConsumableCapacity", "1.36", {"objects": [resource_slice(device("d", **SHARED))]}),
        ("DRADeviceTaints", "1.36",
         {"objects": [resource_slice(device("d", taints=[{"key": "k", "effect": "NoSchedule"}]))]}),
        ("DRAPartitionableDevices", "1.36", {"objects": [resource_slice(device("d", **COUNTING))]}),
        ("DRADeviceBindingConditions", "1.36", {"objects": [resource_slice(device("d", bindingConditions=["ready"]))]}),
        ("DRAExtendedResource", "1.36", {"objects": [device_class(resource="example.com/gpu")]}),
        ("distinct_attributes_are_compared", "1.35", {"objects": [device_claim(exactly(), distinct="numa")]}),
        ("device_pools_must_be_complete", "1.35", {"objects": [resource_slice(device("d"), count=2)]}),
        ("DRAPrioritizedList", "1.34", {"objects": [device_claim(first_available("r", a="true"))]}),
        ("DRAAdminAccess", "1.34", {"objects": [device_claim(exactly(admin_access=True))]}),
        ("PodLevelResources", "1.34", {"waiting": (AS_A_WHOLE,)}),
        ("DynamicResourceAllocation", "1.34", {"waiting": (WITH_CLAIM,)}),
        ("best_effort_skips_balance", "1.33", {"waiting": (pod("p"),)}),
        ("InPlacePodVerticalScaling", "1.33", {"placed": (RESIZING,)}),
        ("attachments_count", "1.32", {"objects": [VolumeAttachment(metadata=ObjectMeta(name="a"))]}),
    ],
)  # fmt: skip
def test_what_each_row_touches(row: str, release: str, around: dict[str, Any]) -> None:
    before = f"1.{int(release.removeprefix('1.')) - 1}"
    gates = {trait.gate for trait in traits(release)} & {*GATES, "GangScheduling"}
    touched = TOUCHED[row]

    def found(**there: Any) -> list[str]:
        objects = there.pop("objects", [])
        return changes(before, release, *objects, gates=tuple(gates), **there)

    assert any(f" {touched.has}; " in each or f" {touched.have}; " in each for each in found(**around))
    assert not any(f" {touched.has}; " in each for each in found(waiting=()))


ALIKE = (pod("a", node="n1"), pod("b", node="n1"))
HOST_USERS = replace(OWN_USERS, spec=replace(OWN_USERS.spec, host_users=True))
OWN_NETWORK = replace(OWN_USERS, spec=replace(OWN_USERS.spec, host_network=False))
RESIZED = replace(RESIZING, status=replace(RESIZING.status, conditions=(Condition(type="Ready", status="True"),)))


@pytest.mark.parametrize(
    ("row", "around"),
    [
        ("one_repelling_term_wakes", {"waiting": (pod("p", affinity=affinity(far=[term({"app": "a"})])),)}),
        ("groups_see_their_own_affinity", {"objects": [GROUP], "waiting": (pod("p", group="g"),)}),
        ("groups_preempt_where_they_fit",
         {"objects": [GROUP], "waiting": (pod("p", group="g"),), "placed": (pod("alike", node="n1", priority=7),)}),
        ("groups_preempt_where_they_fit", {"objects": [GROUP], "waiting": (pod("p", group="g"),)}),
        ("starting_pods_keep_their_order", {"placed": ALIKE, "waiting": (pod("p"),)}),
        ("starting_pods_keep_their_order", {"placed": ALIKE[:1], "waiting": (pod("p", priority=1),)}),
        ("starting_pods_keep_their_order",
         {"placed": (ALIKE[0], pod("b", node="n2")), "waiting": (pod("p", priority=1),)}),
        ("starting_pods_keep_their_order",
         {"placed": (ALIKE[0], pod("b", node="n1", priority=1)), "waiting": (pod("p", priority=2),)}),
        ("nominated_placements_come_first", {"objects": [IN_A_TOPOLOGY], "waiting": (pod("p", group="g"),)}),
        ("nominated_placements_come_first",
         {"objects": [GROUP], "waiting": (pod("p", group="g", nominated="n1"),)}),
        ("untolerated_taint_is_named", {"nodes": [node("n1", taints=["k=v:PreferNoSchedule"])]}),
        ("balance_by_improvement", {"waiting": (pod("p"),)}),
        ("best_effort_skips_balance", {"waiting": (pod("p", cpu="1"),)}),
        ("host_network_user_namespaces_are_declared", {"waiting": (HOST_USERS, OWN_NETWORK)}),
        ("groups_are_scheduled_at_once", {"objects": [GROUP], "waiting": (pod("p"),)}),
        ("PodLevelResources", {"waiting": (pod("p", cpu="1"),)}),
        ("DynamicResourceAllocation", {"waiting": (pod("p"),)}),
        ("InPlacePodVerticalScaling", {"placed": (RESIZED,)}),
    ],
)  # fmt: skip
def test_what_each_row_leaves_alone(row: str, around: dict[str, Any]) -> None:
    assert [*FIND[row](case_of("1.37", *around.pop("objects", ()), gates=GATES, **around))] == []


def test_each_row_is_found_and_worded() -> None:
    assert FIND.keys() == TOUCHED.keys()


def test_extenders_that_preempt() -> None:
    asked = ExtenderConfig(url_prefix="http://x", filter_verb="filter", preempt_verb="preempt")
    scheduler = replace(build_scheduler(SchedulerSettings(kubernetes_version="1.38")), extenders=(asked,))
    (change,) = release_changes(Case(cluster([]), (), scheduler=scheduler), differing("1.37", "1.38"))
    assert (change.name, change.examples) == ("preemption_needs_victims", ("extender http://x",))


def test_only_taints_that_turn_pods_away_are_named() -> None:
    nodes = [node(f"n{number}", taints=["k=v:NoExecute"]) for number in range(5)]
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version="1.35"))
    there = cluster([*nodes, node("n5", taints=["k=v:PreferNoSchedule"])])
    found = release_changes(Case(there, (PodToPlace(pod("p")),), scheduler=scheduler), differing("1.34", "1.35"))
    assert [(each.count, each.objects) for each in found] == [(5, "5 nodes have taints")]
