"""Pods of a cluster for tests, as they are written."""

from __future__ import annotations

from typing import Any

from kexplain.bound.stopped import stopped
from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Hold
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from tests.factories import cluster, node
from tests.queues.made import read


def made(status: dict[str, Any], **more: Any) -> Pod:
    """A pod on n1 with this status; `more` is spec, and `metadata` besides."""
    metadata = {"name": "web", "namespace": "a", "uid": "u", **more.pop("metadata", {})}
    spec = {"nodeName": "n1", "containers": [{"name": "c"}], **more}
    (pod,) = read({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status})
    assert isinstance(pod, Pod)
    return pod


def event(reason: str, message: str = "words", **fields: Any) -> Event:
    """An event about that pod."""
    about = {"kind": "Pod", "namespace": "a", "name": "web"}
    written = {"reason": reason, "message": message, "involvedObject": about, **fields}
    (found,) = read({"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": "a"}, **written})
    assert isinstance(found, Event)
    return found


def why(pod: Pod, *events: Event, around: Cluster | None = None) -> Hold | None:
    """What is found, in a cluster of one node."""
    found = stopped(pod, events, around or cluster([node("n1")]))
    return found.hold if found else None
