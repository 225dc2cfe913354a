"""Files that say how a scheduler is configured: a configuration, what holds one (a ConfigMap, an object of AKS), a pod.

Source: kube-scheduler `cmd/kube-scheduler/app/options`. No path that a manifest names is ever opened: files are
taken from the command line only.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec
from msgspec import Struct

from kexplain.config.component.records import GROUP, KIND
from kexplain.errors import Fault, InputError
from kexplain.load.text.plain_values import PlainDocument, read_plain
from kexplain.objects.problem import Path
from kexplain.objects.untrusted import at
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.objects.workload_kinds import template_path
from kexplain.parameters import parameter
from kexplain.patterns import regex

#: The kinds that a scheduler runs as.
_KINDS = ("Pod", "Deployment", "DaemonSet", "StatefulSet", "ReplicaSet")
#: How AKS has customers write a configuration.
_AKS_KIND, _AKS_GROUP = "SchedulerConfiguration", "aks.azure.com/"
#: How a profile is written that is the default one.
_DEFAULTS = (None, "", DEFAULT_SCHEDULER_NAME)
_RELEASE = regex(r":v?(?P<release>1\.\d+)(?:[.@-]|$)")


class Flag(Struct, frozen=True):
    """A flag of kube-scheduler with its value, and where it stands."""

    value: str
    path: Path


class SchedulerFile(Struct):
    """What a file says about a scheduler; empty where it says nothing."""

    configuration: PlainDocument | None = None
    #: The flags that its pod starts it with, without their dashes.
    flags: dict[str, Flag] = msgspec.field(default_factory=dict)
    pod: PlainDocument | None = None
    release: str = ""

    def fault(self, flag: str, message: str) -> InputError:
        assert self.pod is not None  # noqa: S101 - flags come from a pod
        return InputError([self.pod.fault(self.flags[flag].path, f"--{flag}: {message}")])


def read_scheduler_file(path: str) -> SchedulerFile:
    """What the file holds: of its documents, those that configure a scheduler.

    Raises InputError where there is none, where there are two, or where a flag names a file that is not at hand.
    """
    documents = read_plain(path)
    configuration = _only_configuration(documents)
    runs = [run for document in documents if _kind(document) in _KINDS and (run := _run(document)) is not None]
    if len(runs) > 1:
        raise InputError([run.pod.fault((), "one of several pods that run kube-scheduler") for run in runs if run.pod])
    run = runs[0] if runs else None
    if configuration is None and run is None:
        raise InputError(_nothing(path, documents))
    found = run or SchedulerFile()
    found.configuration = configuration
    _check_paths(found)
    return found


def _only_configuration(documents: Sequence[PlainDocument]) -> PlainDocument | None:
    """The one configuration, in a ConfigMap or not; None if there is none."""
    found = [held for document in documents for held in _held(document)]
    if len(found) > 1:
        advice = "a file must hold only one: put the one to use into a file of its own"
        raise InputError([each.fault((), f"a {KIND}, one of {len(found)} in this file") for each in found], advice)
    return found[0] if found else None


def _kind(document: PlainDocument) -> str:
    kind = document.value.get("kind") if isinstance(document.value, dict) else None
    return kind if isinstance(kind, str) else ""


def _nothing(path: str, documents: Sequence[PlainDocument]) -> list[Fault]:
    """What is wrong with a file that holds nothing of the kind; a single document is taken at its word."""
    wanted = f"expected a {KIND}, a ConfigMap or a {_AKS_KIND} of AKS that holds one, or a pod of kube-scheduler"
    if len(documents) == 1 and isinstance(documents[0].value, dict):
        kind = documents[0].value.get("kind")
        return [documents[0].fault(("kind",), f"{wanted}; found {kind or 'something without a kind'}")]
    return [Fault(path, 0, 0, "", wanted)]


def _held(document: PlainDocument) -> Iterator[PlainDocument]:
    """The configuration that a document is, one of AKS holds, or those in a ConfigMap's data."""
    kind = _kind(document)
    if kind == KIND:
        yield document
    if kind == _AKS_KIND and str(document.value.get("apiVersion")).startswith(_AKS_GROUP):
        yield _of_aks(document)
    data = document.value.get("data") if kind == "ConfigMap" else None
    for key, text in data.items() if isinstance(data, dict) else ():
        if isinstance(text, str) and KIND in text:
            held = document.embedded(("data", key))
            if isinstance(held.value, dict) and held.value.get("kind") == KIND:
                yield held


def _of_aks(document: PlainDocument) -> PlainDocument:
    """What AKS starts its scheduler with: the text within, or in the earlier form the profiles; the default one stays.

    Source: `schedulerconfigurations.aks.azure.com`, v1alpha1. Without text or profiles the document itself is refused.
    """
    spec = at(document.value, "spec")
    if isinstance(at(spec, "rawConfig"), str):
        held = document.embedded(("spec", "rawConfig"))
    elif isinstance(at(spec, "profiles"), list):
        value = {"apiVersion": f"{GROUP}v1", "kind": KIND, "profiles": spec["profiles"]}
        held = PlainDocument(document.source, value, outer=document, within=("spec",))
    else:
        raise InputError([document.fault(("spec",), "expected rawConfig with the text of a configuration")])
    profiles = at(held.value, "profiles")
    if isinstance(profiles, list) and not any(at(each, "schedulerName") in _DEFAULTS for each in profiles):
        profiles.append({"schedulerName": DEFAULT_SCHEDULER_NAME})
    return held


# ------------------------------------------------------------------------------------------------ the scheduler's pod


def _run(document: PlainDocument) -> SchedulerFile | None:
    """How a pod runs kube-scheduler; None if it does not."""
    path = (*template_path(document.value["kind"]), "spec")
    for index, container in enumerate(_objects(at(document.value, *path, "containers"))):
        image = container.get("image")
        words = list(_words(container, (*path, "containers", index)))
        if "kube-scheduler" not in str(image) and not any("kube-scheduler" in word for word, _ in words[:1]):
            continue
        match = _RELEASE.search(image) if isinstance(image, str) else None
        return SchedulerFile(flags=_flags(words), pod=document, release=match["release"] if match else "")
    return None


def _objects(value: Any) -> list[dict[str, Any]]:
    """The items of a list, those that are no objects as empty ones; nothing of what is no list."""
    return [item if isinstance(item, dict) else {} for item in value] if isinstance(value, list) else []


def _words(container: Mapping[str, Any], path: Path) -> Iterator[tuple[str, Path]]:
    for name in ("command", "args"):
        words = container.get(name)
        for index, word in enumerate(words if isinstance(words, list) else ()):
            if isinstance(word, str):
                # A shell may hold the whole command line in one word.
                yield from ((part, (*path, name, index)) for part in (word.split() if " --" in word else [word]))


def _flags(words: Sequence[tuple[str, Path]]) -> dict[str, Flag]:
    """The flags by name; of one that is given twice the last counts."""
    flags: dict[str, Flag] = {}
    for index, (word, path) in enumerate(words):
        if word.startswith("-"):
            name, equals, value = word.lstrip("-").partition("=")
            following = words[index + 1][0] if index + 1 < len(words) else ""
            if not equals and not following.startswith("-"):
                value = following
            flags[name] = Flag(value, path)
    return flags


def _check_paths(found: SchedulerFile) -> None:
    """Raise InputError for files that flags name and that are not part of the input."""
    policy = parameter("policy", "FILE")
    if "policy-config-file" in found.flags:
        value = found.flags["policy-config-file"].value
        raise found.fault("policy-config-file", f"give the Policy in {value} on its node with {policy}")
    if "policy-configmap" in found.flags:
        raise found.fault("policy-configmap", f"give the Policy that the ConfigMap holds with {policy}")
    if "config" in found.flags and found.configuration is None:
        value = found.flags["config"].value
        where = f"{value} in its container, {origin}" if (origin := _origin(found, value)) else value
        advice = f"give the {KIND} in {where}: with {parameter('config', 'FILE')}, or in this file after a line ---"
        raise found.fault("config", advice)


def _origin(found: SchedulerFile, name: str) -> str:
    """Where a file of the container comes from; empty if that is unknown."""
    assert found.pod is not None  # noqa: S101 - flags come from a pod
    spec = at(found.pod.value, *template_path(found.pod.value["kind"]), "spec")
    path = PurePosixPath(name)
    every = [mount for container in _objects(spec["containers"]) for mount in _objects(container.get("volumeMounts"))]
    mounts = [mount for mount in every if path.is_relative_to(str(mount.get("mountPath")))]
    if not mounts:
        return ""
    mount = max(mounts, key=lambda each: len(str(each["mountPath"])))
    for volume in _objects(spec.get("volumes")):
        if volume.get("name") == mount.get("name"):
            inside = path.relative_to(str(mount["mountPath"]))
            if host := at(volume, "hostPath", "path"):
                return f"{PurePosixPath(str(host)) / inside} on its node"
            if config_map := at(volume, "configMap", "name"):
                return f"key {inside} of ConfigMap {config_map}"
    return ""
