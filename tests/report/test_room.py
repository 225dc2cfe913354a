"""The fewest moves that make room: beside brute force, and carried out step by step in the world."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from msgspec.structs import replace

from kexplain.case import Case, PodToPlace
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.config.component.default_profile import default_profile
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.load import Loaded
from kexplain.objects.core import Node, Pod, PodAnnotations
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.report.pack_records import PackReport
from kexplain.report.room import Plan, RoomMaking
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import EvictionBudgets
from kexplain.world.edit_options import applying
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World
from tests.factories import budget, controlled_by, node, pod, pod_group, selector, toleration

DEFAULT = Scheduler({"default-scheduler": default_profile()})
WEB = controlled_by("ReplicaSet", "web")
Objects = Sequence[Node | Pod | PodDisruptionBudget]


def case_of(objects: Objects, *asked: Pod) -> Case:
    builder = CaseBuilder(Contents(Loaded(), [*objects], DEFAULT))
    placed = tuple(PodToPlace(each, source="new.yaml") for each in asked)
    return Case(builder.cluster(()), placed, scheduler=DEFAULT, builder=builder)


def room(objects: Objects, *asked: Pod, is_enough: Callable[[], bool] = lambda: False) -> PackReport:
    return RoomMaking(case=case_of(objects, *asked), is_enough=is_enough).report()


def web(name: str, on: str, cpu: str, **more: object) -> Pod:
    return pod(name, node=on, cpu=cpu, owner=WEB, uid=name, **more)  # type: ignore[arg-type]


def moves(report: PackReport) -> list[tuple[str, str, str | None]]:
    return [(each.pod, each.from_node, each.node) for each in report.pods]


NODES = [node(name, cpu="4") for name in ("n1", "n2", "n3")]
SPREAD = [web("a", "n1", "2"), web("b", "n2", "3"), web("c", "n3", "3")]


def test_one_move_in_an_order_that_can_be_carried_out() -> None:
    report = room([*NODES, web("a", "n1", "2"), web("b", "n2", "1"), web("c", "n3", "3")], pod("new", cpu="4"))
    assert moves(report) == [("default/a", "n1", "n2")]
    assert [(each.pod, each.node) for each in report.room_for] == [("default/new", "n1")]
    apply = "kubectl apply -f new.yaml -n default"
    assert report.commands == ("kubectl cordon n1", "kubectl delete pod a -n default", apply, "kubectl uncordon n1")
    assert report.is_possible


def test_where_there_is_room_nobody_moves() -> None:
    report = room([*NODES, *SPREAD], pod("new", cpu="2"))
    assert (report.commands, report.pods, [each.node for each in report.room_for]) == ((), (), ["n1"])


def test_one_moves_so_that_another_can() -> None:
    """The pod of n1 has to stay in its zone, where the other node is full until one of its pods leaves."""
    nodes = [
        node("n1", cpu="4", labels={"zone": "a", "size": "large"}),
        node("n2", cpu="3", labels={"zone": "a"}),
        node("n3", cpu="2"),
    ]
    there = [web("a", "n1", "2", node_selector={"zone": "a"}), web("b", "n2", "2")]
    report = room([*nodes, *there], pod("new", cpu="4", node_selector={"size": "large"}))
    assert moves(report) == [("default/b", "n2", "n3"), ("default/a", "n1", "n2")]
    assert [line.partition(" ")[2] for line in report.commands] == [
        "cordon n1",
        "cordon n2",
        "delete pod b -n default",
        "uncordon n2",
        "delete pod a -n default",
        "apply -f new.yaml -n default",
        "uncordon n1",
    ]


def test_the_world_is_followed_up_to_each_pod_that_moves() -> None:
    there = [web("a", "n1", "1"), web("b", "n1", "1"), web("c", "n2", "3"), web("d", "n3", "3")]
    nodes = [node("n1", cpu="4", labels={"size": "large"}), *NODES[1:]]
    asked = pod("new", cpu="4", node_selector={"size": "large"})
    making = RoomMaking(case=case_of([*nodes, *there], asked))
    plan, lands, left = making.found([asked])
    assert (lands, left) == ({"default/new": "n1"}, "")
    assert [each.verb for each in plan.closing] == ["cordon", "delete", "delete"]
    assert [len(each) for each in plan.batches(applying([asked]))] == [2, 1, 1, 1]


def test_several_pods_get_room_on_several_nodes() -> None:
    there = [web("a", "n1", "1"), web("b", "n2", "1"), web("c", "n3", "2"), web("d", "n3", "1")]
    report = room([*NODES, node("n4", cpu="2"), *there], pod("gang-0", cpu="4"), pod("gang-1", cpu="4"))
    assert {each.pod for each in report.pods} == {"default/a", "default/b"}
    assert {each.node for each in report.room_for} == {"n1", "n2"}


def kept_by_annotation(made: Pod) -> Pod:
    metadata = replace(made.metadata, annotations=PodAnnotations(do_not_disrupt="true"))
    return replace(made, metadata=metadata)


@pytest.mark.parametrize(
    "stays",
    [
        pod("bare", node="n1", cpu="1", uid="bare"),
        web("guarded", "n1", "1", labels={"app": "guarded"}),
        kept_by_annotation(web("annotated", "n1", "1")),
        pod("daemon", node="n1", cpu="1", uid="daemon", owner=controlled_by("DaemonSet", "agent")),
    ],
    ids=lambda each: each.name,
)
def test_who_cannot_be_moved_stays(stays: Pod) -> None:
    kept = budget("kept", selector({"app": "guarded"}))
    objects: Objects = [
        node("n1", cpu="4", labels={"karpenter.sh/nodepool": "general"}),
        node("n2", cpu="2"),
        stays,
        kept,
    ]
    report = room(objects, pod("new", cpu="4"))
    assert not report.is_possible
    assert (report.commands, report.pods) == ((), ())
    assert [each.node for each in report.room_for] == [None]
    assert report.notes == ("up to 4 moves were tried for default/new",)


def test_a_node_that_somebody_has_cordoned_stays_so() -> None:
    """Also where the pod would tolerate that: no plan ends with it taking pods again."""
    closed = node("n1", cpu="4", cordoned=True)
    anywhere = toleration(key="node.kubernetes.io/unschedulable", operator="Exists")
    report = room([closed, node("n2", cpu="2"), web("a", "n1", "1")], pod("new", cpu="4", tolerations=[anywhere]))
    assert (report.is_possible, report.commands) == (False, ())


def test_who_waited_before_may_wait_in_the_end() -> None:
    there = [web("a", "n1", "2"), web("b", "n2", "1"), web("c", "n3", "3"), pod("huge", cpu="64", uid="huge")]
    assert room([*NODES, *there], pod("new", cpu="4")).is_possible


def test_a_node_that_is_held_for_one_is_cordoned_once() -> None:
    nodes = [node("n1", cpu="4"), *(node(name, cpu="1") for name in ("n2", "n3", "n4"))]
    there = [web(name, "n1", "1") for name in ("a", "b", "c")]
    report = room([*nodes, *there], pod("new-0", cpu="2"), pod("new-1", cpu="2"))
    assert [line.split()[1] for line in report.commands] == [
        "cordon",
        "delete",
        "delete",
        "delete",
        "apply",
        "uncordon",
    ]
    assert {each.node for each in report.room_for} == {"n1"}


def test_an_interrupted_search_says_so() -> None:
    there = [web("a", "n1", "2"), web("b", "n2", "1"), web("c", "n3", "3")]
    report = room([*NODES, *there], pod("new", cpu="4"), is_enough=lambda: True)
    assert report.notes == ("the search was ended for default/new; within lets it take longer",)


def test_room_for_some_is_better_than_for_none() -> None:
    there = [web("a", "n1", "1"), web("b", "n2", "3"), web("c", "n3", "3")]
    report = room([*NODES, node("n4", cpu="1"), *there], pod("new-0", cpu="4"), pod("new-1", cpu="4"))
    assert not report.is_possible
    assert [(each.pod, each.node) for each in report.room_for] == [("default/new-0", "n1"), ("default/new-1", None)]
    assert moves(report) == [("default/a", "n1", "n2")]


def test_no_pod_moves_twice() -> None:
    """The scheduler would put the small one where only the large one fits."""
    there = [web("a", "n2", "1"), web("b", "n2", "3"), web("c", "n2", "3", labels={"app": "kept"}), web("d", "n1", "3")]
    nodes = [node("n1", cpu="4"), node("n2", cpu="8"), node("n3", cpu="4")]
    kept = budget("kept", selector({"app": "kept"}))
    report = room([*nodes, *there, web("e", "n3", "1"), kept], pod("new", cpu="5"))
    assert moves(report) == [("default/b", "n2", "n3"), ("default/a", "n2", "n1")]


LARGE, SMALL = pod("large", cpu="4", uid="large"), pod("small", cpu="3", uid="small")
TIGHT: Objects = [node("n1", cpu="4"), node("n2", cpu="6"), web("a", "n1", "1"), web("b", "n2", "1")]


@pytest.mark.parametrize(
    ("placed", "apply"),
    [
        (PodToPlace(SMALL, source="small pod.yaml"), ["kubectl apply -f 'small pod.yaml' -n default"]),
        (PodToPlace(SMALL, source="<stdin>"), ["kubectl apply -f - -n default"]),
    ],
)
def test_nodes_take_pods_in_turn_where_the_scheduler_would_choose_another(placed: PodToPlace, apply: list[str]) -> None:
    """The small one would take the node that alone has room for the large one."""
    case = case_of(TIGHT, SMALL, LARGE)
    report = RoomMaking(case=replace(case, pods=(placed, replace(placed, pod=LARGE)))).report()
    assert (report.is_possible, report.pods) == (True, ())
    cordon, uncordon = (["kubectl cordon n2", "kubectl cordon n1"], ["kubectl uncordon n1", "kubectl uncordon n2"])
    assert [*report.commands] == [*cordon, *apply, *uncordon]
    assert {each.pod: each.node for each in report.room_for} == {"default/small": "n1", "default/large": "n2"}


def test_pods_of_two_namespaces_say_themselves_where_they_belong() -> None:
    other = pod("large", cpu="4", uid="large", namespace="other")
    report = room(TIGHT, SMALL, other)
    assert "kubectl apply -f new.yaml" in report.commands


def test_what_waits_in_the_cluster_need_not_come() -> None:
    waits = pod("new", cpu="4", uid="new", phase="Pending")
    there = [web("a", "n1", "2"), web("b", "n2", "1"), web("c", "n3", "3"), waits]
    report = room([*NODES, *there], waits)
    assert report.commands == ("kubectl cordon n1", "kubectl delete pod a -n default", "kubectl uncordon n1")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (web("a", "n1", "2"), "default/a has a node: n1"),
        (pod("b", cpu="9", deleting=True), "default/b is being deleted"),
    ],
)
def test_who_does_not_wait_for_a_node_is_said(asked: Pod, says: str) -> None:
    builder = CaseBuilder(Contents(Loaded(), [*NODES, asked], DEFAULT))
    waiting = replace(asked, spec=replace(asked.spec, node_name=None))
    report = RoomMaking(
        case=Case(builder.cluster(()), (PodToPlace(waiting),), scheduler=DEFAULT, builder=builder)
    ).report()
    assert (report.notes, report.is_possible) == ((says,), False)


def test_a_plan_in_which_somebody_is_preempted_is_none() -> None:
    """It waits already, and what moves away for it would be in the way of one that is more important."""
    report = room([node("n1", cpu="2"), web("a", "n1", "2", priority=1)], pod("new", cpu="2", priority=2))
    assert report.notes == ("up to 4 moves were tried for default/new",)
    assert not report.is_possible


# -------------------------------------------------------------------------------------------------------- gangs


GANGS = build_scheduler(
    SchedulerSettings(
        feature_gates={"GenericWorkload": True, "GangScheduling": True, "TopologyAwareWorkloadScheduling": True}
    )
)


def test_of_a_gang_there_is_no_part() -> None:
    there = [web("a", "n1", "1"), web("b", "n2", "3"), web("c", "n3", "3")]
    gang = [pod(f"gang-{each}", cpu="4", group="train") for each in range(2)]
    case = case_of([*NODES, node("n4", cpu="1"), *there, pod_group("train", 2)], *gang)  # type: ignore[list-item]
    report = RoomMaking(case=replace(case, scheduler=GANGS)).report()
    assert [each.node for each in report.room_for] == [None, None]
    assert report.commands == ()


def gang_room(key: str, *, waiting: bool) -> PackReport:
    """Two zones of two nodes each; two pods that want most of a node each, which only zone b has without moves."""
    nodes = [node(name, cpu="8", labels={"zone": name[0]}) for name in ("a1", "a2", "b1", "b2")]
    there = [
        web("w1", "a1", "3"),
        web("w2", "a2", "1"),
        web("w3", "b1", "1"),
        web("w4", "b2", "3", labels={"app": "db"}),
    ]
    workers = [pod(f"g{place}", cpu="6", uid=f"g{place}", group="g") for place in range(2 if key else 3)]
    kept = budget("kept", selector({"app": "db"}))
    objects = [*nodes, *there, kept, pod_group("g", len(workers), key=key), *(workers if waiting else [])]
    builder = CaseBuilder(Contents(Loaded(), objects, GANGS))
    asked = workers[:1] if waiting else workers
    case = Case(builder.cluster(()), tuple(map(PodToPlace, asked)), scheduler=GANGS, builder=builder)
    return RoomMaking(case=case).report()


@pytest.mark.parametrize("waiting", [False, True], ids=["new", "in the cluster, one of them named"])
@pytest.mark.parametrize(("key", "nodes"), [("", {"a1", "a2", "b1"}), ("zone", {"a1", "a2"})])
def test_a_gang_gets_room_for_all_at_once(key: str, nodes: set[str], *, waiting: bool) -> None:
    report = gang_room(key, waiting=waiting)
    assert [(each.pod, each.from_node) for each in report.pods] == [("default/w1", "a1")]
    assert {each.node for each in report.room_for} == nodes
    assert len(report.room_for) == len(nodes)


# ------------------------------------------------------------------------------------------------ random clusters


def random_case(seed: int) -> tuple[list[Node | Pod | PodDisruptionBudget], list[Pod]]:
    """Up to eight nodes that are rather full, some pods behind a budget, and one or two pods that want much."""
    drawn = random.Random(seed)  # noqa: S311 (it has to be the same again)
    nodes = [node(f"n{number}", cpu=str(drawn.choice((4, 6, 8)))) for number in range(drawn.randint(3, 8))]
    free = {each.name: int((each.status.allocatable or {})["cpu"]) for each in nodes}
    pods: list[Pod] = []
    for each in nodes:
        for _ in range(drawn.randint(0, 3)):
            cpu = drawn.randint(1, 3)
            if cpu <= free[each.name]:
                free[each.name] -= cpu
                labels = {"app": drawn.choice(("web", "db"))}
                pods.append(web(f"p{len(pods)}", each.name, str(cpu), labels=labels))
    asked = [pod(f"new-{number}", cpu=str(drawn.randint(3, 6))) for number in range(drawn.choice((1, 1, 2)))]
    return [*nodes, *pods, budget("db", selector({"app": "db"}), allowed=drawn.choice((0, 1)))], asked


def optimum(objects: Objects, asked: Sequence[Pod]) -> int | None:
    """How many pods have to move at least, whatever the scheduler would choose; None where four are not enough."""
    case = case_of(objects, *asked)
    budgets = EvictionBudgets(case.cluster)
    room_by_node, sizes, homes = {}, {}, {}
    for info in case.cluster.node_infos:
        room_by_node[info.name] = info.allocatable.cpu_milli - info.requested.cpu_milli
        for each in info.pods:
            if budgets.evict(each.pod) is None:
                sizes[each.pod.key], homes[each.pod.key] = each.resource.requested.cpu_milli, info.name
            budgets.runs_again(each.pod.key)
    wanted = [case.cluster.pod_info(each).resource.requested.cpu_milli for each in asked]
    for count in range(5):
        for leaving in combinations(sizes, count):
            free = dict(room_by_node)
            for key in leaving:
                free[homes[key]] += sizes[key]
            if packs([*wanted, *(sizes[key] for key in leaving)], free):
                return count
    return None


def packs(sizes: Sequence[int], free: dict[str, int]) -> bool:
    """Whether some assignment has them all."""
    if not sizes:
        return True
    largest, *others = sorted(sizes, reverse=True)
    return any(packs(others, free | {name: left - largest}) for name, left in free.items() if left >= largest)


CASES = range(60)


def carried_out(plan: Plan, objects: Objects, asked: Sequence[Pod]) -> tuple[Followed, dict[str, str]]:
    """The world at the end, and where every pod has got its last node; budgets let each go that is deleted."""
    builder, lands = CaseBuilder(Contents(Loaded(), [*objects], DEFAULT)), dict[str, str]()
    create = applying([each for each in asked if each not in objects])
    steps = [*((each, [each.edit]) for each in plan.closing), (None, [create])]
    for step, edits in [*steps, *((each, [each.edit]) for each in plan.opening)]:
        if step is not None and step.pod is not None:
            assert EvictionBudgets(builder.cluster(())).evict(step.pod) is None
        end = World(ReadObjects(builder.contents)).after(edits).settled()
        lands |= end.settled.placed
        builder = end.builder_at_the_end
    return end, lands


@pytest.mark.parametrize("seed", CASES)
def test_a_plan_is_carried_out_to_its_end(seed: int) -> None:
    """Nobody waits at the end who did not before, budgets let everybody go, and all land where the plan says."""
    objects, asked = random_case(seed)
    making = RoomMaking(case=case_of(objects, *asked))
    report, (plan, _, _) = making.report(), making.found(asked)
    without = [each.pod for each in report.room_for if each.node is None]
    if len(without) == len(asked):
        assert (report.is_possible, report.commands) == (False, ())
        return
    end, lands = carried_out(plan, objects, asked)
    assert [each.pod.key for each in end.settled.waiting] == without
    assert {each.pod: each.node for each in report.room_for} == {each.key: lands.get(each.key) for each in asked}
    assert {each.pod: each.node for each in report.pods} == {each.pod: lands[each.pod] for each in report.pods}
    assert len({each.pod for each in report.pods}) == len(report.pods)
    assert not any(info.node.spec.unschedulable for info in end.cluster.node_infos)


def test_beside_the_optimum() -> None:
    """Never fewer than has to be, and here never more; brute force asks no scheduler where pods go."""
    more = missed = possible = 0
    for seed in CASES:
        objects, asked = random_case(seed)
        report, least = room(objects, *asked), optimum(objects, asked)
        if report.is_possible:
            assert least is not None or len(report.pods) > 4
            assert least is None or len(report.pods) >= least
            more += len(report.pods) > (least or 0)
        possible += least is not None
        missed += least is not None and not report.is_possible
    assert (more, missed, possible) == (0, 0, 57)
