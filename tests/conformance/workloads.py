"""Workloads that real controllers were left alone with: how far each got, and what the commands say of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Raw

from kexplain.api import explain
from kexplain.case import Inputs, Wanted, load_case
from kexplain.case.loading import load_contents, scheduler_for
from kexplain.lint.engine import lint
from kexplain.lint.findings import Severity
from kexplain.lint.ignores import MARKER
from kexplain.load import load
from kexplain.load.raw_manifests import load_written
from kexplain.report.capacity import Filling
from kexplain.validation.check import check
from kexplain.world.edit_options import edit_of
from kexplain.world.replicas import claims_of_replicas
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World

from .corpora import Area
from .scenario import Recorded
from .tally import Tally

_NEW = ("new", "claims", "preempt")


class Named(Recorded, kw_only=True):
    """A workload."""

    kind: str
    namespace: str
    name: str


class Counts(Recorded, kw_only=True):
    """How many of its pods are what."""

    new: int
    old: int | None
    pending: int
    not_created: int
    not_ready: int


class Action(Recorded, kw_only=True):
    """What was done: manifests applied, or a number changed."""

    verb: str
    objects: list[Any]
    kind: str = ""
    namespace: str = ""
    name: str = ""
    replicas: int = 0


class End(Recorded, kw_only=True):
    """What became of it; texts, nodes and other workloads are not compared, as many hang on chance."""

    workload: Named
    complete: bool
    kept_old_by: str | None
    apply_error: str | None
    desired: int
    placed: int
    pods: Counts
    evicted: list[str] | None
    nodes: Any
    pending: Any
    create_errors: Any
    others: Any


class Change(Recorded, kw_only=True):
    """A cluster, what was done to it, and the end."""

    id: str
    version: str
    kind: str
    why: str
    objects: Raw
    action: Action
    expected: End

    @property
    def is_new(self) -> bool:
        """Whether a manifest was applied of what was not there."""
        return self.kind.split()[0] in _NEW and self.action.verb == "apply"


def run(area: Area, tally: Tally) -> None:
    """Follow every workload anew, by each command that can be asked; images that never get ready nobody foresees."""
    for recorded in area.rows(Change):
        if recorded.expected.pods.not_ready:
            continue
        with tally.decision(recorded.id) as case, TemporaryDirectory() as folder:
            files = _written(recorded, Path(folder))
            end = recorded.expected
            case.compare("what-if", _wanted(recorded), _what_if(recorded, *files))
            if recorded.action.verb == "apply" and not end.kept_old_by:
                case.compare("lint", not end.complete, _has_errors(*files))
            if recorded.is_new and end.workload.kind != "DaemonSet":
                case.compare("replicas", end.placed, _replicas(recorded, *files))
            if recorded.kind in ("new Deployment", "new Job") and end.placed < end.desired:
                case.compare("capacity", end.placed, _capacity(recorded, *files))


def _written(recorded: Change, folder: Path) -> tuple[str, str]:
    """The manifest and the cluster as files."""
    manifest, state = folder / "manifest.yaml", folder / "state.json"
    manifest.write_text("\n---\n".join(json.dumps(each) for each in recorded.action.objects))
    state.write_bytes(b'{"apiVersion":"v1","kind":"List","items":%b}' % bytes(recorded.objects))
    return str(manifest), str(state)


def _wanted(recorded: Change) -> Mapping[str, Any]:
    end = recorded.expected
    if end.apply_error:
        return {"refused": True}
    return {
        "complete": end.complete,
        "placed": end.placed,
        "old": end.pods.old or 0,
        "pending": end.pods.pending,
        "notCreated": end.pods.not_created,
    }


def _what_if(recorded: Change, manifest: str, state: str) -> Mapping[str, Any]:
    action, end = recorded.action, recorded.expected
    if any(check(each) for each in action.objects):
        return {"refused": True}
    contents = load_contents(Inputs([state], namespace=action.namespace))
    scaled = ("scale", f"{action.kind.lower()}/{action.name}={action.replicas}")
    edit = edit_of("apply", manifest) if action.verb == "apply" else edit_of(*scaled)
    followed = World(ReadObjects(contents)).after([edit]).settled()
    key = end.workload.kind, end.workload.namespace, end.workload.name
    found = next((each for each in followed.rollouts if (each.kind, each.namespace, each.name) == key), None)
    if found is None or (end.apply_error and not found.placed):
        return {"refused": bool(followed.refused) or (found is not None and bool(found.refusals))}
    return {
        "complete": found.complete,
        "placed": found.placed,
        "old": found.old,
        "pending": found.pending,
        "notCreated": found.not_created,
    }


def _has_errors(manifest: str, state: str) -> bool:
    written, around = load_written([manifest], MARKER), load([state])
    scheduler = scheduler_for(None, (*written.loaded.objects, *around.objects))
    findings = lint(written, around, scheduler).findings
    return any(each.severity is Severity.ERROR or each.rule.startswith("missing-") for each in findings)


def _replicas(recorded: Change, manifest: str, state: str) -> int:
    end = recorded.expected
    case = load_case([manifest], [state], Wanted(replicas=end.desired))
    report = explain(case, seeks_help=False, until_settled=bool(end.evicted))
    if report.rollouts:
        return report.rollouts[0].placed
    return sum(each.choice is not None for each in report.pods)


def _capacity(recorded: Change, manifest: str, state: str) -> int:
    case = load_case([manifest], [state])
    claims = claims_of_replicas(case.pods, case.cluster)
    limit = recorded.expected.desired + 3
    filling = Filling(case.scheduler.without_post_filter(), case.cluster, limit, claims=claims, builder=case.builder)
    return sum(each.fits for each in filling.each([placed.pod for placed in case.pods]))
