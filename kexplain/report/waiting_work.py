"""Workloads without pods, as a queue has not let them start."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.case.records import Case, OwnPods
from kexplain.diagnosis.caretakers import Subject
from kexplain.diagnosis.culprits import at_fault, statement_of
from kexplain.diagnosis.records import Hold
from kexplain.queues.work import Key, waiting_work
from kexplain.remedies.components import mending
from kexplain.remedies.held import of_work
from kexplain.remedies.records import Remedy
from kexplain.report.workloads import WorkloadReport, workload_report
from kexplain.words import clauses


def reports(case: Case) -> Iterator[WorkloadReport]:
    """The reports on the workloads of a case, and on all that waits without pods where everything is searched."""
    waiting = {each.key: each.hold for each in waiting_work(case.cluster.listers)}
    for own in case.workloads:
        hold = waiting.pop((own.kind, own.namespace, own.name), None)
        yield workload_report(own, case) if hold is None or own.pods else _held(own, hold, case)
    if case.searched is None:
        return
    started = _with_pods(case)
    for key, hold in waiting.items():
        if key not in started and case.searched.namespace in ("", key[1]):
            yield _held(OwnPods(*key, pods=(), wanted=None, missing=0), hold, case)


def _held(own: OwnPods, hold: Hold, case: Case) -> WorkloadReport:
    """With who should let it start, if that does not run itself."""
    care = at_fault(Subject.QUEUE, hold.by, "lets it start", case.cluster)
    remedies: tuple[Remedy, ...] = tuple(of_work(hold))
    if care is not None:
        hold = replace(hold, text=clauses(hold.text, str(statement_of(care))))
        remedies = (*mending(care, case.cluster), *remedies)
    return workload_report(own, held=hold, against=remedies)


def _with_pods(case: Case) -> set[Key]:
    """What owns pods, or is a group of some."""
    pods = [*case.cluster.pods, *(each.pod for each in case.pods)]
    return {
        (owner.kind or "", pod.namespace, owner.name or "")
        for pod in pods
        for owner in pod.metadata.owner_references or ()
    }
