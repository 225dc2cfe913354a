"""Just where each pod goes, for scripts."""

from __future__ import annotations

from kexplain.render.view import View, printable
from kexplain.report.records import Report


def render(report: Report, view: View) -> str:  # noqa: ARG001 (the contract of renderers)
    """A line a pod: `pod/NAME`, a tab, and `node/NAME` or `<none>`; first the pods of named workloads that have one."""
    placed = [(pod.name, pod.node) for workload in report.workloads for pod in workload.placed]
    tried = [(pod.pod.name, pod.choice.node if pod.choice else "") for pod in report.pods]
    return "".join(
        f"pod/{printable(name)}\t{f'node/{printable(node)}' if node else '<none>'}\n"
        for name, node in (*placed, *tried)
    )
