"""All rules; one is added by adding it to its module, and a page with its examples."""

from kexplain.lint.rule import Rule
from kexplain.lint.rules import (
    amounts,
    availability,
    gates,
    ignoring,
    names,
    nodes,
    ports,
    references,
    rivals,
    selectors,
    spreading,
    verdicts,
)

RULES: tuple[Rule, ...] = (
    *verdicts.RULES,
    *nodes.RULES,
    *spreading.RULES,
    *amounts.RULES,
    *gates.RULES,
    *references.RULES,
    *names.RULES,
    *ports.RULES,
    *selectors.RULES,
    *availability.RULES,
    *rivals.RULES,
    *ignoring.RULES,
)
RULE_BY_ID = {rule.id: rule for rule in RULES}
