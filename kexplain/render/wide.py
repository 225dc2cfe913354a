"""The text report with everything in it that a line can hold."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.render import text
from kexplain.render.blocks import Block
from kexplain.render.view import View
from kexplain.report.records import Report


def render(report: Report, view: View) -> Block:
    """As text, with upstream's reasons, raw scores and the steps of the preemption ladder."""
    return text.render(report, replace(view, wide=True))
