"""Ignores that ignore nothing, or do not say why."""

from kexplain.lint.rule import Rule

UNKNOWN_RULE = Rule("ignore-of-unknown-rule")
NO_REASON = Rule("ignore-without-reason")
UNUSED = Rule("ignore-unused")

RULES = (UNKNOWN_RULE, NO_REASON, UNUSED)
