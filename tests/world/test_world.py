"""How far workloads get, as their controllers and the scheduler take them: each figure is one of upstream's rules."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import explain
from kexplain.case import Inputs, Wanted, load_case
from kexplain.case.case_builder import Contents
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.load import load
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.report.capacity import Filling
from kexplain.world.edit_options import applying, edit_of
from kexplain.world.members import Rollout
from kexplain.world.replicas import claims_of_replicas
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World
from tests.lint.linting import linted

Json = dict[str, Any]


def _nodes(count: int, cpu: str = "4") -> list[Json]:
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"n{number}", "uid": f"n{number}", "labels": {"kubernetes.io/hostname": f"n{number}"}},
            "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "110"}},
        }
        for number in range(count)
    ]


def _workload(kind: str = "Deployment", cpu: str = "1", name: str = "web", **spec: Any) -> Json:
    pod = spec.pop("pod", {})
    containers = [{"name": "c", "image": "c:1", "resources": {"requests": {"cpu": cpu}}}]
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": containers, **pod}}
    version = "batch/v1" if kind == "Job" else "apps/v1"
    selector = {} if kind == "Job" else {"selector": {"matchLabels": {"app": name}}}
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {**selector, "template": template, **spec},
    }


def _read(objects: list[Json]) -> list[KubernetesObject]:
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    return [*load(["-"], stdin=io.BytesIO(dump.encode())).objects]


def _followed(cluster: list[Json], *steps: Json | tuple[str, str]) -> Followed:
    """The cluster after manifests or changes, each followed to its end before the next: so that pods run."""
    objects = _read(cluster)
    for number, step in enumerate(steps):
        loaded = load(["-"], stdin=io.BytesIO(b'{"apiVersion":"v1","kind":"List","items":[]}'))
        contents = Contents(loaded, objects, build_scheduler(), "shop")
        edit = edit_of(*step) if isinstance(step, tuple) else applying(_read([step]))
        followed = World(ReadObjects(contents)).after([edit]).settled()
        if number == len(steps) - 1:
            return followed
    raise AssertionError("no step")


def _owned(
    deployment: Json,
    nodes: list[str],
    revision: str = "1",
    size: int | None = None,
    *,
    label: str = "pod-template-hash",
) -> list[Json]:
    """A replica set of the deployment as it stands, with a pod on each of these nodes, and the deployment itself."""
    name, spec = deployment["metadata"]["name"], deployment["spec"]
    stored = {**deployment, "metadata": {**deployment["metadata"], "uid": name}}
    labels = {**spec["template"]["metadata"]["labels"], label: revision}
    template = {**spec["template"], "metadata": {"labels": labels}}
    above = {"apiVersion": deployment["apiVersion"], "kind": deployment["kind"]}
    owner = [{**above, "name": name, "uid": name, "controller": True}]
    replica_set = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": f"{name}-{revision}",
            "namespace": "shop",
            "uid": f"rs{revision}",
            "ownerReferences": owner,
        },
        "spec": {"replicas": len(nodes) if size is None else size, "template": template, "selector": spec["selector"]},
    }
    by = [
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": f"{name}-{revision}",
            "uid": f"rs{revision}",
            "controller": True,
        }
    ]
    return [
        stored,
        replica_set,
        *(_pod(f"{name}-{revision}-{i}", node, labels, by, template) for i, node in enumerate(nodes)),
    ]


def _pod(name: str, node: str, labels: Json, owner: list[Json], template: Json) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": name, "labels": labels, "ownerReferences": owner},
        "spec": {**template["spec"], "nodeName": node, "schedulerName": "default-scheduler", "priority": 0},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def _of_set(kind: str, workload: Json, slots: list[tuple[str, str]]) -> list[Json]:
    """A stateful or daemon set as it stands, with these pods on these nodes."""
    name = workload["metadata"]["name"]
    by = [{"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}]
    stored = {**workload, "metadata": {**workload["metadata"], "uid": name}}
    return [stored, *(_pod(pod, node, {"app": name}, by, workload["spec"]["template"]) for pod, node in slots)]


def _rollout(followed: Followed, kind: str) -> Rollout:
    (found,) = (each for each in followed.rollouts if each.kind == kind)
    return found


def _figures(rollout: Rollout) -> tuple[bool, int, int, int, int]:
    return rollout.complete, rollout.new, rollout.old, rollout.pending, rollout.not_created


def _quota(**hard: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": "shop"},
        "spec": {"hard": {name.replace("_", "."): value for name, value in hard.items()}},
    }


BIGGER = ("set", "{} spec.template.spec.containers[0].resources.requests.cpu=2")


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        pytest.param({"type": "Recreate"}, (True, 2, 0, 0, 0), id="all go first"),
        pytest.param({"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}, (True, 2, 0, 0, 0), id="one goes first"),
        pytest.param({"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}, (False, 0, 2, 1, 0), id="no room beside"),
        pytest.param(
            {"rollingUpdate": {"maxSurge": "100%", "maxUnavailable": 0}}, (False, 0, 2, 2, 0), id="twice as many"
        ),
    ],
)
def test_a_template_changes(strategy: Json, expected: tuple[bool, int, int, int, int]) -> None:
    web = _workload(replicas=2, strategy=strategy, cpu="1500m")
    found = _followed([*_nodes(2, "2"), *_owned(web, ["n0", "n1"])], (BIGGER[0], BIGGER[1].format("deploy/web")))
    assert _figures(_rollout(found, "Deployment")) == expected


def test_nothing_happens_to_what_has_not_changed() -> None:
    web = _workload(replicas=2, cpu="2")
    found = _followed([*_nodes(2, "2"), *_owned(web, ["n0", "n1"])], web)
    assert _figures(_rollout(found, "Deployment")) == (True, 2, 0, 0, 0)
    assert not found.settled.attempts


def test_a_paused_deployment_keeps_its_pods() -> None:
    web = _workload(replicas=2, paused=True)
    found = _followed([*_nodes(2), *_owned(web, ["n0", "n1"])], (BIGGER[0], BIGGER[1].format("deploy/web")))
    rollout = _rollout(found, "Deployment")
    assert (_figures(rollout), rollout.kept_old_by) == ((False, 0, 2, 0, 0), "paused")


def test_a_paused_deployment_makes_no_first_pod() -> None:
    rollout = _rollout(_followed(_nodes(2), _workload(replicas=2, paused=True)), "Deployment")
    assert (_figures(rollout), rollout.kept_old_by) == ((False, 0, 0, 0, 0), "paused")


def test_a_quota_leaves_no_room_for_the_surge() -> None:
    web = _workload(replicas=2, strategy={"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}})
    found = _followed(
        [*_nodes(2), _quota(pods="2"), *_owned(web, ["n0", "n1"])], (BIGGER[0], BIGGER[1].format("deploy/web"))
    )
    rollout = _rollout(found, "Deployment")
    assert _figures(rollout) == (False, 0, 2, 0, 1)
    assert str(rollout.refusals[0]) == "ResourceQuota team allows 2 of pods: 2 is used, and this asks for 1"


@pytest.mark.parametrize(
    ("quota", "created"),
    [
        (_quota(pods="3"), 3),
        (_quota(requests_cpu="2500m"), 2),
        (_quota(limits_cpu="1"), 0),
        ({**_quota(pods="1"), "spec": {"hard": {"pods": "1"}, "scopes": ["BestEffort"]}}, 4),
    ],
)
def test_quotas_are_counted_as_pods_come(quota: Json, created: int) -> None:
    rollout = _rollout(_followed([*_nodes(1, "9"), quota], _workload(replicas=4)), "Deployment")
    assert (rollout.placed, rollout.not_created) == (created, 4 - created)


@pytest.mark.parametrize(
    ("policy", "expected"), [("OrderedReady", (False, 1, 0, 1, 2)), ("Parallel", (False, 1, 0, 3, 0))]
)
def test_a_stateful_set_makes_its_pods_in_order_or_at_once(
    policy: str, expected: tuple[bool, int, int, int, int]
) -> None:
    db = _workload("StatefulSet", "3", "db", replicas=4, podManagementPolicy=policy, serviceName="db")
    assert _figures(_rollout(_followed(_nodes(1), db), "StatefulSet")) == expected


@pytest.mark.parametrize(
    ("strategy", "expected", "kept"),
    [
        ({"type": "OnDelete"}, (False, 0, 3, 0, 0), "OnDelete"),
        ({"rollingUpdate": {"partition": 2}}, (False, 1, 2, 0, 0), "partition"),
        ({}, (True, 3, 0, 0, 0), ""),
    ],
)
def test_a_stateful_set_replaces_its_pods_from_the_last_one_on(
    strategy: Json, expected: tuple[bool, int, int, int, int], kept: str
) -> None:
    db = _workload("StatefulSet", "1", "db", replicas=3, updateStrategy=strategy)
    there = _of_set("StatefulSet", db, [("db-0", "n0"), ("db-1", "n1"), ("db-2", "n2")])
    rollout = _rollout(_followed([*_nodes(3), *there], (BIGGER[0], BIGGER[1].format("sts/db"))), "StatefulSet")
    assert (_figures(rollout), rollout.kept_old_by) == (expected, kept)


@pytest.mark.parametrize(
    ("rolling", "expected"),
    [
        pytest.param({"maxUnavailable": 1}, (True, 2, 0, 0, 0), id="one goes first"),
        pytest.param({"maxSurge": 1, "maxUnavailable": 0}, (False, 0, 2, 1, 0), id="no room beside"),
    ],
)
def test_a_daemon_set_changes(rolling: Json, expected: tuple[bool, int, int, int, int]) -> None:
    strategy = {"type": "RollingUpdate", "rollingUpdate": rolling}
    agent = _workload("DaemonSet", "1500m", "agent", updateStrategy=strategy)
    there = _of_set("DaemonSet", agent, [("agent-a", "n0"), ("agent-b", "n1")])
    rollout = _rollout(_followed([*_nodes(2, "2"), *there], (BIGGER[0], BIGGER[1].format("ds/agent"))), "DaemonSet")
    assert _figures(rollout) == expected


@pytest.mark.parametrize(
    ("ready", "expected"), [("True", (False, 1, 1, 0, 0)), ("False", (True, 1, 0, 0, 0))], ids=["serves", "does not"]
)
def test_a_daemon_pod_where_no_new_one_goes_stays_while_it_serves(
    ready: str, expected: tuple[bool, int, int, int, int]
) -> None:
    """Its node has a taint by now that keeps new pods away; new ones come beside old ones."""
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    agent = _workload("DaemonSet", "1", "agent", updateStrategy=strategy)
    *there, last = _of_set("DaemonSet", agent, [("agent-a", "n0"), ("agent-b", "n1")])
    last["status"]["conditions"][0]["status"] = ready
    free, kept = _nodes(2)
    kept["spec"] = {"taints": [{"key": "kept", "effect": "NoSchedule"}]}
    found = _followed([free, kept, *there, last], (BIGGER[0], BIGGER[1].format("ds/agent")))
    assert _figures(_rollout(found, "DaemonSet")) == expected


@pytest.mark.parametrize(
    ("kind", "count", "expected"),
    [
        ("Deployment", 3, (True, 3, 0, 0, 0)),
        ("Deployment", 0, (True, 0, 0, 0, 0)),
        ("StatefulSet", 3, (True, 3, 0, 0, 0)),
        ("StatefulSet", 0, (True, 0, 0, 0, 0)),
        ("ReplicaSet", 0, (True, 0, 0, 0, 0)),
        ("Job", 3, (True, 3, 0, 0, 0)),
        ("Job", 0, (True, 0, 0, 0, 0)),
    ],
)
def test_workloads_are_scaled(kind: str, count: int, expected: tuple[bool, int, int, int, int]) -> None:
    size: Json = {"parallelism": 1} if kind == "Job" else {"replicas": 1}
    web = _workload(kind, **size)
    stored = {**web, "metadata": {**web["metadata"], "uid": "web"}}
    found = _followed([*_nodes(1), stored], ("scale", f"{kind}/web={count}"))
    assert _figures(_rollout(found, kind)) == expected


@pytest.mark.parametrize(
    ("spec", "placed"),
    [({"parallelism": 3, "completions": 2}, 2), ({"parallelism": 3}, 3), ({"parallelism": 3, "suspend": True}, 0)],
)
def test_jobs(spec: Json, placed: int) -> None:
    assert _rollout(_followed(_nodes(1), _workload("Job", **spec)), "Job").placed == placed


def test_a_claim_that_binds_at_once_is_made_and_bound_before_its_pod_is_tried() -> None:
    disk = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "disk"},
        "provisioner": "csi.example",
    }
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "1Gi"}}}
    db = _workload(
        "StatefulSet", "1", "db", replicas=2, volumeClaimTemplates=[{"metadata": {"name": "data"}, "spec": spec}]
    )
    assert _figures(_rollout(_followed([*_nodes(1), disk], db), "StatefulSet")) == (True, 2, 0, 0, 0)
    none = {**disk, "provisioner": "kubernetes.io/no-provisioner"}
    assert _figures(_rollout(_followed([*_nodes(1), none], db), "StatefulSet")) == (False, 0, 0, 1, 1)


def test_whoever_is_evicted_comes_back_and_waits() -> None:
    low = _workload(replicas=2, cpu="1", name="low")
    high = _workload(replicas=1, cpu="2", name="high", pod={"priorityClassName": "high"})
    value = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 9}
    found = _followed([*_nodes(1, "2"), value, *_owned(low, ["n0", "n0"])], high)
    by_name = {each.name: _figures(each) for each in found.rollouts}
    assert by_name == {"high": (True, 1, 0, 0, 0), "low": (False, 0, 0, 2, 0)}


def test_an_update_that_no_api_server_takes_changes_nothing() -> None:
    db = _workload("StatefulSet", "1", "db", replicas=1)
    other = {**db, "spec": {**db["spec"], "podManagementPolicy": "Parallel"}}
    found = _followed([*_nodes(1), *_of_set("StatefulSet", db, [("db-0", "n0")])], other)
    ((_, refused),) = found.refused
    assert str(refused).startswith("spec.podManagementPolicy is OrderedReady, and is immutable")
    assert not found.settled.attempts


def test_a_namespace_enforces_a_standard() -> None:
    labels = {"pod-security.kubernetes.io/enforce": "baseline"}
    shop = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": labels}}
    rollout = _rollout(_followed([*_nodes(1), shop], _workload(replicas=1, pod={"hostNetwork": True})), "Deployment")
    assert _figures(rollout) == (False, 0, 0, 0, 1)


@pytest.mark.parametrize("room", ["3", "6"])
def test_every_command_counts_the_same(room: str, tmp_path: Path) -> None:
    """How many pods of 4 have a place: 3 or all by quota, and never more than the node has room for."""
    web, cluster = _workload(replicas=4), [*_nodes(1, "3500m" if room == "6" else "9"), _quota(pods=room)]
    manifest, state = tmp_path / "web.yaml", tmp_path / "state.json"
    manifest.write_text(json.dumps(web))
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": cluster}))
    explained = explain(load_case([str(manifest)], [str(state)], Wanted(replicas=4)), seeks_help=False)
    case = load_case([str(manifest)], [str(state)])
    filling = Filling(case.scheduler.without_post_filter(), case.cluster, 4, builder=case.builder)
    (capacity,) = filling.each([placed.pod for placed in case.pods])
    applied = _rollout(_followed(cluster, web), "Deployment").placed
    none = {**web, "spec": {**web["spec"], "replicas": 0}, "metadata": {**web["metadata"], "uid": "web"}}
    scaled = _rollout(_followed([*cluster, none], ("scale", "deploy/web=4")), "Deployment").placed
    found = linted(manifest.read_text(), state.read_text())
    assert sum(pod.choice is not None for pod in explained.pods) == capacity.fits == applied == scaled == 3
    assert [each.severity for each in found.findings if each.rule in ("refused", "does-not-fit")] == ["error"]


def test_a_stateful_set_that_evicts_nobody_is_no_pod_of_another_policy(tmp_path: Path) -> None:
    manifest, state = tmp_path / "db.yaml", tmp_path / "state.json"
    manifest.write_text(json.dumps(_workload("StatefulSet", "1", "db", replicas=2)))
    some_class = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 9,
    }
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*_nodes(1), some_class]}))
    case = load_case([str(manifest)], [str(state)])
    makers = tuple(placed.made_of for placed in case.pods)
    filling = Filling(case.scheduler.without_post_filter(), case.cluster, makers=makers, builder=case.builder)
    (found,) = filling.each([placed.pod for placed in case.pods])
    assert found.fits == 4


def test_a_stateful_set_counts_on_from_its_next_ordinal(tmp_path: Path) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "1Gi"}}}
    claims = [{"metadata": {"name": "data"}, "spec": spec}]
    disk = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "disk"}}
    db = _workload("StatefulSet", "1", "db", replicas=2, volumeClaimTemplates=claims)
    there = _of_set("StatefulSet", db, [("db-0", "n0"), ("db-1", "n0")])
    state = tmp_path / "state.json"
    items = [*_nodes(1), {**disk, "provisioner": "csi.example"}, *there]
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    case = load_case(["sts/db"], Inputs([str(state)], namespace="shop"))
    (placed,) = case.pods
    assert placed.running is not None
    cluster = case.cluster.assume(placed.running, "n0")
    (found,) = Filling(
        case.scheduler.without_post_filter(), cluster, claims=claims_of_replicas(case.pods, cluster)
    ).each([placed.pod])
    assert found.fits == 2
    first = replace(placed.pod, metadata=replace(placed.pod.metadata, name="db-0-0"))
    assert claims_of_replicas(case.pods, cluster)(first, 0)[0].name == "db-2"


def test_a_replica_set_without_a_template_is_left_alone() -> None:
    deployment = _workload(replicas=2)
    owned = _owned(deployment, ["n1"])
    for each in owned:
        if each["kind"] == "ReplicaSet":
            del each["spec"]["template"]
    followed = _followed([*_nodes(2), deployment, *owned], _workload(replicas=2, cpu="2"))
    assert _rollout(followed, "Deployment").placed >= 1


@pytest.mark.parametrize(
    ("policy", "claim", "fits"),
    [
        pytest.param("Parallel", "data-db-0", 2, id="others find a place"),
        pytest.param("OrderedReady", "data-db-0", 0, id="others wait for it"),
        pytest.param("Parallel", "data-web-0", 2, id="the claim of another set"),
        pytest.param("OrderedReady", "data-db-1", 1, id="the second finds a claim"),
        pytest.param("Parallel", "data-db-1", 2, id="the third finds none"),
    ],
)
def test_one_that_finds_its_claim_may_have_to_go_elsewhere(policy: str, claim: str, fits: int, tmp_path: Path) -> None:
    """The volume is on a node without room, and the other one takes two."""
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "1Gi"}}}
    bound = {"pv.kubernetes.io/bind-completed": "yes"}
    on_n0 = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["n0"]}]}
    volume = {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "1Gi"},
        "storageClassName": "disk",
        "claimRef": {"namespace": "shop", "name": claim, "uid": claim},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [on_n0]}},
    }
    items = [
        *_nodes(1, "1"),
        _nodes(2, "4")[1],
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "disk", "uid": "disk"},
         "provisioner": "csi.example", "volumeBindingMode": "WaitForFirstConsumer"},
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": {**spec, "volumeName": "pv"},
         "metadata": {"name": claim, "namespace": "shop", "uid": claim, "annotations": bound},
         "status": {"phase": "Bound"}},
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv", "uid": "pv"}, "spec": volume,
         "status": {"phase": "Bound"}},
    ]  # fmt: skip
    claims = [{"metadata": {"name": "data"}, "spec": spec}]
    db = _workload("StatefulSet", "2", "db", replicas=1, podManagementPolicy=policy, volumeClaimTemplates=claims)
    manifest, state = tmp_path / "db.yaml", tmp_path / "state.json"
    manifest.write_text(json.dumps(db))
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    case = load_case([str(manifest)], [str(state)])
    filling = Filling(
        case.scheduler.without_post_filter(), case.cluster, 5, makers=(case.pods[0].made_of,), builder=case.builder
    )
    (found,) = filling.each([placed.pod for placed in case.pods])
    assert found.fits == fits


def test_a_partition_keeps_nothing_of_a_set_that_is_new() -> None:
    partition = {"type": "RollingUpdate", "rollingUpdate": {"partition": 3}}
    db = _workload("StatefulSet", "1", "db", replicas=2, updateStrategy=partition)
    assert _figures(_rollout(_followed(_nodes(1), db), "StatefulSet")) == (True, 2, 0, 0, 0)


def test_a_job_is_applied_once_more_as_it_is() -> None:
    job = _workload("Job", parallelism=2, completions=4)
    stored = json.loads(json.dumps(job))
    stored["metadata"]["uid"] = "job"
    stored["spec"]["template"]["metadata"]["labels"] |= {"batch.kubernetes.io/job-name": "web", "controller-uid": "job"}
    more = {**job, "spec": {**job["spec"], "parallelism": 3}}
    followed = _followed([*_nodes(1), stored], more)
    assert not followed.refused
    assert _rollout(followed, "Job").placed == 3


def test_a_refused_class_does_not_hide_a_quota() -> None:
    priority = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "gold", "uid": "gold"},
        "value": 1,
    }
    web = _workload(replicas=1, pod={"priorityClassName": "golden"})
    rollout = _rollout(_followed([*_nodes(1), _quota(pods="0"), priority], web), "Deployment")
    assert [problem.path[-1] for refused in rollout.refusals for problem in refused.problems] == [
        "priorityClassName",
        "spec",
    ]


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        # Four pods of one CPU stand on two nodes of four, and four of two CPUs are wanted.
        pytest.param({"canary": {}}, (True, 4, 0, 0, 0), id="canary"),
        pytest.param({"canary": {"steps": [{"setWeight": 20}, {"pause": {}}]}}, (True, 4, 0, 0, 0), id="with steps"),
        pytest.param({"canary": {"maxSurge": 0, "maxUnavailable": 4}}, (True, 4, 0, 0, 0), id="all at once"),
        pytest.param({"canary": {"trafficRouting": {"istio": {}}}}, (False, 2, 4, 2, 0), id="with traffic steered"),
        pytest.param({"blueGreen": {"activeService": "web"}}, (False, 2, 4, 2, 0), id="blue and green"),
    ],
)
def test_rollouts_of_argo(strategy: Json, expected: tuple[bool, int, int, int, int]) -> None:
    web = {**_workload(replicas=4, strategy=strategy), "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"}
    there = _owned(web, ["n0", "n0", "n1", "n1"], label="rollouts-pod-template-hash")
    followed = _followed([*_nodes(2), *there], (BIGGER[0], BIGGER[1].format("ro/web")))
    assert _figures(_rollout(followed, "Rollout")) == expected


def test_a_rollout_of_argo_borrows_its_template_from_a_deployment(tmp_path: Path) -> None:
    lender, here = _workload(replicas=0), {"name": "borrower", "namespace": "shop"}
    spec = {"replicas": 3, "workloadRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}
    rollout = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": here, "spec": spec}
    manifest, state = tmp_path / "web.json", tmp_path / "state.json"
    manifest.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [rollout, lender]}))
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": _nodes(1, "2500m")}))
    report = explain(load_case([str(manifest)], [str(state)], Wanted(replicas=3)), seeks_help=False)
    of_rollout = [each for each in report.pods if each.pod.name.startswith("borrower-")]
    assert [each.choice is not None for each in of_rollout] == [True, True, False]
    found = linted(manifest.read_text(), state.read_text()).findings
    assert [each.object for each in found if each.rule == "does-not-fit"] == ["Rollout shop/borrower"]


def test_what_goes_back_to_an_earlier_template_keeps_the_pods_that_are_left_of_it() -> None:
    newer, older = _workload("StatefulSet", "1", "db", replicas=2), _workload("StatefulSet", "2", "db", replicas=2)
    there = _of_set("StatefulSet", newer, [("db-0", "n0"), ("db-1", "n1")])
    there[0]["status"] = {"updateRevision": "2", "currentRevision": "1"}
    for pod, revision, cpu in ((there[1], "1", "2"), (there[2], "2", "1")):
        pod["metadata"]["labels"] = {"app": "db", "controller-revision-hash": revision}
        pod["spec"] = {**pod["spec"], "containers": [{**_only(pod), "resources": {"requests": {"cpu": cpu}}}]}
    followed = _followed([*_nodes(2), *there], older)
    assert _figures(_rollout(followed, "StatefulSet")) == (True, 2, 0, 0, 0)
    assert [attempt.decision.pod.name for attempt in followed.settled.attempts] == ["db-1"]


def _only(pod: Json) -> Json:
    (container,) = pod["spec"]["containers"]
    found: Json = container
    return found


# ----------------------------------------------------------------------------- what controllers do of their own accord


def _lacking(**status: Any) -> list[Json]:
    """A deployment whose replica set wants two pods, of which one was read; its status says what else is known."""
    owned = _owned(_workload(replicas=2), ["n0"], size=2)
    owned[1]["status"] = {"replicas": 1, **status}
    return owned


_FAILURE = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate"}
_BY_POLICY = "pods \"web-1-\" is forbidden: ValidatingAdmissionPolicy 'team' with binding 'team' denied request: no"
_QUOTA: Json = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "few", "namespace": "shop", "uid": "q"},
    "spec": {"hard": {"pods": "1"}},
    "status": {"hard": {"pods": "1"}, "used": {"pods": "1"}},
}


def _raised(pods: int) -> Json:
    return {**_QUOTA, "spec": {"hard": {"pods": str(pods)}}}


def test_a_raised_quota_lets_what_is_missing_be_made() -> None:
    followed = _followed([*_nodes(2), _QUOTA, *_lacking()], _raised(2))
    assert _figures(_rollout(followed, "Deployment")) == (True, 2, 0, 0, 0)


def test_a_quota_that_is_still_too_low_changes_nothing_that_is_worth_a_word() -> None:
    assert _followed([*_nodes(2), _QUOTA, *_lacking()], _raised(1)).rollouts == ()


def test_of_pods_that_were_not_read_none_is_missing() -> None:
    assert _followed([*_nodes(2), *_lacking(replicas=2)], ("cordon", "n1")).rollouts == ()


def test_what_a_policy_refused_is_refused_once_more() -> None:
    failing = [{**_FAILURE, "message": _BY_POLICY}]
    followed = _followed([*_nodes(2), *_lacking(conditions=failing)], ("scale", "deploy/web=3"))
    found = _rollout(followed, "Deployment")
    assert (_figures(found), [*map(str, found.refusals)]) == ((False, 1, 0, 0, 2), [_BY_POLICY])


@pytest.mark.parametrize(("label", "is_asked"), [("owner", False), ("tier", True)])
def test_a_template_that_has_changed_in_what_a_policy_names_is_not_refused_once_more(
    label: str, *, is_asked: bool
) -> None:
    failing = [{**_FAILURE, "message": "denied the request: pods must have a valid `owner` label"}]
    change = ("set", f"deploy/web spec.template.metadata.labels.{label}=shop")
    followed = _followed([*_nodes(2), *_lacking(conditions=failing)], change)
    assert bool(_rollout(followed, "Deployment").refusals) == is_asked
    said = "what refuses pods of Deployment web is not asked again, now that it has changed"
    assert (said in followed.notes) != is_asked


def test_what_a_quota_refused_is_for_the_quota_to_say() -> None:
    failing = [{**_FAILURE, "message": "pods is forbidden: exceeded quota: few"}]
    followed = _followed([*_nodes(2), _QUOTA, *_lacking(conditions=failing)], _raised(2))
    assert _figures(_rollout(followed, "Deployment")) == (True, 2, 0, 0, 0)


_NOT_CALLED = (
    'failed calling webhook "check.acme.io": failed to call webhook: Post "https://check.policy.svc:443": refused'
)
_DENIED = 'admission webhook "check.acme.io" denied the request: no'


def _webhooks(*policies: str, **more: Any) -> Json:
    """A configuration of webhooks, each with its failurePolicy, that are answered by Service policy/check."""
    rules = [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}]
    asked = {"rules": rules, "clientConfig": {"service": {"name": "check", "namespace": "policy"}}, **more}
    named = zip(("check.acme.io", "other.acme.io"), policies, strict=False)
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "acme"},
        "webhooks": [{"name": name, "failurePolicy": policy, **asked} for name, policy in named],
    }


def _service(app: str) -> Json:
    metadata = {"name": "check", "namespace": "policy"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": {"app": app}}}


def _answering(app: str) -> Json:
    metadata = {"name": app, "namespace": "policy", "uid": app, "labels": {"app": app}}
    spec = {"nodeName": "n1", "containers": [{"name": "c", "image": "c:1"}]}
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


_ELSEWHERE = {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["shop"]}]}
_TARGET = {
    "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "name": "acme",
}  # fmt: skip


@pytest.mark.parametrize(
    ("message", "step", "lets_in"),
    [
        pytest.param(_NOT_CALLED, _webhooks("Ignore", "Ignore"), True, id="not-needed"),
        pytest.param(_NOT_CALLED, _webhooks("Fail", "Ignore"), False, id="still-needed"),
        pytest.param(_NOT_CALLED, _webhooks("Ignore", "Fail"), None, id="the-next-one-refuses"),
        pytest.param(_NOT_CALLED, _webhooks("Fail", "Fail", namespaceSelector=_ELSEWHERE), True, id="elsewhere"),
        pytest.param(_NOT_CALLED, _webhooks(), True, id="none-left"),
        pytest.param(_NOT_CALLED, [{"target": _TARGET, "verb": "delete"}], True, id="deleted"),
        pytest.param(_NOT_CALLED, _service("there"), True, id="answered"),
        pytest.param(_NOT_CALLED, _service("nowhere"), False, id="not-answered"),
        pytest.param(_DENIED, _webhooks("Ignore", "Ignore"), False, id="refuses"),
        pytest.param(_DENIED, _service("there"), False, id="refuses-what-it-is-asked"),
        pytest.param(_DENIED, _webhooks("Fail", "Fail", namespaceSelector=_ELSEWHERE), True, id="is-not-asked"),
    ],
)
def test_pods_that_a_webhook_kept_out_are_made_once_nothing_refuses_them(
    message: str, step: Json | list[Json], lets_in: bool | None, tmp_path: Path
) -> None:
    failing = [{**_FAILURE, "message": message}]
    known = [_webhooks("Fail", "Fail"), _service("gone"), _answering("there")]
    steps: Json | tuple[str, str] = ("changes", str(tmp_path / "c.json")) if isinstance(step, list) else step
    (tmp_path / "c.json").write_text(json.dumps(step), encoding="utf-8")
    followed = _followed([*_nodes(2), *known, *_lacking(conditions=failing)], steps)
    made = [(True, 2, 0, 0, 0)] if lets_in else [(False, 1, 0, 0, 1)] if lets_in is None else []
    assert [_figures(each) for each in followed.rollouts if each.kind == "Deployment"] == made


def _daemons(there: int) -> list[Json]:
    agent = _of_set("DaemonSet", _workload("DaemonSet", name="agent"), [("agent-0", "n0")])
    agent[0]["status"] = {"currentNumberScheduled": there, "desiredNumberScheduled": there}
    return agent


@pytest.mark.parametrize(
    ("step", "placed"),
    [
        pytest.param(_nodes(2)[1], 2, id="a new node"),
        pytest.param(("taint", "n0 spare=yes:NoSchedule"), None, id="a node that keeps its pod"),
        pytest.param(("scale", "deploy/web=2"), None, id="no node"),
    ],
)
def test_a_daemon_set_has_a_pod_on_a_new_node(step: Json | tuple[str, str], placed: int | None) -> None:
    followed = _followed([*_nodes(1), *_owned(_workload(replicas=1), ["n0"]), *_daemons(1)], step)
    assert [each.placed for each in followed.rollouts if each.kind == "DaemonSet"] == ([placed] if placed else [])


def test_a_daemon_set_of_which_pods_were_not_read_is_left_alone() -> None:
    assert _followed([*_nodes(1), *_daemons(2)], _nodes(2)[1]).rollouts == ()


def _dying(policy: str) -> list[Json]:
    """A stateful set whose second pod is being deleted on a node that nobody answers for, and the nodes."""
    db = _of_set("StatefulSet", _workload("StatefulSet", name="db", replicas=2, podManagementPolicy=policy), [])
    by = [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}]
    pods = [_pod(f"db-{n}", f"n{n}", {"app": "db"}, by, db[0]["spec"]["template"]) for n in range(2)]
    pods[1]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    nodes = _nodes(3)
    nodes[1]["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    return [*nodes, *db, *pods]


@pytest.mark.parametrize(("policy", "made"), [("OrderedReady", []), ("Parallel", ["db-2"])])
def test_nothing_comes_in_place_of_a_pod_that_nobody_stops(policy: str, made: list[str]) -> None:
    followed = _followed(_dying(policy), ("scale", "sts/db=3"))
    assert [attempt.decision.pod.name for attempt in followed.settled.attempts] == made
    assert _rollout(followed, "StatefulSet").not_created == 2 - len(made)


def test_a_pod_that_a_kubelet_stops_is_as_good_as_gone() -> None:
    cluster = _dying("OrderedReady")
    del cluster[1]["status"]["conditions"]
    followed = _followed(cluster, ("scale", "sts/db=3"))
    assert [attempt.decision.pod.name for attempt in followed.settled.attempts] == ["db-1", "db-2"]


def test_of_templates_that_look_alike_the_last_revision_counts() -> None:
    web = _workload(replicas=2)
    older, newer = _owned(web, ["n0"], "1"), _owned(web, ["n1"], "2")
    for owned, number in ((older, "1"), (newer, "2")):
        owned[1]["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": number}
    followed = _followed([*_nodes(2), *older, *newer[1:]], ("delete_pods", "pod-template-hash=1"))
    assert followed.settled.waiting == ()
    assert {pod.labels["pod-template-hash"] for pod in followed.cluster.pods} == {"2"}


def test_a_note_on_a_template_makes_new_pods() -> None:
    web = _workload(replicas=1)
    noted = _workload(replicas=1)
    noted["spec"]["template"]["metadata"]["annotations"] = {"checksum/config": "2"}
    followed = _followed([*_nodes(1), *_owned(web, ["n0"])], noted)
    assert [attempt.decision.pod.namespace for attempt in followed.settled.attempts] == ["shop"]


def test_a_manifest_takes_no_note_off_a_template() -> None:
    web, owned = _workload(replicas=1), _owned(_workload(replicas=1), ["n0"])
    for each in owned[:2]:
        notes = {"annotations": {"kubectl.kubernetes.io/restartedAt": "then"}}
        each["spec"]["template"] = {**each["spec"]["template"]}
        each["spec"]["template"]["metadata"] = {**each["spec"]["template"]["metadata"], **notes}
    assert not _followed([*_nodes(1), *owned], web).settled.attempts


def test_what_comes_next_starts_from_the_sizes_that_replica_sets_have_at_the_end() -> None:
    followed = _followed(_nodes(2) + _owned(_workload(replicas=3), ["n0", "n0", "n1"]), _workload(cpu="2", replicas=3))
    contents = followed.builder_at_the_end.contents.objects
    sizes = {each.name: each.spec.replicas for each in contents if isinstance(each, ReplicaSet)}
    noted = {each.metadata.annotations for each in contents if isinstance(each, ReplicaSet)}
    assert sizes.pop("web-1") == 0
    assert [*sizes.values()] == [3]
    assert {(each.desired_replicas, each.max_replicas) for each in noted if each} == {("3", "4")}
    pods = [each for each in contents if isinstance(each, Pod)]
    assert {each.spec.node_name for each in pods} == {"n0", "n1"}
    assert {each.metadata.controller.name for each in pods if each.metadata.controller} == {*sizes}


def test_on_a_new_node_pods_of_daemon_sets_come_first() -> None:
    """It is tainted until it is ready, which they tolerate."""
    agents = _of_set("DaemonSet", _workload("DaemonSet", name="agent"), [("agent-0", "n0")])
    agents[0]["status"] = {"currentNumberScheduled": 1, "desiredNumberScheduled": 1, "numberMisscheduled": 0}
    waiting = _pod("waiting", "", {}, [], _workload(cpu="4")["spec"]["template"])
    old, new = _nodes(2)
    followed = _followed([old, *agents, waiting], new)
    assert [each.pod.name for each in followed.settled.waiting] == ["waiting"]
    assert {*followed.settled.placed.values()} == {"n1"}


def test_who_was_refused_before_waits_longer_than_who_takes_a_pod_away() -> None:
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": "shop"},
        "spec": {"hard": {"pods": "2"}},
        "status": {"hard": {"pods": "2"}, "used": {"pods": "2"}},
    }
    refused = _owned(_workload(replicas=2, name="a"), ["n0"], size=2)
    in_place = {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
    rolling = _workload(replicas=1, name="b", strategy=in_place)
    changed = _workload(replicas=1, name="b", cpu="2", strategy=in_place)
    followed = _followed([*_nodes(2), quota, *refused, *_owned(rolling, ["n0"], revision="2")], changed)
    assert {each.name: (each.placed, each.not_created) for each in followed.rollouts} == {"b": (1, 0)}
