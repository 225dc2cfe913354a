"""Objects as an API server would hand them over: defaulted, with what the scheduler reads and no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Object = dict[str, Any]

NAMESPACES = {"default": {}, "team-a": {"env": "prod"}, "team-b": {"env": "dev"}}
ZONE, REGION, HOSTNAME = "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "kubernetes.io/hostname"
CORDONED = {"effect": "NoSchedule", "key": "node.kubernetes.io/unschedulable"}


def _object(kind: str, name: str, api_version: str = "v1", **fields: Any) -> Object:
    metadata = {"name": name, **fields.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def namespaces() -> list[Object]:
    """The namespaces that every scenario has."""
    return [
        _object("Namespace", name, metadata={"labels": {**labels, "kubernetes.io/metadata.name": name}})
        for name, labels in NAMESPACES.items()
    ]


def node(
    name: str,
    allocatable: Mapping[str, str],
    *,
    labels: Mapping[str, str] = {},
    taints: Sequence[Mapping[str, str]] = (),
    images: Sequence[Mapping[str, Any]] = (),
    is_cordoned: bool = False,
) -> Object:
    """A ready node; one that is cordoned has the taint, too."""
    spec: Object = {"unschedulable": True} if is_cordoned else {}
    if every := [*taints, *([CORDONED] if is_cordoned else [])]:
        spec["taints"] = every
    status: Object = {
        "allocatable": dict(allocatable),
        "capacity": dict(allocatable),
        "conditions": [{"status": "True", "type": "Ready"}],
    }
    if images:
        status["images"] = list(images)
    return _object("Node", name, metadata={"labels": {HOSTNAME: name, **labels}}, spec=spec, status=status)


def container(
    name: str, requests: Mapping[str, str], *, image: str = "registry.example/web:1", **fields: Any
) -> Object:
    """A container with these requests, and a limit where a resource cannot be had without."""
    resources: Object = {"requests": dict(requests)} if requests else {}
    if limits := {resource: amount for resource, amount in requests.items() if not _can_be_exceeded(resource)}:
        resources["limits"] = limits
    return {"image": image, "name": name, "resources": resources, **fields}


def _can_be_exceeded(resource: str) -> bool:
    return "/" not in resource and not resource.startswith("hugepages-")


def pod(
    name: str,
    requests: Mapping[str, str] = {},
    *,
    namespace: str = "default",
    labels: Mapping[str, str] = {},
    node_name: str = "",
    nominated: str = "",
    priority: int = 0,
    started: str = "",
    owner: Object | None = None,
    **spec: Any,
) -> Object:
    """A pod, bound if it has a node; `spec` is added to what every pod has."""
    metadata: Object = {"labels": dict(labels), "namespace": namespace, "uid": f"{namespace}-{name}"}
    if owner is not None:
        metadata["ownerReferences"] = [owner]
    containers = spec.pop("containers", [container("c0", requests)])
    whole = {
        "containers": containers,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": priority,
        "schedulerName": "default-scheduler",
        **spec,
    }
    status: Object = {"phase": "Running" if node_name else "Pending"}
    if node_name:
        whole["nodeName"] = node_name
        status["startTime"] = started or "2026-01-01T00:00:00Z"
    elif nominated:
        status["nominatedNodeName"] = nominated
    return _object("Pod", name, metadata=metadata, spec=whole, status=status)


def key(each: Object) -> str:
    """Namespace and name."""
    return f"{each['metadata']['namespace']}/{each['metadata']['name']}"


def selecting(labels: Mapping[str, str]) -> Object:
    """A label selector that takes these labels."""
    return {"matchLabels": dict(labels)}


def namespaced(kind: str, name: str, api_version: str, namespace: str = "default", **fields: Any) -> Object:
    """Any other object of a namespace."""
    metadata = {"namespace": namespace, "uid": f"uid-{name}", **fields.pop("metadata", {})}
    return _object(kind, name, api_version, metadata=metadata, **fields)


def of_cluster(kind: str, name: str, api_version: str, **fields: Any) -> Object:
    """Any other object of the whole cluster."""
    return _object(kind, name, api_version, **fields)


def in_order(objects: Iterable[Object]) -> list[Object]:
    """Namespaces, nodes, bound pods, others, pending pods: the order of a scenario."""
    return sorted(objects, key=_rank)


def _rank(each: Object) -> int:
    if each["kind"] != "Pod":
        return {"Namespace": 0, "Node": 1}.get(each["kind"], 3)
    return 2 if each["spec"].get("nodeName") else 4
