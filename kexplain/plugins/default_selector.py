"""Which pods belong with a pod, by its services and its controller. Source: `helper.DefaultSelector`."""

from collections.abc import Iterable

from kexplain.cluster import Listers, PodInfo
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.core import Pod, ReplicationController, Service
from kexplain.objects.meta import OwnerReference
from kexplain.objects.selectors import Requirement, Selector, SelectorError, selector_from, selector_from_labels


def default_selector(pod: Pod, listers: Listers) -> Selector:
    """The selectors of all services that select the pod, and of its controller; empty without either."""
    labels = _labels_of_services(pod, listers)
    owner = next((ref for ref in pod.metadata.owner_references or () if ref.controller), None)
    match (owner.api_version, owner.kind) if owner else None:
        case ("v1", "ReplicationController"):
            for controller in listers.every(ReplicationController):
                if _owns(owner, controller.name) and controller.namespace == pod.namespace:
                    labels |= controller.spec.selector or {}
            return selector_from_labels(labels)
        case ("apps/v1", "ReplicaSet"):
            further = _requirements(owner, pod, listers.every(ReplicaSet))
        case ("apps/v1", "StatefulSet"):
            further = _requirements(owner, pod, listers.every(StatefulSet))
        case _:
            further = ()
    return selector_from_labels(labels).and_also(further)


def is_counted(pod_info: PodInfo, selector: Selector, namespace: str) -> bool:
    """Whether a pod counts for spreading: same namespace, selected, not being deleted."""
    return pod_info.namespace == namespace and not pod_info.is_leaving and selector.matches(pod_info.labels)


def _labels_of_services(pod: Pod, listers: Listers) -> dict[str, str]:
    labels: dict[str, str] = {}
    for service in listers.every(Service):
        selector = service.spec.selector
        if service.namespace != pod.namespace or selector is None:
            continue
        if selector_from_labels(selector).matches(pod.labels):
            labels |= selector
    return labels


def _owns(owner: OwnerReference | None, name: str) -> bool:
    return owner is not None and owner.name == name


def _requirements(
    owner: OwnerReference | None, pod: Pod, workloads: Iterable[ReplicaSet | StatefulSet]
) -> tuple[Requirement, ...]:
    """The requirements of the owning workload; none if it is not known or its selector cannot be read."""
    for workload in workloads:
        if _owns(owner, workload.name) and workload.namespace == pod.namespace:
            try:
                return selector_from(workload.spec.selector).requirements or ()
            except SelectorError:
                return ()
    return ()
