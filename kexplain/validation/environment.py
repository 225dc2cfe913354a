"""The environment of a container, and references to fields of its pod.

Source: core/validation `ValidateEnv`, `ValidateEnvFrom`, `validateObjectFieldSelector`,
`validateContainerResourceFieldSelector`, release 1.36.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kexplain.patterns import regex
from kexplain.validation.names import (
    annotation_key,
    config_key,
    dns_label,
    dns_subdomain,
    environment_name,
    label_key,
    no_backsteps,
)
from kexplain.validation.problem import Field, choice, shown
from kexplain.validation.resources import nanos, text

_OF_METADATA = ("metadata.name", "metadata.namespace", "metadata.uid")
_IN_ENVIRONMENT = (
    *_OF_METADATA,
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
_IN_FILES = (*_OF_METADATA, "metadata.labels", "metadata.annotations")
_ALIASES = {"spec.host": "spec.nodeName"}
_SUBSCRIPTED = regex(r"(?P<path>[^\[]*)\['(?P<key>.*)'\]", re.DOTALL)

_RESOURCES = tuple(f"{of}.{name}" for of in ("limits", "requests") for name in ("cpu", "memory", "ephemeral-storage"))
_PAGES = ("limits.hugepages-", "requests.hugepages-")
_CPU_DIVISORS = ("1m", "1")
_BYTE_DIVISORS = ("1", *(f"1{suffix}" for suffix in ("k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")))


def check_environment(variables: Field) -> None:
    """Variables, each with a value or a source of one."""
    for variable in variables.items():
        name = variable.child("name")
        if name.require():
            name.obey(environment_name)
        if variable.child("valueFrom").is_set:
            _check_source(variable)


def _check_source(variable: Field) -> None:
    source = variable.child("valueFrom")
    kinds = [kind for kind in _SOURCES if source.child(kind).is_set]
    for kind in kinds:
        _SOURCES[kind](source.child(kind))
    if not kinds:
        source.reject(f"needs {choice(_SOURCES)}")
    elif variable.child("value").string:
        source.reject("must be left out where there is a value")
    elif len(kinds) > 1:
        source.reject(f"takes only one of {choice(_SOURCES)}")


def check_environment_sources(sources: Field) -> None:
    """ConfigMaps and Secrets of which every key becomes a variable."""
    for source in sources.items():
        prefix = source.child("prefix")
        if prefix.string:
            prefix.obey(environment_name)
        references = [source.child(kind) for kind in ("configMapRef", "secretRef") if source.child(kind).is_set]
        for reference in references:
            name = reference.child("name")
            if name.require():
                name.obey(dns_subdomain)
        if len(references) != 1:
            source.written(sources).reject("takes either configMapRef or secretRef")


def check_field_reference(reference: Field, *, is_volume: bool = False) -> None:
    """A reference to a field of the pod."""
    version, path = reference.child("apiVersion"), reference.child("fieldPath")
    if not path.require():
        return
    if version.string not in ("", "v1"):
        path.reject(f"{shown(version.string)} is not an apiVersion of pods: use v1")
        return
    known = _IN_FILES if is_volume else _IN_ENVIRONMENT
    subscripted = _SUBSCRIPTED.fullmatch(path.string)
    if subscripted is None:
        if _ALIASES.get(path.string, path.string) not in known:
            path.reject(f"{shown(path.string)} is not a field that can be read here: use {choice(known)}")
    elif subscripted["path"] == "metadata.annotations":
        _check_subscript(reference, path, subscripted["key"], annotation_key)
    elif subscripted["path"] == "metadata.labels":
        _check_subscript(reference, path, subscripted["key"], label_key)
    else:
        path.reject(f"{shown(path.string)} has a key in brackets, which labels and annotations take only")


def _check_subscript(reference: Field, path: Field, key: str, rule: Callable[[str], str | None]) -> None:
    if problem := rule(key):
        path.written(reference).reject(f"{shown(key)} {problem}")


def check_resource_reference(reference: Field, *, is_volume: bool = False) -> None:
    """A reference to a request or a limit of a container."""
    resource, container = reference.child("resource"), reference.child("containerName")
    if is_volume and not container.string:
        container.require()
    elif resource.require() and resource.string not in _RESOURCES and not resource.string.startswith(_PAGES):
        resource.reject(f"{shown(resource.string)} cannot be read here: use {choice(_RESOURCES)}")
    _check_divisor(reference.child("divisor"), resource.string)


def _check_divisor(divisor: Field, resource: str) -> None:
    found = nanos(divisor.value)
    if not found:
        return
    name = resource.partition(".")[2]
    if resource in _RESOURCES or resource.startswith(_PAGES):
        divisors = _CPU_DIVISORS if name == "cpu" else _BYTE_DIVISORS
        if text(divisor.value) not in divisors:
            divisor.reject(f"{shown(divisor.value)} does not divide {name}: use {choice(divisors)}")


def _check_key(reference: Field) -> None:
    reference.child("name").obey(dns_subdomain)
    key = reference.child("key")
    if key.require():
        key.obey(config_key)


def _check_file(reference: Field) -> None:
    key, volume, path = (reference.child(name) for name in ("key", "volumeName", "path"))
    if key.require():
        key.obey(environment_name)
    if volume.require():
        volume.obey(dns_label)
    if path.require():
        path.obey(no_backsteps)


_SOURCES: Mapping[str, Callable[[Field], None]] = {
    "fieldRef": check_field_reference,
    "resourceFieldRef": check_resource_reference,
    "configMapKeyRef": _check_key,
    "secretKeyRef": _check_key,
    "fileKeyRef": _check_file,
}
