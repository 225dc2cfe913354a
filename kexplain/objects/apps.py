"""The apps API group: workloads that make pods; and the Rollouts of Argo, deployments with strategies of their own."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import force_setattr, replace

from kexplain.objects.collection import Objects
from kexplain.objects.core import PersistentVolumeClaimTemplate, PodTemplateSpec
from kexplain.objects.meta import (
    Int32,
    IntOrString,
    KubernetesObject,
    LabelSelector,
    NamedReference,
    ObjectMeta,
    Record,
)
from kexplain.objects.workload_status import WorkloadStatus


class WorkloadSpec(Record, frozen=True):
    """What deployments, replica sets, stateful sets and daemon sets have in common."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None


class RollingUpdate(Record, frozen=True):
    """How many pods more, and how many fewer, there may be while a deployment changes."""

    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


class DeploymentStrategy(Record, frozen=True):
    """How a deployment puts new pods in place of old ones."""

    type: str | None = None
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(WorkloadSpec, frozen=True):
    """A workload whose pods are replaced a few at a time."""

    strategy: DeploymentStrategy | None = None
    paused: bool | None = None


class Deployment(KubernetesObject, frozen=True, tag_field="kind", tag="Deployment"):
    """`apps/v1`; its ReplicaSets make the pods."""

    spec: DeploymentSpec = DeploymentSpec()
    status: WorkloadStatus = WorkloadStatus()


class ReplicaSetAnnotations(Record, frozen=True):
    """What a deployment notes on its replica sets: which revision each is, and the sizes when it was last scaled."""

    revision: str | None = msgspec.field(default=None, name="deployment.kubernetes.io/revision")
    desired_replicas: str | None = msgspec.field(default=None, name="deployment.kubernetes.io/desired-replicas")
    max_replicas: str | None = msgspec.field(default=None, name="deployment.kubernetes.io/max-replicas")


class ReplicaSetMeta(ObjectMeta, frozen=True):
    """The metadata of a replica set."""

    annotations: ReplicaSetAnnotations | None = None


class ReplicaSet(KubernetesObject, frozen=True, tag_field="kind", tag="ReplicaSet"):
    """A replica set; pods that it owns are spread by default."""

    metadata: ReplicaSetMeta = ReplicaSetMeta()
    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()

    @property
    def revision(self) -> int:
        """Its number among those of its Deployment, the newest is the highest; 0 where that is not known."""
        noted = self.metadata.annotations.revision if self.metadata.annotations else None
        return int(noted) if noted and noted.isascii() and noted.isdecimal() else 0


class RollingSetUpdate(Record, frozen=True):
    """How the pods of a stateful or daemon set are replaced; a `partition` keeps the pods below that ordinal."""

    partition: Int32 | None = None
    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


ON_DELETE = "OnDelete"


class UpdateStrategy(Record, frozen=True):
    """How a stateful or daemon set puts new pods in place of old ones."""

    type: str | None = None
    rolling_update: RollingSetUpdate | None = None


class Ordinals(Record, frozen=True):
    """The first number that a stateful set gives to a pod."""

    start: Int32 | None = None


class StatefulSetSpec(WorkloadSpec, frozen=True):
    """A workload whose pods have claims of their own."""

    volume_claim_templates: tuple[PersistentVolumeClaimTemplate, ...] | None = None
    pod_management_policy: str | None = None
    update_strategy: UpdateStrategy | None = None
    ordinals: Ordinals | None = None


class StatefulSet(KubernetesObject, frozen=True, tag_field="kind", tag="StatefulSet"):
    """A stateful set; pods that it owns are spread by default."""

    spec: StatefulSetSpec = StatefulSetSpec()
    status: WorkloadStatus = WorkloadStatus()

    @property
    def start(self) -> int:
        return (self.spec.ordinals.start if self.spec.ordinals else None) or 0

    @property
    def is_ordered(self) -> bool:
        """Whether a pod is made only once those before it are ready."""
        return self.spec.pod_management_policy != "Parallel"

    def leaves_alone(self, revision: str | None) -> bool:
        """Whether a pod of that revision is of an earlier template, and nobody replaces it unasked if it is not ready.

        Source: stateful set controller `updateStatefulSet`, which goes no further than the first pod that is not ready.
        """
        is_old = bool(revision) and self.status.update_revision not in (None, revision)
        return is_old and (self.is_ordered or is_on_delete(self))

    @property
    def partition(self) -> int:
        """How many of the lowest ordinals keep an older template."""
        rolling = self.spec.update_strategy.rolling_update if self.spec.update_strategy else None
        return (rolling.partition if rolling else None) or 0


class DaemonSetSpec(WorkloadSpec, frozen=True):
    """A workload that has a pod on every node that takes it."""

    update_strategy: UpdateStrategy | None = None


class DaemonSetAnnotations(Record, frozen=True):
    """How often the template has changed."""

    template_generation: str | None = msgspec.field(default=None, name="deprecated.daemonset.template.generation")


class DaemonSetMeta(ObjectMeta, frozen=True):
    """The metadata of a daemon set."""

    annotations: DaemonSetAnnotations | None = None


class DaemonSet(KubernetesObject, frozen=True, tag_field="kind", tag="DaemonSet"):
    """`apps/v1`; it makes a pod for every node that its template allows."""

    metadata: DaemonSetMeta = DaemonSetMeta()
    spec: DaemonSetSpec = DaemonSetSpec()
    status: WorkloadStatus = WorkloadStatus()


def is_recreated(deployment: Deployment) -> bool:
    """Whether all old pods go before new ones come."""
    return deployment.spec.strategy is not None and deployment.spec.strategy.type == "Recreate"


def is_on_delete(workload: StatefulSet | DaemonSet) -> bool:
    """Whether pods of an older template stay until somebody deletes them."""
    return workload.spec.update_strategy is not None and workload.spec.update_strategy.type == ON_DELETE


class TrafficRouting(Record, frozen=True):
    """What steers traffic while both revisions stand; its fields matter to no pod."""


class Canary(RollingUpdate, frozen=True):
    """New pods come a few at a time, unless traffic is steered; its steps are followed to the last one."""

    traffic_routing: TrafficRouting | None = None
    dynamic_stable_scale: bool | None = None


class BlueGreen(Record, frozen=True):
    """New pods come all at once, and old ones go once all of these serve."""


class RolloutStrategy(DeploymentStrategy, frozen=True):
    """One of both; neither is refused by the controller."""

    canary: Canary | None = None
    blue_green: BlueGreen | None = None

    @property
    def keeps_old(self) -> bool:
        """Whether all old pods stay until all new ones serve."""
        if self.blue_green is not None:
            return True
        return self.canary is not None and bool(self.canary.traffic_routing) and not self.canary.dynamic_stable_scale


class RolloutSpec(DeploymentSpec, frozen=True):
    """What a deployment has, with another strategy."""

    strategy: RolloutStrategy | None = None
    #: What lends its template.
    workload_ref: NamedReference | None = None


class Rollout(Deployment, frozen=True, tag_field="kind", tag="Rollout"):
    """`argoproj.io/v1alpha1`; its ReplicaSets make the pods, as those of a deployment do."""

    spec: RolloutSpec = RolloutSpec()


def lend_templates(objects: Iterable[KubernetesObject]) -> None:
    """Give each rollout that refers to a workload the template and the selector of that.

    Source: Argo Rollouts, `informerBasedTemplateResolver`.
    """
    found = Objects.these(objects)
    for rollout in found.of(Rollout):
        spec, of = rollout.spec, rollout.spec.workload_ref or NamedReference()
        workloads: list[Any] = found.of(Deployment, ReplicaSet)
        for obj in workloads if spec.template is None else ():
            if (obj.kind, obj.name, obj.namespace) == (of.kind, of.name, rollout.namespace):
                lent = replace(spec, template=obj.spec.template, selector=spec.selector or obj.spec.selector)
                force_setattr(rollout, "spec", lent)
