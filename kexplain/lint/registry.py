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

_MODULES = (
    verdicts, nodes, spreading, amounts, gates, references, names, ports, selectors, availability, rivals, ignoring,
)  # fmt: skip
RULES: tuple[Rule, ...] = tuple(rule for module in _MODULES for rule in module.RULES)
RULE_BY_ID = {rule.id: rule for rule in RULES}
