"""A workload whose pods an API server refuses gets what would help, at its place in the template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.admission.quotas import Excess
from kexplain.api import Wanted, load_case
from kexplain.case.loading import load_contents
from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.diagnosis.never_created import diagnose_workload
from kexplain.diagnosis.records import Kind
from kexplain.objects.apps import Deployment, DeploymentSpec, DeploymentStrategy
from kexplain.objects.changes import Change
from kexplain.objects.core import PodTemplateSpec
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.problem import Problem
from kexplain.remedies.never_created import creating
from kexplain.report.workload_reports import workload_report
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World
from tests.factories import pod
from tests.remedies.situations import claim, deployment, limits, node, obj, of_kind, owned, quota, template
from tests.said import differences, of_remedy_list
from tests.storage_factories import claim as made_claim
from tests.storage_factories import uses


def namespace(level: str) -> list[dict[str, Any]]:
    labels = {"pod-security.kubernetes.io/enforce": level}
    return [obj("v1", "Namespace", "shop", "", meta={"labels": labels})]


def account(name: str) -> list[dict[str, Any]]:
    accounts = [obj("v1", "ServiceAccount", each) for each in {name, "default"}]
    return [obj("v1", "Namespace", "shop", ""), *accounts]


IMPORTANT = obj("scheduling.k8s.io/v1", "PriorityClass", "important", "", value=1000)


def _created(path: Path, *changes: Change) -> int:
    """How many pods of the workload there are once that is done."""
    contents = load_contents([str(path)])

    def edit(cluster: EditedCluster) -> None:
        for each in changes:
            cluster.apply(each)

    (rollout,) = World(ReadObjects(contents)).after([edit]).settled().rollouts
    return rollout.new - rollout.not_created


@pytest.mark.parametrize(
    ("spec", "more", "text", "told"),
    [
        pytest.param(
            {"priorityClassName": "importnt"},
            IMPORTANT,
            "set priorityClassName to important in Deployment web",
            'PriorityClass "importnt" does not exist; did you mean important?',
            id="priority-class",
        ),
        pytest.param(
            {},
            limits(min={"cpu": "2"}),
            "set requests.cpu to 2 in Deployment web",
            "requests.cpu 1 is less than the 2 of cpu that LimitRange limits asks for",
            id="limit-range",
        ),
        pytest.param(
            {},
            limits(max={"cpu": "500m"}),
            "set requests.cpu to 500m in Deployment web",
            "requests.cpu 1 is more than the 500m of cpu that LimitRange limits allows",
            id="twice-too-much",
        ),
        pytest.param(
            {},
            limits(max={"cpu": "500m"}, default={"cpu": "250m"}, defaultRequest={"cpu": "250m"}),
            "set requests.cpu to 250m in Deployment web",
            "requests.cpu 1 is more than the 500m of cpu that LimitRange limits allows",
            id="more-than-a-default-limit-too",
        ),
    ],
)
def test_what_is_refused_is_named_with_its_field(
    tmp_path: Path, spec: dict[str, Any], more: dict[str, Any], text: str, told: str
) -> None:
    path = tmp_path / "cluster.json"
    never_created = [*deployment("web", template("1", **spec), ["", ""])][:2]
    others = [node("n1", "8"), more, *deployment("api", template("3"), ["n1"])]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*never_created, *others]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    assert [each.text for each in creating(own)] == [text]
    ((mended,),) = [each.changes for each in creating(own)]
    assert _created(path, mended) == 2
    diagnosis = diagnose_workload(own)
    assert diagnosis is not None
    assert (diagnosis.kind, diagnosis.text) == (Kind.REFUSED, told)


@pytest.mark.parametrize(
    ("spec", "more", "made"),
    [
        pytest.param({"hostNetwork": True, "hostPID": True}, namespace("baseline"), ["Deployment"], id="security"),
        pytest.param({}, namespace("restricted"), ["Deployment"], id="restricted"),
        pytest.param({"serviceAccountName": "robot"}, account("default"), ["ServiceAccount"], id="no-account"),
        pytest.param({"serviceAccountName": "robto"}, account("robot"), ["Deployment"], id="account"),
        pytest.param({}, quota("q", {"pods": "0"}, {"pods": "0"}), ["ResourceQuota"], id="quota"),
        pytest.param({}, quota("q", {"limits.cpu": "9"}, {}), ["Deployment"], id="quota-of-a-limit"),
        pytest.param({}, quota("q", {"limits.memory": "9"}, {}), [], id="quota-of-what-is-not-said"),
    ],
)
def test_what_would_help_is_a_change(
    tmp_path: Path, spec: dict[str, Any], more: list[dict[str, Any]] | dict[str, Any], made: list[str]
) -> None:
    path = tmp_path / "cluster.json"
    never_created = [*deployment("web", template("1", **spec), ["", ""])][:2]
    more = more if isinstance(more, list) else [more]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1"), *more, *never_created]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    remedy, *_ = creating(own)
    assert [each.target.kind for each in remedy.changes] == made
    assert bool(remedy.commands) == bool(made)


@pytest.mark.parametrize(
    ("owner", "other"),
    [
        ({}, ", or name another one in spec.template.spec.serviceAccountName of Deployment web"),
        (owned("Robots", "all"), " (Robots all, which makes Deployment web, would undo another name there)"),
    ],
)
def test_an_account_of_another_namespace_is_made_here_too(tmp_path: Path, owner: dict[str, Any], other: str) -> None:
    made, *others = [*deployment("web", template("1", serviceAccountName="robot"), ["", ""])][:2]
    made["metadata"] |= owner
    there = [*account("default"), obj("v1", "ServiceAccount", "robot", "elsewhere")]
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1"), *there, made, *others]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    (remedy,) = creating(own)
    like = "create ServiceAccount robot in namespace shop, as in elsewhere, with the roles that it has there"
    assert (remedy.text, [(each.verb, each.target.kind) for each in remedy.changes]) == (
        f"{like}{other}",
        [("create", "ServiceAccount")],
    )
    diagnosis = diagnose_workload(own)
    assert diagnosis is not None
    assert diagnosis.text == 'ServiceAccount "robot" is in namespace elsewhere, not in shop'


@pytest.mark.parametrize(("places", "raised"), [(["n1", ""], True), (["", ""], False)])
def test_no_quota_is_in_the_way_of_a_pod_that_is_not_due(tmp_path: Path, places: list[str], raised: bool) -> None:
    """A set in order makes the next pod only when the one before it is ready."""
    items = [*of_kind("StatefulSet", "db", template("1"), places)][:2]
    if places[0]:
        items[1]["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    path = tmp_path / "cluster.json"
    used = quota("q", {"pods": "1"}, {"pods": "1"})
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1"), used, *items]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    assert [each.action == "raise-quota" for each in creating(own)] == [True] * raised


def test_the_claims_of_the_next_ordinal_count_against_quotas(tmp_path: Path) -> None:
    asked = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    claims = [{"metadata": {"name": "data"}, "spec": asked}]
    objects = list(of_kind("StatefulSet", "db", template("1"), ["n1", ""], volumeClaimTemplates=claims))[:2]
    first = obj("v1", "PersistentVolumeClaim", "data-db-0", spec=asked, status={"phase": "Bound"})
    used = quota("q", {"persistentvolumeclaims": "1"}, {"persistentvolumeclaims": "1"})
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1"), *objects, first, used]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    (remedy,) = creating(own)
    assert remedy.text == "raise persistentvolumeclaims of quota q to 2, for the missing pod"


def test_the_next_ordinal_waits_for_the_one_before(tmp_path: Path) -> None:
    stateful_set, first = [*of_kind("StatefulSet", "db", template("1"), ["n1", ""])][:2]
    first["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1"), stateful_set, first]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    (remedy,) = creating(own)
    assert (remedy.text, remedy.commands) == ("see why db-0 is not ready", ("kubectl describe pod db-0 -n shop",))


def test_the_job_that_a_cron_job_has_made_is_mended_as_well(tmp_path: Path) -> None:
    asking = template("1", priorityClassName="importnt", restartPolicy="Never")
    schedule = {"schedule": "0 0 * * *", "jobTemplate": {"spec": {"template": asking}}}
    cron_job = obj("batch/v1", "CronJob", "web", spec=schedule)
    spec = {"parallelism": 1, "completions": 1, "template": asking}
    jobs = [
        obj("batch/v1", "Job", f"web-{number}", spec=spec, status=status, meta=owned("CronJob", "web", "batch/v1"))
        for number, status in ((29000000, {"conditions": [{"type": "Complete", "status": "True"}]}), (29000001, {}))
    ]
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1"), IMPORTANT, cron_job, *jobs]}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    (remedy,) = creating(own)
    assert [each.target.name for each in remedy.changes] == ["web", "web-29000001"]
    assert [each.recreate for each in remedy.changes] == [False, True]


@pytest.mark.parametrize(("cpu", "serves", "ending"), [("2", 2, ""), ("1500m", 1, "; 1 pod then waits for a node: ")])
def test_what_is_created_then_is_followed_to_its_node(cpu: str, serves: int, ending: str, tmp_path: Path) -> None:
    first, replica_set, *pods = deployment("web", template("1"), ["n1", "", ""])
    used = quota("q", {"pods": "1"}, {"pods": "1"})
    path = tmp_path / "cluster.json"
    replica_set["status"] = {"replicas": 1}
    items = [node("n1", "1"), node("n2", cpu), used, first, replica_set, pods[0]]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    case = load_case([], [str(path)], Wanted(own_pods=True))
    (report,) = (workload_report(own, case) for own in case.workloads)
    (remedy,) = report.remedies
    assert (remedy.serves, remedy.pending) == (serves, 2)
    assert remedy.text.partition(", for the 2 missing pods")[2].startswith(ending)


@pytest.mark.parametrize(
    ("spec", "there"),
    [
        pytest.param({"priorityClassName": "urgent"}, IMPORTANT, id="priority-class"),
        pytest.param(
            {"runtimeClassName": "gvisor"},
            obj("node.k8s.io/v1", "RuntimeClass", "kata", "", handler="kata"),
            id="runtime-class",
        ),
    ],
)
@pytest.mark.parametrize(("cpu", "ending"), [("1", ""), ("8", "; 2 pods then wait for a node: 8 cpu is more than")])
def test_a_class_that_is_not_there_may_not_be_all(
    tmp_path: Path, spec: dict[str, Any], there: dict[str, Any], cpu: str, ending: str
) -> None:
    """What is wrong besides is said; nothing is promised, as people decide which class it is to be."""
    path = tmp_path / "cluster.json"
    first, replica_set, *_ = deployment("web", template(cpu, **spec), ["", ""])
    replica_set["status"] = {"replicas": 0}
    items = [node("n1"), there, first, replica_set]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    case = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True))
    (report,) = (workload_report(own, case) for own in case.workloads)
    (remedy,) = report.remedies
    assert (remedy.changes, remedy.serves, remedy.pending) == ((), None, None)
    assert remedy.text.partition(" does not exist")[2].startswith(ending)
    assert bool(ending) == ("wait for a node" in remedy.text)


@pytest.mark.parametrize("owner", [{}, owned("Operator", "all")])
def test_fields_that_a_quota_wants_are_set_at_once(tmp_path: Path, owner: dict[str, Any]) -> None:
    """What an operator makes is as it was before long: defaults hold for everybody."""
    path = tmp_path / "cluster.json"
    wanting = obj("v1", "ResourceQuota", "team", spec={"hard": {"requests.memory": "8Gi", "limits.cpu": "8"}})
    made, *others = [*deployment("web", template("1"), ["", ""])][:2]
    made["metadata"] |= owner
    items = [node("n1", "8"), wanting, made, *others]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (own,) = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True)).workloads
    of_container = "spec.template.spec.containers[0].resources"
    fields = f"set {of_container}.limits.cpu and {of_container}.requests.memory in Deployment web"
    given = "create a LimitRange in namespace shop with defaults for limits.cpu and requests.memory"
    said = [fields, f"{given}: it holds for every pod, whoever makes it"]
    assert [each.text for each in creating(own)] == (said[::-1] if owner else said)


def test_pods_that_are_only_tried_have_no_names(tmp_path: Path) -> None:
    """Those that are made later have others."""
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    first, replica_set, *_ = deployment("web", template("1", volumes=volumes), ["", ""])
    path = tmp_path / "cluster.json"
    replica_set["status"] = {"replicas": 0}
    nodes = [node("n1"), node("n2")]
    items = [*nodes, quota("q", {"pods": "0"}, {"pods": "0"}), *claim("ReadWriteOncePod"), first, replica_set]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    case = load_case([], [str(path)], Wanted(own_pods=True, may_be_empty=True))
    (report,) = (workload_report(own, case) for own in case.workloads)
    assert report.remedies[0].text.endswith("claim shop/data is ReadWriteOncePod and in use by another of them on n1")


@pytest.mark.parametrize("containers", [None, []])
def test_what_is_refused_at_a_place_that_is_not_there_is_only_told(
    tmp_path: Path, containers: list[dict[str, Any]] | None
) -> None:
    dump = tmp_path / "dump.json"
    made = [*deployment("web", template("1"), [])]
    for each in made:
        each["spec"]["replicas"] = 2
        each["spec"]["template"]["spec"]["containers"] = containers
    items = [node("n1"), quota("team", {"limits.cpu": "4"}, {"limits.cpu": "0"}), *made]
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    case = load_case([], [str(dump)], Wanted(own_pods=True))
    assert [
        change for own in case.workloads for each in workload_report(own, case).remedies for change in each.changes
    ] == []


def missing(*excesses: Excess, number: int = 2, kind: str = "Deployment", **more: Any) -> OwnPods:
    """A workload of which so many pods were never created."""
    return OwnPods(kind, "shop", "web", more.pop("pods", ()), 4, number, excesses=excesses, **more)


def refused(text: str, kind: str = "Deployment", **more: Any) -> OwnPods:
    return missing(kind=kind, complaints=(ControllerMessage(f"{kind} web", text),), **more)


def excess(resource: str, used: int, allowed: int, asked: int = 1, other: str = "", share: int = 0) -> Excess:
    nanos = 10**9
    return Excess("team", resource, allowed * nanos, used * nanos, asked * nanos, (other, share * nanos))


def workload(name: str, replicas: int, strategy: str = "RollingUpdate") -> Deployment:
    spec = DeploymentSpec(replicas=replicas, template=PodTemplateSpec(), strategy=DeploymentStrategy(type=strategy))
    return Deployment(metadata=ObjectMeta(name=name, namespace="shop"), spec=spec)


def claims(*names: str) -> list[KubernetesObject]:
    return [made_claim(name, namespace="shop") for name in names]


CLAIMS = excess("persistentvolumeclaims", 4, 4)
USING = pod("other-0", namespace="shop", volumes=uses("in-use"))
SCOPES = "insufficient quota to match these scopes: [{PriorityClass In [system-node-critical system-cluster-critical]}]"
SURGE_OF = (workload("web", 2),)
TERMINATING = pod("web-0", namespace="shop", node="n1", deleting=True)
NEVER_CREATED: dict[str, tuple[OwnPods, int, list[KubernetesObject]]] = {
    "finished pods count": (missing(excess("count/pods", 4, 4)), 3, []),
    "too few have finished": (missing(excess("count/pods", 4, 4)), 1, []),
    "finished pods, and more": (missing(excess("count/pods", 4, 4), excess("pods", 4, 4)), 3, []),
    "two quotas of one object": (missing(excess("requests.cpu", 8, 8, 2), excess("limits.cpu", 8, 8, 2)), 0, []),
    "an extended resource": (missing(excess("requests.acme.com/gpu", 8, 8), number=1), 0, []),
    "an unused claim": (missing(CLAIMS), 0, [USING, *claims("in-use", "left-over", "data-web-3")]),
    "unused claims": (missing(CLAIMS), 0, [USING, *claims("a", "b", "c", "d", "web-3")]),
    "only its own claims": (missing(CLAIMS), 0, [USING, *claims("in-use", "data-web-3")]),
    "another namespace's claim": (missing(CLAIMS), 0, [made_claim("left-over")]),
    "another gives up some": (
        missing(excess("pods", 8, 8, other="Deployment load", share=6)), 0, [workload("load", 6)]),
    "another of few large pods": (
        missing(excess("requests.cpu", 8, 8, 1, "Deployment load", 6)), 0, [workload("load", 2)]),
    "another gives up all": (
        missing(excess("requests.cpu", 8, 8, 3, "Deployment load", 6), number=1), 0, [workload("load", 1)]),
    "another of half would give up all": (
        missing(excess("requests.cpu", 8, 8, 4, "Deployment load", 4), number=1), 0, [workload("load", 1)]),
    "another that is not there": (missing(excess("pods", 8, 8, other="Job load", share=6)), 0, []),
    "another with too little": (
        missing(excess("requests.cpu", 8, 8, 5, "Deployment load", 4)), 0, [workload("load", 4)]),
    "two others": (
        missing(
            excess("requests.cpu", 8, 8, 1, "Deployment load", 6),
            excess("requests.memory", 8, 8, 1, "Deployment cache", 6)),
        0, [workload("load", 6), workload("cache", 6)]),
    "a moderate cut": (missing(excess("requests.cpu", 5, 8, 2), number=2), 0, []),
    "a large cut": (missing(excess("requests.cpu", 6, 8, 2), number=2), 0, []),
    "a rollout above its number": (
        missing(excess("pods", 3, 3), pods=(pod("web-1"), pod("web-2")), number=1, controllers=SURGE_OF), 0, []),
    "a rollout of all at once": (
        missing(
            excess("pods", 3, 3), pods=(pod("web-1"), pod("web-2")), number=1,
            controllers=(workload("web", 2, "Recreate"),)), 0, []),
    "no rollout": (missing(excess("pods", 3, 3), pods=(pod("web-1"),), number=1, controllers=SURGE_OF), 0, []),
    "a priority class that wants a quota": (refused(SCOPES), 0, []),
    "node agents against Pod Security": (
        refused(
            'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)', "DaemonSet",
            problems=(Problem(("spec", "hostNetwork"), "is not allowed"),)), 0, []),
    "others against Pod Security": (
        refused(
            'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
            problems=(Problem(("spec", "hostNetwork"), "is not allowed"),)), 0, []),
    "two problems": (
        missing(problems=tuple(Problem(("spec", each), "is not allowed") for each in ("hostNetwork", "hostPID"))),
        0, []),
    "a kubelet that cannot stop the one before": (
        missing(stuck=(TERMINATING,), stuck_said="error killing pod"), 0, []),
    "the one before on a lost node": (missing(stuck=(TERMINATING,), stuck_as="unreachable"), 0, []),
}  # fmt: skip


def test_what_lets_pods_be_created(request: pytest.FixtureRequest) -> None:
    said = {
        name: [*of_remedy_list(creating(own, finished, objects))]
        for name, (own, finished, objects) in NEVER_CREATED.items()
    }
    recording = Path(__file__).with_name("said_of_never_created.txt")
    assert differences(recording, said, rewrite=request.config.getoption("--rewrite-golden")) == {}
