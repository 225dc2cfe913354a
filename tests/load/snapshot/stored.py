"""Snapshots whose pods are not made before somebody asks for them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from kexplain.load.loaded import Loaded
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from kexplain.objects.collection import Objects
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import node, pod
from tests.load.snapshot.dumps import read


def running(name: str, on: str = "n1", **fields: Any) -> Pod:
    """A pod of a cluster that runs there."""
    return pod(name, node=on, **{"uid": f"uid-{name}", "phase": "Running", **fields})


def snapshot_of(*objects: KubernetesObject) -> Objects:
    """The objects of a snapshot of a node and these."""
    whole = node("n1")
    loaded = Loaded()
    loaded.objects += [replace(whole, metadata=replace(whole.metadata, uid="uid-n1")), *objects]
    return read(encode_snapshot(loaded, taken_at="")).objects
