"""What one run of lint goes by, and what it is to pass over."""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec
from msgspec import Struct

from kexplain.admission.optional_plugins import AdmissionPlugin
from kexplain.lint.baseline import Known
from kexplain.lint.findings import Finding, Severity
from kexplain.validation.releases import RELEASE

_Progress = Callable[[int, int], None]


class Ignore(Struct):
    """One rule that is ignored, and for what: a line of a source, an object, or all that patterns match.

    `by` says where it is written; that place is `source`, `line` and `column`.
    """

    rule: str
    reason: str
    by: str
    source: str
    line: int
    column: int = 1
    #: The lines that a comment stands above.
    lines: frozenset[int] = frozenset()
    object: str = ""
    #: Whether the object is put together from several files.
    is_of_several: bool = False
    paths: Sequence[str] = ()
    objects: Sequence[str] = ()
    is_used: bool = False

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is one of those that are meant."""
        if self.rule not in (finding.rule, *finding.also) or not self.reason:
            return False
        if self.lines:
            return finding.source == self.source and finding.line in self.lines
        if self.object:
            return (finding.source == self.source or self.is_of_several) and finding.object == self.object
        return _any(self.paths, finding.rendered_from or finding.source) and _any(self.objects, finding.object)


class LintOptions(Struct, frozen=True, kw_only=True):
    """What to go by. `known` is what a baseline holds; `ignores` are those of the settings."""

    namespace: str = "default"
    severities: Mapping[str, Severity] = msgspec.field(default_factory=dict)
    ignores: tuple[Ignore, ...] = ()
    #: Optional admission plugins that the API server runs.
    plugins: frozenset[AdmissionPlugin] = frozenset()
    #: That must serve the API version of each manifest and know its fields.
    releases: tuple[str, ...] = (RELEASE,)
    known: Known = msgspec.field(default_factory=Known)
    progress: _Progress | None = None
    #: Whether replicas are placed, which takes longest.
    places: bool = True
    #: Of kexplain, for the report.
    version: str = ""


def _any(patterns: Sequence[str], text: str) -> bool:
    """Whether one of the patterns matches; none at all match everything."""
    return not patterns or any(fnmatchcase(text, pattern) or fnmatchcase(text, f"*/{pattern}") for pattern in patterns)
