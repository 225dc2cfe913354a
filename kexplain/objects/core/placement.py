"""Rules on where a pod may go: affinities, tolerations and topology spread constraints."""

from collections.abc import Callable, Iterator

from msgspec import field
from msgspec.structs import replace

from kexplain.objects.meta import Int32, Int64, LabelSelector, LabelSelectorRequirement, Record

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


class NodeSelectorRequirement(LabelSelectorRequirement, frozen=True):
    """One expression over node labels or node fields."""


class NodeSelectorTerm(Record, frozen=True):
    """Expressions that all must hold; an empty term matches no node."""

    match_expressions: tuple[NodeSelectorRequirement, ...] | None = None
    match_fields: tuple[NodeSelectorRequirement, ...] | None = None


class NodeSelector(Record, frozen=True):
    """Terms; at least one must hold."""

    node_selector_terms: tuple[NodeSelectorTerm, ...] | None = None


class PreferredSchedulingTerm(Record, frozen=True):
    """A node selector term with a weight."""

    weight: Int32 = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(Record, frozen=True):
    """Which nodes a pod needs or prefers."""

    required: NodeSelector | None = field(default=None, name=REQUIRED)
    preferred: tuple[PreferredSchedulingTerm, ...] | None = field(default=None, name=PREFERRED)


class PodAffinityTerm(Record, frozen=True):
    """Which pods to be near to, or far from, and within which topology."""

    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] | None = None
    topology_key: str = ""
    namespace_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] | None = None
    mismatch_label_keys: tuple[str, ...] | None = None


class WeightedPodAffinityTerm(Record, frozen=True):
    """A pod affinity term with a weight."""

    weight: Int32 = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(Record, frozen=True):
    """Required and preferred terms; the same shape serves anti-affinity."""

    required: tuple[PodAffinityTerm, ...] | None = field(default=None, name=REQUIRED)
    preferred: tuple[WeightedPodAffinityTerm, ...] | None = field(default=None, name=PREFERRED)

    def with_terms(self, change: Callable[[PodAffinityTerm], PodAffinityTerm]) -> "PodAffinity":
        """The same with each term changed, required or preferred."""
        preferred = self.preferred and tuple(
            replace(each, pod_affinity_term=change(each.pod_affinity_term)) for each in self.preferred
        )
        return replace(self, required=self.required and tuple(map(change, self.required)), preferred=preferred)


class Affinity(Record, frozen=True):
    """All affinities of a pod."""

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None

    @property
    def pod_terms(self) -> Iterator[PodAffinityTerm]:
        """All terms of pod affinity and anti-affinity, required and preferred."""
        for each in (self.pod_affinity, self.pod_anti_affinity):
            if each is not None:
                yield from each.required or ()
                yield from (weighted.pod_affinity_term for weighted in each.preferred or ())

    def with_pod_terms(self, change: Callable[[PodAffinityTerm], PodAffinityTerm]) -> "Affinity":
        """The same with each term of pod affinity and anti-affinity changed."""
        near, apart = self.pod_affinity, self.pod_anti_affinity
        return replace(
            self, pod_affinity=near and near.with_terms(change), pod_anti_affinity=apart and apart.with_terms(change)
        )


class Toleration(Record, frozen=True):
    """Which taints a pod tolerates; see `selectors.tolerates`."""

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: Int64 | None = None

    @property
    def asked(self) -> tuple[str, str, str, str]:
        """All but for how long, as it is stored: left out and empty are one."""
        return self.key or "", self.operator or "", self.value or "", self.effect or ""


class TopologySpreadConstraint(Record, frozen=True, omit_defaults=False):
    """How evenly pods must be spread over the values of a node label.

    It is written out in full, since readers take a missing field for zero.
    """

    max_skew: Int32 = 1
    topology_key: str = ""
    when_unsatisfiable: str = "DoNotSchedule"
    label_selector: LabelSelector | None = None
    min_domains: Int32 | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: tuple[str, ...] | None = None
