"""The policy API group: disruption budgets."""

from kexplain.objects.meta import Int32, IntOrString, KubernetesObject, LabelSelector, Record


class PodDisruptionBudgetSpec(Record, frozen=True):
    """Which pods a budget protects."""

    selector: LabelSelector | None = None
    min_available: IntOrString | None = None
    max_unavailable: IntOrString | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(Record, frozen=True):
    """How many of them may be disrupted now."""

    disruptions_allowed: Int32 | None = None
    disrupted_pods: dict[str, str] | None = None
    current_healthy: Int32 | None = None
    desired_healthy: Int32 | None = None


class PodDisruptionBudget(KubernetesObject, frozen=True, tag_field="kind", tag="PodDisruptionBudget"):
    """A disruption budget; preemption tries not to violate it, and eviction never does."""

    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus = PodDisruptionBudgetStatus()
