"""`kexplain rules`: what lint looks for."""

from kexplain.cli.output import write
from kexplain.cli.requests.rules import Request
from kexplain.errors import UsageError
from kexplain.lint.findings import RuleListing
from kexplain.lint.registry import RULE_BY_ID, RULES
from kexplain.words import did_you_mean


def run(request: Request) -> int:
    """Always 0: an unknown rule is raised."""
    targets = request.report.targets(request.reports)
    rule = request.rule
    if rule and rule not in RULE_BY_ID:
        hint = did_you_mean(rule, RULE_BY_ID) or "kexplain rules lists them"
        raise UsageError(f"there is no rule {rule}", hint)
    rules = [RULE_BY_ID[rule]] if rule else RULES
    write(RuleListing(rules=tuple(each.describe() for each in rules)), request.report, targets)
    return 0
