"""Rules on where a pod may go: affinities, tolerations and topology spread constraints."""

from collections.abc import Iterator

from kexplain.objects.meta import Int32, Int64, LabelSelector, Record


class NodeSelectorRequirement(Record, frozen=True):
    """One expression over node labels or node fields."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] | None = None


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

    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[PreferredSchedulingTerm, ...] | None = None


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

    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] | None = None


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
                yield from each.required_during_scheduling_ignored_during_execution or ()
                preferred = each.preferred_during_scheduling_ignored_during_execution or ()
                yield from (weighted.pod_affinity_term for weighted in preferred)


class Toleration(Record, frozen=True):
    """Which taints a pod tolerates; see `selectors.tolerates`."""

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: Int64 | None = None


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
