"""Every rule's page holds its tests: what it speaks against, and what is as it should be."""

from __future__ import annotations

from importlib.resources import files

import pytest

from kexplain.lint.registry import RULES
from kexplain.lint.rule import Rule
from tests.lint.linting import linted, rules_of

EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


@EVERY_RULE
def test_the_bad_example_is_found(rule: Rule) -> None:
    bad = rule.describe().bad
    report = linted(bad.manifests, bad.cluster)
    found = [finding for finding in report.findings if finding.rule == rule.id]
    assert found
    assert all(finding.severity is rule.severity and finding.line > 0 for finding in found)


@EVERY_RULE
def test_nothing_is_found_in_the_good_example(rule: Rule) -> None:
    good = rule.describe().good
    assert rules_of(linted(good.manifests, good.cluster)) == []


@EVERY_RULE
def test_rules_that_need_a_cluster_have_one_in_their_examples_and_say_nothing_without(rule: Rule) -> None:
    bad = rule.describe().bad
    assert bool(bad.cluster) == rule.needs_cluster
    if rule.needs_cluster:
        assert rule.id not in rules_of(linted(bad.manifests))


def test_every_page_belongs_to_a_rule_and_begins_with_its_name() -> None:
    pages = {
        page.name: page.read_text() for page in files("kexplain.lint.pages").iterdir() if page.name.endswith(".md")
    }
    assert set(pages) == {f"{rule.id}.md" for rule in RULES}
    assert all(text.startswith(f"# {name.removesuffix('.md')}\n") for name, text in pages.items())


def test_no_two_rules_share_a_name() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
