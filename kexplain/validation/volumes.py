"""The volumes of a pod.

Source: core/validation `ValidateVolumes`, `validateVolumeSource` and what these call, release 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from kexplain.patterns import regex
from kexplain.validation.claims import check_claim_spec
from kexplain.validation.files import MODE, check_downward_file, check_key_to_path
from kexplain.validation.metadata import check_template_metadata
from kexplain.validation.names import dns_label, dns_subdomain, no_backsteps, relative_path
from kexplain.validation.problem import Field, shown
from kexplain.validation.projections import check_projected
from kexplain.validation.resources import check_not_negative

PULL_POLICIES = ("Always", "IfNotPresent", "Never")

_HOST_PATH_TYPES = ("", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice")
_INITIATORS = {
    "iqn": regex(r"iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$"),
    "eui": regex(r"^eui.[A-Za-z0-9]{16}$"),
    "naa": regex(r"^naa.[A-Za-z0-9]{32}$"),
}
_HOST_AND_PORT = regex(r"(?:[^:\[\]]*|\[[^\[\]]*\]):[^:\[\]]*")
_AZURE_CACHES = ("None", "ReadOnly", "ReadWrite")
_AZURE_KINDS = ("Shared", "Dedicated", "Managed")

_Check = Callable[[Field], None]


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
        if name.require():
            name.obey(dns_label)
        if name.string in sound:
            name.reject(f"{shown(name.string)} is the name of another volume")
        if len(volume.problems) == before:
            sound[name.string] = volume
    return Volumes(sound, [volume.child("name").string for volume in volumes.items()])


def _check_source(volume: Field, pod_name: str, *, is_pod: bool) -> None:
    """At most one source: of several, the first is checked and the others are refused. None is an emptyDir."""
    found = False
    for kind, check in SOURCE_CHECKS.items():
        source = volume.child(kind)
        if not source.is_set:
            continue
        if found:
            at = source.written(f"{volume.text}.{_REFUSED_AS.get(kind, kind)}")
            at.reject("a volume has one source only, and this is another")
        else:
            found = True
            check(source)
            if kind == "ephemeral":
                _check_claim_name(volume, pod_name)
            if kind == "image" and is_pod:
                source.child("reference").require()
        if kind == "iscsi":
            _check_portal(volume, source)


def is_empty_dir(volume: Field) -> bool:
    """Whether a volume starts out empty, as one without a source does."""
    return volume.child("emptyDir").is_set or not any(volume.child(kind).is_set for kind in SOURCE_CHECKS)


def _check_claim_name(volume: Field, pod_name: str) -> None:
    name = volume.child("name")
    if pod_name and name.string and (problem := dns_subdomain(f"{pod_name}-{name.string}")):
        name.reject(f"the claim that is made for it is named {shown(f'{pod_name}-{name.string}')}, which {problem}")


def _check_portal(volume: Field, source: Field) -> None:
    together = f"{volume.child('name').string}:{source.child('targetPortal').string}"
    if source.child("initiatorName").is_set and len(together.encode()) > 64:
        volume.child("name").reject("with the target portal after it, must be at most 64 characters long")


# ------------------------------------------------------------------------------------- one function a source


def required(*names: str) -> _Check:
    """The check of a source that needs nothing but some fields."""

    def check(source: Field) -> None:
        for name in names:
            source.descend(*name.split(".")).require()

    return check


def _check_empty_dir(source: Field) -> None:
    check_not_negative(source.child("sizeLimit"))


def _check_host_path(source: Field) -> None:
    path = source.child("path")
    if path.require():
        path.obey(no_backsteps)
        source.child("type").one_of(_HOST_PATH_TYPES)


def _check_git_repo(source: Field) -> None:
    source.child("repository").require()
    source.child("directory").obey(relative_path)


def _check_gce_disk(source: Field) -> None:
    source = source.written(source.text.replace("gcePersistentDisk", "persistentDisk"))
    source.child("pdName").require()
    source.child("partition").within(0, 255)


def _check_ebs(source: Field) -> None:
    source.child("volumeID").require()
    source.child("partition").within(0, 255)


def _check_files(name: str) -> _Check:
    """The check of a ConfigMap or a Secret, which is named by this field."""

    def check(source: Field) -> None:
        source.child(name).require()
        source.child("defaultMode").within(0, MODE)
        for item in source.child("items").items():
            check_key_to_path(item)

    return check


def _check_nfs(source: Field) -> None:
    source.child("server").require()
    path = source.child("path")
    if path.require() and not path.string.startswith("/"):
        path.reject(f"{shown(path.string)} must be an absolute path")


def _check_iscsi(source: Field) -> None:
    source.child("targetPortal").require()
    iqn = source.child("iqn")
    if iqn.require():
        check_initiator(iqn)
    source.child("lun").within(0, 255)
    if source.child("chapAuthDiscovery").flag or source.child("chapAuthSession").flag:
        source.child("secretRef").require()
    initiator = source.child("initiatorName")
    if initiator.is_set:
        check_initiator(initiator.written(f"{source.text}.initiatorname"))


def check_initiator(name: Field) -> None:
    """The name of one who opens an iSCSI session, or of one that is opened."""
    pattern = _INITIATORS.get(name.string[:3])
    if pattern is None or not pattern.search(name.string):
        name.reject(f"{shown(name.string)} is not an iSCSI name that begins with iqn., eui. or naa.")


def _check_flocker(source: Field) -> None:
    name, uuid = source.child("datasetName"), source.child("datasetUUID")
    if bool(name.string) == bool(uuid.string):
        source.reject("needs datasetName or datasetUUID, and not both")
    if "/" in name.string:
        name.reject(f'{shown(name.string)} must not contain "/"')


def _check_cinder(source: Field) -> None:
    source.child("volumeID").require()
    _check_secret(source.child("secretRef"))


def _check_secret(reference: Field) -> None:
    if reference.is_set:
        reference.child("name").require()


def _check_quobyte(source: Field) -> None:
    registry, tenant = source.child("registry"), source.child("tenant")
    if not registry.string:
        registry.require()
    elif len(tenant.string.encode()) > 64:
        tenant.reject("must be at most 64 characters long")
    elif not all(map(_HOST_AND_PORT.fullmatch, registry.string.split(","))):
        registry.reject(f"{shown(registry.string)} must be host:port, or several separated by commas")
    source.child("volume").require()


def _check_downward_api(source: Field) -> None:
    source.child("defaultMode").within(0, MODE)
    for item in source.child("items").items():
        check_downward_file(item.written(source))


def _check_fibre_channel(source: Field) -> None:
    names, ids, lun = source.child("targetWWNs"), source.child("wwids"), source.child("lun")
    if bool(names.items()) == bool(ids.items()):
        names.reject("is required, or wwids instead, and not both")
    if names.items() and lun.require("is required with targetWWNs"):
        lun.within(0, 255)


def _check_flex(source: Field) -> None:
    source.child("driver").require()
    for key, option in source.child("options").entries():
        domain = f".{key.split('/')[0].lower()}"
        if domain.endswith((".kubernetes.io", ".k8s.io")):
            option.reject(f"{shown(key)} is in a domain that belongs to Kubernetes")


def _check_azure_disk(source: Field) -> None:
    uri, kind = source.child("diskURI"), source.child("kind")
    source.child("diskName").require()
    uri.require()
    source.child("cachingMode").one_of(_AZURE_CACHES)
    kind.one_of(_AZURE_KINDS)
    # An API server fills in the kind of one that names none.
    start = "/subscriptions/" if kind.value == "Managed" else "https://"
    if not uri.string.startswith(start):
        uri.reject(f"{shown(uri.string)} must begin with {start} where the kind is {kind.string or 'Shared'}")


def check_storageos_volume(source: Field) -> None:
    """The volume of StorageOS; what it takes to reach it differs between pods and persistent volumes."""
    name, namespace = source.child("volumeName"), source.child("volumeNamespace")
    if name.require():
        name.obey(dns_label)
    if namespace.string:
        namespace.obey(dns_label)


def _check_storageos(source: Field) -> None:
    check_storageos_volume(source)
    _check_secret(source.child("secretRef"))


def check_csi_driver(name: Field) -> None:
    """The name of a CSI driver, in which upper case is fine."""
    if name.require():
        if len(name.string) > 63:
            name.reject("must be at most 63 characters long")
        if problem := dns_subdomain(name.string.lower()):
            name.reject(f"{shown(name.string)} {problem}")


def _check_csi(source: Field) -> None:
    check_csi_driver(source.child("driver"))
    secret = source.child("nodePublishSecretRef")
    if secret.is_set and secret.child("name").require():
        secret.child("name").written(f"{source.text}.name").obey(dns_subdomain)


def _check_ephemeral(source: Field) -> None:
    template = source.child("volumeClaimTemplate")
    if not template.is_set:
        template.require()
        return
    check_template_metadata(template.child("metadata"))
    check_claim_spec(template.child("spec"))


def _check_image(source: Field) -> None:
    policy = source.child("pullPolicy")
    if policy.string:
        policy.one_of(PULL_POLICIES)


#: By the order in which an API server looks for them, which tells the first of several.
SOURCE_CHECKS: Mapping[str, _Check] = {
    "emptyDir": _check_empty_dir,
    "hostPath": _check_host_path,
    "gitRepo": _check_git_repo,
    "gcePersistentDisk": _check_gce_disk,
    "awsElasticBlockStore": _check_ebs,
    "secret": _check_files("secretName"),
    "nfs": _check_nfs,
    "iscsi": _check_iscsi,
    "glusterfs": required("endpoints", "path"),
    "flocker": _check_flocker,
    "persistentVolumeClaim": required("claimName"),
    "rbd": required("monitors", "image"),
    "cinder": _check_cinder,
    "cephfs": required("monitors"),
    "quobyte": _check_quobyte,
    "downwardAPI": _check_downward_api,
    "fc": _check_fibre_channel,
    "flexVolume": _check_flex,
    "configMap": _check_files("name"),
    "azureFile": required("secretName", "shareName"),
    "vsphereVolume": required("volumePath"),
    "photonPersistentDisk": required("pdID"),
    "portworxVolume": required("volumeID"),
    "azureDisk": _check_azure_disk,
    "storageos": _check_storageos,
    "projected": check_projected,
    "scaleIO": required("gateway", "system", "volumeName"),
    "csi": _check_csi,
    "ephemeral": _check_ephemeral,
    "image": _check_image,
}
#: Where an API server misspells the one that is too many.
_REFUSED_AS = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
