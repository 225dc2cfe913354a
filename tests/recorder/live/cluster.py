"""A cluster that is written to: the requests that a recorder makes of its API."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from kubernetes import client, config

from tests.recorder.objects import Object

#: A namespace that says of a cluster that it may be filled and emptied.
MARK = "made-for-recording"
#: What a scheduler reads, and where it is listed; a kind that a release does not serve is left out.
LISTS: Mapping[str, str] = {
    "Namespace": "/api/v1/namespaces",
    "Node": "/api/v1/nodes",
    "Pod": "/api/v1/pods",
    "Service": "/api/v1/services",
    "ReplicationController": "/api/v1/replicationcontrollers",
    "ReplicaSet": "/apis/apps/v1/replicasets",
    "StatefulSet": "/apis/apps/v1/statefulsets",
    "PodDisruptionBudget": "/apis/policy/v1/poddisruptionbudgets",
    "PriorityClass": "/apis/scheduling.k8s.io/v1/priorityclasses",
    "StorageClass": "/apis/storage.k8s.io/v1/storageclasses",
    "CSINode": "/apis/storage.k8s.io/v1/csinodes",
    "PersistentVolume": "/api/v1/persistentvolumes",
    "PersistentVolumeClaim": "/api/v1/persistentvolumeclaims",
}
_MERGE = "application/merge-patch+json"
_LOOK_AGAIN = 0.1


class LiveError(Exception):
    """The cluster cannot be used, or did not do what every cluster does."""


class LiveCluster:
    """The cluster of a kubeconfig. Every method raises LiveError where the API server refuses."""

    def __init__(self, kubeconfig: str, context: str | None = None) -> None:
        self._api = config.new_client_from_config(kubeconfig, context)

    @property
    def minor(self) -> str:
        """The release, such as 1.36."""
        version = self.get("/version")
        return f"{version['major']}.{version['minor'].rstrip('+')}"

    def is_made_for_this(self) -> bool:
        """Whether somebody has said that it may be filled and emptied."""
        return self.find(f"/api/v1/namespaces/{MARK}") is not None

    def get(self, path: str) -> Any:
        """What is there."""
        return self._done("GET", path)

    def find(self, path: str) -> Any:
        """The same, None if there is nothing."""
        try:
            return self._call("GET", path)
        except client.ApiException as fault:
            if fault.status == HTTPStatus.NOT_FOUND:
                return None
            raise LiveError(_words(fault)) from fault

    def create(self, path: str, body: Object, patience: float = 0) -> Object:
        """Create an object; admission gets so many seconds to learn of what was made just before."""
        created: Object = self._done("POST", path, body, patience)
        return created

    def patch(self, path: str, body: Object) -> Object:
        """Merge into an object."""
        patched: Object = self._done("PATCH", path, body)
        return patched

    def delete(self, path: str) -> None:
        """Delete an object at once, if it is still there."""
        try:
            self._call("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
        except client.ApiException as fault:
            if fault.status not in {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT}:
                raise LiveError(_words(fault)) from fault

    def objects(self) -> list[Object]:
        """Everything that a scheduler reads, as `kubectl get -A -o json` has it."""
        found = []
        for kind, path in LISTS.items():
            answer = self.find(path) or {"items": [], "apiVersion": "v1"}
            found += [{"apiVersion": answer["apiVersion"], "kind": kind, **each} for each in answer["items"]]
        return found

    def until(self, look: Callable[[], Any], seconds: float, what: str) -> Any:
        """What `look` finds as soon as it finds something. Raises LiveError if it does not in time."""
        deadline = time.monotonic() + seconds
        while not (found := look()):
            if time.monotonic() > deadline:
                raise LiveError(f"{what}: nothing after {seconds:.0f} s")
            time.sleep(_LOOK_AGAIN)
        return found

    def settle(self, seconds: float = 60, still: float = 1) -> list[Object]:
        """The objects once none of them has moved for a while. Raises LiveError if they do not come to rest."""
        deadline = time.monotonic() + seconds
        before, since = self.objects(), time.monotonic()
        while time.monotonic() - since < still:
            if time.monotonic() > deadline:
                raise LiveError(f"objects still move after {seconds:.0f} s")
            time.sleep(_LOOK_AGAIN)
            now = self.objects()
            if _versions(now) != _versions(before):
                before, since = now, time.monotonic()
        return before

    def _done(self, method: str, path: str, body: Object | None = None, patience: float = 0) -> Any:
        deadline = time.monotonic() + patience
        while True:
            try:
                return self._call(method, path, body)
            except client.ApiException as fault:
                if fault.status != HTTPStatus.FORBIDDEN or time.monotonic() >= deadline:
                    raise LiveError(f"{method} {path}: {_words(fault)}") from fault
                time.sleep(_LOOK_AGAIN)

    def _call(self, method: str, path: str, body: Object | None = None) -> Any:
        headers = {"Accept": "application/json", "Content-Type": _MERGE if method == "PATCH" else "application/json"}
        answer = self._api.call_api(
            path,
            method,
            header_params=headers,
            body=body,
            auth_settings=["BearerToken"],
            _return_http_data_only=True,
            _preload_content=False,
            _request_timeout=30,
        )
        return json.loads(answer.data)


def _versions(objects: list[Object]) -> list[tuple[str, str]]:
    # A node's heartbeats move it all the time.
    return [
        (each["metadata"]["uid"], each["metadata"]["resourceVersion"]) for each in objects if each["kind"] != "Node"
    ]


def _words(fault: client.ApiException) -> str:
    return f"{fault.status} {fault.reason}: {str(fault.body)[:500]}"
