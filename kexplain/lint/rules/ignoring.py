"""Ignores that ignore nothing, or do not say why."""

from kexplain.lint.findings import Severity
from kexplain.lint.rule import Rule

UNKNOWN_RULE = Rule("ignore-of-unknown-rule", Severity.ERROR, "An ignore that names no rule")
NO_REASON = Rule("ignore-without-reason", Severity.ERROR, "An ignore that does not say why")
UNUSED = Rule("ignore-unused", Severity.WARNING, "An ignore that ignores nothing")

RULES = (UNKNOWN_RULE, NO_REASON, UNUSED)
