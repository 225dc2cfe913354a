"""Whether a pod fits into the quotas of its namespace.

Source: apiserver `plugin/resourcequota.CheckRequest`, quota/v1/evaluator/core `podEvaluator`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kexplain.admission.optional_plugins import is_best_effort
from kexplain.objects.core import Pod, ResourceQuota, ScopedResourceSelectorRequirement
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGEPAGES_PREFIX,
    MEMORY,
    RequestRules,
    is_pod_level_resource,
    pod_requests,
)
from kexplain.validation.problem import Field
from kexplain.validation.resources import aggregate, is_native, nanos, text
from kexplain.validation.scheduling import pod_affinity_terms

_NANOS = 10**9
_COUNTS = ("pods", "count/pods")
_COMPUTE = (CPU, MEMORY, EPHEMERAL_STORAGE)
_REQUESTS, _LIMITS = "requests.", "limits."
#: Where a quota limits one of these, every container must name it.
_MUST_BE_NAMED = frozenset(
    {CPU, MEMORY, *(f"{prefix}{name}" for prefix in (_REQUESTS, _LIMITS) for name in (CPU, MEMORY))}
)


def check_quotas(pod: Field, admitted: Pod, quotas: Iterable[ResourceQuota]) -> None:
    """A new pod against every quota that counts it."""
    spec = pod.child("spec")
    usage = None
    for quota in quotas:
        hard = quota.status.hard or quota.spec.hard or {}
        counted = [name for name in hard if _counts(name)]
        if not counted or not all(_in_scope(scope, spec, admitted) for scope in _scopes(quota)):
            continue
        if _check_named(spec, quota.name, counted):
            continue
        usage = usage or _usage(spec, admitted)
        _check_room(spec, quota, hard, usage)


def _counts(name: str) -> bool:
    """Whether pods use up what a quota limits by this name."""
    bare = name.removeprefix(_REQUESTS)
    if name in _COUNTS or bare in _COMPUTE or name.removeprefix(_LIMITS) in _COMPUTE:
        return True
    return bare.startswith(HUGEPAGES_PREFIX) or (bare != name and not is_native(name))


def _scopes(quota: ResourceQuota) -> Iterator[ScopedResourceSelectorRequirement]:
    for scope in quota.spec.scopes or ():
        yield ScopedResourceSelectorRequirement(scope_name=scope, operator="Exists")
    if quota.spec.scope_selector is not None:
        yield from quota.spec.scope_selector.match_expressions or ()


def _in_scope(scope: ScopedResourceSelectorRequirement, spec: Field, admitted: Pod) -> bool:
    match scope.scope_name:
        case "Terminating":
            return spec.child("activeDeadlineSeconds").number(-1) >= 0
        case "NotTerminating":
            return spec.child("activeDeadlineSeconds").number(-1) < 0
        case "BestEffort":
            return is_best_effort(admitted.spec)
        case "NotBestEffort":
            return not is_best_effort(admitted.spec)
        case "PriorityClass":
            return _has_priority_class(scope, admitted.spec.priority_class_name or "")
        case "CrossNamespacePodAffinity":
            return any(
                term.child("namespaces").items() or term.child("namespaceSelector").is_set
                for term in pod_affinity_terms(spec)
            )
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


def _check_named(spec: Field, quota: str, counted: list[str]) -> bool:
    """Note what containers must name and do not; whether there is anything. Pods that do so as a whole are exempt."""
    if any(
        is_pod_level_resource(name)
        for of in ("requests", "limits")
        for name in spec.child("resources").child(of).mapping
    ):
        return False
    missing = False
    for container in (*spec.child("containers").items(), *spec.child("initContainers").items()):
        for name in sorted(_MUST_BE_NAMED.intersection(counted)):
            which, bare = ("limits", name.removeprefix(_LIMITS)) if name.startswith(_LIMITS) else ("requests", name)
            field = container.child("resources").child(which).key(bare.removeprefix(_REQUESTS))
            if not field.is_set:
                field.reject(f"is required: ResourceQuota {quota} counts {name}")
                missing = True
    return missing


def _usage(spec: Field, admitted: Pod) -> dict[str, int]:
    """What the pod uses up, in nanos, by the names of quotas."""
    requests = pod_requests(admitted, RequestRules())
    limits = _limits(spec)
    usage = dict.fromkeys(_COUNTS, _NANOS)
    for name, found in requests.items():
        if name in _COMPUTE or name.startswith(HUGEPAGES_PREFIX):
            usage[name] = usage[f"{_REQUESTS}{name}"] = found
        elif not is_native(name):
            usage[f"{_REQUESTS}{name}"] = found
    return usage | {f"{_LIMITS}{name}": found for name, found in limits.items() if name in _COMPUTE}


def _limits(spec: Field) -> dict[str, int]:
    """The pod's limits, to which overhead is added where there are any."""
    limits = aggregate(spec, "limits")
    own = spec.child("resources").child("limits").mapping
    limits |= {name: found for name in own if is_pod_level_resource(name) and (found := nanos(own[name])) is not None}
    for name, raw in spec.child("overhead").mapping.items():
        if limits.get(name):
            limits[name] += nanos(raw) or 0
    return limits


def _check_room(spec: Field, quota: ResourceQuota, hard: ResourceList, usage: dict[str, int]) -> None:
    for name, raw in hard.items():
        limit, asked = nanos(raw), usage.get(name, 0)
        used = nanos((quota.status.used or {}).get(name, 0)) or 0
        if limit is not None and asked and used + asked > limit:
            allowed = f"ResourceQuota {quota.name} allows {text(raw)} of {name}"
            spec.reject(f"{allowed}: {text(f'{used}n')} is used, and this asks for {text(f'{asked}n')}")
