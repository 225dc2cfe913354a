"""Whichever way one asks how many pods of a workload fit, the answer is the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kexplain.api import explain
from kexplain.case import Case, Inputs, Wanted, load_case
from kexplain.case.loading import load_contents
from kexplain.cluster import Cluster
from kexplain.cluster.departing import claims_made_for
from kexplain.lint.findings import Severity
from kexplain.objects.core import Pod
from kexplain.objects.resource import ResourceClaim
from kexplain.report.capacity import Filling
from kexplain.scheduler.draining import DrainOptions
from kexplain.world.draining import Drain
from kexplain.world.edit_options import edit_of
from kexplain.world.replicas import claims_of_replicas
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World
from tests.lint.linting import linted
from tests.sampling import examples

Json = dict[str, Any]

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
WEB = {"matchLabels": {"app": "web"}}
ZONES = ("a", "b", "c")
QUOTAS: tuple[Json, ...] = (
    {"pods": "3"},
    {"requests.cpu": "2500m"},
    {"persistentvolumeclaims": "2"},
    {"limits.cpu": "2"},
    {"count/pods": "2", "requests.storage": "3Gi"},
)
LIMITS: tuple[Json, ...] = (
    {"defaultRequest": {"cpu": "700m"}},
    {"max": {"cpu": "1"}},
    {"default": {"cpu": "900m"}},
    {"type": "Pod", "max": {"cpu": "1800m"}},
    {"type": "PersistentVolumeClaim", "max": {"storage": "500Mi"}},
)
#: More than these nobody asks about.
MOST = 8
COUNTED = ("ReplicaSet", "Deployment", "StatefulSet")


def _object(kind: str, name: str, version: str = "v1", namespace: str | None = None, **fields: Any) -> Json:
    metadata = {"name": name, "uid": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": version, "kind": kind, "metadata": metadata | fields.pop("metadata", {}), **fields}


def _devices(node: str, count: int) -> list[Json]:
    """The slice of a node with so many devices; none without any."""
    spec = {
        "driver": "gpu.example",
        "nodeName": node,
        "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": f"gpu-{each}"} for each in range(count)],
    }
    return [_object("ResourceSlice", node, "resource.k8s.io/v1", spec=spec)] if count else []


_REQUEST = {"name": "gpu", "exactly": {"deviceClassName": "gpu", "count": 1}}
DEVICES = [
    _object("DeviceClass", "gpu", "resource.k8s.io/v1", spec={}),
    *_devices("elsewhere", 1),
    _object(
        "ResourceClaimTemplate",
        "gpu",
        "resource.k8s.io/v1",
        "shop",
        spec={"spec": {"devices": {"requests": [_REQUEST]}}},
    ),
]
HIGH = _object("PriorityClass", "high", "scheduling.k8s.io/v1", value=100)


@st.composite
def nodes(draw: st.DrawFn) -> list[Json]:
    """One to four nodes in some zones; some take few pods, and some are tainted."""
    found = []
    for number in range(draw(st.integers(1, 4))):
        spec = {"taints": [{"key": "x", "value": "y", "effect": "NoSchedule"}]} if draw(st.integers(0, 6)) == 6 else {}
        room = {"cpu": str(draw(st.integers(1, 4))), "memory": "8Gi", "pods": draw(st.sampled_from(("110", "2")))}
        labels = {HOST: f"n{number}", ZONE: draw(st.sampled_from(ZONES))}
        found.append(
            _object("Node", f"n{number}", metadata={"labels": labels}, spec=spec, status={"allocatable": room})
        )
        found += _devices(f"n{number}", draw(st.sampled_from((0, 0, 1, 2))))
    return found


@st.composite
def rules(draw: st.DrawFn) -> list[Json]:
    """What may refuse pods, and classes of storage."""
    level = draw(st.sampled_from((None, None, None, "baseline", "restricted")))
    labels = {"pod-security.kubernetes.io/enforce": level} if level else {}
    found = [_object("Namespace", "shop", metadata={"labels": labels}), *DEVICES, HIGH]
    if draw(st.booleans()):
        found.append(_object("PriorityClass", "usual", "scheduling.k8s.io/v1", value=10, globalDefault=True))
    quota, limits = draw(st.none() | st.sampled_from(QUOTAS)), draw(st.none() | st.sampled_from(LIMITS))
    if quota is not None:
        found.append(_object("ResourceQuota", "team", namespace="shop", spec={"hard": quota}))
    if limits is not None:
        spec = {"limits": [{"type": "Container", **limits}]}
        found.append(_object("LimitRange", "team", namespace="shop", spec=spec))
    for name, mode in (("now", "Immediate"), ("later", "WaitForFirstConsumer")):
        fields: Json = {"provisioner": "csi.example", "volumeBindingMode": mode}
        if draw(st.booleans()):
            zone = [{"key": ZONE, "values": [draw(st.sampled_from(ZONES))]}]
            fields["allowedTopologies"] = [{"matchLabelExpressions": zone}]
        found.append(_object("StorageClass", name, "storage.k8s.io/v1", **fields))
    return found


@st.composite
def templates(draw: st.DrawFn) -> Json:
    """Pods that may keep apart, spread, or want a port of their node."""
    container: Json = {"name": "c", "image": "c:1"}
    amount = draw(st.sampled_from((None, "500m", "1", "1500m")))
    if amount:
        container["resources"] = {"requests": {"cpu": amount}}
    if draw(st.integers(0, 5)) == 5:
        container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    spec: Json = {"containers": [container]}
    before = draw(st.sampled_from((None, None, None, {}, {"restartPolicy": "Always"})))
    if before is not None:
        asked = {"requests": {"cpu": draw(st.sampled_from(("400m", "1600m")))}}
        spec["initContainers"] = [{"name": "i", "image": "i:1", "resources": asked, **before}]
    if draw(st.integers(0, 7)) == 7:
        spec["volumes"] = [{"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": _scratch(draw)}}}]
    kind = draw(st.sampled_from((None, None, "podAntiAffinity", "podAffinity")))
    if kind:
        term = {"labelSelector": WEB, "topologyKey": draw(st.sampled_from((HOST, ZONE)))}
        spec["affinity"] = {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    if draw(st.integers(0, 2)) == 2:
        key = draw(st.sampled_from((HOST, ZONE)))
        spread = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": WEB}
        spec["topologySpreadConstraints"] = [spread]
    if draw(st.integers(0, 2)) == 2:
        spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]
    if draw(st.integers(0, 5)) == 5:
        spec["nodeSelector"] = {ZONE: draw(st.sampled_from(ZONES))}
    return {"metadata": {"labels": {"app": "web"}}, "spec": spec}


def _scratch(draw: st.DrawFn) -> Json:
    """What a claim asks for that goes with its pod."""
    asked = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return asked | {"storageClassName": draw(st.sampled_from(("now", "later")))}


def _left(ordinal: int, zone: str) -> list[Json]:
    """The claim of a pod that was there once, and its volume in a zone."""
    storage = {"accessModes": ["ReadWriteOnce"], "storageClassName": "later"}
    claim = {"name": f"d-web-{ordinal}", "namespace": "shop", "uid": f"d-web-{ordinal}"}
    there = [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}]
    volume = {
        **storage,
        "capacity": {"storage": "1Gi"},
        "claimRef": claim,
        "csi": {"driver": "csi.example", "volumeHandle": f"v{ordinal}"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": there}},
    }
    bound = {**storage, "volumeName": f"v{ordinal}", "resources": {"requests": {"storage": "1Gi"}}}
    noted = {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    return [
        _object("PersistentVolume", f"v{ordinal}", spec=volume, status={"phase": "Bound"}),
        _object(
            "PersistentVolumeClaim",
            f"d-web-{ordinal}",
            namespace="shop",
            metadata=noted,
            spec=bound,
            status={"phase": "Bound"},
        ),
    ]


@st.composite
def stateful(draw: st.DrawFn) -> tuple[Json, list[Json]]:
    """What a stateful set has beside a number and a template, and the claims that it finds."""
    policy, start = draw(st.sampled_from(("OrderedReady", "Parallel"))), draw(st.sampled_from((0, 0, 3)))
    spec: Json = {"serviceName": "web", "podManagementPolicy": policy, "ordinals": {"start": start}}
    storage = draw(st.none() | st.sampled_from(("now", "later")))
    if storage is None:
        return spec, []
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    spec["volumeClaimTemplates"] = [{"metadata": {"name": "d"}, "spec": {**claim, "storageClassName": storage}}]
    zones = draw(st.lists(st.none() | st.sampled_from(ZONES), max_size=5))
    return spec, [each for place, zone in enumerate(zones) if zone for each in _left(start + place, zone)]


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[Json], Json, int]:
    """A cluster, a workload that is new in it, and how many pods that wants."""
    kind, template, count = draw(st.sampled_from((*COUNTED, "Job"))), draw(templates()), draw(st.integers(1, 6))
    around = [*draw(nodes()), *draw(rules())]
    if kind == "Job":
        template["spec"]["restartPolicy"] = "Never"
        spec = {"parallelism": count, "template": template}
        return around, _object("Job", "web", "batch/v1", "shop", spec=spec), count
    spec = {"replicas": count, "selector": WEB, "template": template}
    if kind == "StatefulSet":
        more, claims = draw(stateful())
        spec |= more
        around += claims
    return around, _object(kind, "web", "apps/v1", "shop", spec=spec), count


def _file(folder: str, name: str, objects: Sequence[Json]) -> str:
    path = Path(folder) / name
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return str(path)


def _explained(manifest: str, state: str, count: int, *, until_settled: bool) -> int:
    case = load_case([manifest], [state], Wanted(replicas=count))
    report = explain(case, seeks_help=False, until_settled=until_settled)
    return report.rollouts[0].placed if report.rollouts else sum(each.choice is not None for each in report.pods)


def _capacity(manifest: str, state: str, count: int) -> int:
    case = load_case([manifest], [state])
    filling = Filling(
        case.scheduler.without_post_filter(),
        case.cluster,
        count,
        claims=claims_of_replicas(case.pods, case.cluster),
        makers=tuple(each.made_of for each in case.pods),
        builder=case.builder,
    )
    return sum(each.fits for each in filling.each([each.pod for each in case.pods]))


def _followed(state: str, kind: str, option: str, value: str) -> int:
    contents = load_contents(Inputs([state], namespace="shop"))
    rollouts = World(ReadObjects(contents)).after([edit_of(option, value)]).settled().rollouts
    return next(each.placed for each in rollouts if each.kind == kind)


def refused_beyond_a_start() -> tuple[list[Json], Json, int]:
    """Ordinals from 3 on, of which a quota refuses the last, whose number is the first one's ordinal."""
    quota = _object("ResourceQuota", "team", namespace="shop", spec={"hard": {"pods": "3"}})
    class_of_claims = {"provisioner": "csi.example", "volumeBindingMode": "Immediate"}
    made_at_once = _object("StorageClass", "now", "storage.k8s.io/v1", **class_of_claims)
    allocatable = {"cpu": "1", "memory": "8Gi", "pods": "110"}
    around = [_object("Node", "n0", spec={}, status={"allocatable": allocatable}), quota, made_at_once]
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "now"}
    container = {"name": "c", "image": "c:1", "resources": {"requests": {"cpu": "700m"}}}
    spec = {
        "replicas": 4,
        "selector": WEB,
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container]}},
        "serviceName": "web",
        "podManagementPolicy": "Parallel",
        "ordinals": {"start": 3},
        "volumeClaimTemplates": [{"metadata": {"name": "d"}, "spec": claim}],
    }
    return around, _object("StatefulSet", "web", "apps/v1", "shop", spec=spec), 4


def refused_with_its_claim() -> tuple[list[Json], Json, int]:
    """A stateful set of which a quota refuses the claim of the first pod's ephemeral volume."""
    quota = _object("ResourceQuota", "team", namespace="shop", spec={"hard": {"requests.storage": "512Mi"}})
    allocatable = {"cpu": "1", "memory": "8Gi", "pods": "110"}
    class_of_claims = {"provisioner": "csi.example", "volumeBindingMode": "Immediate"}
    made_at_once = _object("StorageClass", "now", "storage.k8s.io/v1", **class_of_claims)
    around = [_object("Node", "n0", spec={}, status={"allocatable": allocatable}), quota, made_at_once]
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "now"}
    scratch = {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": claim}}}
    spec = {"containers": [{"name": "c", "image": "c:1"}], "volumes": [scratch]}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": spec}
    whole = {"replicas": 1, "selector": WEB, "template": template, "serviceName": "web"}
    return around, _object("StatefulSet", "web", "apps/v1", "shop", spec=whole), 1


@settings(max_examples=examples(40))
@given(situations())
@example(refused_beyond_a_start())
@example(refused_with_its_claim())
def test_all_commands_agree_on_how_many_fit(situation: tuple[list[Json], Json, int]) -> None:
    around, workload, count = situation
    kind = workload["kind"]
    manifest = {**workload, "metadata": {"name": "web", "namespace": "shop"}}
    with TemporaryDirectory() as folder:
        state, new = _file(folder, "state.json", around), _file(folder, "web.json", [manifest])
        answers = {
            "explain": _explained(new, state, count, until_settled=False),
            "until settled": _explained(new, state, count, until_settled=True),
            "capacity": _capacity(new, state, count),
            "apply": _followed(state, kind, "apply", new),
        }
        if kind in COUNTED:
            idle = {**workload, "spec": {**workload["spec"], "replicas": 0}}
            there = _file(folder, "there.json", [*around, idle])
            answers["scale"] = _followed(there, kind, "scale", f"{kind.lower()}/web={count}")
        findings = linted(Path(new).read_text(), Path(state).read_text()).findings
    assert len(set(answers.values())) == 1, answers
    has_errors = any(each.severity is Severity.ERROR or each.rule.startswith("missing-") for each in findings)
    assert has_errors == (answers["apply"] < count), (answers, [(each.rule, each.message) for each in findings])


# ----------------------------------------------------------------------------------------- where workloads run already


@st.composite
def neighbours(draw: st.DrawFn) -> list[Json]:
    """Workloads that run before the one in question: of lower priority or not, some with a budget."""
    found = []
    for number in range(draw(st.integers(0, 2))):
        name, labels = f"other-{number}", {"app": f"other-{number}"}
        pod: Json = {"containers": [{"name": "c", "image": "c:1", "resources": {"requests": {"cpu": "700m"}}}]}
        if draw(st.booleans()):
            pod["priorityClassName"] = "high"
        spec = {
            "replicas": draw(st.integers(1, 4)),
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        }
        found.append(_object("ReplicaSet", name, "apps/v1", "data", spec=spec))
        if draw(st.booleans()):
            budget = {"selector": {"matchLabels": labels}, "maxUnavailable": 1}
            status = {"disruptionsAllowed": 1, "currentHealthy": 4, "desiredHealthy": 3}
            found.append(_object("PodDisruptionBudget", name, "policy/v1", "data", spec=budget, status=status))
    return found


@st.composite
def busy(draw: st.DrawFn) -> tuple[list[Json], Json]:
    """A cluster where workloads run, and one of them."""
    kind = draw(st.sampled_from(("ReplicaSet", "StatefulSet")))
    template = draw(templates())
    if draw(st.booleans()):
        template["spec"]["priorityClassName"] = "high"
    spec = {"replicas": draw(st.integers(1, 4)), "selector": WEB, "template": template}
    if kind == "StatefulSet":
        spec |= {"serviceName": "web", "podManagementPolicy": draw(st.sampled_from(("OrderedReady", "Parallel")))}
    around = [*draw(nodes()), *draw(rules()), _object("Namespace", "data")]
    web = _object(kind, "web", "apps/v1", "shop", spec=spec)
    with TemporaryDirectory() as folder:
        for workload in (*draw(neighbours()), web):
            around = _with(folder, around, workload)
    return around, next(each for each in around if each["metadata"]["name"] == "web" and each["kind"] == kind)


def _with(folder: str, around: list[Json], obj: Json) -> list[Json]:
    """The cluster once an object was applied: a workload then wants no more than the pods that have a node."""
    if obj["kind"] == "PodDisruptionBudget":
        return [*around, obj]
    manifest = {**obj, "metadata": {key: value for key, value in obj["metadata"].items() if key != "uid"}}
    contents = load_contents([_file(folder, "state.json", around)])
    followed = World(ReadObjects(contents)).after([edit_of("apply", _file(folder, "new.json", [manifest]))]).settled()
    gone = {pod.key for pod in followed.settled.evicted}
    kept = [
        each
        for each in around
        if each["kind"] != "Pod" or f"{each['metadata']['namespace']}/{each['metadata']['name']}" not in gone
    ]
    own = [
        each.pod
        for each in followed.pods
        if each.pod.namespace == obj["metadata"]["namespace"] and each.pod.key in followed.settled.placed
    ]
    distinct = {each.key: each for each in own}.values()
    pods = [_running(pod, followed.settled.placed[pod.key], obj) for pod in distinct]
    held = [
        _held(claim, pod, running)
        for pod, running in zip(distinct, pods, strict=True)
        for claim in claims_made_for(pod, followed.cluster.listers)
        if isinstance(claim, ResourceClaim)
    ]
    left = {f"{each['metadata']['namespace']}/{each['metadata']['name']}" for each in kept if each["kind"] == "Pod"}
    kept = [each for each in kept if each["kind"] != "ResourceClaim" or each["metadata"]["of"] in left]
    return [*kept, {**obj, "spec": {**obj["spec"], "replicas": len(pods)}}, *pods, *held]


def _held(claim: ResourceClaim, pod: Pod, running: Json) -> Json:
    """The claim of a pod that runs, with its devices."""
    name = running["metadata"]["name"]
    by = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": name, "controller": True}
    status = msgspec.to_builtins(claim.status) | {"reservedFor": [{"resource": "pods", "name": name, "uid": name}]}
    fields = {"ownerReferences": [by], "of": f"{pod.namespace}/{name}"}
    spec = msgspec.to_builtins(claim.spec)
    return _object(
        "ResourceClaim", claim.name, "resource.k8s.io/v1", pod.namespace, metadata=fields, spec=spec, status=status
    )


def _with_running(case: Case) -> Cluster:
    """The cluster with the pods that were named because they run: they are to be counted, not to be moved."""
    cluster = case.cluster
    for placed in case.pods:
        if placed.running is not None and placed.running.spec.node_name in cluster.node_info_by_name:
            cluster = cluster.assume(placed.running, placed.running.spec.node_name or "")
    return cluster


def _running(pod: Pod, node: str, owner: Json) -> Json:
    # Others are not called as the next ones are.
    name = pod.name if owner["kind"] == "StatefulSet" else f"{pod.name}-runs"
    by = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "controller": True,
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": pod.namespace,
            "uid": name,
            "labels": pod.labels,
            "ownerReferences": [by],
        },
        "spec": {**msgspec.to_builtins(pod.spec), "nodeName": node},
        "status": {
            "phase": "Running",
            "conditions": [{"type": "Ready", "status": "True"}],
            "resourceClaimStatuses": msgspec.to_builtins(pod.status.resource_claim_statuses or ()),
        },
    }


@settings(max_examples=examples(15))
@given(busy())
def test_a_workload_can_be_scaled_by_what_its_capacity_says(situation: tuple[list[Json], Json]) -> None:
    around, workload = situation
    kind, running = workload["kind"], workload["spec"]["replicas"]
    with TemporaryDirectory() as folder:
        state = _file(folder, "state.json", around)
        case = load_case([f"{kind.lower()}/web"], Inputs([state], namespace="shop"), Wanted(replicas=1))
        filling = Filling(
            case.scheduler,
            _with_running(case),
            MOST,
            claims=claims_of_replicas(case.pods, case.cluster),
            makers=tuple(each.made_of for each in case.pods),
            builder=case.builder,
        )
        fits = sum(each.fits for each in filling.each([each.pod for each in case.pods]))
        answers = {
            count: _followed(state, kind, "scale", f"{kind.lower()}/web={running + count}")
            for count in (fits, fits + 1)
        }
    assert answers[fits] == running + fits
    if fits < MOST:
        assert answers[fits + 1] == running + fits


@settings(max_examples=examples(15))
@given(busy(), st.integers(0, 3))
def test_a_drain_leaves_as_many_without_a_node_as_its_absence(situation: tuple[list[Json], Json], which: int) -> None:
    around, workload = situation
    names = [each["metadata"]["name"] for each in around if each["kind"] == "Node"]
    gone = names[which % len(names)]
    if len(names) == 1 or workload["spec"]["template"]["spec"].get("topologySpreadConstraints"):
        # A node that is cordoned is a domain to spread over, and one that is not there is none.
        return
    with TemporaryDirectory() as folder:
        state = _file(folder, "state.json", around)
        case = load_case([], [state], Wanted(may_be_empty=True))
        assert case.builder is not None
        drain = Drain(case.builder, case.scheduler, case.cluster, DrainOptions(disable_eviction=True))
        leavers = drain.step([gone])
        contents = load_contents([state])
        followed = World(ReadObjects(contents)).after([edit_of("remove_node", gone)]).settled()
    drained = {info.pod.key for node_info in drain.cluster.node_infos for info in node_info.pods}
    absent = {info.pod.key for node_info in followed.cluster.node_infos for info in node_info.pods}
    assert len(drained) == len(absent), (drained ^ absent, leavers)
