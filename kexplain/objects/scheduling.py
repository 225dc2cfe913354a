"""The scheduling API group: priority classes."""

from typing import ClassVar

from kexplain.objects.meta import Int32, KubernetesObject


class PriorityClass(KubernetesObject, frozen=True, tag_field="kind", tag="PriorityClass"):
    """A named priority."""

    is_namespaced: ClassVar[bool] = False

    value: Int32 = 0
    global_default: bool | None = None
    preemption_policy: str | None = None
