"""The report for issues, merge requests and chats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.explain.records import NodeVerdict, Verdict
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.patterns import regex
from kexplain.render import scheduling_groups, settled
from kexplain.render.new_nodes import new_nodes_sheet
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
    preemption_lines,
    verdict,
    warnings,
    why_chosen,
)
from kexplain.render.summary import is_summarized, summary_rows
from kexplain.render.view import View, objections, printable, restricted
from kexplain.render.workloads import complaints, places, workload_verdict
from kexplain.report.records import Report
from kexplain.report.settled import SettledQueue
from kexplain.report.workloads import WorkloadReport
from kexplain.words import plural, some

_SPECIAL = regex(r"([\\`*_{}\[\]<>#|~])")
_MARKS = {Outcome.SCHEDULED: "✅", Outcome.GATED: "⏸️", Outcome.NO_PROFILE: "⏭️"}


def render(report: Report, view: View) -> str:
    """GitHub-flavoured Markdown."""
    report = restricted(report, view)
    lines = [line for workload in report.workloads for line in _workload(workload, view)]
    if is_summarized(report, view):
        lines += [*_summary(report), ""]
    for paragraph in paragraphs(report) if report.search else map(Paragraph, ([pod] for pod in report.pods)):
        lines += [*_paragraph(paragraph, view), ""]
    for sheet in (each for group in report.scheduling_groups for each in scheduling_groups.sheets(group)):
        heads = [head.capitalize() for head in sheet.heads]
        lines += [
            f"**{escaped(sheet.title.capitalize())}**",
            "",
            *map(escaped, sheet.lines),
            *table(heads, sheet.rows),
            "",
        ]
    if report.settled is not None:
        lines += _settled(report.settled, view)
    elif shared_room(report):
        lines += [f"{escaped(shared_room(report))}.", ""]
    if nothing_pending(report):
        lines += [f"{escaped(nothing_pending(report))}.", ""]
    lines.append(f"<sub>kubernetes {report.kubernetes_version}, by kexplain</sub>")
    return "\n".join(lines) + "\n"


def _summary(report: Report) -> Iterator[str]:
    heads, rows = summary_rows(report)
    waiting = sum(len(group.pods) for group in report.groups)
    yield f"### ❌ {plural(waiting, 'pod')} pending, for {len(report.groups)} reasons"
    yield from table([head.capitalize() for head in heads], rows)


def _workload(workload: WorkloadReport, view: View) -> Iterator[str]:
    is_well = workload.is_complete and not workload.pending
    yield f"### {_MARKS[Outcome.SCHEDULED] if is_well else '❌'} {escaped(workload_verdict(workload))}"
    yield ""
    yield from (f"- {escaped(line)}" for line in complaints(workload))
    where = places(workload)
    if where:
        yield from table(("Node", "Pods"), list(where.items())[: view.top or None])
        yield from _more(len(where), view)
    yield ""


def _settled(queue: SettledQueue, view: View) -> Iterator[str]:
    yield f"**{escaped(settled.headline(queue).capitalize())}**"
    for sheet in settled.sheets(queue):
        yield from table(sheet.heads, sheet.rows[: view.top or None])
        yield from (*_more(len(sheet.rows), view), "")


def escaped(text: str) -> str:
    """Text from anywhere, with nothing in it that Markdown would take for its own."""
    return _SPECIAL.sub(r"\\\1", printable(text))


def _paragraph(paragraph: Paragraph, view: View) -> Iterator[str]:
    pods, group = paragraph.pods, paragraph.group
    pod = pods[0]
    yield f"### {_MARKS.get(pod.outcome, '❌')} {escaped(verdict(pod) if len(pods) == 1 else group_verdict(pods))}"
    yield ""
    yield from _facts(paragraph)
    cautions = dict.fromkeys((advice(pod), *(line for each in pods for line in warnings(each))))
    yield from (f"- ⚠️ {escaped(line)}" for line in cautions if line)
    if group is None or group.alike:
        yield from _reasons(pod, view)
    else:
        rows = [(str(cause.pods), cause.plugin, cause.text) for cause in group.causes]
        yield from table(("Pods", "Stopped by", "Because"), rows[: view.top or None])
        yield from _more(len(rows), view)


def _facts(paragraph: Paragraph) -> Iterator[str]:
    """Whose pods these are, what the scheduler says, here and in events, and why the chosen node was chosen."""
    pods, group = paragraph.pods, paragraph.group
    pod = pods[0]
    if group is not None and len(pods) > 1:
        yield from (f"{escaped(owners(group))}.", "")
    if pod.outcome is Outcome.UNSCHEDULABLE and pod.message:
        yield from (f"> {escaped(pod.message)}", "")
    for line in event_lines(paragraph):
        yield from (f"{escaped(line)}.", "")
    if pod.choice is not None:
        yield from (f"{escaped(counts(pod))}.", "")
        yield from (f"- {escaped(line)}" for line in why_chosen(pod.choice))


def _reasons(pod: PodExplanation, view: View) -> Iterator[str]:
    if pod.causes:
        rows = [(str(c.count), c.plugin, c.text, some(c.nodes, 3)) for c in pod.causes]
        yield from table(("Nodes", "Stopped by", "Because", "Which"), rows[: view.top or None])
        yield from _more(len(rows), view)
    if pod.remedies:
        yield from ("", "**What would help**", "")
        for remedy in view.helping(pod):
            fits = f": then it fits on {some(remedy.nodes, 3)}" if remedy.nodes else ""
            yield f"- {escaped(remedy.text + fits)}"
    if pod.retry is not None and pod.retry.seconds is not None:
        yield from ("", escaped(as_sentence(pod.retry.text)))
    if pod.new_nodes:
        new = new_nodes_sheet(pod)
        yield from ("", f"**{new.title.capitalize()}**")
        yield from table([head.capitalize() for head in new.heads], new.rows[: view.top or None])
        yield from _more(len(new.rows), view)
    yield from _nodes(pod, view)
    if pod.preemption is not None:
        yield from ("", "**Preemption**", "")
        yield from (f"- {escaped(line)}" for line in preemption_lines(pod.preemption, view.top))


def _nodes(pod: PodExplanation, view: View) -> Iterator[str]:
    scored = [each for each in pod.node_verdicts if each.scores]
    if scored:
        plugins = [score.plugin for score in scored[0].scores]
        rows = [
            (str(each.rank), each.node, str(each.total), *(str(score.weighted) for score in each.scores))
            for each in view.limited(scored)
        ]
        yield from table(("Rank", "Node", "Total", *plugins), rows)
    rejected = [each for each in pod.node_verdicts if each.verdict is not Verdict.FEASIBLE and objections(each)]
    if rejected and (pod.choice is None or view.all_failures):
        rows = [_objections(each) for each in view.limited(rejected)]
        yield from table(("Node", "Stopped by", "Detail", "Also"), rows)
        yield from _more(len(rejected), view)


def _more(rows: int, view: View) -> Iterator[str]:
    if view.top and rows > view.top:
        yield ""
        yield f"… and {rows - view.top} more"


def _objections(each: NodeVerdict) -> tuple[str, str, str, str]:
    first, *others = objections(each)
    also = "; ".join(f"{rejection.plugin}: {rejection.detail}" for rejection in others) or DASH
    return each.node, first.plugin, first.detail, also


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table, after an empty line."""
    yield ""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(escaped(cell) for cell in row)} |"
