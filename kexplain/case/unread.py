"""Storage that the input says nothing about: claims, volumes and classes that are taken to exist.

Of a kind of which the input holds no object, and which nobody has listed, it does not say what there is; and what a
running pod uses is there in any case. A claim that is not known is taken to be bound to a volume that every node
reaches, unless a volume says that it is the claim's, and a class to make volumes everywhere.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from kexplain.admission.workloads import template_of
from kexplain.case.relevance import as_pod, is_said_of, runs
from kexplain.objects.apps import StatefulSet
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, PersistentVolumeClaimSpec, Pod
from kexplain.objects.meta import UNREAD, Kinds, KubernetesObject
from kexplain.objects.persistent_volumes import (
    ClaimAnnotations,
    ClaimMeta,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeSpec,
    StorageStatus,
    VolumeMeta,
)
from kexplain.objects.pod_claims import PodClaim, pod_claims
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, ClassAnnotations, ClassMeta, StorageClass

#: What a class is called of which not even the name was read.
_DEFAULT_CLASS = "the-default-class"
Kind = TypeVar("Kind", bound=KubernetesObject)
_STORAGE = (PersistentVolumeClaim, PersistentVolume, StorageClass)
_DEVICES = (ResourceClaim, ResourceClaimTemplate, DeviceClass, ResourceSlice)


def taken_to_exist(
    objects: Sequence[KubernetesObject], made: Sequence[KubernetesObject], listed: Kinds
) -> Iterator[KubernetesObject]:
    """What stands for claims, volumes and classes that the objects name and the input does not know.

    All have their namespaces. `made` comes along with new pods; of kinds that are `listed` all was read.
    """
    every, (of_devices, users) = Objects.these(objects), _users(objects)
    yield from _devices(objects, of_devices, listed)
    storage = every.of(*_STORAGE)
    known = {*listed, *_read(objects, storage)}
    claims = _of(PersistentVolumeClaim, (*storage, *made))
    volumes = _of(PersistentVolume, storage)
    if PersistentVolumeClaim in listed and StorageClass in known:
        users = []
    claimants: Iterable[KubernetesObject] = ()
    if PersistentVolumeClaim not in listed:
        claimants = filter(runs, users) if PersistentVolumeClaim in known else users
    unread = [*_claims(claimants, {claim.key for claim in claims}, volumes)]
    yield from unread
    there = {"", *(each.name for each in volumes)}
    bound = [*unread, *([] if PersistentVolume in known else claims)]
    yield from (_volume(each) for each in bound if each.volume_name not in there)
    if StorageClass not in known:
        templates = _templates(users, every.of(StatefulSet))
        yield from _classes(templates, claims, {each.name for each in _of(StorageClass, storage)})


def _devices(
    objects: Sequence[KubernetesObject], users: Sequence[KubernetesObject], listed: Kinds
) -> Iterator[KubernetesObject]:
    if users and not {*_DEVICES} <= {*listed}:
        # Few clusters have any.
        from kexplain.case.unread_devices import devices_taken_to_exist  # noqa: PLC0415

        read = [obj for obj in objects if isinstance(obj, _DEVICES)]
        # Nobody writes slices for a cluster, and hardly anybody classes.
        known = {type(obj) for obj in read if isinstance(obj, DeviceClass | ResourceSlice)}
        if not listed and {DeviceClass, ResourceClaim} <= {type(obj) for obj in read if obj.is_stored}:
            # Who has got these of a cluster has asked for its slices, too: their drivers are gone.
            known |= {ResourceSlice}
        if any(map(_lacks_class, users)):
            # Nobody would ask for one that is not there if there were slices.
            known |= {DeviceClass, ResourceSlice}
        yield from devices_taken_to_exist(users, read, {*listed, *known, *_read(objects, read)})


def devices_unread(objects: Sequence[KubernetesObject], listed: Kinds) -> Iterator[ResourceClaimTemplate]:
    """The templates of claims on devices among what is taken to exist."""
    made = _devices(objects, _users(objects)[0], listed)
    return (each for each in made if isinstance(each, ResourceClaimTemplate))


def _of(kind: type[Kind], objects: Iterable[KubernetesObject]) -> list[Kind]:
    return [obj for obj in objects if isinstance(obj, kind)]


def _read(objects: Iterable[KubernetesObject], storage: Iterable[KubernetesObject]) -> set[type[KubernetesObject]]:
    """The kinds of storage that were read: of a dump, manifests beside it say nothing about what the cluster has."""
    is_dump = any(obj.metadata.uid for obj in objects if isinstance(obj, (Node, Pod)))
    return {type(obj) for obj in storage if obj.metadata.uid or not is_dump}


def _users(objects: Iterable[KubernetesObject]) -> tuple[list[KubernetesObject], list[KubernetesObject]]:
    """The pods and workloads that name claims on devices, and those that name claims on volumes."""
    of_devices, of_claims = list[KubernetesObject](), list[KubernetesObject]()
    for obj in objects:
        template = None if isinstance(obj, Pod) else template_of(obj)
        spec = obj.spec if isinstance(obj, Pod) else template and template.spec
        if spec and spec.resource_claims:
            of_devices.append(obj)
        for volume in (spec and spec.volumes) or ():
            if volume.persistent_volume_claim or volume.ephemeral:
                of_claims.append(obj)
                break
    return of_devices, of_claims


def _lacks_class(obj: KubernetesObject) -> bool:
    return is_said_of(as_pod(obj), "device class ") and is_said_of(as_pod(obj), " not exist")


def _claims(
    users: Iterable[KubernetesObject], known: set[str], volumes: Iterable[PersistentVolume]
) -> Iterator[PersistentVolumeClaim]:
    """The claims of pods and of templates; volumes that were read say where theirs are."""
    references = ((each.spec.claim_ref, each.name) for each in volumes)
    volume_by_claim = {f"{claim.namespace}/{claim.name}": name for claim, name in references if claim is not None}
    named = [(pod, each, f"{pod.namespace}/{each.name}") for pod in map(as_pod, users) for each in pod_claims(pod)]
    said = ('persistentvolumeclaim "{}" not found', 'to create the persistentvolumeclaim "{}"')
    missing = {key for pod, each, key in named if any(is_said_of(pod, text.format(each.name)) for text in said)}
    for pod, found, key in named:
        # Those of new pods are made along with these.
        is_made = found.is_ephemeral and not pod.metadata.uid
        if key not in known and not is_made and (key not in missing or runs(pod)):
            known.add(key)
            yield _claim(pod, found, volume_by_claim.get(key, f"{UNREAD}-{pod.namespace}-{found.name}"))


def _claim(pod: Pod, found: PodClaim, volume_name: str) -> PersistentVolumeClaim:
    return PersistentVolumeClaim(
        api_version=UNREAD,
        metadata=ClaimMeta(
            name=found.name,
            namespace=pod.namespace,
            uid=f"{UNREAD}-{pod.namespace}-{found.name}",
            annotations=ClaimAnnotations(bind_completed="yes"),
            owner_references=(pod.as_owner,) if found.is_ephemeral else None,
        ),
        spec=PersistentVolumeClaimSpec(volume_name=volume_name),
        status=StorageStatus(phase="Bound"),
    )


def _volume(claim: PersistentVolumeClaim) -> PersistentVolume:
    return PersistentVolume(
        api_version=UNREAD,
        metadata=VolumeMeta(name=claim.volume_name, uid=f"{UNREAD}-{claim.volume_name}"),
        spec=PersistentVolumeSpec(
            access_modes=claim.spec.access_modes,
            claim_ref=ObjectReference(name=claim.name, namespace=claim.namespace, uid=claim.metadata.uid),
            storage_class_name=claim.class_name,
            volume_mode=claim.spec.volume_mode,
        ),
        status=StorageStatus(phase="Bound"),
    )


def _classes(
    templates: Iterable[PersistentVolumeClaimSpec], claims: Iterable[PersistentVolumeClaim], there: Collection[str]
) -> Iterator[StorageClass]:
    """The classes that unbound claims and templates of claims name, and one for those that name none."""
    names = {spec.storage_class_name for spec in (*(each.spec for each in claims if not each.volume_name), *templates)}
    yield from (_class(name, is_default=False) for name in sorted({*filter(None, names)}.difference(there)))
    if None in names:
        yield _class(_DEFAULT_CLASS, is_default=True)


def _templates(users: Iterable[KubernetesObject], sets: Iterable[StatefulSet]) -> Iterator[PersistentVolumeClaimSpec]:
    """What templates of claims ask for: those of sets, and of the volumes of pods."""
    for each in sets:
        yield from (template.spec for template in each.spec.volume_claim_templates or ())
    for user in users:
        for volume in as_pod(user).spec.volumes or ():
            if volume.ephemeral and volume.ephemeral.volume_claim_template:
                yield volume.ephemeral.volume_claim_template.spec


def _class(name: str, *, is_default: bool) -> StorageClass:
    annotations = ClassAnnotations(is_default="true") if is_default else None
    metadata = ClassMeta(name=name, uid=f"{UNREAD}-{name}", annotations=annotations)
    return StorageClass(
        api_version=UNREAD, metadata=metadata, provisioner=UNREAD, volume_binding_mode=WAIT_FOR_FIRST_CONSUMER
    )
