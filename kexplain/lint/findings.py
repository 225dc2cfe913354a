"""What lint says, as it is rendered and as JSON publishes it under `kexplain/v1`."""

from __future__ import annotations

import hashlib
from enum import StrEnum

from kexplain.explain.output import Output
from kexplain.explain.records import Document

#: How messages begin whose subject is the field.
_SAID_OF_A_FIELD = ("is ", "has ", "must ", "needs ", "may ", "cannot ", "tolerates ", "repeats ")


class Severity(StrEnum):
    """How bad it is: an error fails when it is applied, a warning is probably a mistake."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    def reaches(self, least: Severity) -> bool:
        """Whether it is as bad as this, or worse."""
        return list(Severity).index(self) >= list(Severity).index(least)


class Excerpt(Output, frozen=True):
    """Lines of a file from `first_line` on, each from `first_column` on; both count from 1."""

    first_line: int
    lines: tuple[str, ...]
    first_column: int = 1


class Finding(Output, frozen=True):
    """One thing that one rule has found.

    `message` names the field and stands alone. `line` and `column` count from 1, and `length` characters from there on
    are meant; 0 where it is not one word.
    `excerpt` has the lines around it; null where they are not to be had, and for Secrets. `field` is a path within
    `object`, such as `spec.template.spec.nodeSelector`, and for what an API server refuses its name there, such as
    `spec.hard[cpu]`; both are empty for findings about a file.
    `instead` is what has to stand in place of these characters, if that is certain; or the key there has to move to the
    right by `indent` columns, with all that is below it, or to the left by a negative number of them.
    `also` are rules that find the consequence of it: to ignore it by one of them is enough.
    `rendered_from` is the template that a comment in the rendered text names.
    `fingerprint` stays the same while the finding moves up or down in its file. `written` is a hash of the one value
    that is at fault; empty where no value is, and for Secrets.
    """

    rule: str
    severity: Severity
    message: str
    source: str
    line: int
    column: int
    object: str = ""
    field: str = ""
    rendered_from: str = ""
    fingerprint: str = ""
    written: str = ""
    length: int = 0
    instead: str | None = None
    excerpt: Excerpt | None = None
    indent: int = 0
    also: tuple[str, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether it says how to correct what it is about."""
        return self.instead is not None or self.indent != 0


class Ignored(Output, frozen=True):
    """A finding that somebody has decided to live with: why, and where that is said."""

    finding: Finding
    reason: str
    by: str


class LintReport(Document, frozen=True, kw_only=True):
    """Everything that one run has to say; findings are in the order of their places.

    `version` is that of kexplain. `known` counts findings that the baseline holds. `placed` counts the replicas that
    were tried on the cluster; null without one.
    """

    kind: str = "LintReport"
    version: str
    kubernetes_version: str
    findings: tuple[Finding, ...]
    ignored: tuple[Ignored, ...] = ()
    known: int = 0
    files: int = 0
    objects: int = 0
    workloads: int = 0
    placed: int | None = None
    notes: tuple[str, ...] = ()

    def count(self, severity: Severity) -> int:
        """How many findings of one severity there are."""
        return sum(1 for finding in self.findings if finding.severity is severity)


class RuleExample(Output, frozen=True):
    """Manifests, and the cluster that they are for, if that matters."""

    manifests: str
    cluster: str = ""


class RuleDescription(Output, frozen=True):
    """A rule as `kexplain rules` lists it; `page` is Markdown."""

    id: str
    severity: Severity
    title: str
    needs_cluster: bool
    page: str
    bad: RuleExample
    good: RuleExample


class RuleListing(Document, frozen=True, kw_only=True):
    """All rules, or those that were asked for."""

    kind: str = "RuleListing"
    rules: tuple[RuleDescription, ...]


def standing_alone(field: str, message: str) -> str:
    """The message with the field that it is about, if it does not name it itself."""
    if not field or field in message:
        return message
    return f"{field} {message}" if message.startswith(_SAID_OF_A_FIELD) else f"{field}: {message}"


def fingerprint(*parts: str) -> str:
    """A hash of what identifies a finding."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=10).hexdigest()
