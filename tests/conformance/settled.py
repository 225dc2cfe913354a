"""Queues that a real scheduler was left alone with until nothing moved any more."""

from __future__ import annotations

from msgspec import Raw

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.settling import settle

from .corpora import Area
from .scenario import Recorded
from .scheduling import cluster_of, read
from .tally import Case, Tally


class LeftPending(Recorded, kw_only=True):
    """The last text of a pod's condition, and the node that was nominated for it."""

    message: str | None
    nominated_node_name: str | None


class End(Recorded, kw_only=True):
    """Where everybody was at the end."""

    placed: dict[str, str]
    evicted: list[str]
    pending: dict[str, LeftPending]


class QueueToSettle(Recorded, kw_only=True):
    """A cluster with pods that wait; with `timing` "messages" the texts depend on it."""

    id: str
    objects: Raw
    pods: list[str]
    timing: str = ""
    expected: End


def run(area: Area, tally: Tally) -> None:
    """Settle every queue anew, and count what is as recorded. Raises CorpusError."""
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=area.corpus.release))
    for recorded in area.rows(QueueToSettle):
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
        each.pod.key: LeftPending(message=each.message, nominated_node_name=each.nominated_node or None)
        for each in settled.waiting
    }
    if recorded.timing == "messages":
        for each in (*expected.pending.values(), *waiting.values()):
            each.message = None
    case.compare("pending", expected.pending, waiting)
