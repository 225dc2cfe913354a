"""The scheduling API group: priority classes."""

from __future__ import annotations

from kexplain.objects.meta import KubernetesObject


class PriorityClass(KubernetesObject, frozen=True, tag_field="kind", tag="PriorityClass"):
    """A named priority."""

    value: int = 0
    global_default: bool | None = None
    preemption_policy: str | None = None
