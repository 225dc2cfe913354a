"""Values that are taken from one object and put into others.

Source: kustomize `api/filters/replacement`.
"""

from collections.abc import Iterator, Sequence

from kexplain.bounds import Budget
from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.resources import Resource, selector
from kexplain.load.loaded import Origin
from kexplain.patterns import regex

_INDEX = regex(r"-?\d{1,9}")
_STEP = regex(r"\[([^=\]]*)=([^\]]*)\]|\[([^\]]*)\]|((?:\\.|[^.\[])+)")


def replace(resources: Sequence[Resource], entry: Node, budget: Budget) -> None:
    """Carry out one replacement; without its source, nothing happens. Raises TooMuchError."""
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
                    _put(resource.node, steps_in(path), value, target, budget)


def _value(resources: Sequence[Resource], entry: Node) -> Node | None:
    source = entry.get("source")
    if source is None:
        return entry.get("sourceValue")
    resource = next(filter(selector(source), resources), None)
    found = values_at(resource.node, steps_in(source.text("fieldPath") or "metadata.name")) if resource else ()
    return next((_part(value, source) for value in found), None)


def steps_in(path: str) -> list[str]:
    """`spec.containers.[name=web].image` in steps; a dot after a backslash is part of a name."""
    return [
        f"={key}={value}" if key or value else bracketed or name.replace("\\.", ".")
        for key, value, bracketed, name in (match.groups("") for match in _STEP.finditer(path))
    ]


def values_at(node: Node, steps: Sequence[str]) -> Iterator[Node]:
    """All values at a path."""
    if not steps:
        yield node
        return
    for inner in _inside(node, steps[0]):
        yield from values_at(inner, steps[1:])


def _inside(node: Node, step: str) -> list[Node]:
    if step.startswith("="):
        _, key, value = step.split("=", 2)
        return [item for item in node.items if item.text(key) == value]
    if step == "*":
        return [*node.items, *node.fields.values()]
    if node.items:
        return [node.items[int(step)]] if step.isdecimal() and int(step) < len(node.items) else []
    return [node.fields[step]] if step in node.fields else []


def _put(root: Node, steps: Sequence[str], value: Node, target: Node, budget: Budget) -> None:
    creates = target.text("options", "create") == "True"
    found = [*values_at(root, steps)] if steps else []
    for node in found or (_made(root, steps, value.origin) if steps and creates else ()):
        node.held, node.origin = _spliced(node, value, target, budget), value.origin


def _made(node: Node, steps: Sequence[str], origin: Origin) -> list[Node]:
    """The values at a path, each made where it is missing, with all that is missing around it."""
    if not steps:
        return [node]
    step = steps[0]
    inside = _inside(node, step)
    if not inside and step.startswith("="):
        _, key, value = step.split("=", 2)
        inside = _appended(node, key, value, origin)
    elif not inside and node.held is None:
        node.held = {}
    if not inside and step != "*" and isinstance(node.held, dict):
        inside = [node.held.setdefault(step, Node(None, origin))]
    return [each for inner in inside for each in _made(inner, steps[1:], origin)]


def _appended(node: Node, key: str, value: str, origin: Origin) -> list[Node]:
    """A new item of a list that has that value under the key; none of anything else."""
    if node.held is None:
        node.held = []
    if not isinstance(node.held, list):
        return []
    node.held.append(Node({key: Node(value, origin)}, origin))
    return node.held[-1:]


def _part(value: Node, place: Node) -> Node:
    """The part of a text that options ask for."""
    delimiter = place.text("options", "delimiter")
    if not delimiter:
        return value
    parts = str(value.held).split(delimiter)
    index = _index(place)
    return Node(parts[index], value.origin) if 0 <= index < len(parts) else value


def _spliced(node: Node, value: Node, target: Node, budget: Budget) -> object:
    """What a value becomes: the new one, or with it as one of its parts."""
    delimiter = target.text("options", "delimiter")
    if not delimiter:
        return value.copy(budget).held
    parts = str("" if node.held is None else node.held).split(delimiter)
    index = _index(target)
    if 0 <= index < len(parts):
        parts[index] = str(value.held)
    else:
        parts = [str(value.held), *parts] if index < 0 else [*parts, str(value.held)]
    return delimiter.join(parts)


def _index(place: Node) -> int:
    text = place.text("options", "index")
    return int(text) if _INDEX.fullmatch(text) else 0
