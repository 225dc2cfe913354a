"""Reports that are a headline and some tables, for a browser."""

from __future__ import annotations

from kexplain.explain.output import Output
from kexplain.render.html.document import document
from kexplain.render.pages import page_of
from kexplain.render.view import View


def render(report: Output, view: View) -> str:
    """All rows of all tables, to sort and to search."""
    page = page_of(report, view)
    return document("page.html", report, page.aside, page=page)
