"""Which pods one workload has made."""

from kexplain.cluster.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.objects.core import Node, Pod


def are_siblings(pod: Pod, other: Pod) -> bool:
    """Whether one workload makes both, so that one would only take the place of the other."""
    own = maker(pod)
    return own is not None and own == maker(other)


def placed_siblings(pod: Pod, cluster: Cluster) -> list[tuple[Pod, Node]]:
    """The pods on nodes that the pod's workload has made, too, each with its node."""
    own = maker(pod)
    return [(info.pod, node) for info, node in cluster.placed_pods.made_by(own).items()] if own else []


def siblings(pod: Pod, cluster: Cluster) -> list[Pod]:
    """The pods on nodes that the pod's workload has made, too."""
    return [each for each, _ in placed_siblings(pod, cluster)]


def waiting_siblings(pod: Pod, cluster: Cluster) -> list[Pod]:
    """The pods without a node that the pod's workload has made, too, as far as they are known."""
    return [each for each in cluster.listers.every(Pod) if has_no_node(each) and are_siblings(pod, each)]


def asked_before(pod: Pod, cluster: Cluster, resource: str) -> tuple[Pod, int] | None:
    """A pod on a node that the workload made when its pods requested less of a resource, and how much, if there is one.

    The amount is in the resource's own unit.
    """
    own = cluster.pod_info(pod).resource.requested.amount(resource)
    asked = ((each, cluster.pod_info(each).resource.requested.amount(resource)) for each in siblings(pod, cluster))
    return next(((each, amount) for each, amount in asked if 0 < amount < own), None)


def selected_before(pod: Pod, cluster: Cluster) -> dict[str, str]:
    """The labels that pods on nodes select which the workload made when it selected other values of these keys."""
    own = (pod.spec.node_selector or {}).items()
    before = ((each.spec.node_selector or {}) for each in siblings(pod, cluster))
    changed = ({key: each[key] for key, value in own if each.get(key, value) != value} for each in before)
    return next(filter(None, changed), {})


def waiting_before(pod: Pod, cluster: Cluster) -> list[Pod]:
    """Pods of other workloads that wait and are tried before this one: more important ones, then older ones."""
    created, priority = pod.metadata.creation_timestamp, pod.priority
    every = cluster.listers.every(Pod) if created else ()
    found = [each for each in every if _waits(each) and not are_siblings(pod, each)]
    found = [each for each in found if (-each.priority, _age(each)) < (-priority, created or "")]
    return sorted(found, key=lambda each: (-each.priority, _age(each)))


def waiting_with(pod: Pod, cluster: Cluster) -> list[Pod]:
    """Pods of other workloads that wait, and of which nobody can say whether they are tried before this one."""
    every = cluster.listers.every(Pod) if pod.metadata.creation_timestamp else ()
    equal = [each for each in every if (each.priority, _age(each)) == (pod.priority, _age(pod))]
    return [each for each in equal if _waits(each) and not are_siblings(pod, each) and each.key != pod.key]


def _age(pod: Pod) -> str:
    return pod.metadata.creation_timestamp or "~"


def _waits(pod: Pod) -> bool:
    """Whether a scheduler would try it, and by itself."""
    return has_no_node(pod) and not pod.spec.scheduling_gates and pod.group is None


def has_no_node(pod: Pod) -> bool:
    """Whether it is yet to get one, if it may be tried or not."""
    return not (pod.spec.node_name or pod.is_terminated or pod.metadata.deletion_timestamp)
