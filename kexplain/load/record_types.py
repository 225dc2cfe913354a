"""Which objects become which record, by apiVersion and kind."""

from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, Rollout, StatefulSet
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
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
from kexplain.objects.karpenter import AKSNodeClass, EC2NodeClass, NodeClass, NodePool
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
    Rollout: ("argoproj.io/v1alpha1",),
    StatefulSet: _APPS,
    DaemonSet: _APPS,
    Job: ("batch/v1", "batch/v1beta1"),
    CronJob: ("batch/v1", "batch/v1beta1"),
    PodDisruptionBudget: ("policy/v1", "policy/v1beta1"),
    HorizontalPodAutoscaler: tuple(f"autoscaling/{version}" for version in ("v2", "v1", "v2beta2", "v2beta1")),
    PriorityClass: ("scheduling.k8s.io/v1", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha1"),
    PodGroup: tuple(f"scheduling.k8s.io/{version}" for version in ("v1beta1", "v1alpha3", "v1alpha2")),
    Workload: tuple(f"scheduling.k8s.io/{version}" for version in ("v1beta1", "v1alpha3", "v1alpha2", "v1alpha1")),
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
    NodeClass: ("eks.amazonaws.com/v1",),
    EC2NodeClass: ("karpenter.k8s.aws/v1", "karpenter.k8s.aws/v1beta1"),
    AKSNodeClass: ("karpenter.azure.com/v1beta1", "karpenter.azure.com/v1alpha2"),
    Event: ("v1", "events.k8s.io/v1", "events.k8s.io/v1beta1"),
}

_RECORDS = {(version, record.__name__): record for record, versions in API_VERSIONS.items() for version in versions}


#: What the apiVersions of other projects begin with: their records are read where there are some.
_OF_OTHERS = (
    "kueue.x-k8s.io/",
    "scheduling.",
    "karpenter.",
    "eks.amazonaws.com/",
    "cluster.x-k8s.io/",
    "machine.openshift.io/",
)
#: Those of other projects among the groups of Kubernetes.
_CUSTOM = (".x-k8s.io", "sparkoperator.k8s.io")
_CONFIG_MAP = ("v1", "ConfigMap")


def record_for(api_version: str, kind: str) -> type[KubernetesObject] | None:
    """The record that an object becomes, or None if nothing is read of its kind."""
    record = _RECORDS.get((api_version, kind))
    if record is None and (api_version.startswith(_OF_OTHERS) or (api_version, kind) == _CONFIG_MAP):
        return _other_record(api_version, kind)
    return record


def versions_of(record: type[KubernetesObject]) -> tuple[str, ...]:
    """The apiVersions under which a record is read, the newest first."""
    return API_VERSIONS[record] if record in API_VERSIONS else _other_versions()[record]


def is_of_others(api_version: str) -> bool:
    """Whether such an object is another project's, whose form nobody here vouches for."""
    return api_version.startswith(_OF_OTHERS) and not api_version.startswith("scheduling.k8s.io/")


def is_custom(api_version: str) -> bool:
    """Whether an API version is of another project, whose kinds may make pods."""
    group = api_version.rpartition("/")[0]
    return "." in group and (not group.endswith(".k8s.io") or group.endswith(_CUSTOM))


def _other_record(api_version: str, kind: str) -> type[KubernetesObject] | None:
    for record, versions in _other_versions().items():
        if record.__name__ == kind and api_version in versions:
            return record
    return None


def _other_versions() -> dict[type[KubernetesObject], tuple[str, ...]]:
    # Few clusters have queues, or tell of their autoscalers.
    from kexplain.objects.cluster_autoscaler import ConfigMap  # noqa: PLC0415
    from kexplain.objects.node_claims import NODE_CLAIM_VERSIONS  # noqa: PLC0415
    from kexplain.objects.queues import QUEUE_VERSIONS  # noqa: PLC0415

    return {**QUEUE_VERSIONS, **NODE_CLAIM_VERSIONS, ConfigMap: _CORE}


def item_kind(kind: str) -> str | None:
    """The kind that a typed list such as `NodeList` holds; None for `List`, whose items name their own."""
    return None if kind == "List" else kind.removesuffix("List")
