"""A remedy ready to apply: a diff of the manifest that it changes, and commands for all else."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import yaml

from kexplain.case import Case
from kexplain.cli.corrections import diff, diffs, write_corrections
from kexplain.errors import UsageError
from kexplain.explanation.records import PodExplanation
from kexplain.lint.corrections import Correction, TextEdit
from kexplain.lint.corrections import edited as with_words
from kexplain.lint.excerpts import mentions_secret
from kexplain.load.json_patch import Operation, steps_of
from kexplain.load.loaded import NOWHERE, Origin
from kexplain.load.text.source import BOM
from kexplain.load.text.yaml_edit import document_at, edited, inline
from kexplain.objects.changes import Change
from kexplain.objects.node_pools import zone_of
from kexplain.objects.problem import path_text
from kexplain.objects.untrusted import at
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.parameters import parameter
from kexplain.remedies.commands import to_manifest
from kexplain.remedies.records import Rank, Remedy
from kexplain.render.harmless import printable
from kexplain.shell import command
from kexplain.words import clauses, joined


class Fix(NamedTuple):
    """A remedy as it is printed, and notes on the parts of it that have no command."""

    text: str
    notes: tuple[str, ...]


class NothingToPrintError(UsageError):
    """That no command carries out what helps, or that nothing is to be helped."""


#: Where manifests are that were put together of several files, by the source and line that stand for each.
Built: TypeAlias = Mapping[tuple[str, int], Origin]


def built(case: Case) -> Built:
    """The manifests of a case that kustomizations have put together: no file of their own has all of one."""
    origins = ((each.source, each.line, each.manifest) for each in case.pods)
    return {(source, line): origin for source, line, origin in origins if origin is not None and origin.mark().source}


def fix(
    pods: Sequence[PodExplanation],
    number: int,
    uncreated: Sequence[Remedy] = (),
    again: Sequence[str] | None = (),
    built: Built = MappingProxyType({}),
) -> Fix:
    """The remedy of that number, from 1, for the one pod or workload that does not fit.

    `uncreated` is what helps against pods that were never created, where no pod is pending; `again` is what a further
    command says to look at the same cluster.

    Raises UsageError if there is no such remedy, or if several do not fit.
    """
    if uncreated and all(each.fits for each in pods):
        remedy = _numbered(uncreated, number)
        if not remedy.commands:
            raise _by_hand(remedy, number, [at for at, each in enumerate(uncreated, 1) if each.commands])
        return Fix("".join(_lines(remedy)), ())
    remedy, pod = _chosen(pods, number, again)
    origin = built.get((pod.pod.source, pod.pod.line))
    text = "".join(_written(remedy, pod, origin))
    left_out = tuple(_left_out(remedy, pod, origin))
    if text:
        return Fix(text, tuple(f"remedy {number} takes more than this: {each}" for each in left_out))
    others = [at for at, each in enumerate(pod.remedies, 1) if any(_written(each, pod, origin))]
    raise _by_hand(remedy, number, others, joined(left_out), pod.held.command if pod.held else "")


def _by_hand(
    remedy: Remedy, number: int, others: Sequence[int], left_out: str = "", shows: str = ""
) -> NothingToPrintError:
    """Why nothing is printed of a remedy, what shows more, and which others have commands, if any."""
    which = f"remedies {joined([*map(str, others)])} have commands" if others[1:] else "another remedy has commands"
    instead = f"{which}: {parameter('fix', str(others[0]))}" if others else ""
    by_hand = left_out or clauses("do it by hand", f"{shows} shows more" if shows else "")
    how = "it happens by itself" if remedy.rank == Rank.BY_ITSELF else by_hand
    return NothingToPrintError(f"remedy {number} has no command: {remedy.text}", clauses(how, instead))


def write_fix(pods: Sequence[PodExplanation], number: int, again: Sequence[str] | None, built: Built) -> str:
    """Make the changes of that remedy in the file of the manifest, and say what was changed.

    Raises UsageError where it takes anything else.
    """
    remedy, pod = _chosen(pods, number, again)
    source, line = pod.pod.source, pod.pod.line
    sources = _in_sources(remedy, built.get((source, line)))
    if sources and not remedy.commands and all(each.in_manifest for each in remedy.changes):
        return write_corrections(sources)
    in_file = all(_is_about(each, source, line) for each in remedy.changes) and _readable(source) == source
    if not remedy.changes or remedy.commands or not in_file or (source, line) in built:
        raise UsageError(f"remedy {number} changes more than the file of the manifest", "leave out --write to see it")
    before = Path(source).read_bytes().removeprefix(BOM)
    after: str | None = before.decode()
    for change in remedy.changes:
        after = edited(after, line, change.operations) if after else None
    if not after:
        raise UsageError(f"remedy {number} changes more than a few lines of {source}", "leave out --write to see it")
    return write_corrections([Correction(source, before, after.encode(), len(remedy.changes))])


def _chosen(pods: Sequence[PodExplanation], number: int, again: Sequence[str] | None) -> tuple[Remedy, PodExplanation]:
    pending = [each for each in pods if not each.fits]
    if len({(each.pod.namespace, each.pod.workload or each.pod.name) for each in pending}) > 1:
        first = pending[0].pod
        named = first.argument
        if again is not None:
            # What stands in a manifest is found by its name where that is one of the cluster's files.
            file = ("--cluster", first.source) if first.line and Path(first.source).is_file() else ()
            flags = [*again, *file, "--fix", str(number)]
            named = command("kexplain", named, namespace=first.namespace, flags=flags)
        which = f"{parameter('fix')} is for one pod or workload, and {len(pending)} pods do not fit"
        raise UsageError(which, f"name one: {named}")
    pod = next((each for each in pending if each.remedies), None)
    if pod is None:
        why = "nothing is known that would help" if pending else "every pod fits"
        raise NothingToPrintError("there is nothing to fix", why)
    return _numbered(pod.remedies, number, f"; {parameter('all_remedies')} lists every one"), pod


def _numbered(remedies: Sequence[Remedy], number: int, more: str = "") -> Remedy:
    if number > len(remedies):
        there = f"there are 1 to {len(remedies)}" if len(remedies) > 1 else "there is only 1"
        raise UsageError(f"there is no remedy {number}", f"{there}{more}")
    return remedies[number - 1]


def _written(remedy: Remedy, pod: PodExplanation, built: Origin | None) -> Iterator[str]:
    yield from filter(None, [diffs(_in_sources(remedy, built))])
    for change in remedy.changes:
        if built is None and _is_about(change, pod.pod.source, pod.pod.line):
            yield _diff(change, pod.pod.source, pod.pod.line) or f"{to_manifest(change, _readable(pod.pod.source))}\n"
    yield from _lines(remedy)


def _lines(remedy: Remedy) -> Iterator[str]:
    """The commands; where they change nothing, behind what is to be done."""
    # Where nobody has tried it, it may be right on a condition only.
    if remedy.commands and not remedy.tried:
        yield f"# {printable(remedy.text)}\n"
    if remedy.only_shows:
        yield "# this changes nothing, and shows more:\n"
    yield from (f"{line}\n" for line in remedy.commands)


def _left_out(remedy: Remedy, pod: PodExplanation, built: Origin | None) -> Iterator[str]:
    """What has to be done besides: nodes come from elsewhere, and manifests may have been made of others."""
    is_in_sources = bool(_in_sources(remedy, built))
    yield from _nodes_to_add([each for each in remedy.changes if each.verb == "create" and each.target.kind == "Node"])
    for change in remedy.changes:
        target = change.target
        if change.in_manifest and built is not None:
            yield from () if is_in_sources else (_in_place(each, built) for each in change.operations)
        elif change.in_manifest and not _is_about(change, pod.pod.source, pod.pod.line):
            yield f"change {target.kind} {target.name} in what its manifest is made of: {json.dumps(change.patch)}"


def _nodes_to_add(made: Sequence[Change]) -> Iterator[str]:
    zones = dict.fromkeys(zone_of((each.object or {}).get("metadata", {}).get("labels") or {}) for each in made)
    if made:
        what = f"{'node' if len(made) == 1 else 'nodes'} {joined([each.target.name for each in made])}"
        where = f" in zone {joined([*zones])}" if all(zones) else ""
        yield f"add {what}{where} through the pool, an autoscaler or by hand"


def _in_sources(remedy: Remedy, built: Origin | None) -> list[Correction]:
    """What a remedy changes in the files that a manifest was put together of; none where it takes more than words."""
    edits: dict[str, set[TextEdit]] = {}
    for operation in (each for change in remedy.changes if change.in_manifest for each in change.operations):
        mark, value = built.mark(_steps(operation)) if built else NOWHERE, operation.get("value")
        if not (mark.length and mark.source and isinstance(value, str | int)):
            return []
        edits.setdefault(mark.source, set()).add(TextEdit(*mark[:3], inline(value)))
    found = []
    for source, words in edits.items():
        before = Path(source).read_bytes().removeprefix(BOM)
        around = 0 if mentions_secret(before) else 3
        found.append(Correction(source, before, with_words(before, words), len(words), around))
    return found


def _steps(operation: Operation) -> list[str | int]:
    return [int(step) if step.isdecimal() else step for step in steps_of(operation["path"])]


def _in_place(operation: Operation, built: Origin) -> str:
    """What an operation comes to, and where the value stands that it is about, or the nearest around it."""
    steps = _steps(operation)
    line, _, _, source = built.mark(steps)
    to = f" to {json.dumps(operation['value'])}" if "value" in operation else ""
    return f"{'set' if to else 'remove'} {path_text(steps)}{to} ({source or built.source}:{line})"


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
    # A list of manifests names none by its place.
    return (at(document, "kind"), at(document, "metadata", "name") or "") == (change.target.kind, change.target.name)


def _readable(source: str) -> str:
    """What to read again: standard input where it was no file."""
    return source if Path(source).is_file() else "-"


def _diff(change: Change, source: str, line: int) -> str:
    """The change of a manifest as a unified diff; empty if it takes more than a few lines."""
    text = Path(source).read_text() if _readable(source) == source else ""
    after = edited(text, line, change.operations) if text else None
    if after is None:
        return ""
    return diff(source, text, after, 0 if mentions_secret(text.encode()) else 3)
