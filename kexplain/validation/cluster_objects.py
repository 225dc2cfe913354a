"""Objects that stand around pods: limit ranges, quotas, classes, claims, budgets, namespaces, leases.

Source: core/validation, scheduling/validation, node/validation, policy/validation, coordination/validation, release
1.36.
"""

from collections.abc import Callable, Mapping

from kexplain.objects.quantity import canonical
from kexplain.tables import table
from kexplain.validation.claims import with_data_sources
from kexplain.validation.field import Field, choice, nanos
from kexplain.validation.resources import allows_overcommit, container_resource, is_quota_resource, resource_name
from kexplain.validation.row_paths import fields_at
from kexplain.validation.rows import judge

_NANOS = 10**9

_POD_RESOURCES = frozenset({"pods"})
_COMPUTE = frozenset({"cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"})
_STORED = frozenset({"persistentvolumeclaims", "requests.storage"})
_APPLICABLE = {"BestEffort": _POD_RESOURCES, "VolumeAttributesClass": _STORED}


def _check_bounds(item: Field) -> None:
    """That the bounds of an item do not contradict each other."""
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
    field.reject_if(ratio < _NANOS, f"{_amount(ratio)} is less than 1")
    # Upstream divides floats, by zero too: whatever is less than infinity is fine then, and so is no number at all.
    if least is None or most is None or (least == 0 and most >= 0):
        return
    field.reject_if(least == 0 or ratio / _NANOS > most / least, "is greater than what max by min comes to")


def _amount(found: int) -> str:
    return canonical(f"{found}n")


def _check_scope(scope: Field) -> None:
    """That a quota of such a scope limits nothing else; an API server leaves out which of the scopes it was."""
    blamed = scope.holder() if scope.holder().items() else scope.holder().holder()
    applicable = _APPLICABLE.get(scope.string, _POD_RESOURCES | _COMPUTE)
    for name in sorted(fields_at(scope, "outer hard")[0].mapping):
        if is_quota_resource(name) and name not in applicable:
            blamed.reject(f"{scope.string} does not go with {name}, but with {choice(sorted(applicable))}")


def _check_new_claim(spec: Field) -> None:
    judge(with_data_sources(spec), "claims.claim_spec")
