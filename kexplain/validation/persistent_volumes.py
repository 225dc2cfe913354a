"""Persistent volumes.

Source: core/validation `ValidatePersistentVolumeSpec` and what it calls, release 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from posixpath import normpath

from kexplain.validation.claims import VOLUME_MODES, check_access_modes
from kexplain.validation.labels import check_node_selector
from kexplain.validation.metadata import check_metadata, final_name
from kexplain.validation.names import dns_label, dns_subdomain, no_backsteps
from kexplain.validation.problem import Field
from kexplain.validation.resources import check_positive
from kexplain.validation.volumes import (
    SOURCE_CHECKS,
    check_csi_driver,
    check_initiator,
    check_storageos_volume,
    required,
)

_RECLAIM_POLICIES = ("Delete", "Recycle", "Retain")
_STORAGE = "storage"
_MOST_ISCSI_NAME = 64


def check_persistent_volume(volume: Field) -> None:
    """A volume."""
    check_metadata(volume.child("metadata"))
    spec = volume.child("spec")
    check_access_modes(spec.child("accessModes"))
    _check_capacity(spec.child("capacity"))
    policy = spec.child("persistentVolumeReclaimPolicy")
    if policy.string:
        policy.one_of(_RECLAIM_POLICIES)
    affinity = spec.child("nodeAffinity")
    if affinity.is_set and affinity.child("required").require_set():
        check_node_selector(affinity.child("required"))
    _check_sources(spec, final_name(volume.child("metadata")))
    # To Python, unlike Go, two slashes are another root.
    if policy.value == "Recycle" and normpath(spec.descend("hostPath", "path").string) in ("/", "//"):
        policy.reject("cannot be Recycle where the volume is all of the host's files")
    if spec.child("storageClassName").string:
        spec.child("storageClassName").obey(dns_subdomain)
    spec.child("volumeMode").one_of(VOLUME_MODES)
    _check_attributes_class(spec)


def check_inline_spec(spec: Field) -> None:
    """The volume that a pod names itself, before it is attached: one of a CSI driver, and nothing to claim."""
    for name in ("claimRef", "capacity", "nodeAffinity", "storageClassName"):
        if spec.child(name).value:
            spec.child(name).reject("must be left out of an inline volume")
    spec.child("csi").require_set("is required of an inline volume")
    check_access_modes(spec.child("accessModes"))
    for name, only in (("persistentVolumeReclaimPolicy", "Retain"), ("volumeMode", "Filesystem")):
        if spec.child(name).string not in ("", only):
            spec.child(name).reject(f"must be {only} for an inline volume")
    _check_sources(spec, "")


def _check_capacity(capacity: Field) -> None:
    capacity.require()
    if set(capacity.mapping) != {_STORAGE}:
        capacity.reject(f"must hold {_STORAGE}, and nothing else")
    for _, amount in capacity.entries():
        check_positive(amount)


def _check_attributes_class(spec: Field) -> None:
    name = spec.child("volumeAttributesClassName")
    if not name.is_set:
        return
    if name.require():
        name.obey(dns_subdomain)
    spec.child("csi").require_set("is required with volumeAttributesClassName")


# ---------------------------------------------------------------------------------------------------- sources


def _check_sources(spec: Field, volume_name: str) -> None:
    """Exactly one source: of several, the first is checked and the others are refused."""
    found = False
    for kind, check in _CHECKS.items():
        source = spec.child(kind)
        if not source.is_set:
            continue
        if found and kind != "flexVolume":
            source.written(f"{spec.text}.{_REFUSED_AS.get(kind, kind)}").reject(
                "a volume has one source only, and this is another"
            )
            continue
        found = True
        check(source)
        if kind == "iscsi":
            _check_portal(source, volume_name)
        if kind == "local" and not spec.child("nodeAffinity").is_set:
            spec.child("nodeAffinity").reject("is required for a local volume")
    if not found:
        spec.reject("needs a source, such as csi, nfs or local")


def _check_portal(source: Field, volume_name: str) -> None:
    portal = source.child("targetPortal")
    if source.child("initiatorName").is_set and len(f"{volume_name}:{portal.string}".encode()) > _MOST_ISCSI_NAME:
        message = f"with the volume's name before it, must have at most {_MOST_ISCSI_NAME} characters"
        portal.written(f"{source.text}.targetportal").reject(message)


def _check_local(source: Field) -> None:
    path = source.child("path")
    if path.require():
        path.obey(no_backsteps)


def _check_glusterfs(source: Field) -> None:
    required("endpoints", "path")(source)
    if source.child("endpointsNamespace").is_set:
        source.child("endpointsNamespace").obey(dns_label)


def _check_iscsi(source: Field) -> None:
    source.child("targetPortal").require()
    if source.child("iqn").require():
        check_initiator(source.child("iqn"))
    source.child("lun").within(0, 255)
    secret = source.child("secretRef")
    if source.child("chapAuthDiscovery").flag or source.child("chapAuthSession").flag:
        secret.require_set("is required where CHAP is on")
    if secret.is_set:
        secret.child("name").require()
    initiator = source.child("initiatorName")
    if initiator.is_set:
        check_initiator(initiator.written(f"{source.text}.initiatorname"))


def _check_cinder(source: Field) -> None:
    source.child("volumeID").require()
    _require_secret(source.child("secretRef"))


def _check_azure_file(source: Field) -> None:
    required("secretName", "shareName")(source)
    if source.child("secretNamespace").is_set:
        source.child("secretNamespace").require()


def _check_storageos(source: Field) -> None:
    check_storageos_volume(source)
    _require_secret(source.child("secretRef"))


def _require_secret(reference: Field) -> None:
    if reference.is_set:
        required("name", "namespace")(reference)


def _check_csi(source: Field) -> None:
    check_csi_driver(source.child("driver"))
    source.child("volumeHandle").require()
    for step in ("controllerPublish", "controllerExpand", "nodePublish", "nodeExpand"):
        secret = source.child(f"{step}SecretRef")
        if not secret.is_set:
            continue
        for name, rule in (("name", dns_subdomain), ("namespace", dns_label)):
            if secret.child(name).require():
                secret.child(name).obey(rule)


#: By the order in which an API server looks for them, which tells the first of several.
_CHECKS: Mapping[str, Callable[[Field], None]] = {
    "hostPath": SOURCE_CHECKS["hostPath"],
    "gcePersistentDisk": SOURCE_CHECKS["gcePersistentDisk"],
    "awsElasticBlockStore": SOURCE_CHECKS["awsElasticBlockStore"],
    "glusterfs": _check_glusterfs,
    "flocker": SOURCE_CHECKS["flocker"],
    "nfs": SOURCE_CHECKS["nfs"],
    "rbd": required("monitors", "image"),
    "quobyte": SOURCE_CHECKS["quobyte"],
    "cephfs": required("monitors"),
    "iscsi": _check_iscsi,
    "cinder": _check_cinder,
    "fc": SOURCE_CHECKS["fc"],
    "flexVolume": SOURCE_CHECKS["flexVolume"],
    "azureFile": _check_azure_file,
    "vsphereVolume": SOURCE_CHECKS["vsphereVolume"],
    "photonPersistentDisk": SOURCE_CHECKS["photonPersistentDisk"],
    "portworxVolume": SOURCE_CHECKS["portworxVolume"],
    "azureDisk": SOURCE_CHECKS["azureDisk"],
    "scaleIO": SOURCE_CHECKS["scaleIO"],
    "local": _check_local,
    "storageos": _check_storageos,
    "csi": _check_csi,
}
#: Where an API server misspells the one that is too many.
_REFUSED_AS = {"cephfs": "cephFS"}
