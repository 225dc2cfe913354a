"""What admission did to a pod's requests, in words: people look for such numbers in vain in their manifests."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.objects.core import Container, PodSpec
from kexplain.objects.meta import ResourceList


def request_notes(before: PodSpec, after: PodSpec) -> Iterator[str]:
    """A note a container that got requests, and one for an overhead that was added."""
    pairs = [
        *zip(before.init_containers or (), after.init_containers or (), strict=False),
        *zip(before.containers or (), after.containers or (), strict=False),
    ]
    for old, new in pairs:
        added = {name: raw for name, raw in _requests(new).items() if name not in _requests(old)}
        limits = old.resources.limits if old.resources else None
        from_limits = {name: raw for name, raw in added.items() if limits and name in limits}
        from_range = {name: raw for name, raw in added.items() if name not in from_limits}
        # An extended resource is usually written as a limit only: that surprises nobody.
        from_limits = {name: raw for name, raw in from_limits.items() if "/" not in name}
        if from_limits:
            yield f"container {new.name} requests what its limits say: {_list(from_limits)}"
        if from_range:
            yield f"container {new.name} requests a LimitRange's default: {_list(from_range)}"
    if after.overhead and not before.overhead:
        yield f"RuntimeClass {after.runtime_class_name} adds an overhead of {_list(after.overhead)}"


def _requests(container: Container) -> ResourceList:
    return (container.resources.requests if container.resources else None) or {}


def _list(resources: ResourceList) -> str:
    return ", ".join(f"{raw} {name}" for name, raw in resources.items())
