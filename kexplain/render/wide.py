"""The text report with everything in it that a line can hold."""

from kexplain.render import text
from kexplain.render.blocks import Block
from kexplain.render.view import View
from kexplain.report.records import Report


def render(report: Report, view: View) -> Block:
    """As text, with every objection, upstream's reasons, raw scores, and all that would help."""
    return text.render(report, view.with_everything())
