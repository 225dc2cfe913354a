"""A rule: what it is called, how bad it is, what it looks at, and its page."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files

from msgspec import Struct

from kexplain.explain.output import copied
from kexplain.lint.findings import RuleDescription, RuleExample, Severity
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.problem import Problem
from kexplain.patterns import regex

_PAGE = regex(r"---\nseverity: (?P<severity>.*)\ntitle: (?P<title>.*)\n---\n(?P<text>[\s\S]*)")
_BLOCK = regex(r"^## (?P<title>Bad|Good|Cluster)\n(?:.*\n)*?```yaml\n(?P<text>(?:.*\n)*?)```", re.MULTILINE)


@cache
def _page(rule: str) -> re.Match[str]:
    """The page of a rule: severity and title in front, then the text."""
    found = _PAGE.fullmatch(files("kexplain.lint.pages").joinpath(f"{rule}.md").read_text(encoding="utf-8"))
    assert found is not None, rule  # noqa: S101 - a page as the tests have it
    return found


class Rule(Struct, frozen=True):
    """One rule; those without a check report what reading, admission and scheduling found."""

    id: str
    of_workload: Callable[[Workload, Surroundings], Iterator[Problem]] | None = None
    of_object: Callable[[Subject, Surroundings], Iterator[Problem]] | None = None

    @property
    def title(self) -> str:
        """What is wrong where it finds something."""
        return _page(self.id)["title"]

    @property
    def severity(self) -> Severity:
        """How bad it is, unless settings say otherwise."""
        return Severity(_page(self.id)["severity"])

    @property
    def needs_cluster(self) -> bool:
        """Whether it says nothing without a cluster, of which its page then has an example."""
        return "\n## Cluster\n" in self.page

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
        return _page(self.id)["text"]

    def describe(self) -> RuleDescription:
        """The rule with its page, and the examples out of it."""
        blocks = {match["title"]: match["text"] for match in _BLOCK.finditer(self.page)}
        cluster = blocks.get("Cluster", "")
        bad, good = (RuleExample(manifests=blocks[name], cluster=cluster) for name in ("Bad", "Good"))
        return copied(self, RuleDescription, bad=bad, good=good)
