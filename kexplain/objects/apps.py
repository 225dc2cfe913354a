"""The apps API group: workloads that make pods."""

from kexplain.objects.core import PersistentVolumeClaimTemplate, PodTemplateSpec
from kexplain.objects.meta import Int32, IntOrString, KubernetesObject, LabelSelector, Record
from kexplain.objects.workload_status import WorkloadStatus


class WorkloadSpec(Record, frozen=True):
    """What deployments, replica sets, stateful sets and daemon sets have in common."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None


class RollingUpdate(Record, frozen=True):
    """How many pods more, and how many fewer, there may be while a deployment changes."""

    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


class DeploymentStrategy(Record, frozen=True):
    """How a deployment puts new pods in place of old ones."""

    type: str | None = None
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(WorkloadSpec, frozen=True):
    """A workload whose pods are replaced a few at a time."""

    strategy: DeploymentStrategy | None = None


class Deployment(KubernetesObject, frozen=True, tag_field="kind", tag="Deployment"):
    """A deployment."""

    spec: DeploymentSpec = DeploymentSpec()
    status: WorkloadStatus = WorkloadStatus()


class ReplicaSet(KubernetesObject, frozen=True, tag_field="kind", tag="ReplicaSet"):
    """A replica set; pods that it owns are spread by default."""

    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()


class StatefulSetSpec(Record, frozen=True):
    """A workload whose pods have claims of their own."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None
    volume_claim_templates: tuple[PersistentVolumeClaimTemplate, ...] | None = None
    pod_management_policy: str | None = None


class StatefulSet(KubernetesObject, frozen=True, tag_field="kind", tag="StatefulSet"):
    """A stateful set; pods that it owns are spread by default."""

    spec: StatefulSetSpec = StatefulSetSpec()
    status: WorkloadStatus = WorkloadStatus()


class DaemonSet(KubernetesObject, frozen=True, tag_field="kind", tag="DaemonSet"):
    """A daemon set."""

    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()
