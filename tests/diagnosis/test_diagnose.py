"""What is said first of a pod that does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.records import Finding, Kind, When
from kexplain.objects.core import Node, Pod, PodResourceClaim
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.resource import DeviceRequest
from kexplain.scheduler.simulate import simulate
from tests.factories import ZONE, affinity, cluster, controlled_by, node, pod, pod_group, term, toleration
from tests.plugins.devices.makers import claim as device_claim
from tests.plugins.devices.makers import device, device_class, exactly, first_available, resource_slice
from tests.storage_factories import DRIVER, claim, csi_driver, persistent_volume, uses

GPU = "nvidia.com/gpu"
GPU_TAINT = f"{GPU}=present:NoSchedule"
SPOT_TAINT = "spot=true:NoSchedule"
CORDON = "node.kubernetes.io/unschedulable:NoSchedule"
LOST = "node.kubernetes.io/unreachable:NoSchedule"


def general(name: str, **more: object) -> Node:
    return node(name, **{"labels": {"pool": "general"}, **more})  # type: ignore[arg-type]


def spot(name: str) -> Node:
    return node(name, labels={"pool": "spot"}, taints=[SPOT_TAINT])


def gpu(name: str, count: str = "2") -> Node:
    return node(name, labels={"pool": "gpu"}, taints=[GPU_TAINT], further={GPU: count})


def of(owner: str, name: str, on: str | None = None, **more: object) -> Pod:
    return pod(name, node=on, owner=controlled_by("ReplicaSet", owner), **more)  # type: ignore[arg-type]


def said(
    asking: Pod, nodes: Sequence[Node], pods: Sequence[Pod] = (), others: Iterable[KubernetesObject] = ()
) -> Finding:
    finding = diagnose(build_scheduler().schedule(asking, cluster(nodes, pods, *others)))
    assert finding is not None
    return finding.diagnosis


POOLS = [general("g1"), general("g2"), spot("s1"), gpu("x1")]
FULL = [of("web", f"web-{place}", place, cpu="3500m") for place in ("g1", "g2")]
ETL = of("etl", "etl-1", "s1", tolerations=[toleration("spot", "true", effect="NoSchedule")])
TRAIN = pod(further={GPU: "1"}, tolerations=[toleration(GPU, operator="Exists")])
DAEMONS = [pod(f"d-{on}", node=on, cpu="300m", owner=controlled_by("DaemonSet", "d")) for on in ("g1", "g2")]


@pytest.mark.parametrize(
    ("asking", "nodes", "pods", "kind", "text"),
    [
        pytest.param(pod(cpu="2"), POOLS, [*FULL, ETL], Kind.NO_ROOM, "no room in pool general", id="no-room"),
        pytest.param(pod(cpu="2", priority=-10), POOLS, [*FULL, ETL], Kind.OUTRANKED,
                     "no room in pool general, which more important pods fill", id="outranked"),
        pytest.param(pod(cpu="6"), POOLS, [ETL], Kind.TOO_BIG,
                     "6 cpu is more than any node of pool general has (4)", id="too-big"),
        pytest.param(pod(cpu="4", memory="16Gi"),
                     [general("g1", cpu=8, memory="4Gi"), general("g2", cpu=2, memory="32Gi")], [], Kind.TOO_BIG,
                     "none of the 2 nodes of pool general has 4 cpu and 16Gi memory together", id="too-big-together"),
        pytest.param(pod(cpu="200"), POOLS, [ETL], Kind.REQUEST_SLIP,
                     "the request of 200 whole CPUs should probably be 200m", id="slip"),
        pytest.param(pod(cpu="3800m"), [general("g1"), general("g2")],
                     DAEMONS, Kind.TOO_BIG,
                     "3.8 cpu is more than any node of pool general has (3.7 beside the DaemonSets)",
                     id="too-big-beside-daemons"),
        pytest.param(TRAIN, POOLS, [pod("t", node="x1", further={GPU: "2"})],
                     Kind.NO_ROOM, "no nvidia.com/gpu is free on node x1 (pool gpu)", id="gpus-taken"),
        pytest.param(pod(further={GPU: "1"}), POOLS, [], Kind.RESERVATION_NOT_TOLERATED,
                     f"node x1 (pool gpu) has the taint {GPU_TAINT}, which is not tolerated",
                     id="reservation"),
        pytest.param(pod(node_selector={"pool": "genral"}), POOLS, [ETL], Kind.SELECTOR_UNSATISFIED,
                     "no node has pool=genral; did you mean general?", id="misspelt"),
        pytest.param(pod(node_selector={"kubernetes.io/arch": "arm64"}),
                     [general("g1", labels={"kubernetes.io/arch": "amd64"})], [], Kind.SELECTOR_UNSATISFIED,
                     "no node has kubernetes.io/arch=arm64", id="architecture"),
        pytest.param(pod(node_selector={"pool": "general", "disk": "ssd"}),
                     [*POOLS, node("d", labels={"disk": "ssd"})], [], Kind.WISHES_CONTRADICT,
                     "no node has both disk=ssd and pool=general", id="contradiction"),
        pytest.param(pod(further={"example.com/fpga": "1"}), POOLS, [ETL], Kind.RESOURCE_UNKNOWN,
                     "no node offers example.com/fpga", id="resource"),
        pytest.param(of("web", "new", node_selector={"disk": "ssd"}), POOLS,
                     [of("web", "old", "g1", node_selector={"disk": "ssd"}), ETL], Kind.LABEL_LOST,
                     "node g1 (pool general) has lost the label disk=ssd", id="label-lost"),
        pytest.param(pod(cpu="1"), [general(name, taints=["m=t:NoSchedule"]) for name in ("g1", "g2")], [FULL[0]],
                     Kind.TAINT_ADDED,
                     "pool general was given the taint m=t:NoSchedule, which the pods that run there do not tolerate",
                     id="taint-added"),
        pytest.param(pod(), [general(name, cordoned=True, taints=[CORDON]) for name in ("g1", "g2")], [],
                     Kind.POOL_OUT_OF_SERVICE, "both nodes of pool general are cordoned", id="cordoned"),
        pytest.param(pod(cpu="2"), [general("g1"), general("g2", taints=[LOST])], FULL[:1],
                     Kind.POOL_PARTLY_OUT_OF_SERVICE,
                     "no room in pool general: g2 is unreachable, and g1 is full",
                     id="half-lost"),
        pytest.param(pod(cpu="2"),
                     [general("g1"), *(general(each, cordoned=True, taints=[CORDON]) for each in ("g2", "g3"))],
                     FULL[:1], Kind.POOL_PARTLY_OUT_OF_SERVICE,
                     "no room in pool general: 2 of its 3 nodes are cordoned, and g1 is full", id="half-cordoned"),
        pytest.param(pod(cpu="2"),
                     [general("g1"), *(general(each, cordoned=True, taints=[CORDON]) for each in ("g2", "g3")),
                      general("g4", taints=["late=true:NoSchedule"])],
                     [of("web", "w1", "g1", cpu="3"), of("web", "w4", "g4", cpu="1")],
                     Kind.POOL_PARTLY_OUT_OF_SERVICE,
                     "no room in pool general: 2 of its 4 nodes are cordoned, and g1 is full", id="half-and-a-taint"),
        pytest.param(pod(memory="512G"), POOLS, [ETL], Kind.REQUEST_SLIP,
                     "the request of 512G memory should probably be 512M", id="slip-of-memory"),
        pytest.param(pod(node_selector={"kubernetes.io/arch": "amd64"}),
                     [general("g1", labels={"kubernetes.io/arch": "arm64", "pool": "general"}),
                      node("c1", labels={"kubernetes.io/arch": "amd64"},
                           taints=["node-role.kubernetes.io/control-plane:NoSchedule"])],
                     [], Kind.SELECTOR_UNSATISFIED,
                     "only nodes that are kept for others have kubernetes.io/arch=amd64, not node g1 (pool general)",
                     id="architecture-of-the-control-plane"),
        pytest.param(pod(node_selector={"kubernetes.io/arch": "amd64"}),
                     [general("g1", labels={"kubernetes.io/arch": "arm64", "pool": "general"}),
                      *(node(on, labels={"kubernetes.io/arch": "amd64", "pool": on}, taints=[f"for={on}:NoSchedule"])
                        for on in ("a1", "b1"))],
                     [], Kind.SELECTOR_UNSATISFIED,
                     "only nodes that are kept for others have kubernetes.io/arch=amd64, not node g1 (pool general)",
                     id="only-reserved-machines"),
        pytest.param(pod(node="g9"), POOLS, [], Kind.NODE_MISSING, "spec.nodeName is g9, and there is no such node",
                     id="node-name"),
        pytest.param(pod(), [spot("s1"), *(node(n, labels={"pool": n}, taints=[f"for={n}:NoSchedule"]) for n in "de")],
                     [ETL], Kind.RESERVATION_NOT_TOLERATED, "all 3 nodes are kept for others (1 spot, 1 d, 1 e)",
                     id="kept-for-others"),
        pytest.param(pod(affinity=affinity(near=[term({"app": "db"}, "kubernetes.io/hostnam")])),
                     [general("g1"), general("g2")], [], Kind.AFFINITY_UNSATISFIED,
                     "no node has a label kubernetes.io/hostnam, by which it must be near other pods; "
                     "did you mean kubernetes.io/hostname?", id="misspelt-topology-key"),
        pytest.param(pod(gates=["example.com/hold"]), POOLS, [], Kind.GATED,
                     "its scheduling gate example.com/hold is still there", id="gate"),
        pytest.param(pod(scheduler_name="volcano"), POOLS, [], Kind.OTHER_SCHEDULER,
                     "left to the scheduler volcano; this one is default-scheduler", id="other-scheduler"),
    ],
)  # fmt: skip
def test_diagnosis(asking: Pod, nodes: list[Node], pods: list[Pod], kind: Kind, text: str) -> None:
    found = said(asking, nodes, pods)
    assert (found.kind, found.text) == (kind, text)


def test_the_detail_has_the_amounts_and_the_other_circles() -> None:
    assert said(pod(cpu="2"), POOLS, [*FULL, ETL]).detail == (
        "needs 2 cpu; the best of its 2 nodes in service has 500m free. 2 nodes are reserved (1 spot, 1 gpu)."
    )


def test_a_taint_with_two_effects_is_said_once() -> None:
    reserved = [node(name, taints=["infra=yes:NoSchedule", "infra=yes:NoExecute"]) for name in ("i1", "i2", "i3")]
    finding = said(pod(cpu="2"), [node("g1"), *reserved], [pod("web", node="g1", cpu="3500m")])
    assert finding.detail.endswith("3 nodes are reserved (infra=yes).")


def test_each_taint_is_said_of_the_nodes_that_have_it() -> None:
    nodes = [node("a", taints=["x=1:NoSchedule", "y=1:NoSchedule"]), node("b", taints=["y=1:NoSchedule"])]
    finding = said(pod(), nodes, [])
    assert [(each.taint, each.nodes) for each in finding.evidence] == [
        ("x=1:NoSchedule", ("a",)),
        ("y=1:NoSchedule", ("a", "b")),
    ]


def test_what_the_scheduler_sees_to_comes_by_itself() -> None:
    assert said(pod(cpu="2", priority=10), POOLS, FULL).retry is When.BY_ITSELF
    assert said(pod(scheduler_name="volcano"), POOLS).retry is When.NEVER


def test_a_pod_that_fits_has_none() -> None:
    assert diagnose(build_scheduler().schedule(pod(), cluster([node()]))) is None


def test_a_driver_that_is_on_none_of_the_nodes() -> None:
    settings = SchedulerSettings(kubernetes_version="1.36", feature_gates={"VolumeLimitScaling": True})
    volume = persistent_volume(reserved="data")
    there = cluster(POOLS, [], claim(volume="pv"), volume, csi_driver(must_be_there=True))
    finding = diagnose(build_scheduler(settings).schedule(pod(volumes=uses("data")), there))
    assert finding is not None
    assert finding.diagnosis.kind is Kind.DRIVER_MISSING
    assert finding.diagnosis.text == f"CSI driver {DRIVER} is not installed in pool general"


WITH_CLAIM = replace(pod(), spec=replace(pod().spec, resource_claims=(PodResourceClaim("c", "c"),)))
MISSING = "no driver reports a device of class gpu in pool general"
ONE_OF = "claim default/c, request {} needs 1 device of class {}: "


@pytest.mark.parametrize(
    ("requests", "others", "kind", "text"),
    [
        pytest.param([exactly()], [device_class()], Kind.DEVICES_UNAVAILABLE, MISSING, id="none-at-all"),
        pytest.param(
            [first_available("r", a="true")], [device_class()], Kind.DEVICES_UNAVAILABLE, MISSING, id="of-alternatives"
        ),
        pytest.param(
            [exactly(), exactly("r1", device_class_name="nic")],
            [device_class(), device_class("nic")],
            Kind.DEVICES_UNAVAILABLE,
            f"{ONE_OF.format('r0', 'gpu')}these nodes offer none; {ONE_OF.format('r1', 'nic')}these nodes offer none",
            id="of-two-classes",
        ),
        pytest.param(
            [exactly()],
            [device_class("gpu", "device.driver == 'other'"), resource_slice(device("d"), node="g1")],
            Kind.DEVICES_UNAVAILABLE,
            f"{ONE_OF.format('r0', 'gpu')}none of 1 device meets device.driver == 'other' (class gpu)",
            id="others-are-there",
        ),
        pytest.param([exactly()], [], Kind.REJECTED, "request r0: device class gpu does not exist", id="no-such-class"),
    ],
)
def test_devices(requests: list[DeviceRequest], others: list[KubernetesObject], kind: Kind, text: str) -> None:
    found = said(WITH_CLAIM, POOLS[:2], [], [device_claim(*requests), *others])
    assert (found.kind, found.text) == (kind, text)


def gang(*placed: Pod) -> Finding | None:
    """What is said of a pod of two that want most of a node each in one zone; zone a has two nodes, zone b one."""
    gates = {"GenericWorkload": True, "TopologyAwareWorkloadScheduling": True}
    settings = SchedulerSettings(kubernetes_version="1.37", feature_gates=gates)
    nodes = [node(name, zone=name[0]) for name in ("a1", "a2", "b1")]
    members = [pod(f"g{place}", cpu="3", group="g") for place in range(2)]
    there = cluster(nodes, placed, pod_group("g", 2, key=ZONE))
    first, _ = simulate(build_scheduler(settings), there, members)
    found = diagnose(first)
    return found.diagnosis if found else None


NO_PLACE = "its group default/g needs 2 pods at once, and none of 2 placements takes them: at most 1 fit, in a"


@pytest.mark.parametrize(
    ("placed", "text"),
    [
        pytest.param([], "", id="one placement takes them"),
        pytest.param([pod("x", cpu="2", node="a2")], NO_PLACE, id="none takes them"),
    ],
)
def test_a_group_that_no_placement_takes(placed: list[Pod], text: str) -> None:
    found = gang(*placed)
    assert (found.text if found else "") == text
    assert not found or found.detail.startswith("the next one does not fit in a (cpu: needs 3; ")


def test_nodes_that_take_no_pods_at_the_moment_have_no_slot_free() -> None:
    full = general("g1", pods=0)
    found = said(pod(cpu="1"), [replace(full, status=replace(full.status, capacity={"pods": "9"}))])
    assert (found.kind, found.text) == (Kind.NO_POD_SLOT, "no pod slot is free on node g1")


def test_what_no_node_can_help() -> None:
    assert said(pod(), []).kind is Kind.NO_NODES
    leaving = pod()
    leaving = replace(leaving, metadata=replace(leaving.metadata, deletion_timestamp="2026-11-01T10:00:00Z"))
    found = said(leaving, [general("g1")])
    assert (found.kind, found.retry) == (Kind.DELETING, When.NEVER)
    unknown = said(pod(volumes=uses("data")), [general("g1")], [], [claim("data", storage_class="fast")])
    assert unknown.kind is Kind.CLASS_MISSING


def test_what_the_configuration_wants_of_nodes_is_not_laid_at_the_pod(tmp_path: Path) -> None:
    term_ = {"matchExpressions": [{"key": "pool", "operator": "In", "values": ["x"]}]}
    added = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term_]}}
    profile = {"pluginConfig": [{"name": "NodeAffinity", "args": {"addedAffinity": added}}]}
    path = tmp_path / "config.json"
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    path.write_text(json.dumps({**config, "profiles": [profile]}))
    scheduler = build_scheduler(SchedulerSettings(config=str(path)))
    judged = diagnose(scheduler.schedule(pod(), cluster([node("n1")])))
    assert judged is not None
    text = "the scheduler's configuration wants pool=x of every node (addedAffinity), and no node has it"
    assert (judged.diagnosis.kind, judged.diagnosis.text) == (Kind.SELECTOR_UNSATISFIED, text)
