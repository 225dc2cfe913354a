"""Services, replication controllers and pod templates."""

from kexplain.objects.core.pods import PodTemplateSpec
from kexplain.objects.meta import Int32, KubernetesObject, Labels, Record
from kexplain.objects.workload_status import WorkloadStatus


class ServiceSpec(Record, frozen=True):
    """Which pods a service sends traffic to."""

    selector: Labels | None = None


class Service(KubernetesObject, frozen=True, tag_field="kind", tag="Service"):
    """A service; pods that it selects are spread by default."""

    spec: ServiceSpec = ServiceSpec()


class ReplicationControllerSpec(Record, frozen=True):
    """The template of the pods, and how many there should be."""

    replicas: Int32 | None = None
    selector: Labels | None = None
    template: PodTemplateSpec | None = None


class ReplicationController(KubernetesObject, frozen=True, tag_field="kind", tag="ReplicationController"):
    """The predecessor of the ReplicaSet; its selector is a map of labels."""

    spec: ReplicationControllerSpec = ReplicationControllerSpec()
    status: WorkloadStatus = WorkloadStatus()


class PodTemplate(KubernetesObject, frozen=True, tag_field="kind", tag="PodTemplate"):
    """A pod template outside a workload."""

    template: PodTemplateSpec | None = None
