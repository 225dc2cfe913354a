"""The autoscaling API group: autoscalers of workloads."""

from kexplain.objects.meta import Int32, KubernetesObject, NamedReference, Record


class HorizontalPodAutoscalerSpec(Record, frozen=True):
    """What is scaled, and to how many replicas."""

    scale_target_ref: NamedReference = NamedReference()
    min_replicas: Int32 | None = None
    max_replicas: Int32 | None = None


class HorizontalPodAutoscaler(KubernetesObject, frozen=True, tag_field="kind", tag="HorizontalPodAutoscaler"):
    """It keeps a workload between two numbers of replicas, but leaves one alone that has none.

    Source: podautoscaler `reconcileAutoscaler`, release 1.36.
    """

    spec: HorizontalPodAutoscalerSpec = HorizontalPodAutoscalerSpec()

    @property
    def least(self) -> int:
        """The fewest replicas that it leaves."""
        return 1 if self.spec.min_replicas is None else self.spec.min_replicas

    def kept(self, replicas: int) -> int:
        """To how many replicas it scales so many at once, whatever its metrics say."""
        most = replicas if self.spec.max_replicas is None else self.spec.max_replicas
        return min(max(replicas, self.least), most) if replicas else 0

    def scales(self, workload: KubernetesObject) -> bool:
        """Whether it is for this workload."""
        target = self.spec.scale_target_ref
        return (target.kind, target.name, self.namespace) == (workload.kind, workload.name, workload.namespace)
