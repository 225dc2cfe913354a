"""What gives rights in a cluster, as far as it tells who has some. Source: `rbac/v1`."""

from collections.abc import Collection
from typing import ClassVar

from kexplain.objects.events import Subject
from kexplain.objects.meta import KubernetesObject, NamedReference


class ClusterRoleBinding(KubernetesObject, frozen=True, tag_field="kind", tag="ClusterRoleBinding"):
    """Gives a role of the cluster to some."""

    is_of_queues: ClassVar[bool] = True

    role_ref: NamedReference = NamedReference()
    subjects: tuple[Subject, ...] | None = None

    def is_for(self, subjects: Collection[str]) -> bool:
        """Whether one of these has the role by it: kind, namespace and name."""
        return any(f"{each.kind}/{each.namespace or ''}/{each.name}" in subjects for each in self.subjects or ())


class ClusterRole(KubernetesObject, frozen=True, tag_field="kind", tag="ClusterRole"):
    """A role of the cluster."""

    is_of_queues: ClassVar[bool] = True
