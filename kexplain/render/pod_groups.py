"""Pods that share a paragraph: those that do not fit, for one cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kexplain.explain.records import PodExplanation, Report
from kexplain.render.sentences import event_line, pod_name
from kexplain.words import plural, some

OWNERS_SHOWN = 5
_AGREEMENTS = {
    "Same": "say the same",
    "SameReasons": "give the same reasons for as many nodes each",
    "Different": "differ",
    "OtherOutcome": "say otherwise",
}
_DIFFERENT = ("Different", "OtherOutcome")


def grouped(pods: Iterable[PodExplanation], report: Report) -> list[list[PodExplanation]]:
    """The pods with those of one fate together, the largest group first; a pod that fits stays alone.

    Of pods that were looked for one message is one fate; of pods that were named the causes have to be equal, too.
    """
    groups: dict[object, list[PodExplanation]] = {}
    for pod in pods:
        fate: tuple[object, ...] = (pod.outcome, pod.scheduler_name, pod.message)
        if pod.outcome == "Scheduled":
            fate = (id(pod),)
        elif report.search is None:
            fate = (*fate, pod.pod.source, pod.pod.namespace, reasons(pod))
        groups.setdefault(fate, []).append(pod)
    return sorted(groups.values(), key=lambda group: -len(group))


def reasons(pod: PodExplanation) -> tuple[tuple[str, str], ...]:
    """What stops the pod, in all its detail."""
    return tuple((cause.plugin, cause.text) for cause in pod.causes)


def is_alike(group: Sequence[PodExplanation]) -> bool:
    """Whether what is said of the nodes for one pod of a group holds for all."""
    return all(pod.causes == group[0].causes and pod.remedies == group[0].remedies for pod in group)


def group_verdict(group: Sequence[PodExplanation]) -> str:
    """The outcome of several pods in a sentence."""
    first, many = group[0], plural(len(group), "pod")
    match first.outcome:
        case "Unschedulable":
            where = "the only node" if first.nodes.total == 1 else f"any of {first.nodes.total} nodes"
            return f"{many} do not fit on {where}"
        case "Gated":
            return f"{many} are not scheduled yet: {first.message}"
        case "NoProfile":
            return f'{many} are left to scheduler "{first.scheduler_name}"'
        case "Deleting":
            return f"{many} are not scheduled: they are being deleted"
        case _:
            return f"{many} cannot be scheduled: {first.message}"


def owners(group: Sequence[PodExplanation]) -> str:
    """The workloads that the pods are of, those with the most pods first; a pod of none by its name."""
    counts = Counter(_owner(pod) for pod in group)
    return some(
        [f"{name} ({kind}, {plural(count, 'pod')})" if kind else name for (name, kind), count in counts.most_common()],
        OWNERS_SHOWN,
    )


def _owner(pod: PodExplanation) -> tuple[str, str]:
    workload = pod.pod.workload
    return (f"{pod.pod.namespace}/{workload.name}", workload.kind) if workload else (pod_name(pod), "")


def causes_of_all(group: Sequence[PodExplanation]) -> list[tuple[int, str, str]]:
    """The causes that stop any of the pods, each with how many pods it stops, most pods first."""
    counts = Counter(reason for pod in group for reason in dict.fromkeys(reasons(pod)))
    return [(count, plugin, text) for (plugin, text), count in counts.most_common()]


def remedies_of_all(group: Sequence[PodExplanation]) -> list[str]:
    """What would help any of the pods, with how many of them."""
    counts = Counter(text for pod in group for text in dict.fromkeys(remedy.text for remedy in pod.remedies))
    return [f"{text} ({plural(count, 'pod')})" for text, count in counts.most_common()]


def event_lines(group: Sequence[PodExplanation]) -> list[str]:
    """What schedulers have said about the pods, against what is said here: a count where there are several."""
    if len(group) == 1:
        return [line for line in (event_line(group[0]),) if line]
    counts = Counter(_AGREEMENTS[pod.event.agreement] for pod in group if pod.event)
    lines = [f"events of {plural(count, 'pod')} {says}" for says, count in counts.most_common()]
    differing = next((pod for pod in group if pod.event and pod.event.agreement in _DIFFERENT), None)
    return [*lines, f"{pod_name(differing)}: {event_line(differing)}"] if differing else lines


def nothing_pending(report: Report) -> str:
    """The report where pods were looked for and none is pending; empty if some are, or were named."""
    if report.pods or report.search is None:
        return ""
    search = report.search
    where = f" in namespace {search.namespace}" if search.namespace else ""
    if not search.pods:
        return f"there are no such pods{where}"
    if not where:
        where = f" in {plural(search.namespaces, 'namespace')}"
    if search.pods == 1:
        return f"nothing is pending{where}: the only pod has a node, or has finished"
    return f"nothing is pending{where}: all {search.pods} pods have a node, or have finished"


def shared_room(report: Report) -> str:
    """That pods share the room, where one of several takes some; empty otherwise."""
    takes_room = any(pod.choice or (pod.preemption and pod.preemption.nominated_node) for pod in report.pods)
    if len(report.pods) < 2 or not takes_room:
        return ""
    return "the pods are tried in queue order, each with the room that those before it have left"
