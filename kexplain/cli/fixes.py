"""A remedy ready to apply: a diff of the manifest that it changes, and commands for all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from kexplain.cli.corrections import diff
from kexplain.errors import UsageError
from kexplain.explain.changes import Change
from kexplain.explain.commands import commands
from kexplain.explain.records import PodExplanation, Remedy
from kexplain.load.text.yaml_edit import document_at, edited
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
    others: list[Change] = []
    for change in remedy.changes:
        changed = _diff(change, pod.pod.source, pod.pod.line)
        if changed:
            yield changed
        else:
            others.append(change)
    lines = remedy.commands if len(others) == len(remedy.changes) else commands(others, {})
    yield from (f"{line}\n" for line in lines)


def _diff(change: Change, source: str, line: int) -> str:
    """The change of a manifest as a unified diff; empty if it is not about that, or takes more than a few lines."""
    path = Path(source)
    if change.patch is None or not line or not path.is_file():
        return ""
    try:
        text = path.read_text()
        document = document_at(text, line)
    except (OSError, ValueError, yaml.YAMLError):
        return ""
    named = document.get("metadata", {}) if isinstance(document, dict) else {}
    if (document.get("kind"), named.get("name", "")) != (change.target.kind, change.target.name):
        return ""
    after = edited(text, line, change.patch)
    if after is None:
        return ""
    return diff(source, text, after)
