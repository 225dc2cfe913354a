"""The report as JSON; `kexplain schema` prints its schema."""

from __future__ import annotations

import msgspec

from kexplain.explain.records import Report
from kexplain.render.view import View, restricted


def render(report: Report, view: View) -> str:
    """Indented JSON, one document."""
    return msgspec.json.format(msgspec.json.encode(restricted(report, view)), indent=2).decode() + "\n"


def schema() -> str:
    """The JSON Schema of the report."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(Report)), indent=2).decode() + "\n"
