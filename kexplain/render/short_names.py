"""Node names without what all of them end in, such as `.eu-west-1.compute.internal`: it is said once."""

import re
from collections.abc import Collection, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.patterns import regex
from kexplain.render.blocks import Block, Text
from kexplain.render.view import View

AnyOutput = TypeVar("AnyOutput", bound=Output)

#: Where a report names nodes, in its JSON; such names need no escapes there.
_NODES = regex(rb'"(?:node|fromNode)":"([^"]*)"|"(?:nodes|best)":\[("[^\]]*)\]|"byNode":\{([^}]*)\}')
_NAME = regex(rb'[^",:]{2,}')
_WORD = regex(r"[\w.-]+")
#: Commands for a shell, with what they quote and JSON escapes; labels, `key=value` or `key in (value, …)`.
_UNTOUCHED = (
    rb"""kubectl (?:'[^'"\\]*(?:\\.[^'"\\]*)*'|[^";\\]|\\.)*|"""
    rb'"labels":\{[^}]*\}|"values?":(?:"[^"]*"|\[[^\]]*\])'
    rb"|[\w./-]+=[\w.-]+|\b(?:in|notin|In|NotIn) [(\[][^)\]]*[)\]]"
)
#: What follows the name of a node in that of a new one like it.
_NEW = "-new-"
#: Shorter ones are no burden.
_SHORTEST = 8


class Ending(Struct, frozen=True):
    """What the names of all nodes end in, empty where they share nothing, and the names without it."""

    text: str = ""
    names: Collection[str] = ()


def with_short_names(report: AnyOutput, view: View) -> tuple[AnyOutput, View, Ending]:
    """The report and what to show of it with short names, and what they end in.

    Commands for a shell and values of labels stay as they are.
    """
    written = msgspec.json.encode(report, enc_hook=tuple)
    # Thousands of taints may each have the same hundreds of nodes.
    lists = {each for groups in _NODES.findall(written) for each in groups}
    names = {name.decode().partition(_NEW)[0] for each in lists for name in _NAME.findall(each)}
    end = _shared_end(names)
    if not end:
        return report, view, Ending()
    pattern = re.compile(rb"(" + _UNTOUCHED + rb")|" + re.escape(end.encode()))
    shorter = pattern.sub(lambda match: match[1] or b"", written)
    view = replace(view, node=view.node.removesuffix(end))
    short = {name.removesuffix(end) for name in names}
    return msgspec.json.decode(shorter, type=type(report)), view, Ending(end, short)


class WithFootnote:
    """What is rendered, and below it what the names of nodes end in, if it has any of them."""

    def __init__(self, rendered: Block, ending: Ending) -> None:
        self._rendered, self._ending = rendered, ending

    def lines(self, width: int) -> Iterator[Text]:
        is_short = False
        for line in self._rendered.lines(width):
            is_short = is_short or any(word.rstrip(".") in self._ending.names for word in _WORD.findall(line.plain))
            yield line
        if is_short:
            yield Text()
            yield from Text(f"the names of all nodes end in {self._ending.text}", "dim").lines(width)


def _shared_end(names: Collection[str]) -> str:
    """From a dot on, what all names end in; empty if that is little."""
    if len(names) < 2:
        return ""
    first = next(iter(names))
    dots = (place for place, letter in enumerate(first) if letter == "." and place)
    ends = (first[dot:] for dot in dots if all(name.endswith(first[dot:]) and name != first[dot:] for name in names))
    return next((end for end in ends if len(end) >= _SHORTEST), "")
