"""What is run: pods that put every part of the engine to work, and how each of them ends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tests.benchmarks import device_dump, storage_dump
from tests.benchmarks.dump import APP, ZONES, agent_pod, service_name

Json = dict[str, Any]

EXIT_FITS = 0
EXIT_DOES_NOT_FIT = 1
#: Names that bars refer to.
FITS = "fits"
TWO_REASONS = "fits nowhere, for two reasons"
PREEMPTION = "fits after evictions"
PREEMPTION_WITH_BUDGETS = "fits after evictions, a budget a service"
NO_PREEMPTION = "fits after evictions, --no-preemption"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A run on a dump: the pod's manifest or its name in the dump, further arguments, and the right exit code."""

    name: str
    pod: Json | str
    exit_code: int
    options: tuple[str, ...] = ()
    with_budgets: bool = False

    def arguments(self, dump: Path, budgets: Path | None = None) -> list[str]:
        """The words of the command line; a manifest is written beside the dump."""
        pod = self.pod if isinstance(self.pod, str) else str(_written(self.pod, dump.parent))
        around = ["--cluster", str(budgets)] if self.with_budgets and budgets else []
        return [pod, "--cluster", str(dump), *around, *self.options]


def _written(pod: Json, directory: Path) -> Path:
    manifest = directory / f"{pod['metadata']['name']}.json"
    manifest.write_bytes(msgspec.json.encode(pod))
    return manifest


def _pod(name: str, cpu: str, **spec: Any) -> Json:
    app = service_name(1)
    resources = {"requests": {"cpu": cpu, "memory": "512Mi"}}
    containers = [{"name": "main", "image": f"registry.example/{app}:v1", "resources": resources}]
    metadata = {"name": name, "namespace": "team-1", "labels": {APP: app}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers, **spec}}


def _selector() -> Json:
    return {"matchLabels": {APP: service_name(1)}}


def _away_from_its_like() -> Json:
    term = {"labelSelector": _selector(), "topologyKey": "kubernetes.io/hostname"}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def _in_zones(*zones: str) -> Json:
    zone = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": list(zones)}
    terms = [{"matchExpressions": [zone]}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def _spread(topology_key: str, max_skew: int, when_unsatisfiable: str) -> Json:
    return {
        "maxSkew": max_skew,
        "topologyKey": topology_key,
        "whenUnsatisfiable": when_unsatisfiable,
        "labelSelector": _selector(),
    }


def scenarios() -> list[Scenario]:
    """All runs on one dump of nodes and pods, in the order of the report."""
    spread = [
        _spread("topology.kubernetes.io/zone", 2, "DoNotSchedule"),
        _spread("kubernetes.io/hostname", 1, "ScheduleAnyway"),
    ]
    fits = _pod("fits", "250m", affinity=_away_from_its_like(), topologySpreadConstraints=spread)
    affinity = _in_zones(*ZONES[:2]) | _away_from_its_like()
    too_big = _pod("too-big", "7500m", affinity=affinity, topologySpreadConstraints=spread)
    important = _pod("important", "7500m", priority=1_000_000, tolerations=[{"operator": "Exists"}])
    namespace, running = agent_pod()
    return [
        Scenario(FITS, fits, EXIT_FITS),
        Scenario("fits, --all-failures", fits, EXIT_FITS, ("--all-failures",)),
        Scenario("runs already, named", f"pod/{running}", EXIT_FITS, ("-n", namespace)),
        Scenario("fits nowhere", too_big, EXIT_DOES_NOT_FIT),
        Scenario("fits nowhere, --all-failures", too_big, EXIT_DOES_NOT_FIT, ("--all-failures",)),
        Scenario("fits nowhere, -o json", too_big, EXIT_DOES_NOT_FIT, ("-o", "json")),
        Scenario(TWO_REASONS, _pod("two-reasons", "500", nodeSelector={"disk": "none"}), EXIT_DOES_NOT_FIT),
        Scenario(NO_PREEMPTION, important, EXIT_DOES_NOT_FIT, ("--no-preemption",)),
        Scenario(PREEMPTION, important, EXIT_DOES_NOT_FIT),
        Scenario(PREEMPTION_WITH_BUDGETS, important, EXIT_DOES_NOT_FIT, with_budgets=True),
    ]


def storage_scenarios() -> list[Scenario]:
    """All runs on the dump full of storage."""
    bound, unbound = _claimed(storage_dump.BOUND_CLAIM), _claimed(storage_dump.DELAYED_CLAIM)
    # No node is empty, so that none has that much left.
    too_big = _pod("bound-too-big", "7900m", volumes=bound)
    return [
        Scenario("bound claim, fits", _pod("bound", "250m", volumes=bound), EXIT_FITS),
        Scenario("bound claim, fits nowhere", too_big, EXIT_DOES_NOT_FIT),
        Scenario("claim to provision, fits", _pod("unbound", "250m", volumes=unbound), EXIT_FITS),
    ]


def _claimed(claim: str) -> list[Json]:
    return [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]


def device_scenarios() -> list[Scenario]:
    """All runs on the dump full of devices."""
    met, unmet = ([{"name": "gpu", "resourceClaimName": name}] for name in (device_dump.CLAIM, device_dump.UNMET_CLAIM))
    return [
        Scenario("device claim, fits", _pod("device", "250m", resourceClaims=met), EXIT_FITS),
        Scenario("device claim, fits nowhere", _pod("no-device", "250m", resourceClaims=unmet), EXIT_DOES_NOT_FIT),
    ]
