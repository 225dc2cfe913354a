"""What would let a pod have its volume that another pod on another node still has."""

from collections.abc import Iterator

from kexplain.bound.starting import attached_elsewhere, user_elsewhere
from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.cluster.siblings import are_siblings
from kexplain.objects.apps import Deployment
from kexplain.objects.core import Pod
from kexplain.objects.node_service import lost
from kexplain.remedies.commands import changing, looking
from kexplain.remedies.lost_nodes import letting_go
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import setting, target_of
from kexplain.shell import command


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
        yield _recreating(deployment, other)
        return
    line = command("kubectl delete pod", other.name, namespace=other.namespace)
    is_made_again = other.metadata.controller is not None and not other.metadata.deletion_timestamp
    again = ", and see that it is not made again" if is_made_again else ""
    text = f"delete pod {other.name}, so that its volume is detached from {node.name}{again}"
    yield Remedy(action=Action.MOVE_PODS, text=text, rank=Rank.MOVES, commands=(line,))


def _detaching(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """The attachment to a node where nothing uses the volume any more let go."""
    kept = attached_elsewhere(pod, cluster)
    if kept is None:
        return
    name, node = kept.name, kept.spec.node_name
    when = f"once {node} has unmounted the volume" if node in cluster.node_info_by_name else f"as {node} is gone"
    text, by = f"delete VolumeAttachment {name}, {when}", kept.spec.attacher
    line = command("kubectl delete volumeattachment", name)
    if kept.metadata.deletion_timestamp:
        text = f"see why {by} does not detach the volume from {node}: VolumeAttachment {name} is being deleted"
        line = command("kubectl describe volumeattachment", name)
    yield looking(text, line)


def _recreating(deployment: Deployment, other: Pod) -> Remedy:
    """The old pod gone before the new one is made, from now on and at once."""
    text = (
        f"set strategy Recreate in Deployment {deployment.name}: a rolling update keeps {other.name} until the new pod "
        "is ready, which needs its volume"
    )
    made = setting(target_of(deployment), {"/spec/strategy": {"type": "Recreate"}})
    return changing(Action.CHANGE_ROLLOUT, text, [made], Rank.MENDS)
