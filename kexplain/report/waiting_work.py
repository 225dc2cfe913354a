"""Workloads without pods, as a queue has not let them start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from kexplain.case.case import Case
from kexplain.case.own_pods import owner_of, owners_of
from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.cluster import Listers
from kexplain.diagnosis.never_created import is_refusal
from kexplain.diagnosis.records import Held
from kexplain.explanation.not_scheduled import mending_of
from kexplain.objects.other_resources import OtherResource
from kexplain.queues.groups import group_of
from kexplain.queues.work import Key, key_of, waiting_work
from kexplain.remedies.held import helped
from kexplain.report.workload_reports import workload_report
from kexplain.report.workloads import WorkloadReport


def reports(case: Case) -> Iterator[WorkloadReport]:
    """The reports on the workloads of a case, and on all that waits without pods where everything is searched."""
    listers = case.cluster.listers
    waiting = {each.key: each.hold for each in waiting_work(listers)}
    for own in case.workloads:
        hold = waiting.pop((own.kind, own.namespace, own.name), None) or _of_owner(own, waiting)
        yield workload_report(own, case) if hold is None or own.pods else _held(own, hold, case)
    if case.searched is not None:
        yield from _others(case, waiting, case.searched.namespace)


def _others(case: Case, waiting: Mapping[Key, Held], namespace: str) -> Iterator[WorkloadReport]:
    """What waits without pods in that namespace, or any, and what an API server refuses the first pod of."""
    refused = _refused(case.cluster.listers)
    started, explained = _with_pods(case) if waiting or refused else set(), {own.namespace for own in case.workloads}
    for key, hold in waiting.items():
        if key not in started and namespace in ("", key[1]):
            yield _held(OwnPods(*key, pods=(), wanted=None, missing=0), hold, case)
    for key, said in refused.items():
        if key not in {*started, *waiting} and key[1] not in explained and namespace in ("", key[1]):
            own = OwnPods(*key, pods=(), wanted=1, missing=1, complaints=(said,))
            yield workload_report(case.builder.with_next_pod(own) if case.builder else own, case)


def _refused(listers: Listers) -> dict[Key, ControllerMessage]:
    """What other projects' objects say of pods of theirs that an API server refuses, by these; not who repeats it."""
    found = {(each.kind, each.namespace, each.name): each for each in listers.every(OtherResource)}
    said = {key: each.complaint for key, each in found.items() if each.complaint and is_refusal(each.complaint.message)}
    repeating = {key for each in said for key in owners_of(found[each], "")}
    kept = ((key, each) for key, each in said.items() if key not in repeating)
    return {key: ControllerMessage(f"{key[0]} {key[2]}", each.message, last_seen=each.since) for key, each in kept}


def _of_owner(own: OwnPods, waiting: Mapping[Key, Held]) -> Held | None:
    """What holds back what made the workload, such as the JobSet of a Job, and would suspend it again."""
    key = owner_of(own.held, own.namespace) if own.held else None
    return waiting.get(key) if key else None


def _held(own: OwnPods, hold: Held, case: Case) -> WorkloadReport:
    """With who should let it start, if that does not run itself."""
    found, helps = helped(hold, None, case.cluster, mend=mending_of(case.scheduler))
    return workload_report(own, held=found, against=helps)


def _with_pods(case: Case) -> set[Key]:
    """What owns pods, or is a group of some."""
    pods = [*case.cluster.pods, *(each.pod for each in case.pods)]
    groups = filter(None, (group_of(pod, case.cluster.listers) for pod in pods))
    return {*chain.from_iterable(owners_of(pod, "") for pod in pods), *map(key_of, groups)}
