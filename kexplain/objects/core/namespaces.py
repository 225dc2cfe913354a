"""Namespaces, and the limits and quotas of each."""

from msgspec import field

from kexplain.objects.meta import KubernetesObject, ObjectMeta, Record, ResourceList


class NamespaceAnnotations(Record, frozen=True):
    """What optional admission plugins read of a namespace."""

    node_selector: str | None = field(default=None, name="scheduler.alpha.kubernetes.io/node-selector")
    openshift_node_selector: str | None = field(default=None, name="openshift.io/node-selector")
    default_tolerations: str | None = field(default=None, name="scheduler.alpha.kubernetes.io/defaultTolerations")
    tolerations_whitelist: str | None = field(default=None, name="scheduler.alpha.kubernetes.io/tolerationsWhitelist")


class NamespaceMeta(ObjectMeta, frozen=True):
    """The metadata of a namespace."""

    annotations: NamespaceAnnotations | None = None


class Namespace(KubernetesObject, frozen=True, tag_field="kind", tag="Namespace"):
    """A namespace; scheduling reads its labels, admission some annotations."""

    metadata: NamespaceMeta = NamespaceMeta()

    @property
    def annotations(self) -> NamespaceAnnotations:
        """The annotations; never None."""
        return self.metadata.annotations or NamespaceAnnotations()


class LimitRangeItem(Record, frozen=True):
    """Bounds and defaults for containers, pods or claims of a namespace."""

    type: str = ""
    max: ResourceList | None = None
    min: ResourceList | None = None
    default: ResourceList | None = None
    default_request: ResourceList | None = None
    max_limit_request_ratio: ResourceList | None = None


class LimitRangeSpec(Record, frozen=True):
    """All bounds of one LimitRange."""

    limits: tuple[LimitRangeItem, ...] | None = None


class LimitRange(KubernetesObject, frozen=True, tag_field="kind", tag="LimitRange"):
    """Bounds and defaults of a namespace."""

    spec: LimitRangeSpec = LimitRangeSpec()


class ScopedResourceSelectorRequirement(Record, frozen=True):
    """Which pods a quota counts, by one of its scopes."""

    scope_name: str = ""
    operator: str = ""
    values: tuple[str, ...] | None = None


class ScopeSelector(Record, frozen=True):
    """Scopes that all must hold."""

    match_expressions: tuple[ScopedResourceSelectorRequirement, ...] | None = None


class ResourceQuotaSpec(Record, frozen=True):
    """What a quota allows in all."""

    hard: ResourceList | None = None
    scopes: tuple[str, ...] | None = None
    scope_selector: ScopeSelector | None = None


class ResourceQuotaStatus(Record, frozen=True):
    """What is enforced, and what is used up."""

    hard: ResourceList | None = None
    used: ResourceList | None = None


class ResourceQuota(KubernetesObject, frozen=True, tag_field="kind", tag="ResourceQuota"):
    """What the pods of a namespace may have in all."""

    spec: ResourceQuotaSpec = ResourceQuotaSpec()
    status: ResourceQuotaStatus = ResourceQuotaStatus()


class ServiceAccount(KubernetesObject, frozen=True, tag_field="kind", tag="ServiceAccount"):
    """Whom the pods of a namespace may act as; only its name matters here."""
