"""`kexplain capacity`: how many more pods fit, where, and what stops the next one."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.case import Case, PodToPlace
from kexplain.cli import EXIT_INTERRUPTED
from kexplain.cli.inputs import load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.parallel import done_by
from kexplain.cli.progress import Progress
from kexplain.cli.requests.capacity import FillingFlags, Request
from kexplain.cli.spelling import as_argument
from kexplain.cluster.siblings import has_no_node
from kexplain.errors import UsageError
from kexplain.explanation.missing_objects import rests_on
from kexplain.objects.core import Pod
from kexplain.parameters import are_spelled
from kexplain.render.pages.capacity import is_enough
from kexplain.report.capacity import (
    MOST,
    CapacityReport,
    Filling,
    PodCapacity,
    RunningWorkload,
    headroom,
    largest,
    running_workloads,
)
from kexplain.report.cluster_figures import cluster_figures
from kexplain.report.free_room import rooms
from kexplain.words import plural
from kexplain.world.replicas import claims_of_replicas

#: Of every workload no more than these are counted, unless told otherwise: the tightest are what matters.
HEADROOM_LIMIT = 100
#: Agents wait for no longer than it takes to count these.
MOST_FOR_AGENTS = 1_000
#: Of a proportion.
_DIGITS = 5
#: Workloads times nodes: at 5,000 nodes, 500 workloads are counted.
MOST_ATTEMPTS = 2_500_000
#: With fewer, another process costs more than it saves.
PODS_A_WORKER = 4
_MISSING = ("nowhere to place pods", "kexplain capacity pod.yaml --cluster dump.json")


def run(request: Request) -> int:
    """0 if one more of each pod fits, or as many as the limit says; 1 if not."""
    shown = request.report
    targets = shown.targets(request.reports)
    is_about_workloads = not request.pods.references
    # One stands for all that fit.
    pods, settings = replace(request.pods, replicas=1), request.scheduler.settings()
    case = load_inputs(request, pods, settings, _MISSING, may_be_empty=is_about_workloads)
    progress = Progress(quiet=shown.quiet)
    count = _headroom if is_about_workloads else _capacity
    report, is_whole = count(case, request, progress)
    if request.filling.figures:
        pending = report.pending if is_about_workloads else 0
        report = replace(report, figures=cluster_figures(case.cluster, pending))
    progress.end()
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    return int(not all(map(is_enough, report.pods))) if is_whole else EXIT_INTERRUPTED


def _filling(case: Case, request: Request, limit: int | None) -> Filling:
    running = [placed.running for placed in case.pods if placed.running is not None]
    cluster = case.cluster
    for pod in running:
        # Named to be counted, not to be moved.
        if pod.spec.node_name in cluster.node_info_by_name:
            cluster = cluster.assume(pod, pod.spec.node_name or "")
    return Filling(
        case.scheduler if request.filling.preempt else case.scheduler.without_post_filter(),
        cluster,
        limit,
        request.scheduler.start_index,
        claims=claims_of_replicas(case.pods, cluster),
        makers=tuple(placed.made_of for placed in case.pods),
        builder=case.builder,
        most=MOST_FOR_AGENTS if are_spelled(as_argument) else MOST,
    )


def _capacity(case: Case, request: Request, progress: Progress) -> tuple[CapacityReport, bool]:
    """How many more fit of the pods that are asked about."""
    asked = request.filling
    filling = _filling(case, request, asked.limit)
    pods = [placed.pod for placed in case.pods]
    if len(pods) == 1 or asked.until_pending:
        filling = replace(filling, listener=progress.placed)
    proportions = _proportions(asked, case.pods) if asked.until_pending else ()
    found: list[PodCapacity] = []
    if proportions:
        found = filling.mix(pods, proportions)
    else:
        for done, capacity in enumerate(_each(filling, pods, asked), start=1):
            found.append(capacity)
            progress.placed(done, len(pods), "pods")
    notes = dict.fromkeys((*case.notes, *(note for placed in case.pods for note in placed.notes)))
    report = CapacityReport(
        kubernetes_version=case.scheduler.release,
        pods=tuple(found),
        mix=tuple(proportions),
        pending=sum(map(has_no_node, case.cluster.listers.every(Pod))),
        preempts=asked.preempt,
        rests_on=rests_on(pods, case.cluster),
        notes=(*case.scheduler.notes, *notes),
    )
    return report, True


def _workloads(case: Case, request: Request) -> tuple[Sequence[RunningWorkload], int]:
    """The workloads to count, and how many run. Raises UsageError if none has the pods that are asked for."""
    selection = request.pods.selection()
    workloads = running_workloads(case.cluster, selection)
    if not workloads and selection.is_by_selector:
        raise UsageError("no workload that runs has such pods", "kubectl get pods --show-labels lists what they have")
    most = max(MOST_ATTEMPTS // max(len(case.cluster.node_infos), 1), 1)
    return largest(workloads, case.cluster, most), len(workloads)


def _count(
    case: Case, request: Request, workloads: Sequence[RunningWorkload], counted: list[PodCapacity], progress: Progress
) -> bool:
    """Add the capacity of each workload; false if somebody interrupts that, who gets what is there."""
    placed = [PodToPlace(workload.pod, made_of=workload.stateful_set) for workload in workloads]
    limit = request.filling.limit or HEADROOM_LIMIT
    own = Case(case.cluster, tuple(placed), scheduler=case.scheduler, builder=case.builder)
    capacities = _each(_filling(own, request, limit), [workload.pod for workload in workloads], request.filling)
    try:
        for capacity in headroom(workloads, capacities):
            counted.append(capacity)
            progress.placed(len(counted), len(workloads), "workloads")
    except KeyboardInterrupt:
        if not counted:
            raise
        return False
    return True


def _headroom(case: Case, request: Request, progress: Progress) -> tuple[CapacityReport, bool]:
    """What the workloads that run can grow by, the tightest first, and whether all were counted."""
    workloads, every = _workloads(case, request)
    counted = list[PodCapacity]()
    is_whole = _count(case, request, workloads, counted, progress)
    notes = []
    if len(workloads) < every:
        notes.append(f"{len(workloads)} of {every} workloads, those whose pods request most; -n and -l name others")
    if not is_whole:
        notes.append(f"interrupted: {len(counted)} of {len(workloads)} workloads were counted")
    report = CapacityReport(
        kubernetes_version=case.scheduler.release,
        pods=tuple(sorted(counted, key=lambda capacity: capacity.fits)),
        room=rooms(case.cluster),
        pending=sum(placed.running is None for placed in case.pods),
        preempts=request.filling.preempt,
        rests_on=rests_on((workload.pod for workload in workloads), case.cluster),
        notes=(*case.scheduler.notes, *case.notes, *notes),
    )
    return report, is_whole


def _each(filling: Filling, pods: Sequence[Pod], asked: FillingFlags) -> Iterator[PodCapacity]:
    """The capacity for each pod by itself, on all cores or machines where that is worth it."""
    alone = bool(filling.scheduler.connected_extenders)
    return done_by(partial(filling.each, pods), PodCapacity, len(pods), asked, least=PODS_A_WORKER, alone=alone)


def _proportions(asked: FillingFlags, pods: Sequence[PodToPlace]) -> list[int]:
    """How many of each pod at a time: as given, else as their workloads declare."""
    if not asked.proportions:
        return [max((placed.made_of and declared_replicas(placed.made_of)) or 1, 1) for placed in pods]
    words = [each.strip() for each in asked.proportions.split(",")]
    numbers = [int(each) if each.isdecimal() and len(each) <= _DIGITS else 0 for each in words]
    if len(numbers) != len(pods) or not all(numbers):
        wanted = f"a number for each of {plural(len(pods), 'pod')}, of at most {_DIGITS} digits"
        said = f'--proportions "{asked.proportions}" does not give {wanted}'
        raise UsageError(said, "for two pods: --proportions 3,1")
    return numbers
