"""Whether a pod keeps to the limit ranges, the quotas and the security standard of its namespace, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import msgspec

from kexplain.admission.limits import claim_limit_problems, limit_problems
from kexplain.admission.quotas import QuotaRoom
from kexplain.objects.core import LimitRange, Namespace, PersistentVolumeClaimSpec, Pod, ResourceQuota
from kexplain.objects.problem import Problem
from kexplain.objects.quantity import QuantityError
from kexplain.validation.field import Field


def check_limits(pod: Field, admitted: Pod, limit_ranges: Iterable[LimitRange]) -> None:
    """A new pod against every limit range."""
    _reject(pod, limit_problems(admitted.spec, limit_ranges))


def check_claim_limits(claim: Field, limit_ranges: Sequence[LimitRange]) -> None:
    """The size of a claim against every limit range; what is no claim, decoding has found."""
    with suppress(msgspec.ValidationError, QuantityError):
        spec = msgspec.convert(claim.child("spec").mapping, PersistentVolumeClaimSpec) if limit_ranges else None
        _reject(claim, claim_limit_problems(spec, limit_ranges) if spec else ())


def check_quotas(pod: Field, admitted: Pod, quotas: Mapping[str, Sequence[ResourceQuota]]) -> None:
    """A new pod against every quota that counts it."""
    _reject(pod, QuotaRoom(quotas).create(admitted))


def check_security(pod: Field, admitted: Pod, namespace: Namespace | None) -> None:
    """A new pod against the standard that its namespace enforces."""
    if namespace is not None and namespace.labels:
        from kexplain.admission.pod_security import security_problems  # noqa: PLC0415 (few namespaces enforce one)

        _reject(pod, security_problems(admitted, namespace))


def _reject(pod: Field, problems: Iterable[Problem]) -> None:
    for each in problems:
        _at(pod, each.path).reject(each.message)


def _at(field: Field, path: Sequence[str | int]) -> Field:
    """The field at a path, whose last step may be the name of a resource."""
    for place, step in enumerate(path):
        is_resource = place and path[place - 1] in ("requests", "limits")
        field = field.items()[step] if isinstance(step, int) else field.key(step) if is_resource else field.child(step)
    return field
