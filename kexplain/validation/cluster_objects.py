"""Objects that stand around pods: limit ranges, quotas, classes, claims, budgets, namespaces, leases.

Source: core/validation, scheduling/validation, node/validation, policy/validation, coordination/validation, release
1.36.
"""

from collections.abc import Callable, Mapping

from kexplain.objects.json_values import shown
from kexplain.tables import table
from kexplain.validation.claims import with_data_sources
from kexplain.validation.field import Field, choice, reject_repeated
from kexplain.validation.metadata import check_metadata
from kexplain.validation.resources import (
    allows_overcommit,
    check_amount,
    container_resource,
    is_quota_resource,
    nanos,
    quota_resource,
    resource_name,
    text,
)
from kexplain.validation.rows import judge

_NANOS = 10**9

_EXISTS_ONLY = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity")
_SCOPES = (*_EXISTS_ONLY, "PriorityClass", "VolumeAttributesClass")
_POD_RESOURCES = frozenset({"pods"})
_COMPUTE = frozenset({"cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"})
_OF_CLAIMS = frozenset({"persistentvolumeclaims", "requests.storage"})


def check_limit_range(limit_range: Field) -> None:
    """A limit range: an item a type, whose bounds do not contradict each other."""
    check_metadata(limit_range.child("metadata"))
    items = limit_range.descend("spec", "limits").items()
    reject_repeated(((each.child("type").string, each.child("type")) for each in items), "has another item already")
    for item in items:
        judge(item, "cluster_objects.limits")
        defaulted = _with_defaults(item)
        _check_item_names(defaulted, item.child("type").string)
        for name in sorted({name for of in _BOUNDS for name in defaulted.child(of).mapping}):
            _check_item_amounts(defaulted, name)


_BOUNDS = ("min", "max", "default", "defaultRequest", "maxLimitRequestRatio")


def _check_item_names(item: Field, kind: str) -> None:
    rule: Callable[[str], str | None] = container_resource if kind in ("Pod", "Container") else resource_name
    for of in _BOUNDS:
        bounds = item.child(of)
        if kind == "Pod" and of in ("default", "defaultRequest"):
            bounds.forbid_value("cannot be set where the type is Pod")
            continue
        for name, amount in bounds.entries():
            amount.judge(name, rule)


#: Bounds that may not be above others, and which of the two is blamed.
_ORDER = table("limit-range-order", list[tuple[str, str, str]])


def _check_item_amounts(item: Field, name: str) -> None:
    """That no bound on a resource excludes another, once an API server has filled in defaults."""
    fields = {of: item.child(of).key(name) for of in _BOUNDS}
    amounts = {of: found for of, field in fields.items() if (found := nanos(field.value)) is not None}
    if item.child("type").value == "Pod":
        amounts = {of: found for of, found in amounts.items() if of not in ("default", "defaultRequest")}
    for lower, upper, blamed in _ORDER:
        if lower in amounts and upper in amounts and amounts[lower] > amounts[upper]:
            fields[blamed].reject(
                f"{lower} of {name} is {_amount(amounts[lower])}, more than {upper}, which is {_amount(amounts[upper])}"
            )
    _check_ratio(fields["maxLimitRequestRatio"], amounts)
    default, request = amounts.get("default"), amounts.get("defaultRequest")
    if not allows_overcommit(name) and default is not None and request is not None and default != request:
        fields["defaultRequest"].reject(f"must equal default: {name} cannot be overcommitted")


def _with_defaults(item: Field) -> Field:
    """The item with what an API server fills in for containers."""
    if item.child("type").value != "Container":
        return item
    own = {of: item.child(of).mapping for of in _BOUNDS}
    default = {**own["max"], **own["default"]}
    return item.with_value(
        {**item.mapping, "default": default, "defaultRequest": {**own["min"], **default, **own["defaultRequest"]}}
    )


def _check_ratio(field: Field, amounts: Mapping[str, int]) -> None:
    """How far limits may be above requests: not below 1, nor above what the bounds come to."""
    ratio, least, most = (amounts.get(name) for name in ("maxLimitRequestRatio", "min", "max"))
    if ratio is None:
        return
    if ratio < _NANOS:
        field.reject(f"{_amount(ratio)} is less than 1")
    # Upstream divides floats, by zero too: whatever is less than infinity is fine then, and so is no number at all.
    if least is None or most is None or (least == 0 and most >= 0):
        return
    field.reject_if(least == 0 or ratio / _NANOS > most / least, "is greater than what max by min comes to")


def _amount(found: int) -> str:
    return text(f"{found}n")


def check_resource_quota(quota: Field) -> None:
    """A quota: what it limits, and of which pods; an API server drops the status of a new one."""
    check_metadata(quota.child("metadata"))
    spec = quota.child("spec")
    for name, amount in spec.child("hard").entries():
        amount.judge(name, quota_resource)
        check_amount(amount, name)
    scopes = spec.child("scopes")
    for scope in scopes.items():
        _check_scope(scope.written(scopes), scopes, spec)
    judge(scopes, "cluster_objects.scopes")
    requirements = spec.child("scopeSelector").child("matchExpressions")
    for requirement in requirements.items():
        _check_scope_requirement(requirement, requirements, spec)
    judge(requirements, "cluster_objects.scope_selector")


def _check_scope_requirement(requirement: Field, requirements: Field, spec: Field) -> None:
    # An API server leaves out which of them it was.
    requirement = requirement.written(requirements)
    scope_name, operator = requirement.child("scopeName"), requirement.child("operator")
    _check_scope(scope_name, requirements, spec)
    if scope_name.string in _EXISTS_ONLY and operator.value != "Exists":
        operator.reject(f"must be Exists where the scope is {scope_name.string}")
    judge(requirement, "labels.operator")


def _check_scope(scope: Field, blamed: Field, spec: Field) -> None:
    scope.reject_if(scope.string not in _SCOPES, f"{shown(scope.string)} is not supported: use {choice(_SCOPES)}")
    applicable = {"BestEffort": _POD_RESOURCES, "VolumeAttributesClass": _OF_CLAIMS}.get(
        scope.string, _POD_RESOURCES | _COMPUTE
    )
    for name in sorted(spec.child("hard").mapping):
        if scope.string in _SCOPES and is_quota_resource(name) and name not in applicable:
            blamed.reject(f"{scope.string} does not go with {name}, but with {choice(sorted(applicable))}")


def _check_new_claim(spec: Field) -> None:
    judge(with_data_sources(spec), "claims.claim_spec")
