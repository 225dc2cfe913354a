"""The way of a pod through the API server: decoded, admitted, prepared, stored.

Source: kube-apiserver 1.36 `kubeapiserver/options.AllOrderedPlugins`, `registry/core/pod.podStrategy`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission.defaults import with_defaults
from kexplain.admission.limit_range import with_limit_ranges
from kexplain.admission.match_label_keys import with_merged_label_keys
from kexplain.admission.optional_plugins import (
    AdmissionPlugin,
    with_extended_resource_tolerations,
    with_namespace_node_selector,
    with_namespace_tolerations,
)
from kexplain.admission.priority import with_priority
from kexplain.admission.request_notes import request_notes
from kexplain.admission.runtime_class import with_runtime_class
from kexplain.admission.toleration_seconds import with_default_tolerations
from kexplain.grouping import grouped
from kexplain.objects.collection import Kind, Objects
from kexplain.objects.core import LimitRange, Namespace, Pod, PodSpec, PodStatus, ResourceQuota, ServiceAccount
from kexplain.objects.meta import Condition, Kinds, KubernetesObject
from kexplain.objects.scheduling import PriorityClass, RuntimeClass
from kexplain.objects.well_known import DEFAULT_NAMESPACE, GATED


class AdmissionObjects(Struct, frozen=True):
    """What admission goes by: objects by name, or by namespace where there may be several, and what is set.

    What names no namespace goes to `namespace`. Of kinds in `known`, what is not here is nowhere. `plugins` are the
    optional ones that are on.
    """

    priority_classes: Mapping[str, PriorityClass] = msgspec.field(default_factory=dict)
    runtime_classes: Mapping[str, RuntimeClass] = msgspec.field(default_factory=dict)
    limit_ranges: Mapping[str, Sequence[LimitRange]] = msgspec.field(default_factory=dict)
    quotas: Mapping[str, Sequence[ResourceQuota]] = msgspec.field(default_factory=dict)
    namespaces: Mapping[str, Namespace] = msgspec.field(default_factory=dict)
    service_accounts: Mapping[str, Collection[str]] = msgspec.field(default_factory=dict)
    stored: Objects = msgspec.field(default_factory=Objects)
    known: Kinds = ()
    plugins: Collection[AdmissionPlugin] = ()
    namespace: str = DEFAULT_NAMESPACE
    #: The minor version of the API server.
    minor: int = 36

    @classmethod
    def of(
        cls,
        objects: Iterable[KubernetesObject],
        applied: Iterable[KubernetesObject] = (),
        *,
        listed: Iterable[type[KubernetesObject]] = (),
        plugins: Collection[AdmissionPlugin] = (),
        namespace: str = DEFAULT_NAMESPACE,
        release: str = "1.36",
    ) -> AdmissionObjects:
        """What matters of the objects of a cluster, in their order, and of those that are `applied` to it.

        Known are the kinds that were `listed` whole, and those that the cluster holds any of: a dump may lack all
        others. Of two classes with one name the later one counts.
        """
        stored, new = Objects.these(objects), Objects(applied)

        def every(kind: type[Kind]) -> list[Kind]:
            return [*stored.of(kind), *new.of(kind)]

        accounts = _by_namespace(every(ServiceAccount), namespace)
        return cls(
            priority_classes={each.name: each for each in every(PriorityClass)},
            runtime_classes={each.name: each for each in every(RuntimeClass)},
            limit_ranges=_by_namespace(every(LimitRange), namespace),
            quotas=_by_namespace(every(ResourceQuota), namespace),
            namespaces={each.name: each for each in every(Namespace)},
            service_accounts={home: {each.name for each in found} for home, found in accounts.items()},
            stored=stored,
            known={*listed, *stored.kinds},
            plugins=plugins,
            namespace=namespace,
            minor=int(release.partition(".")[2]),
        )


def _by_namespace(objects: Iterable[Any], namespace: str) -> dict[str, list[Any]]:
    return grouped((obj.namespace or namespace, obj) for obj in objects)


class Admitted(Struct, frozen=True):
    """A pod as the scheduler would see it, and what had to be assumed on the way."""

    pod: Pod
    notes: tuple[str, ...] = ()


def is_from_cluster(pod: Pod) -> bool:
    """Whether an API server has had the pod in hand: it has a uid, a creation time, or any status.

    Only an API server gives these, and it gives them all; a manifest that lost one still shows the others.
    What `kubectl create --dry-run=client` leaves in a manifest (`creationTimestamp: null`, `status: {}`) says
    nothing. A pod that `admit` returned counts too, since it has a status: admitting twice changes nothing.
    """
    return bool(pod.metadata.uid) or pod.is_stored or pod.status != PodStatus()


def admit(pod: Pod, objects: AdmissionObjects) -> Admitted:
    """The pod as it would be stored; one that comes from a cluster is returned as it is.

    Raises QuantityError on a resource list that holds none.
    """
    if is_from_cluster(pod):
        return Admitted(pod)
    prepared = prepare(pod, objects)
    # What is stored is decoded once more, so pod-level requests see what LimitRanger gave the containers.
    spec = with_defaults(prepared.pod.spec)
    notes = (*prepared.notes, *request_notes(pod.spec, spec))
    return Admitted(replace(prepared.pod, spec=spec, status=_initial_status(spec)), notes)


def prepare(pod: Pod, objects: AdmissionObjects) -> Admitted:
    """A new pod as it is validated: defaulted, changed by admission, prepared, but not stored yet.

    Raises as `admit` does.
    """
    metadata = replace(pod.metadata, namespace=pod.namespace or objects.namespace)
    spec = with_defaults(pod.spec)
    spec, notes = _through_plugins(spec, objects, metadata.namespace or "")
    spec = with_merged_label_keys(spec, pod.labels)
    return Admitted(replace(pod, metadata=metadata, spec=spec), notes)


def _through_plugins(spec: PodSpec, objects: AdmissionObjects, namespace: str) -> tuple[PodSpec, tuple[str, ...]]:
    """Mutating plugins in the API server's order, which decides the order of tolerations."""
    plugins = objects.plugins
    its_namespace = objects.namespaces.get(namespace)
    spec = with_limit_ranges(spec, objects.limit_ranges.get(namespace, ()))
    if AdmissionPlugin.POD_NODE_SELECTOR in plugins:
        spec = with_namespace_node_selector(spec, its_namespace)
    spec, priority_notes = with_priority(spec, objects.priority_classes)
    spec = with_default_tolerations(spec)
    if AdmissionPlugin.POD_TOLERATION_RESTRICTION in plugins:
        spec = with_namespace_tolerations(spec, its_namespace)
    if AdmissionPlugin.EXTENDED_RESOURCE_TOLERATION in plugins:
        spec = with_extended_resource_tolerations(spec)
    spec, runtime_class_notes = with_runtime_class(spec, objects.runtime_classes)
    return spec, priority_notes + runtime_class_notes


def _initial_status(spec: PodSpec) -> PodStatus:
    if not spec.scheduling_gates:
        return PodStatus(phase="Pending")
    gated = Condition(type="PodScheduled", status="False", reason="SchedulingGated", message=GATED)
    return PodStatus(phase="Pending", conditions=(gated,))
