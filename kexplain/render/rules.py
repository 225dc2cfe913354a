"""The rules of `kexplain lint`, listed, or one of them with its page."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from kexplain.lint.findings import RuleDescription, RuleListing
from kexplain.render import json, yaml
from kexplain.render.layout import new_table, stacked, text
from kexplain.render.view import View

FORMATS = ("text", "json", "yaml", "markdown")


def render(output_format: str, listing: RuleListing, view: View) -> str | RenderableType:  # noqa: ARG001
    """The listing in a format; a single rule is shown with its page."""
    match output_format:
        case "json":
            return json.document(listing)
        case "yaml":
            return yaml.document(listing)
        case "markdown":
            return "\n".join(_page(rule) for rule in listing.rules)
        case _:
            return _pages(listing) if len(listing.rules) == 1 else _table(listing)


def _page(rule: RuleDescription) -> str:
    needs = ", looks only where a cluster is given" if rule.needs_cluster else ""
    head, _, body = rule.page.partition("\n")
    return f"{head}\n\n{rule.title} ({rule.severity}{needs}).\n{body.rstrip()}\n"


def _pages(listing: RuleListing) -> RenderableType:
    return Group(*(stacked(_page(rule).splitlines()) for rule in listing.rules))


def _table(listing: RuleListing) -> RenderableType:
    table = new_table("RULE", "SEVERITY", "NEEDS", "WHAT IT SAYS")
    for rule in listing.rules:
        table.add_row(rule.id, rule.severity.value, "cluster" if rule.needs_cluster else "", text(rule.title))
    return Group(table, Text(), Text("kexplain rules ID shows the page of a rule, with examples", style="dim"))
