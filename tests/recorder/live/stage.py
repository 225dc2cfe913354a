"""A scenario's cluster put on a real one, as far as an API server lets anybody do that."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from tests.recorder.objects import Object

from .cluster import LiveCluster

#: Labels what a recorder made.
OWN = {"kexplain.dev/recorder": "true"}
#: Admission learns of classes of priority a moment after they were made.
_SECONDS_OF_ADMISSION = 5
_SECONDS = 30
#: No controllers: those of a cluster would count the pods, make further ones, and take away the very one that is tried.
_PATHS = {
    "Service": "/api/v1/namespaces/{namespace}/services",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets",
}
_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"
_NOT_READY = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


class _Class(NamedTuple):
    """What a PriorityClass is made for."""

    value: int
    policy: str


class Stage:
    """Namespaces, nodes and pods of a scenario, with names of their own; gone again at the end."""

    def __init__(self, cluster: LiveCluster, scenario: Object, number: int) -> None:
        self._cluster = cluster
        # Namespaces take their time to go.
        self._prefix = f"rec-{int(time.time()):x}-{number}"
        self._classes: set[_Class] = set()
        self._nodes: list[str] = []
        self._objects: list[Object] = copy.deepcopy(scenario["objects"])

    def __enter__(self) -> Stage:
        for each in self._of("Namespace"):
            self._make_namespace(each)
        for each in self._of("Node"):
            self._make_node(each)
        for kind, path in _PATHS.items():
            for each in self._of(kind):
                self._make(each, path)
        for each in self._of("Pod"):
            if each["spec"].get("nodeName"):
                self._make_running(each)
        return self

    def __exit__(self, *_: object) -> None:
        for namespace in self._namespaces():
            for pod in self._cluster.get(f"/api/v1/namespaces/{namespace}/pods")["items"]:
                self._cluster.delete(f"/api/v1/namespaces/{namespace}/pods/{pod['metadata']['name']}")
            self._cluster.delete(f"/api/v1/namespaces/{namespace}")
        for name in self._nodes:
            self._cluster.delete(f"/api/v1/nodes/{name}")
            self._cluster.delete(f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{name}")
        for kind in self._classes:
            self._cluster.delete(f"{_CLASSES}/{self._class_name(kind)}")
        # Pods of daemon sets that came with the nodes go with them.
        self._cluster.until(lambda: not self._left_over(), _SECONDS, "pods of nodes that are gone")

    def waiting(self) -> Iterator[Object]:
        """The manifests of the pods that are to be placed, in order; nobody tries those of other schedulers."""
        for each in self._of("Pod"):
            spec = each["spec"]
            if not spec.get("nodeName") and spec["schedulerName"] == "default-scheduler":
                yield self._renamed(each)

    def create(self, manifest: Object) -> Object:
        """Create one of them."""
        namespace = manifest["metadata"]["namespace"]
        return self._cluster.create(f"/api/v1/namespaces/{namespace}/pods", manifest, _SECONDS_OF_ADMISSION)

    def beat(self) -> None:
        """Say of every node that it is alive, as its kubelet would."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        for name in self._nodes:
            path = f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{name}"
            self._cluster.patch(path, {"spec": {"renewTime": now}})

    def _of(self, kind: str) -> list[Object]:
        return [each for each in self._objects if each["kind"] == kind]

    def _namespaces(self) -> list[str]:
        return [self._namespace(each["metadata"]["name"]) for each in self._of("Namespace")]

    def _namespace(self, name: str) -> str:
        return f"{self._prefix}-{name}"

    def _make_namespace(self, each: Object) -> None:
        name = self._namespace(each["metadata"]["name"])
        labels = {key: value for key, value in each["metadata"]["labels"].items() if "kubernetes.io" not in key}
        body = {"metadata": {"labels": {**labels, **OWN}, "name": name}}
        self._cluster.create("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", **body})
        path = f"/api/v1/namespaces/{name}/serviceaccounts"
        deadline = time.monotonic() + 2
        while self._cluster.find(f"{path}/default") is None:
            # Where no controller makes it, nobody else will.
            if time.monotonic() > deadline:
                account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
                self._cluster.create(path, account)

    def _make_node(self, each: Object) -> None:
        name = each["metadata"]["name"]
        self._nodes.append(name)
        each["metadata"]["labels"] |= OWN
        status = each.pop("status")
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        ready = {"lastHeartbeatTime": now, "lastTransitionTime": now, "reason": "Recorded", "message": ""}
        status["conditions"] = [{"status": "True", "type": "Ready", **ready}]
        lease = {"holderIdentity": name, "leaseDurationSeconds": 40}
        body = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name}, "spec": lease}
        self._cluster.create("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", body)
        self._cluster.create("/api/v1/nodes", each)
        self._cluster.patch(f"/api/v1/nodes/{name}/status", {"status": status})
        # An API server taints new nodes until somebody finds them ready.
        self._cluster.patch(f"/api/v1/nodes/{name}", {"spec": {"taints": each["spec"].get("taints", [])}})
        self._cluster.until(lambda: self._is_ready(name), _SECONDS, f"node {name}")
        self.beat()

    def _is_ready(self, name: str) -> bool:
        taints = self._cluster.get(f"/api/v1/nodes/{name}")["spec"].get("taints") or []
        return not any(taint["key"] in _NOT_READY for taint in taints)

    def _make(self, each: Object, path: str) -> None:
        renamed = self._renamed(each)
        namespace = renamed["metadata"]["namespace"]
        collection = path.format(namespace=namespace)
        status = renamed.pop("status", None)
        made = self._cluster.create(collection, renamed)
        if status is not None and each["kind"] == "PodDisruptionBudget":
            status["observedGeneration"] = made["metadata"].get("generation", 1)
            self._cluster.patch(f"{collection}/{made['metadata']['name']}/status", {"status": status})

    def _make_running(self, each: Object) -> None:
        status = each["status"]
        made = self.create(self._renamed(each))
        path = f"/api/v1/namespaces/{made['metadata']['namespace']}/pods/{made['metadata']['name']}"
        ready = [{"status": "True", "type": "Ready"}]
        self._cluster.patch(f"{path}/status", {"status": {**status, "conditions": ready}})

    def _renamed(self, each: Object) -> Object:
        """The object in the namespace of this stage, without what only an API server may fill in."""
        renamed = copy.deepcopy(each)
        metadata = renamed["metadata"]
        for field in ("uid", "ownerReferences"):
            metadata.pop(field, None)
        metadata["namespace"] = self._namespace(metadata["namespace"])
        metadata.setdefault("labels", {}).update(OWN)
        if renamed["kind"] == "Pod":
            renamed.pop("status", None)
            self._fit_for_admission(renamed["spec"])
        return renamed

    def _fit_for_admission(self, spec: Object) -> None:
        """Priorities come from classes, overheads from runtime classes, which the generators do without."""
        spec.pop("overhead", None)
        spec["terminationGracePeriodSeconds"] = 0
        kind = _Class(spec.pop("priority", 0), spec.pop("preemptionPolicy", "PreemptLowerPriority"))
        if kind not in self._classes:
            self._classes.add(kind)
            metadata = {"labels": OWN, "name": self._class_name(kind)}
            body = {"preemptionPolicy": kind.policy, "value": kind.value, "metadata": metadata}
            self._cluster.create(_CLASSES, {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", **body})
        spec["priorityClassName"] = self._class_name(kind)

    def _class_name(self, kind: _Class) -> str:
        sign = "minus-" if kind.value < 0 else ""
        return f"{self._prefix}-{sign}{abs(kind.value)}-{kind.policy.lower()}"

    def _left_over(self) -> list[Object]:
        pods = self._cluster.get("/api/v1/pods")["items"]
        left = [each for each in pods if each["spec"].get("nodeName") in self._nodes]
        for each in left:
            metadata = each["metadata"]
            self._cluster.delete(f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}")
        return left
