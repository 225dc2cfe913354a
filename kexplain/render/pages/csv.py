"""Pages as rows, for spreadsheets."""

from __future__ import annotations

from kexplain.explain.output import Output
from kexplain.render.csv import as_csv
from kexplain.render.pages import rows_of
from kexplain.render.view import View


def render(report: Output, view: View) -> str:  # noqa: ARG001 (a spreadsheet gets all rows)
    """RFC 4180 with a head."""
    rows = rows_of(report)
    return as_csv(rows.heads, rows.rows)
