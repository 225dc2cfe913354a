"""What is on the page of a capacity report."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kexplain.explain.wording import amount
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.render.pages import (
    NAMED,
    Column,
    Glossary,
    Page,
    Part,
    Prose,
    Quote,
    Sheet,
    State,
    Style,
    cluster_figures,
    columns,
    numbers,
    resting_on,
)
from kexplain.render.pages.causes import causes_below
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.capacity import CapacityReport, PodCapacity
from kexplain.report.free_room import Room
from kexplain.words import clauses, joined, plural, some, verb

_SHOWN = 3


def page(report: CapacityReport, view: View) -> Page:
    """One pod in full, several in a line each."""
    aside = f"kubernetes {report.kubernetes_version}"
    is_good, figures = all(is_enough(pod) for pod in report.pods), cluster_figures.parts(report.figures, view)
    if len(report.pods) == 1 and not report.room:
        told = [*_taken_for_granted(report), *_in_full(report.pods[0], preempts=report.preempts), *figures]
        return Page(_headline(report.pods[0]), State.of(is_good), aside, told)
    parts: list[Part] = [*_each(report, view)]
    for pod in report.pods if view.verbose or report.mix else ():
        sheets = _in_full(pod, preempts=report.preempts)
        parts += [replace(sheet, title=f"{sheet.title} OF {_name(pod)}") for sheet in sheets]
    parts += [_room(report.room), *figures]
    return Page(_headline_of_all(report), State.of(is_good), aside, [*_taken_for_granted(report), *parts])


def is_enough(pod: PodCapacity) -> bool:
    """Whether all that was asked for fits: as many as the limit says, or a new manifest, else one at least."""
    wanted = pod.declared or 1 if pod.limit is None or pod.workload else pod.limit
    return pod.fits >= wanted


def _taken_for_granted(report: CapacityReport) -> list[Part]:
    """What the input does not say, and that pods which wait are left waiting."""
    count, they = report.pending, "it is" if report.pending == 1 else "they are"
    waiting = f"{plural(count, 'pod')} {verb(count, 'is')} pending already"
    said = f"{waiting}; {they} not placed first, and may take some of this room"
    pending = [Prose([said], style=Style.DIM)] if report.pending and not report.room else []
    return [*resting_on(report.rests_on), *pending]


def _headline(pod: PodCapacity) -> str:
    if not pod.fits:
        return f"{_name(pod)} does not fit even once"
    at_least = "at least " if pod.stopped_by is None else ""
    times = "once" if pod.fits == 1 else f"{pod.fits} times"
    declared = f", and {pod.declared} are declared" if pod.fits < (pod.declared or 0) else ""
    return f"{_name(pod)} fits {at_least}{times}, on {plural(len(pod.by_node), 'node')}{declared}"


def _headline_of_all(report: CapacityReport) -> str:
    if report.mix:
        what = ", ".join(f"{pod.fits} of {_name(pod)}" for pod in report.pods)
        return f"{what} fit together"
    none = sum(not pod.fits for pod in report.pods)
    if not report.pods:
        return "no workload runs here"
    if not report.room:
        return _headline_of_several(report.pods, none)
    if len(report.pods) == 1:
        return f"the workload {'cannot' if none else 'can'} grow"
    whole = plural(len(report.pods), "workload")
    waiting = f"{plural(report.pending, 'pod')} {verb(report.pending, 'waits')} for a node already"
    grows = f"{none} of {whole} cannot grow" if none else f"all {whole} can grow"
    return clauses(waiting if report.pending else "", grows)


def _headline_of_several(pods: Sequence[PodCapacity], none: int) -> str:
    whole = plural(len(pods), "workload" if all(pod.made_of for pod in pods) else "pod")
    if none:
        return f"{none} of {whole} {'does' if none == 1 else 'do'} not fit even once"
    short = [f"{pod.fits} of {pod.declared} {_name(pod)}" for pod in pods if not is_enough(pod)]
    return f"only {joined(short)} fit" if short else f"{'both' if len(pods) == 2 else f'all {whole}'} fit"


def _in_full(pod: PodCapacity, *, preempts: bool) -> Iterator[Sheet]:
    if len(pod.by_pool) > 1:
        yield _counted("POOL", pod.by_pool.items())
    yield _counted("NODE", sorted(pod.by_node.items(), key=lambda each: -each[1]))
    yield Sheet("WOULD BE EVICTED", columns("POD"), [(name,) for name in pod.evicted])
    if pod.stopped_by is not None:
        why = pod.stopped_by
        sheet = causes_below("WHAT STOPS THE NEXT ONE", why)
        calm = f"no pod is evicted to make room for it; {parameter('preempts')} lets it evict others"
        # What an API server refuses needs no room.
        said = [calm] if why.causes and not preempts else []
        yield replace(sheet, lines=[*sheet.lines, *said])


def _counted(head: str, counts: Iterable[tuple[str, int]]) -> Sheet:
    return Sheet(f"{head}S", (*numbers("FITS"), *columns(head)), [(str(count), name) for name, count in counts])


def _each(report: CapacityReport, view: View) -> Iterator[Part]:
    """A row a pod, and below it what stops the next ones, those with one diagnosis together."""
    has_workloads = any(pod.workload for pod in report.pods)
    cells = []
    for pod in report.pods:
        fits = f"{pod.fits}+" if pod.stopped_by is None and not report.mix else str(pod.fits)
        name = (_name(pod), str(pod.running)) if has_workloads else (_name(pod),)
        cells.append((fits, *name, some(list(pod.by_pool), 3)))
    heads = (*columns("WORKLOAD"), *numbers("RUNNING")) if has_workloads else columns("POD")
    title = "HEADROOM" if has_workloads else "CAPACITY"
    yield Sheet(title, (*numbers("FITS"), *heads, *columns("ON NODES OF POOLS")), cells)
    yield Glossary("WHAT STOPS THE NEXT ONE", _stops(report.pods[: view.top or None]))


def _name(pod: PodCapacity) -> str:
    """The workload as in other reports, or the pod."""
    # A role of a custom resource has another slash in its name.
    namespace, *kind, name = (pod.workload or pod.made_of or pod.pod).split("/", 2)
    return " ".join([f"{namespace}/{name}", *(f"({each})" for each in kind)])


def _stops(pods: Sequence[PodCapacity]) -> list[Quote]:
    why = [(pod.stopped_by, pod.stopped_by.diagnosis, _name(pod)) for pod in pods if pod.stopped_by]
    stopped = grouped(
        (said.text if said else by.message, f"{name} {said.amounts}" if said and said.amounts else name)
        for by, said, name in why
    )
    return [
        Quote(text, lines=[*each[:_SHOWN], *([f"… and {len(each) - _SHOWN} more"] if len(each) > _SHOWN else [])])
        for text, each in stopped.items()
    ]


def _room(rooms: tuple[Room, ...]) -> Sheet:
    heads = (
        *columns("POOL"),
        *numbers("NODES"),
        *columns("RESOURCE"),
        *numbers("FREE", "OF", "LARGEST PIECE"),
        Column("WHERE", from_width=NAMED),
        *numbers("UNUSABLE"),
        *columns("FOR LACK OF"),
    )
    note = "unusable: free on nodes that lack something else for pods like the running ones"
    named: list[tuple[str, ...]] = []
    for room, before in zip(rooms, (None, *rooms), strict=False):
        pool, nodes, *cells = _room_cells(room)
        named.append(("", "", *cells) if before and before.pool == room.pool else (pool, nodes, *cells))
    return Sheet("LEFT", heads, named, notes=[note] if any(each.unusable for each in rooms) else [])


def _room_cells(room: Room) -> tuple[str, ...]:
    name = room.resource
    return (
        room.pool,
        str(room.nodes),
        name,
        amount(name, room.free),
        amount(name, room.allocatable),
        amount(name, room.largest) if room.largest_on else DASH,
        room.largest_on or DASH,
        amount(name, room.unusable) if room.unusable else DASH,
        room.counterpart or DASH,
    )
