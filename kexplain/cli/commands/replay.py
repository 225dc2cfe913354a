"""`kexplain replay`: pods that come and go, under one configuration or several."""

import random
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
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


class _Replaying(Struct, frozen=True):
    """A trace to be played: under each configuration, `seeds` times; whoever takes a share of the work has a copy."""

    names: tuple[str, ...]
    cases: tuple[Case, ...]
    stays: tuple[Stay, ...]
    measure: Measure
    seeds: int

    def at(self, places: range) -> Iterator[ReplayRun]:
        for place in places:
            number, seed = divmod(place, self.seeds)
            case = self.cases[number]
            played = Replay(case.scheduler, case.cluster.anew(), _in_order(self.stays, seed), self.measure)
            yield played.run(self.names[number], seed)


def run(request: Request) -> int:
    """0 if every pod ran under every configuration, else 1."""
    shown, flags = request.report, request.runs
    targets = shown.targets(request.reports)
    settings = flags.settings()
    first, *others = settings.values()
    case = load_inputs(request.pods, request.cluster, request.connection, first, own_pods=True, quiet=shown.quiet)
    cases = (case, *(under(case, each) for each in others))
    stays = tuple(_stay(each.pod, flags.faster) for each in case.pods)
    measure = Measure.for_pods((stay.pod for stay in stays), case.cluster)
    work = _Replaying(tuple(settings), cases, stays, measure, flags.seeds)
    progress, count = Progress(quiet=shown.quiet), len(cases) * flags.seeds
    alone = any(each.scheduler.connected_extenders for each in cases)
    found = done_by(work, ReplayRun, count, flags, least=1, alone=alone)
    report = _report(case, work, progress.over(found, count, "runs"))
    notes = dict.fromkeys((*(note for each in cases for note in each.scheduler.notes), *case.notes))
    report = replace(report, notes=tuple(notes))
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    return int(any(each.never_ran for each in report.runs))


def _report(case: Case, work: _Replaying, runs: Iterable[ReplayRun]) -> ReplayReport:
    arrivals = [stay.arrival for stay in work.stays]
    return ReplayReport(
        pods=len(work.stays),
        nodes=len(case.cluster.node_infos),
        first_arrival=min(arrivals),
        last_arrival=max(arrivals),
        measured=work.measure.of,
        shared_gpus=sum(bool((said := stay.pod.metadata.annotations) and said.gpu_milli) for stay in work.stays),
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
