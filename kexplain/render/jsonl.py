"""The steps of the scheduling cycle as lines of JSON."""

import msgspec

from kexplain.render.harmless import in_strings
from kexplain.render.view import View
from kexplain.report.trace import TraceReport


def render(report: TraceReport, view: View) -> str:
    """A line a step, then a line a node: the pod, and the fields that `-o json` has."""
    every = ((pod.pod, each) for pod in report.pods for each in (*pod.steps, *pod.walk.nodes))
    lines = [{"pod": name, **msgspec.to_builtins(each)} for name, each in every]
    return "".join(f"{in_strings(msgspec.json.encode(line).decode())}\n" for line in lines)
