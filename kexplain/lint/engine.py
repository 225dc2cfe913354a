"""One run of lint over what was read: refusals, rules, placement; then ignores and the baseline."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from kexplain.errors import Fault
from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.lint.baseline import KnownFinding
from kexplain.lint.excerpts import Excerpts, in_columns
from kexplain.lint.findings import Finding, LintReport, Severity, fingerprint, standing_alone
from kexplain.lint.ignores import annotated, apply, commented, problems
from kexplain.lint.joining import add_verdict
from kexplain.lint.notes import left_out, reading_notes, without_cluster
from kexplain.lint.options import Ignore, LintOptions
from kexplain.lint.refusals import refusals
from kexplain.lint.registry import RULES
from kexplain.lint.rule import Rule
from kexplain.lint.rules.verdicts import REFUSED, REPEATED_KEY, UNREADABLE, UNRENDERED, verdicts_on
from kexplain.lint.subjects import Subject, Surroundings, autoscalers, describes_cluster, subject_of, workload_of
from kexplain.load import Loaded
from kexplain.load.raw_manifests import Manifest, Written
from kexplain.load.recognition import is_expression
from kexplain.objects.apps import lend_templates
from kexplain.objects.core import LimitRange, ResourceQuota
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.problem import Problem, Stage, path_text
from kexplain.objects.untrusted import at
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import plural, some, verb

if TYPE_CHECKING:
    from kexplain.lint.placement import Placement


def lint(
    written: Written, around: Loaded | None, scheduler: Scheduler, options: LintOptions | None = None
) -> LintReport:
    """The report on manifests, on a cluster if one is given."""
    return _Run(written, around, scheduler, options or LintOptions()).report()


class _Run:
    """One run over the manifests, with the cluster and the scheduler it is for."""

    def __init__(self, written: Written, around: Loaded | None, scheduler: Scheduler, options: LintOptions) -> None:
        self._written = written
        self._around = around
        self._scheduler = scheduler
        self._options = options
        lend_templates((*written.loaded.objects, *(around.objects if around else ())))
        self._worlds = [*_worlds(written, around, scheduler, options)]
        self._has_nodes = any(world.surroundings.nodes for world in self._worlds) and options.places
        self._has_cluster = any(world.surroundings.has_cluster for world in self._worlds)
        self._excerpts = Excerpts(written)
        self._notes: list[str] = []

    def report(self) -> LintReport:
        refused = [refusal for world in self._worlds for refusal in self._refused(world)]
        findings = [*self._of_texts_and(refused)]
        # Whatever is not there, where pods would go once it is tells more.
        broken = {id(each.manifest.obj) for each in refused if each.finding.rule == REFUSED.id}
        by_manifest = grouped(found for world in self._worlds for found in self._of_rules(world))
        placements = [placement for world in self._worlds for placement in self._placements(world, broken)]
        for placement in placements:
            for verdict in verdicts_on(placement):
                manifest = verdict.manifest or placement.workload.manifest
                name = subject_of(manifest, self._options.namespace).name
                # Whether there is room is no matter of one value.
                found = replace(self._finding(manifest, name, verdict.rule, verdict.problem), written="")
                add_verdict(by_manifest.setdefault(id(manifest), []), found, verdict.brief)
        findings += chain.from_iterable(by_manifest.values())
        if len(self._worlds) > 1:
            # What several kustomizations share is reported once.
            findings = [*{(*_place(each), each.rule, each.field, each.message): each for each in findings}.values()]
        return self._finished(_fingerprinted(findings), placements)

    # --------------------------------------------------------------------------------------------- findings

    def _of_texts_and(self, refusals: Sequence[_Refusal]) -> Iterator[Finding]:
        """What is wrong with texts and with objects; what is not filled in yet is a template, and not judged else."""
        templates = {id(each.manifest): each.finding.source for each in refusals if each.is_unfilled}
        loose = (each for each in refusals if each.manifest.is_loose)
        parts = {
            id(each.manifest): each.finding.source
            for each in loose
            if each.lacks or each.manifest.value.keys() <= _BARE
        }
        if parts:
            sources = some([*dict.fromkeys(parts.values())])
            self._notes.append(f"not judged, as no kustomization names them, and they are parts of objects: {sources}")
        shut = (each.finding.object for each in refusals if each.manifest.obj is None and not each.is_unfilled)
        if names := some([*dict.fromkeys(shut)]):
            self._notes.append(f"other rules look at these once their fields can be read: {names}")
        # What does not fit a record is reported in the words of an API server, which also names the object.
        reported = {_place(each.finding) for each in refusals}
        yield from (each for each in self._of_texts(templates.values()) if _place(each) not in reported)
        yield from (each.finding for each in refusals if id(each.manifest) not in templates.keys() | parts.keys())

    def _of_texts(self, templates: Iterable[str]) -> Iterator[Finding]:
        yield from (self._of_fault(REFUSED if fault.path else UNREADABLE, fault) for fault in self._written.faults)
        for fault in self._written.broken:
            # Nothing in it says that it is a manifest.
            severity = self._options.severities.get(UNREADABLE.id, Severity.WARNING)
            yield replace(self._of_fault(UNREADABLE, fault), severity=severity)
        yield from (self._of_fault(REPEATED_KEY, warning) for warning in self._written.loaded.warnings)
        names = dict.fromkeys((*self._written.templates, *templates))
        by_folder = grouped((str(FilePath(name).parent), name) for name in names)
        for first, *others in by_folder.values():
            alike = f", as {verb(len(others), 'is')} {plural(len(others), 'other')} beside it" if others else ""
            message = f"this is a template{alike}; lint its output, for instance: helm template … | kexplain lint -"
            yield self._of_fault(UNRENDERED, Fault(first, 1, 1, "", message))

    def _refused(self, world: _World) -> Iterator[_Refusal]:
        around = world.surroundings
        # Where there are nodes, quotas are counted as pods are placed, one by one.
        objects = replace(around.admission, quotas={}) if around.nodes else around.admission
        for manifest in world.manifests:
            for rule, found in refusals(manifest, objects, self._options.releases):
                finding = self._finding(manifest, subject_of(manifest, self._options.namespace).name, rule, found)
                judged = _judged(manifest, found)
                yield _Refusal(finding, manifest, is_expression(judged), judged is None)

    def _of_rules(self, world: _World) -> Iterator[tuple[int, Finding]]:
        for subject in world.surroundings.subjects:
            for rule in RULES:
                for found in rule.look(subject, world.surroundings):
                    yield id(subject.manifest), self._finding(subject.manifest, subject.name, rule, found)

    def _finding(self, manifest: Manifest, name: str, rule: Rule, found: Problem) -> Finding:
        origin, obj = manifest.origin, manifest.obj
        if isinstance(obj, CustomWorkload):
            place = obj.place(found.path)
            found = replace(found, path=place or obj.item, field="", edit=found.edit if place else None)
        mark = origin.mark(found.path, of_key=found.is_about_key)
        source = mark.source or origin.source
        rendered_from = self._written.rendered_from(source, mark.line)
        edit, field = in_columns(found.edit, mark, origin), found.field or path_text(found.path)
        # What cannot be read is named as every other command names it.
        is_value = found.stage is Stage.DECODING and not found.is_about_key
        return Finding(
            rule=rule.id,
            severity=self._severity(rule),
            message=standing_alone(path_text(found.path) if is_value else field, found.message),
            source=source,
            line=mark.line or 1,
            column=mark.column or 1,
            length=mark.length,
            object=name,
            field=field,
            rendered_from=rendered_from,
            written=_written(manifest, found),
            # Whoever renders a text anew would lose what is changed in it.
            instead=None if rendered_from else self._excerpts.edited(source, mark, edit),
            indent=0 if rendered_from else self._excerpts.indent(source, mark, edit),
        )

    def _of_fault(self, rule: Rule, fault: Fault) -> Finding:
        return Finding(
            rule=rule.id,
            severity=self._severity(rule),
            message=standing_alone(fault.path, fault.message),
            source=fault.source,
            line=fault.line or 1,
            column=fault.column or 1,
            field=fault.path,
            rendered_from=self._written.rendered_from(fault.source, fault.line),
        )

    def _severity(self, rule: Rule) -> Severity:
        return self._options.severities.get(rule.id, rule.severity)

    # -------------------------------------------------------------------------------------------- placing

    def _placements(self, world: _World, broken: set[int]) -> list[Placement]:
        """What becomes of every workload; of none without nodes to place them on."""
        if not world.surroundings.nodes or not self._options.places:
            return []
        workloads = [each for each in world.surroundings.workloads if id(each.obj) not in broken]
        if not workloads:
            return []
        # What controllers do is of no concern to a run without nodes.
        from kexplain.lint.placement import place  # noqa: PLC0415

        around, left_out = self._around or Loaded(), broken | world.strangers
        placements, notes = place(workloads, self._written.loaded, around, self._scheduler, left_out, self._options)
        self._notes += notes
        if waiting := [each.workload.name for each in placements if each.awaits_node]:
            self._notes.append(f"Karpenter may add nodes for what fits on none there is: {some(waiting)}")
        for outcome, why in _UNTRIED.items():
            names = [each.workload.name for each in placements if each.outcome is outcome]
            if names:
                self._notes.append(f"{why}: {some(names)}")
        return placements

    # ------------------------------------------------------------------------------------------- the report

    def _finished(self, findings: list[Finding], placements: list[Placement]) -> LintReport:
        ignores = [*self._ignores()]
        parted = apply(ignores, findings)
        for ignore, rule, message in problems(ignores, has_cluster=self._has_cluster):
            fault = Fault(ignore.source, ignore.line, ignore.column, "", message)
            parted.kept.append(self._of_fault(rule, fault))
        kept = _fingerprinted(parted.kept)
        new, gone = self._options.known.without(kept)
        new = sorted(new, key=lambda each: (each.source, each.line, each.column, each.rule))
        return LintReport(
            version=self._options.version,
            kubernetes_version=self._scheduler.release,
            findings=tuple(replace(each, excerpt=self._excerpts.of(each)) for each in new),
            ignored=tuple(parted.ignored),
            known=len(kept) - len(new),
            files=len(self._written.sources),
            objects=len(
                {(of.source, of.path, id(of.places)) for of in (each.origin for each in self._written.manifests)}
            ),
            workloads=sum(len(world.surroundings.workloads) for world in self._worlds),
            placed=sum(each.tried for each in placements if not each.is_at_most) if self._has_nodes else None,
            notes=(*self._notes, *reading_notes(self._written), *self._placing_notes(), *self._outdated(gone)),
        )

    def _outdated(self, gone: Iterable[KnownFinding]) -> Iterator[str]:
        """What of the baseline is not found any more, where it could be."""
        known, sources = self._options.known, self._written.sources
        looked = {rule.id for rule in RULES if self._has_cluster or not rule.needs_cluster}
        outdated = (each for each in gone if each.rule in looked and known.is_outdated(each, sources))
        found = [f"{each.rule} of {each.object or each.source}" for each in outdated]
        if found:
            yield f"no longer found, and to be taken out of the baseline by writing it again: {some(found)}"

    def _ignores(self) -> Iterator[Ignore]:
        for source, lines in self._written.lines.items():
            yield from commented(source, lines)
        for world in self._worlds:
            for subject in world.surroundings.subjects:
                yield from annotated(subject)
        yield from self._options.ignores

    def _placing_notes(self) -> Iterator[str]:
        subjects = [subject for world in self._worlds for subject in world.surroundings.subjects]
        if not self._has_cluster:
            yield from without_cluster(subjects)
            return
        if len(self._options.releases) > 1:
            yield f"replicas are placed as Kubernetes {self._scheduler.release}, the first of the releases asked for"
        yield from left_out(subjects)


#: What a patch that adds a label has, too.
_BARE = {"apiVersion", "kind", "metadata"}
_UNTRIED = {
    Outcome.NO_PROFILE: "not tried, as another scheduler places them",
    Outcome.GATED: "not tried, as they are held back by scheduling gates, or lack a claim on devices that is not made",
}


class _Refusal(NamedTuple):
    """Why an API server does not take a manifest; or what is to be filled in before it can be asked."""

    finding: Finding
    manifest: Manifest
    is_unfilled: bool
    #: Whether something is missing, as it may be in a patch.
    lacks: bool


def _judged(manifest: Manifest, found: Problem) -> object:
    """The value that a finding is about, or the name of the field."""
    return found.path[-1] if found.is_about_key else at(manifest.value, *found.path)


def _written(manifest: Manifest, found: Problem) -> str:
    """A hash of the value that a finding is about; empty if it is about more or less than one."""
    judged = _judged(manifest, found)
    is_one = isinstance(judged, str | int | float) and manifest.identity.kind != "Secret"
    return fingerprint(str(judged)) if is_one else ""


class _World(NamedTuple):
    """Manifests that meet one another in a cluster; `strangers` are the ids of all other objects."""

    manifests: list[Manifest]
    surroundings: Surroundings
    strangers: set[int]


def _worlds(written: Written, around: Loaded | None, scheduler: Scheduler, options: LintOptions) -> Iterator[_World]:
    """What stands in files together, and what each kustomization comes to.

    Classes, and whatever else is in no namespace, are there for all.
    """
    by_world = grouped((manifest.world, manifest) for manifest in written.manifests)
    for manifests in {"": [], **by_world}.values():
        astray = _astray(manifests)
        own = {id(each.obj) for each in manifests}
        others = [obj for obj in written.loaded.objects if id(obj) not in own]
        shared = [obj for obj in others if not obj.is_namespaced and not describes_cluster(obj)]
        subjects = _subjects([each for each in manifests if id(each.obj) not in astray], options.namespace)
        surroundings = Surroundings(subjects, manifests, around, shared if around else (), scheduler, options)
        yield _World(manifests, surroundings, astray | {id(obj) for obj in others if obj.is_namespaced})


def _astray(manifests: Sequence[Manifest]) -> set[int]:
    """Quotas and ranges that name no namespace, below the top of a tree: nobody knows what goes into theirs."""
    directories = {id(each.obj): FilePath(each.origin.source).absolute().parent for each in manifests}
    top = os.path.commonpath(directories.values()) if directories else ""
    found = (each.obj for each in manifests if isinstance(each.obj, LimitRange | ResourceQuota))
    return {id(obj) for obj in found if not obj.namespace and directories[id(obj)] != FilePath(top)}


def _place(finding: Finding) -> tuple[str, int, int]:
    return finding.source, finding.line, finding.column


def _subjects(manifests: Sequence[Manifest], namespace: str) -> list[Subject]:
    scalers = autoscalers(manifests, namespace)
    return [workload_of(each, namespace, scalers) or subject_of(each, namespace) for each in manifests]


def _fingerprinted(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, each with a hash of its subject; those with equal subjects are numbered."""
    seen: Counter[tuple[str, ...]] = Counter()
    marked = []
    for finding in findings:
        about: tuple[str, ...] = (finding.rule, finding.rendered_from or finding.source, finding.object, finding.field)
        # Findings about a whole file differ in nothing else.
        about = about if finding.object else (*about, finding.message)
        marked.append(replace(finding, fingerprint=fingerprint(*about, str(seen[about]))))
        seen[about] += 1
    return marked
