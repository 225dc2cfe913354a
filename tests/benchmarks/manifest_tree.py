"""A tree of manifests as a large repository has it, and a cluster that its replicas are to be placed on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import yaml

from kexplain.objects.well_known import HOSTNAME, ZONE

Json = dict[str, Any]

MANIFESTS = 2_000
_DIRECTORIES = 40
_KINDS = ("Deployment", "Deployment", "Deployment", "StatefulSet", "CronJob")
_VARIABLES = 24
_ZONES = ("zone-a", "zone-b", "zone-c")


def cached(directory: Path) -> Path:
    """The tree: 2,000 manifests of 2.5 kB each, one a file."""
    root = directory / f"manifests-{MANIFESTS}"
    if not root.exists():
        for index in range(MANIFESTS):
            path = root / f"team-{index % _DIRECTORIES}" / f"app-{index}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(yaml.safe_dump(_manifest(index), sort_keys=False))
    return root


def cached_cluster(nodes: int, directory: Path) -> Path:
    """A dump of empty nodes in three zones."""
    path = directory / f"empty-nodes-{nodes}.json"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        items = [_node(f"node-{index}", _ZONES[index % len(_ZONES)]) for index in range(nodes)]
        path.write_bytes(msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items}))
    return path


def cached_replicas(replicas: int, workloads: int, directory: Path) -> Path:
    """One file of Deployments that ask for so many replicas together."""
    path = directory / f"replicas-{replicas}-{workloads}.yaml"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        documents = [_deployment(index, replicas // workloads) for index in range(workloads)]
        path.write_text(yaml.safe_dump_all(documents, sort_keys=False))
    return path


def _node(name: str, zone: str) -> Json:
    resources = {"cpu": "16", "memory": "64Gi", "pods": "110", "ephemeral-storage": "100Gi"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOSTNAME: name, ZONE: zone, "kubernetes.io/os": "linux"}},
        "status": {"allocatable": resources, "capacity": resources, "nodeInfo": {"kubeletVersion": "v1.36.1"}},
    }


def _manifest(index: int) -> Json:
    kind = _KINDS[index % len(_KINDS)]
    if kind == "CronJob":
        template = _template(index, restart_policy="OnFailure")
        job = {"spec": {"backoffLimit": 2, "template": template}}
        spec: Json = {"schedule": "*/5 * * * *", "concurrencyPolicy": "Forbid", "jobTemplate": job}
        return {"apiVersion": "batch/v1", "kind": kind, "metadata": _metadata(index), "spec": spec}
    manifest = _deployment(index, 1 + index % 4)
    if kind == "StatefulSet":
        manifest["kind"] = kind
        manifest["spec"].pop("strategy")
        manifest["spec"]["serviceName"] = f"app-{index}"
    return manifest


def _deployment(index: int, replicas: int) -> Json:
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": _labels(index)},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}},
        "template": _template(index),
    }
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": _metadata(index), "spec": spec}


def _labels(index: int) -> Json:
    return {"app.kubernetes.io/name": f"app-{index}", "app.kubernetes.io/part-of": f"team-{index % _DIRECTORIES}"}


def _metadata(index: int) -> Json:
    return {"name": f"app-{index}", "namespace": f"team-{index % _DIRECTORIES}", "labels": _labels(index)}


def _template(index: int, restart_policy: str = "Always") -> Json:
    variables = [{"name": f"SETTING_{each}", "value": f"value-{each}-{index}"} for each in range(_VARIABLES)]
    probe = {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 10}
    container = {
        "name": "app",
        "image": f"registry.example/app-{index}:v1.{index % 10}",
        "env": variables,
        "ports": [{"name": "http", "containerPort": 8080}],
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "128Mi"}},
        "livenessProbe": probe,
        "readinessProbe": probe,
        "volumeMounts": [{"name": "settings", "mountPath": "/etc/app"}],
    }
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": _labels(index)},
    }
    spec = {
        "restartPolicy": restart_policy,
        "serviceAccountName": f"app-{index}",
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "topologySpreadConstraints": [spread],
        "containers": [container],
        "volumes": [{"name": "settings", "configMap": {"name": f"app-{index}"}}],
    }
    return {"metadata": {"labels": _labels(index)}, "spec": spec}
