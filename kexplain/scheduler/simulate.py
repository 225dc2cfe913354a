"""Several pods in queue order, each seeing what became of those before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.signing import Latest


def queue_order(scheduler: Scheduler, pods: Iterable[Pod]) -> list[Pod]:
    """The pods as their profiles' QueueSort takes them; equals, and pods of other schedulers, as they came."""
    return sorted(pods, key=scheduler.sort_key)


def simulate(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod. A pod that fits is on its node for the next one; one that would preempt is nominated.

    Victims stay, as they do in a real cluster until they have shut down. What one pod has found out is handed to
    the next where scheduling cannot tell them apart and nothing has changed since. A group is tried as a whole when
    the first of its pods is, with those of its pods, too, that only the cluster knows; in 1.35 its pods wait for each
    other on their nodes.
    """
    features = scheduler.features
    if not (features.gangs and features.pod_groups) or features.groups_are_scheduled_at_once:
        return _in_turn(scheduler, cluster, pods, start_index)
    from kexplain.scheduler.waiting_gangs import in_the_end, with_their_gangs  # noqa: PLC0415

    asked = list(pods)
    decisions = list(_in_turn(scheduler, cluster, with_their_gangs(asked, cluster), start_index))
    uids = {pod.uid for pod in asked}
    left = after(decisions[-1], scheduler) if decisions else cluster
    return (each for each in in_the_end(scheduler, decisions, left) if each.pod.uid in uids)


def _in_turn(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int) -> Iterator[Decision]:
    """A decision a pod, or a group."""
    queue = queue_order(scheduler, pods)
    cluster = cluster.awaiting(queue)
    asked = {pod.uid for pod in queue if pod.group is not None}
    tried: set[str] = set()
    latest = Latest(scheduler)
    for pod in queue:
        if pod.uid in tried:
            continue
        if is_tried_with_group(scheduler, pod) and (members := in_queue(scheduler, pod, cluster, start_index)):
            # Most queues hold no group.
            from kexplain.scheduler.group_cycle import schedule_group  # noqa: PLC0415

            group = schedule_group(scheduler, members, cluster, start_index)
            tried.update(each.uid for each in members)
            yield from (each for each in group.decisions if each.pod.uid in asked)
            start_index, cluster = group.next_start_index, group.cluster
            latest.forget()
            continue
        decision = latest.about(pod, cluster) or scheduler.schedule(pod, cluster, start_index)
        yield decision
        latest.keep(decision)
        start_index = decision.sampling.next_start_index
        cluster = after(decision, scheduler)


def is_tried_with_group(scheduler: Scheduler, pod: Pod) -> bool:
    """Whether the scheduler tries the pod together with its group, once it is in the queue."""
    features = scheduler.features
    has_group = pod.spec.scheduling_group is not None
    return has_group and features.pod_groups and features.groups_are_scheduled_at_once


def in_queue(scheduler: Scheduler, pod: Pod, cluster: Cluster, start_index: int) -> list[Pod]:
    """The pods of a group that are in the queue, in its order, equals by their names; empty if that pod is not."""
    if pod.group is None or not _is_queued(scheduler, pod, cluster, start_index):
        return []
    others = [each for uid, each in cluster.groups.members(pod.group).waiting.items() if uid != pod.uid]
    queued = (each for each in others if _is_queued(scheduler, each, cluster, start_index))
    return queue_order(scheduler, sorted([pod, *queued], key=lambda each: each.key))


def _is_queued(scheduler: Scheduler, pod: Pod, cluster: Cluster, start_index: int) -> bool:
    return scheduler.begin(pod, cluster, start_index).outcome is Outcome.UNSCHEDULABLE


def after(decision: Decision, scheduler: Scheduler) -> Cluster:
    """The cluster as the next pod finds it: with the pod on its node, or nominated to it, or as it was."""
    if decision.host:
        return scheduler.assume(decision)
    if decision.nominated_node:
        return decision.cluster.nominate(decision.pod, decision.nominated_node)
    return decision.cluster
