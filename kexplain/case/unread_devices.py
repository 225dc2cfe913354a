"""Claims on devices that the input says nothing about, their templates, and classes, which are taken to exist.

As with storage: of a kind of which the input holds no object, and which nobody has listed, it does not say what there
is, and what a running pod uses is there in any case. A claim that is not known is taken to ask for nothing, which any
node has; without ResourceSlices, so is every claim.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.relevance import as_pod, is_said_of, runs
from kexplain.objects.core import Pod
from kexplain.objects.meta import UNREAD, Kinds, KubernetesObject, ObjectMeta
from kexplain.objects.resource import (
    AllocationResult,
    DeviceClass,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimMeta,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourceClaimTemplate,
    ResourceClaimTemplateSpec,
    ResourceSlice,
)

Kind = TypeVar("Kind", bound=KubernetesObject)


def devices_taken_to_exist(
    users: Iterable[KubernetesObject], objects: Sequence[KubernetesObject], known: Kinds
) -> Iterator[KubernetesObject]:
    """What stands for what these pods and workloads refer to, and the input does not know.

    All have their namespaces; `objects` are all that were read of devices, and of `known` kinds these are all.
    """
    read = _by_key(ResourceClaim, objects)
    pods = [*map(as_pod, users)]
    unread = [*_unread_claims(pods, read, known)]
    claims = [*unread, *read.values()]
    there = _by_key(ResourceClaimTemplate, objects)
    templates = [*there.values()]
    if ResourceClaimTemplate not in known:
        templates += _templates(pods, read, there)
    if ResourceSlice not in known:
        yield from (replace(each, spec=ResourceClaimSpec()) for each in claims)
        yield from (replace(each, spec=ResourceClaimTemplateSpec()) for each in templates)
        return
    yield from (*unread, *templates[len(there) :])
    if DeviceClass not in known:
        classes = _by_key(DeviceClass, objects).values()
        specs = [*(each.spec for each in claims), *(each.spec.spec for each in templates)]
        yield from _classes(specs, {each.name for each in classes})


def _by_key(kind: type[Kind], objects: Iterable[KubernetesObject]) -> dict[str, Kind]:
    return {obj.key: obj for obj in objects if isinstance(obj, kind)}


def _unread_claims(pods: Iterable[Pod], read: Collection[str], known: Kinds) -> Iterator[ResourceClaim]:
    found = [(pod, used) for pod in pods for used in _used(pod)]
    missing = {used.key for pod, used in found if is_said_of(pod, f'ResourceClaim "{used.key}"')}
    unread = [(pod, used) for pod, used in found if used.claim and used.key not in read]
    may_exist = set() if ResourceClaim in known else {used.key for _, used in unread} - missing
    yield from {used.key: _claim(pod, used) for pod, used in unread if runs(pod) or used.key in may_exist}.values()


def _templates(
    pods: Iterable[Pod], read: Mapping[str, ResourceClaim], there: Collection[str]
) -> Iterator[ResourceClaimTemplate]:
    """The templates that are not there; a claim that was made of one says what it asks for."""
    specs: dict[str, ResourceClaimSpec] = {}
    for each in chain.from_iterable(map(_used, pods)):
        if each.template and each.template not in there:
            specs.setdefault(each.template, ResourceClaimSpec())
            if each.key in read:
                specs[each.template] = read[each.key].spec
    yield from (_template(key, spec) for key, spec in specs.items())


class _Used(Struct, frozen=True):
    """A claim that a pod refers to, by its name if it is known, and the key of the template that it is made of."""

    key: str
    claim: str
    template: str


def _used(pod: Pod) -> Iterator[_Used]:
    made = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
    for reference in pod.spec.resource_claims or ():
        claim = reference.resource_claim_name or made.get(reference.name) or ""
        of = reference.resource_claim_template_name
        yield _Used(f"{pod.namespace}/{claim}", claim, f"{pod.namespace}/{of}" if of else "")


def _claim(pod: Pod, used: _Used) -> ResourceClaim:
    user = ResourceClaimConsumerReference(resource="pods", name=pod.name, uid=pod.uid)
    return ResourceClaim(
        api_version=UNREAD,
        metadata=ResourceClaimMeta(
            name=used.claim,
            namespace=pod.namespace,
            uid=f"{UNREAD}-{used.key}",
            owner_references=(pod.as_owner,) if used.template else None,
        ),
        status=ResourceClaimStatus(allocation=AllocationResult(), reserved_for=(user,))
        if pod.spec.node_name
        else ResourceClaimStatus(),
    )


def _template(key: str, spec: ResourceClaimSpec) -> ResourceClaimTemplate:
    namespace, _, name = key.partition("/")
    metadata = ObjectMeta(name=name, namespace=namespace, uid=f"{UNREAD}-{key}")
    return ResourceClaimTemplate(api_version=UNREAD, metadata=metadata, spec=ResourceClaimTemplateSpec(spec=spec))


def _classes(specs: Iterable[ResourceClaimSpec], there: Collection[str]) -> Iterator[DeviceClass]:
    """The classes that are asked for, which every device belongs to."""
    requests = (request for spec in specs for request in spec.devices.requests or ())
    every = ((*([each.exactly] if each.exactly else ()), *(each.first_available or ())) for each in requests)
    wanted = (each.device_class_name for alternatives in every for each in alternatives)
    for name in sorted({name for name in wanted if name}.difference(there)):
        yield DeviceClass(api_version=UNREAD, metadata=ObjectMeta(name=name, uid=f"{UNREAD}-{name}"))
