"""Which objects become which record, by apiVersion and kind."""

from __future__ import annotations

from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import (
    LimitRange,
    Namespace,
    Node,
    Pod,
    PodTemplate,
    ReplicationController,
    ResourceQuota,
    Service,
    ServiceAccount,
)
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.events import Event
from kexplain.objects.karpenter import NodePool
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.objects.scheduling import PodGroup, PriorityClass, Workload
from kexplain.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    StorageClass,
    VolumeAttachment,
)

_CORE = ("v1",)
_STORAGE = ("storage.k8s.io/v1", "storage.k8s.io/v1beta1")
_APPS = ("apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1")
_RESOURCE = ("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3")

#: The apiVersions under which each record is read; a kind is added by adding its line.
API_VERSIONS: dict[type[KubernetesObject], tuple[str, ...]] = {
    Pod: _CORE,
    Node: _CORE,
    Namespace: _CORE,
    Service: _CORE,
    ReplicationController: _CORE,
    PodTemplate: _CORE,
    LimitRange: _CORE,
    ResourceQuota: _CORE,
    ServiceAccount: _CORE,
    PersistentVolume: _CORE,
    PersistentVolumeClaim: _CORE,
    Deployment: _APPS,
    ReplicaSet: _APPS,
    StatefulSet: _APPS,
    DaemonSet: _APPS,
    Job: ("batch/v1", "batch/v1beta1"),
    CronJob: ("batch/v1", "batch/v1beta1"),
    PodDisruptionBudget: ("policy/v1", "policy/v1beta1"),
    PriorityClass: ("scheduling.k8s.io/v1", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha1"),
    PodGroup: ("scheduling.k8s.io/v1alpha2",),
    Workload: ("scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/v1alpha1"),
    RuntimeClass: ("node.k8s.io/v1", "node.k8s.io/v1beta1", "node.k8s.io/v1alpha1"),
    StorageClass: _STORAGE,
    CSINode: _STORAGE,
    CSIDriver: _STORAGE,
    CSIStorageCapacity: _STORAGE,
    VolumeAttachment: _STORAGE,
    DeviceClass: _RESOURCE,
    ResourceSlice: _RESOURCE,
    ResourceClaim: _RESOURCE,
    ResourceClaimTemplate: _RESOURCE,
    DeviceTaintRule: ("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1alpha3"),
    NodePool: ("karpenter.sh/v1", "karpenter.sh/v1beta1"),
    Event: ("v1", "events.k8s.io/v1", "events.k8s.io/v1beta1"),
}

_RECORDS = {(version, record.__name__): record for record, versions in API_VERSIONS.items() for version in versions}


def record_for(api_version: str, kind: str) -> type[KubernetesObject] | None:
    """The record that an object becomes, or None if scheduling does not read its kind."""
    return _RECORDS.get((api_version, kind))


def item_kind(kind: str) -> str | None:
    """The kind that a typed list such as `NodeList` holds; None for `List`, whose items name their own."""
    return None if kind == "List" else kind.removesuffix("List")
