"""The report as JSON; `kexplain schema` prints its schema."""

from __future__ import annotations

import msgspec

from kexplain.explain.output import Output
from kexplain.render.view import View, restricted
from kexplain.report.records import Report


def render(report: Output, view: View) -> str:
    """Indented JSON, one document."""
    return msgspec.json.format(msgspec.json.encode(restricted(report, view)), indent=2).decode() + "\n"


def schema(record: type[Output] = Report) -> str:
    """The JSON Schema of a kind of document."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(record)), indent=2).decode() + "\n"
