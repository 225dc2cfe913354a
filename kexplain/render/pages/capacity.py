"""What is on the page of a capacity report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from kexplain.explain.wording import amount
from kexplain.parameters import parameter
from kexplain.render.pages import Page, Rows, Sheet, State, causes_sheet, columns, numbers, resting_on
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.capacity import CapacityReport, PodCapacity
from kexplain.report.free_room import Room
from kexplain.words import clauses, plural, some, verb


def page(report: CapacityReport, view: View) -> Page:
    """One pod in full, several in a line each."""
    aside = f"kubernetes {report.kubernetes_version}"
    is_good = all(is_enough(pod) for pod in report.pods)
    if len(report.pods) == 1 and not report.room:
        return Page(
            _headline(report.pods[0]),
            State.of(is_good),
            aside,
            [*resting_on(report.rests_on), *_in_full(report.pods[0], preempts=report.preempts)],
        )
    sheets = [_each(report)]
    for pod in report.pods if view.verbose or report.mix else ():
        sheets += [
            replace(sheet, title=f"{sheet.title} OF {pod.pod}") for sheet in _in_full(pod, preempts=report.preempts)
        ]
    if report.room:
        sheets.append(_room(report.room))
    return Page(_headline_of_all(report), State.of(is_good), aside, [*resting_on(report.rests_on), *sheets])


def rows(report: CapacityReport) -> Rows:
    """A row a pod and node; a pod that fits nowhere has one without a node."""
    heads = ("pod", "workload", "running", "fits", "limit", "node", "fitsOnNode", "message")
    found: list[tuple[object, ...]] = []
    for pod in report.pods:
        limit = "" if pod.limit is None else pod.limit
        message = pod.stopped_by.message if pod.stopped_by else ""
        common = (pod.pod, pod.workload, pod.running, pod.fits, limit)
        found += [(*common, node, count, message) for node, count in pod.by_node.items()] or [(*common, "", 0, message)]
    return Rows(heads, found)


def is_enough(pod: PodCapacity) -> bool:
    """Whether all that was asked for fits: as many as the limit says, else one at least."""
    return pod.fits > 0 if pod.limit is None or pod.workload else pod.fits >= pod.limit


def _headline(pod: PodCapacity) -> str:
    if not pod.fits:
        return f"{pod.pod} does not fit even once"
    at_least = "at least " if pod.stopped_by is None else ""
    return f"{pod.pod} fits {at_least}{_times(pod.fits)}, on {plural(len(pod.by_node), 'node')}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _headline_of_all(report: CapacityReport) -> str:
    if report.mix:
        what = ", ".join(f"{pod.fits} of {pod.pod}" for pod in report.pods)
        return f"{what} fit together"
    none = sum(not pod.fits for pod in report.pods)
    kind = "workload" if report.room else "pod"
    if not report.pods:
        return "no workload runs here"
    if len(report.pods) == 1:
        return f"the {kind} {'cannot' if none else 'can'} grow"
    whole = plural(len(report.pods), kind)
    waiting = f"{plural(report.pending, 'pod')} {verb(report.pending, 'is')} pending already"
    grows = f"{none} of {whole} cannot grow" if none else f"all {whole} can grow"
    return clauses(waiting if report.pending else "", grows)


def _in_full(pod: PodCapacity, *, preempts: bool) -> Iterator[Sheet]:
    if len(pod.by_pool) > 1:
        yield _counted("POOL", pod.by_pool.items())
    if pod.by_node:
        yield _counted("NODE", sorted(pod.by_node.items(), key=lambda each: -each[1]))
    if pod.evicted:
        yield Sheet("WOULD BE EVICTED", columns("POD"), [(name,) for name in pod.evicted])
    if pod.stopped_by is not None:
        why = pod.stopped_by
        sheet = causes_sheet("WHAT STOPS THE NEXT ONE", why.causes, why.diagnosis, why.message)
        calm = (
            [] if preempts else [f"no pod is evicted to make room for it; {parameter('preempts')} lets it evict others"]
        )
        yield replace(sheet, lines=[*sheet.lines, *calm])


def _counted(head: str, counts: Iterable[tuple[str, int]]) -> Sheet:
    return Sheet(f"{head}S", (*numbers("FITS"), *columns(head)), [(str(count), name) for name, count in counts])


def _each(report: CapacityReport) -> Sheet:
    """A row a pod, with what is wrong for the next one."""
    has_workloads = any(pod.workload for pod in report.pods)
    cells = []
    for pod in report.pods:
        fits = f"{pod.fits}+" if pod.stopped_by is None and not report.mix else str(pod.fits)
        said = pod.stopped_by.diagnosis if pod.stopped_by else None
        message = pod.stopped_by.message if pod.stopped_by else DASH
        because = clauses(said.text, said.amounts) if said else message
        where = some(list(pod.by_pool), 3) or DASH
        name = (pod.workload, str(pod.running)) if has_workloads else (pod.pod,)
        cells.append((fits, *name, where, because))
    heads = (*columns("WORKLOAD"), *numbers("RUNNING")) if has_workloads else columns("POD")
    title = "HEADROOM" if has_workloads else "CAPACITY"
    return Sheet(title, (*numbers("FITS"), *heads, *columns("POOLS", "WHAT STOPS THE NEXT ONE")), cells)


def _room(rooms: tuple[Room, ...]) -> Sheet:
    lines = ["unusable: free on nodes that lack something else for pods like the running ones"]
    amounts = (*numbers("FREE", "OF"), *columns("LARGEST PIECE"), *numbers("UNUSABLE"))
    heads = (*columns("POOL"), *numbers("NODES"), *columns("RESOURCE"), *amounts, *columns("FOR LACK OF"))
    return Sheet("LEFT", heads, [_room_cells(room) for room in rooms], lines)


def _room_cells(room: Room) -> tuple[str, ...]:
    name = room.resource
    largest = f"{amount(name, room.largest)} ({room.largest_on})" if room.largest_on else DASH
    unusable = amount(name, room.unusable) if room.unusable else DASH
    return (
        room.pool,
        str(room.nodes),
        name,
        amount(name, room.free),
        amount(name, room.allocatable),
        largest,
        unusable,
        room.counterpart or DASH,
    )
