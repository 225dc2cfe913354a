"""Values that are taken from one object and put into others.

Source: kustomize `api/filters/replacement`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.resources import Resource, selector
from kexplain.patterns import regex

_STEP = regex(r"\[([^=\]]*)=([^\]]*)\]|((?:\\.|[^.\[])+)")


def replace(resources: Sequence[Resource], entry: Node) -> None:
    """Carry out one replacement; without its source, nothing happens."""
    value = _value(resources, entry)
    for target in entry.listed("targets") if value is not None else ():
        select = target.get("select")
        if value is None or select is None:
            continue
        selects, rejects = selector(select), [selector(each) for each in target.listed("reject")]
        paths = [str(path.held) for path in target.listed("fieldPaths")] or ["metadata.name"]
        for resource in filter(selects, resources):
            if not any(reject(resource) for reject in rejects):
                for path in paths:
                    _put(resource.node, _steps(path), value, target)


def _value(resources: Sequence[Resource], entry: Node) -> Node | None:
    """What is put in."""
    source = entry.get("source")
    if source is None:
        return entry.get("sourceValue")
    resource = next(filter(selector(source), resources), None)
    found = _found(resource.node, _steps(source.text("fieldPath") or "metadata.name")) if resource else ()
    return next((_part(value, source) for value in found), None)


def _steps(path: str) -> list[str]:
    """`spec.containers.[name=web].image` in steps; a dot after a backslash is part of a name."""
    return [
        f"={key}={value}" if key else name.replace("\\.", ".")
        for key, value, name in (match.groups("") for match in _STEP.finditer(path))
    ]


def _found(node: Node, steps: Sequence[str]) -> Iterator[Node]:
    """All values at a path."""
    if not steps:
        yield node
        return
    for inner in _inside(node, steps[0]):
        yield from _found(inner, steps[1:])


def _inside(node: Node, step: str) -> list[Node]:
    if step.startswith("="):
        _, key, value = step.split("=", 2)
        return [item for item in node.items if item.text(key) == value]
    if step == "*":
        return [*node.items, *node.fields.values()]
    if node.items:
        return [node.items[int(step)]] if step.isdecimal() and int(step) < len(node.items) else []
    return [node.fields[step]] if step in node.fields else []


def _put(root: Node, steps: Sequence[str], value: Node, target: Node) -> None:
    for parent in [*_found(root, steps[:-1])] if steps else ():
        existing = _inside(parent, steps[-1])
        for node in existing:
            node.held, node.origin = _spliced(node, value, target), value.origin
        if not existing and target.text("options", "create") == "True":
            root.put(steps, value.copy())


def _part(value: Node, place: Node) -> Node:
    """The part of a text that options ask for."""
    delimiter = place.text("options", "delimiter")
    if not delimiter:
        return value
    parts = str(value.held).split(delimiter)
    index = int(place.text("options", "index") or 0)
    return Node(parts[index], value.origin) if 0 <= index < len(parts) else value


def _spliced(node: Node, value: Node, target: Node) -> object:
    """What a value becomes: the new one, or with it as one of its parts."""
    delimiter = target.text("options", "delimiter")
    if not delimiter:
        return value.copy().held
    parts = str(node.held).split(delimiter)
    index = int(target.text("options", "index") or 0)
    if 0 <= index < len(parts):
        parts[index] = str(value.held)
    else:
        parts = [str(value.held), *parts] if index < 0 else [*parts, str(value.held)]
    return delimiter.join(parts)
