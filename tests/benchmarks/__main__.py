"""python -m tests.benchmarks: measure, print, and write JSON if asked to. Bars are shown, never enforced."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.benchmarks.dump import Size, cached, cached_budgets
from tests.benchmarks.figures import (
    Difference,
    Figures,
    SizeFigures,
    size_figures,
    size_text,
    startup_figures,
    startup_text,
)
from tests.benchmarks.process import RunFailedError, best_of, floor, kexplain, run
from tests.benchmarks.scenarios import scenarios

SIZES = "100x1000,1000x10000,5000x50000"
#: Start-up is short, so that more runs cost little and tell more.
STARTUP_RUNS = 5


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for."""

    sizes: list[Size]
    runs: int
    json: Path | None


def main() -> int:
    """1 if a run ends as it must not, else 0."""
    options = _options()
    directory = Path(tempfile.gettempdir()) / "kexplain-benchmarks"
    measured = Figures([], [])
    try:
        measured.startup.extend(_measure_startup(options.runs))
        print(startup_text(measured.startup), flush=True)
        for size in options.sizes:
            measured.sizes.append(_measure(size, directory, options.runs))
            print(f"\n{size_text(measured.sizes[-1])}", flush=True)
    except RunFailedError as error:
        print(error, file=sys.stderr)
        return 1
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(measured)) + b"\n")
    return 0


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=_sizes, default=SIZES, metavar="NODESxPODS,…", help=f"default {SIZES}")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="the best of so many counts; default 3")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    given = parser.parse_args()
    return Options(given.sizes, max(given.runs, 1), given.json)


def _sizes(text: str) -> list[Size]:
    return [Size.parse(each) for each in text.split(",")]


def _measure_startup(runs: int) -> list[Difference]:
    bare, with_help = best_of(runs * STARTUP_RUNS, [([sys.executable, "-c", "pass"], 0), (kexplain("--help"), 0)])
    return startup_figures(bare, with_help)


def _measure(size: Size, directory: Path, runs: int) -> SizeFigures:
    dump, budgets = cached(size, directory), cached_budgets(size, directory)
    chosen = scenarios()
    commands = [(kexplain(*each.arguments(dump, budgets)), each.exit_code) for each in chosen]
    # A dump that was just written, or not read for long, is not in memory yet.
    run(floor(dump))
    floor_cost, *costs = best_of(runs, [(floor(dump), 0), *commands])
    cost_by_name = {each.name: cost for each, cost in zip(chosen, costs, strict=True)}
    return size_figures(size, dump.stat().st_size, floor_cost, cost_by_name)


if __name__ == "__main__":
    sys.exit(main())
