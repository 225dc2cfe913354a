"""Node names without what all of them end in, such as `.eu-west-1.compute.internal`: it is said once."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.patterns import regex
from kexplain.render.blocks import Block, Group, Text
from kexplain.render.layout import text
from kexplain.render.view import View

AnyOutput = TypeVar("AnyOutput", bound=Output)

#: Where a report names nodes, in its JSON; such names need no escapes there.
_NODES = regex(rb'"(?:node|fromNode)":"([^"]*)"|"(?:nodes|best)":\[("[^\]]*)\]|"byNode":\{([^}]*)\}')
_NAME = regex(rb'[^",:]{2,}')
#: What follows the name of a node in that of a new one like it.
_NEW = "-new-"
#: Shorter ones are no burden.
_SHORTEST = 8


def with_short_names(report: AnyOutput, view: View) -> tuple[AnyOutput, View, str]:
    """The report and what to show of it with short names, and what they end in; commands for a shell stay as they are.

    The end is empty where names share none, and all stays as it is.
    """
    written = msgspec.json.encode(report)
    found = (name for groups in _NODES.findall(written) for group in groups for name in _NAME.findall(group))
    end = _shared_end({name.decode().partition(_NEW)[0] for name in found})
    if not end:
        return report, view, ""
    pattern = re.compile(rb'(kubectl [^";]*)|' + re.escape(end.encode()))
    shorter = pattern.sub(lambda match: match[1] or b"", written)
    return msgspec.json.decode(shorter, type=type(report)), replace(view, node=view.node.removesuffix(end)), end


def under(rendered: Block, end: str) -> Block:
    """What is rendered, and below it what its names end in."""
    return Group(rendered, Text(), text(f"the names of all nodes end in {end}", "dim")) if end else rendered


def _shared_end(names: Collection[str]) -> str:
    """From a dot on, what all names end in; empty if that is little."""
    if len(names) < 2:
        return ""
    first = next(iter(names))
    dots = (place for place, letter in enumerate(first) if letter == "." and place)
    ends = (first[dot:] for dot in dots if all(name.endswith(first[dot:]) and name != first[dot:] for name in names))
    return next((end for end in ends if len(end) >= _SHORTEST), "")
