"""Figures, the bars they are held to, and both as a table or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.benchmarks.dump import Size
from tests.benchmarks.process import Cost
from tests.benchmarks.scenarios import FITS, NO_PREEMPTION, PREEMPTION, PREEMPTION_WITH_BUDGETS, TWO_REASONS

#: The size that the bars on whole runs are for.
YARDSTICK = Size(5_000, 50_000)
TIMES_THE_FLOOR = 2.6
#: With storage and devices there is more to decide for each byte that is read.
TIMES_THE_FLOOR_WITH_CLAIMS = 4.0
TIMES_ITS_MEMORY = 2.0
PREEMPTION_SECONDS = 1.0
#: What would help, on top of a pod that fits.
REMEDIES_SECONDS = 1.5
#: A live cluster, on loopback, against a dump of it in a file.
TIMES_THE_FILE = 2.5
HELP_SECONDS = 0.12
FLOOR = "floor: read and decode"
BARE = "python -c pass"
HELP = "kexplain --help"


@dataclass(frozen=True, slots=True)
class Bar:
    """A limit on a figure."""

    limit: float
    actual: float

    @property
    def is_met(self) -> bool:
        return self.actual <= self.limit

    def text(self, unit: str) -> str:
        """The limit, and whether it is kept to."""
        return f"max {self.limit:g}{unit} {'ok' if self.is_met else 'OVER'}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report: what was run, and what it cost in relation to the floor."""

    name: str
    seconds: float
    megabytes: float
    times_floor: float
    times_memory: float
    time_bar: Bar | None = None
    memory_bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What one thing costs on top of another."""

    name: str
    seconds: float
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """Everything about one size."""

    size: str
    dump_megabytes: float
    figures: list[Figure]
    differences: list[Difference]


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that was measured."""

    startup: list[Difference]
    sizes: list[SizeFigures]


def startup_figures(bare: Cost, with_help: Cost) -> list[Difference]:
    """Start-up without any work, and what --help adds."""
    added = with_help.seconds - bare.seconds
    return [
        Difference(BARE, bare.seconds),
        Difference(HELP, with_help.seconds),
        Difference(f"{HELP}, on top of the interpreter", added, Bar(HELP_SECONDS, added)),
    ]


def size_figures(size: Size, dump_bytes: int, floor: Cost, costs: dict[str, Cost]) -> SizeFigures:
    """The runs on one dump next to its floor; the bars are for the yardstick's size only."""
    has_bars = size == YARDSTICK
    limits = (TIMES_THE_FLOOR, TIMES_ITS_MEMORY) if has_bars else (None, None)
    return SizeFigures(
        str(size),
        dump_bytes / 1e6,
        _figures(floor, costs, *limits),
        [
            *(
                _added(
                    f"preemption adds: {name}",
                    costs[name],
                    costs[NO_PREEMPTION],
                    PREEMPTION_SECONDS if has_bars else None,
                )
                for name in (PREEMPTION, PREEMPTION_WITH_BUDGETS)
            ),
            _added(
                f"what would help adds: {TWO_REASONS}",
                costs[TWO_REASONS],
                costs[FITS],
                REMEDIES_SECONDS if has_bars else None,
            ),
        ],
    )


def claim_figures(title: str, dump_bytes: int, floor: Cost, cost_by_scenario: dict[str, Cost]) -> SizeFigures:
    """The runs on a dump full of storage or devices, which has one size only, next to its floor."""
    figures = _figures(floor, cost_by_scenario, TIMES_THE_FLOOR_WITH_CLAIMS, None)
    return SizeFigures(title, dump_bytes / 1e6, figures, [])


def live_figures(title: str, dump_bytes: int, of_file: Cost, cost_by_way: dict[str, Cost]) -> SizeFigures:
    """Ways to read a cluster next to reading a dump of it from a file; what kubectl takes has no bar."""
    ways = [
        _figure(name, cost, of_file, None if name.startswith("kubectl") else TIMES_THE_FILE, None)
        for name, cost in cost_by_way.items()
    ]
    return SizeFigures(
        title, dump_bytes / 1e6, [_figure("from the dump in a file", of_file, of_file, None, None), *ways], []
    )


def _figures(
    floor: Cost, cost_by_scenario: dict[str, Cost], time_limit: float | None, memory_limit: float | None
) -> list[Figure]:
    runs = [_figure(name, cost, floor, time_limit, memory_limit) for name, cost in cost_by_scenario.items()]
    return [Figure(FLOOR, floor.seconds, floor.megabytes, 1.0, 1.0), *runs]


def _figure(name: str, cost: Cost, floor: Cost, time_limit: float | None, memory_limit: float | None) -> Figure:
    times_floor = cost.seconds / floor.seconds
    times_memory = cost.megabytes / floor.megabytes
    # What preemption and remedies may cost has a bar of its own.
    is_timed = name not in (PREEMPTION, PREEMPTION_WITH_BUDGETS, TWO_REASONS)
    return Figure(
        name,
        cost.seconds,
        cost.megabytes,
        times_floor,
        times_memory,
        Bar(time_limit, times_floor) if is_timed and time_limit is not None else None,
        None if memory_limit is None else Bar(memory_limit, times_memory),
    )


def _added(title: str, cost: Cost, without: Cost, limit: float | None) -> Difference:
    added = cost.seconds - without.seconds
    return Difference(title, added, None if limit is None else Bar(limit, added))


def startup_text(startup: Sequence[Difference]) -> str:
    """The lines about start-up."""
    return "\n".join(["start-up", *(_difference_line(each) for each in startup)])


def size_text(figures: SizeFigures) -> str:
    """The table of one size."""
    head = f"{figures.size}, a dump of {figures.dump_megabytes:.0f} MB"
    rows = [_figure_line(figure) for figure in figures.figures]
    added = [_difference_line(each, sign="+") for each in figures.differences]
    return "\n".join([head, *rows, *added])


def _figure_line(figure: Figure) -> str:
    time_bar = figure.time_bar.text("×") if figure.time_bar else ""
    memory_bar = figure.memory_bar.text("×") if figure.memory_bar else ""
    line = (
        f"  {figure.name:<42} {figure.seconds:7.3f} s {figure.times_floor:6.2f}× {time_bar:<12}"
        f" {figure.megabytes:6.0f} MB {figure.times_memory:6.2f}× {memory_bar}"
    )
    return line.rstrip()


def _difference_line(each: Difference, sign: str = "") -> str:
    bar = each.bar.text(" s") if each.bar else ""
    return f"  {each.name:<58} {each.seconds:{sign}7.3f} s  {bar}".rstrip()
