"""Changes as a shell takes them: the words of kubectl."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence

from kexplain.remedies.changes import Change, Target

#: What clouds and kubelets make, and nobody with kubectl.
_MADE_ELSEWHERE = ("Node", "CSINode")


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
        return [] if each.target.kind in _MADE_ELSEWHERE else [f"echo {_quoted(each.object)} | kubectl create -f -"]
    if each.verb == "delete":
        return [deletion_of(each.target)]
    return _recreation(each) if each.recreate else [f"kubectl patch {_named(each.target)} {_patch(each)}"]


def _recreation(change: Change) -> Sequence[str]:
    """The object changed in a file, and put in place of the old one only if an API server would take it.

    `kubectl replace --force` deletes first, and knows no dry run.
    """
    file = shlex.quote(f"{change.target.name}-new.yaml")
    read = f"kubectl get {_named(change.target)} -o yaml"
    nameless = _quoted({"metadata": {"name": None, "generateName": "check-"}})
    check = f"kubectl patch --local -f {file} --type merge -p {nameless} -o yaml | kubectl create --dry-run=server -f -"
    return [
        f"{read} | kubectl patch --local -f - {_patch(change)} -o yaml > {file}",
        f"{check} && kubectl replace --force -f {file}",
    ]


def _patch(change: Change) -> str:
    return f"--type json -p {_quoted(change.patch)}"


def _quoted(value: object) -> str:
    return shlex.quote(json.dumps(value))


def _named(target: Target) -> str:
    kind, name = target.kind.lower(), shlex.quote(target.name)
    if not target.namespace:
        return f"{kind} {name}"
    return f"{kind} {name} --namespace={shlex.quote(target.namespace)}"
