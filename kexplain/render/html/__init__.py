"""The report as one page for a browser."""

from __future__ import annotations

from kexplain.render import pod_groups, scheduling_groups, sentences, settled, workloads
from kexplain.render.html.document import document
from kexplain.render.html.sections import sections
from kexplain.render.new_nodes import new_nodes_sheet
from kexplain.render.summary import summary_rows
from kexplain.render.view import View, restricted
from kexplain.report.records import Report


def render(report: Report, view: View) -> str:
    """What is pending at a glance, then all pods, those of one fate together."""
    report = restricted(report, view)
    return document(
        "report.html",
        report,
        f"kubernetes {report.kubernetes_version}",
        sections=list(sections(report, view)),
        summary=summary_rows(report) if report.search is not None and len(report.groups) > 1 else None,
        fitting=sum(1 for pod in report.pods if pod.choice is not None),
        sentences=sentences,
        pod_groups=pod_groups,
        settled=settled,
        scheduling_groups=scheduling_groups,
        workloads=workloads,
        new_nodes_sheet=new_nodes_sheet,
    )
