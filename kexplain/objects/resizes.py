"""Pods whose kubelet has not given them yet what they ask for since they were resized in place."""

from msgspec.structs import replace

from kexplain.objects.core import Pod, ResourceRequirements

#: The condition of a pod whose resize was not begun, and the reason while there is no room for it.
RESIZE_PENDING, DEFERRED = "PodResizePending", "Deferred"


def is_deferred(pod: Pod) -> bool:
    """Whether its resize waits for room on its node."""
    return any(each.type == RESIZE_PENDING and each.reason == DEFERRED for each in pod.status.conditions or ())


def as_given(pod: Pod) -> Pod:
    """The pod with what its kubelet has given its containers, where a resize has not been done."""
    if not any(each.type == RESIZE_PENDING for each in pod.status.conditions or ()):
        return pod
    given = {each.name: each.allocated_resources for each in pod.status.container_statuses or ()}
    containers = tuple(
        replace(each, resources=replace(each.resources or ResourceRequirements(), requests=requests))
        if (requests := given.get(each.name or "")) is not None
        else each
        for each in pod.spec.containers or ()
    )
    return replace(pod, spec=replace(pod.spec, containers=containers))
