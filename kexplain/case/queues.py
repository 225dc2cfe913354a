"""What other projects write in a live cluster: queues, where one may hold a pod back, autoscalers, where one waits."""

from collections.abc import Iterable

from kexplain.load import Loaded
from kexplain.load.live.api_resources import Resource, autoscaler_resources, queue_resources
from kexplain.load.live.cluster_reader import ClusterSource
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.objects.karpenter import NodePool
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME

#: What labels begin with by which pods name a queue or a group.
_LABELS = ("kueue.x-k8s.io/", "scheduling.x-k8s.io/", "pod-group.scheduling.sigs.k8s.io", "quota.scheduling.")


def with_queues(loaded: Loaded, meant: Iterable[KubernetesObject], source: ClusterSource) -> Loaded:
    """What was read, and what queues have written, if they may have to do with any pending pod of it or of `meant`."""
    meant = list(meant)
    wanted: list[Resource] = []
    if any(_may_be_held(obj) for objects in (loaded.objects, meant) for obj in objects):
        wanted += queue_resources()
    pods = (obj for objects in (loaded.objects, meant) for obj in objects if isinstance(obj, Pod))
    if not all(pod.spec.node_name or pod.is_terminated for pod in pods):
        has_pools = any(isinstance(obj, NodePool) for obj in loaded.objects)
        wanted += autoscaler_resources(has_node_pools=has_pools)
    return loaded + source.read(tuple(wanted)) if wanted else loaded


def _may_be_held(obj: KubernetesObject) -> bool:
    if isinstance(obj, Job):
        return bool(obj.spec.suspend)
    if not isinstance(obj, Pod) or obj.spec.node_name or obj.is_terminated:
        return False
    groups = obj.metadata.annotations
    return (
        bool(obj.spec.scheduling_gates)
        or obj.scheduler_name != DEFAULT_SCHEDULER_NAME
        or (groups is not None and bool(groups.volcano_group or groups.kai_group))
        or any(label.startswith(_LABELS) for label in obj.labels)
    )
