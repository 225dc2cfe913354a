"""`kexplain trace`: the scheduling cycle, step by step."""

from itertools import chain

from kexplain.api import notes_on, schedule
from kexplain.case.node_names import whole_name
from kexplain.cli.commands.explain import check_plugin
from kexplain.cli.inputs import load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.requests.trace import Request
from kexplain.framework.trace import Outcome
from kexplain.report.trace import only, trace


def run(request: Request) -> int:
    """0 if every pod is scheduled, else 1."""
    shown = request.report
    targets, settings = shown.targets(request.reports), request.scheduler.settings()
    case = load_inputs(request, request.pods, settings, own_pods=True)
    decisions = schedule(case, start_index=request.scheduler.start_index)
    points = (names for profile in case.scheduler.profiles.values() for names in profile.at_point.values())
    check_plugin(shown.plugin, [*chain.from_iterable(points)], "plugin")
    node = whole_name(shown.node, case.cluster.node_info_by_name) if shown.node else ""
    report = only(trace(decisions, case.scheduler, notes_on(case)), node, shown.plugin)
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    return int(any(each.outcome is not Outcome.SCHEDULED for each in report.pods))
