"""The pages of rules as they are written."""

from kexplain.lint.findings import RuleDescription, RuleListing
from kexplain.render.view import View


def render(listing: RuleListing, view: View) -> str:
    """A page for each rule."""
    return "\n".join(page(rule) for rule in listing.rules)


def page(rule: RuleDescription) -> str:
    """The page of a rule: its title, its severity, and what it says."""
    needs = ", needs a cluster" if rule.needs_cluster else ""
    head, _, body = rule.page.partition("\n")
    return f"{head}\n\n{rule.title} ({rule.severity}{needs}).\n{body.rstrip()}\n"
