"""All rules; one is added by adding it to its module, and a page with its examples."""

from __future__ import annotations

from difflib import get_close_matches

from kexplain.lint.rule import Rule
from kexplain.lint.rules import amounts, availability, ignoring, nodes, references, spreading, verdicts

RULES: tuple[Rule, ...] = (
    *verdicts.RULES,
    *nodes.RULES,
    *spreading.RULES,
    *amounts.RULES,
    *references.RULES,
    *availability.RULES,
    *ignoring.RULES,
)
RULE_BY_ID = {rule.id: rule for rule in RULES}


def nearest_rule(name: str) -> str:
    """The id that may have been meant; empty if none is near."""
    return next(iter(get_close_matches(name, RULE_BY_ID, n=1, cutoff=0.5)), "")
