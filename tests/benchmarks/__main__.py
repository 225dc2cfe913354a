"""python -m tests.benchmarks: measure, print, and write JSON if asked to. Bars are shown, never enforced."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.benchmarks import device_dump, manifest_tree, many, scale, storage_dump, what_if
from tests.benchmarks.dump import Size, cached, cached_budgets
from tests.benchmarks.figures import (
    YARDSTICK,
    Difference,
    Figures,
    SizeFigures,
    claim_figures,
    live_figures,
    size_figures,
    size_text,
    startup_figures,
    startup_text,
)
from tests.benchmarks.process import Cost, RunFailedError, best_of, floor, kexplain, run, server
from tests.benchmarks.scenarios import Scenario, device_scenarios, scenarios, storage_scenarios

CLUSTER, STORAGE, DEVICES, LIVE, LINT, MANY, WHAT_IF = DUMPS = (
    "cluster",
    "storage",
    "devices",
    "live",
    "lint",
    "many",
    "what-if",
)
SIZES = "100x1000,1000x10000,5000x50000"
STORAGE_SIZE = Size(5_000, 20_000)
DEVICE_NODES = 1_000
LINT_NODES, LINT_REPLICAS, LINT_WORKLOADS = 1_000, 10_000, 100
#: Start-up is short, so that more runs cost little and tell more.
STARTUP_RUNS = 5


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for."""

    only: list[str]
    sizes: list[Size]
    runs: int
    large: bool
    json: Path | None
    scale: bool


def main() -> int:
    """1 if a run ends as it must not, else 0."""
    options = _options()
    directory = Path(tempfile.gettempdir()) / "kexplain-benchmarks"
    measured = Figures([], [])
    try:
        if options.scale:
            for line in scale.measured(directory, options.runs, large=options.large):
                print(line, flush=True)
            return 0
        measured.startup.extend(_measure_startup(options.runs))
        print(startup_text(measured.startup), flush=True)
        for figures in _measured(options, directory):
            measured.sizes.append(figures)
            print(f"\n{size_text(figures)}", flush=True)
        if LINT in options.only:
            print(f"\n{_measure_lint(directory, options.runs)}", flush=True)
        if MANY in options.only:
            print(flush=True)
            for line in many.measured(directory, options.runs, large=options.large):
                print(line, flush=True)
        if WHAT_IF in options.only:
            print(f"\n{what_if.measured(directory, options.runs)}", flush=True)
    except RunFailedError as error:
        print(error, file=sys.stderr)
        return 1
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(measured)) + b"\n")
    return 0


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    only_help = f"some of {', '.join(DUMPS)}; default all"
    parser.add_argument("--only", type=_dumps, default=list(DUMPS), metavar="DUMP,…", help=only_help)
    sizes_help = f"sizes of the cluster dump; default {SIZES}"
    parser.add_argument("--sizes", type=_sizes, default=SIZES, metavar="NODESxPODS,…", help=sizes_help)
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="the best of so many counts; default 3")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--large", action="store_true", help="also what takes several minutes each")
    parser.add_argument("--scale", action="store_true", help="only what more nodes cost; to 100,000 with --large")
    given = parser.parse_args()
    return Options(given.only, given.sizes, max(given.runs, 1), given.large, given.json, given.scale)


def _dumps(text: str) -> list[str]:
    names = text.split(",")
    if not set(names) <= set(DUMPS):
        raise ValueError(text)
    return names


def _sizes(text: str) -> list[Size]:
    return [Size.parse(each) for each in text.split(",")]


def _measure_startup(runs: int) -> list[Difference]:
    bare, with_help = best_of(runs * STARTUP_RUNS, [([sys.executable, "-c", "pass"], 0), (kexplain("--help"), 0)])
    return startup_figures(bare, with_help)


def _measured(options: Options, directory: Path) -> Iterator[SizeFigures]:
    if CLUSTER in options.only:
        for size in options.sizes:
            dump, budgets = cached(size, directory), cached_budgets(size, directory)
            yield size_figures(size, dump.stat().st_size, *_measure(scenarios(), dump, budgets, options.runs))
    if STORAGE in options.only:
        dump = storage_dump.cached(STORAGE_SIZE, directory)
        costs = _measure(storage_scenarios(), dump, None, options.runs)
        yield claim_figures(f"{STORAGE} {STORAGE_SIZE}", dump.stat().st_size, *costs)
    if DEVICES in options.only:
        dump = device_dump.cached(DEVICE_NODES, directory)
        costs = _measure(device_scenarios(), dump, None, options.runs)
        devices = DEVICE_NODES * device_dump.DEVICES_PER_NODE
        yield claim_figures(f"{DEVICES} {DEVICE_NODES}x{devices}", dump.stat().st_size, *costs)
    if LIVE in options.only:
        dump = cached(YARDSTICK, directory)
        yield live_figures(f"{LIVE} {YARDSTICK}", dump.stat().st_size, *_measure_live(dump, options.runs))


def _measure_live(dump: Path, runs: int) -> tuple[Cost, dict[str, Cost]]:
    """The cost of a run on a dump in a file, and that of each other way to the same report."""
    fits = scenarios()[0]
    pod, *_ = from_file = fits.arguments(dump)
    kubeconfig, snapshot = dump.with_name("kubeconfig"), dump.with_name("live.snapshot")
    live = ["--kubeconfig", str(kubeconfig)]
    commands = {
        "live": kexplain(pod, *live),
        "live, uncompressed": kexplain(pod, *live, "--disable-compression"),
        "taking a snapshot": kexplain("snapshot", *live, "-o", str(snapshot)),
        "from the snapshot": kexplain(pod, "--cluster", str(snapshot)),
    }
    if kubectl := shutil.which("kubectl"):
        commands["kubectl get nodes,pods -A -o json"] = [kubectl, *live, "get", "nodes,pods", "-A", "-o", "json"]
    with server(dump, kubeconfig):
        # The server puts its answers together when it is asked for the first time.
        for command in commands.values():
            run(command)
        of_file, *costs = best_of(runs, [(kexplain(*from_file), 0), *((command, 0) for command in commands.values())])
    return of_file, dict(zip(commands, costs, strict=True))


def _measure_lint(directory: Path, runs: int) -> str:
    """The costs of linting beside their bars, which are absolute: seconds and megabytes of the whole process."""
    tree = manifest_tree.cached(directory)
    nodes = manifest_tree.cached_cluster(LINT_NODES, directory)
    replicas = manifest_tree.cached_replicas(LINT_REPLICAS, LINT_WORKLOADS, directory)
    commands = [
        (kexplain("lint", "-R", str(tree), "--settings", "none"), 0),
        (kexplain("lint", str(replicas), "--cluster", str(nodes), "--settings", "none"), 0),
    ]
    alone, placed = best_of(runs, commands)
    return (
        f"lint\n  {manifest_tree.MANIFESTS} manifests: {alone.seconds:.2f} s of 6, {alone.megabytes:.0f} MB of 400\n"
        f"  {LINT_REPLICAS} replicas on {LINT_NODES} nodes: {placed.seconds:.2f} s of 4, {placed.megabytes:.0f} MB"
    )


def _measure(chosen: Sequence[Scenario], dump: Path, budgets: Path | None, runs: int) -> tuple[Cost, dict[str, Cost]]:
    """The cost of the floor, and that of each scenario by its name."""
    commands = [(kexplain(*each.arguments(dump, budgets)), each.exit_code) for each in chosen]
    # A dump that was just written, or not read for long, is not in memory yet.
    run(floor(dump))
    floor_cost, *costs = best_of(runs, [(floor(dump), 0), *commands])
    return floor_cost, {each.name: cost for each, cost in zip(chosen, costs, strict=True)}


if __name__ == "__main__":
    sys.exit(main())
