"""What is on the page of pods whose own status is all that may be read."""

from collections.abc import Iterator

from kexplain.grouping import grouped
from kexplain.messages.part import Section
from kexplain.render.pages import Page, Prose, Sheet, State, columns, number_text, numbers
from kexplain.render.pages.event import TITLES
from kexplain.render.pages.sentences import DASH
from kexplain.render.pages.workloads import complaints, places, workload_verdict
from kexplain.render.view import View
from kexplain.report.event import EventPart, ExplainedEvent
from kexplain.report.status import PodStatusReport, StatusReport
from kexplain.words import clauses, plural, some


def page(report: StatusReport, view: View) -> Page:
    """The messages, each once, with the meaning of every part; of several only why not, unless all is wanted."""
    sheets, by_message = [_places(report)], _by_message(report)
    for pods in by_message:
        found = list(_said(pods))
        sheets += found if view.is_detailed or len(by_message) == 1 else found[:1]
    lines = [line for workload in report.workloads for line in (workload_verdict(workload), *complaints(workload))]
    aside = "as the scheduler says, not worked out here"
    return Page(_headline(report), State.of(report.is_well), aside, [Prose(lines), *sheets])


def _headline(report: StatusReport) -> str:
    waiting = [pod for pod in report.pods if not pod.node]
    if len(waiting) == 1:
        return f"{waiting[0].namespace}/{waiting[0].name} is pending"
    if waiting:
        return f"{plural(len(waiting), 'pod')} in namespace {report.namespace} are pending"
    if report.pods:
        return clauses(*(f"{pod.namespace}/{pod.name} has node {pod.node}" for pod in report.pods))
    if report.workloads:
        return "no pod is pending" if report.is_well else "pods are missing"
    return f"nothing is pending in namespace {report.namespace}"


def _places(report: StatusReport) -> Sheet:
    rows = [row for workload in report.workloads for sheet in places(workload) for row in sheet.rows]
    return Sheet("WHERE THE OTHERS RUN", columns("NODE", "PODS"), rows)


def _by_message(report: StatusReport) -> list[list[PodStatusReport]]:
    """The pods without a node by what is said of them, most first; those of whom nobody has said anything last."""
    waiting = (pod for pod in report.pods if not pod.node)
    pods = grouped(((pod.said.message if pod.said else "", pod.reported_by), pod) for pod in waiting)
    return [pods[key] for key in sorted(pods, key=lambda key: (not key[0], -len(pods[key])))]


def _said(pods: list[PodStatusReport]) -> Iterator[Sheet]:
    first, names = pods[0], some([pod.name for pod in pods], 4)
    if first.said is None:
        yield Sheet(names, columns("SAID"), [(f"nothing yet: {first.reported_by or 'no scheduler'} has not tried it",)])
        return
    quote, lines = first.said.message, [*_seen(first)]
    for section, parts in _sections(first.said):
        heads = (*numbers("NODES"), *columns("TEXT", "WHAT IT MEANS"))
        title = f"{names}: {TITLES[section]}" if lines else TITLES[section]
        yield Sheet(title, heads, [_row(part) for part in parts], lines, quote)
        quote, lines = "", []


def _seen(pod: PodStatusReport) -> Iterator[str]:
    times = f"{pod.times} times" if pod.times > 1 else "once" if pod.times else ""
    when = ", ".join(filter(None, (times, f"last at {pod.last_seen}" if pod.last_seen else "")))
    yield f"said by {pod.reported_by or 'the scheduler'}{f' {when}' if when else ''}"
    if pod.nominated_node:
        yield f"nominated to {pod.nominated_node}, where room is kept for it"


def _sections(said: ExplainedEvent) -> Iterator[tuple[Section, list[EventPart]]]:
    for section in TITLES:
        if parts := [part for part in said.parts if part.section == section]:
            yield section, parts


def _row(part: EventPart) -> tuple[str, ...]:
    count = number_text(part.count, DASH)
    meaning = part.meaning or "not a text of kube-scheduler"
    return count, part.text, f"{meaning} → {part.check}" if part.check else meaning
