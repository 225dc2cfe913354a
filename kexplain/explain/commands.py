"""Changes as a shell takes them: the words of kubectl."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence

from kexplain.explain.changes import Change, Target

#: Kinds most fields of which cannot change: their objects are made again.
_MADE_AGAIN = ("Pod", "PersistentVolumeClaim", "ResourceClaim", "Job")


def commands(changes: Iterable[Change], shorter: Mapping[Target, Sequence[str]]) -> tuple[str, ...]:
    """The changes as a shell takes them; what nobody does with kubectl, such as adding a node, is left out."""
    return tuple(line for each in changes for line in (shorter.get(each.target) or _commands(each)))


def _commands(each: Change) -> Sequence[str]:
    match each.verb:
        case "delete":
            return [f"kubectl delete {_named(each.target)}"]
        case "create":
            return []
    patch = f"--type json -p {shlex.quote(json.dumps(each.patch))}"
    if each.target.kind in _MADE_AGAIN:
        changed = f"kubectl patch --local -f - {patch} -o yaml"
        return [" | ".join((f"kubectl get {_named(each.target)} -o yaml", changed, "kubectl replace --force -f -"))]
    return [f"kubectl patch {_named(each.target)} {patch}"]


def _named(target: Target) -> str:
    kind, name = target.kind.lower(), shlex.quote(target.name)
    if not target.namespace:
        return f"{kind} {name}"
    return f"{kind} {name} --namespace={shlex.quote(target.namespace)}"
