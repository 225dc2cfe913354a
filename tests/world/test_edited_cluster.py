"""What comes of a change is what comes of an input that was edited by hand, and taking the change back undoes it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kexplain.case.case_builder import Contents
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import InputError, UsageError
from kexplain.load import load
from kexplain.load.text.source import Source
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.changes import JSON_PATCH, Change, Target
from kexplain.world.changes import changes_of
from kexplain.world.edit_options import edit_of
from kexplain.world.edited_cluster import Edit, EditedCluster
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World

Json = dict[str, Any]
Objects = list[Json]
Edited = Callable[[Objects], Objects]


def _metadata(name: str, **further: Any) -> Json:
    return {"name": name, "namespace": "shop", "uid": name, **further}


def _node(name: str, cpu: str, **labels: str) -> Json:
    allocatable = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    metadata = {"name": name, "uid": name, "labels": {"kubernetes.io/hostname": name, **labels}}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata,
        "spec": {},
        "status": {"allocatable": allocatable},
    }


def _pod(name: str, cpu: str, node: str = "", owner: str = "", **spec: Any) -> Json:
    kind, _, controller = owner.partition("/")
    reference = {"apiVersion": "apps/v1", "kind": kind, "name": controller, "uid": controller, "controller": True}
    containers = [{"name": "main", "image": "main", "resources": {"requests": {"cpu": cpu}}}]
    made = {"schedulerName": "default-scheduler", "priority": 0, "containers": containers, **spec}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": _metadata(
            name, labels={"app": controller or name}, **({"ownerReferences": [reference]} if owner else {})
        ),
        "spec": made | ({"nodeName": node} if node else {}),
        "status": {"phase": "Running" if node else "Pending"},
    }


WEB = {
    "apiVersion": "apps/v1",
    "kind": "ReplicaSet",
    "metadata": _metadata("web"),
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "main", "image": "main", "resources": {"requests": {"cpu": "1"}}}]},
        },
    },
}
CLUSTER: Objects = [
    _node("n1", "3", agentpool="a"),
    _node("n2", "2", agentpool="b"),
    _pod("web-1", "1", "n1", "ReplicaSet/web"),
    _pod("web-2", "1", "n2", "ReplicaSet/web"),
    _pod("agent-n1", "100m", "n1", "DaemonSet/agent"),
    _pod("probe", "1500m"),
    _pod("picky", "100m", nodeSelector={"disk": "ssd"}),
    WEB,
]


def contents(objects: Objects) -> Contents:
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    loaded = load(["-"], stdin=io.BytesIO(dump.encode()))
    return Contents(loaded, loaded.objects, build_scheduler(), "shop")


def verdicts(followed: Followed) -> dict[str, tuple[str, str, str]]:
    """Outcome, message and node of every pod that is placed, by its name."""
    decisions = followed.last_decisions.values()
    return {each.pod.name: (each.outcome.value, each.message, each.host) for each in decisions}


def after(objects: Objects, *changes: tuple[str, str]) -> Followed:
    read = contents(objects)
    return World(ReadObjects(read)).after([edit_of(option, value) for option, value in changes]).settled()


def copied(objects: Objects) -> Objects:
    found: Objects = json.loads(json.dumps(objects))
    return found


def named(objects: Objects, name: str) -> Json:
    return next(each for each in objects if each["metadata"]["name"] == name)


def changing(name: str, change: Callable[[Json], object]) -> Edited:
    def edited(objects: Objects) -> Objects:
        change(named(objects, name))
        return objects

    return edited


def _cordon(node: Json) -> None:
    node["spec"] = {
        "unschedulable": True,
        "taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}],
    }


def _pending(name: str, old: str) -> Edited:
    """The objects with a pod in the queue's end that takes after another."""

    def edited(objects: Objects) -> Objects:
        model = named(objects, old)
        pod = copied([model])[0]
        pod["metadata"]["name"] = pod["metadata"]["uid"] = name
        pod["spec"].pop("nodeName", None)
        pod["status"] = {"phase": "Pending"}
        return [*objects, pod]

    return edited


def without(*names: str) -> Edited:
    return lambda objects: [each for each in objects if each["metadata"]["name"] not in names]


def both(*edits: Edited) -> Edited:
    def edited(objects: Objects) -> Objects:
        for each in edits:
            objects = each(objects)
        return objects

    return edited


def adding(*added: Json) -> Edited:
    return lambda objects: [*objects, *added]


def moved(name: str) -> Edited:
    """A pod that was placed is in the queue's end."""

    def edited(objects: Objects) -> Objects:
        return [*without(name)(objects), _pending(name, name)(objects)[-1]]

    return edited


@pytest.mark.parametrize(
    ("change", "by_hand", "back"),
    [
        pytest.param(
            ("add_node", "like:n1"),
            adding(_node("n1-new-1", "3", agentpool="a"), _pod("agent", "100m", "n1-new-1", "DaemonSet/agent")),
            ("remove_node", "n1-new-1"),
            id="node like another",
        ),
        pytest.param(
            ("add_node", "2=pool:b"),
            adding(_node("n2-new-1", "2", agentpool="b"), _node("n2-new-2", "2", agentpool="b")),
            None,
            id="nodes of a pool",
        ),
        pytest.param(("remove_node", "n2"), both(without("n2"), moved("web-2")), None, id="node gone"),
        pytest.param(("cordon", "n2"), changing("n2", _cordon), ("uncordon", "n2"), id="cordon"),
        pytest.param(
            ("taint", "n1 dedicated=x:NoSchedule"),
            changing(
                "n1", lambda n: n["spec"].update(taints=[{"key": "dedicated", "value": "x", "effect": "NoSchedule"}])
            ),
            ("taint", "n1 dedicated-"),
            id="taint",
        ),
        pytest.param(
            ("taint", "n2 gone:NoExecute"),
            both(
                changing("n2", lambda n: n["spec"].update(taints=[{"key": "gone", "effect": "NoExecute"}])),
                moved("web-2"),
            ),
            None,
            id="taint that turns pods out",
        ),
        pytest.param(
            ("label", "n2 disk=ssd"),
            changing("n2", lambda n: n["metadata"]["labels"].update(disk="ssd")),
            ("label", "n2 disk-"),
            id="label",
        ),
        pytest.param(
            ("scale", "replicaset/web=4"),
            both(
                _pending("web-new-1", "web-1"),
                _pending("web-new-2", "web-1"),
                changing("web", lambda w: w["spec"].update(replicas=4)),
            ),
            None,
            id="scale up",
        ),
        pytest.param(("scale", "rs/web=1"), without("web-1"), None, id="scale down"),
        pytest.param(("scale", "rs/web=0"), without("web-1", "web-2"), None, id="scale to nothing"),
        pytest.param(("delete_pods", "app=web"), both(moved("web-1"), moved("web-2")), None, id="delete pods"),
        pytest.param(("delete_pods", "app=probe"), without("probe"), None, id="delete a pod of nobody"),
        pytest.param(
            ("set", "pod/probe spec.containers[0].resources.requests.cpu=2500m"),
            changing("probe", lambda p: p["spec"]["containers"][0]["resources"]["requests"].update(cpu="2500m")),
            ("set", "pod/probe spec.containers[0].resources.requests.cpu=1500m"),
            id="set a field of a pending pod",
        ),
        pytest.param(
            ("set", "pod/probe spec.nodeSelector.answer=y"),
            changing("probe", lambda p: p["spec"].update(nodeSelector={"answer": "y"})),
            None,
            id="set a text that means something else in YAML",
        ),
        pytest.param(
            ("set", "node/n1 metadata.labels['example.com/pool']=a"),
            changing("n1", lambda n: n["metadata"].setdefault("labels", {}).update({"example.com/pool": "a"})),
            None,
            id="set what has dots in its key",
        ),
        pytest.param(
            ("set", "node/n1 status.allocatable.cpu=2"),
            changing("n1", lambda n: n["status"]["allocatable"].update(cpu="2")),
            ("set", "node/n1 status.allocatable.cpu=3"),
            id="set a field of a node",
        ),
        pytest.param(
            ("set", "pod/picky spec.nodeSelector={agentpool: a}"),
            changing("picky", lambda p: p["spec"].update(nodeSelector={"agentpool": "a"})),
            ("set", "pod/picky spec.nodeSelector={disk: ssd}"),
            id="set an object",
        ),
    ],
)
def test_each_kind_of_change_both_ways(change: tuple[str, str], by_hand: Edited, back: tuple[str, str] | None) -> None:
    edited = by_hand(copied(CLUSTER))
    expected = verdicts(after(edited))
    found = after(CLUSTER, change)
    assert verdicts(found) == expected
    assert _running(found) == _running(after(edited)) or change[0] == "add_node"
    if back is not None:
        original = verdicts(after(CLUSTER))
        assert expected != original
        assert verdicts(after(CLUSTER, change, back)) == original
        assert verdicts(after(edited, back)) == original


def _running(followed: Followed) -> set[tuple[str, str]]:
    return {(info.pod.name, node_info.name) for node_info in followed.cluster.node_infos for info in node_info.pods}


@pytest.mark.parametrize(
    ("manifest", "by_hand"),
    [
        pytest.param(_pod("new", "200m"), adding(_pod("new", "200m")), id="new pod"),
        pytest.param(_node("n3", "4"), adding(_node("n3", "4")), id="new node"),
        pytest.param(
            _pod("probe", "1"), changing("probe", lambda p: p.update(_pod("probe", "1"))), id="changed pending pod"
        ),
        pytest.param(
            {**WEB, "spec": {**WEB["spec"], "replicas": 3}},  # type: ignore[dict-item]
            _pending("web-new-1", "web-1"),
            id="workload with another number",
        ),
    ],
)
def test_manifests_are_applied(manifest: Json, by_hand: Edited, tmp_path: Path) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(yaml.safe_dump(manifest), encoding="utf-8")
    expected = verdicts(after(by_hand(copied(CLUSTER))))
    assert verdicts(after(CLUSTER, ("apply", str(file)))) == expected


@pytest.mark.parametrize(
    ("spec", "said"), [({"replica": 3}, "spec.replica: there is no such field"), ({"replicas": -1}, "spec.replicas")]
)
def test_manifests_that_an_api_server_refuses_are_not_applied(spec: Json, said: str, tmp_path: Path) -> None:
    file = tmp_path / "manifest.yaml"
    metadata = {"name": "web", "namespace": "shop"}
    made = {**WEB, "metadata": metadata, "spec": {**WEB["spec"], **spec}}  # type: ignore[dict-item]
    file.write_text(yaml.safe_dump(made), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        after(CLUSTER, ("apply", str(file)))


ADVISED = b"namespace,workload,container,cpu,memory\nshop,replicaset/web,main,500m,\n"
PATCHED = {"op": "replace", "path": "/spec/replicas", "value": 1}
TARGET = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "namespace": "shop", "name": "web"}
CHANGES = [{"verb": "patch", "patchType": "application/json-patch+json", "target": TARGET, "patch": [PATCHED]}]


@pytest.mark.parametrize(
    ("option", "text", "replicas", "cpu"),
    [
        pytest.param("requests", ADVISED, 2, "500m", id="requests"),
        pytest.param("changes", json.dumps(CHANGES).encode(), 1, "1", id="changes"),
    ],
)
def test_what_is_asked_for_may_come_by_stdin(option: str, text: bytes, replicas: int, cpu: str) -> None:
    edited = EditedCluster(ReadObjects(contents(CLUSTER)))
    edit_of(option, "-", io.BytesIO(text))(edited)
    found = edited.find("ReplicaSet", "shop", "web")
    assert isinstance(found, ReplicaSet)
    template = found.spec.template
    (only,) = (template and template.spec.containers) or ()
    assert (found.spec.replicas, only.resources and only.resources.requests) == (replicas, {"cpu": cpu})


def test_a_changed_template_has_all_pods_of_a_deployment_made_again() -> None:
    deployment = {**WEB, "kind": "Deployment", "spec": {**WEB["spec"], "strategy": {"type": "Recreate"}}}  # type: ignore[dict-item]
    there = [*[each for each in copied(CLUSTER) if each["kind"] != "Pod"][:-1], deployment]
    by_set = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "controller": True}
    owned = copied([named(CLUSTER, "web")])[0]
    owned["metadata"] = {**owned["metadata"], "name": "web-5b6", "ownerReferences": [by_set]}
    pods = [_pod(f"web-5b6-{node}", "1", node, "ReplicaSet/web-5b6") for node in ("n1", "n2")]
    cpu = ("set", "deploy/web spec.template.spec.containers[0].resources.requests.cpu=500m")
    found = after([*there[:-1], deployment, owned, *pods], cpu)
    (rollout,) = found.rollouts
    assert (rollout.complete, rollout.new, rollout.old) == (True, 2, 0)
    assert not {name for name, _ in _running(found)} & {"web-5b6-n1", "web-5b6-n2"}


def test_a_changed_template_leaves_the_pods_of_a_replica_set_alone() -> None:
    found = after(CLUSTER, ("set", "rs/web spec.template.spec.containers[0].resources.requests.cpu=500m"))
    assert {name for name, _ in _running(found)} >= {"web-1", "web-2"}


def test_a_cron_job_that_changes_leaves_its_jobs_alone() -> None:
    template = {"template": {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "99"}}}]}}}
    name = "nightly-29000000"
    made_by = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "nightly", "controller": True}
    metadata = {"name": name, "uid": "j1", "ownerReferences": [made_by]}
    run = _pod(f"{name}-x", "99")
    run["metadata"]["ownerReferences"] = [{**made_by, "kind": "Job", "name": name}]
    there = [
        *copied(CLUSTER),
        {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "nightly"},
         "spec": {"jobTemplate": {"spec": template}}},
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": template},
        run,
    ]  # fmt: skip
    path = "template.spec.containers[0].resources.requests.cpu=100m"
    of_cron_job, of_job = ("set", f"cj/nightly spec.jobTemplate.spec.{path}"), ("set", f"job/{name} spec.{path}")
    assert verdicts(after(there, of_cron_job)) == verdicts(after(there))
    assert [str(refused) for _, refused in after(there, of_job).refused] == [
        "spec.template is immutable: delete it and create it again"
    ]


def test_changes_of_remedies(tmp_path: Path) -> None:
    target = {"apiVersion": "v1", "kind": "Pod", "namespace": "shop", "name": "picky"}
    node = {"kind": "Node", "name": "n2"}
    changes: list[Json] = [
        {
            "target": target,
            "verb": "patch",
            "patchType": "application/merge-patch+json",
            "patch": {"spec": {"nodeSelector": None}},
        },
        {
            "target": node,
            "verb": "patch",
            "patchType": "application/json-patch+json",
            "patch": [{"op": "replace", "path": "/status/allocatable/cpu", "value": "4"}],
        },
        {"target": {**target, "name": "probe"}, "verb": "delete"},
        {"target": {"kind": "Pod", "name": "more"}, "verb": "create", "object": _pod("more", "2")},
    ]
    file = tmp_path / "changes.json"
    by_hand = both(
        changing("picky", lambda p: p["spec"].pop("nodeSelector")),
        changing("n2", lambda n: n["status"]["allocatable"].update(cpu="4")),
        without("probe"),
        adding(_pod("more", "2")),
    )
    expected = verdicts(after(by_hand(copied(CLUSTER))))
    report = {"kind": "Report", "pods": [{"remedies": [{"text": "advice"}, {"changes": changes}, {"changes": []}]}, {}]}
    for document in (changes, report):
        file.write_text(json.dumps(document), encoding="utf-8")
        assert verdicts(after(CLUSTER, ("changes", str(file)))) == expected


@pytest.mark.parametrize(("serves", "kept"), [(2, ["a"]), (1, ["a", "b"]), (None, ["a", "b"])])
def test_what_serves_all_pods_of_a_workload_is_all_that_is_done_for_it(
    tmp_path: Path, serves: int | None, kept: list[str]
) -> None:
    def advised(name: str, workload: str) -> Json:
        change = {"target": {"kind": "Node", "name": name}, "verb": "delete"}
        of = {"namespace": "shop", "workload": {"kind": "Deployment", "name": workload}}
        return {"pod": of, "remedies": [{"changes": [change], "serves": serves, "pending": 2}]}

    file = tmp_path / "report.json"
    file.write_text(json.dumps({"pods": [advised("a", "web"), advised("b", "web"), advised("c", "api")]}))
    assert [each.target.name for each, _ in changes_of(Source("report", str(file)))] == [*kept, "c"]


def test_claims_that_were_made_for_a_pod_are_made_for_the_one_in_its_place(tmp_path: Path) -> None:
    """Neither its workload nor the template of the claim was read."""
    reference = {"name": "gpu", "resourceClaimTemplateName": "unread"}
    pod = _pod("lone", "9", owner="ReplicaSet/unread", resourceClaims=[reference])
    pod["status"]["resourceClaimStatuses"] = [{"name": "gpu", "resourceClaimName": "lone-gpu"}]
    made_for = [{"apiVersion": "v1", "kind": "Pod", "name": "lone", "uid": "lone", "controller": True}]
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}
    version = "resource.k8s.io/v1"
    claim = {
        "apiVersion": version,
        "kind": "ResourceClaim",
        "metadata": _metadata("lone-gpu", ownerReferences=made_for),
        "spec": {"devices": {"requests": [request]}},
    }
    device_class = {"apiVersion": version, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}
    pool = {"name": "n1", "generation": 1, "resourceSliceCount": 1}
    devices = {"driver": "gpu.example.com", "nodeName": "n1", "pool": pool, "devices": [{"name": "gpu-0"}]}
    device_slice = {"apiVersion": version, "kind": "ResourceSlice", "metadata": {"name": "n1-gpu"}, "spec": devices}
    path = "/spec/template/spec/containers/0/resources/requests/cpu"
    change = {
        "target": {"apiVersion": "apps/v1", "kind": "ReplicaSet", "namespace": "shop", "name": "unread"},
        "verb": "patch",
        "patchType": "application/json-patch+json",
        "patch": [{"op": "add", "path": path, "value": "100m"}],
    }
    file = tmp_path / "changes.json"
    file.write_text(json.dumps([change]), encoding="utf-8")
    found = verdicts(after([_node("n1", "3"), pod, claim, device_class, device_slice], ("changes", str(file))))
    assert [outcome for outcome, *_ in found.values()] == ["Scheduled"]


def test_what_was_applied_can_be_changed(tmp_path: Path) -> None:
    pod, workload = tmp_path / "pod.yaml", tmp_path / "workload.yaml"
    pod.write_text(yaml.safe_dump(_pod("new", "9")), encoding="utf-8")
    other = {**WEB, "metadata": {"name": "other"}}
    workload.write_text(yaml.safe_dump(other), encoding="utf-8")
    smaller = ("set", "pod/new spec.containers[0].resources.requests.cpu=100m")
    expected = verdicts(after([*copied(CLUSTER), _pod("new", "100m")]))
    assert verdicts(after(CLUSTER, ("apply", str(pod)), smaller)) == expected
    requests = ("set", "rs/other spec.template.spec.containers[0].resources.requests.cpu=9")
    found = verdicts(after(CLUSTER, ("apply", str(workload)), requests))
    assert [outcome for name, (outcome, _, _) in found.items() if name.startswith("other")] == ["Unschedulable"] * 2


def test_changes_are_made_in_their_order() -> None:
    assert verdicts(after(CLUSTER, ("cordon", "n1"), ("uncordon", "n1"))) == verdicts(after(CLUSTER))
    assert verdicts(after(CLUSTER, ("uncordon", "n1"), ("cordon", "n1"))) == verdicts(after(CLUSTER, ("cordon", "n1")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("remove_node", "n11"), "there is no node n11"),
        (("add_node", "like:n9"), "there is no node n9"),
        (("add_node", "pool:c"), "there is no pool c"),
        (("taint", "n1 x"), '"x" is not a taint'),
        (("taint", "n1 x=y:Never"), "is not a taint"),
        (("taint", "n1 x-"), "node n1 has no taint x"),
        (("taint", "n1 x:NoExecute-"), "node n1 has no taint x:NoExecute"),
        (("label", "n1 x"), '"x" is not a label'),
        (("label", "n1 x-"), "node n1 has no label x"),
        (("scale", "rs/web"), "does not say how many"),
        (("scale", "rs/other=2"), "there is no ReplicaSet other"),
        (("scale", "web=2"), "names no object"),
        (("delete_pods", "app=none"), "no pod has the labels app=none"),
        (("delete_pods", "app in"), "expected"),
        (("set", "pod/probe spec.priority"), "sets nothing"),
        (("set", "pod/other spec.priority=1"), "there is no pod/other to change"),
        (("set", "thing/other spec.priority=1"), '"thing" is not a kind that scheduling reads'),
        (("set", "pod/probe spec.priority=high"), "spec.priority"),
        (("set", "pod/probe spec.containers[4].image=x"), "cannot be applied"),
        (("set", "pod/probe spec.nodeselector.disk=ssd"), "no field spec.nodeselector"),
        (("set", "pod/probe spec.containers[0].resources.request.cpu=1"), "spec.containers[0].resources.request "),
        (("changes", "nowhere.json"), "nowhere.json: no such file"),
        (("taint", "n1"), '"n1" says no taint'),
        (("taint", "a=b:NoSchedule"), "names nothing to change"),
        (("label", "n1"), '"n1" says no label'),
        (("label", "n1 agentpol-"), "node n1 has no label agentpol"),
        (("set", "pod/probe"), '"pod/probe" says no field'),
        (("set", "pod/probe spec.nodeSelector.disk[0]=x"), "expected a string, found an object"),
        (("scale", "pod/probe=2"), "has no number of replicas"),
        (("scale", "rs/web=2147483648"), "at most 2147483647 pods at a time"),
        (("scale", "rs/web=1000000000000001"), "at most 2147483647 pods at a time"),
        (("scale", "rs/wbe=2"), "there is no ReplicaSet wbe"),
        (("add_node", "99999999=like:n1"), "nodes at a time"),
        (("resize", "probe=cpu"), "is not a resize"),
        (("taints", "n1 x=y:NoSchedule"), "there is no change 'taints'"),
        (("grow", "n1"), "there is no change 'grow'"),
    ],
)
def test_what_cannot_be_done(change: tuple[str, str], message: str) -> None:
    with pytest.raises((UsageError, InputError)) as raised:
        after(CLUSTER, change)
    assert message in str(raised.value)


def _scaler(least: int, most: int) -> Json:
    spec = {"scaleTargetRef": {"kind": "ReplicaSet", "name": "web"}, "minReplicas": least, "maxReplicas": most}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": _metadata("a"), "spec": spec}


def _with(changed: str, edit: Callable[[Json], object]) -> Objects:
    objects = copied(CLUSTER)
    edit(named(objects, changed))
    return objects


STARTS, UNREADY = "node.cilium.io/agent-not-ready", "node.kubernetes.io/not-ready"
TAINTED = {"taints": [{"key": key, "effect": "NoSchedule"} for key in (STARTS, UNREADY, "mine")]}
NOT_READY = {"status": {"allocatable": {"cpu": "3"}, "conditions": [{"type": "Ready", "status": "False"}]}}


@pytest.mark.parametrize(
    ("objects", "change", "notes"),
    [
        pytest.param(
            [*CLUSTER, _scaler(1, 3)], ("scale", "rs/web=5"),
            ["HorizontalPodAutoscaler a scales replicaset/web back to 3"], id="above what an autoscaler allows"),
        pytest.param(
            [*CLUSTER, _scaler(2, 3)], ("scale", "rs/web=1"),
            ["HorizontalPodAutoscaler a scales replicaset/web back to 2"], id="below it"),
        pytest.param(
            [*CLUSTER, _scaler(1, 3)], ("scale", "rs/web=3"),
            ["HorizontalPodAutoscaler a sets the replicas of replicaset/web, from 1 to 3, and may undo this"],
            id="as many as it allows"),
        pytest.param([*CLUSTER, _scaler(1, 3)], ("scale", "rs/web=0"), [], id="none leaves it alone"),
        pytest.param(
            [*CLUSTER, _scaler(1, 1)], ("set", "hpa/a spec.minReplicas=1"),
            ["HorizontalPodAutoscaler a scales ReplicaSet web to 1"], id="an autoscaler that is changed"),
        pytest.param([*CLUSTER, _scaler(1, 9)], ("set", "hpa/a spec.minReplicas=2"), [], id="to what there is"),
        pytest.param(
            _with("n1", lambda node: node.update(NOT_READY, spec=TAINTED)), ("taint", f"n1 {UNREADY}-"),
            [f"taint {UNREADY} comes back, as node n1 is still not ready"], id="a taint that comes back"),
        pytest.param(
            _with("n1", lambda node: node.update(spec=TAINTED)), ("taint", f"n1 {STARTS}-"),
            [f"taint {STARTS} stands for something that node n1 lacks: pods that land there may not start"],
            id="a taint of what is not there yet"),
        pytest.param(_with("n1", lambda node: node.update(spec=TAINTED)), ("taint", "n1 mine-"), [], id="a taint"),
        pytest.param(
            _with("n1", lambda node: node.update(NOT_READY, spec=TAINTED)), ("add_node", "like:n1"),
            ["node n1 is not ready: a new node like it may be, too, and start no pods until that is mended"],
            id="a node like one that ails"),
        pytest.param(CLUSTER, ("add_node", "like:n1"), [], id="a node like one in service"),
    ],
)  # fmt: skip
def test_what_is_to_be_known_of_a_change(objects: Objects, change: tuple[str, str], notes: list[str]) -> None:
    assert [*after(objects, change).notes] == notes


def test_all_nodes_gone() -> None:
    with pytest.raises(UsageError, match="no nodes left"):
        after(CLUSTER, ("remove_node", "n1"), ("remove_node", "n2"))


def test_a_node_of_a_file_gets_the_pods_of_daemon_sets_that_would_run_there(tmp_path: Path) -> None:
    tolerant = [{"key": "gpu", "operator": "Exists"}]
    zoned = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": _metadata("zoned"),
        "spec": {
            "selector": {"matchLabels": {"app": "zoned"}},
            "template": {
                "metadata": {"labels": {"app": "zoned"}},
                "spec": {
                    "affinity": {
                        "nodeAffinity": {
                            "requiredDuringSchedulingIgnoredDuringExecution": {
                                "nodeSelectorTerms": [
                                    {"matchExpressions": [{"key": "agentpool", "operator": "In", "values": ["a"]}]}
                                ]
                            }
                        }
                    }
                },
            },
        },
    }
    objects = [
        *CLUSTER,
        _pod("driver-n1", "200m", "n1", "DaemonSet/driver", tolerations=tolerant),
        _pod("only-b-n2", "200m", "n2", "DaemonSet/only-b", tolerations=tolerant, nodeSelector={"agentpool": "b"}),
        _pod("zoned-n1", "200m", "n1", "DaemonSet/zoned", tolerations=tolerant),
        zoned,
    ]
    new = _node("big", "16", agentpool="c")
    new["spec"] = {"taints": [{"key": "gpu", "value": "", "effect": "NoSchedule"}]}
    path = tmp_path / "node.yaml"
    path.write_text(yaml.safe_dump(new))
    cluster = after(objects, ("add_node", str(path))).cluster
    (joined,) = (info for info in cluster.node_infos if info.name == "big-new-1")
    assert [info.pod.name for info in joined.pods] == ["driver-n1-big-new-1"]


def _gone(edited: EditedCluster) -> None:
    edited.remove(next(pod for pod in edited.pods if pod.name == "web-2"))


CORDON, UNCORDON = edit_of("cordon", "n2"), edit_of("uncordon", "n2")


@pytest.mark.parametrize(
    ("is_cordoned", "edits", "expected"),
    [
        (True, [_gone], set()),
        (True, [_gone, UNCORDON], {"n2"}),
        (True, [UNCORDON, _gone], set()),
        (True, [UNCORDON, _gone, CORDON, UNCORDON], set()),
        (False, [CORDON, _gone, UNCORDON], {"n2"}),
        (False, [_gone, CORDON, UNCORDON], set()),
        (False, [CORDON, UNCORDON], set()),
    ],
)
def test_which_nodes_were_cordoned_when_a_pod_was_deleted(
    is_cordoned: bool, edits: list[Edit], expected: set[str]
) -> None:
    """Nodes that nothing has touched since are cordoned still."""
    objects = copied(CLUSTER)
    if is_cordoned:
        _cordon(named(objects, "n2"))
    edited = EditedCluster(ReadObjects(contents(objects)))
    for edit in edits:
        edit(edited)
    assert edited.cordoned_then == expected


def test_a_field_may_be_added_to_a_spec_that_says_nothing() -> None:
    target, patch = Target(kind="Node", name="bare"), [{"op": "add", "path": "/spec/unschedulable", "value": True}]
    cordoning = Change(target=target, verb="patch", patch_type=JSON_PATCH, patch=patch)
    bare = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "bare"}}
    (info,) = World(ReadObjects(contents([bare]))).after([cordoning]).cluster.node_infos
    assert info.node.spec.unschedulable
