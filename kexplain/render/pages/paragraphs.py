"""Pods that share a paragraph: those that are not placed, for one reason."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from kexplain.explanation.records import Agreement, PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.render.pages import worded
from kexplain.render.pages.sentences import (
    autoscaler_lines,
    differences,
    event_line,
    simulator_line,
    verdict_on,
    waits_for,
)
from kexplain.report.groups import PodGroup
from kexplain.report.not_running import how_they_stand
from kexplain.report.records import Report
from kexplain.words import plural, some

OWNERS_SHOWN = 5
_AGREEMENTS = worded("agreements", dict[Agreement, str])
_DIFFERENT = (Agreement.DIFFERENT, Agreement.OTHER_OUTCOME)


class Paragraph(Struct, frozen=True):
    """Pods that are written about together, and what they have in common; a pod alone has no group.

    `place` is that of the first pod in the report.
    """

    pods: Sequence[PodExplanation]
    group: PodGroup | None = None
    place: int = 0

    @property
    def anchor(self) -> str:
        """What its page is called."""
        return anchor(self.place)

    @property
    def is_alike(self) -> bool:
        """Whether what is said of the nodes for one pod holds for all."""
        return self.group is None or self.group.alike

    @property
    def of_one_workload(self) -> bool:
        """Whether one pod may stand for all, even where they differ a little."""
        return self.group is not None and len(self.group.workloads) == 1 and not self.group.scheduling_group


def anchor(place: int) -> str:
    """What a page is called whose first pod has this place in the report."""
    return f"pod-{place}"


def paragraphs(report: Report, *, with_placed: bool = True) -> list[Paragraph]:
    """The groups of a report, the largest first; pods that are placed stand alone, or are left out."""
    grouped = [Paragraph([report.pods[at] for at in group.pods], group, group.pods[0]) for group in report.groups]
    places = {place for group in report.groups for place in group.pods}
    others = (each for each in enumerate(report.pods) if with_placed and each[0] not in places)
    alone = [Paragraph([pod], place=place) for place, pod in others]
    return sorted([*grouped, *alone], key=lambda each: (-len(each.pods), each.place))


def group_verdict(group: Sequence[PodExplanation]) -> str:
    """The outcome of several pods in a sentence."""
    first, many = group[0], plural(len(group), "pod")
    if first.group is not None and first.outcome is not Outcome.ERROR:
        wait = "are not scheduled yet" if first.outcome is Outcome.GATED else "wait for their group"
        return f"{many} {wait}: {waits_for(first.group)}"
    return verdict_on(many, len(group), first)


def diagnosed(pod: PodExplanation) -> str:
    """What is wrong, to stand behind the verdict; empty where the verdict says it."""
    if pod.outcome is not Outcome.UNSCHEDULABLE or pod.held or pod.diagnosis is None or (pod.group and pod.group.node):
        return ""
    return f": {pod.diagnosis.text}"


def likewise(pods: Sequence[PodExplanation]) -> str:
    """How many pods of a workload are told the same as the first, each of a node, volume or claim of its own."""
    first, *others = [each.diagnosis.text if each.diagnosis else "" for each in pods]
    count = sum(each != first for each in others)
    return f"; likewise for {plural(count, 'more pod')}" if first and count else ""


def owners(group: PodGroup) -> str:
    """The workloads that the pods are of, those with the most pods first; a pod of none by its name."""
    named = [(f"{each.namespace}/{each.name}", each) for each in group.workloads]
    if len(named) == 1:
        return " ".join(f"{name} ({each.kind})" if each.kind else name for name, each in named)
    said = [f"{name} ({each.kind}, {plural(each.pods, 'pod')})" if each.kind else name for name, each in named]
    return some(said, OWNERS_SHOWN)


def event_lines(paragraph: Paragraph) -> list[str]:
    """What schedulers have said about the pods, against what is said here: a count where there are several."""
    pods, group = paragraph.pods, paragraph.group
    if group is None or len(pods) == 1:
        return [line for line in (event_line(pods[0]), simulator_line(pods[0]), *autoscaler_lines(pods[0])) if line]
    told = group.events if pods[0].is_decided else ()
    lines = [f"events of {plural(each.pods, 'pod')} {_AGREEMENTS[each.agreement]}" for each in told]
    of_autoscalers = ([f"{pod.pod.key}: {line}" for line in autoscaler_lines(pod)] for pod in pods if pod.autoscaler)
    alike = [*{differences(pod) for pod in pods}] if [each.agreement for each in told] == [Agreement.DIFFERENT] else []
    found = [f"{lines[0]}: {alike[0]}"] if len(alike) == 1 else [*lines, *_differing_event(pods)]
    return [*found, *next(of_autoscalers, [])]


def differs(pods: Iterable[PodExplanation]) -> bool:
    """Whether a scheduler has said otherwise of one of these pods."""
    return any(pod.event is not None and pod.event.agreement in _DIFFERENT for pod in pods)


def _differing_event(pods: Iterable[PodExplanation]) -> list[str]:
    differing = (pod for pod in pods if differs([pod]))
    return [f"{pod.pod.key}: {event_line(pod)}" for pod in differing][:1]


def nothing_pending(report: Report) -> str:
    """The report where pods were searched for and none is pending or missing; empty if some are, or were named."""
    if report.pods or report.workloads or report.search is None:
        return ""
    search = report.search
    where = f" in namespace {search.namespace}" if search.namespace else ""
    if not search.pods:
        return f"no pods found{where}"
    if not where:
        where = f" in {plural(search.namespaces, 'namespace')}"
    if idle := len(report.not_running):
        pods = plural(search.pods, "pod")
        return f"{idle} of {pods}{where} {how_they_stand(report.not_running)}; none is pending"
    if search.pods == 1:
        return f"nothing is pending{where}: the only pod has a node or has finished"
    return f"nothing is pending{where}: all {search.pods} pods have a node or have finished"


def shared_room(report: Report) -> str:
    """That pods share the room, where one of several takes some; empty otherwise."""
    takes_room = any(pod.choice or (pod.preemption and pod.preemption.nominated_node) for pod in report.pods)
    if len(report.pods) < 2 or not takes_room:
        return ""
    return "pods are placed in queue order; each sees the room left by those before it"
