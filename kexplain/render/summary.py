"""All that is pending at a glance: a row a cause, with what would help first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.explanation.records import Agreement, PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.parameters import parameter
from kexplain.render.blocks import Block, Command, Item, Text
from kexplain.render.group_sentences import waits_for
from kexplain.render.layout import indented, new_table, text
from kexplain.render.sentences import pod_name, warnings
from kexplain.render.view import View
from kexplain.report.groups import PodGroup
from kexplain.report.records import Report
from kexplain.shell import command
from kexplain.words import plural, some

#: From this width on there is room for a column of remedies.
ROOMY = 160
#: Before the number of pods, and behind it.
_MARGIN = 4
_WORKLOADS_SHOWN = 2
_FITTING_SHOWN = 3
_LATER = (Outcome.GATED, Outcome.NO_PROFILE, Outcome.DELETING)


def is_summarized(report: Report, view: View) -> bool:
    """Whether a report is on so many causes that details are for those who ask for them."""
    asks_for_more = view.is_detailed or view.all_failures or bool(view.node or view.plugin)
    return report.search is not None and len(report.groups) > 1 and not asks_for_more


def summary(report: Report, view: View) -> Iterator[Block]:
    """How many pods are pending, a row a cause, what would fit now, and how to see more."""
    waiting = sum(len(group.pods) for group in report.groups)
    head = Text("✗ ", style="bold red")
    head.append_text(text(f"{plural(waiting, 'pod')} pending, for {len(report.groups)} reasons", "bold"))
    yield head.append_text(text(f"  (kubernetes {report.kubernetes_version})", "dim"))
    yield from [indented(_table(report))] if _is_roomy(view) else _stacked(report, view.width or ROOMY)
    if fitting := [pod for pod in report.pods if pod.choice is not None]:
        names = some([f"{pod_name(pod)} on {pod.choice.node}" for pod in fitting if pod.choice], _FITTING_SHOWN)
        sentence = f"{plural(len(fitting), 'more pod')} {'fits' if len(fitting) == 1 else 'fit'} now: {names}"
        yield Item(Text("✓ ", style="bold green"), text(sentence))
    for line in dict.fromkeys(_cautions(report)):
        yield indented(Item(Text("! ", style="bold yellow"), text(line, "yellow")))
    first = _ordered(report)[0].workloads[0]
    named = command("kexplain", f"{first.kind.lower() or 'pod'}/{first.name}", namespace=first.namespace)
    yield Text()
    yield indented(text(f"details of all with {parameter('verbose')}, of one:", "dim"))
    yield indented(Command(named))


def _cautions(report: Report) -> Iterator[str]:
    """What could not be evaluated, and how many events differ."""
    for pod in report.pods:
        if pod.not_evaluated:
            yield next(iter(warnings(pod)))
    differing = [each for group in report.groups for each in group.events if each.agreement is Agreement.DIFFERENT]
    if count := sum(each.pods for each in differing):
        differ = "event differs" if count == 1 else "events differ"
        yield f"{count} {differ} from what is said here; {parameter('verbose')} shows in what"


def _ordered(report: Report) -> list[PodGroup]:
    """The groups, the largest first, but those last that no node was tried for."""
    return sorted(report.groups, key=lambda group: group.outcome in _LATER)


def _is_roomy(view: View) -> bool:
    return view.width is None or view.width >= ROOMY


def summary_rows(report: Report) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The heads and the rows of a table of all that is pending."""
    groups = _ordered(report)
    has_times = any(group.since for group in groups)
    rows = [
        (
            str(len(group.pods)),
            _names(group),
            *([_moment(group.since)] if has_times else []),
            _why(group, report.pods[group.pods[0]]),
            _remedy(group, report.pods[group.pods[0]]),
        )
        for group in groups
    ]
    return ("PODS", "OF", *(["SINCE"] if has_times else []), "WHY", "WHAT WOULD HELP"), rows


def _table(report: Report) -> Block:
    heads, rows = summary_rows(report)
    table = new_table(*heads)
    for *cells, remedy in rows:
        arrow = Text("→ ", style="green").append_text(text(remedy)) if remedy else Text()
        table.add_row(*map(text, cells), arrow)
    return table


def _stacked(report: Report, width: int) -> Iterator[Block]:
    """The same one below the other, where a table would have to cut names; what fits on a line stands on one."""
    groups = _ordered(report)
    digits = max(len(str(len(group.pods))) for group in groups)
    for group in groups:
        pod = report.pods[group.pods[0]]
        names = text(_names(group), "bold")
        names.append_text(text(f"  since {_moment(group.since)}" if group.since else "", "dim"))
        remedy = _remedy(group, pod)
        arrow = Text("→ ", style="green").append_text(text(remedy)) if remedy else Text()
        first, *others = _packed([names, text(_why(group, pod)), arrow], width - _MARGIN - digits)
        yield indented(Item(Text(f"{len(group.pods):>{digits}}  "), first))
        for line in others:
            hanging = line is arrow
            yield indented(Item(line[:2] if hanging else Text(), line[2:] if hanging else line), _MARGIN + digits)


def _packed(parts: Sequence[Text], room: int) -> list[Text]:
    """The parts on as few lines as hold them whole; one that is longer has a line of its own."""
    lines: list[Text] = []
    for part in filter(len, parts):
        if lines and lines[-1].cell_len + 2 + part.cell_len <= room:
            lines[-1] = Text.assemble(lines[-1], "  ", part)
        else:
            lines.append(part)
    return lines


def _names(group: PodGroup) -> str:
    return some([f"{each.namespace}/{each.name}" for each in group.workloads], _WORKLOADS_SHOWN)


def _moment(timestamp: str) -> str:
    """Month, day and time of day to the minute, as they are in the timestamp."""
    return timestamp[5:16].replace("T", " ")


def _why(group: PodGroup, pod: PodExplanation) -> str:
    """The only cause in full; of several, how many nodes each stops, and how it begins."""
    if group.scheduling_group and pod.group is not None:
        because = f"; {group.causes[0].text.partition(';')[0]}" if group.causes else ""
        return f"{waits_for(pod.group)}{because}"
    match group.outcome:
        case Outcome.UNSCHEDULABLE if len(pod.causes) == 1 and group.alike:
            return pod.causes[0].text
        case Outcome.UNSCHEDULABLE if pod.causes and group.alike:
            return ", ".join(f"{plural(each.count, 'node')}: {each.text.partition(';')[0]}" for each in pod.causes)
        case Outcome.UNSCHEDULABLE if group.causes:
            return some([each.text.partition(";")[0] for each in group.causes], 2)
        case Outcome.NO_PROFILE:
            return f'left to scheduler "{group.scheduler_name}"'
        case Outcome.DELETING:
            return "being deleted"
        case _:
            return group.message


def _remedy(group: PodGroup, pod: PodExplanation) -> str:
    match group.outcome:
        case Outcome.GATED if pod.gated_by == "DynamicResources":
            return "create the resource claims that it names"
        case Outcome.GATED if pod.group is not None:
            return f"create {'the rest of the group' if pod.group.there else f'group {pod.group.group}'}"
        case Outcome.GATED:
            return "whatever set the gates must remove them"
        case Outcome.NO_PROFILE:
            return "a scheduler of that name must run"
        case _:
            return group.remedies[0].text if group.remedies else ""
