"""What would let go of a pod that is being deleted on a node that is lost: each way, with what it means for data."""

from collections.abc import Iterator

from kexplain.cluster.departing import departed
from kexplain.framework.trace import Decision
from kexplain.objects.changes import DELETE, Change, Target
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_pools import is_spot
from kexplain.objects.node_service import lost
from kexplain.objects.pod_claims import pod_claims
from kexplain.remedies.advice import advice
from kexplain.remedies.against.taints import mended
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import setting
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import some

#: The taint for a node that is lost, whose machine is off for good.
_TAINTING = {"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute"}


def letting_go(pod: Pod, there: Node | None) -> Iterator[Remedy]:
    """The surest way first; none can be tried, as nobody here knows what became of the machine, or of others.

    `there` is its node, as far as that was read.
    """
    if pod.is_held_by_finalizer:
        yield advice("finalizer/who", pod.metadata.finalizers, pod.name)
        yield advice("finalizer/by-hand", pod.metadata.finalizers, pod.name, pod.namespace)
        return
    node = pod.spec.node_name or ""
    target = Target(api_version="v1", kind="Node", name=node)
    is_first = there is not None and not there.spec.taints
    path, value = ("/spec/taints", [_TAINTING]) if is_first else ("/spec/taints/-", _TAINTING)
    yield advice("lost-node/taint", node, changes=[setting(target, {path: value})])
    yield advice("lost-node/delete", node, changes=[Change(target=target, verb=DELETE)])
    yield advice("lost-node/repair", node)
    yield _forced(pod)


def stopping(pod: Pod) -> Iterator[Remedy]:
    """What to do about a pod that its kubelet cannot stop, though the node is there."""
    yield advice("not-stopped", pod.spec.node_name)
    yield _forced(pod)


def _forced(pod: Pod) -> Remedy:
    gone = Change(target=Target(api_version="v1", kind="Pod", namespace=pod.namespace, name=pod.name), verb=DELETE)
    return advice("delete-by-force", pod.name, pod.namespace, any(pod_claims(pod)), changes=[gone])


def repairing(decision: Decision, scheduler: Scheduler) -> Iterator[Remedy]:
    """That a node that is lost comes back, whose kubelet then ends pods that take the room there; one of several."""
    cluster, found = decision.cluster, []
    for name, pods in cluster.leaving_pods.on_nodes.items():
        info = cluster.node_info_by_name.get(name)
        if info is None or not (trouble := lost(info.node)) or is_spot(info.node):
            continue
        back = departed(cluster, list(pods.values())).with_nodes([mended(info.node)])
        if not scheduler.objections(decision.pod, back, [name]).get(name):
            found.append((name, trouble, [*pods]))
    if found:
        names, ended = [name for name, *_ in found], [key for *_, pods in found for key in pods]
        yield advice("lost-node/repair-for-room", some(names), found[0][1], len(names), some(ended), nodes=tuple(names))
