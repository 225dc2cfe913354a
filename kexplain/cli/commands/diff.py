"""`kexplain diff`: the same pods under two schedulers, or in two clusters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from kexplain.api import Case, decided, notes_on, place_running, schedule
from kexplain.case import places_by_workload, running_pods, under
from kexplain.case.references import parted
from kexplain.cli import EXIT_INTERRUPTED
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.scheduler import parse_feature_gates
from kexplain.cli.inputs import at_time, load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.parallel import done_by
from kexplain.cli.progress import Progress
from kexplain.cli.requests.diff import ChangeFlags, FailOn, Request
from kexplain.cli.spelling import as_argument
from kexplain.cluster.departing import departed
from kexplain.config.releases.release import RELEASES, differing, gates_in_the_way
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError
from kexplain.framework.trace import Outcome
from kexplain.parameters import are_spelled, parameter, parameters_renamed
from kexplain.report.bearings import Bearings
from kexplain.report.cluster_changes import ClusterChanges
from kexplain.report.cluster_figures import ComparedFigures, compared_figures, placed_anew, placed_by
from kexplain.report.decision_difference import (
    Compared,
    ComparedPod,
    alike_once,
    compare_running,
    difference,
    placed_differences,
)
from kexplain.report.difference import NODE, VERDICT, DifferenceReport, PodDifference, Side
from kexplain.report.release_changes import release_changes
from kexplain.report.scheduler_changes import gate_changes
from kexplain.words import joined, plural

#: What can be compared, and what else where not an agent asks.
_CHANGES = ("to_config", "to_kubernetes_version", "to_feature_gates")
_MORE_CHANGES = ("to_policy", "to_cluster", "to_time")
#: In place of a file: no configuration at all.
NO_CONFIG = "default"
#: With fewer, another process costs more than it saves.
PODS_A_WORKER = 50
#: Of more pods it is not sought which change decides.
BISECTED = 20
_MISSING = ("nothing to compare", "kexplain diff pod.yaml --cluster dump.json --to-kubernetes-version 1.36")

#: Whether the difference of a pod is as much as fails.
_FAILS: Mapping[FailOn, Callable[[PodDifference], bool]] = {
    FailOn.ANY: lambda pod: bool(pod.changed),
    FailOn.NODE: lambda pod: VERDICT in pod.changed or NODE in pod.changed,
    FailOn.VERDICT: lambda pod: VERDICT in pod.changed,
    FailOn.WORSE: lambda pod: pod.before.outcome == Outcome.SCHEDULED != pod.after.outcome,
}


class Variant(Struct, frozen=True):
    """One of the two sides."""

    cluster: ClusterFlags
    scheduler: SchedulerSettings
    #: When it was read.
    notes: tuple[str, ...] = ()


def run(request: Request) -> int:
    """0 if nothing changes that --fail-on counts, 1 if something does, 130 if not all is known; reports on the way."""
    shown = request.report
    targets = shown.targets(request.reports)
    sides = _sides(request)
    progress = Progress(quiet=shown.quiet)
    cases = _cases(sides, request)
    before, after = map(partial(_decided, request), sides, cases)
    bearings = Bearings(*(case.scheduler for case in cases))
    found, known = difference(before, after, top=shown.top, bearings=bearings), Known()
    found = replace(found, notes=(*(note for side in sides for note in side.notes), *found.notes))
    if request.change.to_time:
        found = _with_changes(found, cases, progress)
    if request.change.all_running:
        known = _of_running(sides, cases, request, bearings, progress)
        found = replace(found, pods=(*found.pods, *known.pods), notes=(*found.notes, *known.notes))
    found = _between(replace(found, scheduler_changes=bearings.told()), sides, cases[1])
    if request.change.figures:
        found = replace(found, figures=_figures(cases, request))
    progress.end()
    notes = dict.fromkeys((*_left_out(request), *_notes_on(cases), *found.notes))
    if not (found.pods or request.change.all_running):
        notes["--all-running compares where the running pods would land, too"] = None
    found = replace(found, notes=tuple(notes))
    print_notes(notes, quiet=shown.quiet)
    is_data = {target.format for target in targets} <= {"json", "yaml"}
    write(alike_once(found) if shown.group_nodes and is_data else found, shown, targets)
    return EXIT_INTERRUPTED if known.is_interrupted else int(any(map(_FAILS[request.change.fail_on], found.pods)))


def _sides(request: Request) -> tuple[Variant, Variant]:
    change, flags = request.change, request.scheduler
    settings = flags.settings()
    # It is for the sides that have a Policy.
    max_pd_volumes = settings.max_pd_volumes
    if change.to_policy and not settings.policy:
        settings = replace(settings, max_pd_volumes=None)
    here, notes = at_time(replace(request.cluster, at=change.from_time or request.cluster.at))
    there, then = at_time(replace(request.cluster, at=change.to_time)) if change.to_time else (here, notes)
    if change.to_cluster:
        there = ClusterFlags(cluster=change.to_cluster, recursive=request.cluster.recursive)
    changed = after_change(settings, change, max_pd_volumes)
    if (here, settings) == (there, changed):
        more = () if are_spelled(as_argument) else _MORE_CHANGES
        named = joined([*map(parameter, (*_CHANGES, *more))], "or")
        hint = f"say what changes: {named}; for changed manifests use what-if"
        raise UsageError("nothing to compare: both sides are the same", hint)
    return Variant(here, settings, notes), Variant(there, changed, then)


def after_change(settings: SchedulerSettings, change: ChangeFlags, max_pd_volumes: int | None) -> SchedulerSettings:
    """The settings with what is given in place of what was; a configuration displaces a Policy, and the reverse.

    A Policy displaces a release too, for it has its own, and a release the gates that it does not have. Raises
    UsageError on changes that exclude each other.
    """
    config, policy, version = change.to_config, change.to_policy, change.to_kubernetes_version
    gates = parse_feature_gates(change.to_feature_gates, "to_feature_gates")
    if config:
        settings = replace(settings, config="" if config == NO_CONFIG else config, policy="", max_pd_volumes=None)
    elif policy:
        settings = replace(
            settings, config="", policy=policy, max_pd_volumes=max_pd_volumes, kubernetes_version="", feature_gates={}
        )
    lost = gates_in_the_way(settings.feature_gates, version) if version else {}
    kept = {name: value for name, value in settings.feature_gates.items() if name not in lost}
    return replace(settings, kubernetes_version=version or settings.kubernetes_version, feature_gates={**kept, **gates})


def _left_out(request: Request) -> Iterator[str]:
    """The gates that are set now, and with which kube-scheduler would not start after the change."""
    version = request.change.to_kubernetes_version
    for reason in gates_in_the_way(request.scheduler.settings().feature_gates, version).values() if version else ():
        yield f"{reason}; kube-scheduler would not start with it, and it is left out after the change"


def _notes_on(cases: tuple[Case, Case]) -> Iterator[str]:
    """The notes on both sides; one that holds for one of them says for which."""
    before, after = (notes_on(case) for case in cases)
    for note in dict.fromkeys((*before, *after)):
        yield note if note in before and note in after else f"{'before' if note in before else 'after'}: {note}"


def _cases(sides: tuple[Variant, Variant], request: Request) -> tuple[Case, Case]:
    """Both sides; where only the scheduler changes, the cluster is read once."""
    before, after = sides
    if request.change.to_time and not parted(request.pods.references)[0]:
        # Who waits then may not have been there before.
        then = _loaded(after, request)
        case = _loaded(before, replace(request, pods=PodFlags(), change=replace(request.change, all_running=True)))
        named = (case.cluster.placed_pods.named(each.pod.namespace, each.pod.name) for each in then.pods)
        there = [*filter(None, named)]
        cluster = departed(case.cluster, [each.pod for each in there])
        return replace(case, cluster=cluster, pods=then.pods, workloads=()), then
    case = _loaded(before, request)
    given = (name for name in _CHANGES if getattr(request.change, name))
    with parameters_renamed({name.removeprefix("to_"): name for name in given}):
        return case, under(case, after.scheduler) if after.cluster == before.cluster else _loaded(after, request)


def _with_changes(found: DifferenceReport, cases: tuple[Case, Case], progress: Progress) -> DifferenceReport:
    """What has changed between the two, and for the first pods with another verdict which of it decides."""
    changes, pods = ClusterChanges(*cases), {each.pod.key: each for each in found.pods}
    asked = {each.pod.key: each.pod for each in cases[1].pods}
    others = [key for key, each in pods.items() if VERDICT in each.changed]
    for done, key in enumerate(others[:BISECTED], start=1):
        pods[key] = replace(pods[key], because=changes.deciding(asked[key]))
        progress.placed(done, len(others), "pods with another verdict")
    left = len(others) - BISECTED
    notes = (f"of {plural(left, 'more pod')} it is not sought which change decides",) if left > 0 else ()
    return replace(found, pods=tuple(pods.values()), since=changes.count_by_kind, notes=(*found.notes, *notes))


def _loaded(variant: Variant, request: Request) -> Case:
    asked, may_be_empty = replace(request, cluster=variant.cluster), request.change.all_running
    return load_inputs(asked, asked.pods, variant.scheduler, _MISSING, own_pods=True, may_be_empty=may_be_empty)


def _decided(request: Request, variant: Variant, case: Case) -> Compared:
    """The side with the pods of its queue."""
    settings = [*_described(variant.scheduler), *(f"--cluster {path}" for path in variant.cluster.files)]
    side = Side(kubernetes_version=case.scheduler.release, settings=tuple(settings))
    return Compared(side, decided(case, start_index=request.scheduler.start_index))


def _figures(cases: tuple[Case, Case], request: Request) -> ComparedFigures:
    """Those of both clusters with the pods of the queue placed, or with all pods placed anew."""
    start_index, is_anew = request.scheduler.start_index, request.change.all_running
    decided = partial(schedule, start_index=start_index)
    sides = [placed_anew(case, start_index) if is_anew else placed_by(decided(case), case.cluster) for case in cases]
    (before, left), (after, then_left) = sides
    return compared_figures(before, after, (left, then_left), anew=is_anew)


def _between(found: DifferenceReport, sides: tuple[Variant, Variant], case: Case) -> DifferenceReport:
    """With what an upgrade changes for the objects of the cluster, or the gates that differ where the release stays."""
    old, new = found.before.kubernetes_version, found.after.kubernetes_version
    gates = [side.scheduler.feature_gates for side in sides]
    if not {old, new}.issubset(RELEASES):
        return found
    if old == new:
        return replace(found, scheduler_changes=(*found.scheduler_changes, *gate_changes(old, *gates)))
    return replace(found, releases=release_changes(case, differing(old, new, *gates)))


def _described(settings: SchedulerSettings) -> Iterator[str]:
    """The options that give these settings, beside the release."""
    gates = ",".join(f"{name}={str(value).lower()}" for name, value in settings.feature_gates.items())
    named = {"config": settings.config, "policy": settings.policy, "max-pd-volumes": settings.max_pd_volumes}
    values = {**named, "feature-gates": gates}
    return (f"--{name} {value}" for name, value in values.items() if value not in ("", None))


class Known(Struct, frozen=True):
    """What is known of the pods that run, which is not all where somebody has interrupted the run."""

    pods: Sequence[PodDifference] = ()
    notes: Sequence[str] = ()
    is_interrupted: bool = False


def _of_running(
    sides: tuple[Variant, Variant], cases: tuple[Case, Case], request: Request, bearings: Bearings, progress: Progress
) -> Known:
    """The running pods compared. Raises KeyboardInterrupt where nothing is known yet."""
    alone: list[str] = []
    pods: Iterator[tuple[int, ComparedPod]]
    if sides[0].cluster == sides[1].cluster:
        pods = _compared(cases, request, bearings)
    else:
        before, after = (place_running(case, start_index=request.scheduler.start_index) for case in cases)
        pods = enumerate(placed_differences(before, after, alone, bearings, request.report.top))
    total, by_place = max(len(running_pods(case)) for case in cases), dict[int, PodDifference]()
    is_interrupted = False
    try:
        for place, pod in pods:
            by_place[place] = pod.difference
            bearings.note(pod.bearings)
            progress.placed(len(by_place), total, "running pods")
    except KeyboardInterrupt:
        if not by_place:
            raise
        is_interrupted = True
        alone = [f"interrupted when {len(by_place)} of {total} running pods had been compared"]
    return Known([by_place[place] for place in sorted(by_place)], alone, is_interrupted)


def _in_turn(
    compare: Callable[..., Iterator[ComparedPod]], order: Sequence[int], turns: range
) -> Iterator[ComparedPod]:
    """What differs for the pods whose turns these are, in the order in which they are best taken."""
    return compare(places=order[turns.start : turns.stop : turns.step])


def _compared(cases: tuple[Case, Case], request: Request, bearings: Bearings) -> Iterator[tuple[int, ComparedPod]]:
    """The running pods of one cluster with their places, compared by as many processes as pay."""
    before, after = (replace(case, pods=(), notes=()) for case in cases)
    order = places_by_workload(before)
    start_index, top = request.scheduler.start_index, request.report.top
    work = partial(_in_turn, partial(compare_running, before, after, bearings, start_index=start_index, top=top), order)
    alone = any(case.scheduler.connected_extenders for case in cases)
    pods = done_by(work, ComparedPod, len(order), request.change, least=PODS_A_WORKER, alone=alone)
    return zip(order, pods, strict=True)
