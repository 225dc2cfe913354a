from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Scheduler, SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster, NodeInfo
from kexplain.config.component.default_profile import default_profile
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.well_known import POD_INDEX
from kexplain.scheduler.signing import holds_for, sign
from kexplain.scheduler.simulate import simulate
from tests.factories import affinity, cluster, node, pod, service, term
from tests.framework.stubs import Filters, profile
from tests.storage_factories import claim, persistent_volume, storage_class, uses

DEFAULT = Scheduler({"default-scheduler": default_profile()})
OF_1_23 = build_scheduler(SchedulerSettings(kubernetes_version="1.23"))
SMALL = node("n1", cpu="2")


def replica(number: int, *, nominated: str = "", priority: int = 0, claims: bool = False) -> Pod:
    made = pod(
        f"db-{number}",
        cpu="4",
        priority=priority,
        labels={"app": "db", POD_INDEX: str(number)},
        volumes=uses(f"data-{number}") if claims else (),
    )
    return replace(made, status=replace(made.status, nominated_node_name=nominated or None))


def claims(modes: tuple[str, ...] = ("ReadWriteOnce",)) -> list[KubernetesObject]:
    return [storage_class(), *(claim(f"data-{number}", modes=modes) for number in (0, 1))]


def fare_alike(made: Cluster, *, of: Scheduler = DEFAULT, with_claims: bool = False) -> bool:
    first, second = (replica(number, claims=with_claims) for number in (0, 1))
    return holds_for(of.schedule(first, made), sign(of, first, made), sign(of, second, made))


@pytest.mark.parametrize(
    ("placed", "objects", "expected"),
    [
        pytest.param([], [], True, id="replicas"),
        pytest.param([], [service("db", {"app": "db"})], True, id="selected-alike"),
        pytest.param([], [service("first", {POD_INDEX: "0"})], False, id="a-service-reads-the-index"),
        pytest.param([pod("lone", node="n1", affinity=affinity(far=[term({POD_INDEX: "0"})]))], [], False,
                     id="an-affinity-reads-the-index"),
    ],
)  # fmt: skip
def test_labels_tell_pods_apart_where_somebody_reads_them(
    placed: list[Pod], objects: list[KubernetesObject], expected: bool
) -> None:
    assert fare_alike(cluster([SMALL], placed, *objects)) is expected


@pytest.mark.parametrize(
    ("placed", "objects", "expected"),
    [
        pytest.param([], claims(), True, id="claims-of-their-own"),
        pytest.param([], [storage_class(), claim("data-0"), claim("data-1", size="20Gi")], False, id="other-sizes"),
        pytest.param([], [], False, id="missing-ones-are-named"),
        pytest.param([], [*claims(), persistent_volume(reserved="data-1")], False, id="a-volume-set-aside"),
        pytest.param([pod("user", node="n1", volumes=uses("data-1"))], claims(("ReadWriteOncePod",)), False,
                     id="one-in-use"),
    ],
)  # fmt: skip
def test_claims_tell_pods_apart_by_what_they_ask_for(
    placed: list[Pod], objects: list[KubernetesObject], expected: bool
) -> None:
    assert fare_alike(cluster([SMALL], placed, *objects), with_claims=True) is expected


def test_claims_that_only_an_unreached_plugin_names_tell_pods_apart() -> None:
    """The pod stops at NodeResourcesFit, and what VolumeBinding would say is shown beside it."""
    objects = [storage_class(provisioner="kubernetes.io/no-provisioner"), claim("data-0"), claim("data-1")]
    made = cluster([SMALL], [], *objects)
    first, second = simulate(DEFAULT, made, [replica(number, claims=True) for number in (0, 1)])
    assert first.statuses.by_node["n1"].plugin == "NodeResourcesFit"
    assert "default/data-0" in str(first.matrix["n1"]["VolumeBinding"].evidence)
    assert "default/data-1" in str(second.matrix["n1"]["VolumeBinding"].evidence)


def test_messages_that_name_the_pod_are_said_of_that_one() -> None:
    made = cluster([node("n1", cpu="4")], [pod("placed", node="n1", cpu="2", priority=9)])
    first, second = simulate(OF_1_23, made, [replica(0), replica(1)])
    said = [each.preemption.rejections["n1"].message for each in (first, second) if each.preemption]
    assert said == [f"No victims found on node n1 for preemptor pod {name}" for name in ("db-0", "db-1")]


@pytest.mark.parametrize("other", [replica(1, nominated="n1"), replica(1, priority=1)])
def test_what_the_cycle_itself_reads(other: Pod) -> None:
    made = cluster([SMALL])
    mine = sign(DEFAULT, replica(0), made)
    assert not holds_for(DEFAULT.schedule(replica(0), made), mine, sign(DEFAULT, other, made))


class OnlyFirst(Filters):
    """Turns away all pods but the first; signs nothing."""

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        return None if pod.name == "db-0" else unresolvable("not the first")


def test_a_plugin_that_signs_nothing_makes_every_pod_unique() -> None:
    made = cluster([SMALL])
    scheduler = Scheduler(
        {"default-scheduler": profile(OnlyFirst("OnlyFirst"), Filters("No", {"n1": unresolvable("no")}))}
    )
    assert sign(scheduler, replica(0), made) is None
    first, second = simulate(scheduler, made, [replica(0), replica(1)])
    assert (first.message, second.message) == (
        "0/1 nodes are available: 1 no.",
        "0/1 nodes are available: 1 not the first.",
    )
