from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from kexplain.cel.selectors import Selectors
from kexplain.objects.core import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from kexplain.objects.resource import (
    AllocationResult,
    CapacityRequirements,
    Counter,
    CounterSet,
    DeviceRequest,
    DeviceToleration,
    ResourceClaim,
    ResourceSlice,
)
from kexplain.plugins.devices import allocator as allocator_module
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.allocator import Allocator
from kexplain.plugins.devices.errors import AllocationError, NodeAllocationError
from kexplain.plugins.devices.inventory import Inventory
from kexplain.plugins.devices.search import Search
from tests.factories import node

from .makers import CLASS, DRIVER, claim, device, device_class, exactly, first_available, resource_slice

ABC = (device("a", {"numa": 0, "model": "x"}, "10Gi"), device("b", {"numa": 1}, "20Gi"), device("c", {"numa": 1}))
NUMA = f"{DRIVER}/numa"


def given(
    slices: Sequence[ResourceSlice], *claims: ResourceClaim, held: Sequence[ResourceClaim] = (), on: str = "n1"
) -> list[list[str]] | None:
    """The devices that each claim is given, as `request=device`."""
    allocator = Allocator(Inventory(slices), {CLASS: device_class()}, AllocatedState.of(held), Selectors())
    results = allocator.allocate(node(on, labels={"zone": "z"}), claims)
    if results is None:
        return None
    return [[f"{r.request}={r.device}" for r in result.devices.results or ()] for result in results]


ALL: dict[str, Any] = {"allocation_mode": "All"}
TAINTED = device("t", taints=[{"key": "bad", "effect": "NoSchedule"}])
TOLERATING: Any = {"tolerations": (DeviceToleration(key="bad", operator="Exists"),)}


@pytest.mark.parametrize(
    ("requests", "fields", "expected"),
    [
        pytest.param([exactly()], {}, ["r0=a"], id="the-first"),
        pytest.param([exactly(count=2)], {}, ["r0=a", "r0=b"], id="as-many-as-wanted"),
        pytest.param([exactly(count=4)], {}, None, id="too-many"),
        pytest.param([exactly(**ALL)], {}, ["r0=a", "r0=b", "r0=c"], id="all"),
        pytest.param([exactly(**ALL), exactly("r1")], {}, None, id="nothing-left-after-all"),
        pytest.param([exactly("r0", "false", **ALL)], {}, None, id="all-of-none"),
        pytest.param([exactly("r0", f'device.attributes["{DRIVER}"].numa == 1')], {}, ["r0=b"], id="selector"),
        pytest.param([exactly(), exactly("r1")], {"match": NUMA}, ["r0=b", "r1=c"], id="backtracks-to-match"),
        pytest.param([exactly(count=2)], {"match": NUMA}, ["r0=b", "r0=c"], id="matches-within-a-request"),
        pytest.param([exactly(), exactly("r1")], {"distinct": NUMA}, ["r0=a", "r1=b"], id="distinct"),
        pytest.param([exactly(count=2)], {"match": f"{DRIVER}/model"}, None, id="attribute-missing"),
        pytest.param([first_available("r0", big="false", any="true")], {}, ["r0/any=a"], id="second-alternative"),
        pytest.param([first_available("r0", big="false")], {}, None, id="no-alternative"),
        pytest.param(
            [exactly("r0", capacity=CapacityRequirements(requests={"memory": "15Gi"}))], {}, ["r0=b"], id="capacity",
        ),
    ],
)  # fmt: skip
def test_requests(requests: list[DeviceRequest], fields: dict[str, Any], expected: list[str] | None) -> None:
    assert given([resource_slice(*ABC)], claim(*requests, **fields)) == (None if expected is None else [expected])


def test_devices_in_use() -> None:
    slices = [resource_slice(*ABC)]
    held = [claim(allocated=["n1/a", "n1/b"])]
    assert given(slices, claim(exactly()), held=held) == [["r0=c"]]
    assert given(slices, claim(exactly(admin_access=True)), held=held) == [["r0=a"]]
    assert given(slices, claim(exactly(), name="1"), claim(exactly(), name="2")) == [["r0=a"], ["r0=b"]]
    assert given(slices, claim(exactly(**ALL)), held=held) is None


def test_taints() -> None:
    assert given([resource_slice(TAINTED)], claim(exactly())) is None
    assert given([resource_slice(TAINTED)], claim(exactly(**TOLERATING))) == [["r0=t"]]


def zoned(value: str) -> NodeSelector:
    requirement = NodeSelectorRequirement(key="zone", operator="In", values=(value,))
    return NodeSelector(node_selector_terms=(NodeSelectorTerm(match_expressions=(requirement,)),))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(resource_slice(*ABC, node="n2"), None, id="another-node"),
        pytest.param(resource_slice(*ABC, node=None, all_nodes=True), [["r0=a"]], id="all-nodes"),
        pytest.param(resource_slice(*ABC, node=None, node_selector=zoned("z")), [["r0=a"]], id="selected"),
        pytest.param(resource_slice(*ABC, node=None, node_selector=zoned("y")), None, id="not-selected"),
        pytest.param(
            resource_slice(
                device("a", nodeName="n2"), device("b", allNodes=True), node=None, per_device_node_selection=True
            ),
            [["r0=b"]],
            id="per-device",
        ),
        pytest.param(resource_slice(*ABC, count=2), None, id="incomplete-pool"),
        pytest.param(resource_slice(*ABC, node=None), None, id="no-nodes-named"),
    ],
)
def test_nodes(made: ResourceSlice, expected: list[list[str]] | None) -> None:
    assert given([made], claim(exactly())) == expected


def test_pools_are_tried_by_name_those_that_wait_for_conditions_last() -> None:
    slices = [
        resource_slice(device("x"), pool="b"),
        resource_slice(device("y", bindingConditions=["ready"]), pool="a"),
        resource_slice(device("z"), pool="c"),
    ]
    assert given(slices, claim(exactly(count=3))) == [["r0=x", "r0=z", "r0=y"]]


def test_only_the_newest_generation_counts() -> None:
    old, new = resource_slice(device("a"), name="old"), resource_slice(device("b"), name="new", generation=2)
    assert given([old, new], claim(exactly())) == [["r0=b"]]
    elsewhere = resource_slice(device("b"), node="n2", pool="n1", name="new", generation=2)
    assert given([resource_slice(device("a"), count=2), elsewhere], claim(exactly())) is None


def test_a_pool_that_contradicts_itself() -> None:
    twice = [resource_slice(device("a"), name=name, count=2) for name in ("s1", "s2")]
    with pytest.raises(NodeAllocationError, match="invalid resource pools were encountered"):
        given(twice, claim(exactly()))
    with pytest.raises(AllocationError, match=r"request r0: asks for all devices, but .*/n1 is currently invalid"):
        given(twice, claim(exactly(**ALL)))


def test_counters() -> None:
    counters = [CounterSet(name="gpu", counters={"slots": Counter(value="3")})]

    def part(name: str, slots: int) -> Any:
        consumed = [{"counterSet": "gpu", "counters": {"slots": {"value": slots}}}]
        return device(name, consumesCounters=consumed)

    slices = [
        resource_slice(name="counters", counters=counters, count=2),
        resource_slice(part("big", 3), part("one", 1), part("two", 2), name="devices", count=2),
    ]
    assert given(slices, claim(exactly(count=2))) == [["r0=one", "r0=two"]]
    assert given(slices, claim(exactly()), held=[claim(allocated=["n1/one"])]) == [["r0=two"]]
    assert given(slices, claim(exactly(count=3))) is None


def test_shared_devices() -> None:
    shared = resource_slice(device("a", memory="10Gi", allowMultipleAllocations=True))

    def wanting(amount: str, name: str = "c") -> ResourceClaim:
        return claim(exactly(capacity=CapacityRequirements(requests={"memory": amount})), name=name)

    assert given([shared], wanting("4Gi", "1"), wanting("6Gi", "2")) == [["r0=a"], ["r0=a"]]
    assert given([shared], wanting("5Gi", "1"), wanting("6Gi", "2")) is None
    assert given([shared], wanting("11Gi")) is None


@pytest.mark.parametrize(
    ("made", "text"),
    [
        pytest.param(
            claim(exactly(device_class_name="x")), "claim default/c, request r0: could not retrieve device class x",
            id="class",
        ),
        pytest.param(claim(exactly(count=33)), "number of requested devices 33 exceeds the claim limit", id="limit"),
        pytest.param(
            claim(exactly(count=2**62), exactly("r1", count=2**62)), f"devices {2**63} exceeds", id="beyond-64-bits",
        ),
        pytest.param(
            claim(exactly(), exactly("r1", **ALL), match=NUMA),
            f"claim default/c, request r1: cannot add device {DRIVER}/n1/.* because a claim constraint", id="all-match",
        ),
        pytest.param(
            claim(exactly("r0", f'device.attributes["{DRIVER}"].nope')),
            "claim default/c: selector #0: CEL runtime error: no such key: nope", id="runtime",
        ),
        pytest.param(claim(exactly("r0", "1")), "claim default/c: selector #0: CEL compile error: must", id="compile"),
        pytest.param(claim(exactly(allocation_mode="Some")), "unsupported count mode Some", id="mode"),
        pytest.param(claim(DeviceRequest(name="r")), "request r: empty, cannot be satisfied", id="empty"),
    ],
)  # fmt: skip
def test_errors(made: ResourceClaim, text: str) -> None:
    with pytest.raises(AllocationError, match=text):
        given([resource_slice(device("a", {"numa": 0}), device("b", {"numa": 1}))], made)


def test_a_search_without_end_is_given_up_once_for_all_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocator_module, "STEPS_MAX", 5_000)
    monkeypatch.setattr(allocator_module, "STEPS_ONCE_FAILED", 500)
    slices = [resource_slice(*(device(f"d{index}") for index in range(9)), node=name) for name in ("n1", "n2", "n3")]
    wanted = claim(*(exactly(f"r{index}") for index in range(10)))
    searches: list[Search] = []

    class Recorded(Search):
        def run(self) -> list[AllocationResult] | None:
            searches.append(self)
            return super().run()

    monkeypatch.setattr(allocator_module, "Search", Recorded)
    allocator = Allocator(Inventory(slices), {CLASS: device_class()}, AllocatedState.of([]), Selectors())
    for name in ("n1", "n2", "n3"):
        with pytest.raises(AllocationError, match=f"node {name}: timed out trying to allocate devices"):
            allocator.allocate(node(name), [wanted])
    assert [search.steps for search in searches] == [5_001, 501, 1]


def test_where_devices_can_be_used_from() -> None:
    allocator = Allocator(
        Inventory([resource_slice(*ABC, node=None, node_selector=zoned("z")), resource_slice(device("l"))]),
        {CLASS: device_class()}, AllocatedState(), Selectors(),
    )  # fmt: skip
    everywhere = allocator.allocate(node("n1", labels={"zone": "z"}), [claim(exactly(count=4)), claim()])
    assert everywhere is not None
    terms = everywhere[0].node_selector.node_selector_terms if everywhere[0].node_selector else None
    only = NodeSelectorRequirement(key="metadata.name", operator="In", values=("n1",))
    assert terms == (NodeSelectorTerm(match_fields=(only,)),)
    assert everywhere[1].node_selector is None
