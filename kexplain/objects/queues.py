"""What queues and schedulers of other projects write about pods: their custom resources, as far as they are read.

Versions of these projects differ, and fields may be missing or of another form: what `spec` and `status` hold is read
as it comes, and looked at with `kexplain.objects.untrusted`.

Source: `apis/kueue/v1beta1` and `v1beta2`; Volcano `scheduling/v1beta1`; KAI-Scheduler `scheduling/v2` and
`scheduling/v2alpha2`; scheduler-plugins `scheduling/v1alpha1`, which Koordinator shares.
"""

from typing import Any, ClassVar

from kexplain.objects.meta import KubernetesObject, Record


class QueueObject(KubernetesObject, frozen=True):
    """An object whose content is read as it comes."""

    is_of_queues: ClassVar[bool] = True

    spec: Any = None
    status: Any = None


class WorkloadSpec(Record, frozen=True):
    """What of a Workload of Kueue is read; `pod_sets` have the templates of its pods."""

    queue_name: Any = None
    active: Any = None
    priority: Any = None
    pod_sets: Any = None


class Workload(QueueObject, frozen=True, tag_field="kind", tag="Workload"):
    """What Kueue queues: a job, or a group of pods."""

    spec: WorkloadSpec = WorkloadSpec()


class LocalQueue(QueueObject, frozen=True, tag_field="kind", tag="LocalQueue"):
    """A namespace's way into a ClusterQueue of Kueue."""


class ClusterQueue(QueueObject, frozen=True, tag_field="kind", tag="ClusterQueue"):
    """Quota by flavor and resource, of Kueue."""


class ResourceFlavor(QueueObject, frozen=True, tag_field="kind", tag="ResourceFlavor"):
    """A sort of nodes, of Kueue."""


class PodGroup(QueueObject, frozen=True, tag_field="kind", tag="PodGroup"):
    """A group of pods that start together, of Volcano, KAI-Scheduler or scheduler-plugins."""


class Queue(QueueObject, frozen=True, tag_field="kind", tag="Queue"):
    """A queue of Volcano or KAI-Scheduler."""


class ElasticQuota(QueueObject, frozen=True, tag_field="kind", tag="ElasticQuota"):
    """A share of the cluster, of scheduler-plugins or Koordinator."""


VOLCANO = "scheduling.volcano.sh"
KAI = "scheduling.run.ai"
#: All of them.
QUEUE_KINDS = (Workload, LocalQueue, ClusterQueue, ResourceFlavor, PodGroup, Queue, ElasticQuota)
