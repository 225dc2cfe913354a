"""What scheduling reads of a pod, as one text: pods with the same one fare alike."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.objects.core import Pod, PodSpec, PodStatus, Volume
from kexplain.objects.resource import DeviceClass

#: Unlike msgpack, JSON takes whole numbers of any size, which quantities may be.
_encode = msgspec.json.Encoder().encode
_UNREAD = Volume()


def scheduling_key(pod: Pod, cluster: Cluster) -> bytes | None:
    """The key of the pod in that cluster; None if it has claims of its own, which tell it from every other pod.

    An API server gives every pod a name, times and a volume for its token; none of that is part of the key.
    """
    has_own_volumes = any(volume.ephemeral is not None for volume in pod.spec.volumes or ())
    if has_own_volumes or pod.spec.resource_claims or _may_get_devices(pod, cluster):
        return None
    owner = pod.metadata.controller
    controller = (owner.api_version, owner.kind, owner.name) if owner else None
    identity = (pod.namespace, pod.metadata.labels, controller, pod.metadata.deletion_timestamp)
    return _encode((identity, _read_of_spec(pod.spec), _read_of_status(pod.status)))


def _may_get_devices(pod: Pod, cluster: Cluster) -> bool:
    """Whether devices may stand behind a resource that the pod requests: a claim is made for those."""
    if not cluster.listers.every(DeviceClass):
        return False
    return any(cluster.pod_info(pod).resource.requested.scalars.values())


def _read_of_spec(spec: PodSpec) -> PodSpec:
    """The spec with those volumes only that bear on the decision, whose names do not."""
    volumes = (replace(volume, name=None) for volume in spec.volumes or ())
    read = tuple(volume for volume in volumes if volume != _UNREAD)
    return replace(spec, volumes=read or None, service_account_name=None, active_deadline_seconds=None)


def _read_of_status(status: PodStatus) -> PodStatus:
    """The status without what is said of the pod; that it is being resized bears on its requests."""
    resizing = tuple(each for each in status.conditions or () if each.type == "PodResizePending")
    return replace(status, phase=None, start_time=None, conditions=resizing or None)
