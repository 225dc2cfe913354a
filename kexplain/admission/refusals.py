"""What an API server refuses of a new pod although a scheduler would have a node for it.

Source: plugin/pkg/admission `priority`, `runtimeclass`, `serviceaccount` and `namespace/lifecycle`, core validation
`ValidateResourceRequirements`, release 1.36. That something is not there is known only of kinds that were listed whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from kexplain.admission.chain import AdmissionObjects
from kexplain.admission.priority import SYSTEM_PRIORITY_CLASSES
from kexplain.objects import quantity
from kexplain.objects.core import Namespace, Pod, ServiceAccount
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.scheduling import PriorityClass
from kexplain.words import clauses, did_you_mean


def refusals(
    pod: Pod, objects: AdmissionObjects, listed: Collection[type[KubernetesObject]]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Why an admitted pod is not created: the path of each field at fault, and what is wrong with it.

    `listed` are the kinds that have no other objects than those of `objects`.
    """
    spec = pod.spec
    named: tuple[tuple[type[KubernetesObject], str | None, Iterable[str], tuple[str, str]], ...] = (
        (Namespace, pod.namespace, objects.namespaces, ("metadata", "namespace")),
        (
            PriorityClass,
            spec.priority_class_name,
            {**SYSTEM_PRIORITY_CLASSES, **objects.priority_classes},
            ("spec", "priorityClassName"),
        ),
        (RuntimeClass, spec.runtime_class_name, objects.runtime_classes, ("spec", "runtimeClassName")),
    )
    accounts = objects.service_accounts.get(pod.namespace, ())
    if pod.namespace in objects.namespaces:
        named += ((ServiceAccount, spec.service_account_name or "default", accounts, ("spec", "serviceAccountName")),)
    for kind, name, known, path in named:
        if name and kind in listed and name not in known:
            yield path, clauses(f'{kind.__name__} "{name}" is not there', did_you_mean(name, known))
    yield from _requests_above_limits(pod)


def _requests_above_limits(pod: Pod) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for field, containers in (("containers", pod.spec.containers), ("initContainers", pod.spec.init_containers)):
        for index, container in enumerate(containers or ()):
            limits = (container.resources.limits if container.resources else None) or {}
            requests = (container.resources.requests if container.resources else None) or {}
            for name, request in requests.items():
                if name in limits and quantity.parse(request) > quantity.parse(limits[name]):
                    path = ("spec", field, index, "resources", "requests", name)
                    yield path, f"{request} is more than its limit of {limits[name]}"
