"""Clusters in which a pod does not fit, with all that an API server and controllers have to say about what would help.

Every situation is a list of objects as a cluster holds them; `tests/remedies/test_situations.py` carries out what is
promised for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

Json = dict[str, Any]

CREATED = "2026-11-01T10:00:00Z"
APP = {"app": "web"}


def obj(api_version: str, kind: str, name: str, namespace: str = "shop", **fields: Any) -> Json:
    metadata = {"name": name, "uid": f"{kind}-{name}".lower(), "creationTimestamp": CREATED, **fields.pop("meta", {})}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def node(
    name: str, cpu: str = "4", *, cordoned: bool = False, taint: str = "", in_zone: str = "", **labels: str
) -> Json:
    amounts = {"cpu": cpu, "memory": "16Gi", "pods": "110"}
    taints = [{"key": taint, "effect": "NoSchedule"}] if taint else []
    spec = {"taints": taints, **({"unschedulable": True} if cordoned else {})}
    zones = {"topology.kubernetes.io/zone": in_zone} if in_zone else {}
    meta = {"labels": {"kubernetes.io/hostname": name, **zones, **labels}}
    conditions = [{"type": "Ready", "status": "True"}]
    status = {"allocatable": amounts, "capacity": amounts, "conditions": conditions}
    return obj("v1", "Node", name, "", spec=spec, status=status, meta=meta)


def template(cpu: str, **spec: Any) -> Json:
    container = {"name": "main", "image": "main:1", "resources": {"requests": {"cpu": cpu}}}
    return {"metadata": {"labels": dict(APP)}, "spec": {"containers": [container], **spec}}


def owned(kind: str, name: str, api_version: str = "apps/v1") -> Json:
    reference = {"apiVersion": api_version, "kind": kind, "name": name, "uid": f"{kind}-{name}".lower()}
    return {"ownerReferences": [{**reference, "controller": True}]}


def pod(name: str, made_of: Json, on: str = "", labels: Json | None = None, **meta: Any) -> Json:
    spec = {"schedulerName": "default-scheduler", "priority": 0, **made_of["spec"], **({"nodeName": on} if on else {})}
    labels = {**made_of["metadata"]["labels"], **(labels or {})}
    unscheduled = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    status = status if on else {"phase": "Pending", "conditions": [unscheduled]}
    return obj("v1", "Pod", name, spec=spec, status=status, meta={"labels": labels, **meta})


def deployment(name: str, made_of: Json, places: list[str], **spec: Any) -> Iterator[Json]:
    """A Deployment with its ReplicaSet and a pod for each place; where that is empty, the pod is pending."""
    hashed = {"pod-template-hash": "1"}
    labelled = {**made_of, "metadata": {"labels": {"app": name}}}
    revision = {**labelled, "metadata": {"labels": {"app": name, **hashed}}}
    selector = {"matchLabels": {"app": name}}
    yield obj(
        "apps/v1",
        "Deployment",
        name,
        spec={"replicas": len(places), "selector": selector, "template": labelled, **spec},
    )
    of_set = {"matchLabels": {"app": name, **hashed}}
    noted = {"deployment.kubernetes.io/desired-replicas": str(len(places))}
    yield obj(
        "apps/v1",
        "ReplicaSet",
        f"{name}-1",
        spec={"replicas": len(places), "selector": of_set, "template": revision},
        meta={**owned("Deployment", name), "annotations": noted, "labels": {"app": name, **hashed}},
    )
    for number, place in enumerate(places):
        yield pod(f"{name}-1-{number}", revision, place, **owned("ReplicaSet", f"{name}-1"))


def of_kind(kind: str, name: str, made_of: Json, places: list[str], **spec: Any) -> Iterator[Json]:
    """A workload that makes its pods itself."""
    made_of = {**made_of, "metadata": {"labels": {"app": name}}}
    selector = {"matchLabels": {"app": name}}
    fields = {"replicas": len(places), "selector": selector, "template": made_of, **spec}
    yield obj("apps/v1", kind, name, spec={key: value for key, value in fields.items() if value is not None})
    for number, place in enumerate(places):
        yield pod(f"{name}-{number}", made_of, place, **owned(kind, name))


def quota(name: str, hard: Json, used: Json, **spec: Any) -> Json:
    return obj("v1", "ResourceQuota", name, spec={"hard": hard, **spec}, status={"hard": hard, "used": used})


def limits(**of_container: Any) -> Json:
    return obj("v1", "LimitRange", "limits", spec={"limits": [{"type": "Container", **of_container}]})


# ---------------------------------------------------------------------------------------------------- situations


def too_large(cpu: str, free: str, *more: Json, **spec: Any) -> list[Json]:
    """A Deployment of two that asks for more than a node has left."""
    others = deployment("other", template(free), ["n1", "n2"])
    return [node("n1"), node("n2"), *others, *deployment("web", template(cpu), ["", ""], **spec), *more]


def rolling(before: Json, asking: Json, places: list[str], **spec: Any) -> list[Json]:
    """A Deployment of which the first pod of a new template is pending beside all of the one before, on two nodes."""
    made = [*deployment("web", asking, [""], replicas=len(places), **spec)]
    old = [*deployment("web", before, places)][1:]
    for each in old:
        each["metadata"]["labels"] = {**each["metadata"].get("labels", {}), "pod-template-hash": "0"}
        for name in (each["metadata"], *each["metadata"]["ownerReferences"]):
            name["name"] = name["name"].replace("web-1", "web-0")
    replica_set = old[0]
    replica_set["metadata"]["uid"] = "older"
    for each in (replica_set["spec"]["selector"]["matchLabels"], replica_set["spec"]["template"]["metadata"]["labels"]):
        each["pod-template-hash"] = "0"
    for each in old[1:]:
        each["metadata"]["uid"] = each["metadata"]["name"]
        each["metadata"]["ownerReferences"][0]["uid"] = "older"
    return [node("n1"), node("n2"), *made, *old]


def asks_for_more_than_before(replicas: int, **spec: Any) -> list[Json]:
    """A new template that no node can hold."""
    return rolling(template("1"), template("6"), ["n1", "n2"][:replicas], **spec)


def one_in_the_way_of_the_next(why: str, places: list[str], **spec: Any) -> list[Json]:
    """A new template that finds no place beside the pods of the one before."""
    asking = template("3" if why == "full" else "500m", affinity=apart("web") if why == "apart" else None)
    if why == "port":
        asking["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80, "protocol": "TCP"}]
    return rolling(asking, asking, places, **spec)


def selecting(kind: str, places: list[str], **spec: Any) -> list[Json]:
    """Pods that select a label which no node has, misspelt."""
    asking = template("1", nodeSelector={"disk": "ssdd"})
    if kind == "Deployment":
        made = deployment("web", asking, places, **spec)
    else:
        made = of_kind(kind, "web", asking, places, **spec)
    return [node("n1", disk="ssd"), node("n2", disk="ssd"), *made]


def crowded(places: list[str], room: str, *more: Json, owner: str = "Deployment") -> list[Json]:
    """A small pod in the way of a large one: elsewhere there is as much room."""
    small = (
        deployment("small", template("2"), places)
        if owner == "Deployment"
        else of_kind(owner, "small", template("2"), places)
    )
    return [node("n1"), *([node("n2", room)] if room else []), *small, *deployment("web", template("3"), [""]), *more]


def apart(name: str, *others: str) -> Json:
    """An affinity of pods that must not share a node with those of the other apps, nor with each other."""
    terms = [
        {"labelSelector": {"matchLabels": {"app": each}}, "topologyKey": "kubernetes.io/hostname"}
        for each in (name, *others)
    ]
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def one_a_node(**spec: Any) -> list[Json]:
    """More replicas than nodes, where each node takes one."""
    made = deployment("web", template("500m", affinity=apart("web")), ["n1", "n2", ""], **spec)
    return [node("n1"), node("n2"), *made]


def kept_away() -> list[Json]:
    """Pods on every node that want none of these near them; the scheduler is not told when one of them leaves."""
    quiet = deployment("quiet", template("500m", affinity=apart("quiet", "web")), ["n1", "n2"])
    return [node("n1"), node("n2"), *quiet, *deployment("web", template("500m"), [""])]


def out_of_service(count_: int) -> list[Json]:
    nodes = [node(f"n{number}", cordoned=True) for number in range(1, count_ + 1)]
    return [*nodes, *deployment("web", template("3"), [""] * count_)]


def urgent(*more: Json) -> list[Json]:
    """Less important pods fill the only node."""
    classes = [obj("scheduling.k8s.io/v1", "PriorityClass", "high", "", value=1000)]
    return [
        node("n1"),
        *deployment("other", template("2"), ["n1", "n1"]),
        *deployment("web", template("2"), [""]),
        *classes,
        *more,
    ]


def of_class(kind: str, mode: str = "WaitForFirstConsumer", replicas: int = 1) -> list[Json]:
    """A claim of a class that is not there, made from a template."""
    there = obj("storage.k8s.io/v1", "StorageClass", "fast", "", provisioner="csi.example.com", volumeBindingMode=mode)
    asked = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
        "storageClassName": "fsat",
    }
    if kind == "StatefulSet":
        templates = [{"metadata": {"name": "data"}, "spec": asked}]
        spec = {"volumeClaimTemplates": templates, **({"podManagementPolicy": "Parallel"} if replicas > 1 else {})}
        made, *pods = of_kind(kind, "web", template("1"), [""] * replicas, **spec)
        claims = [f"data-{each['metadata']['name']}" for each in pods]
        for each, name in zip(pods, claims, strict=True):
            each["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": name}}]
        pending = {"phase": "Pending"}
        made_of = [obj("v1", "PersistentVolumeClaim", name, spec=asked, status=pending) for name in claims]
        return [node("n1"), there, made, *pods, *made_of]
    ephemeral = {"volumeClaimTemplate": {"spec": asked}}
    objects = [*deployment("web", template("1", volumes=[{"name": "data", "ephemeral": ephemeral}]), [""])]
    first = objects[-1]
    name = f"{first['metadata']['name']}-data"
    claim = obj(
        "v1",
        "PersistentVolumeClaim",
        name,
        spec=asked,
        status={"phase": "Pending"},
        meta=owned("Pod", first["metadata"]["name"], "v1"),
    )
    claim["metadata"]["ownerReferences"][0]["uid"] = first["metadata"]["uid"]
    return [node("n1"), there, *objects, claim]


def by_hand(size: str = "5Gi", mode: str = "ReadWriteOnce", earlier: str = "", **named: str) -> list[Json]:
    """A claim of a class that stands for volumes made by hand, of which there is one."""
    asked = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "manual",
        "resources": {"requests": {"storage": "5Gi"}},
        **named,
    }
    claim = obj("v1", "PersistentVolumeClaim", "data", spec=asked, status={"phase": "Pending"})
    has = {"capacity": {"storage": size}, "accessModes": [mode], "storageClassName": "manual"}
    reference = {"claimRef": {"namespace": "shop", "name": "data", "uid": earlier}} if earlier else {}
    phase = {"phase": "Released" if earlier else "Available"}
    volume = obj("v1", "PersistentVolume", "by-hand", "", spec={**has, **reference}, status=phase)
    uses = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    other = obj("storage.k8s.io/v1", "StorageClass", "ssd", "", provisioner="x", volumeBindingMode="Immediate")
    return [node("n1"), other, claim, volume, *deployment("web", template("1", volumes=uses), [""])]


def early_volumes(kind: str, made: str = CREATED, zones: str = "ab") -> list[Json]:
    """Volumes of a class that does not wait for pods, each in a zone of its own; there is no node in zone c."""
    places = {"data": zones[0], "log": zones[1]}
    asked: Json = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk"}
    asked["resources"] = {"requests": {"storage": "1Gi"}}
    claims = {name: f"{name}-web-0" if kind == "StatefulSet" else name for name in places}
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": claim}} for name, claim in claims.items()]
    templates = [{"metadata": {"name": name}, "spec": asked} for name in places]
    own = {"volumeClaimTemplates": templates} if kind == "StatefulSet" else {}
    asking = template("1") if own else template("1", volumes=volumes)
    objects = [*(of_kind(kind, "web", asking, [""], **own) if own else deployment("web", asking, [""]))]
    objects[-1]["spec"]["volumes"] = volumes
    meta = {"creationTimestamp": made}
    bound = {**meta, "annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    for name, claim in claims.items():
        here = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": [places[name]]}
        reach = {"required": {"nodeSelectorTerms": [{"matchExpressions": [here]}]}}
        held = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "disk"}
        uid = f"persistentvolumeclaim-{claim}"
        held |= {"claimRef": {"namespace": "shop", "name": claim, "uid": uid}, "nodeAffinity": reach}
        objects += [
            obj("v1", "PersistentVolume", f"pvc-{name}", "", spec=held, status={"phase": "Bound"}, meta=meta),
            obj("v1", "PersistentVolumeClaim", claim, spec={**asked, "volumeName": f"pvc-{name}"},
                status={"phase": "Bound"}, meta=bound),
        ]  # fmt: skip
    nodes = [node("n1"), node("n2")]
    for each, zone in zip(nodes, "ab", strict=True):
        each["metadata"]["labels"]["topology.kubernetes.io/zone"] = zone
    made_by = obj("storage.k8s.io/v1", "StorageClass", "disk", "", provisioner="disk.example.com")
    return [*nodes, made_by, *objects]


def of_device_class(replicas: int) -> list[Json]:
    """Pods whose devices are claimed by a template that names a class which is not there."""
    api_version, request = "resource.k8s.io/v1", {"deviceClassName": "gppu", "count": 1}
    asked = {"devices": {"requests": [{"name": "r", "exactly": request}]}}
    pool = {"name": "n1", "generation": 1, "resourceSliceCount": 1}
    devices = [{"name": f"g{number}"} for number in range(replicas)]
    held = {"driver": "gpu.example.com", "nodeName": "n1", "pool": pool, "devices": devices}
    around = [
        node("n1"),
        obj(api_version, "DeviceClass", "gpu", "", spec={}),
        obj(api_version, "ResourceSlice", "n1", "", spec=held),
        obj(api_version, "ResourceClaimTemplate", "gpus", spec={"spec": asked}),
    ]
    claimed = template("1", resourceClaims=[{"name": "g", "resourceClaimTemplateName": "gpus"}])
    made, revision, *pods = deployment("web", claimed, [""] * replicas)
    claims = []
    for each in pods:
        name = each["metadata"]["name"]
        each["status"]["resourceClaimStatuses"] = [{"name": "g", "resourceClaimName": f"{name}-g-1"}]
        claims.append(obj(api_version, "ResourceClaim", f"{name}-g-1", spec=asked, meta=owned("Pod", name, "v1")))
    return [*around, made, revision, *pods, *claims]


def job(cpu: str, *, of_cron_job: bool) -> list[Json]:
    labels = {"batch.kubernetes.io/controller-uid": "job-etl-28000000", "job-name": "etl-28000000"}
    made_of = template(cpu, restartPolicy="Never")
    labelled = {**made_of, "metadata": {"labels": labels}}
    above = owned("CronJob", "etl", "batch/v1") if of_cron_job else {}
    selector = {"matchLabels": {"batch.kubernetes.io/controller-uid": "job-etl-28000000"}}
    spec = {"parallelism": 2, "completions": 2, "selector": selector, "template": labelled}
    made = [obj("batch/v1", "Job", "etl-28000000", spec=spec, meta={"labels": labels, **above})]
    if of_cron_job:
        jobs = {"spec": {"parallelism": 2, "completions": 2, "template": made_of}}
        made.append(obj("batch/v1", "CronJob", "etl", spec={"schedule": "* * * * *", "jobTemplate": jobs}))
    owner = owned("Job", "etl-28000000", "batch/v1")
    pods = [pod(f"etl-28000000-{number}", labelled, **owner) for number in range(2)]
    return [node("n1", "4"), *made, *pods]


ON_DELETE = {"updateStrategy": {"type": "OnDelete"}}
PARTITION = {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 5}}}
SURGE = {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}}
NO_SURGE = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
RECREATE = {"strategy": {"type": "Recreate"}}


def _without_room() -> Iterator[tuple[str, list[Json]]]:
    strategies: dict[str, Json] = {"rolling": {}, "surge": SURGE, "recreate": RECREATE, "paused": {"paused": True}}
    for cpu, free in (("2", "2500m"), ("3", "1800m"), ("3500m", "1"), ("6", "1")):
        for name, spec in strategies.items():
            yield f"{cpu}-{name}", too_large(cpu, free, **spec)
        for least in ("500m", "1900m", "2900m"):
            yield f"{cpu}-least-{least}", too_large(cpu, free, limits(min={"cpu": least}))
        for hard in ("5", "9", "20"):
            used = {"requests.cpu": "7", "pods": "4"}
            yield f"{cpu}-quota-{hard}", too_large(cpu, free, quota("q", {"requests.cpu": hard}, used))
        yield f"{cpu}-no-surge-pod", too_large(cpu, free, quota("q", {"pods": "4"}, {"pods": "4"}), **SURGE)
    for cpu, of_cron_job in product(("6", "4500m", "3"), (False, True)):
        yield f"job-{cpu}-{of_cron_job}", job(cpu, of_cron_job=of_cron_job)
    for replicas in (1, 2):
        yield f"more-than-before-{replicas}", asks_for_more_than_before(replicas, **SURGE)
    for why, (name, spec) in product(("apart", "port", "full"), (("default", {}), ("surge", SURGE))):
        yield f"beside-{why}-{name}", one_in_the_way_of_the_next(why, ["n1", "n2"], **spec)
    for number in (1, 2, 5):
        yield f"out-of-service-{number}", out_of_service(number)


def _misspelt() -> Iterator[tuple[str, list[Json]]]:
    strategies: dict[str, list[Json]] = {
        "Deployment": [{}, {"paused": True}, SURGE],
        "ReplicaSet": [{}],
        "StatefulSet": [{}, ON_DELETE, PARTITION, {"podManagementPolicy": "Parallel"}],
    }
    for kind, places in product(strategies, ([""], ["", ""], ["n1", ""])):
        for number, spec in enumerate(strategies[kind]):
            yield f"{kind}-{''.join(places)}-{len(places)}-{number}", selecting(kind, places, **spec)
    for kind, mode in product(("StatefulSet", "Deployment"), ("WaitForFirstConsumer", "Immediate")):
        yield f"class-{kind}-{mode}", of_class(kind, mode)
    yield "device-class-of-two", of_device_class(2)
    yield "class-of-three", of_class("StatefulSet", "Immediate", 3)
    for kind in ("StatefulSet", "Deployment"):
        yield f"early-volumes-{kind}", early_volumes(kind)
        yield f"early-volumes-{kind}-with-data", early_volumes(kind, "2026-10-01T10:00:00Z")
    yield "early-volumes-where-no-node-is", early_volumes("Deployment", zones="cc")
    yield "volume-too-small", by_hand(size="3Gi")
    yield "volume-of-another-mode", by_hand(mode="ReadWriteMany")
    yield "volume-named-too-small", by_hand(size="3Gi", volumeName="by-hand")
    yield "volume-named-of-another-class", by_hand(volumeName="by-hand", storageClassName="ssd")
    yield "volume-named-missing", by_hand(volumeName="by-hnad")
    yield "volume-released", by_hand(earlier="older")


def _others_in_the_way() -> Iterator[tuple[str, list[Json]]]:
    budget = {"selector": {"matchLabels": {"app": "small"}}, "minAvailable": 1}
    kept = obj("policy/v1", "PodDisruptionBudget", "kept", spec=budget, status={"disruptionsAllowed": 0})
    for places, room in ((["n1"], ""), (["n1"], "2"), (["n1", "n2"], "2"), (["n1", "n2"], "4")):
        for owner in ("Deployment", "ReplicaSet", "StatefulSet"):
            yield f"crowded-{len(places)}-{room}-{owner}", crowded(places, room, owner=owner)
        yield f"crowded-{len(places)}-{room}-budget", crowded(places, room, kept)
    yield "two-in-the-way", crowded(["n1", "n1"], "")
    many = deployment("small", template("1500m"), ["n1", "n1", "n2", "n2"])
    yield "two-in-the-way-everywhere", [node("n1"), node("n2"), *many, *deployment("web", template("3"), [""])]
    yield "kept-away", kept_away()
    for name, spec in (("", {}), ("-recreate", RECREATE), ("-no-surge", {"strategy": NO_SURGE})):
        yield f"one-a-node{name}", one_a_node(**spec)
    yield "urgent", urgent()
    scope = {"operator": "In", "scopeName": "PriorityClass", "values": ["high"]}
    for hard in ("0", "1"):
        scoped = quota("high", {"pods": hard}, {"pods": "0"}, scopeSelector={"matchExpressions": [scope]})
        yield f"urgent-quota-{hard}", urgent(scoped)


SITUATIONS: dict[str, list[Json]] = dict((*_without_room(), *_misspelt(), *_others_in_the_way()))


def claim(mode: str) -> list[Json]:
    """A claim that is bound, with its volume, which any node can have."""
    amount = {"storage": "5Gi"}
    volume = {"accessModes": [mode], "capacity": amount, "storageClassName": "disk"}
    volume |= {"claimRef": {"namespace": "shop", "name": "data", "uid": "persistentvolumeclaim-data"}}
    volume |= {"csi": {"driver": "disk.example.com", "volumeHandle": "data"}}
    claim = {"accessModes": [mode], "resources": {"requests": amount}, "storageClassName": "disk", "volumeName": "data"}
    bound = {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    return [
        obj("storage.k8s.io/v1", "StorageClass", "disk", "", provisioner="disk.example.com"),
        obj("v1", "PersistentVolume", "data", "", spec=volume, status={"phase": "Bound"}),
        obj("v1", "PersistentVolumeClaim", "data", spec=claim, status={"phase": "Bound"}, meta=bound),
    ]
