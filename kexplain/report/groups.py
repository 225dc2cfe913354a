"""Pods that share a fate: those that are not placed, for one reason."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from kexplain.diagnosis.records import Kind
from kexplain.explain.output import Output
from kexplain.explain.records import Cause
from kexplain.explanation.records import Agreement, PodExplanation, PodReference
from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.remedies.records import Action, Remedy

#: Whose pods each have a node or a volume of their own.
EACH_ITS_OWN = ("DaemonSet", "StatefulSet")


class GroupWorkload(Output, frozen=True):
    """A workload, and how many pods of a group it made; a pod of none stands for itself, and has no kind."""

    kind: str
    namespace: str
    name: str
    pods: int


class GroupCause(Output, frozen=True):
    """What stops pods of a group on some node, and how many of the pods."""

    plugin: str
    text: str
    pods: int


class GroupRemedy(Output, frozen=True):
    """What would help pods of a group, each by itself, and how many of them.

    `serves` of them fit then together; null where that was not tried.
    """

    text: str
    pods: int
    serves: int | None = None


class GroupEvents(Output, frozen=True):
    """How many pods of a group have an event that agrees with what is said here in this way."""

    agreement: Agreement
    pods: int


class PodGroup(Output, frozen=True):
    """Pods of a workload, or of none, that are not placed for one reason, or pods that are scheduled together.

    `pods` are their places in the report's `pods`, from 0. If they are `alike`, what is said of the nodes for one pod
    holds for all; otherwise `causes` and `remedies` are those of any of them. All lists begin with the most pods.
    """

    outcome: Outcome
    scheduler_name: str
    message: str
    pods: tuple[int, ...]
    workloads: tuple[GroupWorkload, ...]
    alike: bool
    causes: tuple[GroupCause, ...] = ()
    remedies: tuple[GroupRemedy, ...] = ()
    events: tuple[GroupEvents, ...] = ()
    #: What is wrong with the first of them, in a sentence; empty where nothing is told.
    because: str = ""
    #: When the oldest of the pods was created; empty where that is not known.
    since: str = ""
    #: The name of the group that the pods are scheduled with, with its namespace; empty if they are not.
    scheduling_group: str = ""


def by_workload(pods: Iterable[PodReference]) -> tuple[GroupWorkload, ...]:
    """How many of the pods each workload has made, the most first."""
    counts = Counter(map(_workload, pods))
    most = ((*each, count) for each, count in counts.most_common())
    return tuple(GroupWorkload(kind=kind, namespace=home, name=name, pods=count) for kind, home, name, count in most)


def groups(pods: Sequence[PodExplanation], created: Sequence[str] = (), *, by_message: bool) -> tuple[PodGroup, ...]:
    """The pods that are not placed, or held back, the largest group first; `created` is when each pod was, or empty.

    Pods that were looked for are grouped by workload and diagnosis, or message; pods that were named by message,
    diagnosis and causes. Those that are scheduled together, and cannot run, are one whatever each is told.
    """
    places_by_fate: dict[object, list[int]] = {}
    for place, pod in enumerate(pods):
        if pod.fits:
            continue
        fate: tuple[object, ...] = (pod.outcome, pod.scheduler_name, pod.message, pod.held and pod.held.text)
        if by_message and (group := _held_up(pod)):
            fate = ("scheduled together", group)
        elif own := _of_one_fault(pod):
            fate = own
        elif by_message:
            said = _diagnosed(pod) or fate
            fate = (pod.outcome, pod.scheduler_name, pod.pod.workload and _workload(pod.pod), pod.pod.namespace, said)
        else:
            fate = (*fate, pod.pod.source, pod.pod.namespace, _diagnosed(pod), reasons(pod.causes))
        places_by_fate.setdefault(fate, []).append(place)
    largest_first = sorted(places_by_fate.values(), key=lambda places: -len(places))
    created = created or [""] * len(pods)
    return tuple(
        replace(
            _group(places, [pods[place] for place in places]),
            since=min(filter(None, (created[place] for place in places)), default=""),
        )
        for places in largest_first
    )


def _of_one_fault(pod: PodExplanation) -> tuple[object, ...]:
    """The fate of a pod told of a node, volume or claim of its own, and helped first by what helps the others.

    Empty for all other pods.
    """
    of = pod.pod.workload
    if of is None or not (pod.remedies or pod.last_resorts) or pod.held or pod.diagnosis is None:
        return ()
    if of.kind not in EACH_ITS_OWN and pod.diagnosis.kind is not Kind.DEVICES_UNAVAILABLE:
        return ()
    return of.kind, pod.pod.namespace, of.name, pod.scheduler_name, pod.diagnosis.kind, _helped_first(pod)


def _helped_first(pod: PodExplanation) -> str:
    """What helps the pod first, as far as it is the same for others that wait with it."""
    if not pod.remedies:
        return pod.last_resorts[0]
    first = pod.remedies[0]
    is_of_all = first.serves is not None and first.serves == first.pending
    # Each evicts others, on a node of its own, which is what texts differ in.
    return first.action if first.action == Action.WAIT_FOR_PREEMPTION or is_of_all else first.text


def _group(places: Iterable[int], pods: Sequence[PodExplanation]) -> PodGroup:
    first = pods[0]
    stopped = _stopped(pods)
    causes = Counter(reason for pod in stopped for reason in dict.fromkeys(reasons(pod.causes)))
    by_text = grouped((each.text, each) for pod in stopped for each in {r.text: r for r in pod.remedies}.values())
    events = Counter(pod.event.agreement for pod in pods if pod.event)
    return PodGroup(
        outcome=first.outcome,
        scheduler_name=first.scheduler_name,
        message=first.message,
        pods=tuple(places),
        workloads=by_workload(pod.pod for pod in pods),
        alike=all(pod.causes == first.causes and pod.remedies == first.remedies for pod in pods),
        causes=tuple(GroupCause(plugin=by, text=text, pods=count) for (by, text), count in causes.most_common()),
        remedies=tuple(_remedy(*each) for each in sorted(by_text.items(), key=lambda item: -len(item[1]))),
        scheduling_group=_held_up(first),
        because=first.held.text if first.held else _diagnosed(first),
        events=tuple(GroupEvents(agreement=agreement, pods=count) for agreement, count in events.most_common()),
    )


def _remedy(text: str, found: Sequence[Remedy]) -> GroupRemedy:
    wait_together = all(each.pending == len(found) for each in found)
    return GroupRemedy(text=text, pods=len(found), serves=found[0].serves if wait_together else None)


def _stopped(pods: Sequence[PodExplanation]) -> Sequence[PodExplanation]:
    """Those that do not fit themselves: the others wait for them."""
    return [pod for pod in pods if not pod.fits_in_its_group] or pods


def _held_up(pod: PodExplanation) -> str:
    """The group that keeps the pod waiting, if it is scheduled with one that cannot run."""
    return pod.group.group if pod.group and not pod.group.can_run else ""


def _diagnosed(pod: PodExplanation) -> str:
    """What is wrong, if the scheduler was to decide; empty if nobody can tell."""
    return pod.diagnosis.text if pod.diagnosis and pod.held is None else ""


def reasons(causes: Iterable[Cause]) -> tuple[tuple[str, str], ...]:
    """What stops a pod, in all its detail."""
    return tuple((cause.plugin, cause.text) for cause in causes)


def _workload(pod: PodReference) -> tuple[str, str, str]:
    workload = pod.workload
    return (workload.kind, pod.namespace, workload.name) if workload else ("", pod.namespace, pod.name)
