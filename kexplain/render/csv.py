"""Reports as rows, for spreadsheets."""

from collections.abc import Iterable, Sequence

from kexplain.explain.output import Output
from kexplain.render import Stream
from kexplain.render.harmless import in_cell
from kexplain.render.pages.node_rows import pod_rows
from kexplain.render.pages.rows import rows_of
from kexplain.render.view import View, restricted, restricted_pod
from kexplain.report.records import Report


def render(report: Output, view: View) -> str:
    """RFC 4180 with a head."""
    found = rows_of(restricted(report, view))
    return _written([found.heads]) + _written(found.rows)


def stream(head: Report, node_names: Sequence[str], view: View) -> Stream:
    """A report on several pods as it comes: its heads and the pods that have a node, then the rows of the others."""
    return Stream(render(head, view), lambda pod: _written(pod_rows(restricted_pod(pod, view))), lambda _: "")


def _written(rows: Iterable[Sequence[object]]) -> str:
    return "".join(f"{','.join(in_cell(str(cell)) for cell in row)}\r\n" for row in rows)
