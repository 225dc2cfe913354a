"""What can be reported where the user may not read the whole cluster."""

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.case.own_status import own_status
from kexplain.case.references import parted
from kexplain.cli.flags.report import Target
from kexplain.cli.inputs import print_notes
from kexplain.cli.live import live_cluster
from kexplain.cli.output import write
from kexplain.cli.requests.explain import Request
from kexplain.errors import RightsError
from kexplain.parameters import parameter
from kexplain.render import Kind, formats
from kexplain.report.status import status_report


def run(request: Request, missing: RightsError) -> int:
    """0 if every pod that was asked for has a node, 1 if one has none; reports on the way.

    Raises `missing` where pods cannot be known by their own status: manifests, further replicas, reports on nodes.
    """
    paths, named = parted(request.pods.references)
    targets = _targets(request)
    connection = request.connection.connection()
    if paths or request.pods.replicas is not None or targets is None or connection is None:
        raise missing
    source, selection = live_cluster(connection), request.pods.selection()
    status = own_status(named, source, namespace=request.pods.namespace, selection=selection)
    problem = missing.message.partition(" (")[0]
    more = f"{parameter('cluster_role')} lists the rights that the whole answer takes"
    report = status_report(status, [f"{problem}, so nothing was worked out: this is what the scheduler says; {more}"])
    print_notes(report.notes, quiet=request.report.quiet)
    write(report, request.report, targets)
    return int(not report.is_well)


def _targets(request: Request) -> Sequence[Target] | None:
    """Where the report goes; None if a format shows what only scheduling finds out."""
    known = {each.name for each in formats(Kind.STATUS)}
    targets = request.report.targets(request.reports)
    return [replace(one, kind=Kind.STATUS) for one in targets] if known.issuperset(t.format for t in targets) else None
