"""What is on the page of a replay: a row a run, and how things went over time."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from kexplain.render.pages import Curve, Page, Part, Plot, Prose, Rows, Sheet, State, Style, columns, numbers
from kexplain.render.view import View
from kexplain.report.replay import ReplayReport, ReplayRun, ReplaySample
from kexplain.words import plural, verb

_WIDTH, _HEIGHT = 1000, 200
_COLORS = 12
#: By unit of time in seconds, from the longest.
_UNITS = {"d": 86_400, "h": 3_600, "min": 60}


def page(report: ReplayReport, view: View) -> Page:
    """Who ran and who waited, under which configuration; with curves where they can be drawn."""
    never = sum(run.never_ran for run in report.runs)
    heads = [*columns("RUN"), *numbers("RAN", "WAITED", "MEAN WAIT", "LONGEST", "PENDING", "PEAK", "EVICTED")]
    used = list(report.runs[0].used)
    heads += numbers("NODES", *(f"USED {name.rpartition('/')[2].upper()}" for name in used), "FRAGMENTED")
    notes = [
        "waits are those of pods that ran; all else is the mean over time, PEAK the most that were pending at once",
        f"fragmented: the share of free {report.measured} on nodes where pods of the trace that request it do not fit",
    ]
    rows = [_row(report, run, used) for run in report.runs]
    sheet = Sheet("", tuple(heads), rows, notes=notes, keys=1, is_whole=True)
    parts: list[Part] = [sheet, *(_plots(report, used) if view.draws else ())]
    parts.append(Prose([*_left_out(report)], "NOT MODELLED", Style.DIM, is_apart=True))
    runs = "" if len(report.runs) == 1 else f" in {len(report.runs)} runs"
    headline = f"{plural(report.pods, 'pod')} on {plural(report.nodes, 'node')}{runs}: "
    headline += f"{never} never ran" if never else "all ran"
    return Page(headline, State.of(not never), "", parts)


def _row(report: ReplayReport, run: ReplayRun, used: Sequence[str]) -> tuple[str, ...]:
    return (
        _name(report, run),
        *map(str, (run.ran, run.waited)),
        *(time_text(run.mean_wait), time_text(run.longest_wait), f"{run.pending:.1f}"),
        *map(str, (run.most_pending, run.evictions)),
        f"{run.nodes_used:.1f}",
        *(f"{run.used.get(name, 0):.1%}" for name in used),
        f"{run.fragmented:.1%}",
    )


def _name(report: ReplayReport, run: ReplayRun) -> str:
    has_seeds = any(each.seed for each in report.runs)
    return f"{run.configuration} #{run.seed}" if has_seeds else run.configuration


def time_text(seconds: float) -> str:
    """A time as people say it."""
    unit, length = next(((unit, length) for unit, length in _UNITS.items() if seconds >= 2 * length), ("s", 1))
    return f"{seconds / length:.4g} {unit}"


def _left_out(report: ReplayReport) -> Iterator[str]:
    if report.shared_gpus:
        count = report.shared_gpus
        pods, takes, gets = plural(count, "pod"), verb(count, "takes"), verb(count, "gets")
        yield f"shared GPUs: {pods} that {takes} a part of one {gets} a whole one"
    yield from report.not_modelled


def _plots(report: ReplayReport, used: Sequence[str]) -> Iterator[Plot]:
    yield _plot(report, "PENDING PODS", lambda sample: sample.pending)
    yield _plot(report, "NODES IN USE", lambda sample: sample.nodes_used)
    yield from (_plot(report, f"SHARE OF {name} IN USE", partial(_used, name), is_share=True) for name in used)
    fragments = f"SHARE OF FREE {report.measured} IN FRAGMENTS"
    yield _plot(report, fragments, lambda sample: sample.fragmented, is_share=True)


def _used(name: str, sample: ReplaySample) -> float:
    return sample.used.get(name, 0.0)


def _plot(report: ReplayReport, title: str, read: Callable[[ReplaySample], float], *, is_share: bool = False) -> Plot:
    samples = [sample for run in report.runs for sample in run.samples]
    most = max(map(read, samples), default=0.0) or 1.0
    start, end = min(each.time for each in samples), max(run.ends_at for run in report.runs)

    def text(value: float) -> str:
        return f"{value:.1%}" if is_share else f"{value:.4g}"

    curves = []
    for number, run in enumerate(report.runs):
        places = [_WIDTH * (each.time - start) / ((end - start) or 1.0) for each in run.samples]
        heights = (_HEIGHT * (1 - read(each) / most) for each in run.samples)
        points = [f"{place:.1f},{height:.1f}" for place, height in zip(places, heights, strict=True)]
        curves.append(Curve(_name(report, run), " ".join(points), f"p{number % _COLORS}", text(read(run.samples[-1]))))
    return Plot(title, text(most), time_text(start), time_text(end), curves)


def rows(report: ReplayReport) -> Rows:
    """A row a stretch of time of each run, behind what the whole run came to."""
    used = list(report.runs[0].used)
    heads = ("configuration", "seed", "time", "pending", "running", "nodesUsed", *used, "fragmented")
    found = [
        (
            *(run.configuration, run.seed, each.time, each.pending, each.running, each.nodes_used),
            *(each.used.get(name, 0.0) for name in used),
            each.fragmented,
        )
        for run in report.runs
        for each in run.samples
    ]
    return Rows(heads, found)
