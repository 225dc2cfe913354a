"""The way of a pod through the API server: decoded, admitted, prepared, stored.

Source: kube-apiserver 1.36 `kubeapiserver/options.AllOrderedPlugins`, `registry/core/pod.podStrategy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kexplain.admission.changes import request_notes
from kexplain.admission.defaults import with_defaults
from kexplain.admission.limit_range import with_limit_ranges
from kexplain.admission.match_label_keys import with_merged_label_keys
from kexplain.admission.priority import with_priority
from kexplain.admission.runtime_class import with_runtime_class
from kexplain.admission.toleration_seconds import with_default_tolerations
from kexplain.objects.core import LimitRange, Pod, PodCondition, PodSpec, PodStatus
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.scheduling import PriorityClass

DEFAULT_NAMESPACE = "default"


@dataclass(frozen=True, slots=True)
class AdmissionObjects:
    """What stands in the cluster that admission reads: classes by name, limit ranges by namespace."""

    priority_classes: Mapping[str, PriorityClass]
    runtime_classes: Mapping[str, RuntimeClass]
    limit_ranges: Mapping[str, Sequence[LimitRange]]

    @classmethod
    def of(cls, objects: Iterable[KubernetesObject], *, namespace: str = DEFAULT_NAMESPACE) -> AdmissionObjects:
        """What matters of any objects, in their order; limit ranges without a namespace are in `namespace`.

        Of two classes with one name the later one counts.
        """
        priority_classes: dict[str, PriorityClass] = {}
        runtime_classes: dict[str, RuntimeClass] = {}
        limit_ranges: dict[str, list[LimitRange]] = {}
        for obj in objects:
            match obj:
                case PriorityClass():
                    priority_classes[obj.name] = obj
                case RuntimeClass():
                    runtime_classes[obj.name] = obj
                case LimitRange():
                    limit_ranges.setdefault(obj.namespace or namespace, []).append(obj)
        return cls(priority_classes, runtime_classes, limit_ranges)


@dataclass(frozen=True, slots=True)
class Admitted:
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


def admit(pod: Pod, objects: AdmissionObjects, *, namespace: str = DEFAULT_NAMESPACE) -> Admitted:
    """The pod as it would be stored; one that comes from a cluster is returned as it is.

    `namespace` is where a pod goes that names none. Raises QuantityError on a resource list that holds none.
    """
    if is_from_cluster(pod):
        return Admitted(pod)
    metadata = replace(pod.metadata, namespace=pod.namespace or namespace)
    spec = with_defaults(pod.spec)
    spec, notes = _through_plugins(spec, objects, metadata.namespace or "")
    spec = with_merged_label_keys(spec, pod.labels)
    # What is stored is decoded once more, so pod-level requests see what LimitRanger gave the containers.
    spec = with_defaults(spec)
    notes = (*notes, *request_notes(pod.spec, spec))
    return Admitted(replace(pod, metadata=metadata, spec=spec, status=_initial_status(spec)), notes)


def _through_plugins(spec: PodSpec, objects: AdmissionObjects, namespace: str) -> tuple[PodSpec, tuple[str, ...]]:
    """Mutating plugins in the API server's order, which decides the order of tolerations."""
    spec = with_limit_ranges(spec, objects.limit_ranges.get(namespace, ()))
    spec, priority_notes = with_priority(spec, objects.priority_classes)
    spec = with_default_tolerations(spec)
    spec, runtime_class_notes = with_runtime_class(spec, objects.runtime_classes)
    return spec, priority_notes + runtime_class_notes


def _initial_status(spec: PodSpec) -> PodStatus:
    if not spec.scheduling_gates:
        return PodStatus(phase="Pending")
    gated = PodCondition(type="PodScheduled", status="False", reason="SchedulingGated")
    return PodStatus(phase="Pending", conditions=(gated,))
