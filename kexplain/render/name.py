"""Just where each pod goes, for scripts."""

from __future__ import annotations

from kexplain.render.view import View, printable
from kexplain.report.records import Report


def render(report: Report, view: View) -> str:  # noqa: ARG001 (the contract of renderers)
    """A line a pod: `pod/NAME`, a tab, and `node/NAME` or `<none>`."""
    return "".join(
        f"pod/{printable(pod.pod.name)}\t{f'node/{printable(pod.choice.node)}' if pod.choice else '<none>'}\n"
        for pod in report.pods
    )
