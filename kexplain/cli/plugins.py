"""`kexplain plugins`: the scheduler that the options describe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from kexplain.cli.output import parse_targets, write
from kexplain.config.releases.release import RELEASES, traits
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.render.listing import FORMATS, render
from kexplain.render.view import View
from kexplain.report.listing import listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for."""

    scheduler: SchedulerSettings
    outputs: list[str]
    color: str
    width: int | None
    verbose: bool


def run(request: Request) -> int:
    """Always 0: what cannot be built is raised."""
    targets = parse_targets(request.outputs, FORMATS)
    scheduler = build_scheduler(request.scheduler)
    is_known = scheduler.release in RELEASES
    found = listing(scheduler, traits(scheduler.release, request.scheduler.feature_gates) if is_known else ())
    view = View(width=request.width, verbose=request.verbose)
    for target in targets:
        write(partial(render, target.format, found), view, target, color=request.color)
    return 0
