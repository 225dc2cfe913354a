"""What the newest releases decide otherwise than the one before: both verdicts side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster, NodeInfo
from kexplain.config.releases.release import Trait, traits, unmet_needs
from kexplain.framework.extender import ExtenderConfig, ExtenderFiltered
from kexplain.framework.postfilter import Candidate
from kexplain.framework.trace import Decision
from kexplain.framework.wake_events import registered_events, wakes
from kexplain.objects.core import ImageVolume, Node, Pod, PodResourceClaim, Volume
from kexplain.objects.device_taint_rules import DeviceTaintRule, DeviceTaintRuleSpec, DeviceTaintSelector
from kexplain.objects.meta import KubernetesObject, ResourceList
from kexplain.objects.resource import (
    AllocationResult,
    CapacityRequirements,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceDerivedAttribute,
    DeviceRequestAllocationResult,
    DeviceTaint,
    ResourceClaim,
    ResourceSlice,
)
from kexplain.objects.scheduling import PodGroup
from kexplain.plugins.inter_pod_affinity import InterPodAffinity
from kexplain.plugins.volume_restrictions import CLAIM_IN_USE
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate
from tests.factories import affinity, budget, cluster, node, pod, pod_group, selector, spread, term
from tests.plugins.devices.makers import DRIVER, claim, device, device_class, exactly, resource_slice
from tests.storage_factories import DRIVER as DRIVER_OF_VOLUMES
from tests.storage_factories import capacity, csi_driver, csi_node, persistent_volume, storage_class, uses
from tests.storage_factories import claim as volume_claim

EXACTNESS = Path(__file__).parents[3] / "kexplain" / "cli" / "manual" / "exactness.md"
#: What one decision comes to, in a word or a message.
Verdict = Callable[[Scheduler], object]
#: Gates that came with a release and are off; what they would change is not built, which every decision says.
UNBUILT = {"CompositePodGroup", "InPlacePodVerticalScalingSchedulerPreemption"}
#: Gates that a release no longer has, without a change of what holds by default.
GONE = {
    "DynamicResourceAllocation",
    "GangScheduling",
    "PodSchedulingReadiness",
    "SchedulerQueueingHints",
    "SidecarContainers",
    "WorkloadAwarePreemption",
}
#: Shown in `objects/test_requests`, `plugins/test_dynamic_resources`, `config/component/test_configured_scheduler`;
#: where the gate is off nothing is.
ELSEWHERE = {
    *("resizes_count_in_sum", "counters_elsewhere_make_no_pool", "PodGroupPreemptionPolicy"),
    "placement_feasible_is_configured",
}
#: The gates for groups of pods, as far as a release has them.
GROUPS = ("GenericWorkload", "GangScheduling", "WorkloadAwarePreemption")
#: The gates that a row is shown with.
FURTHER = {
    "nominated_placements_come_first": "TopologyAwareWorkloadScheduling",
    "DRADerivedAttributes": "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups": "DRADeviceCompatibilityGroups",
    "node_claims_have_overheads": "DRANodeAllocatableResources",
}

CLAIMING = replace(pod("p"), spec=replace(pod().spec, resource_claims=(PodResourceClaim("c", "c"),)))
FULL = cluster([node("n1", cpu="1")], [pod("low", node="n1", cpu="1")])


def decides(made: Cluster, asking: Pod) -> Callable[[Scheduler], Decision]:
    return lambda scheduler: scheduler.schedule(asking, made.counted_by(scheduler.rules))


def message(made: Cluster, asking: Pod) -> Verdict:
    return lambda scheduler: (decision := decides(made, asking)(scheduler)).host or decision.message


def scores(plugin: str, made: Cluster, asking: Pod) -> Verdict:
    """The plugin's points for each node; empty where it scores none."""

    def found(scheduler: Scheduler) -> object:
        by_plugin = decides(made, asking)(scheduler).scores.by_plugin
        return dict(by_plugin[plugin].normalized) if plugin in by_plugin else {}

    return found


def devices(asked: ResourceClaim, *objects: KubernetesObject, nodes: Sequence[str] = ("n1",)) -> Verdict:
    return message(cluster([node(name) for name in nodes], [], asked, device_class(), *objects), CLAIMING)


def group(*pods: Pod, nodes: Sequence[Node], of: PodGroup) -> Verdict:
    """Where each of these pods of a group goes, or what the scheduler says of it."""
    made = cluster(nodes, [], of)
    return lambda scheduler: [each.host or each.message for each in simulate(scheduler, made, pods)]


def group_with_a_claim(scheduler: Scheduler) -> object:
    """Two pods of a group share a device of a node that has room for one of them only."""
    made = cluster([node("n1", cpu="3"), node("n2", cpu="2")], [], pod_group("g"), device_class(), ONE, SLICE)
    pods = [
        replace(each, spec=replace(each.spec, resource_claims=CLAIMING.spec.resource_claims))
        for each in (member("a"), member("b"))
    ]
    return [each.host or each.message for each in simulate(scheduler, made, pods)]


OF_ONE_POD = (
    storage_class("wait"),
    persistent_volume("v", modes=("ReadWriteOncePod",)),
    volume_claim(volume="v", modes=("ReadWriteOncePod",)),
)


def group_with_one_volume(scheduler: Scheduler) -> object:
    """Two pods of a group use a volume that is for one pod at a time."""
    made = cluster([node("n1", cpu="4")], [], pod_group("g"), *OF_ONE_POD)
    pods = [member(name, "1", volumes=uses("data")) for name in ("a", "b")]
    return [each.host or each.message for each in simulate(scheduler, made, pods)]


def gang_by_default(scheduler: Scheduler) -> object:
    """Two pods that need each other, on a node with room for one, where no gate is set."""
    plain = build_scheduler(SchedulerSettings(kubernetes_version=scheduler.release))
    return group(member("a"), member("b"), nodes=ONE_NODE, of=pod_group("g", 2))(plain)


def _leaving(decision: Decision) -> Sequence[Pod]:
    return decision.group.victims if decision.group else decision.victims


def member(name: str, cpu: str = "2", **more: object) -> Pod:
    return pod(name, cpu=cpu, group="g", **more)  # type: ignore[arg-type]


def steps_at_permit(scheduler: Scheduler) -> object:
    (profile,) = scheduler.profiles.values()
    return [plugin.name for plugin in profile.permit]


def rule(selects: DeviceTaintSelector | None) -> DeviceTaintRule:
    taint = DeviceTaint(key="broken", effect="NoSchedule")
    return DeviceTaintRule(spec=DeviceTaintRuleSpec(device_selector=selects, taint=taint))


def spread_over_everybody(scheduler: Scheduler) -> object:
    """Two zones, with two other pods of the namespace in one of them."""
    nodes = [node("n1", zone="a"), node("n2", zone="b", cpu="0")]
    made = cluster(nodes, [pod(name, node="n1") for name in ("x", "y")])
    return message(made, pod("p", cpu="1", spread=[spread(labels=selector())]))(scheduler)


def victim_under_a_budget_for_all(scheduler: Scheduler) -> object:
    """One of two nodes is to be cleared, and that in the budget's namespace holds the less important pod."""
    nodes = [node("n1", cpu="1"), node("n2", cpu="1")]
    placed = [pod("kept", node="n1", cpu="1", priority=1), pod("other", node="n2", cpu="1", priority=2, namespace="b")]
    made = cluster(nodes, placed, budget("all", selector()))
    return decides(made, pod("p", cpu="1", priority=9))(scheduler).nominated_node


class Takes:
    """An extender that lets nobody onto a node, and names a pod there that would have to go."""

    config = ExtenderConfig(url_prefix="http://x", weight=1, filter_verb="filter", preempt_verb="preempt")

    def filter(self, asking: Pod, node_infos: Sequence[NodeInfo]) -> ExtenderFiltered:
        return ExtenderFiltered((), {each.name: "no licence" for each in node_infos}, {})

    def prioritize(self, asking: Pod, node_infos: Sequence[NodeInfo]) -> dict[str, int]:
        raise NotImplementedError

    def process_preemption(self, asking: Pod, candidates: Sequence[Candidate], made: Cluster) -> dict[str, Candidate]:
        assert [each.victims for each in candidates] == [()]
        return {"n1": Candidate("n1", (made.node_infos[0].pods[0].pod,), 0)}


def only_an_extender_objects(scheduler: Scheduler) -> object:
    asked = replace(scheduler, extenders=(Takes.config,), connected_extenders=(Takes(),))
    made = cluster([node("n1", cpu="4")], [pod("low", node="n1", cpu="1")])
    decision = decides(made, pod("p", cpu="1", priority=9))(asked)
    return decision.nominated_node or decision.message


def held_in_part(name: str, consumed: ResourceList | None = None) -> ResourceClaim:
    """A claim that holds a share of a device."""
    share = DeviceRequestAllocationResult(
        request="r0", driver=DRIVER, pool="n1", device="a", share_id="s", consumed_capacity=consumed
    )
    held = claim(exactly(), name=name)
    allocation = AllocationResult(devices=DeviceAllocationResult(results=(share,)))
    return replace(held, status=replace(held.status, allocation=allocation))


def drawing(name: str, amount: str, groups: Sequence[str] = (), **further: Any) -> Device:
    """A device that draws so much on a counter of its pool, beside others of its groups."""
    drawn = {"counterSet": "set", "counters": {"c": {"value": amount}}, "compatibilityGroups": groups}
    return device(name, consumesCounters=[drawn], **further)


def counted(
    total: str, *devices: Device, driver: str = DRIVER, pool: str = "n1"
) -> tuple[ResourceSlice, ResourceSlice]:
    """Devices that share a counter of so much."""
    counters = msgspec.convert([{"name": "set", "counters": {"c": {"value": total}}}], tuple[CounterSet, ...])
    return (
        resource_slice(*devices, driver=driver, pool=pool, count=2, name=f"{driver}-devices"),
        resource_slice(driver=driver, pool=pool, count=2, name=f"{driver}-counters", counters=counters),
    )


NUMA = [device(name, {"numa": value}) for name, value in (("a", 1), ("b", 2), ("c", 1))]
THREE_APART = claim(exactly(count=3), distinct=f"{DRIVER}/numa")
TAINTED: dict[str, Any] = {"taints": [{"key": "broken", "effect": "NoSchedule"}]}
OTHER_DRIVER = "other.example.com"
OF_EACH = claim(exactly("r0", f'device.driver == "{DRIVER}"'), exactly("r1", f'device.driver == "{OTHER_DRIVER}"'))
SHARED_BY_ALL: dict[str, Any] = {"allowMultipleAllocations": True, "capacity": {"memory": {"value": "1"}}}
ALL_WITH_ROOM = claim(exactly(allocation_mode="All", capacity=CapacityRequirements(requests={"memory": "1"})))
NAMED_IN_FULL = claim(exactly(capacity=CapacityRequirements(requests={f"{DRIVER}/memory": "1"})))
TWO = claim(exactly(count=2))
IN_GROUPS = counted("9", *(drawing(name, "1", groups=[name]) for name in ("a", "b")))
INCOMPLETE = resource_slice(device("a"), node="n1", count=2)
WHOLE = resource_slice(device("b"), node="n2")
ALL = claim(exactly(allocation_mode="All"))
ONE = claim(exactly())
SLICE = resource_slice(device("a"))
WITH_LISTS = Device(name="a", attributes={"numa": DeviceAttribute(int_values=(0, 1))})
IMAGES = cluster([node("n1", images={"img:1": 1000 * 1024**2}), node("n2")])
WITH_IMAGE = replace(
    pod("p", image="img:1"),
    spec=replace(pod("p", image="img:1").spec, volumes=(Volume(name="v", image=ImageVolume(reference="img:2")),)),
)
STORAGE = cluster(
    [node(name, labels={"disk": name}) for name in ("n1", "n2")],
    [],
    storage_class(),
    csi_driver(),
    volume_claim(),
    *(capacity(name, selector({"disk": name}), amount) for name, amount in (("n1", "20Gi"), ("n2", "100Gi"))),
)
NO_DRIVER = cluster(
    [node("n1")], [], storage_class(), csi_driver(must_be_there=True, tracks_capacity=False), volume_claim(), csi_node()
)


#: Of a device whose capacity is asked for in halves.
HALVES = {"default": "1", "validRange": {"min": "500m", "step": "500m"}}
SHARED = device("a", capacity={"memory": {"value": "3", "requestPolicy": HALVES}}, allowMultipleAllocations=True)
ONE_AND_A_HALF = {"capacity": CapacityRequirements(requests={"memory": "1500m"})}
TWICE = claim(exactly("r0", **ONE_AND_A_HALF), exactly("r1", **ONE_AND_A_HALF))
FAILING = claim(exactly("r0", 'device.attributes["x"].y == "z"'))
NO_ROOM = "0/1 nodes are available: 1 Insufficient cpu."
NOT_ALONE = "no new claims to deallocate, preemption: not eligible due to workload aware preemption enabled"
NO_VICTIMS = "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
NO_DEVICES = (
    "0/1 nodes are available: 1 cannot allocate all claims. "
    "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
)
NOT_HELPFUL = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
STILL_NOT = NOT_HELPFUL.replace("preemption", "still not schedulable, preemption", 1)
DERIVED = (DeviceDerivedAttribute("derived/one", "1"),)
DERIVING = claim(exactly("r0", derived_attributes=DERIVED), match="derived/one")
NO_CONTAINER = "not referenced by any container within"
OF_NODE: dict[str, Any] = {"nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "1"}}}
OF_LOSER = "deviceclass.resource.kubernetes.io/b"
IDLE = NO_DEVICES.replace("preemption", "still not schedulable, preemption", 1)
FILTER_FAILED = 'running "DynamicResources" filter plugin: claim default/c'

#: A running group that only leaves as a whole, whose pods have more priority than it.
BEING_WHOLE = pod_group("whole", mode="All", priority=1)
APART = {"app": "g"}
REPELLING = member("a", "1", labels=APART, affinity=affinity(far=[term(selector(APART))]))
LOW = [pod("low1", cpu="4", node="n1", priority=1), pod("low2", cpu="4", node="n2", priority=3)]
TWO_NODES = [node("n1", cpu="4", labels={"zone": "a"}), node("n2", cpu="4", labels={"zone": "b"})]
IN_ZONES = [node("n1", cpu="4", labels={"zone": "a"}), node("n2", cpu="6", labels={"zone": "b"})]
WAITS = "waiting for minCount pods from a gang to be scheduled"
ASKED_TO_WAIT = "one or more plugins asked to wait and no plugin rejected pod"
GROUP_UNSCHEDULABLE = "pod group is unschedulable"
TOO_FEW = "minCount (2) cannot be satisfied: 1 scheduled, 0 remaining"
NOBODY_LEAVES = "pod group preemption: No preemption victims found for incoming preemptor"
ONE_NODE = [node("n1", cpu="2")]
BUDGETS = (budget("b1", selector({"x": "1"}), 0), budget("b2", selector({"y": "1"}), 1))


def whom_a_deletion_wakes(scheduler: Scheduler) -> object:
    """The pod must not be beside apps named a nor named b; one of the former goes."""
    asking = pod("p", affinity=affinity(far=[term({"app": "a"}), term({"app": "b"})]))
    made, gone = cluster([node("n1")]), pod("gone", node="n1", labels={"app": "a"})
    (repelling,) = (
        each for each in scheduler.profiles["default-scheduler"].filter if isinstance(each, InterPodAffinity)
    )
    infos = made.pod_info(asking), made.pod_info(gone)
    events = registered_events(repelling, scheduler.features, scheduler.rules)
    return ["p"] if wakes(events, "Delete", *infos, made) else []


def by_the_name_of_the_class_that_lost(scheduler: Scheduler) -> object:
    classes = [device_class(name, resource="example.com/gpu") for name in ("a", "b")]
    made = cluster([node("n1")], [], *classes, SLICE)
    return message(made, pod("p", further={OF_LOSER: 1}))(scheduler)


def who_is_spared_by_budgets(scheduler: Scheduler) -> object:
    """One of the smaller two is spared; the large one violates a budget, and shares another with one of them."""
    running = [
        pod("large", cpu="2", node="n1", priority=3, labels={"x": "1", "y": "1"}),
        pod("protected", cpu="1", node="n1", priority=2, labels={"y": "1"}),
        pod("older", cpu="1", node="n1", priority=2, started="2026-05-01T06:00:00Z"),
    ]
    made = cluster([node("n1", cpu="4")], running, *BUDGETS)
    return [victim.name for victim in decides(made, pod("p", cpu="3", priority=9))(scheduler).victims]


def who_goes_of_those_that_have_not_started(scheduler: Scheduler) -> object:
    running = [pod(name, cpu="1", node="n1", priority=1) for name in ("a", "b")]
    made = cluster([node("n1", cpu="2")], running)
    return [victim.name for victim in decides(made, pod("p", cpu="1", priority=9))(scheduler).victims]


def victims_of_group(scheduler: Scheduler) -> object:
    made = cluster(TWO_NODES, LOW, pod_group("g", 2, priority=9))
    first, *_ = simulate(scheduler, made, [member("a", priority=9), member("b", priority=9)])
    return sorted(victim.name for victim in _leaving(first))


def victims_among_groups(scheduler: Scheduler) -> object:
    """The pod has more priority than who asks, and its group less."""
    made = cluster(ONE_NODE, [pod("x", cpu="2", node="n1", priority=5, group="whole")], BEING_WHOLE)
    return [victim.name for victim in decides(made, pod("p", cpu="2", priority=3))(scheduler).victims]


ROWS = [
    pytest.param(
        "groups_are_counted_while_tried", "1.37", group(member("a"), member("b"), nodes=ONE_NODE, of=pod_group("g", 2)),
        [f"{GROUP_UNSCHEDULABLE}, {WAITS}, {ASKED_TO_WAIT}", f"{NO_ROOM} {NOT_ALONE}"],
        [f"{GROUP_UNSCHEDULABLE}, {TOO_FEW}, {NOBODY_LEAVES}", NO_ROOM],
    ),
    pytest.param(
        "groups_must_agree", "1.37", group(member("a", priority=1), nodes=ONE_NODE, of=pod_group("g", 1)),
        ["n1"],
        ["all pods in a single pod group should have the same priority as the pod group's priority, got 1 and 0"],
    ),
    pytest.param(
        "groups_see_their_own_affinity", "1.37",
        group(REPELLING, member("b", "1", labels=APART), nodes=ONE_NODE, of=pod_group("g")),
        ["n1", "n1"],
        ["n1", "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules."],
    ),
    pytest.param(
        "groups_see_their_own_affinity", "1.37", group_with_one_volume,
        ["n1", "n1"],
        ["n1", f"0/1 nodes are available: 1 {CLAIM_IN_USE}."],
    ),
    pytest.param(
        "groups_preempt_where_they_fit", "1.37", victims_of_group,
        ["low1"],
        ["low1", "low2"],
    ),
    pytest.param("groups_are_victims", "1.37", victims_among_groups, [], ["x"]),
    pytest.param("one_repelling_term_wakes", "1.37", whom_a_deletion_wakes, [], ["p"]),
    pytest.param(
        "groups_stay_where_their_claims_are", "1.37", group_with_a_claim,
        ["n1", "n2"],
        ["n1", "0/2 nodes are available: 1 Insufficient cpu, 1 resourceclaim not available on the node."],
    ),
    pytest.param(
        "violations_draw_on_one_budget", "1.37", who_is_spared_by_budgets,
        ["large", "older"],
        ["large", "protected"],
    ),
    pytest.param("starting_pods_keep_their_order", "1.37", who_goes_of_those_that_have_not_started, ["a"], ["b"]),
    pytest.param(
        "distinct_values_are_all_remembered", "1.37", devices(THREE_APART, resource_slice(*NUMA)), "n1", NO_DEVICES,
    ),
    pytest.param(
        "failed_picks_leave_nothing", "1.37",
        devices(ONE, *counted("2", drawing("a", "2", **TAINTED), drawing("b", "2"))),
        IDLE,
        "n1",
    ),
    pytest.param(
        "counters_go_by_driver", "1.37",
        devices(OF_EACH, *counted("1", drawing("a", "1")), *counted("5", drawing("b", "3"), driver=OTHER_DRIVER)),
        IDLE,
        "n1",
    ),
    pytest.param(
        "shares_without_amounts_draw_once", "1.37",
        devices(ONE, held_in_part("other"), *counted("2", drawing("a", "2", allowMultipleAllocations=True))),
        IDLE,
        "n1",
    ),
    pytest.param(
        "all_devices_need_room", "1.37",
        devices(
            ALL_WITH_ROOM, held_in_part("other", {"memory": "1"}),
            resource_slice(device("a", **SHARED_BY_ALL), device("b", **SHARED_BY_ALL)),
        ),
        "n1",
        NO_DEVICES,
    ),
    pytest.param(
        "claims_name_capacities_in_full", "1.38",
        devices(NAMED_IN_FULL, resource_slice(device("a", **SHARED_BY_ALL))),
        NO_DEVICES,
        "n1",
    ),
    pytest.param(
        "losing_classes_keep_their_names", "1.38", by_the_name_of_the_class_that_lost,
        f"0/1 nodes are available: 1 Insufficient {OF_LOSER}. {NOT_HELPFUL}",
        "n1",
    ),
    pytest.param("compatibility_groups_are_known", "1.37", devices(ONE, *IN_GROUPS), "n1", NO_DEVICES),
    pytest.param(
        "node_claims_have_overheads", "1.37", devices(ONE, resource_slice(device("a", **OF_NODE))),
        f"0/1 nodes are available: 1 claim c: node-allocatable resource claim {NO_CONTAINER} the pod. {STILL_NOT}",
        "n1",
    ),
    pytest.param("DRADerivedAttributes", "1.37", devices(DERIVING, SLICE), IDLE, "n1"),
    pytest.param("DRADeviceCompatibilityGroups", "1.37", devices(TWO, *IN_GROUPS), "n1", NO_DEVICES),
    pytest.param(
        "GenericWorkload", "1.38", gang_by_default,
        ["n1", f"{NO_ROOM} {NO_VICTIMS}"],
        [f"{TOO_FEW}, {NOBODY_LEAVES}", NO_ROOM],
    ),
    pytest.param("gangs_wait_at_permit", "1.38", steps_at_permit, ["GangScheduling"], []),
    pytest.param(
        "group_texts_stand_alone", "1.38", group(member("a"), member("b"), nodes=ONE_NODE, of=pod_group("g", 2)),
        [f"{GROUP_UNSCHEDULABLE}, {TOO_FEW}, {NOBODY_LEAVES}", NO_ROOM],
        [f"{TOO_FEW}, {NOBODY_LEAVES}", NO_ROOM],
    ),
    pytest.param(
        "nominated_placements_come_first", "1.38",
        group(
            member("a", nominated="n1"), member("b"), member("c"), nodes=IN_ZONES, of=pod_group("g", 2, key="zone")
        ),
        ["n2", "n2", "n2"],
        ["n1", "n1", NO_ROOM],
    ),
    pytest.param(
        "found_placement_is_told", "1.37", message(FULL, pod("p", cpu="1", priority=9)),
        NO_ROOM,
        f"{NO_ROOM} preemption: found a potential placement for pod on node n1, preempting 1 victims",
    ),
    pytest.param(
        "idle_claims_are_told", "1.37", message(FULL, pod("p", cpu="1")),
        f"{NO_ROOM} no new claims to deallocate, {NO_VICTIMS}",
        f"{NO_ROOM} {NO_VICTIMS}",
    ),
    pytest.param(
        "image_volumes_raise_the_ceiling", "1.37", scores("ImageLocality", IMAGES, WITH_IMAGE),
        {"n1": 48, "n2": 0},
        {"n1": 24, "n2": 0},
    ),
    pytest.param(
        "lists_are_known", "1.37", devices(claim(exactly("r0", "true")), resource_slice(WITH_LISTS)),
        f"{FILTER_FAILED}: selector #0: CEL runtime error: attribute numa: unsupported attribute value",
        "n1",
    ),
    pytest.param(
        "failing_devices_are_named", "1.37", devices(FAILING, resource_slice(device("a"))),
        f"{FILTER_FAILED}: selector #0: CEL runtime error: no such key: y",
        f"{FILTER_FAILED}: selector #0 on device gpu.example.com/n1/a: CEL runtime error: no such key: y. consider "
        "using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields",
    ),
    pytest.param(
        "DRADeviceTaintRules", "1.37", devices(ONE, SLICE, rule(DeviceTaintSelector())), "n1", NO_DEVICES,
    ),
    pytest.param("DRAFractionalCapacityRange", "1.37", devices(TWICE, resource_slice(SHARED)), IDLE, "n1"),
    pytest.param(
        "StorageCapacityScoring", "1.37", scores("VolumeBinding", STORAGE, pod("p", volumes=uses("data"))),
        {},
        {"n1": 50, "n2": 90},
    ),
    pytest.param(
        "VolumeLimitScaling", "1.37", message(NO_DRIVER, pod("p", volumes=uses("data"))),
        "n1",
        f"0/1 nodes are available: 1 {DRIVER_OF_VOLUMES} CSI driver is not installed on the node. {NO_VICTIMS}",
    ),
    pytest.param(
        "empty_spread_selectors_count_nothing", "1.38", spread_over_everybody,
        "n1",
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints. "
        "preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not "
        "helpful for scheduling.",
    ),
    pytest.param("empty_budget_selectors_protect_nothing", "1.38", victim_under_a_budget_for_all, "n1", "n2"),
    pytest.param(
        "preemption_needs_victims", "1.38", only_an_extender_objects,
        '0/1 nodes are available: 1 no licence. preemption: expected at least one victim pod on node "n1"',
        "n1",
    ),
    pytest.param(
        "all_of_unusable_pools_is_an_error", "1.38", devices(ALL, INCOMPLETE, WHOLE, nodes=("n1", "n2")),
        f"{FILTER_FAILED}, request r0: asks for all devices, but resource pool gpu.example.com/n1 is currently being "
        "updated",
        "n2",
    ),
    pytest.param(
        "shares_keep_devices_from_others", "1.38", devices(ONE, held_in_part("other"), SLICE), "n1", NO_DEVICES,
    ),
    pytest.param(
        "taint_rules_without_selector_taint_all", "1.38", devices(ONE, SLICE, rule(None)), NO_DEVICES, "n1",
    ),
]  # fmt: skip


def _before(release: str) -> str:
    return f"1.{int(release.removeprefix('1.')) - 1}"


@pytest.mark.parametrize(("trait", "release", "verdict", "before", "after"), ROWS)
def test_both_verdicts(trait: str, release: str, verdict: Verdict, before: object, after: object) -> None:
    assert trait in _differing(release)
    releases = (_before(release), release)
    further = [FURTHER[trait]] if trait in FURTHER else []
    found = [verdict(build_scheduler(_settings(each, *further))) for each in releases]
    assert found == [before, after]


def _settings(release: str, *further: str) -> SchedulerSettings:
    """With groups of pods, which leaves pods that are in none alone, and further gates."""
    gates = {trait.gate: True for trait in traits(release) if trait.gate in (*GROUPS, *further)}
    return SchedulerSettings(kubernetes_version=release, feature_gates=gates)


@pytest.mark.parametrize("release", ["1.37", "1.38"])
def test_no_difference_goes_without_verdicts(release: str) -> None:
    shown = {row.values[0] for row in ROWS}
    assert _differing(release) <= shown | UNBUILT | GONE | ELSEWHERE


def _differing(release: str) -> set[str]:
    """What stands otherwise than in the release before, or is not known to one of the two."""

    def standing(trait: Trait) -> tuple[str, bool]:
        return trait.name, trait.is_on

    old, new = ({standing(each) for each in traits(of)} for of in (_before(release), release))
    return {name for name, _ in old ^ new}


def test_the_manual_names_what_is_not_built() -> None:
    (paragraph,) = (each for each in EXACTNESS.read_text().split("\n\n") if " are not followed" in each)
    known = {trait.gate for release in ("1.36", "1.37", "1.38") for trait in traits(release)}
    assert {word.strip(",.") for word in paragraph.split()} & known == UNBUILT


@pytest.mark.parametrize("release", ["1.36", "1.37", "1.38"])
def test_every_gate_that_is_not_built_is_named_in_the_verdict(release: str) -> None:
    made = cluster([node("n1")], [], ONE, device_class(), SLICE)
    for gate in [trait.gate for trait in traits(release) if trait.gate and not trait.is_on]:
        gates = {gate: True}
        while needs := unmet_needs(release, gates):
            gates |= dict.fromkeys(chain.from_iterable(needs.values()), True)
        scheduler = build_scheduler(SchedulerSettings(kubernetes_version=release, feature_gates=gates))
        assert scheduler.schedule(CLAIMING, made).not_evaluated.keys() == {gate} & UNBUILT, gate


def test_what_the_newest_releases_have_on_is_built() -> None:
    for release in ("1.37", "1.38"):
        decision = build_scheduler(SchedulerSettings(kubernetes_version=release)).schedule(CLAIMING, FULL)
        assert decision.not_evaluated == {}
