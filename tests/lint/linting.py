"""Lints texts, as the command line lints files."""

from __future__ import annotations

from io import BytesIO

from kexplain.case import scheduler_for
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.lint.engine import lint
from kexplain.lint.findings import LintReport
from kexplain.lint.ignores import MARKER
from kexplain.lint.options import Ignore, LintOptions
from kexplain.load import Loaded, load
from kexplain.load.raw_manifests import load_written


def linted(manifests: str, cluster: str = "", *, ignores: tuple[Ignore, ...] = (), release: str = "") -> LintReport:
    """The report on manifests, on a cluster if one is given, for a release."""
    written = load_written(["-"], MARKER, stdin=BytesIO(manifests.encode()))
    assert not written.unreadable
    around: Loaded | None = load(["-"], stdin=BytesIO(cluster.encode())) if cluster else None
    chosen = SchedulerSettings(kubernetes_version=release) if release else None
    scheduler = scheduler_for(chosen, (*written.loaded.objects, *(around.objects if around else ())))
    options = LintOptions(ignores=ignores, releases=(scheduler.release,))
    return lint(written, around, scheduler, options)


def rules_of(report: LintReport) -> list[str]:
    """The rules that found something, in the order of the findings."""
    return [finding.rule for finding in report.findings]
