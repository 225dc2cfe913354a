"""Whether a pod fits into the quotas of its namespace, with the fields that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kexplain.admission.quotas import QuotaRoom
from kexplain.objects.core import Pod, ResourceQuota
from kexplain.validation.problem import Field


def check_quotas(pod: Field, admitted: Pod, quotas: Mapping[str, Sequence[ResourceQuota]]) -> None:
    """A new pod against every quota that counts it."""
    for path, message in QuotaRoom(quotas).create(admitted):
        _at(pod, path).reject(message)


def _at(field: Field, path: Sequence[str | int]) -> Field:
    """The field at a path, whose last step may be the name of a resource."""
    for place, step in enumerate(path):
        is_resource = place and path[place - 1] in ("requests", "limits")
        field = field.items()[step] if isinstance(step, int) else field.key(step) if is_resource else field.child(step)
    return field
