"""The volumes of a pod.

Source: core/validation `ValidateVolumes`, `validateVolumeSource` and what these call, release 1.36.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kexplain.objects.json_values import shown
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.names import dns_label, dns_subdomain
from kexplain.validation.rows import judge, needs, sub_tables

_HOST_AND_PORT = regex(r"(?:[^:\[\]]*|\[[^\[\]]*\]):[^:\[\]]*")


class Volumes(Struct, frozen=True):
    """The volumes of a pod that are sound, by name, and the names of all; mounts can refer to the former only."""

    sound: Mapping[str, Field]
    names: Sequence[str]


def check_volumes(volumes: Field, pod_name: str, *, is_pod: bool) -> Volumes:
    """Every volume of a pod or a template."""
    sound: dict[str, Field] = {}
    for volume in volumes.items():
        before = len(volume.problems)
        _check_source(volume, pod_name, is_pod=is_pod)
        name = volume.child("name")
        judge(name, needs(dns_label))
        name.reject_if(name.string in sound, f"{shown(name.string)} is the name of another volume")
        if len(volume.problems) == before:
            sound[name.string] = volume
    return Volumes(sound, [volume.child("name").string for volume in volumes.items()])


def _check_source(volume: Field, pod_name: str, *, is_pod: bool) -> None:
    """At most one source: of several, the first is checked and the others are refused. None is an emptyDir."""
    found = False
    for kind, check in sub_tables("volumes.sources").items():
        source = volume.child(kind)
        if not source.is_set:
            continue
        if found:
            at = source.written(f"{volume.text}.{_REFUSED_AS.get(kind, kind)}")
            at.reject("a volume has one source only, and this is another")
        else:
            found = True
            judge(source, check)
            if kind == "ephemeral":
                _check_claim_name(volume, pod_name)
            if kind == "image" and is_pod:
                source.child("reference").require()
        if kind == "iscsi":
            _check_portal(volume, source)


def is_empty_dir(volume: Field) -> bool:
    """Whether a volume starts out empty, as one without a source does."""
    kinds = [kind for kind in sub_tables("volumes.sources") if volume.child(kind).is_set]
    return not kinds or "emptyDir" in kinds


def _check_claim_name(volume: Field, pod_name: str) -> None:
    name = volume.child("name")
    if pod_name and name.string and (problem := dns_subdomain(f"{pod_name}-{name.string}")):
        name.reject(f"the claim that is made for it is named {shown(f'{pod_name}-{name.string}')}, which {problem}")


def _check_portal(volume: Field, source: Field) -> None:
    together = f"{volume.child('name').string}:{source.child('targetPortal').string}"
    if source.child("initiatorName").is_set and len(together.encode()) > 64:
        volume.child("name").reject("with the target portal after it, must be at most 64 characters long")


# --------------------------------------------------------------------------------------------- sources


def _check_gce_disk(source: Field) -> None:
    judge(source.written(source.text.replace("gcePersistentDisk", "persistentDisk")), "volumes.gce_disk")


def _check_quobyte(source: Field) -> None:
    registry, tenant = source.child("registry"), source.child("tenant")
    if not registry.string:
        registry.require()
    elif len(tenant.string.encode()) > 64:
        tenant.no_longer_than(64)
    elif not all(map(_HOST_AND_PORT.fullmatch, registry.string.split(","))):
        registry.reject(f"{shown(registry.string)} must be host:port, or several separated by commas")


def _check_downward_api(source: Field) -> None:
    for item in source.child("items").items():
        judge(item.written(source), "files.downward_file")


#: Where an API server misspells the one that is too many.
_REFUSED_AS = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
