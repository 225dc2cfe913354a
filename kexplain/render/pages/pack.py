"""What is on the page of nodes that can go together."""

from kexplain.explain.wording import amount
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.render.pages import Page, Part, Prose, Sheet, State, Style, columns, numbers, resting_on
from kexplain.render.pages.drain import briefly, landing_doubts, moving, pending_before, when
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.drain_records import DrainedPod
from kexplain.report.pack_records import PackReport
from kexplain.scheduler.draining import Fate
from kexplain.words import plural, some, verb

_SHOWN = 3
_HOURS = 730


def page(report: PackReport, view: View) -> Page:
    """What can be done, the commands, who moves where, and why others stay."""
    untried = f"{plural(report.untried, 'node')} not tried, as the search was stopped"
    longer = f"{untried}; {parameter('within')} lets it take longer" if report.untried else ""
    goes = [(each.pod, each.from_node, each.node or DASH, _when(each)) for each in report.pods]
    parts: list[Part] = [
        *resting_on(report.rests_on),
        *([Prose([longer], style=Style.WARNING)] if longer else []),
        *[Prose([line], style=Style.WARNING) for line in landing_doubts(report.pods)],
        *pending_before(report.pending_before),
        _saved(report),
        Prose(report.commands, title="IN THIS ORDER", style=Style.COMMAND),
        Sheet("ROOM", columns("POD", "LANDS ON"), [(each.pod, each.node or DASH) for each in report.room_for]),
        Sheet("MOVE", columns("POD", "FROM", "TO", "WHEN"), goes),
        _staying(report),
    ]
    return Page(_headline(report), State.of(report.is_possible), f"kubernetes {report.kubernetes_version}", parts)


def _when(pod: DrainedPod) -> str:
    return "does not come back" if pod.outcome == Fate.GONE else when(pod)


def _headline(report: PackReport) -> str:
    if report.room_for:
        return _room_headline(report)
    count, total = len(report.emptied), plural(report.total, "node")
    kept = f", keeping {report.keep}" if report.keep else ""
    if not count:
        return f"none of {total} can go{kept}"
    return f"{count} of {total} can go{kept}: {some(report.emptied, _SHOWN)}; {moving(report.pods)}"


def _room_headline(report: PackReport) -> str:
    placed = ((each.pod, each.node or "") for each in report.room_for)
    names, nodes = ([*dict.fromkeys(each)] for each in zip(*placed, strict=True))
    moves = len(report.pods)
    makes = f"{plural(moves, 'move')} {verb(moves, 'makes')} room"
    if not report.is_possible:
        having, lacking = ([each.pod for each in report.room_for if bool(each.node) is has] for has in (True, False))
        part = f"{makes} for {some(having, _SHOWN)} alone; " if having else ""
        return f"{part}found no moves that make room for {some(lacking, _SHOWN)}: {report.notes[0]}"
    where = f"for {some(names, _SHOWN)} on {some(nodes, _SHOWN)}"
    when = "if nodes take pods in this order" if report.commands else "now"
    return f"{makes} {where}" if moves else f"there is room {where} {when}"


def _saved(report: PackReport) -> Sheet:
    def price(per_hour: float | None) -> str:
        return "" if per_hour is None else f"{per_hour:.2f} an hour, {per_hour * _HOURS:.0f} a month"

    sizes = ((amount("cpu", each.cpu_milli), amount("memory", each.memory_bytes)) for each in report.saved)
    saved = zip(report.saved, sizes, strict=True)
    cells = [(each.pool, f"{each.nodes} of {each.of}", *size, price(each.per_hour)) for each, size in saved]
    return Sheet("WHAT IS SAVED", (*columns("POOL"), *numbers("NODES", "CPU", "MEMORY"), *columns("PRICE")), cells)


def _staying(report: PackReport) -> Sheet:
    nodes_by_reason = grouped((each.because, each) for each in report.staying)
    cells = [
        (
            str(len(found)),
            some([each.node for each in found], _SHOWN),
            briefly(because),
            some([*dict.fromkeys(pod for each in found for pod in each.pods)], _SHOWN),
        )
        for because, found in sorted(nodes_by_reason.items(), key=lambda item: -len(item[1]))
    ]
    return Sheet("WHY OTHERS STAY", (*numbers("NODES"), *columns("WHICH", "BECAUSE", "PODS")), cells)
