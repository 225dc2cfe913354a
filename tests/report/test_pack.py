"""Nodes that can go together: beside the optimum, a first-fit-decreasing bound, and what keeps nodes where they are."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import pytest
from msgspec.structs import replace

from kexplain.case import Case, PodToPlace
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.loading import load_contents, pending_case
from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.load import Loaded
from kexplain.objects.instance_types import InstanceType
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.well_known import CONTROL_PLANE, INSTANCE_TYPE
from kexplain.report.drain import Draining
from kexplain.report.headroom import Headroom
from kexplain.report.pack import Packing
from kexplain.report.pack_records import PackReport
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import BY_DEFAULT, DrainOptions
from kexplain.world.edit_options import edit_of
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World
from tests.factories import budget, cluster, controlled_by, node, pod, selector, toleration
from tests.scenarios import FIXTURES

DEFAULT = Scheduler({"default-scheduler": default_profile()})
WEB = controlled_by("ReplicaSet", "web")


def case_of(made: Cluster) -> Case:
    return Case(made, (), scheduler=DEFAULT, builder=CaseBuilder(Contents(Loaded(), [], DEFAULT)))


def packed(
    made: Cluster, keep: str = "", options: DrainOptions = BY_DEFAULT, is_enough: Callable[[], bool] = lambda: False
) -> PackReport:
    packing = Packing(case=case_of(made), headroom=Headroom.of(keep), options=options, is_enough=is_enough)
    return packing.report([*made.node_info_by_name])


def test_a_node_that_alone_suits_its_pods_is_said_to_be_that() -> None:
    nodes = [node("gpu", labels={"pool": "gpu"}), node("n1", cpu="4"), node("n2", cpu="4")]
    train = pod("train", node="gpu", node_selector={"pool": "gpu"}, owner=WEB)
    web = [pod(name, node=name, cpu="4", owner=WEB) for name in ("n1", "n2")]
    report = packed(cluster(nodes, [train, *web]))
    because = {each.node: each.because for each in report.staying}
    assert because["gpu"] == "gpu is drained then, and the pod could run nowhere else"


def test_the_plan_is_carried_out_in_its_order() -> None:
    nodes = [node(f"n{number}", cpu="4") for number in range(1, 5)]
    pods = [pod(f"web-{number}", node=f"n{number}", cpu=f"{number}", owner=WEB) for number in range(1, 4)]
    report = packed(cluster(nodes, pods))
    assert report.emptied == ("n4", "n1")
    assert [(each.pod, each.from_node, each.node) for each in report.pods] == [("default/web-1", "n1", "n2")]
    assert report.commands == (
        "kubectl cordon n4 n1",
        "kubectl drain n4 --ignore-daemonsets",
        "kubectl drain n1 --ignore-daemonsets",
    )
    assert [(each.node, each.because) for each in report.staying] == [
        ("n2", "no room on node n3"),
        ("n3", "no room on node n2"),
    ]
    assert (report.total, report.untried) == (4, 0)


def test_who_tolerates_the_cordon_may_land_on_a_node_that_was_emptied_before() -> None:
    nodes = [node("big", cpu="8", labels={"of": "web"}), node("n1", cpu="4", labels={"of": "web"}), node("n2", cpu="8")]
    web = pod("web", node="n1", owner=WEB, node_selector={"of": "web"}, tolerations=[toleration("", operator="Exists")])
    report = packed(cluster(nodes, [web, pod("api", node="n2", cpu="7", owner=controlled_by("ReplicaSet", "api"))]))
    assert [(each.node, each.node in report.emptied, each.doubt) for each in report.pods] == [
        ("big", True, "which is drained itself, as its cordon is tolerated")
    ]


def test_what_nobody_may_empty_stays() -> None:
    kept = pod("kept", node="guarded", owner=WEB, labels={"app": "kept"})
    nodes = [
        node("first", labels={CONTROL_PLANE: ""}),
        node("guarded"),
        node("scratch"),
        node("lost", taints=["node.kubernetes.io/unreachable:NoExecute"]),
        node("stuck", taints=["node.kubernetes.io/unreachable:NoExecute"]),
        node("bare"),
        node("free"),
        node("served", labels={"type": "virtual-kubelet"}),
    ]
    pods = [kept, pod("bare", node="bare"), pod("web", node="stuck", owner=WEB)]
    report = packed(cluster(nodes, pods, budget("all", selector({"app": "kept"}))))
    assert report.emptied == ("scratch", "lost", "free")
    assert {each.node: each.because.partition(".")[0] for each in report.staying} == {
        "first": "it runs the control plane",
        "served": "it is no machine",
        "guarded": "Cannot evict pod as it would violate the pod's disruption budget",
        "stuck": "its node is unreachable, so nobody stops it, and kubectl drain waits forever",
        "bare": "cannot delete Pods that declare no controller (use force to override)",
    }
    forced = packed(cluster([node("bare"), node("free")], [pod("bare", node="bare")]), options=DrainOptions(force=True))
    assert forced.commands[-1] == "kubectl drain free --ignore-daemonsets --force"


def test_a_node_that_a_pod_waits_for_stays() -> None:
    nodes = [node("big", cpu="8", cordoned=True), node("n1", cpu="4"), node("n2", cpu="4", cordoned=True)]
    case = replace(case_of(cluster(nodes)), pods=(PodToPlace(pod("late", cpu="6")),))
    report = Packing(case=case).report(["big", "n1", "n2"])
    because = {each.node: (each.because, each.pods) for each in report.staying}
    assert because["big"] == ("it suits a pod that waits, once it is back in service", ("default/late",))
    assert "n2" in report.emptied


def test_a_budget_lets_pods_go_one_after_the_other() -> None:
    pods = [pod(f"web-{name}", node="n1", owner=WEB, labels={"app": "web"}, phase="Running") for name in "ab"]
    report = packed(cluster([node("n1"), node("n2")], pods, budget("one", selector({"app": "web"}), 1)))
    assert report.emptied == ("n2",)
    more = packed(
        cluster(
            [node("n1"), node("n2")],
            [*pods, pod("big", node="n2", cpu="1", owner=WEB)],
            budget("one", selector({"app": "web"}), 1),
        )
    )
    assert more.emptied == ("n1",)
    assert [(each.round, each.held_up_by) for each in more.pods] == [(1, ()), (2, ("default/one",))]


@pytest.mark.parametrize(("keep", "count"), [("", 3), ("N+1", 2), ("zone", 2), ("50%", 2), ("80%", 0)], ids=str)
def test_headroom_is_left(keep: str, count: int) -> None:
    nodes = [node(f"n{number}", cpu="4", zone=f"z{number % 2}") for number in range(4)]
    pods = [pod(f"web-{number}", node=f"n{number}", cpu="1", owner=WEB) for number in range(4)]
    report = packed(cluster(nodes, pods), keep)
    assert len(report.emptied) == count
    assert report.keep == keep
    stays = [each.because for each in report.staying if each.because.startswith("without it")]
    assert len(stays) == (4 - count if keep else 0)


def test_what_cannot_be_lost_now_need_not_be_lost_then() -> None:
    nodes = [node("big", cpu="9"), node("n1", cpu="4"), node("n2", cpu="4"), node("n3", cpu="4")]
    pods = [pod("large", node="big", cpu="8", owner=WEB), pod("small", node="n1", cpu="2", owner=WEB)]
    assert packed(cluster(nodes, pods), "N+1").emptied == ("n2",)


def test_what_is_saved_by_pool_and_price() -> None:
    kinds = [
        InstanceType(metadata=ObjectMeta(name="m5"), cpu_milli=4000, per_hour=0.5),
        InstanceType(metadata=ObjectMeta(name="c5"), cpu_milli=4000),
    ]
    nodes = [
        node(f"{kind}-{number}", labels={"pool": kind, INSTANCE_TYPE: kind})
        for kind in ("m5", "c5")
        for number in (1, 2)
    ]
    report = packed(cluster(nodes, [pod("web", node="m5-1", cpu="1", owner=WEB)], *kinds))
    assert sorted((each.pool, each.nodes, each.of, each.cpu_milli, each.per_hour) for each in report.saved) == [
        ("c5", 2, 2, 8000, None),
        ("m5", 1, 2, 4000, 0.5),
    ]


def test_an_answer_that_is_cut_short_can_be_used() -> None:
    asked = iter([False, False, True])
    nodes = [node(f"n{number}") for number in range(5)]
    report = packed(cluster(nodes, []), is_enough=lambda: next(asked, True))
    assert (report.emptied, report.untried, report.staying) == (("n0", "n1"), 3, ())


def sizes(seed: int) -> tuple[list[int], list[list[int]]]:
    """The free room of nodes, and the sizes of the pods on each."""
    rng = random.Random(seed)  # noqa: S311 (for cases, not for secrets)
    nodes = rng.randint(3, 8)
    return [8] * nodes, [[rng.randint(1, 4) for _ in range(rng.randint(0, 3))] for _ in range(nodes)]


def optimum(rooms: Sequence[int], pods: Sequence[Sequence[int]]) -> int:
    """How many nodes can be emptied at most, wherever their pods go."""
    free = [room - sum(own) for room, own in zip(rooms, pods, strict=True)]
    everywhere = range(len(rooms))
    for count in range(len(rooms) - 1, 0, -1):
        for gone in combinations(everywhere, count):
            moving = sorted((size for place in gone for size in pods[place]), reverse=True)
            if _fit(moving, [free[place] for place in everywhere if place not in gone]):
                return count
    return 0


def _fit(moving: Sequence[int], free: list[int]) -> bool:
    if not moving:
        return True
    tried = set()
    for place, room in enumerate(free):
        if room >= moving[0] and room not in tried:
            tried.add(room)
            if _fit(moving[1:], [*free[:place], room - moving[0], *free[place + 1 :]]):
                return True
    return False


def first_fit_decreasing(rooms: Sequence[int], pods: Sequence[Sequence[int]]) -> int:
    """Nodes left over if all pods are packed anew, which nobody can do without stopping everything."""
    used: list[int] = []
    for size in sorted((size for own in pods for size in own), reverse=True):
        place = next((place for place, each in enumerate(used) if each + size <= rooms[0]), None)
        if place is None:
            used.append(size)
        else:
            used[place] += size
    return len(rooms) - max(len(used), 1)


def _cluster(rooms: Iterable[int], pods: Sequence[Sequence[int]]) -> Cluster:
    nodes = [node(f"n{place}", cpu=str(room)) for place, room in enumerate(rooms)]
    running = [
        pod(f"p{place}-{number}", node=f"n{place}", cpu=str(size), owner=WEB)
        for place, own in enumerate(pods)
        for number, size in enumerate(own)
    ]
    return cluster(nodes, running)


def test_it_is_never_far_from_the_optimum() -> None:
    best, found, bound = [], [], []
    for seed in range(40):
        rooms, pods = sizes(seed)
        report = packed(_cluster(rooms, pods))
        assert all(each.node for each in report.pods)
        best.append(optimum(rooms, pods))
        bound.append(first_fit_decreasing(rooms, pods))
        found.append(len(report.emptied))
    assert all(best[place] - 1 <= found[place] <= best[place] for place in range(40))
    assert sum(found) >= 0.95 * sum(best), (sum(found), sum(best), sum(bound))


def test_nodes_that_nobody_got_to_take_pods_again() -> None:
    nodes = [node("n0"), node("n1"), node("n2"), node("off", cordoned=True)]
    packing = Packing(case=case_of(cluster(nodes, [])))
    assert [*packing._commands(["n0", "n1", "off"], ["n0", "off"])] == [
        "kubectl cordon n0 n1",
        "kubectl drain n0 --ignore-daemonsets",
        "kubectl drain off --ignore-daemonsets",
        "kubectl uncordon n1",
    ]
    assert [*packing._commands(["n0"], [])] == []


def test_a_price_is_a_sum_to_the_millionth() -> None:
    kind = InstanceType(metadata=ObjectMeta(name="m5"), cpu_milli=4000, per_hour=0.0000014)
    nodes = [node(f"m5-{number}", labels={"pool": "m5", INSTANCE_TYPE: "m5"}) for number in (1, 2)]
    assert [each.per_hour for each in packed(cluster(nodes, [], kind)).saved] == [0.000003]


def test_a_plan_that_nobody_has_time_to_carry_out_is_none() -> None:
    made = cluster([node("n0"), node("n1")], [pod("web", node="n0", owner=WEB)])
    report = Packing(case=case_of(made), is_over=lambda: True).report(["n0", "n1"])
    assert (report.emptied, report.commands, report.pods) == ((), (), ())


def test_pods_that_fit_nowhere_keep_their_node() -> None:
    made = cluster([node("n0", cpu="4"), node("n1", cpu="2")], [pod("web", node="n0", cpu="3", owner=WEB)])
    report = packed(made)
    assert report.emptied == ("n1",)
    assert [(each.node, each.pods) for each in report.staying] == [("n0", ("default/web",))]


_AGREEING = (
    "drain-a-node", "drain-held-up-by-a-budget", "drain-kept-by-autoscalers", "drain-left-pending", "drain-refused",
    "drain-webhook-without-answer", "everything-pending", "help-behind-the-first-constraint", "what-if-remove-node",
)  # fmt: skip
_KEPT_ANYWAY = ("control plane", "no machine", "annotation", "its minimum", "a pod that waits")


@pytest.mark.parametrize("name", _AGREEING)
def test_a_node_is_the_same_to_a_drain_a_pack_and_what_if(name: str) -> None:
    """What cannot be drained is not packed, what can is, unless somebody wants it kept; and the same pods wait."""
    path = FIXTURES / name / "cluster.yaml"
    contents = load_contents([str(path)])
    case = pending_case(contents)
    waiting = {each.pod.key for each in World(ReadObjects(contents, case.cluster)).settled().settled.waiting}
    for node_name in case.cluster.node_info_by_name:
        left = [pod for pod in Draining(case).report([node_name]).pods if pod.is_left]
        plan = Packing(case=case).report([node_name])
        assert not (left and plan.emptied)
        assert left or plan.emptied or any(each in plan.staying[0].because for each in _KEPT_ANYWAY)
        without = World(ReadObjects(contents, case.cluster)).after([edit_of("remove_node", node_name)]).settled()
        pending = {pod.pod for pod in left if pod.outcome == "Unschedulable"}
        blocked = {pod.pod for pod in left} - pending
        now = {each.pod.key for each in without.settled.waiting} - waiting
        assert pending <= now <= pending | blocked
