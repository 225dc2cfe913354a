"""`kexplain replay`: pods that come and go, under one configuration or several."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from kexplain.api import Case
from kexplain.case import under
from kexplain.cli.inputs import load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.parallel import done_by
from kexplain.cli.progress import Progress
from kexplain.cli.requests.replay import Request
from kexplain.errors import UsageError
from kexplain.objects.core import Pod
from kexplain.report.replay import ReplayReport, ReplayRun
from kexplain.report.replaying import Measure, Replay, Stay


def _runs(
    cases: Mapping[str, Case], stays: Sequence[Stay], measure: Measure, seeds: int, places: range
) -> Iterator[ReplayRun]:
    """A trace played under each configuration, `seeds` times; whoever takes a share of the work has a copy."""
    for place in places:
        number, seed = divmod(place, seeds)
        name, case = [*cases.items()][number]
        yield Replay(case.scheduler, case.cluster.anew(), _in_order(stays, seed), measure).run(name, seed)


def run(request: Request) -> int:
    """0 if every pod ran under every configuration, else 1."""
    shown, flags = request.report, request.runs
    targets = shown.targets(request.reports)
    settings = flags.settings()
    first, *others = settings.values()
    case = load_inputs(request, request.pods, first, own_pods=True)
    cases = (case, *(under(case, each) for each in others))
    stays = tuple(_stay(each.pod, flags.faster) for each in case.pods)
    measure = Measure.for_pods((stay.pod for stay in stays), case.cluster)
    work = partial(_runs, dict(zip(settings, cases, strict=True)), stays, measure, flags.seeds)
    progress, count = Progress(quiet=shown.quiet), len(cases) * flags.seeds
    alone = any(each.scheduler.connected_extenders for each in cases)
    found = done_by(work, ReplayRun, count, flags, least=1, alone=alone)
    report = _report(case, stays, measure, progress.over(found, count, "runs"))
    notes = dict.fromkeys((*(note for each in cases for note in each.scheduler.notes), *case.notes))
    report = replace(report, notes=tuple(notes))
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    return int(any(each.never_ran for each in report.runs))


def _report(case: Case, stays: Sequence[Stay], measure: Measure, runs: Iterable[ReplayRun]) -> ReplayReport:
    arrivals = [stay.arrival for stay in stays]
    return ReplayReport(
        pods=len(stays),
        nodes=len(case.cluster.node_infos),
        first_arrival=min(arrivals),
        last_arrival=max(arrivals),
        measured=measure.of,
        shared_gpus=sum(bool((said := stay.pod.metadata.annotations) and said.gpu_milli) for stay in stays),
        runs=tuple(runs),
    )


def _stay(pod: Pod, faster: float) -> Stay:
    """When a pod comes, which is at once if nothing says so, and how long it runs. Raises UsageError on other texts."""
    said = pod.metadata.annotations
    texts = {"kexplain/arrival": said and said.arrival, "kexplain/duration": said and said.duration}
    seconds: dict[str, float | None] = {}
    for name, text in texts.items():
        try:
            seconds[name] = float(text) if text else None
        except ValueError:
            seconds[name] = -1.0
        if not 0 <= (seconds[name] or 0) < float("inf"):
            raise UsageError(f'pod {pod.key}: {name}: "{text}" is not a number of seconds', "for an hour: 3600")
    arrival, duration = seconds.values()
    return Stay(pod, (arrival or 0.0) / faster, duration)


def _in_order(stays: Sequence[Stay], seed: int) -> Sequence[Stay]:
    """The trace as it is for seed 0, otherwise with the same arrivals for its pods in another order."""
    if not seed:
        return stays
    others = list(stays)
    random.Random(seed).shuffle(others)  # noqa: S311 - no secret
    return [replace(other, arrival=stay.arrival) for stay, other in zip(stays, others, strict=True)]
