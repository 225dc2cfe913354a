"""Why a NodePool of Karpenter adds no node for a pod.

Source: Karpenter `Provisioner.NewScheduler`, `addToNewNodeClaim`, `NodeClaim.CanAdd`. Only the cloud knows its instance
types and their prices, so they are not looked at; nor are the zones of volumes, claims of devices, and what other pods
mean for this one. Limits are compared with what the pod itself requests.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum

from kexplain.cluster import Cluster
from kexplain.explain.output import Output
from kexplain.explain.wording import amount
from kexplain.objects import quantity
from kexplain.objects.core import Node, NodeSelectorRequirement, Pod
from kexplain.objects.karpenter import NODE_CLASSES, NODE_POOL, NodeClass, NodePool
from kexplain.objects.label_values import LabelValues, conflicts, narrowed
from kexplain.objects.meta import Condition, RawQuantity
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.tolerations import untolerated_taints
from kexplain.objects.well_known import HOSTNAME, INSTANCE_TYPE, REGION, ZONE
from kexplain.patterns import regex
from kexplain.words import joined

#: Labels that the cloud sets: a NodePool that says nothing of them leaves them open.
_SET_BY_CLOUD = frozenset(
    (
        NODE_POOL,
        "karpenter.sh/capacity-type",
        ZONE,
        REGION,
        INSTANCE_TYPE,
        "kubernetes.io/arch",
        "kubernetes.io/os",
        "node.kubernetes.io/windows-build",
    )
)
#: The same of single clouds.
_SET_BY_SOME_CLOUD = regex(
    r"(?:karpenter\.(?!sh/)[^/]*|topology\.k8s\.aws)/.*|eks\.amazonaws\.com/(?:instance|compute).*"
)
#: Labels that say how large a machine is, as providers of AWS and Azure set them: in cores, MiB, or pieces.
_SIZE = regex(r"(?:karpenter\.[^/]*|eks\.amazonaws\.com)/(?:instance|sku)-(?P<what>cpu|memory|gpu-count)")
_OF_SIZE = {"cpu": (CPU, 1000), "memory": (MEMORY, 1 << 20), "gpu-count": ("nvidia.com/gpu", 1)}
_NODES = "nodes"
#: What every instance has, so that a limit that is used up leaves none.
_IN_EVERY_INSTANCE = (CPU, MEMORY, EPHEMERAL_STORAGE, _NODES)


class Refusal(StrEnum):
    """What keeps a NodePool from adding a node for a pod."""

    STATIC = "Static"
    DELETING = "Deleting"
    NOT_READY = "NotReady"
    LIMIT = "Limit"
    TAINT = "Taint"
    REQUIREMENTS = "Requirements"
    MATCH_FIELDS = "MatchFields"


class NodePoolObjection(Output, frozen=True):
    """One reason why a NodePool adds no node for the pod."""

    kind: Refusal
    text: str


def pool_objections(pool: NodePool, pod: Pod, cluster: Cluster, nodes: Sequence[Node]) -> list[NodePoolObjection]:
    """Everything in the way, most lasting first; `nodes` are those that it has added so far."""
    return [
        *_state(pool, cluster),
        *(NodePoolObjection(kind=Refusal.LIMIT, text=text) for text in _limits(pool, pod, cluster, nodes)),
        *_taints(pool, pod),
        *_requirements(pool, pod),
        *_sizes(pool, pod, cluster),
    ]


def offers(pool: NodePool, requirements: Sequence[NodeSelectorRequirement]) -> bool:
    """Whether a new node of the pool may have labels that meet all these requirements."""
    return not _conflicts(_offered(pool), requirements)


def _state(pool: NodePool, cluster: Cluster) -> Iterator[NodePoolObjection]:
    if pool.spec.replicas is not None:
        text = f"it keeps {pool.spec.replicas} nodes (spec.replicas) and adds none for pods"
        yield NodePoolObjection(kind=Refusal.STATIC, text=text)
    if pool.metadata.deletion_timestamp is not None:
        yield NodePoolObjection(kind=Refusal.DELETING, text="it is being deleted")
    if (why := _not_ready(pool.status.conditions)) is not None:
        yield NodePoolObjection(kind=Refusal.NOT_READY, text=f"it is not ready{why}")
    reference = pool.spec.template.spec.node_class_ref
    node_class = next((each for each in _node_classes(cluster) if reference.is_to(each)), None)
    if node_class is not None and (told := _not_ready(node_class.status.conditions)) is not None:
        text = f"its {reference.kind} {reference.name} is not ready{told}"
        yield NodePoolObjection(kind=Refusal.NOT_READY, text=text)


def _node_classes(cluster: Cluster) -> Iterator[NodeClass]:
    for kind in NODE_CLASSES:
        yield from cluster.listers.every(kind)


def _not_ready(conditions: Sequence[Condition] | None) -> str | None:
    """Behind a colon why something is not ready, as far as it is said; None if it is, or nothing says so."""
    ready = next((each for each in conditions or () if each.type == "Ready"), None)
    if ready is None or ready.status == "True":
        return None
    return f": {ready.message}" if ready.message else ""


# ------------------------------------------------------------------------------------------------------ limits


def _limits(pool: NodePool, pod: Pod, cluster: Cluster, nodes: Sequence[Node]) -> Iterator[str]:
    requested = cluster.pod_info(pod).resource.requested
    for name, raw in (pool.spec.limits or {}).items():
        limit, used = _count(name, raw), _used(name, pool, nodes)
        of_limit = f"{name} {amount(name, used)} of {amount(name, limit)} used"
        asked = requested.amount(name)
        if used > limit or (used == limit and (asked or name in _IN_EVERY_INSTANCE)):
            yield f"limit reached: {of_limit}"
        elif asked > limit - used:
            yield f"limit too low: {of_limit}, and the pod requests {amount(name, asked)}"


def _used(name: str, pool: NodePool, nodes: Sequence[Node]) -> int:
    """How much its nodes have: what it reports itself, where nodes are on their way, and at least what there is."""
    found = len(nodes) if name == _NODES else sum(_size(node, name) for node in nodes)
    return max(found, _count(name, (pool.status.resources or {}).get(name, 0)))


def _size(node: Node, name: str) -> int:
    """What a node has in all; what pods may have of it where it does not say so."""
    try:
        return _count(name, (node.status.capacity or {})[name])
    except (KeyError, quantity.QuantityError):
        return _count(name, (node.status.allocatable or {}).get(name, 0))


def _count(name: str, raw: RawQuantity) -> int:
    return quantity.milli_value(raw) if name == CPU else quantity.value(raw)


# ------------------------------------------------------------------------------------------------- requirements


def _taints(pool: NodePool, pod: Pod) -> Iterator[NodePoolObjection]:
    taints, tolerations = pool.spec.template.spec.taints or (), pod.spec.tolerations or ()
    for taint in untolerated_taints(taints, tolerations, REPELLING_EFFECTS, comparison_operators=True):
        yield NodePoolObjection(
            kind=Refusal.TAINT, text=f"its nodes have the taint {taint}, which the pod does not tolerate"
        )


def _requirements(pool: NodePool, pod: Pod) -> Iterator[NodePoolObjection]:
    """Of the alternatives that the pod requires, those of the one that lacks least."""
    affinity = pod.spec.affinity and pod.spec.affinity.node_affinity
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    terms = (required.node_selector_terms if required else None) or ()
    if any(term.match_fields for term in terms):
        text = "the pod's node affinity has matchFields, which Karpenter does not support"
        yield NodePoolObjection(kind=Refusal.MATCH_FIELDS, text=text)
    chosen = [
        NodeSelectorRequirement(key=k, operator="In", values=(v,)) for k, v in (pod.spec.node_selector or {}).items()
    ]
    alternatives = [(*chosen, *(term.match_expressions or ())) for term in terms] or [tuple(chosen)]
    offered = _offered(pool)
    conflicting = [_conflicts(offered, each) for each in alternatives]
    fewest = min(conflicting, key=len)
    if fewest:
        text = f"its requirements exclude the pod: {joined(fewest)}"
        yield NodePoolObjection(kind=Refusal.REQUIREMENTS, text=text)


def _sizes(pool: NodePool, pod: Pod, cluster: Cluster) -> Iterator[NodePoolObjection]:
    """Where the requirements bound the size of machines, and the pod alone is larger."""
    for name, asked in cluster.pod_info(pod).resource.requested.amounts().items():
        largest = largest_machine(pool, name)
        if largest is not None and asked > largest:
            text = (
                f"its machines have at most {amount(name, largest)} {name}, and the pod requests {amount(name, asked)}"
            )
            yield NodePoolObjection(kind=Refusal.REQUIREMENTS, text=text)


def largest_machine(pool: NodePool, resource: str) -> int | None:
    """How much of a resource any machine of the pool has at most; None where its requirements set no bound."""
    for requirement in pool.spec.template.spec.requirements or ():
        size = _SIZE.fullmatch(requirement.key)
        if size is not None and _OF_SIZE[size["what"]][0] == resource:
            most = _most(requirement)
            return None if most is None else most * _OF_SIZE[size["what"]][1]
    return None


def _most(requirement: NodeSelectorRequirement) -> int | None:
    """The largest number that a requirement allows; None where it sets no bound."""
    numbers = [int(value) for value in requirement.values or () if value.isdecimal()]
    if not numbers or len(numbers) < len(requirement.values or ()):
        return None
    if requirement.operator == "Lt":
        return numbers[0] - 1
    return max(numbers) if requirement.operator == "In" else None


def _offered(pool: NodePool) -> dict[str, LabelValues]:
    """The labels that a new node of the pool may have; its name is none that anybody knows yet."""
    template = pool.spec.template
    reference = template.spec.node_class_ref
    labels = (template.metadata.labels or {}) | {NODE_POOL: pool.name, HOSTNAME: ""}
    if reference.kind:
        labels[f"{reference.group}/{reference.kind.lower()}"] = reference.name
    own = [NodeSelectorRequirement(key=key, operator="In", values=(value,)) for key, value in labels.items()]
    return narrowed(map(LabelValues.of, (*(template.spec.requirements or ()), *own)))


def _conflicts(offered: Mapping[str, LabelValues], requirements: Sequence[NodeSelectorRequirement]) -> list[str]:
    wanted = narrowed(map(LabelValues.of, requirements))
    return [_in_words(offer, want) for offer, want in conflicts(offered, wanted, _may_be_undefined(wanted))]


def _may_be_undefined(wanted: Collection[str]) -> list[str]:
    return [key for key in wanted if key in _SET_BY_CLOUD or _SET_BY_SOME_CLOUD.fullmatch(key)]


def _in_words(offer: LabelValues | None, want: LabelValues) -> str:
    if offer is None:
        return f"its nodes have no label {want.key}, but the pod needs {want}"
    if offer.key == HOSTNAME:
        return f"a new node has a new name, but the pod needs {want}"
    return f"{offer}, but the pod needs {str(want).removeprefix(want.key).strip()}"
