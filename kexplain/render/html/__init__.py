"""Pages for a browser, in one document with everything in it."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.render.html.document import document
from kexplain.render.pages import document_of, filled
from kexplain.render.short_names import with_short_names
from kexplain.render.view import View


def render(report: Output, view: View) -> str:
    """All rows of all tables, to sort and to search, with maps of the nodes; the JSON inside has the names in full."""
    short, view, ending = with_short_names(report, replace(view, in_full=True, draws=True, all_remedies=True))
    found = document_of(short, view)
    return document("page.html", report, found.aside, document=found, filled=filled, end=ending.text)
