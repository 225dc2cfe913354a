"""Which pods one workload has made."""

from collections.abc import Container

from kexplain.cluster.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.objects.core import Node, Pod
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH


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


def is_rolling(pod: Pod, cluster: Cluster) -> bool:
    """Whether pods on nodes are of another template of the pod's workload."""
    every = (pod, *siblings(pod, cluster))
    return len({(each.metadata.controller, each.labels.get(CONTROLLER_REVISION_HASH)) for each in every}) > 1


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


def waiting_beside(pod: Pod, cluster: Cluster, profiles: Container[str]) -> list[Pod]:
    """Pods of other workloads that these schedulers would try: more important ones first, then older ones.

    Beside one that nobody has created yet, none.
    """
    every = cluster.listers.every(Pod) if pod.metadata.creation_timestamp else ()
    found = (each for each in every if has_no_node(each) and not each.spec.scheduling_gates and each.group is None)
    others = (each for each in found if not are_siblings(pod, each) and each.key != pod.key)
    return sorted((each for each in others if each.scheduler_name in profiles), key=turn)


def turn(pod: Pod) -> tuple[int, str]:
    """When a pod is tried: those that come before it have less."""
    return -pod.priority, pod.metadata.creation_timestamp or "~"


def has_no_node(pod: Pod) -> bool:
    """Whether it is yet to get one, if it may be tried or not."""
    return not (pod.spec.node_name or pod.is_terminated or pod.metadata.deletion_timestamp)
