"""`kexplain plugins`: the scheduler that the options describe."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.cli.output import write
from kexplain.cli.requests.plugins import Request
from kexplain.config.releases.release import RELEASES, traits
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.report.listing import listing


def run(request: Request) -> int:
    """Always 0: what cannot be built is raised."""
    targets = request.report.targets(request.reports)
    settings = request.scheduler.settings()
    scheduler = build_scheduler(settings)
    is_known = scheduler.release in RELEASES
    found = listing(scheduler, traits(scheduler.release, settings.feature_gates) if is_known else ())
    view = request.report.view()
    view = replace(view, verbose=view.verbose or bool(settings.kubernetes_version))
    write(found, view, targets, color=request.report.color)
    return 0
