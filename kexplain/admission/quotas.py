"""Whether new pods fit into the quotas of their namespace.

Source: apiserver `plugin/resourcequota.CheckRequest`, quota/v1/evaluator/core `podEvaluator`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.admission.optional_plugins import is_best_effort
from kexplain.objects.container_sums import sum_containers
from kexplain.objects.core import (
    Container,
    Pod,
    ResourceQuota,
    ResourceRequirements,
    ScopedResourceSelectorRequirement,
)
from kexplain.objects.meta import ResourceList
from kexplain.objects.quantity import (
    NANOS_PER_UNIT,
    canonical,
    format_bytes,
    format_milli,
    nanos_to_milli,
    nanos_to_value,
    parse,
)
from kexplain.objects.requests import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGEPAGES_PREFIX,
    MEMORY,
    Nanos,
    RequestRules,
    is_pod_level_resource,
    pod_requests,
)

_COUNTS = ("pods", "count/pods")
_COMPUTE = (CPU, MEMORY, EPHEMERAL_STORAGE)
_REQUESTS, _LIMITS = "requests.", "limits."
_NATIVE_DOMAIN = "kubernetes.io/"
#: Where a quota limits one of these, every container must name it.
_MUST_BE_NAMED = frozenset(
    {CPU, MEMORY, *(f"{prefix}{name}" for prefix in (_REQUESTS, _LIMITS) for name in (CPU, MEMORY))}
)

#: The field at fault, and what is wrong with it.
Problem = tuple[tuple[str | int, ...], str]


class QuotaRoom:
    """What quotas have left, and less of it with every pod that is created."""

    def __init__(self, quotas: Mapping[str, Sequence[ResourceQuota]]) -> None:
        """Quotas by namespace."""
        self._quotas = quotas
        self._used: dict[tuple[str, str], Nanos] = {}

    def create(self, pod: Pod) -> list[Problem]:
        """Why an admitted pod is refused. Where nothing is wrong it takes its share, and there is less for the next."""
        quotas = [each for each in self._quotas.get(pod.namespace, ()) if _applies(each, pod)]
        if not quotas:
            return []
        usage = _usage(pod)
        problems: list[Problem] = []
        for quota in quotas:
            problems += _unnamed(pod, quota) or self._without_room(pod, quota, usage)
        if not problems:
            for quota in quotas:
                used = self._used_of(pod, quota)
                used |= {name: used.get(name, 0) + usage[name] for name in limits(quota) if name in usage}
        return problems

    def _used_of(self, pod: Pod, quota: ResourceQuota) -> Nanos:
        recorded = quota.status.used or {}
        return self._used.setdefault(
            (pod.namespace, quota.name), {name: parse(recorded[name]) for name in limits(quota) if name in recorded}
        )

    def _without_room(self, pod: Pod, quota: ResourceQuota, usage: Nanos) -> Iterator[Problem]:
        so_far = self._used_of(pod, quota)
        for name, raw in limits(quota).items():
            used, asked = so_far.get(name, 0), usage.get(name, 0)
            if asked and used + asked > parse(raw):
                allowed = f"ResourceQuota {quota.name} allows {canonical(raw)} of {name}"
                yield ("spec",), f"{allowed}: {_amount(name, used)} is used, and this asks for {_amount(name, asked)}"


def limits(quota: ResourceQuota) -> ResourceList:
    """What the quota allows in all; one that no controller has seen yet, what it will."""
    return quota.status.hard or quota.spec.hard or {}


def _amount(name: str, nanos: int) -> str:
    bare = name.rpartition(".")[2]
    if bare == CPU:
        return format_milli(nanos_to_milli(nanos))
    is_bytes = bare in _COMPUTE or bare.startswith(HUGEPAGES_PREFIX)
    return format_bytes(nanos_to_value(nanos)) if is_bytes else str(nanos_to_value(nanos))


# ------------------------------------------------------------------------------------------- which quotas apply


def _applies(quota: ResourceQuota, pod: Pod) -> bool:
    return any(map(_counts, limits(quota))) and all(_in_scope(scope, pod) for scope in _scopes(quota))


def _counts(name: str) -> bool:
    """Whether pods use up what a quota limits by this name."""
    bare = name.removeprefix(_REQUESTS)
    if name in _COUNTS or bare in _COMPUTE or name.removeprefix(_LIMITS) in _COMPUTE:
        return True
    return bare.startswith(HUGEPAGES_PREFIX) or (bare != name and not _is_native(name))


def _is_native(name: str) -> bool:
    return "/" not in name or _NATIVE_DOMAIN in name


def _scopes(quota: ResourceQuota) -> Iterator[ScopedResourceSelectorRequirement]:
    for scope in quota.spec.scopes or ():
        yield ScopedResourceSelectorRequirement(scope_name=scope, operator="Exists")
    if quota.spec.scope_selector is not None:
        yield from quota.spec.scope_selector.match_expressions or ()


def _in_scope(scope: ScopedResourceSelectorRequirement, pod: Pod) -> bool:
    deadline = pod.spec.active_deadline_seconds
    is_terminating = deadline is not None and deadline >= 0
    match scope.scope_name:
        case "Terminating":
            return is_terminating
        case "NotTerminating":
            return not is_terminating
        case "BestEffort":
            return is_best_effort(pod.spec)
        case "NotBestEffort":
            return not is_best_effort(pod.spec)
        case "PriorityClass":
            return _has_priority_class(scope, pod.spec.priority_class_name or "")
        case "CrossNamespacePodAffinity":
            terms = pod.spec.affinity.pod_terms if pod.spec.affinity else ()
            return any(term.namespaces or term.namespace_selector is not None for term in terms)
    return False


def _has_priority_class(scope: ScopedResourceSelectorRequirement, name: str) -> bool:
    match scope.operator:
        case "Exists":
            return bool(name)
        case "DoesNotExist":
            return not name
        case "In":
            return bool(name) and name in (scope.values or ())
        case "NotIn":
            return name not in (scope.values or ())
    return False


# ------------------------------------------------------------------------------------------- what a pod uses up


def _unnamed(pod: Pod, quota: ResourceQuota) -> list[Problem]:
    """What containers must name and do not. Pods that do so as a whole are exempt."""
    whole = pod.spec.resources
    if whole and any(is_pod_level_resource(name) for of in (whole.requests, whole.limits) for name in of or ()):
        return []
    return [
        (("spec", field, index, "resources", *missing), f"is required: ResourceQuota {quota.name} counts {name}")
        for field, containers in (("containers", pod.spec.containers), ("initContainers", pod.spec.init_containers))
        for index, container in enumerate(containers or ())
        for name in sorted(_MUST_BE_NAMED.intersection(limits(quota)))
        if (missing := _missing(container, name))
    ]


def _missing(container: Container, name: str) -> tuple[str, str] | None:
    """The field of a container's resources that a quota of this name wants; None if it is there."""
    resources = container.resources or ResourceRequirements()
    which, bare = ("limits", name.removeprefix(_LIMITS)) if name.startswith(_LIMITS) else ("requests", name)
    bare = bare.removeprefix(_REQUESTS)
    there = resources.limits if which == "limits" else resources.requests
    return None if bare in (there or {}) else (which, bare)


def _usage(pod: Pod) -> Nanos:
    """What the pod uses up, in nanos, by the names of quotas."""
    usage = dict.fromkeys(_COUNTS, NANOS_PER_UNIT)
    for name, found in pod_requests(pod, RequestRules()).items():
        if name in _COMPUTE or name.startswith(HUGEPAGES_PREFIX):
            usage[name] = usage[f"{_REQUESTS}{name}"] = found
        elif not _is_native(name):
            usage[f"{_REQUESTS}{name}"] = found
    return usage | {f"{_LIMITS}{name}": found for name, found in _limits_of(pod).items() if name in _COMPUTE}


def _limits_of(pod: Pod) -> Nanos:
    """The pod's limits, to which overhead is added where there are any."""
    total = sum_containers(pod.spec, _container_limits)
    own = (pod.spec.resources.limits if pod.spec.resources else None) or {}
    total |= {name: parse(raw) for name, raw in own.items() if is_pod_level_resource(name)}
    for name, raw in (pod.spec.overhead or {}).items():
        if total.get(name):
            total[name] += parse(raw)
    return total


def _container_limits(container: Container, *, stays: bool) -> Nanos:  # noqa: ARG001 (limits are those of the spec)
    raw_by_name = (container.resources.limits if container.resources else None) or {}
    return {name: parse(raw) for name, raw in raw_by_name.items()}
