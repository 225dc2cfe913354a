"""`kexplain diff`: the same pods under two schedulers, or in two clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from kexplain.api import Case, PodExplanation, explain, explain_running
from kexplain.cli.inputs import Inputs, print_notes
from kexplain.cli.output import parse_targets, write
from kexplain.cli.progress import Progress
from kexplain.cli.scheduler import told
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError
from kexplain.render.difference import FORMATS, render
from kexplain.render.view import View
from kexplain.report.difference import Explained, Side, difference

EXIT_SAME = 0
EXIT_DIFFERENT = 1


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the two sides."""

    inputs: Inputs
    scheduler: SchedulerSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for; `all_running` places every running pod anew, each taken out by itself."""

    before: Variant
    after: Variant
    all_running: bool
    start_index: int
    top: int
    outputs: list[str]
    color: str
    width: int | None
    verbose: bool
    quiet: bool


#: As for explaining: the process ends with what was built, instead of taking it apart.
_kept: list[object] = []


def run(request: Request) -> int:
    """0 if nothing changes, 1 if something does; reports on the way."""
    targets = parse_targets(request.outputs, FORMATS)
    if request.before == request.after:
        raise UsageError(
            "nothing to compare: both sides are the same",
            "say what changes: --to-config, --to-policy, --to-kubernetes-version, --to-feature-gates or --to-cluster",
        )
    progress = Progress(quiet=request.quiet)
    before, notes_before = _explained(request.before, request, progress)
    after, notes_after = _explained(request.after, request, progress)
    found = difference(before, after, top=request.top)
    progress.end()
    if not request.quiet:
        print_notes(dict.fromkeys((*notes_before, *notes_after, *found.notes)))
    view = View(top=request.top, verbose=request.verbose, width=request.width)
    for target in targets:
        write(partial(render, target.format, found), view, target, color=request.color)
    return EXIT_DIFFERENT if any(pod.changed for pod in found.pods) else EXIT_SAME


def _explained(variant: Variant, request: Request, progress: Progress) -> tuple[Explained, Sequence[str]]:
    """The side, and what there is to say about it."""
    case = variant.inputs.load(variant.scheduler, may_be_empty=request.all_running)
    report = explain(case, start_index=request.start_index)
    running = _watched(case, request, progress) if request.all_running else ()
    settings = [*told(variant.scheduler), *(f"--cluster {path}" for path in variant.inputs.cluster)]
    side = Side(kubernetes_version=report.kubernetes_version, settings=tuple(settings))
    _kept.append((case, report))
    return Explained(side, report.pods, running), report.notes


def _watched(case: Case, request: Request, progress: Progress) -> Iterator[PodExplanation]:
    """The running pods, each explained while it is compared."""
    total = sum(len(node_info.pods) for node_info in case.cluster.node_infos)
    for done, pod in enumerate(explain_running(case, start_index=request.start_index), start=1):
        progress.placed(done, total, "running pods")
        yield pod
