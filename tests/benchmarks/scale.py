"""What more nodes cost: processor time and memory of the questions that people ask, by where the cluster comes from.

Ten pods run on each node, and some wait. The exponent says how time grows from one size to the next; 1 is in
proportion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log
from pathlib import Path

import msgspec

from tests.benchmarks import many_pods
from tests.benchmarks.dump import Size, edition, objects, written
from tests.benchmarks.process import Cost, best_of, kexplain, run, server
from tests.benchmarks.scenarios import EXIT_DOES_NOT_FIT, EXIT_FITS, FITS, TWO_REASONS, scenarios
from tests.benchmarks.what_if import filler

SIZES = tuple(Size(nodes, nodes * 10) for nodes in (500, 5_000))
LARGE_SIZES = tuple(Size(nodes, nodes * 10) for nodes in (50_000, 100_000))
#: A larger one is over: what is read grows in proportion, and nothing should grow faster.
MOST = 1.1
WORKLOADS, REPLICAS, ROLLED_OUT = 10, 2, 100
_Command = tuple[Sequence[str], int]


def measured(directory: Path, runs: int, *, large: bool) -> Iterator[str]:
    """A line for each source and question at each size, as soon as it is known."""
    before: dict[tuple[str, str], Cost] = {}
    last: Size | None = None
    for size in SIZES + (LARGE_SIZES if large else ()):
        yield f"scale, {size}, with {WORKLOADS * REPLICAS} pending pods"
        for source, costs in _by_source(size, directory, runs):
            for question, cost in costs.items():
                known = before.get((source, question))
                grown = exponent(known, cost, size.nodes / last.nodes) if known and last else None
                yield _line(f"{question}, from {source}", cost, grown)
                before[source, question] = cost
        last = size


def exponent(smaller: Cost, larger: Cost, times: float) -> float:
    """The power of the size that the processor time grows with."""
    return log(larger.cpu / smaller.cpu) / log(times)


def _line(name: str, cost: Cost, grown: float | None) -> str:
    judged = "" if grown is None else f"  exponent {grown:.2f} {'ok' if grown <= MOST else 'OVER'}"
    return f"  {name:<48} {cost.cpu:8.2f} s of CPU {cost.megabytes:8.0f} MB{judged}"


def _by_source(size: Size, directory: Path, runs: int) -> Iterator[tuple[str, Mapping[str, Cost]]]:
    dump = _cached(size, directory)
    snapshot, kubeconfig = dump.with_suffix(".snapshot"), dump.with_suffix(".kubeconfig")
    run(kexplain("snapshot", "--cluster", str(dump), "-o", str(snapshot)))
    yield "dump", _asked(["--cluster", str(dump)], directory, runs)
    yield "snapshot", _asked(["--cluster", str(snapshot)], directory, runs)
    with server(dump, kubeconfig):
        live = ["--kubeconfig", str(kubeconfig)]
        # The server puts its answers together when it is asked for the first time.
        run(kexplain(*live), EXIT_DOES_NOT_FIT)
        yield "live", _asked(live, directory, runs)


def _asked(source: Sequence[str], directory: Path, runs: int) -> Mapping[str, Cost]:
    commands = {name: (kexplain(*words, *source), code) for name, (words, code) in _questions(directory).items()}
    return dict(zip(commands, best_of(runs, [*commands.values()]), strict=True))


def _questions(directory: Path) -> Mapping[str, _Command]:
    by_name = {
        each.name: each.arguments(directory / "x")[0] for each in scenarios() if each.name in {FITS, TWO_REASONS}
    }
    rollout = str(many_pods.deployment(directory))
    return {
        "one pod": ([by_name[FITS]], EXIT_FITS),
        "one that fits nowhere": ([by_name[TWO_REASONS]], EXIT_DOES_NOT_FIT),
        "the overview": ([], EXIT_DOES_NOT_FIT),
        "a rollout": ([rollout, "--replicas", str(ROLLED_OUT)], EXIT_FITS),
        "capacity": (["capacity", str(filler(directory))], EXIT_FITS),
    }


def _cached(size: Size, directory: Path) -> Path:
    """A dump of that size in which some pods are pending."""
    waiting = many_pods.pending_workloads(directory, WORKLOADS, REPLICAS)
    name = f"scale-{size}-{edition(__file__, many_pods.__file__)}.json"
    return written(directory / name, chain(objects(size), msgspec.json.decode(waiting.read_bytes())["items"]))
