from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster
from kexplain.config.releases.release import features_of
from kexplain.framework.binding import pre_bind_failure
from kexplain.framework.evidence.devices import ClaimElsewhere, MissingDeviceClass, UnmetCombination, UnmetRequest
from kexplain.framework.features import Features
from kexplain.framework.plugin import SKIP, PreFiltered
from kexplain.framework.status import Code, Status
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import (
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
    PodResourceClaim,
    PodResourceClaimStatus,
)
from kexplain.objects.device_taint_rules import DeviceTaintRule, DeviceTaintRuleSpec
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta, OwnerReference
from kexplain.objects.resource import (
    AllocatedDeviceStatus,
    AllocationResult,
    CapacityRequirements,
    Counter,
    CounterSet,
    DeviceAllocationResult,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceTaint,
    ResourceClaim,
    ResourceClaimAnnotations,
    ResourceClaimConsumerReference,
    ResourceClaimMeta,
    ResourceSlice,
)
from kexplain.plugins.devices.inventory import Inventory
from kexplain.plugins.dynamic_resources import DynamicResources
from kexplain.scheduler.replica_capacity import fill, replicas_of
from tests.factories import cluster, node, pod

from .asking import UNRESOLVABLE, filter_verdict, rejection
from .devices.makers import CLASS, DRIVER, claim, device, device_class, exactly, first_available, resource_slice

GPU = "example.com/gpu"
PREFIX = "deviceclass.resource.kubernetes.io/"
TOO_FEW = "number of allocations 1 is smaller than number of claims"
SLICES = (resource_slice(device("a", {"numa": 0}), device("b", {"numa": 1})), resource_slice(device("c"), node="n2"))


def asking(*claims: str, name: str = "p", template: str = "", generated: str | None = None, **fields: Any) -> Pod:
    """A pod with these claims, or with one from a template, perhaps generated already."""
    made = pod(name, **fields)
    references = [PodResourceClaim(name=each, resource_claim_name=each) for each in claims]
    if template:
        references.append(PodResourceClaim(name="t", resource_claim_template_name=template))
    statuses = (PodResourceClaimStatus(name="t", resource_claim_name=generated),) if generated is not None else None
    return replace(
        made,
        spec=replace(made.spec, resource_claims=tuple(references), scheduler_name="default-scheduler"),
        status=replace(made.status, resource_claim_statuses=statuses),
    )


def with_devices(*objects: KubernetesObject, extended: str | None = None) -> Cluster:
    made = cluster([node("n1"), node("n2"), node("n3")])
    return made.replacing([*SLICES, device_class(CLASS, resource=extended), *objects])


def made_for(name: str, uid: str | None) -> ResourceClaim:
    owner = OwnerReference(kind="Pod", name="p", uid=uid, controller=True)
    metadata = ResourceClaimMeta(name=name, namespace="default", owner_references=(owner,))
    return replace(claim(exactly()), metadata=metadata)


DELETED = ResourceClaimMeta(name="c", namespace="default", deletion_timestamp="2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("wanted", "objects", "reason"),
    [
        pytest.param(asking("c"), [claim(exactly())], None, id="there"),
        pytest.param(asking("c"), [], 'could not find ResourceClaim "default/c"', id="missing"),
        pytest.param(asking(template="t"), [], 'pod "default/p": ResourceClaim not created yet', id="not-generated"),
        pytest.param(asking(template="t", generated=""), [], None, id="none-needed"),
        pytest.param(
            asking(template="t", generated="g"), [made_for("g", "another")],
            "ResourceClaim default/g was not created for Pod default/p (Pod is not owner)", id="of-another-pod",
        ),
        pytest.param(
            asking("c"), [replace(claim(), metadata=DELETED)],
            'resourceclaim "c" is being deleted', id="deleted",
        ),
    ],
)  # fmt: skip
def test_pre_enqueue(wanted: Pod, objects: list[KubernetesObject], reason: str | None) -> None:
    expected = None if reason is None else rejection(UNRESOLVABLE, reason)
    assert DynamicResources().pre_enqueue(wanted, with_devices(*objects)) == expected


def test_without_claims_it_skips() -> None:
    made = with_devices()
    assert DynamicResources().pre_filter(pod(), made) is SKIP
    assert DynamicResources().score(pod(), None, made.node_infos[0]) == 0


def test_a_class_that_is_not_there() -> None:
    made = with_devices(claim(exactly(device_class_name="ghost")))
    evidence = [MissingDeviceClass("r0", "ghost", (CLASS,))]
    expected = rejection(UNRESOLVABLE, "request r0: device class ghost does not exist", evidence=evidence)
    assert DynamicResources().pre_filter(asking("c"), made) == expected
    unnamed = with_devices(claim(exactly(device_class_name="")))
    assert DynamicResources().pre_filter(asking("c"), unnamed) == Status(
        Code.ERROR, ("request r0: unsupported request type",)
    )


def verdict(made: Cluster, name: str = "n1", wanted: Pod | None = None) -> Status | None:
    return filter_verdict(DynamicResources(), wanted or asking("c"), made, name)


def test_filter_says_what_is_missing() -> None:
    made = with_devices(claim(exactly("r0", f'"numa" in device.attributes["{DRIVER}"]', count=2)))
    assert verdict(made) is None
    for name, offered, matching in (("n2", 1, 0), ("n3", 0, 0)):
        answer = verdict(made, name)
        assert answer is not None
        assert (answer.code, answer.reasons) == (UNRESOLVABLE, ("cannot allocate all claims",))
        [unmet] = answer.evidence
        assert isinstance(unmet, UnmetRequest)
        assert (unmet.offered, unmet.matching, unmet.wanted) == (offered, matching, 2)
        assert [(each.asked, each.matching) for each in unmet.selectors] == [(offered, matching)]


def test_filter_says_who_has_the_device() -> None:
    user = ResourceClaimConsumerReference(resource="pods", name="other", uid="o")
    held = claim(name="held", allocated=["n2/c"], reserved_for=(user,))
    answer = verdict(with_devices(claim(exactly()), held), "n2")
    assert answer is not None
    [unmet] = answer.evidence
    assert isinstance(unmet, UnmetRequest)
    assert [(t.device, t.claim, t.users) for t in unmet.taken] == [(f"{DRIVER}/n2/c", "default/held", ("other",))]


def test_filter_says_which_constraint_is_in_the_way() -> None:
    wanted = claim(exactly(), exactly("r1"), match=f"{DRIVER}/numa")
    answer = verdict(with_devices(wanted))
    assert answer is not None
    assert answer.evidence == (
        UnmetCombination(("default/c",), ("r0", "r1"), f"{DRIVER}/numa", False, {"r0": ("0", "1"), "r1": ("0", "1")}),
    )
    together = verdict(with_devices(claim(exactly(count=2), exactly("r1"))))
    assert together is not None
    assert together.evidence == (UnmetCombination(("default/c",), ("r0", "r1")),)


def allocated_on(name: str, **status: Any) -> ResourceClaim:
    only = NodeSelectorRequirement(key="metadata.name", operator="In", values=(name,))
    selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(only,)),))
    result = DeviceRequestAllocationResult(
        request="r0",
        driver=DRIVER,
        pool="n1",
        device="a",
        binding_conditions=("up",),
        binding_failure_conditions=("down",),
    )
    allocation = AllocationResult(devices=DeviceAllocationResult(results=(result,)), node_selector=selector)
    return claim(exactly(), allocation=allocation, **status)


MINE = (ResourceClaimConsumerReference(resource="pods", name="p", uid=asking().uid),)
TWO = (*MINE, ResourceClaimConsumerReference(resource="pods", name="o", uid="o"))


def failed(status: str) -> tuple[AllocatedDeviceStatus, ...]:
    condition = Condition(type="down", status=status)
    return (AllocatedDeviceStatus(driver=DRIVER, pool="n1", device="a", conditions=(condition,)),)


@pytest.mark.parametrize(
    ("made", "n1", "text"),
    [
        pytest.param(allocated_on("n1"), True, "deallocation of ResourceClaim completed", id="unused"),
        pytest.param(allocated_on("n1", reserved_for=MINE), True, "deallocation of ResourceClaim completed", id="mine"),
        pytest.param(allocated_on("n1", reserved_for=TWO), True, "still not schedulable", id="in-use"),
        pytest.param(
            allocated_on("n1", devices=failed("True")), False, "deallocation of ResourceClaim completed", id="failed",
        ),
        pytest.param(
            allocated_on("n1", devices=failed("False")), True, "deallocation of ResourceClaim completed", id="waiting",
        ),
    ],
)  # fmt: skip
def test_allocated_claims(made: ResourceClaim, n1: bool, text: str) -> None:
    there = with_devices(made)
    answer = verdict(there, "n2")
    assert answer is not None
    assert answer.reasons == ("resourceclaim not available on the node",)
    assert isinstance(answer.evidence[0], ClaimElsewhere)
    assert (verdict(there) is None) is n1
    cordoned = cluster([node("n1", cordoned=True), node("n2")]).replacing([*SLICES, device_class(), made])
    decision = build_scheduler().schedule(asking("c"), cordoned)
    assert f" {text}, preemption: " in decision.message


def test_the_next_pod_sees_devices_taken() -> None:
    scheduler = build_scheduler(SchedulerSettings(traces_everything=True))
    made = with_devices(claim(exactly(count=2)), claim(exactly(), name="d"))
    decision = scheduler.schedule(asking("c"), made)
    assert (decision.outcome, decision.feasible) == (Outcome.SCHEDULED, ("n1",))
    after = scheduler.assume(decision)
    taken = after.listers.get(ResourceClaim, "c", "default")
    assert taken is not None
    assert taken.status.allocation is not None
    assert [r.device for r in taken.status.allocation.devices.results or ()] == ["a", "b"]
    assert [user.name for user in taken.status.reserved_for or ()] == ["p"]
    assert scheduler.schedule(asking("d"), after).feasible == ("n2",)
    # The claim is allocated now: who shares it goes where its devices are.
    assert scheduler.schedule(asking("c"), after).feasible == ("n1",)


@pytest.mark.parametrize("is_allocated", [True, False], ids=["allocated", "not-yet"])
@pytest.mark.parametrize(("users", "others"), [(255, 255), (256, 256), (256, 255)], ids=["room", "full", "one-of-them"])
def test_so_many_pods_may_use_a_claim(users: int, others: int, *, is_allocated: bool) -> None:
    names = [*(f"p{number}" for number in range(others)), *["p"] * (users - others)]
    reserved = tuple(
        ResourceClaimConsumerReference(resource="pods", name=each, uid=f"default/{each}") for each in names
    )
    made = claim(exactly(), reserved_for=reserved, allocated=["n1/a"] if is_allocated else [])
    decision = build_scheduler().schedule(asking("c"), with_devices(made))
    written = "reservation" if is_allocated else "allocation and reservation"
    assert decision.outcome is Outcome.SCHEDULED
    expected = (
        f'running PreBind plugin "DynamicResources": add {written} to claim default/c: ResourceClaim.resource.k8s.io '
        '"c" is invalid: status.reservedFor: Too many: 257: must have at most 256 items'
    )
    assert pre_bind_failure(decision.binding) == (expected if others == 256 else "")


def test_no_replica_uses_a_claim_that_is_full() -> None:
    there = cluster([node("n1", pods=1000)]).replacing([*SLICES, device_class(), claim(exactly())])
    filled = fill(build_scheduler(), there, islice(replicas_of([asking("c")]), 300))
    assert (len(filled.placements), filled.stopped_by) == (256, None)
    assert "must have at most 256 items" in filled.refused
    assert len(filled.cluster.node_info_by_name["n1"].pods) == 256


def test_earlier_alternatives_score_more() -> None:
    numa = f'"numa" in device.attributes["{DRIVER}"]'
    made = with_devices(claim(first_available("r", best=numa, other="true")))
    decision = build_scheduler().schedule(asking("c"), made)
    scores = {score.node_name: score.by_plugin["DynamicResources"] for score in decision.scores}
    assert {name: (each.raw, each.normalized, each.weighted) for name, each in scores.items()} == {
        "n1": (8, 100, 200), "n2": (7, 87, 174),
    }  # fmt: skip
    workings = {name: decision.score_terms(name)["DynamicResources"].working for name in scores}
    assert workings == {
        "n1": "r/best is number 1, so 8; 100 × 8 / 8 = 100", "n2": "r/other is number 2, so 7; 100 × 7 / 8 = 87",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("release", "outcome", "message"),
    [
        ("1.36", Outcome.SCHEDULED, ""),
        ("1.35", Outcome.ERROR, 'running Score plugins: plugin "DynamicResources" failed with: ' + TOO_FEW),
        ("1.34", Outcome.SCHEDULED, ""),
    ],
)
def test_a_claim_that_is_allocated_beside_one_that_is_not(release: str, outcome: Outcome, message: str) -> None:
    made = with_devices(claim(exactly(), allocated=["n1/a"]), claim(exactly(), name="d"))
    decision = build_scheduler(SchedulerSettings(kubernetes_version=release)).schedule(asking("c", "d"), made)
    assert (decision.outcome, decision.message) == (outcome, message)


def test_extended_resources_backed_by_a_class() -> None:
    scheduler = build_scheduler()
    made = with_devices(extended=GPU)
    wanted = asking(further={GPU: 2})
    decision = scheduler.schedule(wanted, made)
    assert decision.feasible == ("n1",)
    after = scheduler.assume(decision)
    [special] = after.listers.every(ResourceClaim)
    assert special.metadata.annotations == ResourceClaimAnnotations(for_extended_resources="true")
    request = (special.spec.devices.requests or ())[0]
    assert (request.name, request.exactly and request.exactly.count) == ("container-0-request-0", 2)
    other = asking(name="q", further={f"deviceclass.resource.kubernetes.io/{CLASS}": 1})
    assert scheduler.schedule(other, after).feasible == ("n2",)


def test_a_device_plugin_goes_before_a_class() -> None:
    made = cluster([node("n1", further={GPU: 1}), node("n2")]).replacing([*SLICES, device_class(resource=GPU)])
    decision = build_scheduler().schedule(asking(further={GPU: 1}), made)
    assert set(decision.feasible) == {"n1", "n2"}
    state = decision.pre_filter["DynamicResources"]
    assert isinstance(state, PreFiltered)
    assert set(state.state.allocation_by_node) == {"n2"}  # type: ignore[attr-defined]


NIC = "example.com/nic"
#: Classes for GPUs, for NICs, and one that names no resource.
CLASSES = (device_class(resource=GPU), device_class("nic", resource=NIC), device_class("plain"))
TOO_FEW_DEVICES = "cannot allocate all claims"


def with_init(pod_: Pod, amount: int) -> Pod:
    """The pod with an init container that asks for as many GPUs, too."""
    return replace(pod_, spec=replace(pod_.spec, init_containers=pod(further={GPU: amount}).spec.containers))


@pytest.mark.parametrize(
    ("reported", "wanted", "in_1_34", "in_1_35"),
    [
        pytest.param({}, asking(further={GPU: 2}), "n1", "n1", id="devices"),
        pytest.param({}, asking(further={GPU: 3}), TOO_FEW_DEVICES, TOO_FEW_DEVICES, id="too-few-devices"),
        pytest.param({}, asking(further={GPU: 1, "a/b": 1}), "Insufficient a/b", "Insufficient a/b", id="of-no-class"),
        pytest.param({}, with_init(asking(further={GPU: 2}), 1), TOO_FEW_DEVICES, "n1", id="used-before-by-another"),
        pytest.param({GPU: 0}, asking(further={GPU: 1}), f"Insufficient {GPU}", "n1", id="reported-as-none"),
        pytest.param({GPU: 1}, asking(further={GPU: 1, NIC: 2}), TOO_FEW_DEVICES, "n1", id="reported-beside-another"),
        pytest.param({GPU: 1}, asking(further={GPU: 1, NIC: 1}), "n1", "n1", id="devices-for-both"),
        pytest.param({}, asking(further={f"{PREFIX}plain": 9}), "n1", TOO_FEW_DEVICES, id="by-the-name-of-a-class"),
        pytest.param({}, asking(further={"hugepages-2Mi": 1}), "n1", "Insufficient hugepages-2Mi", id="not-reported"),
        pytest.param(
            {}, asking(further={"hugepages-2Mi": 1, GPU: 1}),
            "Insufficient hugepages-2Mi", "Insufficient hugepages-2Mi", id="not-reported-beside-a-class",
        ),
        pytest.param(
            {}, asking(further={f"{PREFIX}{CLASS}": 1, GPU: 1}),
            f"Insufficient {PREFIX}{CLASS}", "n1", id="named-and-by-name",
        ),
    ],
)  # fmt: skip
def test_extended_resources_as_they_began(
    reported: dict[str, str | int | float], wanted: Pod, in_1_34: str, in_1_35: str
) -> None:
    made = cluster([node("n1", further=reported)]).replacing([SLICES[0], *CLASSES])
    for release, expected in (("1.34", in_1_34), ("1.35", in_1_35)):
        settings = SchedulerSettings(kubernetes_version=release, feature_gates={"DRAExtendedResource": True})
        decision = build_scheduler(settings).schedule(wanted, made)
        assert (decision.host or decision.statuses.by_node["n1"].message) == expected


def test_the_claim_of_an_earlier_attempt_is_deleted_first() -> None:
    wanted = asking(further={GPU: 1})
    owner = OwnerReference(kind="Pod", name="p", uid=wanted.metadata.uid, controller=True)
    metadata = ResourceClaimMeta(
        name="p-extended-resources-x",
        namespace="default",
        annotations=ResourceClaimAnnotations(for_extended_resources="true"),
        owner_references=(owner,),
    )
    stale = replace(claim(exactly()), metadata=metadata)
    decision = build_scheduler().schedule(wanted, with_devices(stale, extended=GPU))
    assert "3 cannot schedule extended resource claim. deletion of ResourceClaim completed" in decision.message


def test_administrators_taint_devices_too() -> None:
    rule = DeviceTaintRule(
        metadata=ObjectMeta(name="broken"), spec=DeviceTaintRuleSpec(taint=DeviceTaint(key="k", effect="NoSchedule"))
    )
    wanted = (rule, resource_slice(device("a")), claim(exactly()))
    made = cluster([node("n1")]).replacing([device_class(CLASS), *wanted])
    assert verdict(made) is None
    for features in (Features(device_taint_rules=True), Features(taint_rules_go_by_class=True)):
        answer = filter_verdict(DynamicResources(features), asking("c"), made)
        assert answer is not None
        assert (answer.code, answer.reasons) == (NOT_ALL.code, NOT_ALL.reasons)


def test_counters_for_other_nodes_make_no_pool_since_1_37() -> None:
    counters = CounterSet(name="c", counters={"memory": Counter(value="8Gi")})
    elsewhere = resource_slice(node="n2", name="counters", count=2, counters=[counters])
    drawing = device("a", consumesCounters=[{"counterSet": "c", "counters": {"memory": {"value": "1Gi"}}}])
    here = resource_slice(drawing, node="n1", pool="n2", name="devices", count=2)
    for is_new, n1_alone in ((False, 1), (True, 0)):
        features = Features(counters_elsewhere_make_no_pool=is_new)
        assert len(Inventory([elsewhere], features).pools(node("n1"))) == n1_alone
        (pool,) = Inventory([elsewhere, here], features).pools(node("n1"))
        assert (pool.is_usable, len(pool.offers), list(pool.counter_sets or ())) == (True, 1, ["c"])


def test_metadata_is_of_its_own_kind() -> None:
    assert issubclass(ResourceClaimMeta, ObjectMeta)


# ------------------------------------------------------------------------------------------------ gates, releases

TAINTED = device("a", taints=[{"key": "k", "effect": "NoSchedule"}])
WAITING = device("a", bindingConditions=["Ready"], bindingFailureConditions=["Failed"])
ANYWHERE = resource_slice(device("a", nodeName="n1"), node=None, per_device_node_selection=True)
TWICE = resource_slice(device("a"), device("a"))
HALF = resource_slice(device("a"), count=2)
NOT_ALL = rejection(UNRESOLVABLE, "cannot allocate all claims")


def failing(text: str) -> Status:
    return rejection(Code.ERROR, text)


@pytest.mark.parametrize(
    ("offered", "wanted", "features", "off"),
    [
        pytest.param(resource_slice(TAINTED), exactly(), Features(device_taints=False), None, id="taints"),
        pytest.param(
            resource_slice(WAITING), exactly(), Features(device_binding_conditions=False), NOT_ALL, id="conditions",
        ),
        pytest.param(resource_slice(WAITING), exactly(), Features(device_status=False), NOT_ALL, id="status"),
        pytest.param(ANYWHERE, exactly(), Features(partitionable_devices=False), NOT_ALL, id="partitions"),
        pytest.param(
            resource_slice(device("a")), exactly(admin_access=True), Features(device_admin_access=False),
            failing("claim default/c, request r0: admin access is requested, but the feature is disabled"), id="admin",
        ),
        pytest.param(
            resource_slice(device("a")), first_available("r0", one="true"), Features(device_alternatives=False),
            rejection(
                UNRESOLVABLE,
                "resource claim default/c, request r0: has subrequests, but the DRAPrioritizedList feature is disabled",
            ),
            id="alternatives",
        ),
        pytest.param(HALF, exactly(), Features(device_pools_must_be_complete=False), None, id="incomplete-pool"),
        pytest.param(
            TWICE, exactly(), Features(invalid_pools_matter_last=False),
            failing("pool n1 is invalid: duplicate device name a"), id="invalid-pool",
        ),
        pytest.param(
            resource_slice(device("a")), exactly("r0", f'device.attributes["{DRIVER}"].nope'),
            Features(failing_devices_are_named=True),
            failing(
                f"claim default/c: selector #0 on device {DRIVER}/n1/a: CEL runtime error: no such key: nope. consider "
                "using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
                "fields"
            ),
            id="failing-device",
        ),
    ],
)  # fmt: skip
def test_gates_and_older_releases(
    offered: ResourceSlice, wanted: DeviceRequest, features: Features, off: Status | None
) -> None:
    made = cluster([node("n1")]).replacing([offered, device_class(CLASS), claim(wanted)])
    newest, older = verdict(made), filter_verdict(DynamicResources(features), asking("c"), made)
    assert newest != older
    assert (older and (older.code, older.reasons)) == (off and (off.code, off.reasons))


def test_capacity_is_gated() -> None:
    wanted = exactly(capacity=CapacityRequirements(requests={"memory": "1Gi"}))
    made = cluster([node("n1")]).replacing(
        [resource_slice(device("a", memory="2Gi")), device_class(CLASS), claim(wanted)]
    )
    assert verdict(made) is None
    answer = filter_verdict(DynamicResources(Features(consumable_capacity=False)), asking("c"), made)
    reason = "claim default/c, request r0: has capacity requests, but the DRAConsumableCapacity feature is disabled"
    assert answer == failing(reason)


def test_without_the_gate_no_class_stands_for_a_resource() -> None:
    made = with_devices(extended=GPU)
    plugin = DynamicResources(Features(extended_resources_of_classes=False))
    assert plugin.pre_filter(asking(further={GPU: 1}), made) is SKIP


def test_in_1_34_nodes_are_not_scored() -> None:
    made = with_devices(claim(first_available("r", best="true")))
    decision = build_scheduler(SchedulerSettings(kubernetes_version="1.34")).schedule(asking("c"), made)
    assert decision.feasible == ("n1", "n2")
    assert all("DynamicResources" not in score.by_plugin for score in decision.scores)


# ------------------------------------------------------------------------------------------------ up to 1.33

ON = {"DynamicResourceAllocation": True}


def decided(release: str, wanted: Pod, *objects: KubernetesObject, **gates: bool) -> Decision:
    settings = SchedulerSettings(kubernetes_version=release, feature_gates=ON | gates)
    return build_scheduler(settings).schedule(wanted, with_devices(*objects))


@pytest.mark.parametrize("release", ["1.31", "1.32", "1.33"])
def test_devices_are_allocated_where_the_gate_is_on(release: str) -> None:
    decision = decided(release, asking("c"), claim(exactly(count=2)))
    assert (decision.outcome, decision.feasible) == (Outcome.SCHEDULED, ("n1",))
    off = build_scheduler(SchedulerSettings(kubernetes_version=release)).schedule(asking("c"), with_devices())
    assert off.feasible == ("n1", "n2", "n3")


NOWHERE = "0/3 nodes are available: 3 cannot allocate all claims. "
NO_HELP = "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."


@pytest.mark.parametrize(
    ("release", "made", "message"),
    [
        pytest.param("1.33", claim(exactly(count=3)), NOWHERE + "still not schedulable, " + NO_HELP, id="too-many"),
        pytest.param(
            "1.31",
            replace(claim(exactly()), spec=replace(claim(exactly()).spec, controller="driver")),
            "0/3 nodes are available: resourceclaim depends on disabled DRAControlPlaneController feature. "
            "no new claims to deallocate, " + NO_HELP,
            id="controller",
        ),
        pytest.param(
            "1.33",
            claim(DeviceRequest(name="r0")),
            'running PreFilter plugin "DynamicResources": request r0: unsupported request type',
            id="no-class",
        ),
        pytest.param(
            "1.32",
            claim(first_available("r0", one="true")),
            'running PreFilter plugin "DynamicResources": request r0: unsupported request type',
            id="alternatives-not-known",
        ),
        pytest.param(
            "1.33",
            claim(first_available("r0", one="true")),
            "0/3 nodes are available: resource claim default/c, request r0: has subrequests, but the "
            "DRAPrioritizedList feature is disabled. no new claims to deallocate, " + NO_HELP,
            id="alternatives-off",
        ),
        pytest.param(
            "1.32",
            claim(exactly(admin_access=False)),
            'running "DynamicResources" filter plugin: claim default/c, request r0: admin access is requested, but the '
            "feature is disabled",
            id="admin",
        ),
    ],
)
def test_what_releases_say(release: str, made: ResourceClaim, message: str) -> None:
    assert decided(release, asking("c"), made).message == message


@pytest.mark.parametrize(
    ("release", "told"),
    [("1.31", "no new claims to deallocate, "), ("1.32", "no new claims to deallocate, "), ("1.33", "")],
)
def test_pods_without_claims(release: str, told: str) -> None:
    decision = decided(release, pod(cpu="100", scheduler_name="default-scheduler"))
    assert f"3 Insufficient cpu. {told}preemption: " in decision.message


@pytest.mark.parametrize(("release", "kind"), [("1.33", "pod"), ("1.34", "pod"), ("1.35", "Pod")])
def test_the_owner_of_a_claim_is_told_as_the_release_does(release: str, kind: str) -> None:
    plugin = DynamicResources(features_of(release))
    expected = f"ResourceClaim default/g was not created for {kind} default/p ({kind} is not owner)"
    answer = plugin.pre_enqueue(asking(template="t", generated="g"), with_devices(made_for("g", "another")))
    assert answer == rejection(UNRESOLVABLE, expected)
