"""Every rule's page holds its tests: what it speaks against, and what is as it should be."""

from __future__ import annotations

from importlib.resources import files

import pytest

from kexplain.lint.registry import RULES
from kexplain.lint.rule import Rule
from tests.lint.linting import linted, rules_of


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_finds_something_in_its_bad_example_only(rule: Rule) -> None:
    bad, good = rule.describe().bad, rule.describe().good
    findings = linted(bad.manifests, bad.cluster).findings
    # What keeps a pod out is part of the finding that it does not fit.
    found = [finding for finding in findings if rule.id in (finding.rule, *finding.also)]
    assert found
    assert all(finding.severity is rule.severity or (finding.also and finding.line > 0) for finding in found)
    assert rules_of(linted(good.manifests, good.cluster)) == []
    assert bool(bad.cluster) == rule.needs_cluster
    if rule.needs_cluster:
        assert rule.id not in rules_of(linted(bad.manifests))


def test_every_page_belongs_to_a_rule_and_begins_with_its_name() -> None:
    pages = {page.name for page in files("kexplain.lint.pages").iterdir() if page.name.endswith(".md")}
    assert pages == {f"{rule.id}.md" for rule in RULES}
    assert all(rule.page.startswith(f"# {rule.id}\n") and rule.title for rule in RULES)


def test_no_two_rules_share_a_name() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
