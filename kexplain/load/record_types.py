"""Which objects become which record, by apiVersion and kind."""

from functools import cache

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
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.objects.scheduling import PodGroup, PriorityClass, RuntimeClass, Workload
from kexplain.objects.storage import CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment
from kexplain.tables import sections, table

_KINDS: tuple[type[KubernetesObject], ...] = (
    Pod, Node, Namespace, Service, ReplicationController, PodTemplate, LimitRange, ResourceQuota, ServiceAccount,
    PersistentVolume, PersistentVolumeClaim, Deployment, ReplicaSet, Rollout, StatefulSet, DaemonSet, Job,
    CronJob, PodDisruptionBudget, HorizontalPodAutoscaler, PriorityClass, PodGroup, Workload, RuntimeClass,
    StorageClass, CSINode, CSIDriver, CSIStorageCapacity, VolumeAttachment, DeviceClass, ResourceSlice,
    ResourceClaim, ResourceClaimTemplate, DeviceTaintRule, NodePool, NodeClass, EC2NodeClass, AKSNodeClass, Event,
)  # fmt: skip
_VERSIONS = table("api-versions", dict[str, tuple[str, ...]])
#: The apiVersions under which each record is read; a kind is added by adding its name here, and its line in the table.
API_VERSIONS = {record: _VERSIONS[record.__name__] for record in _KINDS}
_RECORDS = {(version, record.__name__): record for record, versions in API_VERSIONS.items() for version in versions}
#: The same of other kinds and projects, by name.
OTHER_VERSIONS = table("api-versions-of-others", dict[str, tuple[str, ...]])

_OTHERS = sections("other-projects")
#: What the apiVersions of other projects begin with: their records are read where there are some.
_OF_OTHERS = _OTHERS["records"]
#: Those of other projects among the groups of Kubernetes.
_CUSTOM = _OTHERS["groups"]
_CONFIG_MAP = ("v1", "ConfigMap")


def record_for(api_version: str, kind: str) -> type[KubernetesObject] | None:
    """The record that an object becomes, or None if nothing is read of its kind."""
    record = _RECORDS.get((api_version, kind))
    if record is None and (api_version.startswith(_OF_OTHERS) or (api_version, kind) == _CONFIG_MAP):
        return _other_record(api_version, kind)
    return record


def versions_of(record: type[KubernetesObject]) -> tuple[str, ...]:
    """The apiVersions under which a record is read, the newest first."""
    return API_VERSIONS[record] if record in API_VERSIONS else other_versions()[record]


def is_of_others(api_version: str) -> bool:
    """Whether such an object is another project's, whose form nobody here vouches for."""
    return api_version.startswith(_OF_OTHERS) and not api_version.startswith("scheduling.k8s.io/")


def is_custom(api_version: str) -> bool:
    """Whether an API version is of another project, whose kinds may make pods."""
    group = api_version.rpartition("/")[0]
    return "." in group and (not group.endswith(".k8s.io") or group.endswith(_CUSTOM))


def _other_record(api_version: str, kind: str) -> type[KubernetesObject] | None:
    for record, versions in other_versions().items():
        if record.__name__ == kind and api_version in versions:
            return record
    return None


@cache
def other_versions() -> dict[type[KubernetesObject], tuple[str, ...]]:
    """Under which apiVersions the records of other projects are read, the newest first."""
    # Few clusters have queues, or tell of their autoscalers or webhooks.
    from kexplain.objects import (  # noqa: PLC0415
        admission_webhooks,
        cluster_autoscaler,
        node_claims,
        queues,
        role_bindings,
    )

    of_nodes = (node_claims.NodeClaim, node_claims.Machine, node_claims.GCENodeClass)
    of_rights = (role_bindings.ClusterRole, role_bindings.ClusterRoleBinding)
    of_webhooks = admission_webhooks.WEBHOOK_KINDS
    kinds = (*queues.QUEUE_KINDS, *of_nodes, *of_rights, *of_webhooks, cluster_autoscaler.ConfigMap)
    return {record: OTHER_VERSIONS[record.__name__] for record in kinds}


def item_kind(kind: str) -> str | None:
    """The kind that a typed list such as `NodeList` holds; None for `List`, whose items name their own."""
    return None if kind == "List" else kind.removesuffix("List")
