"""`kexplain trace`: the scheduling cycle, step by step."""

from kexplain.api import notes_on, schedule
from kexplain.cli.inputs import load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.requests.trace import Request
from kexplain.framework.trace import Outcome
from kexplain.report.trace import trace


def run(request: Request) -> int:
    """0 if every pod is scheduled, else 1."""
    shown = request.report
    targets, settings = shown.targets(request.reports), request.scheduler.settings()
    case = load_inputs(request.pods, request.cluster, request.connection, settings, own_pods=True, quiet=shown.quiet)
    decisions = schedule(case, start_index=request.scheduler.start_index)
    report = trace(decisions, case.scheduler, notes_on(case))
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    return int(any(each.outcome is not Outcome.SCHEDULED for each in report.pods))
