"""`kexplain rules`: what lint looks for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from kexplain.cli.output import parse_targets, write
from kexplain.errors import UsageError
from kexplain.lint.findings import RuleListing
from kexplain.lint.registry import RULE_BY_ID, RULES
from kexplain.render.rules import FORMATS, render
from kexplain.render.view import View
from kexplain.words import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for: one rule, or all of them."""

    rule: str
    outputs: list[str]
    color: str
    width: int | None


def run(request: Request) -> int:
    """Always 0: a rule that there is not is raised."""
    targets = parse_targets(request.outputs, FORMATS)
    if request.rule and request.rule not in RULE_BY_ID:
        hint = did_you_mean(request.rule, RULE_BY_ID) or "kexplain rules lists them"
        raise UsageError(f"there is no rule {request.rule}", hint)
    rules = [RULE_BY_ID[request.rule]] if request.rule else RULES
    listing = RuleListing(rules=tuple(rule.describe() for rule in rules))
    for target in targets:
        write(partial(render, target.format, listing), View(width=request.width), target, color=request.color)
    return 0
