"""Requests, limits and other lists of resources.

Source: core/validation `ValidateContainerResourceRequirements`, `validatePodResourceRequirements`,
`validatePodResourceConsistency`, `ValidateResourceQuantityValue`, core/helper, release 1.36.
"""

from collections.abc import Callable
from typing import Any

from kexplain.objects.container_sums import sum_amounts
from kexplain.objects.json_values import shown
from kexplain.objects.quantity import NANOS_PER_UNIT, canonical, nanos_to_milli, nanos_to_value
from kexplain.objects.requests import HUGEPAGES_PREFIX, is_native, is_pod_level_resource
from kexplain.tables import sections
from kexplain.validation.field import Field, nanos
from kexplain.validation.names import dns_label, label_key
from kexplain.validation.row_paths import fields_at
from kexplain.words import clauses, did_you_mean

REQUESTS_PREFIX = "requests."
_COMPUTE = frozenset({"cpu", "memory"})
_OF_CONTAINERS = frozenset({"cpu", "memory", "ephemeral-storage"})
_COUNTED = frozenset(sections("validation-words")["counted"])
_QUALIFIED = frozenset(f"{prefix}.{name}" for prefix in ("requests", "limits") for name in _OF_CONTAINERS)
QUOTA_RESOURCES = _OF_CONTAINERS | _QUALIFIED | {"requests.storage"} | _COUNTED
_STANDARD = QUOTA_RESOURCES | {"storage"}

ResourceRule = Callable[[str], str | None]


def is_extended(name: str) -> bool:
    """Whether this is a resource of a device plugin or an administrator."""
    return not is_native(name) and not name.startswith(REQUESTS_PREFIX) and not label_key(f"{REQUESTS_PREFIX}{name}")


def is_huge_page(name: str) -> bool:
    """Whether this is a page size."""
    return name.startswith(HUGEPAGES_PREFIX)


def allows_overcommit(name: str) -> bool:
    """Whether requests may be below limits."""
    return is_native(name) and not is_huge_page(name)


def is_quota_resource(name: str) -> bool:
    """Whether a quota can limit this by that name."""
    return name in QUOTA_RESOURCES or name.startswith((HUGEPAGES_PREFIX, f"{REQUESTS_PREFIX}{HUGEPAGES_PREFIX}"))


def resource_name(name: str) -> str | None:
    """Any resource at all."""
    if problem := label_key(name):
        return problem
    if "/" not in name and not (name in _STANDARD or is_quota_resource(name)):
        said = "is not a resource that Kubernetes knows: others have a domain before them, such as nvidia.com/gpu"
        return clauses(said, did_you_mean(name, _begun_alike(name)))
    return None


def _begun_alike(name: str) -> list[str]:
    """What a name may be a slip of: who writes gpu does not mean cpu."""
    return [each for each in sorted(_OF_CONTAINERS) if each[0] == name[:1].lower()]


def container_resource(name: str) -> str | None:
    """What containers can request."""
    if problem := resource_name(name):
        return problem
    if "/" not in name and not (name in _OF_CONTAINERS or is_huge_page(name)):
        return "is not a resource of containers: cpu, memory, ephemeral-storage, hugepages-SIZE or domain/name"
    return "is not a name that an extended resource can have" if not is_native(name) and not is_extended(name) else None


def pod_resource(name: str) -> str | None:
    """What a pod as a whole can request."""
    if problem := resource_name(name):
        return problem
    return None if is_pod_level_resource(name) else "cannot be set for a whole pod: cpu, memory and hugepages-SIZE can"


def quota_resource(name: str) -> str | None:
    """What a quota can limit."""
    return resource_name(name) or (None if "/" in name or is_quota_resource(name) else "is not a resource of quotas")


def check_not_negative(amount: Field) -> None:
    """An amount that may be zero, if there is one."""
    amount.reject_if((nanos(amount.value) or 0) < 0, f"{shown(amount.value)} is negative; 0 or more is valid")


def check_positive(amount: Field) -> None:
    """An amount that may not be zero, if there is one."""
    found = nanos(amount.value)
    amount.reject_if(found is not None and found <= 0, f"{shown(amount.value)} is not greater than 0")


def check_amount(amount: Field) -> None:
    """An amount of a resource: not negative, and whole where the resource is counted."""
    name, found = str(amount.path[-1]), nanos(amount.value)
    if found is None:
        return
    check_not_negative(amount)
    if (name in _COUNTED or is_extended(name)) and nanos_to_milli(found) % 1000:
        amount.reject(f"{shown(amount.value)} is not a whole number, and {name} takes only whole numbers")


def check_requirements(resources: Field, rule: ResourceRule = container_resource) -> None:
    """Requests, limits and claims of a container, or with `pod_resource` of a pod."""
    requests, limits = resources.child("requests"), resources.child("limits")
    for of in (limits, requests):
        for name, amount in of.entries():
            if problem := rule(name):
                amount.reject(f"{shown(name)} {problem}", _begun_alike(name), name)
            check_amount(amount)
            if is_huge_page(name):
                _check_pages(amount, name)
    for name, amount in requests.entries():
        _check_against_limit(amount, name, requests, limits)
    names = {*requests.mapping, *limits.mapping}
    if any(map(is_huge_page, names)) and not names & _COMPUTE:
        resources.reject("huge pages need a request or limit of cpu or memory beside them")
    _check_claims(resources.child("claims"))


def _check_pages(amount: Field, name: str) -> None:
    size, found = nanos(name.removeprefix(HUGEPAGES_PREFIX)), nanos(amount.value)
    if found is None:
        return
    if not size or size < 0 or size % NANOS_PER_UNIT or nanos_to_value(found) % nanos_to_value(size):
        amount.reject(f"{shown(amount.value)} is not a multiple of the page size that {name} names")


def _check_against_limit(amount: Field, name: str, requests: Field, limits: Field) -> None:
    allowed: Any = limits.mapping.get(name)
    found, limit = nanos(amount.value), nanos(allowed)
    if found is None:
        return
    must_equal = not allows_overcommit(name)
    if limit is None:
        limits.reject_if(must_equal, f"must include {name}, equal to its request")
    elif found > limit or (found != limit and must_equal):
        must = "must equal" if must_equal else "is more than"
        amount.written(requests).reject(f"{name}: {canonical(amount.value)} {must} its limit of {canonical(allowed)}")


def _check_claims(claims: Field) -> None:
    """A container's references to the pod's claims. Source: `validateResourceClaimNames`."""
    seen: set[tuple[str, str]] = set()
    declared = fields_at(claims, "outer resourceClaims[].name") if claims.is_set else ()
    known = {name for each in declared if (name := each.string)}
    for claim in claims.items():
        name, request = claim.child("name").string, claim.child("request").string
        if not name:
            claim.reject("needs the name of an entry of spec.resourceClaims")
        else:
            if request:
                claim.child("request").obey(dns_label)
            whole = any(other == name and (not asked or not request) for other, asked in seen)
            claim.reject_if(whole or (name, request) in seen, f"{shown(name)} is used twice")
            seen.add((name, request))
        if name not in known:
            which = f": {', '.join(sorted(known))}" if known else ", of which there are none"
            claim.reject(f"{shown(name)} must be an entry of spec.resourceClaims{which}")


def check_pod_resources(spec: Field) -> None:
    """What is requested for a whole pod, and that its containers stay within."""
    resources = spec.child("resources")
    if not resources.is_set:
        return
    if spec.descend("os", "name").value == "windows":
        resources.reject("cannot be set for a windows pod")
        return
    resources.child("claims").forbid("cannot be set for a whole pod: containers refer to claims")
    check_requirements(resources, pod_resource)
    _check_aggregate(spec, resources, "requests")
    _check_aggregate(spec, resources, "limits")
    limits = resources.child("limits").mapping
    for index, container in enumerate(spec.child("containers").items()):
        for name, amount in container.descend("resources", "limits").entries():
            own, whole = nanos(amount.value), nanos(limits.get(name))
            if own is not None and whole is not None and own > whole:
                at = amount.written(f"{resources.text}.containers[{index}][{name}].limits")
                at.reject(f"{canonical(amount.value)} is more than the whole pod's limit of {canonical(limits[name])}")


def _check_aggregate(spec: Field, resources: Field, which: str) -> None:
    """Containers together may not ask for more than the pod; of limits that holds for huge pages only."""
    for name, total in aggregate(spec, which).items():
        whole = resources.child(which).key(name)
        found = nanos(whole.value)
        if found is not None and total > found and (which == "requests" or is_huge_page(name)):
            have = f"what its containers have together, {canonical(f'{total}n')}"
            whole.reject(f"{canonical(whole.value)} is less than {have}")


def aggregate(spec: Field, which: str) -> dict[str, int]:
    """What the containers request or are limited to together, in nanos."""
    return sum_amounts(
        (_amounts(each, which) for each in spec.child("containers").items()),
        (
            (_amounts(each, which), each.child("restartPolicy").value == "Always")
            for each in spec.child("initContainers").items()
        ),
    )


def _amounts(container: Field, which: str) -> dict[str, int]:
    raw_by_name = container.descend("resources", which).mapping
    return {name: found for name, raw in raw_by_name.items() if (found := nanos(raw)) is not None}
