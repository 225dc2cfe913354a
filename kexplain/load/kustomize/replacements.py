"""Values that are taken from one object and put into others.

Source: kustomize `api/filters/replacement`.
"""

from collections.abc import Iterator, Sequence

from kexplain.bounds import Budget
from kexplain.load.kustomize.nodes import Node, RefusedError
from kexplain.load.kustomize.resources import Resource, identified, selector
from kexplain.load.loaded import Origin
from kexplain.patterns import regex

_INDEX = regex(r"-?\d{1,9}")
_STEP = regex(r"\[([^=\]]*)=([^\]]*)\]|\[([^\]]*)\]|((?:\\.|[^.\[])+)")


def replace(resources: Sequence[Resource], entry: Node, budget: Budget) -> None:
    """Carry out one replacement. Raises RefusedError, TooMuchError."""
    targets = entry.listed("targets")
    if not targets or (entry.get("source") is None and entry.get("sourceValue") is None):
        raise RefusedError(entry, "a replacement needs a source and at least one target")
    value = _value(resources, entry)
    for target in targets:
        select = target.get("select")
        if select is None:
            raise RefusedError(target, "the target of a replacement needs a select")
        selects, rejects = selector(select), [selector(each) for each in target.listed("reject")]
        paths = target.listed("fieldPaths") or [Node("metadata.name", target.origin)]
        for resource in filter(selects, resources):
            if not any(reject(resource) for reject in rejects):
                for path in paths:
                    _put(resource, path, value, target, budget)


def _value(resources: Sequence[Resource], entry: Node) -> Node:
    source = entry.get("source")
    if source is None:
        return entry.fields["sourceValue"]
    meant = [*filter(identified(source), resources)]
    if len(meant) != 1:
        raise RefusedError(source, f"{len(meant) or 'no'} objects are the source of this replacement")
    path = source.get("fieldPath") or Node("metadata.name", source.origin)
    found = [each for each in values_at(meant[0].node, steps_in(str(path.held))) if each.held not in (None, {}, [])]
    if not found:
        raise RefusedError(path, f"there is no {path.held} in {meant[0].kind} {meant[0].name} to be put elsewhere")
    return _part(found[0], source)


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


def _put(resource: Resource, path: Node, value: Node, target: Node, budget: Budget) -> None:
    steps, creates = steps_in(str(path.held)), target.text("options", "create") == "True"
    found = [*values_at(resource.node, steps)] if steps else []
    if not (found or creates or _is_within_text(resource.node, steps)):
        raise RefusedError(path, f"there is no {path.held} in {resource.kind} {resource.name} to be replaced")
    for node in found or (_made(resource.node, steps, value.origin) if steps and creates else ()):
        node.held, node.origin = _spliced(node, value, target, budget), value.origin


def _is_within_text(root: Node, steps: Sequence[str]) -> bool:
    """Whether a path goes on into a text, which later releases of kustomize read as YAML or JSON."""
    above = (each for end in range(1, len(steps)) for each in values_at(root, steps[:end]))
    return any(isinstance(each.held, str) for each in above)


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
    parts = _parts(value, place, delimiter)
    index = _index(place)
    if not 0 <= index < len(parts):
        raise RefusedError(place, f'"{value.held}" has no part {index} between its "{delimiter}"')
    return Node(parts[index], value.origin)


def _spliced(node: Node, value: Node, target: Node, budget: Budget) -> object:
    """What a value becomes: the new one, or with it as one of its parts."""
    delimiter = target.text("options", "delimiter")
    if not delimiter:
        return value.copy(budget).held
    parts = _parts(node, target, delimiter)
    index = _index(target)
    if 0 <= index < len(parts):
        parts[index] = str(value.held)
    else:
        parts = [str(value.held), *parts] if index < 0 else [*parts, str(value.held)]
    return delimiter.join(parts)


def _parts(node: Node, place: Node, delimiter: str) -> list[str]:
    if isinstance(node.held, dict | list):
        raise RefusedError(place, "only a text has parts between delimiters")
    return str("" if node.held is None else node.held).split(delimiter)


def _index(place: Node) -> int:
    text = place.text("options", "index")
    return int(text) if _INDEX.fullmatch(text) else 0
