from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from kexplain.case import Case, PodToPlace
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.cluster import Cluster
from kexplain.cluster.newcomers import with_fresh_nodes
from kexplain.config.component.default_profile import default_profile
from kexplain.load import Loaded
from kexplain.objects.core import Node, NodeCondition, Pod
from kexplain.render.pages import Prose
from kexplain.render.pages.drain import page, pending_before
from kexplain.render.view import View
from kexplain.report.drain import Draining
from kexplain.report.drain_records import DrainReport
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import DrainOptions
from kexplain.world.draining import Drain
from tests.cli.command import ROOT, kexplain
from tests.factories import cluster, controlled_by, in_, node, node_term, pod, toleration, volume
from tests.remedies import situations
from tests.storage_factories import claim, persistent_volume, uses

INCIDENTS = ROOT / "tests" / "incidents" / "cases"
DEFAULT = Scheduler({"default-scheduler": default_profile()})
WEB, AGENT = controlled_by("ReplicaSet", "web"), controlled_by("DaemonSet", "agent")


def full() -> Cluster:
    """Two nodes, each with a pod that leaves no room for the other's."""
    pods = [pod(f"web-{name}", node=name, cpu="1500m", owner=WEB) for name in ("n1", "n2")]
    agents = [pod(f"agent-{name}", node=name, cpu="100m", owner=AGENT) for name in ("n1", "n2")]
    return cluster([node("n1", cpu="2"), node("n2", cpu="2")], [*pods, *agents])


def roomy() -> Cluster:
    nodes = [node("n1", cpu="2"), node("n2", cpu="2"), node("n3", cpu="4")]
    return cluster(nodes, [pod(f"web-{name}", node=name, cpu="1500m", owner=WEB) for name in ("n1", "n2")])


def case_of(made: Cluster, pending: Sequence[Pod] = ()) -> Case:
    builder = CaseBuilder(Contents(Loaded(), [], DEFAULT))
    return Case(made, tuple(map(PodToPlace, pending)), scheduler=DEFAULT, builder=builder)


def reported(made: Cluster, *, one_by_one: bool = False, surge: int = 0) -> DrainReport:
    return Draining(case_of(made), DrainOptions(), one_by_one, surge).report(["n1", "n2"])


def outcomes(report: DrainReport) -> list[tuple[str, str, str | None]]:
    return [(each.pod.partition("/")[2], each.outcome, each.node) for each in report.pods]


def test_all_at_once() -> None:
    report = reported(roomy())
    assert outcomes(report) == [("web-n1", "Scheduled", "n3"), ("web-n2", "Scheduled", "n3")]
    assert [(step.nodes, step.moved, step.left) for step in report.steps] == [(("n1", "n2"), 2, 0)]
    assert report.stopped_at is None


def test_what_is_left_says_why() -> None:
    report = reported(full())
    assert outcomes(report) == [
        ("agent-n1", "Stays", None),
        ("web-n1", "Unschedulable", None),
        ("agent-n2", "Stays", None),
        ("web-n2", "Unschedulable", None),
    ]
    left = report.pods[1]
    assert (left.is_left, left.from_node) == (True, "n1")
    assert left.message is not None
    assert left.message.startswith("0/2 nodes are available: 2 node(s) were unschedulable.")
    assert [cause.plugin for cause in left.causes] == ["NodeUnschedulable"]


def drained(*nodes: Node) -> list[list[str]]:
    """What would help each pod that n1 leaves without a place beside these nodes."""
    pods = [pod(f"web-{n}", node="n1", cpu="900m", owner=WEB) for n in range(2)]
    made = cluster([node("n1", cpu="2"), *nodes], pods)
    report = Draining(case_of(made)).report(["n1"])
    return [[remedy.text for remedy in each.remedies] for each in report.pods if each.is_left]


def test_what_would_help_does_not_undo_the_drain() -> None:
    """It is sought once for pods with the same wrong with them."""
    spare = node("n3", cpu="2", cordoned=True)
    helped, other = drained(node("n2", cpu="500m"), spare)
    assert helped[0] == "uncordon n3, once the reason for the cordon is known"
    assert not any("uncordon n1" in text for text in helped)
    assert other == []


@pytest.mark.parametrize(("waiting", "needed"), [((), 1), (("1500m",), 2), (("1500m", "1500m"), 3), (("4",), 1)])
def test_as_many_nodes_as_all_take_behind_those_that_wait(waiting: tuple[str, ...], needed: int) -> None:
    """Where one of those that wait fits on no such node, it takes no room."""
    pods = [pod(f"web-{n}", node="n1", cpu="900m", owner=WEB) for n in range(2)]
    pending = [pod(f"late-{n}", cpu=cpu) for n, cpu in enumerate(waiting)]
    heard: list[int] = []
    case = case_of(cluster([node("n1", cpu="2"), node("n2", cpu="500m")], pods), pending)
    report = Draining(case, listener=heard.append).report(["n1"])
    (helped,) = [each for pod in report.pods for each in pod.remedies if each.action == "add-node"]
    assert (len(helped.nodes), len(helped.changes), helped.serves, helped.pending) == (needed, needed, 2, 2)
    assert helped.text.startswith("add one more node like n1" if needed == 1 else f"add {needed} more nodes like n1")
    # Trials of what would help are not heard of.
    assert heard == [2]


def test_fresh_nodes_go_to_those_first_that_wait() -> None:
    late = [pod("late", cpu="1500m")]
    report = Draining(case_of(full(), late), DrainOptions(), True, 1).report(["n1"])
    assert [each for each in outcomes(report) if each[0] == "web-n1"] == [("web-n1", "Unschedulable", None)]
    assert report.pending_before == ("default/late",)
    assert [each.lines for each in pending_before(report.pending_before)] == [
        ["1 pod was already pending: default/late"]
    ]
    assert not pending_before(report.pending_before, report.pending_before)


def test_a_pod_that_belongs_on_the_drained_node_alone_is_told_nothing_that_needs_it_back() -> None:
    texts = drained()[0]
    assert not any(text.startswith("uncordon") for text in texts)


def test_what_helps_one_is_said_to_help_those_of_its_workload() -> None:
    """A pod of another workload that is left, too, does not count."""
    pods = [pod(f"web-{n}", node="n1", cpu="900m", owner=WEB) for n in range(2)]
    pods.append(pod("api", node="n1", cpu="900m", owner=controlled_by("ReplicaSet", "api")))
    nodes = [node("n1", cpu="4"), node("n2", cpu="500m"), node("n3", cpu="4", cordoned=True)]
    report = Draining(case_of(cluster(nodes, pods))).report(["n1"])
    serving = {each.pod: [(way.serves, way.pending) for way in each.remedies][:1] for each in report.pods}
    assert serving == {"default/web-0": [(2, 2)], "default/web-1": [], "default/api": []}


def test_a_pod_that_a_budget_holds_is_helped_by_what_gets_its_siblings_to_run(tmp_path: Path) -> None:
    case = json.loads(gzip.decompress((INCIDENTS / "rollout-crashes-beside-the-old-pods.json.gz").read_bytes()))
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": case["objects"]}))
    node_name = "ip-10-0-1-17.eu-west-1.compute.internal"
    done = kexplain("drain", node_name, "--cluster", str(dump), "-o", "json")
    (blocked,) = [each for each in json.loads(done.stdout)["pods"] if each["outcome"] == "Blocked"]
    assert [each["text"] for each in blocked["remedies"]] == [
        "for api-cf8ldvf2t-7clcg: roll back to revision 11 (kubectl rollout undo), of which 2 pods serve"
    ]


def test_one_by_one_each_node_is_back_for_the_next() -> None:
    nodes = [node("n1", cpu="2"), node("n2", cpu="2"), node("n3", cpu="2")]
    made = cluster(nodes, [pod(f"web-{name}", node=name, cpu="1500m", owner=WEB) for name in ("n1", "n2")])
    report = reported(made, one_by_one=True)
    assert outcomes(report) == [("web-n1", "Scheduled", "n3"), ("web-n2", "Scheduled", "n1")]
    assert [step.nodes for step in report.steps] == [("n1",), ("n2",)]


def test_one_by_one_ends_where_somebody_is_left() -> None:
    report = reported(full(), one_by_one=True)
    assert (report.stopped_at, len(report.steps)) == ("n1", 1)


@pytest.mark.parametrize("surge", [1, 2])
def test_fresh_nodes_stand_in(surge: int) -> None:
    report = reported(full(), surge=surge, one_by_one=True)
    assert report.stopped_at is None
    landed = {each.pod: each.node for each in report.pods if each.outcome == "Scheduled"}
    assert landed == {"default/web-n1": "n1-new-1", "default/web-n2": "n2-new-1"}
    assert [step.added for step in report.steps] == (
        [("n1-new-1",), ("n2-new-1",)] if surge == 1 else [("n1-new-1", "n2-new-1")]
    )


def test_fresh_nodes_have_what_every_node_has() -> None:
    grown, added = with_fresh_nodes(full(), ["n1", "n1"])
    assert added == ["n1-new-1", "n1-new-2"]
    assert [info.pod.name for info in grown.node_info_by_name["n1-new-2"].pods] == ["agent-n1-n1-new-2"]


def test_each_node_alone_leaves_the_others_as_they_are() -> None:
    nodes = [node("n1", cpu="2"), node("n2", cpu="2"), node("n3", cpu="2")]
    pods = [pod("web-n1", node="n1", cpu="1500m", owner=WEB), pod("web-n2", node="n2", cpu="1800m", owner=WEB)]
    pods.append(pod("web-n3", node="n3", cpu="300m", owner=WEB))
    each = {name: [name] for name in ("n1", "n2", "n3")}
    report = Draining(case_of(cluster(nodes, pods))).of_each(each)
    assert report.each
    assert [(step.nodes, step.moved, step.left) for step in report.steps] == [
        (("n1",), 1, 0),
        (("n2",), 0, 1),
        (("n3",), 1, 0),
    ]


EMPTIED = "drain with delete_emptydir_data: then what default/cached keeps in emptyDir volumes is lost"
FORCED = "drain with force: then default/bare is gone, as no controller makes another"


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        (DrainOptions(), [EMPTIED, FORCED]),
        (DrainOptions(force=True), [EMPTIED]),
        (DrainOptions(force=True, delete_emptydir_data=True), []),
    ],
)
def test_flags_that_take_those_along_that_are_refused(options: DrainOptions, texts: list[str]) -> None:
    pods = [pod("cached", node="n1", owner=WEB, volumes=[volume("v", empty_dir=True)]), pod("bare", node="n1")]
    report = Draining(case_of(cluster([node("n1"), node("n2")], pods)), options).report(["n1"])
    assert [remedy.text for each in report.pods for remedy in each.remedies] == texts


def told(path: Path, items: Sequence[situations.Json], *words: str) -> list[str]:
    """The lines of a drain of a dump."""
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    done = kexplain("drain", *words, "--cluster", path, "--width", "200")
    return [" ".join(line.split()) for line in done.stdout.decode().splitlines()]


def preempting() -> list[situations.Json]:
    """Three full nodes; what is on the last one is more important than what is on the others."""
    urgent = situations.template("3", priority=9)
    pods = [*situations.deployment("web", situations.template("3"), ["n1"])]
    pods += situations.deployment("api", situations.template("3500m"), ["n2"])
    return [*(situations.node(f"n{each}") for each in (1, 2, 3)), *pods, *situations.deployment("pay", urgent, ["n3"])]


def test_each_node_has_its_own_reasons_also_where_pods_of_others_are_left(tmp_path: Path) -> None:
    lines = told(tmp_path / "dump.json", preempting(), "--each")
    rows = lines[lines.index("NODE BECAUSE") + 1 :]
    assert [row.partition(": ")[0] for row in rows if row] == [
        "n1 shop/web-1-0",
        "n2 shop/api-1-0",
        "n3 shop/web-1-0, preempted by shop/pay-1-0",
        "ask about one alone for what would help it",
    ]


def test_who_is_preempted_is_said_and_named(tmp_path: Path) -> None:
    lines = told(tmp_path / "dump.json", preempting(), "n3")
    assert lines[0].startswith("✗ draining n3 leaves 1 pod without a place (preempted by shop/pay-1-0)")
    assert "shop/web-1-0 pending, preempted by shop/pay-1-0" in lines
    assert "1 → add one more node like n1: then shop/web-1-0 fits there" in lines


def test_of_several_that_are_left_those_are_counted_that_make_room(tmp_path: Path) -> None:
    lines = told(tmp_path / "dump.json", preempting(), "n2", "n3")
    assert lines[0].startswith("✗ draining n2, n3 leaves 2 pods without a place (1 of them preempted by shop/pay-1-0)")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        pytest.param(("-l", "pool=old"), "add 2 more nodes like m1 first", id="whole-pool"),
        pytest.param(("n1", "n2"), "add 2 more nodes like n1, n2 first", id="part-of-it"),
    ],
)
def test_nodes_are_added_of_a_pool_that_stays(words: tuple[str, ...], text: str, tmp_path: Path) -> None:
    of_pool = {"eks.amazonaws.com/nodegroup": "old", "pool": "old"}
    kept = {"eks.amazonaws.com/nodegroup": "new", "pool": "new"}
    stays = [situations.node("n3", "4", cordoned=False, taint="", **of_pool)] if words[0] == "n1" else []
    nodes = [situations.node(name, "4", cordoned=False, taint="", **of_pool) for name in ("n1", "n2")]
    nodes += [*stays, situations.node("m1", "4", cordoned=False, taint="", **kept)]
    pods = [*situations.deployment("web", situations.template("3"), ["n1", "n2"])]
    pods += situations.deployment("api", situations.template("3"), ["m1", *(["n3"] if stays else [])])
    lines = told(tmp_path / "dump.json", [*nodes, *pods], *words)
    assert f"1 → {text}: then both pods fit" in lines


def test_a_pod_in_whose_place_the_next_template_has_one_is_not_missing(tmp_path: Path) -> None:
    """A rollout that a full quota has held up takes what an evicted pod leaves, and wants that one no more."""
    nodes = [situations.node(name) for name in ("n1", "n2")]
    made, old, *pods = situations.deployment("web", situations.template("1"), ["n1", "n2"])
    newest = {**made["spec"]["template"], "spec": {**made["spec"]["template"]["spec"], "nodeSelector": {}}}
    container = {**newest["spec"]["containers"][0], "image": "main:2"}
    newest = {**newest, "spec": {"containers": [container]}}
    spec = {**old["spec"], "replicas": 1, "template": {**newest, "metadata": old["spec"]["template"]["metadata"]}}
    begun = {**old, "metadata": {**old["metadata"], "name": "web-2", "uid": "web-2"}, "spec": spec}
    full = situations.quota("team", {"requests.cpu": "2"}, {"requests.cpu": "2"})
    items = [*nodes, {**made, "spec": {**made["spec"], "template": newest}}, begun, old, *pods, full]
    lines = told(tmp_path / "dump.json", items, "n1")
    assert lines[0].startswith("✓ n1 can be drained"), lines
    assert "shop/web-1-0 n1 gone Deployment web has all 2 pods that it wants without it" in lines


@pytest.mark.parametrize(("waiting", "helps"), [(0, True), (1, False)])
def test_a_node_is_to_be_repaired_only_if_those_that_wait_leave_room_there(waiting: int, helps: bool) -> None:
    lost = node("n2", cpu="2", taints=["node.kubernetes.io/not-ready:NoSchedule"])
    made = cluster([node("n1", cpu="2"), lost], [pod("web-n1", node="n1", cpu="1500m", owner=WEB)])
    pending = [pod(f"first-{n}", cpu="2") for n in range(waiting)]
    report = Draining(case_of(made, pending)).report(["n1"])
    (drained,) = report.pods
    assert any(each.text.startswith("repair n2") for each in drained.remedies) is helps


@pytest.mark.parametrize(("free", "helps"), [("4", True), ("1", False)])
def test_nodes_that_may_not_start_pods_are_cordoned_first_where_others_have_room(free: str, helps: bool) -> None:
    ailing = node("n9", cpu="8")
    ailing = replace(ailing, status=replace(ailing.status, conditions=(NodeCondition("DiskPressure", "True"),)))
    pods = [pod(f"web-{n}", node="n1", cpu="900m", owner=WEB) for n in range(2)]
    made = cluster([node("n1", cpu="2"), node("n2", cpu=free), ailing], pods)
    report = Draining(case_of(made)).report(["n1"])
    assert {(each.node, each.doubt) for each in report.pods if each.node == "n9"} == {
        ("n9", "which is under disk pressure")
    }
    assert [each.commands for each in report.helps.values()] == ([("kubectl cordon n9",)] if helps else [])


def test_who_tolerates_the_cordon_lands_on_the_drained_node_again() -> None:
    made = cluster([node("n1")], [pod("web", node="n1", owner=WEB, tolerations=[toleration("", operator="Exists")])])
    (found,) = Draining(case_of(made)).report(["n1"]).pods
    assert (found.node, found.doubt) == ("n1", "which is drained itself, as its cordon is tolerated")


@pytest.mark.parametrize("seed", range(12))
def test_no_fewer_nodes_are_enough_than_are_to_be_added(seed: int) -> None:
    draw = Random(seed)  # noqa: S311
    pods = [
        pod(f"web-{n}", node="n1", cpu=f"{draw.randrange(3, 20)}00m", owner=WEB) for n in range(draw.randrange(2, 9))
    ]
    late = [pod(f"late-{n}", cpu=f"{draw.randrange(3, 20)}00m") for n in range(draw.randrange(4))]
    made = cluster([node("n1", cpu="2"), node("n2", cpu="500m")], pods)
    report = Draining(case_of(made, late)).report(["n1"])
    (helped,) = [each for pod in report.pods for each in pod.remedies if each.action == "add-node"]

    def is_enough(count: int) -> bool:
        grown, _ = with_fresh_nodes(made, ["n1"] * count)
        builder = CaseBuilder(Contents(Loaded(), [], DEFAULT))
        step = Drain(builder, DEFAULT, grown, DrainOptions(), pending=late, tries_pending=True).step(["n1"])
        return all(each.decision and each.decision.host for each in step)

    assert [is_enough(len(helped.nodes) - each) for each in (1, 0)] == [False, True]


def test_a_drained_node_is_no_cause_where_the_pod_belongs_on_others_as_well() -> None:
    pods = [pod("web", node="n1", cpu="900m", owner=WEB), pod("other", node="n2", cpu="500m")]
    made = cluster([node("n1", cpu="1"), node("n2", cpu="1")], pods)
    (left,) = Draining(case_of(made)).report(["n1"]).pods
    assert [(cause.plugin, cause.nodes) for cause in left.causes] == [("NodeResourcesFit", ("n2",))]
    assert left.diagnosis is not None
    assert "cordoned" not in f"{left.diagnosis.text} {left.diagnosis.amounts} {left.diagnosis.detail}"


def test_what_another_scheduler_places_is_tried_as_if_it_decided_alike() -> None:
    made = cluster([node("n1"), node("n2")], [pod("job", node="n1", owner=WEB, scheduler_name="volcano")])
    (left,) = Draining(case_of(made)).report(["n1"]).pods
    (helped,) = left.remedies
    assert helped.text == (
        "see where they would go if scheduler volcano decided as this one does: scheduler_name=volcano"
    )


RUNS = """
{apiVersion: v1, kind: List, items: [
  {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", pods: "9"}}},
  {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", pods: "9"}}},
  {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, namespace: shop, uid: w}, spec: {replicas: 1,
    selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: &pod {restartPolicy: %s,
      containers: [{name: c, image: "c:1", resources: {requests: {cpu: "1"}}}]}}}},
  {apiVersion: batch/v1, kind: Job, metadata: {name: web, namespace: shop, uid: w}, spec: {backoffLimit: 0,
    template: {spec: *pod}}},
  {apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop, uid: p, labels: {app: web}, ownerReferences: [
    {apiVersion: v1, kind: %s, name: web, uid: w, controller: true}]}, spec: {nodeName: n1, containers: [
      {name: c, image: "c:1", resources: {requests: {cpu: "1"}}}]}, status: {phase: Running}}]}
---
"""
QUOTA = """{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: shop},
  spec: {hard: {requests.cpu: %s}}, status: {hard: {requests.cpu: %s}, used: {requests.cpu: "1"}}}"""
BUDGET = """---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %s, namespace: shop},
  spec: {minAvailable: 0, selector: {matchLabels: {app: web}}}, status: {disruptionsAllowed: 1}}
"""


@pytest.mark.parametrize(
    ("kind", "further", "helps"),
    [
        pytest.param("ReplicaSet", QUOTA % (1, 1), "", id="what-leaves-frees-its-quota"),
        pytest.param(
            "ReplicaSet",
            QUOTA % ("500m", "500m"),
            "raise requests.cpu of quota q to 1, for the missing pod",
            id="a-quota-that-was-lowered",
        ),
        pytest.param(
            "Job",
            "",
            "raise backoffLimit of Job web to 1 first (now 0), as each evicted pod counts as failed, "
            "or wait until it has finished",
            id="a-job-that-fails",
        ),
        pytest.param(
            "ReplicaSet",
            BUDGET % "a" + BUDGET % "b",
            "keep one of PodDisruptionBudgets shop/a and shop/b for these pods: where several protect a pod, "
            "no eviction of it is let through",
            id="several-budgets",
        ),
    ],
)
def test_what_would_help_a_pod_that_is_not_created_again_or_not_evicted(
    kind: str, further: str, helps: str, tmp_path: Path
) -> None:
    (tmp_path / "dump.yaml").write_text(RUNS % ("Never" if kind == "Job" else "Always", kind) + further)
    done = kexplain("drain", "n1", "--cluster", "dump.yaml", "-o", "json", cwd=tmp_path)
    found = [remedy["text"] for each in json.loads(done.stdout)["pods"] for remedy in each["remedies"]]
    assert found == ([helps] if helps else [])


def test_a_volume_in_a_zone_that_is_drained_is_nowhere_else() -> None:
    """Although another node is out of service, where the pod might have gone otherwise."""
    zone = "topology.kubernetes.io/zone"
    lost = ["node.kubernetes.io/unreachable:NoSchedule"]
    nodes = [
        node("n1", labels={zone: "a"}),
        node("n2", labels={zone: "b"}),
        node("n3", labels={zone: "c"}, taints=lost),
    ]
    db = pod("db-0", node="n1", owner=controlled_by("StatefulSet", "db"), volumes=uses("data"))
    stored = persistent_volume("v", reserved="data", reach=[node_term(in_(zone, "a"))])
    made = cluster(nodes, [db], claim("data", volume="v"), stored)
    report = Draining(case_of(made)).report(["n1"])
    (left,) = report.pods
    assert left.diagnosis is not None
    assert left.diagnosis.text == "n1 is drained then, and its volume is nowhere else"


def spread_over_zones(tmp_path: Path, *words: str) -> list[str]:
    """The drain of nodes of two zones over which a workload spreads; n2 is the only one of its zone."""
    zones = {"n1": "a", "n2": "b", "n3": "a"}
    nodes = [
        situations.node(name, "4", cordoned=False, taint="", **{"topology.kubernetes.io/zone": zone})
        for name, zone in zones.items()
    ]
    template = situations.template("1")
    spread = {
        "topologyKey": "topology.kubernetes.io/zone", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": template["metadata"]["labels"]},
    }  # fmt: skip
    template["spec"]["topologySpreadConstraints"] = [spread]
    pods = situations.deployment("web", template, ["n1", "n2", "n1", "n2"])
    return told(tmp_path / "dump.json", [*nodes, *pods], *words)


def test_a_fresh_node_comes_before_what_others_would_have_to_edit(tmp_path: Path) -> None:
    lines = spread_over_zones(tmp_path, "n2")
    assert lines[lines.index("WHAT WOULD HELP") + 1] == "1 → add one more node like n2 first: then both pods fit"


def test_one_by_one_the_flag_that_brings_fresh_nodes_is_named(tmp_path: Path) -> None:
    lines = spread_over_zones(tmp_path, "n1", "n2", "--one-by-one")
    assert lines[lines.index("WHAT WOULD HELP") + 1].startswith(
        "1 → add one more node like n2 first, as --surge 1 does"
    )
    assert "ONE BY ONE, WHERE IT STOPS FIRST" in lines


def test_what_a_drain_leaves_aside_is_said_in_one_line() -> None:
    kept = [pod("agent", node="n1", owner=AGENT), pod("proxy", node="n1", mirror=True)]
    report = Draining(case_of(cluster([node("n1"), node("n2")], kept))).report(["n1"])
    last = page(report, View()).parts[-1]
    assert isinstance(last, Prose)
    assert last.lines == ["kubectl drain ignores 1 DaemonSet pod and leaves 1 static pod"]
    assert sorted(each.outcome for each in report.pods) == ["Stays", "Stays"]
