"""What happens by itself if one waits: what the scheduler has begun to do for a pod, and what it would do next."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.departing import departed
from kexplain.cluster.siblings import placed_siblings
from kexplain.diagnosis.piled_up import PiledUp, piled_up, scaled_up
from kexplain.explain.autoscaling import PATIENCE
from kexplain.explain.records import Cause
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.trace import Decision
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Pod
from kexplain.objects.events import TRIGGERED_SCALE_UP, Event, autoscaler_events_about
from kexplain.objects.node_pools import created
from kexplain.objects.node_service import Trouble, out_of_service
from kexplain.objects.selectors import EVERYTHING
from kexplain.plugins.victims import seconds
from kexplain.remedies.advice import advice
from kexplain.remedies.new_nodes import Outlook
from kexplain.remedies.records import NewNode, Rank, Remedy
from kexplain.scheduler.cycle import Scheduler
from kexplain.tables import words
from kexplain.words import some

#: What another node may not object to.
_OF_ONE_NODE = words("plugins-of-one-node")
#: On so many nodes it is tried whether a pod fits once others end.
_TRIED = 5


def waits(decision: Decision, scheduler: Scheduler | None = None, events: Sequence[Event] = ()) -> Iterator[Remedy]:
    """The reasons to do nothing about a pod that does not fit, each with what it waits for.

    What should have ended long before the last of the events does not end by itself. With a scheduler it is tried
    whether the pod fits once all pods that are being deleted are gone.
    """
    nominated = [*_going(decision, events)]
    yield from nominated or ((*_leaving(decision, scheduler), *_ending(decision, scheduler)) if scheduler else ())
    if scheduler and decision.cluster.leaving_pods.on_nodes:
        from kexplain.remedies.lost_nodes import repairing  # noqa: PLC0415 (few pods are on their way out)

        yield from repairing(decision, scheduler)
    for _, answer in decision.post_filter:
        if answer.deallocates:
            yield advice("wait/deallocation", answer.deallocates)
    if decision.preemption is not None and decision.nominated_node:
        chosen = next(c for c in decision.preemption.candidates if c.node_name == decision.nominated_node)
        victims = some([victim.key for victim in chosen.victims])
        yield advice("wait/preemption", victims, decision.preemption.is_drawn, nodes=(decision.nominated_node,))


def _going(decision: Decision, events: Sequence[Event]) -> Iterator[Remedy]:
    """That pods which leave the node that the pod was nominated for have not gone yet."""
    node = decision.pod.status.nominated_node_name or ""
    pods = [*decision.cluster.leaving_pods.on_nodes.get(node, {}).values()]
    if not pods:
        return
    if max([seconds(each.last_seen) for each in events], default=0) - seconds(_last(pods)) > PATIENCE:
        yield advice("nominated/not-stopped", node, *_going_on(pods))
    else:
        yield advice("nominated/wait", node, *_going_on(pods))


def _leaving(decision: Decision, scheduler: Scheduler) -> Iterator[Remedy]:
    """That the pod fits on a node once pods that are being deleted have left it."""
    cluster = decision.cluster
    left = cluster.leaving_pods.on_nodes
    if not left:
        return
    going = {info.name: [*left[info.name].values()] for info in cluster.node_infos if info.name in left}
    if free := _free_without(going, decision, scheduler):
        first = min(free, key=lambda name: _last(going[name]))
        yield advice("wait/deletion", first, *_going_on(going[first]), nodes=(first,))


def _ending(decision: Decision, scheduler: Scheduler) -> Iterator[Remedy]:
    """That the pod fits once one has ended that runs for the same Job, or for another run of its CronJob.

    Where such runs pile up they are to end, as they do not do so by themselves.
    """
    pod, cluster = decision.pod, decision.cluster
    if piled := [*_ending_others(decision, scheduler)]:
        yield from piled
        return
    own = _run_by(pod, cluster)
    running = _running(decision, own) if own else {}
    going = {name: [running[name]] for name in list(running)[:_TRIED]}
    if going and (free := _free_without(going, decision, scheduler)):
        yield advice("wait/end", "a pod" if len(running) > 1 else running[free[0]].key, own, nodes=tuple(free))
        yield from _no_two_at_once(pod.namespace, own, cluster)


def _ending_others(decision: Decision, scheduler: Scheduler) -> Iterator[Remedy]:
    """That those get fewer who take most of what the pod lacks."""
    short, resource = _short(decision)
    if scaled := scaled_up(decision.pod, decision.cluster, short, resource):
        own = scaled.autoscaler
        # Where nodes are added for them, that many are meant.
        rank = Rank.MENDS if not scaled.is_own or _are_at_most(decision.cluster) else Rank.LOOSENS
        running = len(placed_siblings(decision.pod, decision.cluster)) if scaled.is_own else None
        about = (own.key, own.spec.max_replicas, running, own.name, own.namespace)
        yield advice("max-replicas", *about, has_command=scaled.is_own, rank=rank)
    elif (held := greatest_user(decision)) and isinstance(held.by, CronJob):
        yield from _suspending(held, decision, scheduler)


def greatest_user(decision: Decision) -> PiledUp | None:
    """The Job or CronJob, if any, whose pods take most of what the pod lacks."""
    short, resource = _short(decision)
    return piled_up(decision.cluster, short, resource, decision.pod)


def _short(decision: Decision) -> tuple[list[str], str]:
    """The nodes that have too little of something, and of what the first has too little."""
    said = ((name, each) for name, status in decision.statuses.by_node.items() for each in status.evidence)
    short = {name: each.resource for name, each in said if isinstance(each, InsufficientResource)}
    return [*short], next(iter(short.values()), "")


def _are_at_most(cluster: Cluster) -> bool:
    """Whether no node group may grow."""
    groups = Outlook.of(cluster, ()).groups
    return bool(groups) and all(each.troubles for each in groups)


def _suspending(held: PiledUp, decision: Decision, scheduler: Scheduler) -> Iterator[Remedy]:
    """That a CronJob makes no more runs for now, and those end that take most of what the pod lacks."""
    free = _free_without(held.pods_by_node, decision, scheduler)
    if not free:
        return
    name, namespace = held.by.name, held.by.namespace
    yield advice("suspend-runs", held.by.key, name, namespace, [*held.jobs], nodes=tuple(free))
    yield from _no_two_at_once(namespace, f"CronJob {name}", decision.cluster)


def _no_two_at_once(namespace: str, own: str, cluster: Cluster) -> Iterator[Remedy]:
    """That no run of a CronJob is to start before the one before it has ended."""
    kind, _, name = own.partition(" ")
    cron_job = cluster.listers.get(CronJob, name, namespace) if kind == CronJob.__name__ else None
    if cron_job is not None and cron_job.allows_overlap:
        yield advice("no-two-runs", name, namespace)


def _free_without(going: Mapping[str, Sequence[Pod]], decision: Decision, scheduler: Scheduler) -> list[str]:
    """The nodes that take the pod once these pods have left them."""
    cluster = departed(decision.cluster, [pod for pods in going.values() for pod in pods])
    still_rejected = scheduler.objections(decision.pod, cluster, list(going))
    return [name for name in going if name not in still_rejected]


def _running(decision: Decision, of: str) -> dict[str, Pod]:
    """The pods that run for a Job or CronJob, one a node; where a group cannot run, none of those tried with it do."""
    found = decision.cluster.placed_pods.matching(EVERYTHING, (decision.pod.namespace,))
    tried = [each.pod.key for each in decision.group.members] if decision.group else ()
    untried = ((node, info.pod) for info, node in found if info.pod.key not in tried)
    return {node.name: pod for node, pod in untried if _run_by(pod, decision.cluster) == of}


def _run_by(pod: Pod, cluster: Cluster) -> str:
    """The kind and name of the CronJob or Job that the pod runs for; empty if it is of none."""
    owner = pod.metadata.controller
    if owner is None or owner.kind != "Job":
        return ""
    job = cluster.listers.get(Job, owner.name or "", pod.namespace)
    above = job.metadata.controller if job else None
    return f"CronJob {above.name}" if above and above.kind == "CronJob" else f"Job {owner.name}"


def _going_on(pods: Sequence[Pod]) -> tuple[str, int, str]:
    """Which pods end, how many these are, and until when they have time to."""
    return some([pod.key for pod in pods]), len(pods), _last(pods)


def _last(pods: Iterable[Pod]) -> str:
    return max(pod.metadata.deletion_timestamp or "" for pod in pods)


def coming(
    nodes: Sequence[NewNode], causes: Sequence[Cause], decision: Decision | None = None, events: Sequence[Event] = ()
) -> Iterator[Remedy]:
    """That an autoscaler may add a node for the pod, where some node turns it away for what that node alone is like.

    A node that it has asked for already is told first, then the pool that is known to take the pod, or is asked first.
    One that does not run itself is to run first. Where the newest of a pool do not come into service, more do not;
    where one came for the pod and is too small, others are, too.
    """
    if decision is not None:
        nodes = [each for each in nodes if not (_is_stuck(each, decision, events) or _is_no_help(each, decision))]
    adding = [*_mending_adder(causes, decision)] if decision else []
    yield from adding or _coming(nodes, causes)


def _is_stuck(new: NewNode, decision: Decision, events: Sequence[Event]) -> bool:
    """Whether the newest node of a pool has had time enough to come into service, and has not."""
    info = decision.cluster.node_info_by_name.get(new.like)
    service = out_of_service(info.node) if info else None
    if info is None or service is None or service.troubles[0] is not Trouble.STARTING:
        return False
    said = [each.last_seen for each in events] or [decision.pod.metadata.creation_timestamp or ""]
    return PATIENCE <= max(map(seconds, said)) - seconds(info.node.metadata.creation_timestamp or "") < math.inf


def _is_no_help(new: NewNode, decision: Decision) -> bool:
    """Whether the newest node of a pool came while the pod waited, and is too small for it."""
    info, since = decision.cluster.node_info_by_name.get(new.like), decision.pod.metadata.creation_timestamp
    if info is None or since is None or new.fits is not None:
        return False
    return bool(new.caution) and created(info.node) > since


def _coming(nodes: Sequence[NewNode], causes: Sequence[Cause]) -> Iterator[Remedy]:
    may_be = [each for each in nodes if each.may_come and each.fits is not False]
    if not any(cause.plugin in _OF_ONE_NODE for cause in causes):
        return
    for each in may_be:
        claims = [claim for claim in each.on_their_way if not claim.fails]
        if claims:
            yield advice("wait/node-on-its-way", each.pool, some([str(claim) for claim in claims], 2))
            return
    heaviest = sorted(may_be, key=lambda each: (not each.fits, -(each.weight or 0)))
    for each in heaviest[:1]:
        yield advice("wait/node-of-pool", each)


def asked_for(decision: Decision, events: Sequence[Event]) -> Iterator[Remedy]:
    """That the node is on its way which an autoscaler has asked for; after a quarter of an hour none comes any more."""
    said = autoscaler_events_about(decision.pod, events)
    nodes = (info.node for info in decision.cluster.node_infos)
    if not said or said[-1].reason != TRIGGERED_SCALE_UP or said[-1].followed_by(nodes):
        return
    newest = max(map(seconds, filter(None, (each.last_seen for each in events))), default=math.inf)
    if newest - seconds(said[-1].last_seen) < PATIENCE:
        yield advice("wait/node-asked-for", said[-1])


def _mending_adder(causes: Sequence[Cause], decision: Decision) -> Iterator[Remedy]:
    """To get the autoscaler running that should add nodes."""
    if any(cause.plugin in _OF_ONE_NODE for cause in causes):
        from kexplain.remedies.components import mending_adder  # noqa: PLC0415 (few autoscalers are broken)

        yield from mending_adder(decision)
