"""All that is pending at a glance: a row a cause, with what would help first."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.explanation.records import Agreement, PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.parameters import parameter
from kexplain.render.group_sentences import waits_for
from kexplain.render.pages import Column, Page, Part, Prose, Sheet, State, Style
from kexplain.render.pod_groups import anchor
from kexplain.render.sentences import pod_name, warnings
from kexplain.render.view import View
from kexplain.report.groups import PodGroup
from kexplain.report.records import Report
from kexplain.shell import command
from kexplain.words import plural, some

#: From this width on there is room for a table.
ROOMY = 160
_WORKLOADS_SHOWN = 2
_FITTING_SHOWN = 3
_LATER = (Outcome.GATED, Outcome.NO_PROFILE, Outcome.DELETING)


def is_summarized(report: Report, view: View) -> bool:
    """Whether a report is on so many causes that details are for those who ask for them."""
    asks_for_more = view.is_detailed or view.all_failures or bool(view.node or view.plugin)
    return report.search is not None and len(report.groups) > 1 and not asks_for_more


def overview(report: Report, view: View) -> Page:
    """How many pods are pending, a row a cause, what would fit now, and how to see more."""
    waiting = sum(len(group.pods) for group in report.groups)
    parts: list[Part] = [_sheet(report, view)]
    if fitting := [pod for pod in report.pods if pod.choice is not None]:
        names = some([f"{pod_name(pod)} on {pod.choice.node}" for pod in fitting if pod.choice], _FITTING_SHOWN)
        more = f"{plural(len(fitting), 'more pod')} {'fits' if len(fitting) == 1 else 'fit'} now: {names}"
        parts.append(Prose([more], style=Style.GOOD))
    if cautions := list(dict.fromkeys(_cautions(report))):
        parts.append(Prose(cautions, style=Style.WARNING))
    parts += [] if view.in_full else _how_to_see_more(report)
    return Page(
        f"{plural(waiting, 'pod')} pending, for {len(report.groups)} reasons",
        State.BAD,
        f"kubernetes {report.kubernetes_version}",
        parts,
    )


def _how_to_see_more(report: Report) -> Iterator[Part]:
    first = _ordered(report)[0].workloads[0]
    named = command("kexplain", f"{first.kind.lower() or 'pod'}/{first.name}", namespace=first.namespace)
    yield Prose([f"details of all with {parameter('verbose')}, of one:"], style=Style.DIM, is_apart=True)
    yield Prose([named], style=Style.COMMAND)


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


def _sheet(report: Report, view: View) -> Sheet:
    """A row a cause."""
    groups = _ordered(report)
    rows = [
        (
            str(len(group.pods)),
            _names(group),
            f"since {_moment(group.since)}" if group.since else "",
            _why(group, report.pods[group.pods[0]]),
            _remedy(group, report.pods[group.pods[0]]),
        )
        for group in groups
    ]
    heads = (
        Column("PODS", is_number=True),
        Column("OF", Style.BOLD),
        Column("SINCE", Style.DIM),
        Column("WHY"),
        Column("WHAT WOULD HELP", Style.REMEDY),
    )
    anchors = [anchor(group.pods[0]) for group in groups] if view.in_full else []
    return Sheet("", heads, rows, stacked_below=ROOMY, is_whole=True, anchors=anchors)


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
    if pod.held is not None:
        return f"{pod.held.by}: {pod.held.text}"
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
    if pod.held is not None:
        return next(iter(pod.held.helps), "")
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
