"""Patches: strategic merges, and lists of operations.

Source: kustomize `kyaml/yaml/merge2` for the former; RFC 6902 for the latter, as `evanphx/json-patch` 4 reads it.
"""

from collections.abc import Sequence
from typing import Any

from kexplain.bounds import Budget
from kexplain.load import json_patch
from kexplain.load.json_patch import PatchError, at, steps_of
from kexplain.load.kustomize.nodes import Node, RefusedError
from kexplain.tables import table

#: What makes two items of a list one, in the kinds of Kubernetes itself; all other lists are replaced as a whole.
_KEYS = table("merge-keys", dict[str, tuple[str, ...]])
_DIRECTIVE = "$patch"
_GROUPS = ("apps", "batch", "autoscaling", "policy", "extensions")


def is_built_in(api_version: str) -> bool:
    """Whether a kind of this version is one of Kubernetes itself, whose lists have keys."""
    group = api_version.rpartition("/")[0]
    return not group or group in _GROUPS or group.endswith(".k8s.io")


def merge(base: Node, patch: Node, *, kind: str, has_keys: bool) -> Node | None:
    """The object with what the patch says; None where it is deleted."""
    directive = patch.text(_DIRECTIVE)
    if directive == "delete":
        return None
    if directive == "replace":
        return _without_directives(patch)
    fields = dict(base.fields)
    # What the patch does not name is gone through as well, which leaves one item a key.
    unnamed = {name: Node({}, old.origin) for name, old in fields.items() if isinstance(old.held, dict)}
    if has_keys:
        unnamed |= {name: Node([], old.origin) for name, old in fields.items() if _keys(name, kind, old.items)}
    for name, new in {**unnamed, **patch.fields}.items():
        if not name.startswith("$"):
            merged = None if new.held is None else _merged(name, fields.get(name), new, kind, has_keys=has_keys)
            fields.pop(name, None) if merged is None else fields.__setitem__(name, merged)
    return Node(fields, base.origin)


def _merged(name: str, old: Node | None, new: Node, kind: str, *, has_keys: bool) -> Node | None:
    if old is not None and isinstance(old.held, dict) and isinstance(new.held, dict):
        return merge(old, new, kind=kind, has_keys=has_keys)
    if old is not None and isinstance(old.held, list) and isinstance(new.held, list):
        keys = _keys(name, kind, [*old.held, *new.held]) if has_keys else ()
        if keys and not any(item.text(_DIRECTIVE) == "replace" for item in new.items):
            return _merged_list(old, new, keys, kind)
    return _without_directives(new)


def _keys(name: str, kind: str, items: Sequence[Node]) -> tuple[str, ...]:
    if name != "ports":
        return _KEYS.get(name, ())
    if any("containerPort" in item.fields for item in items):
        return ("containerPort", "protocol")
    return ("port", "protocol") if kind == "Service" else ()


def _merged_list(old: Node, new: Node, keys: tuple[str, ...], kind: str) -> Node:
    rest: dict[tuple[str, ...], Node] = {_key(item, keys): item for item in old.items}
    merged: dict[tuple[str, ...], Node | None] = {}
    # What the patch names comes first, in its own order.
    for item in new.items:
        key = _key(item, keys)
        before = merged.get(key) or rest.pop(key, None)
        if before is not None:
            merged[key] = merge(before, item, kind=kind, has_keys=True)
        # Upstream takes keys for one that differ in what one of them lacks, and then finds no item with all of it.
        elif item.text(_DIRECTIVE) != "delete" and not any(_is_half(key, other) for other in (*merged, *rest)):
            merged[key] = _without_directives(item)
    for key, item in rest.items():
        merged[key] = merge(item, Node({}, new.origin), kind=kind, has_keys=True) if item.fields else item
    return Node([item for item in merged.values() if item is not None], old.origin)


def _key(item: Node, keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(item.text(key) for key in keys)


def _is_half(key: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether keys differ only in what one of them lacks."""
    pairs = [*zip(key, other, strict=True)]
    return any(one == two for one, two in pairs) and all(one == two or not (one and two) for one, two in pairs)


def _without_directives(node: Node) -> Node:
    """What is left of a patch where it meets nothing to be merged with."""
    if isinstance(node.held, dict):
        named = ((name, each) for name, each in node.held.items() if not name.startswith("$") and each.held is not None)
        kept = {name: _without_directives(each) for name, each in named if each.text(_DIRECTIVE) != "delete"}
        return Node(kept, node.origin)
    if isinstance(node.held, list):
        return Node([_without_directives(each) for each in node.held if not each.text(_DIRECTIVE)], node.origin)
    return node


# -------------------------------------------------------------------------------------------------- operations


def operate(root: Node, operations: Node, budget: Budget) -> Node:
    """The object after a list of operations.

    Raises RefusedError at the first that cannot be carried out, TooMuchError where copies exceed the budget.
    """
    root = root.copy(budget)
    if root.get("metadata", "annotations") is None:
        # The library finds some, as kustomize keeps its own notes there meanwhile.
        root.put(("metadata", "annotations"), Node({}, root.origin))
    for operation in operations.items:
        try:
            root = _operated(root, operation, budget)
        except PatchError as error:
            raise RefusedError(operation, str(error)) from error
    return root


def _operated(root: Node, operation: Node, budget: Budget) -> Node:
    name, path = operation.text("op"), operation.text("path")
    value = operation.fields.get("value", Node(None, operation.origin)).copy(budget)
    if name == "test":
        if at(root, steps_of(path), _held).plain() != value.plain():
            raise PatchError(f"test of {path} fails")
        return root
    if name in ("move", "copy"):
        value = at(root, steps_of(operation.text("from")), _held).copy(budget)
        if name == "move":
            json_patch.operate(root, {"op": "remove", "path": operation.text("from")}, _held)
        name = "add"
    # The library of kustomize replaces a field that is not there, whatever the RFC says.
    if name == "replace" and path and isinstance(_held(at(root, steps_of(path)[:-1], _held)), dict):
        name = "add"
    if not path:
        return value
    json_patch.operate(root, {"op": name, "path": path, "value": value}, _held)
    return root


def _held(node: Node) -> Any:
    return node.held
