"""Notes on requests that admission adds: people look for these numbers in their manifests and do not find them."""

from collections.abc import Iterator

from kexplain.objects.core import PodSpec
from kexplain.objects.meta import ResourceList


def request_notes(before: PodSpec, after: PodSpec) -> Iterator[str]:
    """A note for each container that gets requests, and one for an overhead that is added."""
    for old, new in zip(before.every_container, after.every_container, strict=False):
        limits = old.limits
        added = {name: raw for name, raw in new.requests.items() if name not in old.requests}
        # Extended resources are usually written as limits only, so a note would say nothing new.
        from_limits = {name: raw for name, raw in added.items() if name in limits and "/" not in name}
        from_range = {name: raw for name, raw in added.items() if name not in limits}
        if from_limits:
            yield f"container {new.name} requests as much as its limits: {_list(from_limits)}"
        if from_range:
            yield f"container {new.name} gets the default requests of a LimitRange: {_list(from_range)}"
    if after.overhead and not before.overhead:
        yield f"RuntimeClass {after.runtime_class_name} adds an overhead of {_list(after.overhead)}"


def _list(resources: ResourceList) -> str:
    return ", ".join(f"{raw} {name}" for name, raw in resources.items())
