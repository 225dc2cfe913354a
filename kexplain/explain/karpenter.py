"""Why a NodePool of Karpenter adds no node for a pod.

Source: Karpenter `Provisioner.NewScheduler`, `addToNewNodeClaim`, `NodeClaim.CanAdd`, `filterByRemainingResources`.
Only the cloud knows its instance types and their prices: sizes are known where the pool's requirements name them, where
a table of types was read, or where nodes of all its types are there. The zones of volumes, claims of devices, and what
other pods mean for this one are not looked at.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from kexplain.cluster import Cluster, Listers
from kexplain.explain.autoscaling import NodePoolObjection, Refusal
from kexplain.explain.sizes import GPU, largest, named, sizes_of
from kexplain.explain.wording import amount
from kexplain.objects import quantity
from kexplain.objects.core import Node, NodeSelectorRequirement, Pod
from kexplain.objects.karpenter import NODE_POOL, NodeClass, NodePool
from kexplain.objects.label_values import LabelValues, conflicts, narrowed
from kexplain.objects.meta import Condition
from kexplain.objects.node_claims import EVERY_NODE_CLASS
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY, resource_units
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.tolerations import untolerated_taints
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.patterns import regex
from kexplain.tables import words
from kexplain.words import clauses, joined

#: Labels that the cloud sets: a NodePool that says nothing of them leaves them open.
_SET_BY_CLOUD = words("labels-set-by-clouds")
#: The same of single clouds.
_SET_BY_SOME_CLOUD = regex(
    r"(?:karpenter\.(?!sh/)[^/]*|topology\.k8s\.aws)/.*|eks\.amazonaws\.com/(?:instance|compute).*"
)
_NODES = "nodes"
_BYTES = (MEMORY, EPHEMERAL_STORAGE)
#: What every instance has, so that a limit that is used up leaves none.
_IN_EVERY_INSTANCE = (CPU, MEMORY, EPHEMERAL_STORAGE, _NODES)


def pool_objections(pool: NodePool, pod: Pod, cluster: Cluster, nodes: Sequence[Node]) -> list[NodePoolObjection]:
    """Everything in the way, most lasting first; `nodes` are those that it has added so far."""
    limits = list(_limits(pool, pod, cluster, nodes))
    return [
        *_state(pool),
        *(tuple(_node_class(pool, cluster.listers)) or _readiness(pool)),
        *(NodePoolObjection(kind=Refusal.LIMIT, text=text) for text in limits),
        *_taints(pool, pod),
        *_requirements(pool, pod),
        *(() if limits else _sizes(pool, pod, cluster, nodes)),
    ]


def offers(pool: NodePool, requirements: Sequence[NodeSelectorRequirement]) -> bool:
    """Whether a new node of the pool may have labels that meet all these requirements."""
    return not _conflicts(offered(pool), requirements)


def largest_machine(pool: NodePool, resource: str) -> int | None:
    """How much of a resource any machine of the pool has at most; None where its requirements set no bound."""
    amounts = [each.amounts[resource] for each in named(offered(pool)) or () if resource in each.amounts]
    return max(amounts, default=None)


def beyond_limits(pool: NodePool, nodes: Sequence[Node], like: Node) -> str:
    """By how much one more node like this one would exceed the pool's limits; empty if it would not."""
    for name, raw in (pool.spec.limits or {}).items():
        limit, used = resource_units(name, raw), _used(name, pool, nodes)
        size = 1 if name == _NODES else _size(like, name)
        if size > limit - used:
            further = f"one more like {like.name} has {amount(name, size)}"
            return f"limit too low: {_of_limit(name, used, limit)}, and {further}"
    return ""


def raised_limits(pool: NodePool, nodes: Sequence[Node], like: Node, count: int) -> dict[str, tuple[str, str]]:
    """The limits that so many more nodes like one would exceed: what each has to be, and how much of it is used."""
    found = {}
    for name, raw in (pool.spec.limits or {}).items():
        limit, used = resource_units(name, raw), _used(name, pool, nodes)
        total = used + count * (1 if name == _NODES else _size(like, name))
        if total > limit:
            unit, suffix = (1000, "") if name == CPU else (1 << 30, "Gi") if name in _BYTES else (1, "")
            found[name] = f"{-(-total // unit)}{suffix}", _of_limit(name, used, limit)
    return found


def zones_of(pool: NodePool, everywhere: Iterable[str]) -> list[str]:
    """The zones that the pool's nodes may be in: those that it requires, or all that are known."""
    offer = offered(pool).get(ZONE)
    if offer is None:
        return sorted(everywhere)
    return sorted((each for each in everywhere if each not in offer.values) if offer.is_open else offer.values)


def _of_limit(name: str, used: int, limit: int) -> str:
    return f"{name} {amount(name, used)} of {amount(name, limit)} used"


def _sizes(pool: NodePool, pod: Pod, cluster: Cluster, nodes: Sequence[Node]) -> Iterator[NodePoolObjection]:
    """No size of its nodes is large enough, or each that is would exceed a limit."""
    found = sizes_of(offered(pool), cluster)
    if found is None:
        return
    requested = cluster.pod_info(pod).resource.requested
    needed = {name: requested.amount(name) for name in (CPU, MEMORY, GPU)}
    enough = [each for each in found if each.is_enough(needed)]
    if not found:
        yield NodePoolObjection(kind=Refusal.SIZE, text="no instance type that is known meets its requirements")
    elif not enough:
        short = next((name for name, least in needed.items() if largest(found, name) < least), CPU)
        most, least = amount(short, largest(found, short)), amount(short, needed[short])
        text = f"its nodes have at most {most} {short}, and the pod requests {least}"
        yield NodePoolObjection(kind=Refusal.SIZE, text=text)
    if all(each.is_exact for each in enough):
        yield from _limited(pool, nodes, [each.amounts for each in enough])


def _limited(pool: NodePool, nodes: Sequence[Node], enough: Sequence[Mapping[str, int]]) -> Iterator[NodePoolObjection]:
    """Each size that is large enough would exceed a limit."""
    for name, raw in (pool.spec.limits or {}).items():
        limit, used = resource_units(name, raw), _used(name, pool, nodes)
        known = [each[name] for each in enough if name in each]
        if known and len(known) == len(enough) and min(known) > limit - used:
            least = f"a node that is large enough has {amount(name, min(known))}"
            text = f"limit too low: {_of_limit(name, used, limit)}, and {least}"
            yield NodePoolObjection(kind=Refusal.LIMIT, text=text)


def _state(pool: NodePool) -> Iterator[NodePoolObjection]:
    if pool.spec.replicas is not None:
        text = f"it keeps {pool.spec.replicas} nodes (spec.replicas) and adds none for pods"
        yield NodePoolObjection(kind=Refusal.STATIC, text=text)
    if pool.metadata.deletion_timestamp is not None:
        yield NodePoolObjection(kind=Refusal.DELETING, text="it is being deleted")


def _readiness(pool: NodePool) -> Iterator[NodePoolObjection]:
    """That it is not ready, as it says itself; the condition of its node class says more than that of the whole."""
    by_type = {each.type: each for each in pool.status.conditions or () if each.status != "True"}
    ready, of_class = by_type.get("Ready"), by_type.get("NodeClassReady")
    reference = pool.spec.template.spec.node_class_ref
    if ready is not None and of_class is not None and reference.name:
        what = "does not exist" if of_class.reason == "NodeClassNotFound" else _unready(of_class)
        yield NodePoolObjection(kind=Refusal.NODE_CLASS, text=f"its {reference.kind} {reference.name} {what}")
    elif ready is not None:
        text = f"it is not ready: {ready.message}" if ready.message else "it is not ready"
        yield NodePoolObjection(kind=Refusal.NOT_READY, text=text)


def _node_class(pool: NodePool, listers: Listers) -> Iterator[NodePoolObjection]:
    """What its nodes are made of is not there, or not ready."""
    reference = pool.spec.template.spec.node_class_ref
    if not reference.name or not any(kind.__name__ == reference.kind for kind in listers.kinds):
        return
    for kind in EVERY_NODE_CLASS:
        if kind.__name__ != reference.kind:
            continue
        found = listers.get(kind, reference.name)
        text = _class_trouble(found) if found is not None else "does not exist"
        if text:
            yield NodePoolObjection(kind=Refusal.NODE_CLASS, text=f"its {reference.kind} {reference.name} {text}")


def _class_trouble(found: NodeClass) -> str:
    """What is wrong with a node class; the conditions besides Ready say what exactly."""
    by_type = {each.type: each for each in found.status.conditions or ()}
    ready = by_type.pop("Ready", None)
    if found.metadata.deletion_timestamp is not None:
        return "is being deleted"
    if ready is None or ready.status == "True":
        return ""
    why = next((each for each in by_type.values() if each.status == "False"), ready)
    return _unready(why, why.type if why is not ready else "")


def _unready(why: Condition, of: str = "") -> str:
    said = clauses(*filter(None, (of, why.reason, why.message)))
    return f"is not ready: {said}" if said else "is not ready"


# ------------------------------------------------------------------------------------------------------ limits


def _limits(pool: NodePool, pod: Pod, cluster: Cluster, nodes: Sequence[Node]) -> Iterator[str]:
    requested = cluster.pod_info(pod).resource.requested
    for name, raw in (pool.spec.limits or {}).items():
        limit, used = resource_units(name, raw), _used(name, pool, nodes)
        of_limit = _of_limit(name, used, limit)
        asked = requested.amount(name)
        if used > limit or (used == limit and (asked or name in _IN_EVERY_INSTANCE)):
            yield f"limit reached: {of_limit}"
        elif asked > limit - used:
            yield f"limit too low: {of_limit}, and the pod requests {amount(name, asked)}"


def _used(name: str, pool: NodePool, nodes: Sequence[Node]) -> int:
    """How much its nodes have: what it reports itself, where nodes are on their way, and at least what there is."""
    found = len(nodes) if name == _NODES else sum(_size(node, name) for node in nodes)
    return max(found, resource_units(name, (pool.status.resources or {}).get(name, 0)))


def _size(node: Node, name: str) -> int:
    """What a node has in all; what pods may have of it where it does not say so."""
    with suppress(KeyError, quantity.QuantityError):
        return resource_units(name, (node.status.capacity or {})[name])
    return resource_units(name, (node.status.allocatable or {}).get(name, 0))


# ------------------------------------------------------------------------------------------------- requirements


def _taints(pool: NodePool, pod: Pod) -> Iterator[NodePoolObjection]:
    taints, tolerations = pool.spec.template.spec.taints or (), pod.spec.tolerations or ()
    for taint in untolerated_taints(taints, tolerations, REPELLING_EFFECTS, comparison_operators=True):
        text = f"its nodes have the taint {taint}, which the pod does not tolerate"
        yield NodePoolObjection(kind=Refusal.TAINT, text=text)


def _requirements(pool: NodePool, pod: Pod) -> Iterator[NodePoolObjection]:
    """Of the alternatives that the pod requires, those of the one that lacks least."""
    terms = pod.spec.required_node_terms
    if any(term.match_fields for term in terms):
        text = "the pod's node affinity has matchFields, which Karpenter does not support"
        yield NodePoolObjection(kind=Refusal.MATCH_FIELDS, text=text)
    asked = (pod.spec.node_selector or {}).items()
    chosen = [NodeSelectorRequirement(key=key, operator="In", values=(value,)) for key, value in asked]
    alternatives = [(*chosen, *(term.match_expressions or ())) for term in terms] or [tuple(chosen)]
    labels = offered(pool)
    conflicting = [_conflicts(labels, each) for each in alternatives]
    fewest = min(conflicting, key=len)
    if fewest:
        text = f"its requirements exclude the pod: {joined(fewest)}"
        yield NodePoolObjection(kind=Refusal.REQUIREMENTS, text=text)


def offered(pool: NodePool) -> dict[str, LabelValues]:
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
    undefined = [key for key in wanted if key in _SET_BY_CLOUD or _SET_BY_SOME_CLOUD.fullmatch(key)]
    return [_in_words(offer, want) for offer, want in conflicts(offered, wanted, undefined)]


def _in_words(offer: LabelValues | None, want: LabelValues) -> str:
    if offer is None:
        return f"its nodes have no label {want.key}, but the pod needs {want}"
    if offer.key == HOSTNAME:
        return f"a new node has a new name, but the pod needs {want}"
    return f"{offer}, but the pod needs {str(want).removeprefix(want.key).strip()}"
