"""`kexplain schema`: what programs can rely on."""

import sys

from kexplain.cli.requests.schema import Document, Request
from kexplain.explain.output import Output
from kexplain.lint.findings import LintReport, RuleListing
from kexplain.lint.settings import settings_schema
from kexplain.render.json import schema
from kexplain.report.capacity import CapacityReport
from kexplain.report.difference import DifferenceReport
from kexplain.report.drain import DrainReport
from kexplain.report.event import EventReport
from kexplain.report.fleet import FleetReport
from kexplain.report.listing import SchedulerListing
from kexplain.report.pack_records import PackReport
from kexplain.report.plugin_page import PluginPage
from kexplain.report.records import Report
from kexplain.report.replay import ReplayReport
from kexplain.report.status import StatusReport
from kexplain.report.trace import TraceReport
from kexplain.report.what_if import WhatIfReport
from kexplain.tables import text

_RECORDS: dict[Document, type[Output]] = {
    Document.REPORT: Report,
    Document.DIFF: DifferenceReport,
    Document.CAPACITY: CapacityReport,
    Document.DRAIN: DrainReport,
    Document.WHAT_IF: WhatIfReport,
    Document.EVENT: EventReport,
    Document.STATUS: StatusReport,
    Document.TRACE: TraceReport,
    Document.FLEET: FleetReport,
    Document.REPLAY: ReplayReport,
    Document.PACK: PackReport,
    Document.PLUGINS: SchedulerListing,
    Document.PLUGIN: PluginPage,
    Document.LINT: LintReport,
    Document.RULES: RuleListing,
}


def run(request: Request) -> int:
    """Always 0."""
    sys.stdout.write(text("reasons.json") if request.reasons else _schema(request.document))
    return 0


def _schema(document: Document) -> str:
    return settings_schema() if document is Document.SETTINGS else schema(_RECORDS[document])
