from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, build_scheduler, explain
from kexplain.case import Searched, Wanted, load_case
from kexplain.diagnosis.records import Finding, Hold, Kind
from kexplain.explain.records import NodeCounts
from kexplain.explanation.records import PodExplanation, PodReference, Workload
from kexplain.framework.trace import Outcome
from kexplain.objects.core import Pod
from kexplain.objects.meta import OwnerReference
from kexplain.remedies.records import Remedy
from kexplain.report.groups import GroupWorkload, PodGroup, groups
from kexplain.report.records import Report
from tests.factories import cluster, node, pod

JOB = OwnerReference(api_version="batch/v1", kind="Job", name="batch", controller=True)


def grouped(*pods: Pod, searched: bool = True) -> tuple[PodGroup, ...]:
    case = Case(
        cluster(
            [node("small", cpu="1"), node("large", cpu="8", taints=["batch=:NoSchedule"])],
            [pod("old", cpu="500m", node="small")],
        ),
        tuple(PodToPlace(each) for each in pods),
        searched=Searched(len(pods), 1) if searched else None,
    )
    return explain(case, build_scheduler()).groups


def test_pods_with_one_message_are_a_group_and_the_largest_comes_first() -> None:
    first, second = grouped(pod("gpu", further={"a.b/gpu": 1}), pod("x", cpu="4"), pod("y", cpu="4"))
    assert (first.pods, second.pods) == ((1, 2), (0,))
    assert (first.outcome, first.scheduler_name) == ("Unschedulable", "default-scheduler")
    assert first.message.startswith("0/2 nodes are available")
    assert first.alike


def test_pods_that_fit_are_in_no_group() -> None:
    assert grouped(pod("fits", cpu="100m")) == ()


def test_pods_with_one_diagnosis_but_other_numbers_are_not_alike() -> None:
    (group,) = grouped(pod("x", cpu="700m"), pod("y", cpu="800m"))
    assert not group.alike
    counts = [(cause.plugin, cause.pods) for cause in group.causes]
    assert counts == [("TaintToleration", 2), ("NodeResourcesFit", 1), ("NodeResourcesFit", 1)]
    assert [remedy.pods for remedy in group.remedies] == sorted((each.pods for each in group.remedies), reverse=True)


def test_workloads_that_were_looked_for_are_apart_whatever_the_scheduler_says_of_them() -> None:
    asked = [pod("x", cpu="4"), *(pod(f"batch-{n}", cpu="4", owner=JOB) for n in range(2)), pod("y", cpu="200")]
    assert [group.pods for group in grouped(*asked)] == [(1, 2), (0,), (3,)]


def test_pods_of_a_workload_with_one_diagnosis_are_together_though_others_land_between_them() -> None:
    first, second = (pod(f"batch-{n}", cpu="9", memory="6Gi", owner=JOB) for n in range(2))
    (group,) = grouped(first, pod("between", cpu="100m", memory="4Gi"), second)
    assert group.pods == (0, 2)
    assert not group.alike


def test_pods_that_were_named_are_together_only_if_their_causes_are_equal() -> None:
    together = grouped(pod("x", cpu="4"), pod("y", cpu="4"), searched=False)
    apart = grouped(pod("x", cpu="4"), pod("y", cpu="5"), searched=False)
    assert ([group.pods for group in together], [group.pods for group in apart]) == ([(0, 1)], [(0,), (1,)])


def test_pods_of_other_outcomes_are_apart() -> None:
    groups = grouped(pod("x", cpu="4"), pod("y", scheduler_name="volcano"))
    assert [(group.outcome, group.pods) for group in groups] == [("Unschedulable", (0,)), ("NoProfile", (1,))]


def test_workloads_are_counted_and_a_pod_alone_stands_for_itself() -> None:
    asked = [pod("x", cpu="4"), *(pod(f"batch-{n}", cpu="4", owner=JOB) for n in range(2))]
    (group,) = grouped(*asked, searched=False)
    assert group.workloads == (
        GroupWorkload(kind="Job", namespace="default", name="batch", pods=2),
        GroupWorkload(kind="", namespace="default", name="x", pods=1),
    )


def test_pods_that_were_named_are_apart_if_something_else_is_wrong_with_them() -> None:
    case = Case(cluster([node("small", cpu="1")]), tuple(PodToPlace(pod(name, cpu="4")) for name in ("x", "y")))
    first, second = explain(case, build_scheduler()).pods
    assert first.diagnosis is not None
    other = replace(second, diagnosis=replace(first.diagnosis, text="no room in zone b"))
    assert [group.pods for group in groups([first, second], by_message=False)] == [(0, 1)]
    assert [group.pods for group in groups([first, other], by_message=False)] == [(0,), (1,)]


OF_NODES = OwnerReference(api_version="apps/v1", kind="DaemonSet", name="agent", controller=True)
HELP = Remedy(action="lower-request", text="request less")


def agent(name: str, **changed: object) -> PodExplanation:
    """A pod of a DaemonSet that is told of its own node."""
    found = PodExplanation(
        pod=PodReference(namespace="a", name=name, priority=0, workload=Workload(kind="DaemonSet", name="agent")),
        scheduler_name="default-scheduler",
        outcome=Outcome.UNSCHEDULABLE,
        message="0/2 nodes are available",
        nodes=NodeCounts(total=2, feasible=0, rejected=2, excluded=0, not_evaluated=0),
        diagnosis=Finding(kind=Kind.NO_ROOM, text=f"no room on node {name}", plugin="NodeResourcesFit"),
        remedies=(HELP,),
    )
    return replace(found, **changed)


@pytest.mark.parametrize("by_message", [True, False])
@pytest.mark.parametrize(
    ("changed", "together"),
    [
        pytest.param({}, True, id="one fault"),
        pytest.param({"remedies": (replace(HELP, text="another"),)}, False, id="other help"),
        pytest.param({"remedies": (HELP, replace(HELP, text="another"))}, True, id="more help"),
        pytest.param({"remedies": ()}, False, id="no help"),
        pytest.param({"scheduler_name": "other"}, False, id="another scheduler"),
        pytest.param(
            {"diagnosis": Finding(kind=Kind.TAINT_ADDED, text="x", plugin="TaintToleration")}, False, id="other fault"
        ),
        pytest.param(
            {
                "pod": PodReference(
                    namespace="b", name="y", priority=0, workload=Workload(kind="DaemonSet", name="agent")
                )
            },
            False,
            id="another namespace",
        ),
        pytest.param(
            {"pod": PodReference(namespace="a", name="y", priority=0, workload=Workload(kind="DaemonSet", name="b"))},
            False,
            id="another workload",
        ),
        pytest.param({"held": Hold(kind=Kind.GATED, by="x", text="y", object="z")}, False, id="held back"),
    ],
)
def test_pods_of_a_daemon_set_are_one_where_one_fault_stops_them(
    changed: dict[str, object], together: bool, by_message: bool
) -> None:
    found = groups([agent("x"), agent("y", **changed)], by_message=by_message)
    assert [group.pods for group in found] == ([(0, 1)] if together else [(0,), (1,)])


def test_pods_of_a_deployment_are_told_apart_by_what_is_wrong() -> None:
    replicas = [
        replace(agent(name), pod=replace(agent(name).pod, workload=Workload(kind="Deployment", name="agent")))
        for name in ("x", "y")
    ]
    assert len(groups(replicas, by_message=True)) == 2


AGENT = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: c, image: c, resources: {requests: {cpu: CPU}}}]}
---
"""
NODE = "{kind: Node, apiVersion: v1, metadata: {name: NAME}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}}\n"
FULL = (
    "{kind: Pod, apiVersion: v1, metadata: {name: old-NAME}, spec: {nodeName: NAME, priority: PRIORITY,"
    " containers: [{name: c, image: c, resources: {requests: {cpu: USED}}}]}, status: {phase: Running}}\n"
)
CRITICAL = "2000001000"
EVICTING = (
    "set priorityClassName: system-node-critical (2000001000); the scheduler evicts default/old-n0,"
    " and at least 1 more for the others that wait; no controller makes default/old-n0 again"
)
LESS = "request at most 800m cpu (now 1)"


def of_daemons(directory: Path, cpu: str, priority: str, used: Sequence[str]) -> Report:
    (directory / "agent.yaml").write_text(AGENT.replace("CPU", cpu))
    there = [NODE.replace("NAME", f"n{number}") for number in range(len(used) + 1)]
    there += [
        FULL.replace("NAME", f"n{number}").replace("PRIORITY", priority).replace("USED", each)
        for number, each in enumerate(used)
    ]
    (directory / "cluster.yaml").write_text("---\n".join(there))
    wanted = Wanted(own_pods=True)
    return explain(load_case([str(directory / "agent.yaml")], [str(directory / "cluster.yaml")], wanted))


@pytest.mark.parametrize(
    ("cpu", "priority", "used", "groups_of", "helps"),
    [
        pytest.param("1", CRITICAL, ["3200m", "3100m", "3150m"], [3], [LESS], id="less"),
        pytest.param("1", "0", ["3500m", "3600m"], [2], [EVICTING], id="evicting"),
        # The nodes that have nothing left keep theirs out whatever it asks for.
        pytest.param("1", CRITICAL, ["3200m", "4"], [1, 1], [LESS], id="one that is full"),
    ],
)
def test_daemon_pods_are_one_group_where_one_change_helps_all_of_them(
    cpu: str, priority: str, used: list[str], groups_of: list[int], helps: list[str], tmp_path: Path
) -> None:
    report = of_daemons(tmp_path, cpu, priority, used)
    assert [len(group.pods) for group in report.groups] == groups_of
    first = report.pods[report.groups[0].pods[0]]
    assert [each.text for each in first.remedies][:1] == helps
    serves = first.remedies[0].serves, first.remedies[0].pending
    assert serves == ((3, 3) if groups_of == [2] else (4, 4) if groups_of == [3] else (2, 3))


def test_daemon_pods_that_only_a_last_resort_helps_are_one_group(tmp_path: Path) -> None:
    report = of_daemons(tmp_path, "9", CRITICAL, ["3500m", "3600m", "3700m"])
    assert [len(group.pods) for group in report.groups] == [3, 1]
    assert report.pods[0].last_resorts == ("request at most 300m cpu (now 9)",)
