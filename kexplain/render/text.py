"""The report for people: causes first, then nodes, then preemption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.waking import Retry
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.parameters import parameter
from kexplain.render import settled
from kexplain.render.blocks import Block, Command, Group, Item, Text
from kexplain.render.layout import cut_off, indented, new_table, section, stacked, text
from kexplain.render.new_nodes import new_nodes_sheet
from kexplain.render.node_tables import node_sections, one_node
from kexplain.render.pages.text import drawn
from kexplain.render.pod_groups import (
    Paragraph,
    event_lines,
    group_verdict,
    nothing_pending,
    owners,
    paragraphs,
    shared_room,
)
from kexplain.render.sentences import (
    DASH,
    advice,
    as_sentence,
    counts,
    extender_lines,
    ladder_lines,
    pod_name,
    preemption_lines,
    request_lines,
    verdict,
    waiting_lines,
    warnings,
    why_chosen,
)
from kexplain.render.summary import is_summarized, summary
from kexplain.render.view import View, printable, restricted
from kexplain.render.workloads import complaints, places, workload_verdict
from kexplain.report.groups import PodGroup
from kexplain.report.records import Report
from kexplain.report.settled import SettledQueue
from kexplain.report.workloads import WorkloadReport
from kexplain.shell import command
from kexplain.words import plural, some

MARKS = {
    Outcome.SCHEDULED: ("✓", "bold green"),
    Outcome.GATED: ("‖", "bold yellow"),
    Outcome.NO_PROFILE: ("–", "bold yellow"),
}
FAILED = ("✗", "bold red")
#: From this width on there is room for node names beside causes.
NAMED = 120


def render(report: Report, view: View) -> Block:
    """All pods one after the other, those of one kind and one fate together."""
    report = restricted(report, view)
    parts = [_workload(workload, view) for workload in report.workloads]
    if is_summarized(report, view):
        parts.append(summary(report, view))
    else:
        parts += _in_full(report, view)
    blocks: list[Block] = [block for part in parts for block in (Text(), *part)][1:]
    for group in report.scheduling_groups:
        blocks += _together(group, view)
    if report.settled is not None:
        blocks += _settled(report.settled, view)
    elif room := shared_room(report):
        blocks += [Text(), text(room, "dim")]
    if nothing := nothing_pending(report):
        blocks.append(text(nothing))
    return Group(*blocks)


def _in_full(report: Report, view: View) -> Iterator[Iterator[Block]]:
    """A table of the pods that are placed, a paragraph for each group of others, and how many fit."""
    briefly = len(report.pods) > 1 and not (view.is_detailed or view.node or view.plugin)
    placed = [pod for pod in report.pods if pod.choice is not None and briefly]
    if placed:
        yield _placed(placed, report, view)
    for each in paragraphs(report, with_placed=not briefly):
        yield _paragraph(each, report, view)
    if len(report.pods) > 1 and not placed:
        yield iter([Text(_summary(report), style="bold")])


def _together(group: SchedulingGroup, view: View) -> Iterator[Block]:
    # Most reports speak of no group.
    from kexplain.render import scheduling_groups  # noqa: PLC0415

    for sheet in scheduling_groups.sheets(group):
        yield from drawn(sheet, view)


def _settled(queue: SettledQueue, view: View) -> Iterator[Block]:
    yield from (Text(), text(settled.headline(queue), "bold"))
    for sheet in settled.sheets(queue):
        yield from drawn(sheet, view)


def _workload(workload: WorkloadReport, view: View) -> Iterator[Block]:
    """How the pods of a workload stand, why some are missing, and where the others are."""
    is_well = workload.is_complete and not workload.pending
    mark, style = MARKS[Outcome.SCHEDULED] if is_well else FAILED
    yield Text(f"{mark} ", style=style).append_text(text(workload_verdict(workload), "bold"))
    yield from (indented(text(line)) for line in complaints(workload))
    where = places(workload)
    if where:
        table = new_table("NODE", "PODS")
        for node, names in list(where.items())[: view.top or None]:
            table.add_row(text(node), text(names))
        yield indented(table)
        yield from cut_off(len(where), view)


def _placed(pods: Sequence[PodExplanation], report: Report, view: View) -> Iterator[Block]:
    """Where pods land, a line each, if there are several."""
    yield (
        Text("✓ ", style="bold green")
        .append_text(text(_summary(report), "bold"))
        .append_text(text(f"  (kubernetes {report.kubernetes_version}; {parameter('verbose')} shows why)", "dim"))
    )
    table = new_table("POD", "LANDS ON", "POINTS", "FITS ON", "BEST")
    for pod in pods[: view.top or None]:
        choice = pod.choice
        tied = choice is not None and len(choice.best) > 1
        table.add_row(
            text(pod_name(pod)),
            text(choice.node if choice else ""),
            str(choice.total) if choice and choice.total is not None else DASH,
            f"{pod.nodes.feasible} of {pod.nodes.total}",
            Text(f"one of {len(choice.best)}, picked at random" if choice and tied else "alone", style="dim"),
        )
    yield indented(table)
    yield from cut_off(len(pods), view)
    yield from _warnings(f"{pod.pod.name}: {line}" for pod in pods for line in warnings(pod))


def _summary(report: Report) -> str:
    fitting = sum(1 for pod in report.pods if pod.choice is not None)
    return f"{fitting} of {plural(len(report.pods), 'pod')} fit"


def _warnings(lines: Iterable[str]) -> Iterator[Block]:
    for line in dict.fromkeys(lines):
        yield indented(Item(Text("! ", style="bold yellow"), text(line, "yellow")))


def _paragraph(paragraph: Paragraph, report: Report, view: View) -> Iterator[Block]:
    pods, group = paragraph.pods, paragraph.group
    pod = pods[0]
    yield _headline(paragraph, report)
    if group is not None and len(pods) > 1 and report.search is not None:
        yield indented(text(owners(group)))
    if pod.outcome is Outcome.UNSCHEDULABLE and pod.message:
        yield indented(text(pod.message, "dim"))
    yield from (indented(text(line)) for line in filter(None, (*event_lines(paragraph), advice(pod))))
    if pod.nodes.total and pod.outcome is Outcome.SCHEDULED:
        yield indented(text(counts(pod)))
    yield from _warnings(line for each in pods for line in warnings(each))
    yield from _reasons(pod, view) if group is None or group.alike else _differing(pod, group, view)


def _reasons(pod: PodExplanation, view: View) -> Iterator[Block]:
    """Everything behind the outcome of one pod, or of several that are alike."""
    if pod.choice is not None and not view.plugin:
        yield from section(f"WHY {printable(pod.choice.node)}", stacked(why_chosen(pod.choice)))
    if pod.causes:
        yield from section("WHY" if pod.choice is None else "WHY NOT THE OTHERS", _causes(pod, view))
        yield from cut_off(len(pod.causes), view)
    yield from (indented(text(line, "dim")) for line in request_lines(pod))
    if pod.remedies and not view.node and not view.plugin:
        yield from section("WHAT WOULD HELP", _remedies(pod, view))
    yield from _waking(pod.retry, view)
    if pod.new_nodes and not view.node and not view.plugin:
        yield from drawn(new_nodes_sheet(pod), view)
    yield from one_node(pod, view) if view.node else node_sections(pod, view)
    if not view.plugin:
        yield from _further(pod, view)


def _waking(retry: Retry | None, view: View) -> Iterator[Block]:
    """When the scheduler takes the pod up again: in a line, or a row a change. What lifts a gate is said above."""
    if retry is None or view.node or view.plugin:
        return
    if view.is_detailed and retry.wake_ups:
        table = new_table("AFTER", "WAITED FOR BY", "WAKES IT")
        for each in retry.wake_ups:
            wakes = "if it may help" if each.only_if_it_may_help else "always"
            table.add_row(text(each.text), text(", ".join(each.plugins)), text(wakes, "dim"))
        yield from section(
            "WHEN IT IS TRIED AGAIN", Group(table, *(text(line, "dim") for line in waiting_lines(retry)))
        )
    elif retry.seconds is not None:
        yield from (Text(), indented(text(as_sentence(retry.text))))


def _further(pod: PodExplanation, view: View) -> Iterator[Block]:
    """What extenders, the plugins after the choice and preemption would do."""
    if pod.extender_calls and view.is_detailed:
        yield from section("EXTENDERS", stacked(extender_lines(pod)))
    # That a pod is bound in the end is no news.
    if len(pod.binding) > 1 and view.is_detailed:
        steps = [f"{step.extension_point}: {step.plugin} would {step.action}" for step in pod.binding]
        yield from section("NEXT STEPS, NOT TAKEN HERE", stacked(steps))
    if pod.preemption is not None:
        lines = preemption_lines(pod.preemption, view.top)
        lines += ladder_lines(pod.preemption) if view.is_detailed else []
        yield from section("PREEMPTION", stacked(lines))


def _differing(pod: PodExplanation, group: PodGroup, view: View) -> Iterator[Block]:
    """What stops pods that have one message, but not the very same of every node."""
    table = new_table("PODS", "STOPPED BY", "BECAUSE")
    for cause in group.causes[: view.top or None]:
        table.add_row(str(cause.pods), text(cause.plugin), text(cause.text))
    yield from section("WHY", table)
    yield from cut_off(len(group.causes), view)
    if group.remedies and not view.node and not view.plugin:
        lines = [f"→ {each.text} ({plural(each.pods, 'pod')})" for each in group.remedies[: view.top or None]]
        yield from section("WHAT WOULD HELP", stacked(lines))
        yield from cut_off(len(group.remedies), view)
    yield indented(text("for every node:", "dim"))
    yield indented(Command(command("kexplain", f"pod/{pod.pod.name}", namespace=pod.pod.namespace)))


def _headline(paragraph: Paragraph, report: Report) -> Text:
    pods = paragraph.pods
    pod, *others = pods
    mark, style = MARKS.get(pod.outcome, FAILED)
    sentence = group_verdict(pods) if others and report.search is not None else verdict(pod)
    line = Text(f"{mark} ", style=style).append_text(text(sentence, "bold"))
    if others and report.search is None:
        names = some([each.pod.name for each in others])
        verb = "does" if len(others) == 1 else "do"
        line.append_text(text(f", nor {verb} {len(others)} more for the same reasons: {names}", "bold"))
    return line.append_text(text(f"  (kubernetes {report.kubernetes_version}, {pod.scheduler_name})", "dim"))


def _causes(pod: PodExplanation, view: View) -> Block:
    # Where there is little room, the names are left to the table of nodes.
    named = view.width is None or view.width >= NAMED
    table = new_table("NODES", "STOPPED BY", "BECAUSE", *(["WHICH"] if named else []))
    for cause in pod.causes[: view.top or None]:
        names = some(cause.nodes, 8 if view.wide else 3)
        cells = [text(str(cause.count)), text(cause.plugin), text(cause.text)]
        table.add_row(*cells, *([text(names, "dim")] if named else []))
    return table


def _remedies(pod: PodExplanation, view: View) -> Block:
    lines: list[Block] = []
    for number, remedy in enumerate(view.helping(pod), 1):
        line = text(remedy.text)
        if remedy.nodes:
            line.append_text(text(f": then it fits on {some(remedy.nodes, 3)}", "green"))
        lines.append(Item(Text(f"{number} → ", style="green"), line))
    more = len(pod.remedies) - len(view.helping(pod))
    if more:
        lines.append(text(f"… and {more} more ({parameter('all_remedies')} shows all)", "dim"))
    return Group(*lines)
