"""Changes as a shell takes them: the words of kubectl."""

import json
from collections.abc import Iterable, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.changes import JSON_PATCH, Change, Target
from kexplain.objects.core import Pod
from kexplain.objects.well_known import POD_TEMPLATE_HASH
from kexplain.shell import command, new_file, word

#: What clouds and kubelets make, and nobody with kubectl.
_MADE_ELSEWHERE = ("Node", "CSINode", "ResourceSlice")


def commands(changes: Iterable[Change], shorter: Mapping[Target, Sequence[str]]) -> tuple[str, ...]:
    """The changes as a shell takes them; what nobody does with kubectl, such as adding a node, is left out.

    A pod that leaves because its stateful set changes may be gone by then, as the set's controller deletes some itself.
    """
    # A class is there before what names it.
    every = sorted(changes, key=lambda each: each.target.kind != "PriorityClass")
    is_updated = any((each.verb, each.target.kind) == ("patch", "StatefulSet") for each in every)
    lenient = ("--ignore-not-found",) if is_updated else ()
    return tuple(line for each in every for line in (shorter.get(each.target) or _commands(each, lenient)))


def deletion_of(target: Target, *flags: str) -> str:
    """The command that deletes an object."""
    return _about("kubectl delete", target, *flags)


def scaling_of(pod: Pod, count: int, cluster: Cluster) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """The changes of the manifest, or the commands, that scale what makes the pod; none for what has no replicas."""
    namespace, kind, name = maker(pod) or ("", "", "")
    if kind not in ("ReplicaSet", "StatefulSet"):
        return (), ()
    scaled = "Deployment" if kind == "ReplicaSet" and POD_TEMPLATE_HASH in pod.labels else kind
    record, owner = StatefulSet if kind == "StatefulSet" else ReplicaSet, pod.metadata.controller
    made_of = cluster.listers.get(record, owner.name or "", namespace) if owner else None
    if made_of is None or made_of.is_stored:
        return (), (command("kubectl scale", scaled.lower(), name, namespace=namespace, flags=[f"--replicas={count}"]),)
    target = Target(api_version="apps/v1", kind=scaled, namespace=namespace, name=name)
    patch = [{"op": "add", "path": "/spec/replicas", "value": count}]
    return (Change(target=target, verb="patch", patch_type=JSON_PATCH, patch=patch, in_manifest=True),), ()


def to_manifest(change: Change, path: str) -> str:
    """The command that writes out a manifest as it is changed, where a diff cannot show it."""
    return command("kubectl patch --local", flags=("-f", path, *_patch(change), "-o", "yaml"))


def _commands(each: Change, lenient: Sequence[str]) -> Sequence[str]:
    if each.verb == "create":
        if each.target.kind in _MADE_ELSEWHERE:
            return []
        return [f"{command('printf %s', json.dumps(each.object))} | kubectl create -f -"]
    if each.verb == "delete":
        return [deletion_of(each.target, *(lenient if each.target.kind == "Pod" else ()))]
    return _recreation(each) if each.recreate else [_about("kubectl patch", each.target, *_patch(each))]


def _recreation(change: Change) -> Sequence[str]:
    """The object changed in a file, and put in place of the old one only if an API server would take it.

    `kubectl replace --force` deletes first, and knows no dry run. The pods of a StatefulSet stay for the new one.
    """
    file = new_file(change.target.name, "-new.yaml")
    read = _about("kubectl get", change.target, "-o", "yaml")
    changed = command("kubectl patch --local", flags=("-f", "-", *_patch(change), "-o", "yaml"))
    nameless = json.dumps({"metadata": {"name": None, "generateName": "check-"}})
    checked = command("kubectl patch --local", flags=("-f", file, "--type", "merge", "-p", nameless, "-o", "yaml"))
    kept = ("--cascade=orphan",) if change.target.kind == "StatefulSet" else ()
    replaced = command("kubectl replace --force", flags=("-f", file, *kept))
    return [f"{read} | {changed} > {word(file)}", f"{checked} | kubectl create --dry-run=server -f - && {replaced}"]


def _patch(change: Change) -> Sequence[str]:
    return "--type", "json", "-p", json.dumps(change.patch)


def _about(program: str, target: Target, *flags: str) -> str:
    namespace = [f"--namespace={target.namespace}"] if target.namespace else []
    return command(program, target.kind.lower(), target.name, flags=(*namespace, *flags))
