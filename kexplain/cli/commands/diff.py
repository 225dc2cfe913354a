"""`kexplain diff`: the same pods under two schedulers, or in two clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kexplain.api import Case, RunningPod, explain, place_running
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.scheduler import parse_feature_gates
from kexplain.cli.inputs import kept, load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.progress import Progress
from kexplain.cli.requests.diff import ChangeFlags, Request
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError
from kexplain.report.difference import Explained, Side, difference

EXIT_SAME = 0
EXIT_DIFFERENT = 1
#: In place of a file: no configuration at all.
NO_CONFIG = "default"


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the two sides."""

    cluster: ClusterFlags
    scheduler: SchedulerSettings


def run(request: Request) -> int:
    """0 if nothing changes, 1 if something does; reports on the way."""
    shown = request.report
    targets = shown.targets(request.reports)
    sides = _sides(request)
    if sides[0] == sides[1]:
        raise UsageError(
            "nothing to compare: both sides are the same",
            "say what changes: --to-config, --to-policy, --to-kubernetes-version, --to-feature-gates or --to-cluster",
        )
    progress = Progress(quiet=shown.quiet)
    before, notes_before = _explained(sides[0], request, progress)
    after, notes_after = _explained(sides[1], request, progress)
    is_same_cluster = sides[0].cluster == sides[1].cluster
    found = difference(before, after, top=shown.top, is_same_cluster=is_same_cluster)
    progress.end()
    if not shown.quiet:
        print_notes(dict.fromkeys((*notes_before, *notes_after, *found.notes)))
    write(found, shown.view(), targets, color=shown.color)
    return EXIT_DIFFERENT if any(pod.changed for pod in found.pods) else EXIT_SAME


def _sides(request: Request) -> tuple[Variant, Variant]:
    change, flags = request.change, request.scheduler
    settings = flags.settings()
    # It is for the sides that have a Policy.
    max_pd_volumes = settings.max_pd_volumes
    if change.to_policy and not settings.policy:
        settings = replace(settings, max_pd_volumes=None)
    before = Variant(request.cluster, settings)
    cluster = ClusterFlags(cluster=change.to_cluster, recursive=request.cluster.recursive)
    changed = after_change(settings, change, max_pd_volumes)
    return before, Variant(cluster if change.to_cluster else request.cluster, changed)


def after_change(settings: SchedulerSettings, change: ChangeFlags, max_pd_volumes: int | None) -> SchedulerSettings:
    """The settings with what is given in place of what was; a configuration displaces a Policy, and the reverse.

    A Policy displaces a release too, for it has its own. Raises UsageError on changes that exclude each other.
    """
    config, policy, version = change.to_config, change.to_policy, change.to_kubernetes_version
    gates = parse_feature_gates(change.to_feature_gates)
    if config and policy:
        raise UsageError("--to-config and --to-policy exclude each other")
    if settings.policy and not (config or policy) and (version or gates):
        raise UsageError(
            "--to-kubernetes-version and --to-feature-gates do not work with a Policy",
            "--to-config default removes the Policy",
        )
    if config:
        settings = replace(settings, config="" if config == NO_CONFIG else config, policy="", max_pd_volumes=None)
    elif policy:
        settings = replace(
            settings, config="", policy=policy, max_pd_volumes=max_pd_volumes, kubernetes_version="", feature_gates={}
        )
    return replace(
        settings,
        kubernetes_version=version or settings.kubernetes_version,
        feature_gates={**settings.feature_gates, **gates},
    )


def _explained(variant: Variant, request: Request, progress: Progress) -> tuple[Explained, Sequence[str]]:
    """The side, and the notes about it."""
    start_index, all_running = request.scheduler.start_index, request.change.all_running
    case = load_inputs(request.pods, variant.cluster, request.connection, variant.scheduler, may_be_empty=all_running)
    report = explain(case, start_index=start_index)
    running = _watched(case, start_index, progress) if all_running else ()
    settings = [*_described(variant.scheduler), *(f"--cluster {path}" for path in variant.cluster.files)]
    side = Side(kubernetes_version=report.kubernetes_version, settings=tuple(settings))
    kept.append((case, report))
    return Explained(side, report.pods, running), report.notes


def _described(settings: SchedulerSettings) -> Iterator[str]:
    """The options that give these settings, beside the release."""
    if settings.config:
        yield f"--config {settings.config}"
    if settings.policy:
        yield f"--policy {settings.policy}"
    if settings.max_pd_volumes is not None:
        yield f"--max-pd-volumes {settings.max_pd_volumes}"
    if settings.feature_gates:
        gates = (f"{name}={'true' if value else 'false'}" for name, value in settings.feature_gates.items())
        yield f"--feature-gates {','.join(gates)}"


def _watched(case: Case, start_index: int, progress: Progress) -> Iterator[RunningPod]:
    """The running pods, each placed while it is compared."""
    total = sum(len(node_info.pods) for node_info in case.cluster.node_infos)
    for done, pod in enumerate(place_running(case, start_index=start_index), start=1):
        progress.placed(done, total, "running pods")
        yield pod
