"""What an API server refuses of a new pod although a scheduler would have a node for it.

Source: plugin/pkg/admission `priority`, `runtimeclass`, `serviceaccount`, `limitranger` and `namespace/lifecycle`, core
validation `ValidateResourceRequirements`, release 1.36. That something is not there is known only of kinds of which the
input holds any, or that were listed whole; and what a stored pod uses is there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from kexplain.admission.chain import AdmissionObjects
from kexplain.admission.priority import SYSTEM_PRIORITY_CLASSES
from kexplain.objects import quantity
from kexplain.objects.core import Namespace, Pod, ServiceAccount
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.problem import Problem
from kexplain.objects.scheduling import PriorityClass
from kexplain.words import clauses, did_you_mean

#: What every cluster has, without anybody's doing.
INITIAL_NAMESPACES = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
_ALWAYS_THERE: dict[type[KubernetesObject], Collection[str]] = {
    Namespace: INITIAL_NAMESPACES,
    PriorityClass: SYSTEM_PRIORITY_CLASSES,
}


def refusals(
    pod: Pod,
    objects: AdmissionObjects,
    listed: Collection[type[KubernetesObject]],
    stored: Iterable[Pod] = (),
) -> Iterator[Problem]:
    """Why an admitted pod is not created: the path of each field at fault, and what is wrong with it.

    `listed` are the kinds that have no other objects than those of `objects`; `stored` are pods of the cluster.
    """
    spec = pod.spec
    named: tuple[tuple[type[KubernetesObject], str | None, Collection[str], tuple[str, str]], ...] = (
        (Namespace, pod.namespace, objects.namespaces, ("metadata", "namespace")),
        (PriorityClass, spec.priority_class_name, objects.priority_classes, ("spec", "priorityClassName")),
        (RuntimeClass, spec.runtime_class_name, objects.runtime_classes, ("spec", "runtimeClassName")),
    )
    accounts = objects.service_accounts.get(pod.namespace, ())
    if pod.namespace in objects.namespaces:
        named += ((ServiceAccount, spec.service_account_name or "default", accounts, ("spec", "serviceAccountName")),)
    for kind, name, known, path in named:
        if not name or name in known or not (known or kind in listed) or name in _ALWAYS_THERE.get(kind, ()):
            continue
        if not any(_uses(each, kind, name, pod.namespace) for each in stored):
            yield Problem(path, clauses(f'{kind.__name__} "{name}" is not there', did_you_mean(name, known)))
    yield from _requests_above_limits(pod)
    if limit_ranges := objects.limit_ranges.get(pod.namespace, ()):
        # Few namespaces have any, and few enforce a standard.
        from kexplain.admission.limits import limit_problems  # noqa: PLC0415

        yield from limit_problems(spec, limit_ranges)
    if (namespace := objects.namespaces.get(pod.namespace)) and namespace.labels:
        from kexplain.admission.pod_security import security_problems  # noqa: PLC0415

        yield from security_problems(pod, namespace)


def _uses(pod: Pod, kind: type[KubernetesObject], name: str, namespace: str) -> bool:
    """Whether a stored pod could not be without the object of that name."""
    if kind is Namespace:
        return pod.namespace == name
    if kind is PriorityClass:
        return pod.spec.priority_class_name == name
    if kind is RuntimeClass:
        return pod.spec.runtime_class_name == name
    return pod.namespace == namespace and pod.spec.service_account_name == name


def _requests_above_limits(pod: Pod) -> Iterator[Problem]:
    for field, containers in (("containers", pod.spec.containers), ("initContainers", pod.spec.init_containers)):
        for index, container in enumerate(containers or ()):
            limits = (container.resources.limits if container.resources else None) or {}
            requests = (container.resources.requests if container.resources else None) or {}
            for name, request in requests.items():
                if name in limits and quantity.parse(request) > quantity.parse(limits[name]):
                    path = ("spec", field, index, "resources", "requests", name)
                    yield Problem(path, f"{request} is more than its limit of {limits[name]}")
