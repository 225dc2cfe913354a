"""Changes as a shell takes them: the words of kubectl."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence

from kexplain.explain.changes import Change, Target


def commands(changes: Iterable[Change], shorter: Mapping[Target, Sequence[str]]) -> tuple[str, ...]:
    """The changes as a shell takes them; what nobody does with kubectl, such as adding a node, is left out."""
    return tuple(line for each in changes for line in (shorter.get(each.target) or _commands(each)))


def deletion_of(target: Target) -> str:
    """The command that deletes an object."""
    return f"kubectl delete {_named(target)}"


def to_manifest(change: Change, path: str) -> str:
    """The command that writes out a manifest as it is changed, where a diff cannot show it."""
    return f"kubectl patch --local -f {shlex.quote(path)} {_patch(change)} -o yaml"


def _commands(each: Change) -> Sequence[str]:
    if each.verb == "create":
        return []
    if each.verb == "delete":
        return [deletion_of(each.target)]
    if each.recreate:
        changed = f"kubectl patch --local -f - {_patch(each)} -o yaml"
        return [" | ".join((f"kubectl get {_named(each.target)} -o yaml", changed, "kubectl replace --force -f -"))]
    return [f"kubectl patch {_named(each.target)} {_patch(each)}"]


def _patch(change: Change) -> str:
    return f"--type json -p {shlex.quote(json.dumps(change.patch))}"


def _named(target: Target) -> str:
    kind, name = target.kind.lower(), shlex.quote(target.name)
    if not target.namespace:
        return f"{kind} {name}"
    return f"{kind} {name} --namespace={shlex.quote(target.namespace)}"
