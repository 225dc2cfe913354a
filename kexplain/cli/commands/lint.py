"""`kexplain lint`: read, look, report."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kexplain import __version__
from kexplain.admission.optional_plugins import enabled_plugins
from kexplain.case import scheduler_for
from kexplain.case.pods_to_place import check_namespace
from kexplain.cli.code_host import link_base
from kexplain.cli.corrections import count, diffs, write_corrections
from kexplain.cli.flags.connection import where_looked
from kexplain.cli.flags.scheduler import SchedulerFlags
from kexplain.cli.inputs import check_stdin, inputs, print_notes, standard_input
from kexplain.cli.output import kept, write, write_patch, write_text
from kexplain.cli.progress import Progress
from kexplain.cli.requests.explain import Request as ExplainRequest
from kexplain.cli.requests.lint import CheckFlags, FindingFlags, LintedClusterFlags, ManifestFlags, Request
from kexplain.config.releases.detection import ReleaseChoice, asked_release
from kexplain.errors import InputError, KexplainError, UsageError
from kexplain.lint.baseline import Known, baseline_of, read_baseline
from kexplain.lint.corrections import Correction, corrections, undecided
from kexplain.lint.engine import lint
from kexplain.lint.findings import LintReport, Severity
from kexplain.lint.ignores import MARKER
from kexplain.lint.options import LintOptions
from kexplain.lint.registry import RULE_BY_ID
from kexplain.lint.settings import LintSettings, SettingsFile, find_settings, read_settings
from kexplain.load import Loaded, check_quantities
from kexplain.load.loaded import unlisted_notes
from kexplain.load.raw_manifests import Written, load_written
from kexplain.load.text.source import EMPTY_DIRECTORY
from kexplain.objects.core import Namespace, Node
from kexplain.parameters import parameter
from kexplain.scheduler.cycle import Scheduler
from kexplain.shell import command, program
from kexplain.tables import table
from kexplain.validation.releases import RELEASE
from kexplain.words import near, plural, some


def run(request: Request) -> int:
    """0 if nothing is as bad as --fail-on, 1 if something is; reports on the way."""
    shown, checks = request.report, request.checks
    targets = shown.targets(request.reports)
    check_stdin([*request.manifests.paths, *request.cluster.files])
    held = _settings(checks.settings)
    fail_on = Severity(checks.fail_on or held.settings.fail_on or Severity.ERROR)
    run = _run(request, held)
    found, linked = _corrections(run, request.manifests.paths) if shown.fix else ([], [])
    notes = [*(_corrected(run.report, found, writes=shown.write) if shown.fix else _notes(run))]
    notes += [f"{each.source} is a link and stays as it is; name {os.path.realpath(each.source)}" for each in linked]
    if shown.write and found:
        run = _run(request, held)
    if checks.write_baseline:
        write_text(checks.write_baseline, baseline_of(run.report.findings, checks.write_baseline))
        known = plural(len(run.report.findings), "finding")
        notes.append(f"{known} written to {checks.write_baseline}: with --baseline they are no longer reported")
    print_notes(notes, quiet=shown.quiet)
    if shown.fix and not shown.write:
        write_patch(diffs(found))
    else:
        view = replace(shown.view(), link_base=link_base(os.environ, Path.cwd()), fail_on=fail_on)
        write(run.report, shown, targets, view)
    fails = any(finding.severity.reaches(fail_on) for finding in run.report.findings)
    return int(fails and not checks.exit_zero and not checks.write_baseline)


def correct_refused(paths: Sequence[str], asked: ExplainRequest, why: str) -> bool:
    """Print, or write, what is certain to mend what an API server refuses, in the cluster that was asked about.

    What is left for people to decide is noted. Returns whether anything is mended.
    """
    around = {each: getattr(asked.cluster, each) for each in asked.cluster.__struct_fields__}
    request = Request(
        manifests=ManifestFlags(paths=paths, namespace=asked.pods.namespace),
        cluster=LintedClusterFlags(**around, live=not asked.cluster.files and bool(asked.connection.connection())),
        checks=CheckFlags(),
        scheduler=SchedulerFlags(kubernetes_version=asked.scheduler.kubernetes_version),
        report=FindingFlags(quiet=True, fix=True),
        connection=asked.connection,
    )
    run = _run(request, SettingsFile(), places=False)
    found, _ = _corrections(run, paths)
    said, *left = _corrected(run.report, found, writes=asked.report.write)
    print_notes([f"{why}; {said}", *left] if found else left, quiet=asked.report.quiet)
    if found and not asked.report.write:
        write_patch(diffs(found))
    return bool(found)


def _corrected(report: LintReport, found: Sequence[Correction], *, writes: bool) -> Iterator[str]:
    """What is corrected, also in the files, and what people have to decide as it is refused still, as notes."""
    said = write_corrections(found) if found and writes else count(found)
    yield said if found else "nothing is certain enough to be corrected"
    sources = {each.source for each in found}
    left = [each for each in undecided(report.findings) if each.source not in sources]
    for each in chain(left, *(each.left for each in found)):
        yield f"not corrected: {each.source}:{each.line}:{each.column}: {each.message}"


class _Run(Struct, frozen=True):
    """Manifests as they were read and linted once."""

    written: Written
    around: Loaded | None
    scheduler: Scheduler
    options: LintOptions
    report: LintReport

    def linted_alone(self, written: Written) -> LintReport:
        """The report on other manifests in the same surroundings, in which nothing is placed."""
        return lint(written, self.around, self.scheduler, replace(self.options, places=False))


def _corrections(run: _Run, named: Sequence[str]) -> tuple[list[Correction], list[Correction]]:
    """What is to be corrected, and what only would be: texts behind links that nobody has named.

    Whoever lints a directory means what is in it.
    """
    every = [*corrections(run.report.findings, run.written, run.linted_alone)]
    linked = [each for each in every if each.source not in named and Path(each.source).is_symlink()]
    return [each for each in every if each not in linked], linked


def _run(request: Request, held: SettingsFile, *, places: bool = True) -> _Run:
    checks = request.checks
    progress = Progress(quiet=request.report.quiet)
    written = _written(request, progress)
    around, home = _around(request, held, progress)
    _check_input(written, request.manifests.paths, allow_empty=checks.allow_empty)
    choices = _releases(request, held.settings)
    releases = list(dict.fromkeys(choice.release for choice in choices))
    scheduler = _scheduler(request, releases, written, around)
    options = _options(request, held, progress, releases or [scheduler.release if around else RELEASE])
    options = replace(options, places=places)
    if home and not (request.manifests.namespace or held.settings.namespace):
        options = replace(options, namespace=home)
    if request.manifests.namespace and around is not None:
        _check_namespace(request.manifests.namespace, around, written.loaded)
    report = lint(written, around, scheduler, options)
    unknown = (choice.note for choice in choices if choice.stands_in)
    report = replace(report, notes=tuple(dict.fromkeys((*unknown, *report.notes))))
    progress.end()
    kept.append((written, around, report))
    return _Run(written, around, scheduler, options, report)


def _check_namespace(name: str, around: Loaded, manifests: Loaded) -> None:
    """Raise UsageError on a namespace that is not there; one that nothing is known to be in may be new."""
    every = (*around.objects, *(obj for obj in manifests.objects if isinstance(obj, Namespace)))
    is_listed = any(isinstance(obj, Namespace) for obj in around.objects)
    if is_listed or near(name, {obj.namespace for obj in around.objects if obj.namespace} - {name}):
        check_namespace(name, every)


def _notes(run: _Run) -> Iterator[str]:
    if run.around is not None:
        yield from filter(None, (run.around.foreign_note, *run.around.notes))
        yield from unlisted_notes(run.around.unlisted)
        if run.around.is_redacted:
            yield "the cluster is a redacted snapshot, in which nothing has the name that manifests know it by"
    yield from run.report.notes
    certain = sum(1 for each in run.report.findings if each.is_certain)
    if certain:
        yield f"{parameter('corrections')} shows how to correct {plural(certain, 'finding')}"


def _settings(given: str) -> SettingsFile:
    """The file that was named, or the nearest one; `none` reads none at all."""
    if given == "none":
        return SettingsFile()
    path = Path(given) if given else find_settings(Path.cwd())
    return read_settings(path, list(RULE_BY_ID)) if path else SettingsFile()


def _releases(request: Request, settings: LintSettings) -> list[ReleaseChoice]:
    """The releases that were asked for; the first is what replicas are placed as."""
    asked = request.scheduler.kubernetes_version or settings.kubernetes_version or ""
    return [asked_release(text.strip()) for text in asked.split(",") if text.strip()]


def _scheduler(request: Request, releases: Sequence[str], written: Written, around: Loaded | None) -> Scheduler:
    chosen = replace(request.scheduler.settings(), kubernetes_version=releases[0] if releases else "")
    objects = (*written.loaded.objects, *(around.objects if around else ()))
    return scheduler_for(chosen, objects, around.server_version if around else "")


def _options(request: Request, held: SettingsFile, progress: Progress, releases: Sequence[str]) -> LintOptions:
    """What was asked for, and for the rest what the settings of the repository say."""
    checks, settings = request.checks, held.settings
    baseline = checks.baseline or (held.beside(settings.baseline) if settings.baseline else "")
    plugins = [name for text in checks.enable_admission_plugins for name in text.split(",") if name]
    return LintOptions(
        namespace=request.manifests.namespace or settings.namespace or "default",
        severities=settings.severities or {},
        ignores=tuple(held.ignores()),
        known=read_baseline(baseline) if baseline and not checks.write_baseline else Known(),
        progress=progress.placed,
        version=__version__,
        plugins=enabled_plugins(plugins),
        releases=tuple(releases),
    )


# ------------------------------------------------------------------------------------------------------ reading


def _written(request: Request, progress: Progress) -> Written:
    paths = list(dict.fromkeys(request.manifests.paths))
    empty, stdin = paths if request.checks.allow_empty else (), standard_input()
    recursive = request.cluster.recursive
    written = load_written(paths, MARKER, recursive=recursive, stdin=stdin, passed_over=empty, progress=progress.read)
    for directory in request.manifests.kustomize:
        built = load_written(["-"], MARKER, stdin=BytesIO(_build(directory)), stdin_name=f"<kustomize {directory}>")
        written.absorb(built)
    return written


def _build(directory: str) -> bytes:
    """What a kustomization comes to. Raises UsageError without a program that builds it, or where that fails."""
    programs: Sequence[tuple[str, ...]] = (("kustomize", "build"), ("kubectl", "kustomize"))
    found = next(((file, *words) for name, *words in programs if (file := program(name))), None)
    if found is None:
        instead = "or pipe: kustomize build DIR | kexplain lint -"
        raise UsageError("-k needs kustomize or kubectl, and neither is on the PATH", instead)
    done = subprocess.run([*found, "--", directory], capture_output=True, check=False)  # noqa: S603 - no shell is involved
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it says nothing"]
        raise KexplainError(f"{' '.join([Path(found[0]).name, *found[1:]])} {directory} failed: {said[-1]}")
    return done.stdout


def _around(request: Request, held: SettingsFile, progress: Progress) -> tuple[Loaded | None, str]:
    """What is in the cluster, None if none was given; and the namespace of the context of a live one.

    Raises InputError with every fault of files, UsageError where no cluster is at hand.
    """
    flags, connection = request.cluster, request.connection.connection() if request.cluster.live else None
    if flags.live and connection is None:
        looked = where_looked(os.environ)
        raise UsageError(f"no cluster is at hand: {looked}", "name a kubeconfig file with --kubeconfig")
    if not (flags.live or flags.files):
        flags = replace(flags, cluster=[held.beside(each) for each in held.settings.cluster or ()])
    around, source = inputs(flags, connection, progress=progress).read()
    if source is not None:
        return around, source.namespace
    check_quantities(around)
    if flags.files and not any(isinstance(obj, Node) for obj in around.objects):
        found = f"there are no nodes in {', '.join(flags.files)}"
        raise UsageError(found, "get them with: " + table("dump-command", str))
    return (around, "") if flags.files else (None, "")


def _check_input(written: Written, paths: Sequence[str], *, allow_empty: bool) -> None:
    unreadable = [each for each in written.unreadable if not (allow_empty and EMPTY_DIRECTORY in each.message)]
    if unreadable:
        raise InputError(unreadable)
    if written.manifests or written.faults or written.notes or allow_empty:
        return
    if charts := [*written.charts, *(each for each in paths if (Path(each) / "Chart.yaml").is_file())]:
        chart = charts[0]
        instead = f"lint what they render to: {command('helm template', chart)} | kexplain lint -"
        raise UsageError(f"nothing to lint: the templates of the chart {chart} are not rendered", instead)
    if written.templates:
        rendered = "lint what it renders to: helm template CHART | kexplain lint -"
        raise UsageError(f"nothing to lint: {some(written.templates)} has to be rendered first", rendered)
    raise UsageError("there is no Kubernetes object in the input", "--allow-empty accepts that")
