"""Findings that somebody has decided to live with: where they say so, and whether it still holds."""

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from kexplain.grouping import grouped
from kexplain.lint.findings import Finding, Ignored
from kexplain.lint.options import Ignore
from kexplain.lint.registry import RULE_BY_ID
from kexplain.lint.rule import Rule
from kexplain.lint.rules.ignoring import NO_REASON, UNKNOWN_RULE, UNUSED
from kexplain.lint.subjects import Subject
from kexplain.objects.problem import Path
from kexplain.patterns import regex
from kexplain.words import clauses, did_you_mean

#: `# kexplain:ignore RULE reason` on the line above, or at its end.
MARKER = "kexplain:ignore"
#: `RULE: reason`, one a line.
ANNOTATION = "kexplain.io/ignore"
_COMMENT = regex(rf"(?P<before>(?:.*\s)?)#\s*{MARKER}\b[\s:]*(?P<rule>[^\s:]*)[\s:]*(?P<reason>.*)")
_ENTRY = regex(r"\s*(?P<rule>[^\s:]+)\s*:?\s*(?P<reason>.*)")
_OPENS = regex(r"\s*(-\s+)?[^#\s][^#]*:\s*(#.*)?$")


class Sorted(Struct):
    """Findings, and those that are ignored."""

    kept: list[Finding] = msgspec.field(default_factory=list)
    ignored: list[Ignored] = msgspec.field(default_factory=list)


def apply(ignores: Iterable[Ignore], findings: Iterable[Finding]) -> Sorted:
    """The findings parted by the ignores, the first that covers one counting."""
    by_rule, parted = grouped((ignore.rule, ignore) for ignore in ignores), Sorted()
    for finding in findings:
        of_its_rules = (each for rule in (finding.rule, *finding.also) for each in by_rule.get(rule, ()))
        covering = [each for each in of_its_rules if each.covers(finding)]
        for each in covering:
            each.is_used = True
        if covering:
            parted.ignored.append(Ignored(finding=finding, reason=covering[0].reason, by=covering[0].by))
        else:
            parted.kept.append(finding)
    return parted


def problems(ignores: Iterable[Ignore], *, has_cluster: bool) -> Iterator[tuple[Ignore, Rule, str]]:
    """What is wrong with the ignores themselves, once they were applied."""
    for ignore in ignores:
        rule = RULE_BY_ID.get(ignore.rule)
        if rule is None:
            named = f"there is no rule {ignore.rule}" if ignore.rule else "no rule is named"
            yield ignore, UNKNOWN_RULE, clauses(named, did_you_mean(ignore.rule, RULE_BY_ID))
        elif not ignore.reason:
            yield ignore, NO_REASON, f"{ignore.rule} is not ignored, as no reason is given"
        elif not ignore.is_used and (has_cluster or not rule.needs_cluster):
            yield ignore, UNUSED, f"{ignore.rule} no longer finds anything here"


# --------------------------------------------------------------------------------------------- where they stand


def commented(source: str, lines: Sequence[str]) -> Iterator[Ignore]:
    """The ignores in comments of a text: for the line that they end, or all that stand together for the one below."""
    for number, line in enumerate(lines, 1):
        match = _COMMENT.match(line)
        if match is None:
            continue
        covered = frozenset({number}) if match["before"].strip() else _below(lines, number)
        column = match.end("before") + 1
        yield Ignore(match["rule"], match["reason"].strip(), "comment", source, number, column, lines=covered)


def _below(lines: Sequence[str], number: int) -> frozenset[int]:
    """The line that a comment is for; where that opens a list or an object, its first line as well."""
    at = number
    while at < len(lines) and lines[at].lstrip().startswith("#"):
        at += 1
    covered = {at + 1}
    if at < len(lines) and _OPENS.match(lines[at]):
        at += 1
        while at < len(lines) and (not lines[at].strip() or lines[at].lstrip().startswith("#")):
            at += 1
        covered.add(at + 1)
    return frozenset(covered)


def annotated(subject: Subject) -> Iterator[Ignore]:
    """The ignores in the annotation of an object, one a line: `RULE: reason`."""
    metadata = subject.manifest.value.get("metadata")
    held = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = held.get(ANNOTATION) if isinstance(held, dict) else None
    if not isinstance(text, str):
        return
    path: Path = ("metadata", "annotations", ANNOTATION)
    origin = subject.manifest.origin
    line, column, _, place = origin.mark(path)
    at = (place or origin.source, line or 1, column or 1)
    for entry in filter(None, (each.strip() for each in re.split(r"[\n;]", text))):
        if match := _ENTRY.match(entry):
            rule, reason = match["rule"], match["reason"].strip()
            yield Ignore(rule, reason, "annotation", *at, object=subject.name, is_of_several=bool(place))
