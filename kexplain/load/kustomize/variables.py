"""Variables: `$(NAME)` in fields of objects, filled in at the end with what a field of some object says by then.

Source: kustomize `accumulator/refvartransformer`, `filters/refvar`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kexplain.load.kustomize.field_specs import BUILT_IN, FieldSpecs, change
from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.replacements import steps_in, values_at
from kexplain.load.kustomize.resources import Resource, find
from kexplain.patterns import regex

_REFERENCE = regex(r"\$(?:\$|\((?P<name>[^()]*)\))")


class Variable(NamedTuple):
    """A variable as a kustomization declares it, and the object that it is read from; None if there was none then."""

    declared: Node
    resource: Resource | None


def variable(declared: Node, resources: Sequence[Resource]) -> Variable:
    """The variable, whose object is sought among those of the kustomization that declares it."""
    named = declared.get("objref") or Node({}, declared.origin)
    return Variable(declared, find(resources, named.text("kind"), named.text("name"), named.text("namespace")))


def fill_in(resources: Sequence[Resource], variables: Sequence[Variable], fields: FieldSpecs) -> Iterator[str]:
    """Fill in the variables; of those whose object or field is not there, the names are yielded."""
    values: dict[str, Node] = {}
    for each in variables:
        value = _value(each)
        if value is None:
            yield each.declared.text("name")
        else:
            values[each.declared.text("name")] = value
    for field in (*BUILT_IN["varReference"], *fields.of("varReference")):
        change(resources, field, partial(_filled, values))


def _value(variable: Variable) -> Node | None:
    path = variable.declared.text("fieldref", "fieldPath") or "metadata.name"
    return next(values_at(variable.resource.node, steps_in(path)), None) if variable.resource is not None else None


def _filled(values: Mapping[str, Node], node: Node) -> Node | None:
    if isinstance(node.held, dict):
        node.held |= {key: filled for key, each in node.held.items() if (filled := _filled(values, each)) is not None}
        return None
    if not isinstance(node.held, str) or "$" not in node.held:
        return None
    whole = _REFERENCE.fullmatch(node.held)
    if whole is not None and whole["name"] in values:
        return Node(values[whole["name"]].held, node.origin)

    def text(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return "$"
        return str(values[name].held) if name in values else f"$({name})"

    return Node(_REFERENCE.sub(text, node.held), node.origin)
