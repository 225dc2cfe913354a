"""What is on the page of a pod, or of several that share a fate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kexplain.explain.preemption import PreemptionReport
from kexplain.explain.retry import Retry
from kexplain.explanation.records import PodExplanation
from kexplain.explanation.walk import Ending
from kexplain.framework.trace import Outcome
from kexplain.parameters import parameter
from kexplain.render.pages import (
    Column,
    Folded,
    Listing,
    Page,
    Part,
    Prose,
    Sheet,
    State,
    Style,
    columns,
    decided_by,
    numbers,
)
from kexplain.render.pages.causes import causes_sheet
from kexplain.render.pages.held import held_lines, ungated_line
from kexplain.render.pages.new_nodes import new_nodes_sheet
from kexplain.render.pages.nodes import node_parts, one_node
from kexplain.render.pages.paragraphs import Paragraph, diagnosed, differs, event_lines, group_verdict, likewise, owners
from kexplain.render.pages.running import running_line
from kexplain.render.pages.sentences import (
    advice,
    as_sentence,
    counts,
    ladder_lines,
    mean,
    no_help_lines,
    node_lines,
    preemption_lines,
    promise,
    request_lines,
    verdict,
    waiting_lines,
    warnings,
    what_helps,
    why_chosen,
)
from kexplain.render.view import View
from kexplain.report.groups import GroupRemedy, PodGroup
from kexplain.report.records import Report
from kexplain.shell import command
from kexplain.words import plural, some, verb

if TYPE_CHECKING:
    from kexplain.render.pages.figures import Drawn, Figures

STATES = {Outcome.SCHEDULED: State.GOOD, Outcome.GATED: State.WAITING, Outcome.NO_PROFILE: State.PASSED_OVER}
#: So many last resorts are named.
_LAST_RESORTS = 2
_EXTENDER_ANSWERS = {"filter": "kept {}", "prioritize": "scored {}", "preempt": "kept {} as candidates"}


def pod_page(paragraph: Paragraph, report: Report, view: View, figures: Figures | None) -> Page:
    """The outcome, what to know before trusting it, and all that is behind it."""
    pod = paragraph.pods[0]
    if paragraph.group is not None and not (paragraph.is_alike or paragraph.of_one_workload):
        reasons = _differing(pod, paragraph.group, view)
    elif drawn := figures.of(pod, view) if figures is not None else None:
        reasons = _drawn(pod, view, drawn)
    else:
        reasons = _reasons(pod, view)
    # What is not created lands nowhere yet.
    later = "once created, " if all(map(report.refuses, paragraph.pods)) else ""
    waits = pod.held or (pod.running and not pod.running.started) or (later and pod.outcome is Outcome.SCHEDULED)
    state = State.WAITING if waits else STATES.get(pod.outcome, State.BAD)
    by = decided_by(report.kubernetes_version, pod.scheduler_name)
    told = [*_facts(paragraph, report, view), *_members(paragraph, view), *reasons]
    return Page(f"{later}{_headline(paragraph, report)}", state, by, told, paragraph.anchor)


def _headline(paragraph: Paragraph, report: Report) -> str:
    """The verdict, and what somebody who knows the cluster would say of it."""
    pod, *alike = paragraph.pods
    said, group = diagnosed(pod), paragraph.group
    if not alike:
        return f"{verdict(pod)}{said}"
    if report.search is not None:
        whose = f"{owners(group)}: " if group is not None and len(group.workloads) == 1 else ""
        others = likewise(paragraph.pods) if paragraph.of_one_workload else ""
        return f"{whose}{group_verdict(paragraph.pods)}{said}{others}"
    names = some([each.pod.name for each in alike])
    is_stopped = pod.outcome is Outcome.UNSCHEDULABLE and not pod.fits_in_its_group
    how = f"nor {verb(len(alike), 'does')}" if is_stopped else "like"
    return f"{verdict(pod)}, {how} {len(alike)} more ({names}){said}"


def _event_text(pods: Sequence[PodExplanation], view: View) -> Iterator[Part]:
    """To the letter, where a scheduler has said otherwise, or all is wanted."""
    pod = pods[0]
    if pod.outcome is not Outcome.UNSCHEDULABLE or not pod.message:
        return
    if view.is_detailed or differs(pods):
        yield Prose([pod.message], style=Style.QUOTE)
    elif view.draws:
        yield Folded("THE TEXT OF THE EVENT", [pod.message], Style.QUOTE)


def _facts(paragraph: Paragraph, report: Report, view: View) -> Iterator[Part]:
    """Whose pods these are, what schedulers say, and what the reader should know before trusting the verdict."""
    pods, group = paragraph.pods, paragraph.group
    pod = pods[0]
    yield Prose([_detail(paragraph)])
    if group is not None and len(group.workloads) > 1 and report.search is not None:
        yield Prose([owners(group)])
    yield from _event_text(pods, view)
    yield Prose([*filter(None, _lines(paragraph))])
    if not paragraph.is_alike and paragraph.of_one_workload:
        yield Prose([f"the nodes as they stand for {pod.pod.name}"], style=Style.DIM)
    yield Prose(list(dict.fromkeys(line for each in pods for line in warnings(each))), style=Style.WARNING)


def _detail(paragraph: Paragraph) -> str:
    """The amounts behind what is wrong, and where the other nodes stand, if they are the same for all.

    Of one workload they are those of its first pod, as all that follows.
    """
    details = [each.diagnosis.detail if each.diagnosis else "" for each in paragraph.pods]
    is_told = paragraph.of_one_workload or len({*details}) == 1
    return details[0] if paragraph.pods[0].outcome is Outcome.UNSCHEDULABLE and is_told else ""


def _lines(paragraph: Paragraph) -> Iterator[str]:
    """How it stands with the pods, as far as that is known, and what to do."""
    pod = paragraph.pods[0]
    if len(paragraph.pods) == 1:
        # Several run in different places.
        yield running_line(pod)
    yield from (*event_lines(paragraph), *_told(pod))
    if pod.nodes.total and pod.outcome is Outcome.SCHEDULED:
        yield counts(pod)


def _told(pod: PodExplanation) -> list[str]:
    """What else keeps it from running, or what to do about a pod that no node was tried for."""
    if pod.held is None and pod.once_admitted is None:
        return [advice(pod)]
    return held_lines(pod) if pod.held else [advice(pod), ungated_line(pod)]


def _members(paragraph: Paragraph, view: View) -> Iterator[Part]:
    """The pods by name, where they can be folded away."""
    if view.draws and len(paragraph.pods) > 1:
        yield Folded(plural(len(paragraph.pods), "pod"), [pod.pod.key for pod in paragraph.pods])


def _drawn(pod: PodExplanation, view: View, drawn: Drawn) -> Iterator[Part]:
    """Everything behind the outcome, with a map of the nodes."""
    yield from [_remedies(pod, view)] if pod.remedies or pod.last_resorts else []
    yield from _waking(pod.retry, view)
    yield from _why(pod, view)
    yield from drawn.circles
    yield drawn.map
    yield from (*drawn.points, *([drawn.way] if pod.causes else []))
    yield new_nodes_sheet(pod, view)
    yield from _preemption_sheets(pod.preemption) if pod.preemption else ()
    yield from _folded(pod)
    yield from _searched(pod, view)
    yield drawn.table


def _folded(pod: PodExplanation) -> Iterator[Part]:
    if pod.node_state is not None:
        yield Prose(node_lines(pod.node_state), f"NODE {pod.node_state.node}")
    yield Folded("EXTENDERS", _extender_lines(pod))
    terms = [(each.node, found) for each in pod.node_verdicts for found in each.score_terms]
    if terms:
        strategies = ((node, found, f" ({found.strategy})" if found.strategy else "") for node, found in terms)
        means = [f"{node}, {found.plugin}{strategy}: {mean(found)}" for node, found, strategy in strategies]
        yield Folded("HOW SCORES COME ABOUT", means)


def _preemption_sheets(preemption: PreemptionReport) -> Iterator[Part]:
    """The candidates in a table, then what else is said of eviction."""
    rows = [
        (
            each.node,
            ", ".join(f"{victim.pod} (priority {victim.priority})" for victim in each.victims),
            str(each.pdb_violations),
            "would be nominated" if each.node == preemption.nominated_node else "",
        )
        for each in preemption.candidates
    ]
    heads = (*columns("NODE", "VICTIMS"), Column("BUDGETS VIOLATED", is_number=True), Column("REMARK"))
    lines = [*preemption_lines(preemption)[len(rows) if preemption.eligible else 0 :], *no_help_lines(preemption)]
    yield Sheet("PREEMPTION", heads, rows, notes=lines) if rows else Prose(lines, "PREEMPTION")
    if preemption.steps:
        yield Folded("HOW THE CHOICE WENT", ladder_lines(preemption))


def _reasons(pod: PodExplanation, view: View) -> Iterator[Part]:
    """Everything behind the outcome of one pod, or of several that are alike: first what would help."""
    if view.node or view.plugin:
        yield from _why(pod, view)
        yield from one_node(pod, view) if view.node else node_parts(pod, view)
        if view.node:
            yield from _further(pod, view)
        return
    yield from [_remedies(pod, view)] if pod.remedies or pod.last_resorts else []
    yield from _waking(pod.retry, view)
    yield from _why(pod, view)
    yield new_nodes_sheet(pod, view)
    yield from node_parts(pod, view)
    yield from _searched(pod, view)
    yield from _further(pod, view)


def _searched(pod: PodExplanation, view: View) -> Iterator[Part]:
    """How the search over the nodes went, where that is wanted."""
    if pod.walk is None or pod.walk.ending is Ending.NOT_TRIED:
        return
    # Most reports say where a pod fits, and not how that was found out.
    from kexplain.render.pages.trace import node_tables, search  # noqa: PLC0415

    yield search(pod.walk)
    if pod.walk.nodes and not view.draws:
        yield from node_tables(pod.walk, view)


def _why(pod: PodExplanation, view: View) -> Iterator[Part]:
    """What speaks for the chosen node, and against the others."""
    if pod.choice is not None and not view.plugin:
        yield Prose(why_chosen(pod.choice), f"WHY {pod.choice.node}")
    if pod.causes:
        title, shown = ("WHY" if pod.choice is None else "WHY NOT THE OTHERS"), (8 if view.wide else 3)
        yield causes_sheet(title, pod.causes, pod.diagnosis, circles=pod.circles, names_shown=shown)
    yield Prose(request_lines(pod), style=Style.DIM)


def _remedies(pod: PodExplanation, view: View) -> Listing:
    shown = view.helping(pod)
    more, every = len(pod.remedies) - len(shown), parameter("all_remedies")
    notes = [f"… and {more} more ({every} shows all)"] if more else []
    if pod.last_resorts:
        kind = f"last resort{'s' if len(pod.last_resorts) > 1 else ''}{'' if more else f' ({every})'}"
        others = len(pod.last_resorts) - _LAST_RESORTS
        named = [*pod.last_resorts[:_LAST_RESORTS], *([f"{others} more"] if others > 0 else [])]
        notes.append(f"{kind}: {', or '.join(named)}")
    return what_helps([(each.text, each, promise(each)) for each in shown], view.fix_flag, "; ".join(notes))


def _waking(retry: Retry | None, view: View) -> Iterator[Part]:
    """When the scheduler takes the pod up again: in a line, or a row a change. What lifts a gate is said above."""
    if retry is None:
        return
    if view.is_detailed and retry.wake_ups:
        whens = {True: "if it may help", False: "always"}
        rows = [(each.text, ", ".join(each.plugins), whens[each.only_if_it_may_help]) for each in retry.wake_ups]
        heads = (*columns("AFTER", "WAITED FOR BY"), Column("WAKES IT", Style.DIM))
        yield Sheet("WHEN IT IS TRIED AGAIN", heads, rows, notes=waiting_lines(retry))
    elif retry.seconds is not None:
        yield Prose([as_sentence(retry.text)], is_apart=True)


def _further(pod: PodExplanation, view: View) -> Iterator[Part]:
    """What extenders, the plugins after the choice and preemption would do."""
    if view.is_detailed:
        yield Prose(_extender_lines(pod), "EXTENDERS")
    # That a pod is bound in the end is no news.
    if len(pod.binding) > 1 and view.is_detailed:
        steps = [f"{step.extension_point}: {step.plugin} would {step.action}" for step in pod.binding]
        yield Prose(steps, "NEXT STEPS, NOT TAKEN HERE")
    if pod.preemption is not None:
        yield Prose(_preemption(pod.preemption, view), "PREEMPTION")


def _preemption(preemption: PreemptionReport, view: View) -> Sequence[str]:
    """What eviction would come to; where it does not help, only in detail."""
    lines = preemption_lines(preemption, view.top)
    return [*lines, *no_help_lines(preemption), *ladder_lines(preemption)] if view.is_detailed else lines


def _extender_lines(pod: PodExplanation) -> list[str]:
    """What was asked of extenders, and how much each left."""
    lines = []
    for call in pod.extender_calls:
        answer = f"failed: {call.error}" if call.error else _EXTENDER_ANSWERS[call.verb].format(call.nodes_kept)
        lines.append(f"{call.extender} was asked to {call.verb} {plural(call.nodes_sent, 'node')}; it {answer}")
    return lines


def _helped(remedy: GroupRemedy) -> str:
    """How many pods it helps."""
    is_for_some = remedy.serves is not None and remedy.serves < remedy.pods
    return f"{remedy.serves} of {remedy.pods} pods" if is_for_some else plural(remedy.pods, "pod")


def _differing(pod: PodExplanation, group: PodGroup, view: View) -> Iterator[Part]:
    """What stops pods that have one message, but not the very same of every node."""
    rows = [(str(cause.pods), cause.plugin, cause.text) for cause in group.causes]
    yield Sheet("WHY", (*numbers("PODS"), *columns("STOPPED BY", "BECAUSE")), rows)
    if group.remedies and not view.node and not view.plugin:
        remedies = group.remedies[: view.top or None]
        lines = [f"→ {each.text} ({_helped(each)})" for each in remedies]
        yield Prose(lines, "WHAT WOULD HELP", more=len(group.remedies) - len(remedies))
    if view.again is not None:
        one = command("kexplain", f"pod/{pod.pod.name}", namespace=pod.pod.namespace, flags=view.again)
        yield from (Prose(["for every node:"], style=Style.DIM), Prose([one], style=Style.COMMAND))
