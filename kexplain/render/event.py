"""Just the message of the event, to the letter."""

from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.objects.well_known import GATED
from kexplain.render.harmless import printable
from kexplain.render.pages.workloads import workload_verdict
from kexplain.render.view import View
from kexplain.report.records import Report
from kexplain.report.status import StatusReport


def render(report: Report | StatusReport, view: View) -> str:
    """A line a pod: the message that `kubectl describe` would show, whichever event it comes with.

    A workload that was named has a line before those of its pending pods.
    """
    if isinstance(report, StatusReport):
        return "".join(f"{printable(pod.said.message if pod.said else '')}\n" for pod in report.pods)
    lines = [f"{printable(workload_verdict(workload))}\n" for workload in report.workloads]
    for pod in report.pods:
        lines.append(f"{printable(_message(pod))}\n")
        lines += [f"not evaluated by {each.plugin}: {printable(each.what)}\n" for each in pod.not_evaluated]
    return "".join(lines)


def _message(pod: PodExplanation) -> str:
    if pod.refused:
        return "no event: an API server refuses the pod"
    if pod.choice is not None:
        return f"Successfully assigned {pod.pod.key} to {pod.choice.node}"
    if pod.outcome is Outcome.NO_PROFILE:
        return f'no event: no scheduler named "{pod.scheduler_name}" has looked at the pod'
    return GATED if pod.gated_by == "SchedulingGates" else pod.message
