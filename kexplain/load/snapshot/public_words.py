"""What identifies nobody: keys of labels and taints, and words of conditions, that come with Kubernetes or add-ons.

Everything else is somebody's own, also in a domain of Kubernetes, as `node-role.kubernetes.io/payments`.
"""

from functools import cache

from kexplain.load.record_types import API_VERSIONS
from kexplain.objects.csi_migration import IN_TREE_PLUGIN_BY_NAME
from kexplain.objects.karpenter import KARPENTER
from kexplain.objects.node_pools import POOL_LABELS
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE
from kexplain.patterns import regex

ZONE_KEYS = frozenset(
    (ZONE, REGION, OLD_ZONE, OLD_REGION, *(plugin.topology_key for plugin in IN_TREE_PLUGIN_BY_NAME.values()))
)
_NAMES_BY_DOMAIN = {
    "kubernetes.io": "hostname os arch metadata.name config.mirror created-by service-account.name ingress.class "
    "cluster-service psp",
    "beta.kubernetes.io": "os arch instance-type fluentd-ds-ready",
    "node.kubernetes.io": "not-ready unreachable unschedulable memory-pressure disk-pressure pid-pressure "
    "network-unavailable out-of-service out-of-disk instance-type instance-id windows-build "
    "exclude-from-external-load-balancers exclude-disruption masq-agent-ds-ready kube-proxy-ds-ready lifecycle",
    "node.cloudprovider.kubernetes.io": "uninitialized shutdown",
    "node-role.kubernetes.io": "control-plane master node worker infra edge etcd gpu spot-worker ingress",
    "app.kubernetes.io": "name instance version component part-of managed-by created-by",
    "apps.kubernetes.io": "pod-index",
    "batch.kubernetes.io": "job-name controller-uid job-completion-index job-tracking",
    "statefulset.kubernetes.io": "pod-name",
    "controller.kubernetes.io": "pod-deletion-cost",
    "cluster-autoscaler.kubernetes.io": "safe-to-evict safe-to-evict-local-volumes scale-down-disabled "
    "enable-ds-eviction",
    "volume.kubernetes.io": "selected-node storage-provisioner storage-resizer",
    "volume.beta.kubernetes.io": "storage-class storage-provisioner",
    "pv.kubernetes.io": "bind-completed bound-by-controller provisioned-by migrated-to",
    "storageclass.kubernetes.io": "is-default-class",
    "storageclass.beta.kubernetes.io": "is-default-class",
    "storage.alpha.kubernetes.io": "migrated-plugins",
    "scheduler.alpha.kubernetes.io": "critical-pod preferAvoidPods node-selector tolerations taints "
    "defaultTolerations tolerationsWhitelist",
    "resource.kubernetes.io": "extended-resource-claim admin-access pod-claim-name pcieRoot pciBusID",
    "kueue.x-k8s.io": "queue-name pod-group-name pod-group-total-count managed priority-class podset admission "
    "topology elastic-job",
    "cluster.x-k8s.io": "cluster-name deployment-name owner-kind owner-name set-name",
    "kops.k8s.io": "instancegroup kops-controller-pki",
}  # fmt: skip
#: Networks and drivers whose taint is gone once they run on a node.
_AGENTS = "node.cilium.io ebs.csi.aws.com efs.csi.aws.com fsx.csi.aws.com disk.csi.azure.com file.csi.azure.com"
_KEYS = frozenset(
    (
        *ZONE_KEYS,
        *POOL_LABELS,
        *(f"{domain}/{name}" for domain, names in _NAMES_BY_DOMAIN.items() for name in names.split()),
        "ToBeDeletedByClusterAutoscaler",
        "DeletionCandidateOfClusterAutoscaler",
        *(f"{agent}/agent-not-ready" for agent in _AGENTS.split()),
        "k8s-app",
        "pod-template-generation",
        "job-name",
        "controller-uid",
    )
)
#: Types and reasons of conditions and events that Kubernetes, node-problem-detector and autoscalers write.
_CONDITION_WORDS = frozenset(
    """
    Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable OutOfDisk KernelDeadlock ReadonlyFilesystem
    CorruptDockerOverlay2 FrequentKubeletRestart FrequentDockerRestart FrequentContainerdRestart
    FrequentUnregisterNetDevice KubeletReady KubeletNotReady NodeStatusUnknown NodeStatusNeverUpdated
    KubeletHasSufficientMemory KubeletHasInsufficientMemory KubeletHasNoDiskPressure KubeletHasDiskPressure
    KubeletHasSufficientPID KubeletHasInsufficientPID RouteCreated NoRouteCreated PodScheduled Initialized
    ContainersReady PodReadyToStartContainers DisruptionTarget PodResizePending PodResizeInProgress
    AllContainersRestarting Unschedulable SchedulingGated SchedulerError PodCompleted PodFailed ContainersNotReady
    ContainersNotInitialized ReadinessGatesNotReady PreemptionByScheduler DeletionByTaintManager
    EvictionByEvictionAPI DeletionByPodGC TerminationByKubelet Infeasible Deferred Error PodGroupScheduled
    PodGroupInitiallyScheduled Scheduled Schedulable Available Progressing ReplicaFailure Complete Failed Suspended
    FailureTarget SuccessCriteriaMet MinimumReplicasAvailable MinimumReplicasUnavailable NewReplicaSetCreated
    NewReplicaSetAvailable FoundNewReplicaSet ReplicaSetUpdated ReplicaSetCreateError ProgressDeadlineExceeded
    DeploymentPaused DeploymentResumed FailedCreate FailedDelete BackoffLimitExceeded DeadlineExceeded
    PodFailurePolicy FailedIndexes MaxFailedIndexesExceeded JobSuspended JobResumed CompletionsReached SuccessPolicy
    ValidationSucceeded NodeClassReady NodeRegistrationHealthy Launched Registered Drifted Consolidatable Empty
    Container Pod PersistentVolumeClaim FailedScheduling NotTriggerScaleUp TriggeredScaleUp Preempted FailedBinding
    WaitForFirstConsumer WaitForPodScheduled Nominated NoScaleUp
    """.split()  # noqa: SIM905 (a table)
)

#: Kinds and groups of projects that many run, beside those that are read here; kinds of disks of Azure, too.
_KINDS = frozenset(
    """
    Managed Dedicated Shared
    Node PodGroup Workflow CronWorkflow Application RayCluster RayJob RayService PyTorchJob TFJob MPIJob XGBoostJob
    TrainJob JobSet
    LeaderWorkerSet SparkApplication FlinkDeployment Kafka StrimziPodSet Elasticsearch Machine MachineSet NodeClaim
    Service Revision Certificate CloneSet VolumeSnapshot Queue Workload ClusterQueue EC2NodeClass AKSNodeClass
    """.split()  # noqa: SIM905 (a table)
)
_GROUPS = frozenset(
    """
    ray.io kubeflow.org trainer.kubeflow.org jobset.x-k8s.io leaderworkerset.x-k8s.io cluster.x-k8s.io kueue.x-k8s.io
    sparkoperator.k8s.io flink.apache.org kafka.strimzi.io core.strimzi.io elasticsearch.k8s.elastic.co
    serving.knative.dev cert-manager.io apps.kruise.io snapshot.storage.k8s.io batch.volcano.sh karpenter.k8s.aws
    karpenter.azure.com
    """.split()  # noqa: SIM905 (a table)
)
#: Attributes of devices that tell one from all others, and what looks so.
_IDENTIFYING = ("uuid", "serial", "guid", "wwn", "macaddr")
_IDENTIFIER = regex(
    r".*(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}).*"
)


def is_identifier(attribute: str, *values: str) -> bool:
    """Whether an attribute of a device, or its name, tells it from all others."""
    name = attribute.rpartition("/")[2].casefold()
    return any(word in name for word in _IDENTIFYING) or any(map(_IDENTIFIER.fullmatch, values))


def is_public_kind(kind: str) -> bool:
    """Whether objects of a kind, by its name or by that of the resource, are of those that many have."""
    return kind in _KINDS or kind.casefold() in _read_kinds()


def is_public_group(group: str) -> bool:
    """Whether an API group, or the version of the core group, is one that many have."""
    return "." not in group or group in _GROUPS or group in _read_groups()


@cache
def _read_kinds() -> frozenset[str]:
    kinds = [record.__name__.casefold() for record in API_VERSIONS]
    return frozenset((*kinds, *(f"{kind}s" for kind in kinds)))


@cache
def _read_groups() -> frozenset[str]:
    return frozenset(version.rpartition("/")[0] for versions in API_VERSIONS.values() for version in versions)


def is_public_key(key: str) -> bool:
    """Whether the key of a label or a taint is one that everybody has."""
    return key in _KEYS or key.partition("/")[0] == KARPENTER


def own_part(key: str) -> str:
    """The domain of Kubernetes, with a slash, that a key of somebody's own stands in; empty if it is theirs, too."""
    domain = key.partition("/")[0]
    return f"{domain}/" if domain in _NAMES_BY_DOMAIN else ""


def is_public_condition(word: str) -> bool:
    """Whether the type or the reason of a condition, or of an event, is one that everybody has."""
    return word in _CONDITION_WORDS
