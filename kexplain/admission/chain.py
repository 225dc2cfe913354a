"""The way of a pod through the API server: decoded, admitted, prepared, stored.

Source: kube-apiserver 1.36 `kubeapiserver/options.AllOrderedPlugins`, `registry/core/pod.podStrategy`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

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
from kexplain.objects.core import (
    LimitRange,
    Namespace,
    Pod,
    PodSpec,
    PodStatus,
    ResourceQuota,
    ServiceAccount,
)
from kexplain.objects.meta import Condition, KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.scheduling import PriorityClass
from kexplain.objects.well_known import GATED

DEFAULT_NAMESPACE = "default"


class AdmissionObjects(Struct, frozen=True):
    """The objects of the cluster that admission reads, by name, or by namespace where there may be several."""

    priority_classes: Mapping[str, PriorityClass]
    runtime_classes: Mapping[str, RuntimeClass]
    limit_ranges: Mapping[str, Sequence[LimitRange]]
    quotas: Mapping[str, Sequence[ResourceQuota]] = msgspec.field(default_factory=dict)
    namespaces: Mapping[str, Namespace] = msgspec.field(default_factory=dict)
    service_accounts: Mapping[str, Collection[str]] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, objects: Iterable[KubernetesObject], *, namespace: str = DEFAULT_NAMESPACE) -> AdmissionObjects:
        """What matters of any objects, in their order; what names no namespace is in `namespace`.

        Of two classes with one name the later one counts.
        """
        priority_classes: dict[str, PriorityClass] = {}
        runtime_classes: dict[str, RuntimeClass] = {}
        limit_ranges: dict[str, list[LimitRange]] = {}
        quotas: dict[str, list[ResourceQuota]] = {}
        namespaces: dict[str, Namespace] = {}
        accounts: dict[str, set[str]] = {}
        for obj in objects:
            match obj:
                case PriorityClass():
                    priority_classes[obj.name] = obj
                case RuntimeClass():
                    runtime_classes[obj.name] = obj
                case LimitRange():
                    limit_ranges.setdefault(obj.namespace or namespace, []).append(obj)
                case ResourceQuota():
                    quotas.setdefault(obj.namespace or namespace, []).append(obj)
                case Namespace():
                    namespaces[obj.name] = obj
                case ServiceAccount():
                    accounts.setdefault(obj.namespace or namespace, set()).add(obj.name)
        return cls(priority_classes, runtime_classes, limit_ranges, quotas, namespaces, accounts)


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
    metadata = pod.metadata
    return bool(metadata.uid or metadata.creation_timestamp) or pod.status != PodStatus()


def admit(
    pod: Pod,
    objects: AdmissionObjects,
    *,
    namespace: str = DEFAULT_NAMESPACE,
    plugins: Collection[AdmissionPlugin] = (),
) -> Admitted:
    """The pod as it would be stored; one that comes from a cluster is returned as it is.

    `namespace` is where a pod goes that names none; `plugins` are the optional ones that are on.
    Raises QuantityError on a resource list that holds none, PluginInputError on a namespace that a plugin cannot
    read.
    """
    if is_from_cluster(pod):
        return Admitted(pod)
    prepared = prepare(pod, objects, namespace=namespace, plugins=plugins)
    # What is stored is decoded once more, so pod-level requests see what LimitRanger gave the containers.
    spec = with_defaults(prepared.pod.spec)
    notes = (*prepared.notes, *request_notes(pod.spec, spec))
    return Admitted(replace(prepared.pod, spec=spec, status=_initial_status(spec)), notes)


def prepare(
    pod: Pod,
    objects: AdmissionObjects,
    *,
    namespace: str = DEFAULT_NAMESPACE,
    plugins: Collection[AdmissionPlugin] = (),
) -> Admitted:
    """A new pod as it is validated: defaulted, changed by admission, prepared, but not stored yet.

    Raises as `admit` does.
    """
    metadata = replace(pod.metadata, namespace=pod.namespace or namespace)
    spec = with_defaults(pod.spec)
    spec, notes = _through_plugins(spec, objects, metadata.namespace or "", plugins)
    spec = with_merged_label_keys(spec, pod.labels)
    return Admitted(replace(pod, metadata=metadata, spec=spec), notes)


def _through_plugins(
    spec: PodSpec, objects: AdmissionObjects, namespace: str, plugins: Collection[AdmissionPlugin]
) -> tuple[PodSpec, tuple[str, ...]]:
    """Mutating plugins in the API server's order, which decides the order of tolerations."""
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
