"""Queues that a real scheduler was left alone with until nothing moved any more."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.framework.trace import GroupOutcome
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import settle

from .corpora import Area
from .scenario import Recorded
from .scheduling import cluster_of, read
from .tally import Case, Tally


class LeftPending(Recorded, kw_only=True):
    """The last text of a pod's condition, and the node that was nominated for it."""

    message: str | None
    nominated_node_name: str | None


class GroupCondition(Recorded, kw_only=True):
    """What the condition of a group said."""

    status: str
    reason: str
    message: str


class End(Recorded, kw_only=True):
    """Where everybody was at the end; a group that was never tried has no condition."""

    placed: dict[str, str]
    evicted: list[str]
    pending: dict[str, LeftPending]
    groups: dict[str, GroupCondition | None] = msgspec.field(default_factory=dict)


class QueueToSettle(Recorded, kw_only=True):
    """A cluster with pods that wait, and the gates that were on; with `timing` "messages" the texts depend on it."""

    id: str
    objects: Raw
    pods: list[str]
    timing: str = ""
    gates: tuple[str, ...] = ()
    expected: End


def run(area: Area, tally: Tally) -> None:
    """Settle every queue anew, and count what is as recorded. Raises CorpusError."""
    for recorded in area.rows(QueueToSettle):
        gates = dict.fromkeys(recorded.gates, True)
        scheduler = build_scheduler(SchedulerSettings(kubernetes_version=area.corpus.release, feature_gates=gates))
        with tally.decision(recorded.id) as case:
            _compare(recorded, scheduler, case)


def _compare(recorded: QueueToSettle, scheduler: Scheduler, case: Case) -> None:
    objects = read(recorded.objects)
    pending = [each for each in objects if isinstance(each, Pod) and each.key in recorded.pods]
    others = [each for each in objects if each not in pending]
    settled = settle(scheduler, cluster_of(others, scheduler), pending)
    expected = recorded.expected
    case.compare("placed", expected.placed, settled.placed)
    case.compare("evicted", sorted(expected.evicted), sorted(pod.key for pod in settled.evicted))
    waiting = {
        each.pod.key: LeftPending(message=each.message or None, nominated_node_name=each.nominated_node or None)
        for each in settled.waiting
    }
    if recorded.timing == "messages":
        for each in (*expected.pending.values(), *waiting.values()):
            each.message = None
    case.compare("pending", expected.pending, waiting)
    if expected.groups:
        conditions = {str(name): _condition(outcome) for name, outcome in settled.groups.items()}
        case.compare("groups", expected.groups, {name: conditions.get(name) for name in expected.groups})


def _condition(outcome: GroupOutcome) -> GroupCondition:
    if outcome.is_scheduled:
        return GroupCondition(status="True", reason="Scheduled", message="")
    reason = "SchedulerError" if outcome.is_error else "Unschedulable"
    return GroupCondition(status="False", reason=reason, message=outcome.message)
