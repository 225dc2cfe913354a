"""`kexplain plugins`: the scheduler that the options describe."""

from msgspec.structs import replace

from kexplain.cli.inputs import print_notes
from kexplain.cli.output import write
from kexplain.cli.requests.plugins import Request
from kexplain.config.releases.release import RELEASES, differing, known_release, traits
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import UsageError
from kexplain.messages.subjects import LOOKS_AT
from kexplain.render import Kind
from kexplain.report.listing import listing
from kexplain.report.plugin_page import plugin_page
from kexplain.words import did_you_mean


def run(request: Request) -> int:
    """Always 0: what cannot be built is raised, and so is a name that is no plugin's."""
    name = request.plugin
    targets = request.report.targets(Kind.PLUGIN if name else request.reports)
    if name and name not in LOOKS_AT:
        raise UsageError(f"there is no plugin {name}", did_you_mean(name, LOOKS_AT) or "kexplain plugins lists them")
    settings = request.scheduler.settings()
    older, _, newer = settings.kubernetes_version.partition(",")
    settings = replace(settings, kubernetes_version=newer or older)
    scheduler = build_scheduler(settings)
    print_notes(scheduler.notes, quiet=False)
    if name:
        write(plugin_page(name, scheduler), request.report, targets)
        return 0
    gates = settings.feature_gates
    if newer:
        older = known_release(older)
        found = listing(scheduler, differing(older, scheduler.release, gates, gates), older)
    else:
        found = listing(scheduler, traits(scheduler.release, gates) if scheduler.release in RELEASES else ())
    view = request.report.view()
    view = replace(view, verbose=view.verbose or bool(settings.kubernetes_version))
    write(found, request.report, targets, view)
    return 0
