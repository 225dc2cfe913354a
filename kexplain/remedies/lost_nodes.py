"""What would let go of a pod that is being deleted on a node that is lost: each way, with what it means for data."""

from collections.abc import Iterator

from kexplain.cluster.departing import departed
from kexplain.framework.trace import Decision
from kexplain.objects.changes import DELETE, Change, Target
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_pools import is_spot
from kexplain.objects.node_service import lost
from kexplain.remedies.against.taints import mended
from kexplain.remedies.commands import looking
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import setting
from kexplain.scheduler.cycle import Scheduler
from kexplain.shell import command
from kexplain.words import joined, some

_TAINT = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
#: The same for a node that is lost, which has been tainted before.
_TAINTING = {"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute"}


def letting_go(pod: Pod, there: Node | None) -> Iterator[Remedy]:
    """The surest way first; none can be tried, as nobody here knows what became of the machine, or of others.

    `there` is its node, as far as that was read.
    """
    if pod.is_held_by_finalizer:
        held = joined(pod.metadata.finalizers or ())
        yield looking(
            f"see whether the controller runs that is to take finalizer {held} off {pod.name}, and what it says of it"
        )
        patch = '{"metadata": {"finalizers": null}}'
        line = command("kubectl patch pod", pod.name, namespace=pod.namespace, flags=("-p", patch))
        text = f"take finalizer {held} off {pod.name} by hand, if what it stands for is done or given up"
        yield _doing(Action.CHECK_CONTROLLER, text, line)
        return
    node = pod.spec.node_name or ""
    text = f"taint node {node} out-of-service, if its machine is off for good: its pods and volumes are let go then"
    target = Target(api_version="v1", kind="Node", name=node)
    is_first = there is not None and not there.spec.taints
    path, value = ("/spec/taints", [_TAINTING]) if is_first else ("/spec/taints/-", _TAINTING)
    tainted = setting(target, {path: value})
    yield _doing(Action.MEND_NODE, text, command("kubectl taint node", node, _TAINT), tainted)
    text = f"delete node {node}, if its machine does not exist any more: its pods go with it"
    deleted = Change(target=target, verb=DELETE)
    yield _doing(Action.MEND_NODE, text, command("kubectl delete node", node), deleted)
    yield looking(f"repair {node}: its kubelet then ends the pod in order", action=Action.MEND_NODE)
    yield _forced(pod)


def stopping(pod: Pod) -> Iterator[Remedy]:
    """What to do about a pod that its kubelet cannot stop, though the node is there."""
    text = f"see what the kubelet and the container runtime of {pod.spec.node_name} say, and restart them or the node"
    yield _doing(Action.CHECK_NODE, text, command("kubectl describe node", pod.spec.node_name or ""))
    yield _forced(pod)


def _forced(pod: Pod) -> Remedy:
    line = command("kubectl delete pod --force --grace-period=0", pod.name, namespace=pod.namespace)
    text = f"force the deletion of {pod.name}, once it surely runs no more: two at a time may damage its data"
    target = Target(api_version="v1", kind="Pod", namespace=pod.namespace, name=pod.name)
    return _doing(Action.CHECK_CONTROLLER, text, line, Change(target=target, verb=DELETE))


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
        whose, enough = (
            ("its kubelet then ends", "") if len(found) == 1 else ("their kubelets then end", "; one is enough")
        )
        text = f"repair {some(names)} ({found[0][1]}): {whose} {some(ended)}, and there is room{enough}"
        yield Remedy(action=Action.MEND_NODE, text=text, rank=Rank.MENDS, nodes=tuple(names))


def _doing(action: Action, text: str, line: str, *changes: Change) -> Remedy:
    return Remedy(action=action, text=text, rank=Rank.MENDS, changes=changes, commands=(line,))
