"""Pages for a browser, in one document with everything in it."""

from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explanation.records import PodExplanation
from kexplain.render.html.document import document
from kexplain.render.pages import document_of, filled
from kexplain.render.short_names import with_short_names
from kexplain.render.view import DRAWN_NODES, View
from kexplain.report.records import Report


def render(report: Output, view: View) -> str:
    """All rows of all tables, to sort and to search, with maps of the nodes; the JSON inside has the names in full."""
    report = _told_once(report) if isinstance(report, Report) else report
    short, view, ending = with_short_names(report, replace(view, in_full=True, draws=True, all_remedies=True))
    found = document_of(short, view)
    return document("page.html", report, found.aside, document=found, filled=filled, end=ending.text)


def _told_once(report: Report) -> Report:
    """The report; where it is large, only the first pod of each group says what became of all nodes."""
    if sum(pod.nodes.total for pod in report.pods) <= DRAWN_NODES:
        return report
    others = {place for group in report.groups for place in group.pods[1:]}
    pods = [_without_nodes(pod) if place in others else pod for place, pod in enumerate(report.pods)]
    return replace(report, pods=tuple(pods))


def _without_nodes(pod: PodExplanation) -> PodExplanation:
    said = replace(pod.diagnosis, nodes=()) if pod.diagnosis else None
    return replace(pod, circles=None, causes=(), node_verdicts=(), diagnosis=said)
