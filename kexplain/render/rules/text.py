"""The rules of `kexplain lint`, listed, or one of them with its page."""

from kexplain.lint.findings import RuleListing
from kexplain.render.blocks import Block, Group, Text, stacked
from kexplain.render.fitting_table import FittingTable
from kexplain.render.rules.markdown import page
from kexplain.render.view import View


def render(listing: RuleListing, view: View) -> Block:
    """A table; a single rule is shown with its page."""
    if len(listing.rules) == 1:
        return stacked(page(listing.rules[0]).splitlines())
    table = FittingTable(("RULE", "SEVERITY", "NEEDS", "WHAT IT FINDS"))
    for rule in listing.rules:
        table.add_row(rule.id, rule.severity.value, "cluster" if rule.needs_cluster else "", Text(rule.title))
    return Group(table, Text(), Text("kexplain rules ID shows the page of a rule, with examples", style="dim"))
