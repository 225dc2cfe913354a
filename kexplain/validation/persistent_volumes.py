"""Persistent volumes.

Source: core/validation `ValidatePersistentVolumeSpec` and what it calls, release 1.36.
"""

from posixpath import normpath

from kexplain.tables import sections
from kexplain.validation.field import Field
from kexplain.validation.metadata import final_name
from kexplain.validation.resources import check_positive
from kexplain.validation.rows import judge, sub_tables

_STORAGE = "storage"
_MOST_ISCSI_NAME = 64


def check_persistent_volume(volume: Field) -> None:
    """A volume."""
    spec = volume.child("spec")
    judge(volume, "persistent_volumes.before_sources")
    _check_sources(spec, final_name(volume.child("metadata")))
    policy = spec.child("persistentVolumeReclaimPolicy")
    # To Python, unlike Go, two slashes are another root.
    if policy.value == "Recycle" and normpath(spec.descend("hostPath", "path").string) in ("/", "//"):
        policy.reject("cannot be Recycle where the volume is all of the host's files")
    judge(spec, "persistent_volumes.behind_sources")


def _check_capacity(capacity: Field) -> None:
    capacity.require()
    capacity.reject_if(set(capacity.mapping) != {_STORAGE}, f"must hold {_STORAGE}, and nothing else")
    for _, amount in capacity.entries():
        check_positive(amount)


# ---------------------------------------------------------------------------------------------------- sources


def _check_sources(spec: Field, volume_name: str = "") -> None:
    """Exactly one source: of several, the first is checked and the others are refused."""
    found = False
    for kind in _ORDER:
        source = spec.child(kind)
        if not source.is_set:
            continue
        if found and kind != "flexVolume":
            source.written(f"{spec.text}.{_REFUSED_AS.get(kind, kind)}").reject(
                "a volume has one source only, and this is another"
            )
            continue
        found = True
        judge(source, sub_tables("persistent_volumes.own").get(kind) or sub_tables("volumes.sources")[kind])
        if kind == "iscsi":
            _check_portal(source, volume_name)
        if kind == "local" and not spec.child("nodeAffinity").is_set:
            spec.child("nodeAffinity").reject("is required for a local volume")
    spec.reject_if(not found, "needs a source, such as csi, nfs or local")


def _check_portal(source: Field, volume_name: str) -> None:
    portal = source.child("targetPortal")
    if source.child("initiatorName").is_set and len(f"{volume_name}:{portal.string}".encode()) > _MOST_ISCSI_NAME:
        message = f"with the volume's name before it, must be at most {_MOST_ISCSI_NAME} characters long"
        portal.written(f"{source.text}.targetportal").reject(message)


_ORDER = sections("validation-words")["volumes"]
#: Where an API server misspells the one that is too many.
_REFUSED_AS = {"cephfs": "cephFS"}
