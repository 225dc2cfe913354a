"""The volumes of a pod.

Source: core/validation `ValidateVolumes`, `validateVolumeSource` and what these call, release 1.36.
"""

from kexplain.objects.json_values import shown
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.metadata import final_name
from kexplain.validation.names import dns_subdomain
from kexplain.validation.row_paths import fields_at
from kexplain.validation.rows import judge, sub_tables

_HOST_AND_PORT = regex(r"(?:[^:\[\]]*|\[[^\[\]]*\]):[^:\[\]]*")


def refuse(source: Field) -> None:
    """Refuse the source of a volume that has another one."""
    kind = str(source.path[-1])
    at = source.written(f"{source.holder().text}.{_REFUSED_AS.get(kind, kind)}")
    at.reject("a volume has one source only, and this is another")


def is_sound(volume: Field) -> bool:
    """Whether nothing has been found wrong with a volume: mounts can refer to such only."""
    path = volume.path
    return not any(each.path[: len(path)] == path for each in volume.problems)


def volumes_named_by(name: Field) -> list[Field]:
    """The volumes of a pod that have the name that a field inside of it says."""
    return [each for each in fields_at(name, "outer volumes[]") if each.child("name").string == name.string]


def _check_other_names(name: Field) -> None:
    before = name.holder().holder().items()[: int(name.path[-2])]
    is_taken = any(each.child("name").value == name.value and is_sound(each) for each in before)
    name.reject_if(is_taken, f"{shown(name.string)} is the name of another volume")


def _check_source(volume: Field) -> None:
    """At most one source: of several, the first is checked and the others are refused. None is an emptyDir."""
    found = False
    for kind, check in sub_tables("volumes.sources").items():
        source = volume.child(kind)
        if not source.is_set:
            continue
        if found:
            refuse(source)
        else:
            found = True
            check(source)
        if kind == "iscsi":
            _check_portal(volume, source)


def check_empty(name: Field) -> None:
    """That the volume of that name starts out empty, as one without a source does."""
    volume = volumes_named_by(name)[-1]
    kinds = [kind for kind in sub_tables("volumes.sources") if volume.child(kind).is_set]
    is_empty = not kinds or "emptyDir" in kinds
    name.reject_if(not is_empty, f"{shown(name.string)} is not an emptyDir, which files of variables need")


def _check_claim_name(source: Field) -> None:
    name, pod = source.holder().child("name"), source.holder().holder().holder().holder()
    pod_name = final_name(pod.child("metadata"))
    claim_name = f"{pod_name}-{name.string}"
    if pod_name and name.string and (problem := dns_subdomain(claim_name)):
        name.reject(f"the claim that is made for it is named {shown(claim_name)}, which {problem}")


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
