"""Many pods at once, beside the bars that are set for them; each line is printed as soon as it is measured."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import manifest_tree, many_pods, mixed_dump
from tests.benchmarks.dump import Size, cached
from tests.benchmarks.figures import Bar
from tests.benchmarks.process import ROOT, Cost, best_of, floor, kexplain, run

#: Dumps by what the bars are for. The last one takes minutes, as does all that decides every pod of the first.
LARGE, MIDDLE, HUGE = Size(5_000, 50_000), Size(1_000, 10_000), Size(20_000, 200_000)
LINT_NODES = 1_000
EXIT_DOES_NOT_FIT = EXIT_DIFFERENT = 1
#: Start-up is short, so that more runs cost little and tell more.
STARTUP_RUNS = 5

PACKING = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}, {name: memory, weight: 1}]}}
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, in that unit, and the bar on it."""

    name: str
    bar: Bar
    unit: str
    cost: Cost

    def text(self) -> str:
        """One line."""
        figures = f"{self.bar.actual:8.2f} of {self.bar.limit:g} {self.unit}{'' if self.bar.is_met else ', OVER'}"
        return f"  {self.name:<48} {figures:<46} {self.cost.seconds:7.2f} s {self.cost.megabytes:6.0f} MB"


class Runs:
    """Runs on dumps; what is measured beyond reading is beyond a run on one pod."""

    def __init__(self, directory: Path, runs: int) -> None:
        self.directory = directory
        self.runs = runs
        self._floors: dict[Size, tuple[Cost, Cost]] = {}

    def cost(self, *arguments: str, exit_code: int = 0, best: int | None = None) -> Cost:
        """The cost of one command."""
        return best_of(best or self.runs, [(kexplain(*arguments), exit_code)])[0]

    def floor(self, size: Size) -> tuple[Cost, Cost]:
        """What decoding a dump costs, and what one pod on it does."""
        if size not in self._floors:
            dump = cached(size, self.directory)
            run(floor(dump))
            one = kexplain(str(many_pods.pods(self.directory, 1)), "--cluster", str(dump))
            floor_cost, one_cost = best_of(self.runs, [(floor(dump), 0), (one, 0)])
            self._floors[size] = floor_cost, one_cost
        return self._floors[size]

    def each(self, name: str, size: Size, pods: int, limit: float, *arguments: str, exit_code: int = 0) -> Measured:
        """Milliseconds for each of so many pods, beyond reading the dump."""
        dump, (_, one) = cached(size, self.directory), self.floor(size)
        cost = self.cost(*arguments, "--cluster", str(dump), exit_code=exit_code)
        return Measured(f"{name}, {size}", Bar(limit, (cost.seconds - one.seconds) * 1000 / pods), "ms", cost)


def measured(directory: Path, runs: int, *, large: bool) -> Iterator[str]:
    """The lines: what takes a minute or so, or also what takes several."""
    yield "many pods, beyond reading where a bar is for each or in seconds"
    made = Runs(directory, runs)
    for figures in (_three_nodes(made), _one_pod(made, LARGE, 1.8, 1.3), _pods(made), _outputs(made), _clusters(made)):
        yield from (each.text() for each in figures)
    if large:
        yield from (each.text() for each in _of_minutes(made))


def _three_nodes(made: Runs) -> Iterator[Measured]:
    """A small case against what importing the three libraries takes that it cannot do without."""
    folder = ROOT / "fixtures" / "tie-between-nodes"
    small = kexplain(str(folder / "pod.yaml"), "--nodes", str(folder / "nodes.yaml"))
    imports = [sys.executable, "-c", "import typer, yaml, msgspec"]
    imported, cost = best_of(made.runs * STARTUP_RUNS, [(imports, 0), (small, 0)])
    yield Measured("three nodes", Bar(2, cost.seconds / imported.seconds), "times the imports", cost)


def _one_pod(made: Runs, size: Size, times: float, memory: float) -> Iterator[Measured]:
    floor_cost, one = made.floor(size)
    yield Measured(f"one pod, {size}", Bar(times, one.seconds / floor_cost.seconds), "times the floor", one)
    yield Measured(
        f"one pod, {size}, memory", Bar(memory, one.megabytes / floor_cost.megabytes), "times the floor", one
    )


def _pods(made: Runs) -> Iterator[Measured]:
    different = many_pods.pods(made.directory, 1_000)
    yield made.each("1,000 different pods", LARGE, 1_000, 15, str(different))
    nowhere = str(many_pods.pods(made.directory, 200, cpu="7900m"))
    yield made.each("200 pending that fit nowhere", LARGE, 200, 30, "--pods", nowhere, exit_code=EXIT_DOES_NOT_FIT)
    yield made.each("200 named that fit nowhere", LARGE, 200, 30, nowhere, exit_code=EXIT_DOES_NOT_FIT)
    too_large = str(many_pods.too_large(made.directory, 50))
    yield made.each("50 named, each larger than any node", LARGE, 50, 35, too_large, exit_code=EXIT_DOES_NOT_FIT)
    waiting = str(many_pods.pending_workloads(made.directory, 100, 5))
    overview = ("--cluster", waiting)
    yield made.each("500 pending of 100 workloads", LARGE, 500, 20, *overview, exit_code=EXIT_DOES_NOT_FIT)
    replicas = many_pods.deployment(made.directory)
    yield made.each("1,000 replicas", LARGE, 1_000, 3, str(replicas), "--replicas", "1000")


def _outputs(made: Runs) -> Iterator[Measured]:
    report = made.directory / "replicas-report.json"
    replicas = str(many_pods.deployment(made.directory))
    dump = str(cached(MIDDLE, made.directory))
    cost = made.cost(replicas, "--replicas", "200", "--cluster", dump, "-o", f"json={report}")
    yield Measured(f"JSON of 200 replicas, {MIDDLE}", Bar(10, report.stat().st_size / 1e6), "MB", cost)


def _clusters(made: Runs) -> Iterator[Measured]:
    nodes = manifest_tree.cached_cluster(LINT_NODES, made.directory)
    for with_devices in (False, True):
        dump = str(many_pods.pending(nodes, 1_000, made.directory, with_devices=with_devices))
        one = made.cost("pod/web-7d4b9c6f5-00000", "-n", "shop", "--cluster", dump, exit_code=EXIT_DOES_NOT_FIT)
        cost = made.cost("--cluster", dump, exit_code=EXIT_DOES_NOT_FIT)
        name = f"1,000 pending, 1000 nodes{', a DeviceClass' if with_devices else ''}"
        yield Measured(name, Bar(2, cost.seconds - one.seconds), "s", cost)
    replicas = manifest_tree.cached_replicas(10_000, 100, made.directory)
    cost = made.cost("lint", str(replicas), "--cluster", str(nodes), "--settings", "none")
    yield Measured("lint, 10,000 replicas on 1000 nodes", Bar(4, cost.seconds), "s", cost)
    yield from _all_running(made, MIDDLE, 30)


def _all_running(made: Runs, size: Size, limit: float) -> Iterator[Measured]:
    packing = made.directory / "packing.yaml"
    packing.write_text(PACKING)
    dump, (_, one) = cached(size, made.directory), made.floor(size)
    for option, value in (("--to-config", str(packing)), ("--to-kubernetes-version", "1.34")):
        arguments = ("diff", "--cluster", str(dump), "--all-running", option, value, "-q")
        cost = made.cost(*arguments, exit_code=EXIT_DIFFERENT, best=1)
        yield Measured(f"diff --all-running {option}, {size}", Bar(limit, cost.seconds - one.seconds), "s", cost)


def _capacity(made: Runs) -> Iterator[Measured]:
    dump, alone = cached(LARGE, made.directory), many_pods.alone_on_a_node(made.directory)
    cost = made.cost("capacity", str(alone), "--cluster", str(dump), best=1)
    yield Measured(f"capacity, one pod a node, {LARGE}", Bar(12, cost.seconds), "s", cost)


def _mixed(made: Runs) -> Iterator[Measured]:
    """Nodes of many shapes: most nodes object in words of their own, and no two pods ask for the same."""
    running = str(mixed_dump.cached(mixed_dump.MixedSize(130, 1_000, 0), made.directory))
    for number, limit in ((3, 4), (12, 16)):
        asked = str(mixed_dump.asked(made.directory, number))
        cost = made.cost("capacity", asked, "--cluster", running, "--workers", "1", best=1)
        yield Measured(f"capacity of {number} pods, 130 mixed nodes", Bar(limit, cost.seconds), "s", cost)
    pending = mixed_dump.MixedSize(300, 0, 2_000)
    cost = made.cost("--cluster", str(mixed_dump.cached(pending, made.directory)), exit_code=EXIT_DOES_NOT_FIT, best=1)
    each = cost.seconds * 1000 / pending.pending
    yield Measured("2,000 pending pods, 300 mixed nodes", Bar(10, each), "ms", cost)


def _of_minutes(made: Runs) -> Iterator[Measured]:
    yield from _capacity(made)
    yield from _mixed(made)
    replicas, dump = str(many_pods.deployment(made.directory)), str(cached(LARGE, made.directory))
    cost = made.cost(replicas, "--replicas", "10000", "--cluster", dump, "-o", "json", best=1)
    yield Measured(f"10,000 replicas -o json, {LARGE}", Bar(2_500, cost.megabytes), "MB", cost)
    yield from _all_running(made, LARGE, 360)
    yield from _one_pod(made, HUGE, 2.0, 1.3)
