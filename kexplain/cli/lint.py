"""`kexplain lint`: read, look, report."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from shutil import which

from kexplain import __version__
from kexplain.admission.optional_plugins import enabled_plugins
from kexplain.case import scheduler_for
from kexplain.cli.inputs import print_notes, standard_input
from kexplain.cli.output import parse_targets, write
from kexplain.cli.progress import Progress
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import InputError, KexplainError, UsageError
from kexplain.lint.baseline import baseline_of, read_baseline
from kexplain.lint.engine import LintOptions, lint
from kexplain.lint.findings import LintReport, Severity
from kexplain.lint.ignores import MARKER
from kexplain.lint.registry import RULE_BY_ID
from kexplain.lint.settings import LintSettings, SettingsFile, find_settings, read_settings
from kexplain.load import Loaded, check_quantities, load
from kexplain.load.raw_manifests import Written, load_written
from kexplain.objects.core import Node
from kexplain.render.findings import FORMATS, render
from kexplain.render.view import View

EXIT_CLEAN = 0
EXIT_FINDINGS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for; None and empty texts are left to the settings of the repository."""

    paths: list[str]
    kustomizations: list[str]
    cluster: list[str]
    recursive: bool
    namespace: str
    scheduler: SchedulerSettings
    fail_on: str
    exit_zero: bool
    allow_empty: bool
    admission_plugins: list[str]
    baseline: str
    write_baseline: str
    settings: str
    outputs: list[str]
    color: str
    width: int | None
    verbose: bool
    quiet: bool


#: As for explaining: the process ends with what was built, instead of taking it apart.
_kept: list[object] = []


def run(request: Request) -> int:
    """0 if nothing is as bad as --fail-on, 1 if something is; reports on the way."""
    targets = parse_targets(request.outputs, FORMATS)
    _check(request)
    held = _settings(request.settings)
    settings = held.settings
    progress = Progress(quiet=request.quiet)
    written = _written(request, progress)
    around = _around(request.cluster or [held.beside(each) for each in settings.cluster or ()], request)
    _check_input(written, allow_empty=request.allow_empty)
    scheduler_settings = request.scheduler
    if not scheduler_settings.kubernetes_version and settings.kubernetes_version:
        scheduler_settings = replace(scheduler_settings, kubernetes_version=settings.kubernetes_version)
    objects = (*written.loaded.objects, *(around.objects if around else ()))
    scheduler = scheduler_for(scheduler_settings, objects, around.server_version if around else "")
    baseline = request.baseline or (held.beside(settings.baseline) if settings.baseline else "")
    options = LintOptions(
        namespace=request.namespace or settings.namespace or "default",
        severities={rule: Severity(text) for rule, text in (settings.severities or {}).items()},
        ignores=tuple(held.ignores()),
        known=read_baseline(baseline) if baseline and not request.write_baseline else Counter(),
        progress=progress.placed,
        version=__version__,
        plugins=enabled_plugins(request.admission_plugins),
    )
    report = lint(written, around, scheduler, options)
    progress.end()
    _kept.append((written, around, report))
    if request.write_baseline:
        _write_file(request.write_baseline, baseline_of(report.findings))
    if not request.quiet:
        print_notes(report.notes)
    view = View(verbose=request.verbose, width=request.width)
    for target in targets:
        write(partial(render, target.format, report), view, target, color=request.color)
    fails_on = Severity(request.fail_on or settings.fail_on or Severity.ERROR)
    return (
        EXIT_FINDINGS
        if _fails(report, fails_on) and not request.exit_zero and not request.write_baseline
        else EXIT_CLEAN
    )


def _fails(report: LintReport, severity: Severity) -> bool:
    return any(finding.severity.rank >= severity.rank for finding in report.findings)


def _check(request: Request) -> None:
    if not request.paths and not request.kustomizations:
        raise UsageError(
            "nothing to lint: name a file, a directory, - for stdin, or -k DIR for a kustomization",
            "for instance: kexplain lint -R manifests/ --cluster cluster.json",
        )
    if [*request.paths, *request.cluster].count("-") > 1:
        raise UsageError("stdin (-) can be read only once")


def _settings(given: str) -> SettingsFile:
    """The file that was named, or the nearest one; `none` reads none at all."""
    if given == "none":
        return SettingsFile(LintSettings())
    path = Path(given) if given else find_settings(Path.cwd())
    return read_settings(path, list(RULE_BY_ID)) if path else SettingsFile(LintSettings())


# ------------------------------------------------------------------------------------------------------ reading


def _written(request: Request, progress: Progress) -> Written:
    paths = list(dict.fromkeys(request.paths))
    written = load_written(paths, MARKER, recursive=request.recursive, stdin=standard_input(), progress=progress.read)
    for directory in request.kustomizations:
        built = load_written(["-"], MARKER, stdin=BytesIO(_build(directory)), stdin_name=f"<kustomize {directory}>")
        written.absorb(built)
    return written


def _build(directory: str) -> bytes:
    """What a kustomization comes to. Raises UsageError without a program that builds it, or where that fails."""
    programs: Sequence[tuple[str, ...]] = (("kustomize", "build"), ("kubectl", "kustomize"))
    found = next((words for words in programs if which(words[0])), None)
    if found is None:
        raise UsageError(
            "-k needs kustomize or kubectl, and neither is on the PATH",
            "or pipe: kustomize build DIR | kexplain lint -",
        )
    done = subprocess.run([*found, directory], capture_output=True, check=False)  # noqa: S603 - no shell is involved
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it says nothing"]
        raise KexplainError(f"{' '.join(found)} {directory} failed: {said[-1]}")
    return done.stdout


def _around(cluster: Sequence[str], request: Request) -> Loaded | None:
    """What stands in the cluster; None if none was given. Raises InputError with every fault of it."""
    if not cluster:
        return None
    around = load(cluster, recursive=request.recursive, stdin=standard_input())
    check_quantities(around)
    if not any(isinstance(obj, Node) for obj in around.objects):
        raise UsageError(
            f"there are no nodes in {', '.join(cluster)}", "kubectl get nodes,pods -A -o json > cluster.json has them"
        )
    return around


def _check_input(written: Written, *, allow_empty: bool) -> None:
    if written.unreadable:
        raise InputError(written.unreadable)
    if written.manifests or written.faults or written.templates or allow_empty:
        return
    raise UsageError("there is no Kubernetes object in the input", "--allow-empty lets that pass")


def _write_file(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise KexplainError(f"{path}: cannot be written: {error.strerror or error}") from error
