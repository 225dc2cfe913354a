"""Small makers of objects, so that a test case is one readable line.

Amounts, labels and other maps are given as in a manifest; what is left out is what an API server would show
of the plainest pod or node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.objects.apps import ReplicaSet, ReplicaSetMeta, StatefulSet, StatefulSetSpec, WorkloadSpec
from kexplain.objects.core import (
    Affinity,
    Container,
    ContainerImage,
    ContainerPort,
    ContainerStatus,
    EmptyDirVolume,
    ImageVolume,
    Namespace,
    NamespaceMeta,
    Node,
    NodeAffinity,
    NodeMeta,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    NodeSpec,
    NodeStatus,
    PersistentVolumeClaimVolume,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodAnnotations,
    PodMeta,
    PodSchedulingGate,
    PodSchedulingGroup,
    PodSpec,
    PodStatus,
    PreferredSchedulingTerm,
    ReplicationController,
    ReplicationControllerSpec,
    ResourceRequirements,
    Service,
    ServiceSpec,
    Taint,
    Toleration,
    TopologySpreadConstraint,
    Volume,
    WeightedPodAffinityTerm,
)
from kexplain.objects.meta import (
    Condition,
    KubernetesObject,
    Labels,
    LabelSelector,
    LabelSelectorRequirement,
    ObjectMeta,
    OwnerReference,
    RawQuantity,
    ResourceList,
)
from kexplain.objects.policy import PodDisruptionBudget, PodDisruptionBudgetSpec, PodDisruptionBudgetStatus
from kexplain.objects.requests import RequestRules
from kexplain.objects.scheduling import (
    DisruptionMode,
    GangSchedulingPolicy,
    NoSettings,
    PodGroup,
    PodGroupSchedulingConstraints,
    PodGroupSchedulingPolicy,
    PodGroupSpec,
    TopologyConstraint,
)
from kexplain.objects.well_known import HOSTNAME, REGION, ZONE

__all__ = [
    "HOSTNAME",
    "REGION",
    "ZONE",
    "affinity",
    "budget",
    "cluster",
    "container",
    "controlled_by",
    "exists",
    "in_",
    "namespace",
    "node",
    "node_affinity",
    "node_term",
    "pod",
    "pod_group",
    "replica_set",
    "replication_controller",
    "selector",
    "service",
    "spread",
    "stateful_set",
    "taint",
    "term",
    "toleration",
    "volume",
]

# ---------------------------------------------------------------------------------------------------- nodes


def node(
    name: str = "n1",
    *,
    cpu: RawQuantity = "4",
    memory: RawQuantity = "8Gi",
    pods: int = 110,
    further: ResourceList | None = None,
    labels: Labels | None = None,
    zone: str | None = None,
    region: str | None = None,
    hostname: bool = True,
    taints: Iterable[str] = (),
    cordoned: bool = False,
    images: Mapping[str, int] | None = None,
) -> Node:
    """A node that carries its hostname label; `taints` as kubectl writes them, `images` are sizes by name."""
    all_labels = {HOSTNAME: name} if hostname else {}
    all_labels |= {ZONE: zone} if zone is not None else {}
    all_labels |= {REGION: region} if region is not None else {}
    return Node(
        metadata=NodeMeta(name=name, labels=all_labels | (labels or {})),
        spec=NodeSpec(taints=tuple(taint(text) for text in taints) or None, unschedulable=cordoned or None),
        status=NodeStatus(
            allocatable={"cpu": cpu, "memory": memory, "pods": pods} | (further or {}),
            images=tuple(ContainerImage(names=(image,), size_bytes=size) for image, size in (images or {}).items()),
        ),
    )


def taint(text: str) -> Taint:
    """The taint that kubectl writes `key=value:effect` or `key:effect`."""
    pair, _, effect = text.rpartition(":")
    key, equals, value = pair.partition("=")
    return Taint(key=key, value=value if equals else None, effect=effect)


# ----------------------------------------------------------------------------------------------------- pods


def container(
    cpu: RawQuantity | None = None,
    memory: RawQuantity | None = None,
    *,
    further: ResourceList | None = None,
    name: str = "main",
    image: str | None = None,
    ports: Iterable[str] = (),
    sidecar: bool = False,
) -> Container:
    """A container, or as an init container with `sidecar` one that keeps running; `ports` as in `pod`."""
    requests = _requests(cpu, memory, further)
    return Container(
        name=name,
        image=image,
        resources=ResourceRequirements(requests=requests) if requests else None,
        ports=tuple(_port(text) for text in ports) or None,
        restart_policy="Always" if sidecar else None,
    )


def pod(
    name: str = "p",
    *,
    cpu: RawQuantity | None = None,
    memory: RawQuantity | None = None,
    further: ResourceList | None = None,
    image: str | None = None,
    ports: Iterable[str] = (),
    containers: Sequence[Container] | None = None,
    init: Sequence[Container] = (),
    overhead: ResourceList | None = None,
    whole: ResourceList | None = None,
    node: str | None = None,
    namespace: str = "default",
    uid: str | None = None,
    labels: Labels | None = None,
    owner: OwnerReference | None = None,
    priority: int | None = None,
    preemption_policy: str | None = None,
    scheduler_name: str = "default-scheduler",
    node_selector: Labels | None = None,
    affinity: Affinity | None = None,
    tolerations: Sequence[Toleration] = (),
    spread: Sequence[TopologySpreadConstraint] = (),
    volumes: Sequence[Volume] = (),
    gates: Iterable[str] = (),
    phase: str | None = None,
    started: str | None = None,
    nominated: str | None = None,
    conditions: Sequence[Condition] = (),
    container_statuses: Sequence[ContainerStatus] = (),
    deleting: bool = False,
    mirror: bool = False,
    group: str | None = None,
) -> Pod:
    """A pod of one container, unless `containers` says otherwise.

    `ports` are host ports, such as `80`, `53/UDP` or `127.0.0.1:80`; `whole` is what the pod as a whole requests.
    """
    own = (container(cpu, memory, further=further, image=image, ports=ports),)
    return Pod(
        metadata=PodMeta(
            name=name,
            namespace=namespace,
            uid=uid,
            labels=labels,
            owner_references=(owner,) if owner else None,
            deletion_timestamp="2026-01-01T00:00:00Z" if deleting else None,
            annotations=PodAnnotations(mirror="1f2e") if mirror else None,
        ),
        spec=PodSpec(
            node_name=node,
            node_selector=node_selector,
            affinity=affinity,
            tolerations=tuple(tolerations) or None,
            topology_spread_constraints=tuple(spread) or None,
            containers=own if containers is None else tuple(containers),
            init_containers=tuple(init) or None,
            resources=ResourceRequirements(requests=whole) if whole else None,
            overhead=overhead,
            priority=priority,
            preemption_policy=preemption_policy,
            scheduler_name=scheduler_name,
            scheduling_gates=tuple(PodSchedulingGate(name=gate) for gate in gates) or None,
            volumes=tuple(volumes) or None,
            scheduling_group=PodSchedulingGroup(pod_group_name=group) if group else None,
        ),
        status=PodStatus(
            phase=phase,
            start_time=started,
            nominated_node_name=nominated,
            conditions=tuple(conditions) or None,
            container_statuses=tuple(container_statuses) or None,
        ),
    )


#: The modes of v1alpha3 and later; those of v1alpha2 are words.
_DISRUPTION_MODES = {"All": DisruptionMode(all=NoSettings()), "Single": DisruptionMode(single=NoSettings())}


def pod_group(
    name: str,
    needs: int | None = None,
    *,
    key: str = "",
    priority: int | None = None,
    mode: str | None = None,
    namespace: str = "default",
) -> PodGroup:
    """A group of pods: a gang that needs so many at once; in nodes of one value of the label `key`."""
    gang = GangSchedulingPolicy(min_count=needs) if needs is not None else None
    constraints = PodGroupSchedulingConstraints(topology=(TopologyConstraint(key=key),)) if key else None
    spec = PodGroupSpec(
        scheduling_policy=PodGroupSchedulingPolicy(gang=gang),
        scheduling_constraints=constraints,
        priority=priority,
        disruption_mode=_DISRUPTION_MODES.get(mode or "", mode),
    )
    return PodGroup(
        api_version="scheduling.k8s.io/v1alpha2", metadata=ObjectMeta(name=name, namespace=namespace), spec=spec
    )


def toleration(
    key: str | None = None, value: str | None = None, *, operator: str | None = None, effect: str | None = None
) -> Toleration:
    """A toleration with the fields that are given."""
    return Toleration(key=key, value=value, operator=operator, effect=effect)


def volume(name: str, *, claim: str | None = None, image: str | None = None, empty_dir: bool = False) -> Volume:
    """A volume that is a claim, an image or local storage."""
    return Volume(
        name=name,
        empty_dir=EmptyDirVolume() if empty_dir else None,
        persistent_volume_claim=PersistentVolumeClaimVolume(claim_name=claim) if claim else None,
        image=ImageVolume(reference=image) if image else None,
    )


def _requests(cpu: RawQuantity | None, memory: RawQuantity | None, further: ResourceList | None) -> ResourceList:
    requests: ResourceList = {}
    if cpu is not None:
        requests["cpu"] = cpu
    if memory is not None:
        requests["memory"] = memory
    return requests | (further or {})


def _port(text: str) -> ContainerPort:
    address, _, protocol = text.partition("/")
    ip, _, port = address.rpartition(":")
    return ContainerPort(container_port=int(port), host_port=int(port), host_ip=ip or None, protocol=protocol or None)


# ---------------------------------------------------------------------------------- selectors and affinities


def in_(key: str, *values: str, operator: str = "In") -> NodeSelectorRequirement:
    """An expression over node labels or fields."""
    return NodeSelectorRequirement(key=key, operator=operator, values=values or None)


def exists(key: str) -> NodeSelectorRequirement:
    """The node carries the label."""
    return NodeSelectorRequirement(key=key, operator="Exists")


def node_term(
    *expressions: NodeSelectorRequirement, fields: Sequence[NodeSelectorRequirement] = ()
) -> NodeSelectorTerm:
    """A node selector term."""
    return NodeSelectorTerm(match_expressions=expressions or None, match_fields=tuple(fields) or None)


def node_affinity(
    *required: NodeSelectorTerm, preferred: Sequence[tuple[int, NodeSelectorTerm]] | None = None
) -> NodeAffinity:
    """Required terms, of which one must match, and preferred ones by weight."""
    return NodeAffinity(
        required=NodeSelector(node_selector_terms=required) if required else None,
        preferred=None
        if preferred is None
        else tuple(PreferredSchedulingTerm(weight=weight, preference=each) for weight, each in preferred),
    )


def selector(labels: Labels | None = None, *expressions: tuple[str, str, Sequence[str]]) -> LabelSelector:
    """A label selector; expressions are key, operator and values."""
    return LabelSelector(
        match_labels=labels,
        match_expressions=tuple(
            LabelSelectorRequirement(key=key, operator=operator, values=tuple(values))
            for key, operator, values in expressions
        )
        or None,
    )


def term(
    labels: Labels | LabelSelector | None = None,
    topology_key: str = HOSTNAME,
    *,
    namespaces: Sequence[str] | None = None,
    namespace_selector: LabelSelector | None = None,
) -> PodAffinityTerm:
    """A pod affinity term."""
    return PodAffinityTerm(
        label_selector=labels if isinstance(labels, LabelSelector) or labels is None else selector(labels),
        topology_key=topology_key,
        namespaces=None if namespaces is None else tuple(namespaces),
        namespace_selector=namespace_selector,
    )


def affinity(
    *,
    near: Sequence[PodAffinityTerm] = (),
    far: Sequence[PodAffinityTerm] = (),
    prefers_near: Sequence[tuple[int, PodAffinityTerm]] = (),
    prefers_far: Sequence[tuple[int, PodAffinityTerm]] = (),
    node: NodeAffinity | None = None,
) -> Affinity:
    """What a pod requires or prefers to be near to, or far from, and on which nodes."""
    return Affinity(
        node_affinity=node,
        pod_affinity=_pod_affinity(near, prefers_near),
        pod_anti_affinity=_pod_affinity(far, prefers_far),
    )


def _pod_affinity(
    required: Sequence[PodAffinityTerm], preferred: Sequence[tuple[int, PodAffinityTerm]]
) -> PodAffinity | None:
    if not required and not preferred:
        return None
    return PodAffinity(
        required=tuple(required) or None,
        preferred=tuple(WeightedPodAffinityTerm(weight=weight, pod_affinity_term=each) for weight, each in preferred)
        or None,
    )


def spread(
    topology_key: str = ZONE,
    labels: Labels | LabelSelector | None = None,
    *,
    max_skew: int = 1,
    soft: bool = False,
    min_domains: int | None = None,
    affinity_policy: str | None = None,
    taints_policy: str | None = None,
    match_label_keys: Sequence[str] | None = None,
) -> TopologySpreadConstraint:
    """A constraint over pods with these labels, hard unless `soft`."""
    return TopologySpreadConstraint(
        topology_key=topology_key,
        max_skew=max_skew,
        when_unsatisfiable="ScheduleAnyway" if soft else "DoNotSchedule",
        label_selector=labels if isinstance(labels, LabelSelector) or labels is None else selector(labels),
        min_domains=min_domains,
        node_affinity_policy=affinity_policy,
        node_taints_policy=taints_policy,
        match_label_keys=None if match_label_keys is None else tuple(match_label_keys),
    )


# ------------------------------------------------------------------------------------------- everything else


def namespace(name: str, labels: Labels | None = None) -> Namespace:
    """A namespace with these labels."""
    return Namespace(metadata=NamespaceMeta(name=name, labels=labels))


def service(name: str, labels: Labels | None, namespace: str = "default") -> Service:
    """A service that selects pods with these labels."""
    return Service(metadata=ObjectMeta(name=name, namespace=namespace), spec=ServiceSpec(selector=labels))


def replica_set(name: str, matching: LabelSelector | None, namespace: str = "default") -> ReplicaSet:
    """A replica set."""
    return ReplicaSet(metadata=ReplicaSetMeta(name=name, namespace=namespace), spec=WorkloadSpec(selector=matching))


def stateful_set(name: str, matching: LabelSelector | None, namespace: str = "default") -> StatefulSet:
    """A stateful set."""
    return StatefulSet(metadata=ObjectMeta(name=name, namespace=namespace), spec=StatefulSetSpec(selector=matching))


def replication_controller(name: str, labels: Labels | None, namespace: str = "default") -> ReplicationController:
    """A replication controller."""
    return ReplicationController(
        metadata=ObjectMeta(name=name, namespace=namespace), spec=ReplicationControllerSpec(selector=labels)
    )


def controlled_by(kind: str, name: str, *, api_version: str = "apps/v1", controller: bool = True) -> OwnerReference:
    """A reference to the controller of a pod."""
    return OwnerReference(api_version=api_version, kind=kind, name=name, controller=controller)


def budget(
    name: str,
    matching: LabelSelector | None,
    allowed: int | None = 0,
    *,
    disrupted: Iterable[str] = (),
    namespace: str = "default",
    healthy: int | None = None,
    desired: int | None = None,
    unhealthy_go: bool = False,
) -> PodDisruptionBudget:
    """A disruption budget with that much left; `disrupted` are the names of pods that are on their way out.

    Pods that are not ready may always be evicted if `unhealthy_go`.
    """
    return PodDisruptionBudget(
        metadata=ObjectMeta(name=name, namespace=namespace),
        spec=PodDisruptionBudgetSpec(
            selector=matching, unhealthy_pod_eviction_policy="AlwaysAllow" if unhealthy_go else None
        ),
        status=PodDisruptionBudgetStatus(
            disruptions_allowed=allowed,
            disrupted_pods=dict.fromkeys(disrupted, "2026-01-01T00:00:00Z"),
            current_healthy=healthy,
            desired_healthy=desired,
        ),
    )


def cluster(
    nodes: Iterable[Node], pods: Iterable[Pod] = (), *others: KubernetesObject, rules: RequestRules | None = None
) -> Cluster:
    """The snapshot of these nodes and pods, and of whatever else there is."""
    return Cluster.of(nodes, pods, others, rules=rules)
