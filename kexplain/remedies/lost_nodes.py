"""What would let go of a pod that is being deleted on a node that is lost: each way, with what it means for data."""

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.cluster.departing import departed
from kexplain.diagnosis.records import OnceAdmitted
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
from kexplain.words import plural, some, verb

#: The taint for a node that is lost, whose machine is off for good.
_TAINTING = {"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute"}


def letting_go(
    pod: Pod, there: Node | None, then: OnceAdmitted | None = None, *, is_awaited: bool = True
) -> Iterator[Remedy]:
    """The surest way first; none can be tried, as nobody here knows what became of the machine, or of others.

    `there` is its node, as far as that was read. Where nobody waits for the pod to go, or `then` the one in its place
    fits nowhere, letting go gains nothing, and its node is to come back first.
    """
    if pod.is_held_by_finalizer:
        yield advice("finalizer/who", pod.metadata.finalizers, pod.name)
        yield advice("finalizer/by-hand", pod.metadata.finalizers, pod.name, pod.namespace)
        return
    node, why = pod.spec.node_name or "", then.why if then else ""
    target = Target(api_version="v1", kind="Node", name=node)
    is_first = there is not None and not there.spec.taints
    path, value = ("/spec/taints", [_TAINTING]) if is_first else ("/spec/taints/-", _TAINTING)
    taint = advice("lost-node/taint", node, changes=[setting(target, {path: value})])
    delete = advice("lost-node/delete", node, changes=[Change(target=target, verb=DELETE)])
    ways = [left_waiting(each, 1, why) for each in (taint, delete, _forced(pod))]
    ways.insert(2 if is_awaited and not why else 0, advice("lost-node/repair", node))
    yield from ways


def left_waiting(remedy: Remedy, pods: int, why: str) -> Remedy:
    """The same with why so many pods find no node then, if any."""
    text = f"{remedy.text}; {plural(pods, 'pod')} then {verb(pods, 'waits')} for a node: {why}"
    return replace(remedy, text=text) if why else remedy


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
