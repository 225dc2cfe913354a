"""Reports as rows, for spreadsheets."""

from collections.abc import Iterable, Sequence

from kexplain.explain.output import Output
from kexplain.explanation.records import PodExplanation
from kexplain.render.harmless import in_cell
from kexplain.render.pages.node_rows import pod_rows
from kexplain.render.pages.rows import rows_of
from kexplain.render.view import View, restricted, restricted_pod
from kexplain.report.records import Report


def render(report: Output, view: View) -> str:
    """RFC 4180 with a head."""
    found = rows_of(restricted(report, view))
    return _written([found.heads]) + _written(found.rows)


class Stream:
    """A report on several pods as it comes."""

    def __init__(self, head: Report, node_names: Sequence[str], view: View) -> None:
        self._report = head
        self._view = view

    def begin(self) -> str:
        """The head, and the pods that have a node."""
        return render(self._report, self._view)

    def pod(self, pod: PodExplanation) -> str:
        """The rows of the next pod."""
        return _written(pod_rows(restricted_pod(pod, self._view)))

    def end(self, report: Report) -> str:
        """Nothing."""
        return ""


def _written(rows: Iterable[Sequence[object]]) -> str:
    return "".join(f"{','.join(in_cell(str(cell)) for cell in row)}\r\n" for row in rows)
