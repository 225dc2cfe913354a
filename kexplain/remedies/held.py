"""What would let a pod run that something else than a scheduler keeps from it: a queue, a kubelet, a volume."""

from collections.abc import Callable, Iterator, Mapping

from kexplain.diagnosis.records import Hold, Kind, OnceAdmitted
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.lost_nodes import letting_go
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.shell import command

KUEUE, VOLCANO, KAI, YUNIKORN = "Kueue", "Volcano", "KAI-Scheduler", "YuniKorn"
PLUGINS, KOORDINATOR = "scheduler-plugins", "Koordinator"


def _wait(text: str) -> Remedy:
    return Remedy(action=Action.WAIT, text=f"wait {text}", rank=Rank.BY_ITSELF)


def _mending(action: Action) -> Callable[[str], Remedy]:
    return lambda text: Remedy(action=action, text=text, rank=Rank.MENDS)


_queue, _look, _manifest = map(_mending, (Action.CHANGE_QUEUE, Action.CHECK_CONTROLLER, Action.CHECK_MANIFEST))

#: What helps whoever says it, then what only some have.
_OF_ALL: Mapping[Kind, tuple[Remedy, ...]] = {
    Kind.QUEUE_NO_MATCHING_FLAVOR: (
        _manifest("compare the pods' node affinity and tolerations with nodeLabels and nodeTaints of ResourceFlavors"),
    ),
    Kind.QUEUE_WAITING_FOR_QUOTA: (_wait("until others in the queue finish"),),
    Kind.QUEUE_EXCEEDS_QUOTA: (_manifest("request less than the queue may use"),),
    Kind.QUEUE_TOPOLOGY_FULL: (
        _wait("until pods in one domain finish"),
        _manifest("ask for a wider level of the topology"),
    ),
    Kind.QUEUE_WAITING_FOR_PREEMPTED: (_wait("until the evicted pods are gone"),),
    Kind.QUEUE_WAITING_FOR_PODS_READY: (
        _wait("until the workloads that were admitted before are ready"),
        _look("see which admitted Workloads lack the condition PodsReady"),
    ),
    Kind.QUEUE_ADMISSION_CHECK: (_look("look at the controller of the admission check"),),
    Kind.QUEUE_STOPPED: (_queue("open the queue"),),
    Kind.QUEUE_MISCONFIGURED: (_queue("correct the queue that the pod names, or the configuration of that queue"),),
    Kind.QUEUE_NOT_EVALUATED: (_wait("for the controller; if nothing changes, see whether it runs"),),
    Kind.QUEUE_WAITING: (_wait("for the queue"),),
    Kind.QUEUE_ADMITTED: (_wait("for the controller; if nothing changes, see whether it runs"),),
    Kind.GROUP_INCOMPLETE: (_manifest("create the rest of the group's pods"),),
    Kind.GROUP_WAITING: (_queue("make room for all pods of the group at once"),),
    Kind.NOT_TRIED: (_look("unless the pod is new, see whether its scheduler runs, and what its log says of the pod"),),
    Kind.TURNED_AWAY: (),
    Kind.RESIZE_DEFERRED: (_wait("until other pods leave the node"),),
    Kind.RESIZE_INFEASIBLE: (),
    Kind.RESIZE_FAILED: (_look("see what the kubelet says of the resize"),),
    Kind.CLAIM_NOT_PROVISIONED: (_look("see what the provisioner says of the claim"),),
    Kind.VOLUME_NOT_ATTACHED: (_wait("until the volume is detached from where it is in use, or look at its driver"),),
    Kind.VOLUME_NOT_MOUNTED: (_look("see what the kubelet and the volume's driver say of the mount"),),
    Kind.IMAGE_NOT_PULLED: (_manifest("check the image's name, its registry, and the credentials to pull it"),),
    Kind.SANDBOX_FAILED: (_look("look at the network plugin and the container runtime of the node"),),
    Kind.CONTAINER_NOT_STARTED: (_manifest("check what the container refers to, and its command"),),
    Kind.KUBELET_SILENT: (_look("see whether the kubelet of the node runs"),),
    Kind.NOT_READY: (_look("see what its readiness probe and its log say"),),
}
_OF_SOME: Mapping[tuple[str, Kind], tuple[Remedy, ...]] = {
    (KUEUE, Kind.QUEUE_WAITING_FOR_QUOTA): (_queue("raise nominalQuota of the ClusterQueue"),),
    (KUEUE, Kind.QUEUE_EXCEEDS_QUOTA): (_queue("raise nominalQuota or borrowingLimit of the ClusterQueue"),),
    (KUEUE, Kind.QUEUE_STOPPED): (_look("see stopPolicy of the queues, and spec.active of the Workload"),),
    (VOLCANO, Kind.QUEUE_WAITING_FOR_QUOTA): (_queue("raise spec.capability of the Queue"),),
    (KAI, Kind.QUEUE_WAITING_FOR_QUOTA): (_queue("raise the limit of the Queue"),),
    (KAI, Kind.QUEUE_EXCEEDS_QUOTA): (
        _queue("raise the quota of the Queue"),
        _manifest("use a priority class of pods that may be preempted"),
    ),
    (YUNIKORN, Kind.QUEUE_WAITING_FOR_QUOTA): (_queue("raise resources.max of the queue in YuniKorn's queues.yaml"),),
}


def helping(held: Hold, pod: Pod, made_of: KubernetesObject | None, then: OnceAdmitted | None) -> Iterator[Remedy]:
    """What would help, first what happens by itself."""
    if held.kind is Kind.SUSPENDED:
        yield _starting(pod, made_of)
        return
    if held.kind is Kind.STUCK_TERMINATING:
        yield from letting_go(made_of if isinstance(made_of, Pod) else pod)
        return
    yield from (*_OF_ALL.get(held.kind, ()), *_OF_SOME.get((held.by, held.kind), ()))
    if held.kind is Kind.QUEUE_WAITING_FOR_QUOTA and (PLUGINS in held.by or held.by == KOORDINATOR):
        # Those of ElasticQuotas, of which two projects have the same.
        yield _queue("raise spec.max of the ElasticQuota")
    if held.kind in _ANEW:
        yield _anew(held, pod, then)


#: What is over for the pod on its node, and open to another one in its place.
_ANEW = (
    Kind.TURNED_AWAY,
    Kind.RESIZE_DEFERRED,
    Kind.RESIZE_INFEASIBLE,
    Kind.PREEMPTED,
    Kind.EVICTED,
)


def _starting(pod: Pod, made_of: KubernetesObject | None) -> Remedy:
    """A Job that is not suspended any longer; it may be known by its pod only."""
    owner = pod.metadata.controller
    name = made_of.name if isinstance(made_of, Job) else (owner.name or "") if owner else ""
    stored = made_of is None or bool(made_of.metadata.uid) or not isinstance(made_of, Job)
    line = command("kubectl patch job", name, namespace=pod.namespace, flags=("-p", '{"spec": {"suspend": false}}'))
    lines = (line,) if stored and name else ()
    text = "set spec.suspend of the Job to false, unless a queue did that and will undo it"
    return Remedy(action=Action.RESUME, text=text, rank=Rank.MENDS, commands=lines)


def _anew(held: Hold, pod: Pod, then: OnceAdmitted | None) -> Remedy:
    """Another pod in place of this one, where its controller makes one."""
    nodes = tuple(then.nodes) if then is not None else ()
    owner = pod.metadata.controller
    where = "" if nodes else ", which fits nowhere at the moment"
    lives = held.kind in (Kind.RESIZE_DEFERRED, Kind.RESIZE_INFEASIBLE)
    line = command("kubectl delete pod", pod.name, namespace=pod.namespace)
    if owner is None:
        text = f"create the pod again, as no controller does so{where}"
        return Remedy(action=Action.CHECK_MANIFEST, text=text, nodes=nodes, rank=Rank.MOVES if lives else Rank.MENDS)
    whose = f"{owner.kind} {owner.name}"
    if lives:
        text = f"delete the pod, for {whose} to make another one{where}"
        return Remedy(action=Action.MOVE_PODS, text=text, nodes=nodes, rank=Rank.MOVES, commands=(line,))
    text = f"nothing: {whose} makes another pod{where}"
    return Remedy(action=Action.WAIT, text=text, nodes=nodes, rank=Rank.BY_ITSELF)
