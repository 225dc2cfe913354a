"""A remedy ready to apply: a diff of the manifest that it changes, and commands for all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from kexplain.cli.corrections import diff
from kexplain.errors import UsageError
from kexplain.explain.changes import Change
from kexplain.explain.commands import to_manifest
from kexplain.explain.records import PodExplanation, Remedy
from kexplain.load.text.yaml_edit import document_at, edited
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.words import plural


def fix(pods: Sequence[PodExplanation], number: int) -> str:
    """The remedy of that number, from 1, for the first pod that does not fit. Raises UsageError if it is none."""
    pod = next((each for each in pods if each.remedies), None)
    if pod is None:
        raise UsageError("there is nothing to fix", "every pod fits, or nothing is known that would help")
    if number > len(pod.remedies):
        raise UsageError(
            f"there is no remedy {number}", f"the report has {plural(len(pod.remedies), 'remedy', 'remedies')}"
        )
    remedy = pod.remedies[number - 1]
    if not remedy.changes:
        raise UsageError(f"remedy {number} is no change of objects: {remedy.text}", "it is for people to do")
    return "".join(_written(remedy, pod))


def _written(remedy: Remedy, pod: PodExplanation) -> Iterator[str]:
    for change in remedy.changes:
        if _is_about(change, pod.pod.source, pod.pod.line):
            yield _diff(change, pod.pod.source, pod.pod.line) or f"{to_manifest(change, _readable(pod.pod.source))}\n"
    yield from (f"{line}\n" for line in remedy.commands)


def _readable(source: str) -> str:
    """What to read again: standard input where it was no file."""
    return source if Path(source).is_file() else "-"


def _is_about(change: Change, source: str, line: int) -> bool:
    """Whether a change is one of the manifest that the pod was read from, which stands at a line of its source."""
    if change.patch is None or not line:
        return False
    if _readable(source) != source:
        return change.target.kind == "Pod" or change.target.kind in WORKLOAD_KIND_BY_NAME
    try:
        document = document_at(Path(source).read_text(), line)
    except (OSError, ValueError, LookupError, yaml.YAMLError):
        return False
    named = document.get("metadata", {}) if isinstance(document, dict) else {}
    return (document.get("kind"), named.get("name", "")) == (change.target.kind, change.target.name)


def _diff(change: Change, source: str, line: int) -> str:
    """The change of a manifest as a unified diff; empty if it takes more than a few lines."""
    text = Path(source).read_text() if _readable(source) == source else ""
    after = edited(text, line, change.patch or ()) if text else None
    if after is None:
        return ""
    return diff(source, text, after)
