"""The constraints that the scheduler itself adds for pods of Services, ReplicaSets and their like."""

from __future__ import annotations

from tests.recorder.draw import Draw
from tests.recorder.objects import Object, container, namespaced, selecting
from tests.recorder.world import APPS, World


def world(draw: Draw) -> World:
    """Pods that something selects, or owns."""
    here = World(draw, nodes=(4, 14), room={"pods": ("10", "110"), "cpu": ("8", "16"), "memory": ("16Gi", "32Gi")})
    here.run(3, namespace="default")
    owners: dict[str, Object] = {}
    for app in draw.some(APPS, 4, 1):
        kind, made = _selecting(draw, app)
        here.objects.append(made)
        if kind != "Service":
            owners[app] = {
                "apiVersion": made["apiVersion"],
                "controller": True,
                "kind": kind,
                "name": made["metadata"]["name"],
                "uid": made["metadata"]["uid"],
            }
    for _ in range(draw.number(1, 4)):
        app = draw.one(APPS)
        here.ask(namespace="default", labels={"app": app}, owner=owners.get(app))
    return here


def _selecting(draw: Draw, app: str) -> tuple[str, Object]:
    kind = draw.one(("Service", "ReplicaSet", "StatefulSet", "ReplicationController"))
    template = {"metadata": {"labels": {"app": app}}, "spec": {"containers": [container("c0", {})]}}
    match kind:
        case "Service":
            return kind, namespaced(kind, app, "v1", spec={"ports": [{"port": 80}], "selector": {"app": app}})
        case "ReplicationController":
            spec = {"replicas": 2, "selector": {"app": app}, "template": template}
            return kind, namespaced(kind, app, "v1", spec=spec)
    spec = {"replicas": 2, "selector": selecting({"app": app}), "template": template}
    return kind, namespaced(kind, app, "apps/v1", spec=spec)
