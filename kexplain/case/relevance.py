"""Which kinds of objects bear on the decision about some pods."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.admission import is_from_cluster
from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import above
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.core import (
    LimitRange,
    Namespace,
    Pod,
    PodMeta,
    PodTemplateSpec,
    ReplicationController,
    ResourceQuota,
    Service,
    ServiceAccount,
    Volume,
)
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.objects.scheduling import PodGroup, PriorityClass, RuntimeClass, Workload
from kexplain.objects.storage import CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME

_SPREADING = (Service, ReplicationController, ReplicaSet, StatefulSet)
_STORAGE = (
    PersistentVolumeClaim, PersistentVolume, StorageClass, CSINode, VolumeAttachment, CSIDriver, CSIStorageCapacity,
)  # fmt: skip
_DEVICES = (DeviceClass, DeviceTaintRule, ResourceSlice, ResourceClaim, ResourceClaimTemplate)
_GROUPS = (PodGroup, Workload)
_CREATION = (LimitRange, PriorityClass, ResourceQuota, ServiceAccount)
_OTHERS = (RuntimeClass, PodDisruptionBudget, HorizontalPodAutoscaler)
#: Kinds that bear on some pods only; on what others bear was asked for by name.
_BY_POD = frozenset((*_SPREADING, *_STORAGE, *_DEVICES, *_GROUPS, *_CREATION, *_OTHERS))
_NO_SOURCE = Volume()


def bears_on(kind: type[KubernetesObject], pods: Sequence[PodToPlace], cluster: Cluster) -> bool:
    """Whether objects of the kind could make a difference to any of the pods."""
    if kind is Namespace:
        running = (info.pod for node_info in cluster.node_infos for info in node_info.pods_with_affinity)
        return any(map(_selects_namespaces, (*running, *(placed.pod for placed in pods))))
    if kind.__name__ in WORKLOAD_KIND_BY_NAME and kind not in _SPREADING:
        # Of all that is pending it may be that none has been created.
        return not pods or any(kind.__name__ in _makers(placed.pod, cluster) for placed in pods)
    return kind not in _BY_POD or any(_bears_on(kind, placed, cluster) for placed in pods)


def _bears_on(kind: type[KubernetesObject], placed: PodToPlace, cluster: Cluster) -> bool:
    pod, spec = placed.pod, placed.pod.spec
    is_new = not (isinstance(placed.made_of, Pod) and is_from_cluster(placed.made_of))
    if kind in _SPREADING:
        return bool(pod.labels) and not spec.topology_spread_constraints
    if kind in _CREATION:
        return is_new
    if kind in _GROUPS:
        return pod.group is not None
    if kind is RuntimeClass:
        return is_new and bool(spec.runtime_class_name)
    if kind is PodDisruptionBudget:
        return spec.preemption_policy != "Never" and _is_above_others(pod, cluster)
    if kind in _STORAGE:
        return any(replace(volume, name=None, empty_dir=None) != _NO_SOURCE for volume in spec.volumes or ())
    return kind in _DEVICES and bool(spec.resource_claims or cluster.pod_info(pod).resource.requested.scalars)


def _is_above_others(pod: Pod, cluster: Cluster) -> bool:
    return any(each.priority < pod.priority for each in cluster.pods)


def _makers(pod: Pod, cluster: Cluster) -> Iterator[str]:
    """The kinds of what made a pod, as far as it tells, or its replica set."""
    sets = cluster.listers
    found = above(pod, pod.namespace, lambda by: sets.get(ReplicaSet, by[2], by[1]) if by[0] == "ReplicaSet" else None)
    return (kind for kind, *_ in found)


def _selects_namespaces(pod: Pod) -> bool:
    affinity = pod.spec.affinity
    return affinity is not None and any(term.namespace_selector is not None for term in affinity.pod_terms)


def runs(obj: KubernetesObject) -> bool:
    """Whether it is a pod that a cluster runs."""
    return isinstance(obj, Pod) and bool(obj.spec.node_name and obj.metadata.uid) and not obj.is_terminated


def is_said_of(pod: Pod, text: str) -> bool:
    """Whether the scheduler has said something of a pod of the cluster, such as that a claim is not there."""
    return any(text in (each.message or "") for each in pod.status.conditions or () if each.type == "PodScheduled")


def as_pod(obj: KubernetesObject) -> Pod:
    """A pod, or one as a template makes it."""
    if isinstance(obj, Pod):
        return obj
    template = template_of(obj) or PodTemplateSpec()
    return Pod(metadata=PodMeta(namespace=obj.namespace), spec=template.spec)
