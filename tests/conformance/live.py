"""Pods that a scheduler tried on a real cluster, one by one: where they went, or what was said of them."""

from __future__ import annotations

from msgspec import Raw

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler

from .corpora import Area
from .scenario import Recorded
from .scheduling import cluster_of, read
from .tally import Case, Tally


class Verdict(Recorded, kw_only=True):
    """What the API server showed: a node, or the first event's text and, if room was made, for which node and how."""

    outcome: str
    message: str = ""
    node: str = ""
    nominated: str = ""
    evicted: tuple[str, ...] = ()


class Attempt(Recorded, kw_only=True):
    """A pod, and the objects as they stood when it was tried."""

    id: str
    area: str
    objects: Raw
    pod: str
    expected: Verdict


def run(area: Area, tally: Tally) -> None:
    """Try every pod anew, and count what is as recorded. Raises CorpusError."""
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=area.corpus.release))
    for attempt in area.rows(Attempt):
        with tally.decision(attempt.id, attempt.pod) as case:
            _compare(attempt, _decided(attempt, scheduler), case)


def _decided(attempt: Attempt, scheduler: Scheduler) -> Decision:
    objects = read(attempt.objects)
    pod = next(each for each in objects if isinstance(each, Pod) and each.key == attempt.pod)
    return scheduler.schedule(pod, cluster_of(objects, scheduler), 0)


def _compare(attempt: Attempt, decision: Decision, case: Case) -> None:
    expected = attempt.expected
    case.compare("outcome", expected.outcome, decision.outcome.value)
    if decision.outcome is Outcome.UNSCHEDULABLE:
        case.compare("message", expected.message, decision.message)
    # Of several best nodes a scheduler takes any.
    case.judge("node", expected.node, list(decision.best), is_equal=expected.node in (*decision.best, ""))
    tried = decision.preemption
    best = tried.best if tried else ()
    case.judge("nominated", expected.nominated, list(best), is_equal=expected.nominated in (best or ("",)))
    candidates = tried.candidates if tried else ()
    victims = {each.node_name: sorted(pod.key for pod in each.victims) for each in candidates}
    case.compare("evicted", list(expected.evicted), victims.get(expected.nominated, []))
