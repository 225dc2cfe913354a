"""What is on the pages of a report on pods: one after the other, those of one kind and one fate together."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.diagnosis.records import Kind
from kexplain.explanation.records import PodExplanation
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.render.pages import (
    Column,
    Document,
    Listing,
    Page,
    Part,
    Prose,
    Rows,
    Sheet,
    State,
    Style,
    columns,
    node_rows,
    number_text,
    numbers,
    scheduling_groups,
    settled,
)
from kexplain.render.pages.overview import idle, in_part, is_summarized, overview, stopped, stuck_drains
from kexplain.render.pages.paragraphs import likewise, nothing_pending, paragraphs, shared_room
from kexplain.render.pages.pod import pod_page
from kexplain.render.pages.running import running_line
from kexplain.render.pages.sentences import DASH, promise, warnings, what_helps
from kexplain.render.pages.workloads import complaints, how_to_see_room, places, workload_verdict
from kexplain.render.view import View, restricted
from kexplain.report.records import Report
from kexplain.report.workloads import WorkloadReport
from kexplain.words import clauses, plural, some, verb


def page(report: Report, view: View) -> Document:
    """Workloads that were named, the pods or all that is pending at a glance, then what concerns several pods."""
    report = restricted(report, view)
    view = view if _is_fixed_by_number(report) else replace(view, fix_flag="")
    summarized = is_summarized(report, view)
    at_a_glance = [overview(report, view)] if summarized else []
    pages = [*at_a_glance, *_nothing_pending(report)]
    pages += [*_workloads(report, view), *_in_full(report, view)] if view.in_full or not summarized else []
    if _is_one_fate(report, pages):
        pages = [_as_one(report, *pages, view=view)]
    pages += [Page("", parts=[*scheduling_groups.sheets(group)]) for group in report.scheduling_groups]
    is_minor = not summarized and len(report.not_running) > len(report.pods) > 0
    pages += [*_at_the_end(report, view, with_idle=not (summarized or is_minor))]
    pages = [stopped(report, view), *pages] if is_minor else pages
    shown = at_a_glance or pages
    title = (shown[0].headline if len(shown) == 1 else "") or summary(report)
    return Document(title, pages, f"kubernetes {report.kubernetes_version}")


def _is_fixed_by_number(report: Report) -> bool:
    """Whether one pod or workload is meant by the number of a remedy; what is refused is corrected before that."""
    waiting = {(pod.pod.namespace, pod.pod.workload or pod.pod.name) for pod in report.pods if not pod.fits}
    return len(waiting) <= 1 and not any(each.refused and not each.claims_refused for each in report.workloads)


def _nothing_pending(report: Report) -> Iterator[Page]:
    """That nothing is pending, where that is all there is to say."""
    if nothing := nothing_pending(report):
        well = State.GOOD if report.search and report.search.pods else State.NONE
        yield Page(nothing, State.BAD if report.not_running else well)


def _at_the_end(report: Report, view: View, *, with_idle: bool) -> Iterator[Page]:
    """Where all of them come to, or that they share room, and who does not run."""
    if report.settled is not None:
        yield Page(settled.headline(report.settled), parts=[*settled.sheets(report.settled)])
    elif room := shared_room(report):
        yield Page("", parts=[Prose([room], style=Style.DIM, is_apart=True)])
    if with_idle and any(each.drains for each in report.out_of_service):
        yield Page("", parts=[stuck_drains(report)])
    if with_idle and report.not_running:
        yield Page("", parts=idle(report, view))


def _is_one_fate(report: Report, pages: Sequence[Page]) -> bool:
    """Whether the one workload that was named has one thing wrong with all its pods, or those pending fit now.

    Its page and theirs, if they share one, are one then.
    """
    pods = report.pods
    if (
        len(pages) != 2
        or len(report.workloads) != 1
        or {pod.pod.name for pod in pods} != {*report.workloads[0].pending}
    ):
        return False
    is_one = len(report.groups) == 1 and len(report.groups[0].pods) == len(pods)
    own = report.workloads[0]
    is_told_twice = bool(own.missing and own.diagnosis) and not _waits_for(own, report)
    return (is_one and bool(pods[0].diagnosis) and not is_told_twice) or all(pod.fits for pod in pods)


def _waits_for(own: WorkloadReport, report: Report) -> str:
    """The pending pod of the report that all missing pods of a workload wait for; empty without one."""
    if own.diagnosis is None or own.diagnosis.kind is not Kind.WAITS_FOR_EARLIER:
        return ""
    here = {pod.pod.name for pod in _pending(own, report) if not pod.fits}
    return next((name for name in own.pending if name in here), "")


def _as_one(report: Report, workload: Page, pods: Page, *, view: View) -> Page:
    """How a workload stands and why, under one headline; the pods by name only in detail."""
    names = [pod.pod.key for pod in report.pods]
    listed = [Prose(names, "PENDING PODS")] if view.is_detailed and len(names) > 1 else []
    finding = report.pods[0].diagnosis
    landing = report.pods[0].choice.node if report.pods[0].choice and len(names) == 1 else ""
    fitting = f"it fits on {landing} now" if landing else f"{'both' if len(names) == 2 else 'all of them'} fit now"
    headline = f"{workload.headline}: {f'{finding.text}{likewise(report.pods)}' if finding else fitting}"
    parts = _with_others(pods.parts, workload.parts, report.workloads[0])
    return replace(pods, headline=headline, parts=[*parts, *listed, *_where(workload.parts)])


def _with_others(parts: Sequence[Part], of_workload: Sequence[Part], own: WorkloadReport) -> Iterator[Part]:
    """The parts, with what is said of the workload behind what is wrong with the pods.

    What would help the pods that have a node and do not run stands behind what helps those without one.
    """
    wrong = [part for part in parts[:1] if isinstance(part, Prose)]
    yield from (*wrong, *(part for part in of_workload if isinstance(part, Prose)))
    of = f"for {own.stopped[0].name}: " if own.stopped else ""
    others = [part for part in of_workload if isinstance(part, Listing)]
    left = [replace(entry, text=f"{of}{entry.text}") for each in others for entry in each.entries]
    for part in parts[len(wrong) :]:
        if isinstance(part, Listing) and left:
            yield replace(part, entries=[*part.entries, *left])
            left = []
        else:
            yield part
    if left:
        yield replace(others[0], entries=left)


def _where(parts: Sequence[Part]) -> Iterator[Sheet]:
    return (replace(each, title=each.title or "WHERE THE OTHERS RUN") for each in parts if isinstance(each, Sheet))


def summary(report: Report) -> str:
    """How many of all pods fit, and how many are not even created; of workloads whose pods none is, one is tried."""
    created = [pod for pod in report.pods if not report.refuses(pod)]
    missing = sum(each.missing for each in report.workloads if each.refused)
    fitting = sum(pod.fits for pod in created or report.pods)
    if created or not report.pods:
        not_created = f"; {missing} {verb(missing, 'is')} not created" if missing else ""
        return f"{fitting} of {plural(len(created) + missing, 'pod')} fit{not_created}"
    of_each = "; of each workload one pod was tried" if missing > len(report.pods) else ""
    return f"once created, {fitting} of {plural(len(report.pods), 'pod')} fit{of_each}"


def _in_full(report: Report, view: View) -> Iterator[Page]:
    """A table of the pods that are placed, a page for each group of others, and how many fit."""
    briefly = len(report.pods) > 1 and not (view.is_detailed or view.node or view.plugin or view.in_full)
    placed = [pod for pod in report.pods if pod.fits and briefly]
    if placed:
        yield _placed(placed, report)
    figures = None
    if view.draws:
        from kexplain.render.pages.figures import Figures  # noqa: PLC0415 (terminals show no maps)

        figures = Figures(report)
    found = paragraphs(report, with_placed=not briefly)
    yield from (pod_page(each, report, view, figures) for each in found)
    if len(found) > 1 and not placed:
        yield Page(summary(report))


def _placed(pods: Sequence[PodExplanation], report: Report) -> Page:
    """Where pods land, a line each, if there are several."""
    heads = (*columns("POD", "LANDS ON"), *numbers("POINTS", "FITS ON"), Column("BEST", Style.DIM))
    sheet = Sheet("", heads, [_place(pod, report) for pod in pods])
    names_by_line = grouped((line, pod.pod.name) for pod in pods for line in (*_running(pod), *warnings(pod)))
    cautions = [f"{some([*dict.fromkeys(names)])}: {line}" for line, names in names_by_line.items()]
    later = any(map(report.refuses, pods))
    good = State.WAITING if later else State.GOOD
    is_whole = len(pods) == len(report.pods) and (later or not any(each.refused for each in report.workloads))
    state = good if is_whole else State.BAD
    aside = f"kubernetes {report.kubernetes_version}; {parameter('verbose')} shows why"
    return Page(summary(report), state, aside, [sheet, Prose(cautions, style=Style.WARNING)])


def _running(pod: PodExplanation) -> list[str]:
    """Where a pod runs that would be placed anew."""
    if pod.running is None:
        return []
    how = "runs" if pod.running.started else "is not started yet"
    return [clauses(f"{how} on {pod.running.node}", running_line(pod))]


def _place(pod: PodExplanation, report: Report) -> tuple[str, ...]:
    choice, fits_on = pod.choice, f"{pod.nodes.feasible} of {pod.nodes.total}"
    name = f"{pod.pod.key}{', once created' if report.refuses(pod) else ''}"
    if choice is None:
        return name, "", DASH, fits_on, ""
    tied = f"one of {len(choice.best)}, picked at random" if len(choice.best) > 1 else "only this one"
    return name, choice.node, number_text(choice.total, DASH), fits_on, tied


def _workloads(report: Report, view: View) -> list[Page]:
    """Those that were named; the flag is for pods that are there, if any of them does not fit."""
    is_alone = len(report.workloads) == 1 and all(pod.fits for pod in report.pods)
    view = replace(view, fix_flag=view.fix_flag if is_alone else "")
    awaited = ((each, _waits_for(each, report)) for each in report.workloads)
    return [_waiting(one, first) if first else _workload(one, view, _pending(one, report)) for one, first in awaited]


def _waiting(workload: WorkloadReport, first: str) -> Page:
    """A workload whose next pods come behind a pending one: what helps that helps them."""
    later = f"{plural(workload.missing, 'pod')} {verb(workload.missing, 'waits')} for it"
    headline = f"{workload.namespace}/{workload.name} ({workload.kind}): {first} is pending, and {later}"
    return Page(headline, State.BAD, parts=places(workload))


def _pending(own: WorkloadReport, report: Report) -> list[PodExplanation]:
    names = {*own.pending}
    return [pod for pod in report.pods if pod.pod.namespace == own.namespace and pod.pod.name in names]


def _workload(workload: WorkloadReport, view: View, pods: Sequence[PodExplanation]) -> Page:
    """How the pods of a workload stand, why some are missing, and where the others are."""
    title = "WHERE THE OTHERS RUN" if workload.remedies else ""
    lines = [*complaints(workload), *how_to_see_room(workload, view.again)]
    state = State.of(workload.is_complete and not workload.pending)
    parts: list[Part] = [Prose(lines), _helping(workload, view.fix_flag), *places(workload, title)]
    return Page(clauses(workload_verdict(workload), in_part(pods)), state, parts=parts)


def _helping(workload: WorkloadReport, fix_flag: str) -> Listing:
    """What would let the missing pods be created."""
    # The text says who is left pending.
    promises = (promise(each) if each.serves == each.pending else "" for each in workload.remedies)
    found = [(each.text, each, said) for each, said in zip(workload.remedies, promises, strict=True)]
    return what_helps(found, fix_flag)


def rows(report: Report) -> Rows:
    """A row a pod and node."""
    return node_rows.rows(report)
