"""What holds a pod back before a scheduler looks at it, and what the scheduler would say then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.diagnosis.records import Hold, OnceAdmitted
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.queues.held import hold as held
from kexplain.queues.kueue import Workloads
from kexplain.queues.untried import is_untried, not_tried

if TYPE_CHECKING:
    from kexplain.scheduler.cycle import Scheduler


def hold(decision: Decision, made_of: KubernetesObject | None, events: Iterable[Event] = ()) -> Hold | None:
    """What queues, or the suspension of its Job, have to do with a pod that does not run; or that nobody tried it."""
    listers, events = decision.cluster.listers, tuple(events)

    def workloads() -> Workloads:
        return Workloads(listers)

    found = held(decision.pod, decision.cluster.fact((Workloads, listers), workloads), made_of, events)
    if found is None and decision.outcome is Outcome.SCHEDULED and is_untried(decision.pod, events):
        return not_tried(decision.pod, decision.cluster, decision.scheduler_name)
    return found


def once_admitted(decision: Decision, scheduler: Scheduler | None) -> OnceAdmitted | None:
    """What the scheduler would decide about a pod that is held back, if it were not."""
    if decision.outcome in (Outcome.GATED, Outcome.NO_PROFILE):
        if scheduler is None or not scheduler.profiles:
            return None
        decision = scheduler.without_post_filter().schedule(_let_in(decision.pod, scheduler), decision.cluster)
    if decision.outcome not in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE):
        return None
    nodes = tuple(dict.fromkeys((*([decision.host] if decision.host else []), *decision.best)))
    return OnceAdmitted(message=decision.message, nodes=nodes, fits=len(decision.feasible))


def _let_in(pod: Pod, scheduler: Scheduler) -> Pod:
    """The pod without gates, for a scheduler that there is."""
    name = pod.spec.scheduler_name
    name = name if name in scheduler.profiles else next(iter(scheduler.profiles))
    return replace(pod, spec=replace(pod.spec, scheduling_gates=None, scheduler_name=name))
