"""What would let a pod have its volume that another pod on another node still has."""

from collections.abc import Iterator

from kexplain.bound.starting import attached_elsewhere, user_elsewhere
from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.cluster.siblings import are_siblings
from kexplain.objects.apps import Deployment
from kexplain.objects.core import Pod
from kexplain.objects.node_service import lost
from kexplain.remedies.advice import advice
from kexplain.remedies.lost_nodes import letting_go
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import setting, target_of


def freeing(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """The rollout changed if both are of one Deployment, which would make the other pod again; else that one gone."""
    found = user_elsewhere(pod, cluster)
    if found is None:
        yield from _detaching(pod, cluster)
        return
    _, other = found
    node = cluster.node_info_by_name[other.spec.node_name or ""].node
    if other.metadata.deletion_timestamp and lost(node):
        yield from letting_go(other, node)
        return
    own = maker(other)
    deployment = cluster.listers.get(Deployment, own[2], pod.namespace) if own else None
    if deployment is not None and are_siblings(pod, other):
        # The old pod is gone before the new one is made then, from now on and at once.
        made = setting(target_of(deployment), {"/spec/strategy": {"type": "Recreate"}})
        yield advice("volume-in-use/recreate", deployment.name, other.name, changes=[made])
    else:
        is_made_again = other.metadata.controller is not None and not other.metadata.deletion_timestamp
        yield advice("volume-in-use/delete", other.name, node.name, is_made_again, other.namespace)


def _detaching(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """The attachment to a node where nothing uses the volume any more let go."""
    if kept := attached_elsewhere(pod, cluster):
        is_gone = kept.spec.node_name not in cluster.node_info_by_name
        which = "stuck" if kept.metadata.deletion_timestamp else "delete"
        yield advice(f"attachment/{which}", kept.name, kept.spec, is_gone)
