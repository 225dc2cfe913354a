"""The default command: load, schedule, render."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from kexplain.api import explain as explain_case
from kexplain.cli.inputs import Inputs, print_notes
from kexplain.cli.output import Target, parse_targets, write
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError
from kexplain.explain import Report
from kexplain.render import render
from kexplain.render.view import View
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import did_you_mean, some

EXIT_FITS = 0
EXIT_DOES_NOT_FIT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for."""

    inputs: Inputs
    scheduler: SchedulerSettings
    start_index: int
    node: str
    plugin: str
    all_failures: bool
    top: int
    outputs: list[str]
    color: str
    width: int | None
    verbose: bool
    quiet: bool


#: What runs have built, for the process to end with: taking a large cluster apart first would cost a third of a second.
_kept: list[object] = []


def run(request: Request) -> int:
    """0 if every pod fits, 1 if one does not; reports on the way."""
    targets = parse_targets(request.outputs)
    case = request.inputs.load(request.scheduler)
    _check_plugin(request.plugin, case.scheduler)
    names = case.cluster.node_info_by_name
    if request.node and request.node not in names:
        raise UsageError(f"there is no node {request.node} in the input", _nearest(request.node, list(names)))
    report = explain_case(
        case,
        start_index=request.start_index,
        node=request.node,
        score_details=(request.top or None) if request.verbose else 0,
    )
    if not request.quiet:
        print_notes(report.notes)
    _write(report, request, targets)
    _kept.append((case, report))
    return EXIT_FITS if all(pod.outcome == "Scheduled" for pod in report.pods) else EXIT_DOES_NOT_FIT


def _check_plugin(name: str, scheduler: Scheduler) -> None:
    if not name:
        return
    known = [plugin.name for profile in scheduler.profiles.values() for plugin in (*profile.filter, *profile.score)]
    if name not in known:
        raise UsageError(f"no plugin {name} filters or scores nodes", _nearest(name, known))


def _nearest(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or f"there are {some(list(dict.fromkeys(known)), 8)}"


def _write(report: Report, request: Request, targets: Sequence[Target]) -> None:
    view = View(
        top=request.top,
        node=request.node,
        plugin=request.plugin,
        all_failures=request.all_failures,
        verbose=request.verbose,
        width=request.width,
    )
    for target in targets:
        write(partial(render, target.format, report), view, target, color=request.color)
