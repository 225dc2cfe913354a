"""Pages for comments and documents."""

from __future__ import annotations

from kexplain.explain.output import Output
from kexplain.render.markdown import escaped, table
from kexplain.render.pages import as_title, page_of
from kexplain.render.view import View


def render(report: Output, view: View) -> str:
    """GitHub-flavoured Markdown."""
    page = page_of(report, view)
    lines = [f"### {'✅' if page.is_good else '❌'} {escaped(page.headline)}"]
    for line in (*page.lines, *(f"⚠️ {warning}" for warning in page.warnings)):
        lines += ["", f"{escaped(line)}."]
    for sheet in page.sheets:
        lines += ["", f"**{escaped(as_title(sheet.title))}**"]
        for line in sheet.lines:
            lines += ["", f"> {escaped(line)}"]
        shown = sheet.rows[: view.top or None]
        if shown:
            lines += table([head.capitalize() for head in sheet.heads], shown)
        if len(shown) < len(sheet.rows):
            lines += ["", f"… and {len(sheet.rows) - len(shown)} more"]
    return "\n".join([*lines, "", f"<sub>{escaped(page.aside)}, by kexplain</sub>"]) + "\n"
