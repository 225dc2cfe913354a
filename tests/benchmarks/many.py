"""Many pods at once: what each costs beyond reading the cluster, beside what kube-scheduler takes for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tests.benchmarks import manifest_tree
from tests.benchmarks.dump import APP, Size, cached, service_name
from tests.benchmarks.process import Cost, best_of, floor, kexplain, run

Json = dict[str, Any]

LARGE, MIDDLE = Size(5_000, 50_000), Size(1_000, 10_000)
PODS, REPLICAS, REPLICAS_AS_JSON, LINTED = 1_000, 1_000, 10_000, 10_000
EXIT_FITS, EXIT_DOES_NOT_FIT = 0, 1


@dataclass(frozen=True, slots=True)
class Case:
    """A run on a dump, how many pods it decides, and the most milliseconds that each may take."""

    name: str
    size: Size
    arguments: list[str]
    pods: int
    milliseconds: float
    exit_code: int = EXIT_FITS
    megabytes: float | None = None


def measured(directory: Path, runs: int) -> str:
    """A table: milliseconds a pod beyond the run on one pod, memory, and both as multiples of the floor's."""
    lines = ["many pods, beyond the run on one"]
    floors: dict[Size, tuple[Cost, Cost]] = {}
    for case in _cases(directory):
        dump = cached(case.size, directory)
        if case.size not in floors:
            run(floor(dump))
            one = kexplain(str(_pods(directory, 1)), "--cluster", str(dump))
            floor_cost, one_cost = best_of(runs, [(floor(dump), 0), (one, EXIT_FITS)])
            floors[case.size] = floor_cost, one_cost
        [cost] = best_of(runs, [(kexplain(*case.arguments, "--cluster", str(dump)), case.exit_code)])
        lines.append(_line(case, cost, *floors[case.size]))
    [linted] = best_of(runs, [(_lint(directory), 0)])
    lines.append(f"  lint, {LINTED} replicas on 1000 nodes{'':<28} {linted.seconds:8.2f} s, max 4 s")
    return "\n".join(lines)


def _line(case: Case, cost: Cost, floor_cost: Cost, one: Cost) -> str:
    each = (cost.seconds - one.seconds) * 1000 / case.pods
    verdict = "ok" if each <= case.milliseconds else "OVER"
    memory = f"{cost.megabytes:.0f} MB {cost.megabytes / floor_cost.megabytes:.2f}×"
    if case.megabytes is not None:
        memory += f" max {case.megabytes:.0f} MB {'ok' if cost.megabytes <= case.megabytes else 'OVER'}"
    name = f"{case.name}, {case.size}"
    return (
        f"  {name:<58} {each:8.2f} ms a pod max {case.milliseconds:g} {verdict:<5}"
        f" {cost.seconds / floor_cost.seconds:7.1f}× the floor  {memory}"
    )


def _cases(directory: Path) -> list[Case]:
    different, nowhere = _pods(directory, PODS), _pods(directory, PODS, cpu="7900m")
    replicas = _deployment(directory)
    every = ["diff", "--all-running", "--to-kubernetes-version", "1.35"]
    return [
        Case(f"{PODS} different pods", LARGE, [str(different)], PODS, 15),
        Case(f"{PODS} that fit nowhere", LARGE, [str(nowhere)], PODS, 30, EXIT_DOES_NOT_FIT),
        Case(f"{REPLICAS} replicas", LARGE, [str(replicas), "--replicas", str(REPLICAS)], REPLICAS, 3),
        Case(
            f"{REPLICAS_AS_JSON} replicas -o name",
            LARGE,
            [str(replicas), "--replicas", str(REPLICAS_AS_JSON), "-o", "name"],
            REPLICAS_AS_JSON,
            3,
            megabytes=2_500,
        ),
        Case("diff --all-running", MIDDLE, every, MIDDLE.pods, 3),
    ]


def _lint(directory: Path) -> list[str]:
    nodes = manifest_tree.cached_cluster(1_000, directory)
    replicas = manifest_tree.cached_replicas(LINTED, 100, directory)
    return kexplain("lint", str(replicas), "--cluster", str(nodes), "--settings", "none")


# --------------------------------------------------------------------------------------------------------- pods


def _pods(directory: Path, number: int, cpu: str = "100m") -> Path:
    """A list of pods of as many services, each away from its like and spread over zones."""
    pods = [_pod(index, cpu) | {"apiVersion": "v1", "kind": "Pod"} for index in range(number)]
    return _written(directory / f"many-{number}-{cpu}.json", {"apiVersion": "v1", "kind": "List", "items": pods})


def _pod(index: int, cpu: str) -> Json:
    app = service_name(index % 800)
    selector = {"matchLabels": {APP: app}}
    away = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
    spread = {
        "maxSkew": 50,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": selector,
    }
    resources = {"requests": {"cpu": cpu, "memory": "128Mi"}}
    return {
        "metadata": {"name": f"new-{index}", "namespace": f"team-{index % 40}", "labels": {APP: app}},
        "spec": {
            "containers": [{"name": "main", "image": f"registry.example/{app}:v1", "resources": resources}],
            "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [away]}},
            "topologySpreadConstraints": [spread],
        },
    }


def _deployment(directory: Path) -> Path:
    """Replicas spread over zones that may share nodes."""
    template = _pod(7, "10m")
    del template["spec"]["affinity"], template["metadata"]["name"]
    metadata = {"name": "replicated", "namespace": template["metadata"]["namespace"]}
    spec = {"replicas": 1, "selector": {"matchLabels": template["metadata"]["labels"]}, "template": template}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    return _written(directory / "many-replicas.json", deployment)


def _written(path: Path, manifest: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(manifest))
    return path
