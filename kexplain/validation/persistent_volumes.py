"""Persistent volumes.

Source: core/validation `ValidatePersistentVolumeSpec` and what it calls, release 1.36.
"""

from posixpath import normpath

from kexplain.tables import sections
from kexplain.validation.field import Field
from kexplain.validation.metadata import final_name
from kexplain.validation.resources import check_positive
from kexplain.validation.rows import sub_tables
from kexplain.validation.volumes import refuse

_STORAGE = "storage"
_MOST_ISCSI_NAME = 64


def _check_recycled(spec: Field) -> None:
    # To Python, unlike Go, two slashes are another root.
    is_all = normpath(spec.descend("hostPath", "path").string) in ("/", "//")
    policy = spec.child("persistentVolumeReclaimPolicy")
    policy.reject_if(is_all, "cannot be Recycle where the volume is all of the host's files")


def _check_capacity(capacity: Field) -> None:
    capacity.require()
    capacity.reject_if(set(capacity.mapping) != {_STORAGE}, f"must hold {_STORAGE}, and nothing else")
    for _, amount in capacity.entries():
        check_positive(amount)


# ---------------------------------------------------------------------------------------------------- sources


def _check_sources(spec: Field) -> None:
    """Exactly one source: of several, the first is checked and the others are refused."""
    found = False
    for kind in _ORDER:
        source = spec.child(kind)
        if not source.is_set:
            continue
        if found and kind != "flexVolume":
            refuse(source)
            continue
        found = True
        own = sub_tables("persistent_volumes.own").get(kind) or sub_tables("volumes.sources")[kind]
        own(source)
        if kind == "local" and not spec.child("nodeAffinity").is_set:
            spec.child("nodeAffinity").reject("is required for a local volume")
    spec.reject_if(not found, "needs a source, such as csi, nfs or local")


def _check_portal(source: Field) -> None:
    portal, volume_name = source.child("targetPortal"), final_name(source.holder().holder().child("metadata"))
    if source.child("initiatorName").is_set and len(f"{volume_name}:{portal.string}".encode()) > _MOST_ISCSI_NAME:
        message = f"with the volume's name before it, must be at most {_MOST_ISCSI_NAME} characters long"
        portal.written(f"{source.text}.targetportal").reject(message)


_ORDER = sections("validation-words")["volumes"]
