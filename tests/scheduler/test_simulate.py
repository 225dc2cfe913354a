from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.trace import Outcome
from kexplain.objects.core import EphemeralVolume, PersistentVolumeClaimVolume, Pod, PodStatus, Volume
from kexplain.objects.meta import Condition, KubernetesObject
from kexplain.objects.resource import DeviceClass, DeviceClassSpec
from kexplain.objects.well_known import POD_INDEX, STATEFUL_SET_POD_NAME
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate
from tests.factories import affinity, cluster, node, pod, service, term
from tests.framework.stubs import Scores, profile
from tests.storage_factories import claim, storage_class, uses

GPU = "example.com/gpu"
CLAIM = Volume(name="data", persistent_volume_claim=PersistentVolumeClaimVolume(claim_name="data"))
SCRATCH = Volume(name="scratch", ephemeral=EphemeralVolume())
DEFAULT = Scheduler({"default-scheduler": default_profile()})


def test_queue_order() -> None:
    queue = [pod("a"), pod("b", priority=5), pod("stranger", priority=9, scheduler_name="other"), pod("c", priority=5)]
    assert [each.pod.name for each in simulate(DEFAULT, cluster([node("n1")]), queue)] == ["b", "c", "a", "stranger"]


def test_each_pod_sees_those_before_it() -> None:
    made = cluster([node("n1", cpu="3")])
    queue = [pod("a", cpu="2"), pod("b", cpu="2"), pod("c", cpu="1")]
    decisions = list(simulate(DEFAULT, made, queue))
    assert [decision.host for decision in decisions] == ["n1", "", "n1"]
    assert made.node_infos[0].pods == []


def test_nominated_pods_keep_their_room_and_victims_stay() -> None:
    made = cluster([node("n1", cpu="2")], [pod("victim", node="n1", cpu="2", priority=0)])
    first, second = simulate(DEFAULT, made, [pod("high", cpu="1", priority=9), pod("low", cpu="2", priority=1)])
    assert first.nominated_node == "n1"
    assert second.outcome is Outcome.UNSCHEDULABLE
    assert [info.pod.name for info in second.cluster.nominated_by_node["n1"]] == ["high"]
    assert [info.pod.name for info in second.cluster.node_infos[0].pods] == ["victim"]
    assert second.nominated_node == ""


def test_replicas_that_fit_nowhere_are_decided_once() -> None:
    made = cluster([node("n1", cpu="2"), node("n2", cpu="2")])
    queue = [pod("a", cpu="4"), pod("b", cpu="4"), pod("c", cpu="5"), pod("d", cpu="1"), pod("e", cpu="5")]
    first, second, other, fits, again = simulate(DEFAULT, made, queue)
    assert [each.pod.name for each in (first, second)] == ["a", "b"]
    assert second.statuses is first.statuses
    assert (second.message, second.matrix) == ((alone := DEFAULT.schedule(queue[1], made)).message, alone.matrix)
    assert other.statuses is not first.statuses
    assert fits.host
    assert again.statuses is not other.statuses


@pytest.mark.parametrize(
    ("replicas", "objects"),
    [
        pytest.param(
            [pod("a", cpu="4"), pod("b", cpu="4", labels={"index": "1"})], [service("other", {"index": "0"})],
            id="labels that a selector reads",
        ),
        pytest.param(
            [pod("a", cpu="4", further={GPU: 1}), pod("b", cpu="4", further={GPU: 1})],
            [DeviceClass(spec=DeviceClassSpec(extended_resource_name=GPU))],
            id="devices may be claimed",
        ),
        pytest.param(
            [pod("a", cpu="4", volumes=[SCRATCH]), pod("b", cpu="4", volumes=[SCRATCH])], [], id="claims are missing"
        ),
    ],
)  # fmt: skip
def test_pods_that_may_differ_are_decided_each(replicas: list[Pod], objects: list[KubernetesObject]) -> None:
    first, second = simulate(DEFAULT, cluster([node("n1", cpu="2")], [], *objects), replicas)
    assert second.statuses is not first.statuses


def test_what_scheduling_does_not_read_tells_no_replicas_apart() -> None:
    """As a real API server stores them: tokens, times and what was said of a pod are its own."""
    made = cluster([node("n1", cpu="2")], [], DeviceClass())
    queue = [
        replace(
            pod(f"web-{mark}", cpu="4", volumes=[Volume(name=f"kube-api-access-{mark}"), CLAIM]),
            status=PodStatus(phase="Pending", conditions=(Condition(type="PodScheduled", reason=mark),)),
        )
        for mark in ("abcde", "fghij")
    ]
    first, second = simulate(DEFAULT, made, queue)
    assert second.statuses is first.statuses
    assert second.pod.name == "web-fghij"


def _of_set(number: int) -> Pod:
    labels = {"app": "db", STATEFUL_SET_POD_NAME: f"db-{number}", POD_INDEX: str(number)}
    return pod(f"db-{number}", cpu="4", labels=labels, volumes=uses(f"data-db-{number}"))


def test_replicas_of_a_stateful_set_are_decided_once() -> None:
    """Each has an index and an unbound claim of its own."""
    claims = [claim(f"data-db-{number}") for number in range(2)]
    made = cluster([node("n1", cpu="2")], [], storage_class(), *claims, service("db", {"app": "db"}))
    first, second = simulate(DEFAULT, made, [_of_set(0), _of_set(1)])
    assert second.statuses is first.statuses
    assert second.message == DEFAULT.schedule(_of_set(1), made).message


def test_what_names_a_claim_is_said_of_no_other_replica() -> None:
    made = cluster([node("n1", cpu="8")])
    first, second = simulate(DEFAULT, made, [_of_set(0), _of_set(1)])
    assert 'persistentvolumeclaim "data-db-0" not found' in first.message
    assert 'persistentvolumeclaim "data-db-1" not found' in second.message


def test_an_index_that_an_affinity_reads_tells_replicas_apart() -> None:
    apart = affinity(far=[term({POD_INDEX: "0"})])
    made = cluster([node("n1", cpu="2")], [pod("lone", node="n1", affinity=apart)])
    first, second = simulate(DEFAULT, made, [replace(_of_set(number), spec=pod(cpu="4").spec) for number in (0, 1)])
    assert second.statuses is not first.statuses


def test_round_robin_goes_on() -> None:
    made = cluster([node(f"n{index}") for index in range(120)])
    even = Scheduler({"default-scheduler": profile(Scores("Even", {}))})
    decisions = list(simulate(even, made, [pod("a"), pod("b"), pod("stranger", scheduler_name="x"), pod("c")], 10))
    assert [decision.sampling.start_index for decision in decisions] == [10, 110, 90, 90]
    assert [decision.host for decision in decisions] == ["n10", "n110", "", "n90"]


def test_a_nomination_of_the_queue_keeps_its_room_from_equals() -> None:
    holder = pod("holder", cpu="2", nominated="n1", gates=["wait"])
    equal, _ = simulate(DEFAULT, cluster([node("n1", cpu="2")]), [pod("equal", cpu="1"), holder])
    assert equal.outcome is Outcome.UNSCHEDULABLE
