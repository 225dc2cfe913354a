"""The environment of a container, and references to fields of its pod.

Source: core/validation `ValidateEnv`, `ValidateEnvFrom`, `validateObjectFieldSelector`,
`validateContainerResourceFieldSelector`, release 1.36.
"""

import re

from kexplain.objects.json_values import shown
from kexplain.objects.quantity import canonical
from kexplain.patterns import regex
from kexplain.tables import sections
from kexplain.validation.field import Field, choice, nanos
from kexplain.validation.names import annotation_key, label_key

#: Fields of its pod that a container can have in its environment, and in files.
_IN = sections("pod-fields")
_ALIASES = {"spec.host": "spec.nodeName"}
_SUBSCRIPTED = regex(r"(?P<path>[^\[]*)\['(?P<key>.*)'\]", re.DOTALL)

_RESOURCES = tuple(f"{of}.{name}" for of in ("limits", "requests") for name in ("cpu", "memory", "ephemeral-storage"))
_PAGES = ("limits.hugepages-", "requests.hugepages-")
_CPU_DIVISORS = ("1m", "1")
_BYTE_DIVISORS = ("1", *(f"1{suffix}" for suffix in ("k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")))


def check_field_reference(reference: Field, place: str) -> None:
    """A reference to a field of the pod, of those that can be read in an environment, or in files."""
    version, path = reference.child("apiVersion"), reference.child("fieldPath")
    if not path.require():
        return
    if version.string not in ("", "v1"):
        path.reject(f"{shown(version.string)} is not an apiVersion of pods: use v1")
        return
    known = _IN[place]
    subscripted = _SUBSCRIPTED.fullmatch(path.string)
    if subscripted is None:
        if _ALIASES.get(path.string, path.string) not in known:
            path.reject(f"{shown(path.string)} is not a field that can be read here: use {choice(known)}")
    elif subscripted["path"] == "metadata.annotations":
        path.written(reference).judge(subscripted["key"], annotation_key)
    elif subscripted["path"] == "metadata.labels":
        path.written(reference).judge(subscripted["key"], label_key)
    else:
        path.reject(f"{shown(path.string)} has a key in brackets, which labels and annotations take only")


def check_resource_reference(reference: Field, place: str) -> None:
    """A reference to a request or a limit of a container, which only its own environment need not name."""
    resource, container = reference.child("resource"), reference.child("containerName")
    if place == "files" and not container.string:
        container.require()
    elif resource.require() and resource.string not in _RESOURCES and not resource.string.startswith(_PAGES):
        resource.reject(f"{shown(resource.string)} cannot be read here: use {choice(_RESOURCES)}")
    _check_divisor(reference.child("divisor"), resource.string)


def _check_divisor(divisor: Field, resource: str) -> None:
    if not nanos(divisor.value):
        return
    name = resource.partition(".")[2]
    if resource in _RESOURCES or resource.startswith(_PAGES):
        divisors = _CPU_DIVISORS if name == "cpu" else _BYTE_DIVISORS
        if canonical(divisor.value) not in divisors:
            divisor.reject(f"{shown(divisor.value)} does not divide {name}: use {choice(divisors)}")
