from __future__ import annotations

from msgspec.structs import replace

from kexplain.api import Case, ExplainOptions, PodToPlace, Report, one_by_one
from kexplain.case import Searched
from kexplain.diagnosis.records import Finding, Kind
from kexplain.explanation.advised import SOUGHT, Advised
from kexplain.objects.core import Node, Pod
from kexplain.render.pages.overview import pending
from kexplain.render.text import UNLIMITED, render
from kexplain.render.view import View
from kexplain.report.not_running import NotRunning
from kexplain.report.workloads import WorkloadReport
from tests.factories import cluster, controlled_by, node, pod


def of_workloads(count: int) -> list[Pod]:
    """A pod of each of so many workloads, each of another size, the first with a selector that no node meets."""
    sizes = [pod(f"p{n}", cpu=f"{n + 2}", owner=controlled_by("ReplicaSet", f"w{n}")) for n in range(count - 1)]
    return [pod("odd", node_selector={"disk": "ssd"}), *sizes]


def of(pods: list[Pod], *others: Node, advised: Advised | None = None) -> Report:
    there = cluster([node("n1", cpu="64", labels={"pool": "a"}), *others], [pod("full", cpu="63", node="n1")])
    case = Case(there, tuple(map(PodToPlace, pods)), searched=Searched(len(pods), 1))
    explained = one_by_one(case, ExplainOptions(advised=advised))
    return explained.report(tuple(explained.pods))


def lines(report: Report, view: View) -> list[str]:
    return [line.plain for line in render(report, view).lines(view.width or UNLIMITED)]


def rows(count: int) -> list[tuple[int, str]]:
    return [(len(each.places), each.why) for each in pending(of(of_workloads(count)))]


def test_few_workloads_have_a_row_each() -> None:
    assert len(rows(4)) == 4


def test_many_workloads_have_a_row_for_each_diagnosis() -> None:
    assert rows(20) == [(19, "no room on node n1"), (1, "no node has a label disk")]


def test_what_is_only_counted_in_a_row_is_said() -> None:
    bare = [pod("odd", node_selector={"disk": "ssd"}), *(pod(f"b{n}", cpu="99") for n in range(5))]
    for pods, said in ((of_workloads(20), "default/w0, default/w1 and 17 more workloads"), (bare, "and 3 more pods")):
        assert said in "".join(lines(of(pods), View(width=200)))
    assert [each.of_what for each in pending(of(bare[:3]))] == ["", ""]


def test_workloads_of_which_the_scheduler_says_the_same_have_a_row_each() -> None:
    sizes = [pod(f"p{n}", cpu=f"{n + 2}", owner=controlled_by("ReplicaSet", f"w{n}")) for n in range(2)]
    shown = lines(of(sizes), View(width=80))
    assert shown[0].startswith("✗ 2 pods pending, for 2 reasons")
    assert [line.split("  ")[2] for line in shown if " default/w" in line] == ["default/w0", "default/w1"]


def test_lines_around_the_rows_are_no_longer_than_these_where_they_are_piped() -> None:
    away = [node(f"ip-10-0-0-{n}.some-region-of-a-cloud.compute.internal", cordoned=True) for n in range(5)]
    shown = lines(of(of_workloads(4), *away), View())
    assert shown[1].startswith("  5 of 6 nodes are out of service")
    assert max(map(len, shown)) <= 80


def test_where_many_nodes_are_out_of_service_for_several_reasons_they_are_counted() -> None:
    cordoned = [node(f"c{n}", cordoned=True) for n in range(5)]
    pressed = [node(f"p{n}", taints=["node.kubernetes.io/memory-pressure:NoSchedule"]) for n in range(4)]
    silent = [node("s", taints=["node.kubernetes.io/unreachable:NoSchedule"])]
    shown = lines(of(of_workloads(4), *cordoned, *pressed, *silent), View(width=200))
    assert shown[1] == "  10 of 11 nodes are out of service: 5 cordoned, 4 under memory pressure and 1 unreachable"


def test_for_how_many_of_a_row_help_was_tried_is_said() -> None:
    """A node that makes room for one pod is no promise for the others."""
    one, _ = pending(of(of_workloads(30), advised=Advised(in_full=False)))
    assert one.helped == SOUGHT
    assert one.what_would_help == "add one more node like n1 (pool a, 1 node) (tried for 1 of them)"


def lacking(missing: int) -> WorkloadReport:
    """A Deployment that lacks so many pods, as a quota is used up."""
    quota = Finding(kind=Kind.QUOTA_USED_UP, text="quota q is used up", detail="cpu: 4 of 4 used.")
    return WorkloadReport("Deployment", "shop", "cart", 4, missing, (), (), diagnosis=quota)


IDLE = NotRunning("shop", "web", "n1", Kind.IMAGE_NOT_PULLED, "kubelet", "its image cannot be pulled")


def test_the_headline_counts_what_is_pending_what_is_missing_and_what_does_not_run() -> None:
    report = replace(of(of_workloads(3)), workloads=(lacking(2),), not_running=(IDLE,))
    first, *others = lines(report, View(width=120))
    assert first.startswith("✗ 3 pods pending, for 3 reasons; 2 have not been created; 1 has a node and does not run")
    assert "  2  shop/cart  quota q is used up; cpu: 4 of 4 used" in others
    assert "  HAVE A NODE AND DO NOT RUN" in others


def test_a_pending_pod_and_a_workload_without_its_pods_are_two_rows() -> None:
    report = replace(of(of_workloads(1)), workloads=(lacking(1),))
    assert lines(report, View(width=120))[0].startswith("✗ 1 pod pending, for 1 reason; 1 has not been created")


def test_workloads_that_lack_pods_for_one_reason_are_a_row() -> None:
    twice = replace(of([]), workloads=(lacking(2), lacking(3)))
    assert "  5  shop/cart, shop/cart  quota q is used up; cpu: 4 of 4 used" in lines(twice, View(width=120))


def test_workloads_that_are_held_back_are_counted_where_no_pod_is_there() -> None:
    report = replace(of([]), workloads=(lacking(0), lacking(3)))
    assert lines(report, View(width=120))[0].startswith("✗ 3 pods have not been created; 1 workload has no pods")


def test_a_workload_has_one_row_where_its_pods_find_different_room() -> None:
    """What fits in between takes some of the room that the second one would have had."""
    owner = controlled_by("ReplicaSet", "w")
    big = [pod(f"w-{n}", cpu="5", owner=owner) for n in range(2)]
    first, second = pending(of([big[0], pod("small", cpu="500m"), big[1]])), pending(of(big))
    assert [(len(each.places), [*each.names], each.why) for each in first] == [
        (2, ["default/w"], "no room on node n1: needs 5 cpu; n1 has 1 free")
    ]
    assert [each.what_would_help for each in first] == [each.what_would_help for each in second]


def test_what_is_taken_for_granted_of_pods_that_fit_is_said_with_their_names() -> None:
    report = of([pod("p0"), pod("p1"), *of_workloads(2)])
    noted = [replace(each, notes=("its claim is taken to exist",)) for each in report.pods]
    shown = lines(replace(report, pods=tuple(noted)), View(width=200))
    assert [line for line in shown if "!" in line] == ["  ! default/p0, default/p1: its claim is taken to exist"]


def test_what_does_not_run_comes_first_where_that_is_more_than_what_is_pending() -> None:
    one = of(of_workloads(1))
    first, *others = lines(replace(one, not_running=(IDLE, IDLE)), View(width=120))
    assert first == "✗ 2 pods have a node and do not run; 1 is pending"
    assert sum("HAVE A NODE AND DO NOT RUN" in line for line in others) == 1
    last = lines(replace(one, not_running=(IDLE,)), View(width=120))
    assert last[0].startswith("✗ default/odd does not fit")
    assert sum("HAVE A NODE AND DO NOT RUN" in line for line in last) == 1


def test_pods_that_one_thing_helps_are_one_row_whoever_made_them() -> None:
    """Where the amounts that they ask for differ, too."""
    away = node("away", cpu="8", cordoned=True, labels={"disk": "ssd"})
    on_it = {"disk": "ssd"}
    waiting = [pod("a", node_selector=on_it), pod("b", namespace="shop", node_selector=on_it, cpu="2")]
    found = pending(of([*waiting, pod("big", cpu="99")], away))
    assert [len(each.places) for each in found] == [2, 1]
    assert found[0].remedy.startswith("uncordon away")
    assert lines(of(waiting, away), View(width=120))[0].startswith("✗ 2 pods pending, for 1 reason")


def test_what_is_only_counted_is_said_in_the_singular_where_it_is_one() -> None:
    three = [pod(f"p{n}", cpu="99", owner=controlled_by("ReplicaSet", f"w{n}")) for n in range(3)]
    three.append(pod("odd", node_selector={"disk": "ssd"}))
    assert [each.of_what for each in pending(of(three))] == [" workload", ""]


def test_no_command_asks_about_a_kind_that_nobody_knows() -> None:
    for kind, is_said in (("Deployment", True), ("RayCluster", True), ("PerconaServer", False)):
        report = replace(of([]), workloads=(replace(lacking(2), kind=kind),))
        shown = "".join(lines(report, View(width=200, again=("--cluster", "c"))))
        assert (f"kexplain {kind.lower()}/cart -n shop" in shown) is is_said
