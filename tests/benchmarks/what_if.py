"""Capacity until a large cluster is full, and a drain of some of its nodes, beyond reading it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.benchmarks.dump import Size, cached, host_name
from tests.benchmarks.process import best_of, kexplain

LARGE = Size(5_000, 50_000)
DRAINED = 20
EXIT_FITS = 0


class Case(NamedTuple):
    """A run on the dump, and the most seconds that it may take beyond reading it."""

    name: str
    arguments: Sequence[str]
    seconds: float


def measured(directory: Path, runs: int) -> str:
    """A line a case: seconds beyond the run that places one replica."""
    dump, pod = cached(LARGE, directory), str(filler(directory))
    cases = (
        Case("capacity of one pod until nothing fits", ["capacity", pod], 30),
        Case(
            f"drain of {DRAINED} nodes",
            ["drain", *map(host_name, range(DRAINED)), "--force", "--delete-emptydir-data"],
            20,
        ),
    )
    commands = [["capacity", pod, "--limit", "1"], *(case.arguments for case in cases)]
    loading, *costs = best_of(runs, [(kexplain(*each, "--cluster", str(dump)), EXIT_FITS) for each in commands])
    lines = [f"what if, {LARGE}, beyond the {loading.seconds:.1f} s of placing one pod"]
    for case, cost in zip(cases, costs, strict=True):
        taken = cost.seconds - loading.seconds
        verdict = "ok" if taken <= case.seconds else "OVER"
        lines.append(f"  {case.name:<58} {taken:8.2f} s max {case.seconds:g} s {verdict}  {cost.megabytes:.0f} MB")
    return "\n".join(lines)


def filler(directory: Path) -> Path:
    """A pod that a cluster is filled with."""
    resources = {"requests": {"cpu": "3", "memory": "6Gi"}}
    containers = [{"name": "main", "image": "registry.example/filler:v1", "resources": resources}]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "filler"}, "spec": {"containers": containers}}
    path = directory / "filler.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(pod))
    return path
