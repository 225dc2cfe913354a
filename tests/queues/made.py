"""Objects of queues for tests, as they are written."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from kexplain.cluster import Listers
from kexplain.diagnosis.records import Hold
from kexplain.load import load
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.queues.held import hold
from kexplain.queues.kueue import Workloads


def read(*objects: dict[str, Any]) -> list[KubernetesObject]:
    """What loading makes of these objects of a list."""
    dump = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
    return [*load(["-"], stdin=BytesIO(json.dumps(dump).encode())).objects]


def held(pod: Pod, *objects: dict[str, Any], made_of: KubernetesObject | None = None) -> Hold | None:
    """What holds the pod back, in a cluster with these objects."""
    found = hold(pod, Workloads(Listers.of(read(*objects))), made_of)
    return found.hold if found else None


def workload(name: str = "train", reason: str = "", message: str = "", **spec: Any) -> dict[str, Any]:
    """A Workload of Kueue in namespace a, which has no quota for this reason."""
    conditions = [{"type": "QuotaReserved", "status": "False", "reason": reason, "message": message}] if reason else []
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": name, "namespace": "a", "creationTimestamp": spec.pop("created", "2026-11-02T08:00:00Z")},
        "spec": {"queueName": "q", "podSets": [{"name": "main", "count": 1}], **spec},
        "status": {"conditions": conditions},
    }


def local_queue(name: str = "q", cluster_queue: str = "cq", **spec: Any) -> dict[str, Any]:
    """A LocalQueue in namespace a."""
    metadata = {"name": name, "namespace": "a"}
    spec = {"clusterQueue": cluster_queue, **spec}
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": metadata, "spec": spec}


def cluster_queue(
    name: str = "cq", nominal: str = "8", used: str = "8", *, cohort: str = "", lending: str = "", **spec: Any
) -> dict[str, Any]:
    """A ClusterQueue with one flavor of one resource."""
    quota = {"name": "cpu", "nominalQuota": nominal, **({"lendingLimit": lending} if lending else {})}
    groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [quota]}]}]
    usage = [{"name": "f", "resources": [{"name": "cpu", "total": used, "borrowed": "0"}]}]
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": name},
        "spec": {"resourceGroups": groups, **({"cohortName": cohort} if cohort else {}), **spec},
        "status": {"flavorsReservation": usage},
    }


def pod_group(api_version: str, spec: Any, status: Any, name: str = "g") -> dict[str, Any]:
    """A PodGroup in namespace a, of any project."""
    metadata = {"name": name, "namespace": "a"}
    return {"apiVersion": api_version, "kind": "PodGroup", "metadata": metadata, "spec": spec, "status": status}
