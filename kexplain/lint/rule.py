"""A rule: what it is called, how bad it is, what it looks at, and its page."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from kexplain.lint.findings import RuleDescription, RuleExample, Severity
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.problem import Problem
from kexplain.patterns import regex
from kexplain.tables import text

_BLOCK = regex(r"^## (?P<title>Bad|Good|Cluster)\n(?:.*\n)*?```yaml\n(?P<text>(?:.*\n)*?)```", re.MULTILINE)


class _Row(Struct, frozen=True):
    """What `lint-rules.json` among the tables says of a rule; one that needs a cluster says nothing without one."""

    id: str
    severity: Severity
    title: str
    needs_cluster: bool = False


@cache
def _rows() -> dict[str, _Row]:
    return {row.id: row for row in msgspec.json.decode(text("lint-rules.json"), type=list[_Row])}


class Rule(Struct, frozen=True):
    """One rule; those without a check report what reading, admission and scheduling found."""

    id: str
    of_workload: Callable[[Workload, Surroundings], Iterator[Problem]] | None = None
    of_object: Callable[[Subject, Surroundings], Iterator[Problem]] | None = None

    @property
    def title(self) -> str:
        """What is wrong where it finds something."""
        return _rows()[self.id].title

    @property
    def severity(self) -> Severity:
        """How bad it is, unless settings say otherwise."""
        return _rows()[self.id].severity

    @property
    def needs_cluster(self) -> bool:
        """Whether it says nothing without a cluster."""
        return _rows()[self.id].needs_cluster

    def look(self, subject: Subject, around: Surroundings) -> Iterator[Problem]:
        """What the rule says of a workload or another object."""
        if self.needs_cluster and not around.has_cluster:
            return
        if self.of_object is not None:
            yield from self.of_object(subject, around)
        if self.of_workload is not None and isinstance(subject, Workload):
            yield from self.of_workload(subject, around)

    @property
    def page(self) -> str:
        """The documentation of the rule, as Markdown."""
        return files("kexplain.lint.pages").joinpath(f"{self.id}.md").read_text(encoding="utf-8")

    def describe(self) -> RuleDescription:
        """The rule with its page, and the examples out of it."""
        page = self.page
        blocks = {match["title"]: match["text"] for match in _BLOCK.finditer(page)}
        cluster = blocks.get("Cluster", "")
        return RuleDescription(
            id=self.id,
            severity=self.severity,
            title=self.title,
            needs_cluster=self.needs_cluster,
            page=page,
            bad=RuleExample(manifests=blocks["Bad"], cluster=cluster),
            good=RuleExample(manifests=blocks["Good"], cluster=cluster),
        )
