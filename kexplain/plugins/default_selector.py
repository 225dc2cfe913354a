"""Which pods belong with a pod, by its services and its controller. Source: `helper.DefaultSelector`."""

from contextlib import suppress

from kexplain.cluster import Listers, PodInfo
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.core import Pod, ReplicationController, Service
from kexplain.objects.selectors import Requirement, Selector, SelectorError, selector_from, selector_from_labels

#: By API version and kind, the controllers whose selectors count.
_CONTROLLERS: dict[tuple[str | None, str | None], type[ReplicationController | ReplicaSet | StatefulSet]] = {
    ("v1", "ReplicationController"): ReplicationController, ("apps/v1", "ReplicaSet"): ReplicaSet,
    ("apps/v1", "StatefulSet"): StatefulSet,
}  # fmt: skip


def default_selector(pod: Pod, listers: Listers) -> Selector:
    """The selectors of all services that select the pod, and of its controller; empty without either."""
    labels: dict[str, str] = {}
    for service in services_of(pod, listers):
        labels |= service.spec.selector or {}
    owner = pod.metadata.controller
    kind = _CONTROLLERS.get((owner.api_version, owner.kind)) if owner else None
    controller = listers.get(kind, owner.name or "", pod.namespace) if owner and kind else None
    if isinstance(controller, ReplicationController):
        return selector_from_labels(labels | (controller.spec.selector or {}))
    return selector_from_labels(labels).and_also(_requirements(controller))


def is_counted(pod_info: PodInfo, selector: Selector, namespace: str) -> bool:
    """Whether a pod counts for spreading: same namespace, selected, not being deleted."""
    return pod_info.namespace == namespace and not pod_info.is_leaving and selector.matches(pod_info.labels)


def services_of(pod: Pod, listers: Listers) -> list[Service]:
    """The services that select the pod. Source: `helper.GetPodServices`."""
    here = [one for one in listers.every(Service) if one.namespace == pod.namespace and one.spec.selector is not None]
    return [each for each in here if selector_from_labels(each.spec.selector or {}).matches(pod.labels)]


def _requirements(workload: ReplicaSet | StatefulSet | None) -> tuple[Requirement, ...]:
    """The requirements of the owning workload; none if it is not known or its selector cannot be read."""
    with suppress(SelectorError):
        return (selector_from(workload.spec.selector).requirements if workload else None) or ()
    return ()
