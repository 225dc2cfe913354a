"""Why the nodes were turned down, grouped so that each node counts once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from kexplain.cluster.cluster import Cluster
from kexplain.explain.device_records import AboutDevices
from kexplain.explain.device_wording import device_cause, device_key
from kexplain.explain.policy_records import AboutPolicies
from kexplain.explain.policy_wording import policy_cause
from kexplain.explain.records import (
    AffinityFact,
    AntiAffinityFact,
    AnyFact,
    Cause,
    CordonFact,
    ExistingAntiAffinityFact,
    LeftOutFact,
    NodeNameFact,
    NodeSelectorFact,
    NodeVerdict,
    PortFact,
    Rejection,
    ResourceFact,
    SkewFact,
    TaintFact,
    TopologyLabelFact,
)
from kexplain.explain.storage_records import AboutStorage, StorageFact
from kexplain.explain.storage_wording import is_same_storage, storage_cause, storage_key
from kexplain.explain.wording import (
    LEFT_OUT,
    a_pod,
    amount,
    minimum_text,
    near_miss_text,
    pods_of,
    port_text,
    taint_text,
)
from kexplain.framework.status import Code
from kexplain.objects.requests import PODS
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT

#: How many examples of domains or values a cause names.
EXAMPLES = 4


def causes(verdicts: Sequence[NodeVerdict], cluster: Cluster) -> tuple[Cause, ...]:
    """The causes, most nodes first; a node belongs to what stopped it first, in all its detail."""
    groups: dict[tuple[str, ...], list[NodeVerdict]] = {}
    for verdict in verdicts:
        if verdict.stopped_by is not None:
            groups.setdefault(_key(verdict.stopped_by), []).append(verdict)
    found = [_cause(group, cluster) for group in groups.values()]
    return tuple(sorted(found, key=lambda cause: -cause.count))


def _key(rejection: Rejection) -> tuple[str, ...]:
    """What makes two rejections the same cause: all but the numbers of the node."""
    return (rejection.plugin, *(_fact_key(fact) for fact in rejection.facts or ()), *rejection.reasons)


def _fact_key(fact: AnyFact) -> str:
    match fact:
        case ResourceFact():
            return fact.resource
        case TaintFact():
            return taint_text(fact)
        case CordonFact() | LeftOutFact():
            return ""
        case NodeNameFact():
            return fact.wanted
        case NodeSelectorFact():
            return f"{fact.term} {fact.expression}"
        case PortFact():
            return port_text(fact)
        case TopologyLabelFact():
            return fact.topology_key
        case SkewFact() | AffinityFact() | AntiAffinityFact():
            return f"{fact.topology_key} {fact.selector}"
        case ExistingAntiAffinityFact():
            return fact.topology_key
        case AboutStorage():
            return storage_key(fact)
        case AboutPolicies():
            return policy_cause(fact)
        case AboutDevices():
            return device_key(fact)
        case _:
            assert_never(fact)


def _cause(group: Sequence[NodeVerdict], cluster: Cluster) -> Cause:
    rejections = [verdict.stopped_by for verdict in group if verdict.stopped_by is not None]
    first = rejections[0]
    return Cause(
        plugin=first.plugin,
        text=_text(group, rejections, cluster),
        count=len(group),
        nodes=tuple(verdict.node for verdict in group),
        alone_on=tuple(verdict.node for verdict in group if _is_alone(verdict)),
        preemption_may_help=any(r.code == Code.UNSCHEDULABLE.value for r in rejections),
    )


def _is_alone(verdict: NodeVerdict) -> bool:
    """Whether nothing else stands behind the objection; a cordon's own taint goes with the cordon.

    So does what another plugin says of the same claim.
    """
    if verdict.stopped_by is None or not verdict.stopped_by.facts or not verdict.also:
        return not verdict.also
    if all(is_same_storage(verdict.stopped_by.facts, rejection.facts) for rejection in verdict.also):
        return True
    if not isinstance(verdict.stopped_by.facts[0], CordonFact):
        return not verdict.also
    others = [fact for rejection in verdict.also for fact in rejection.facts or (None,)]
    return all(isinstance(fact, TaintFact) and fact.key == UNSCHEDULABLE_TAINT.key for fact in others)


def _text(  # noqa: C901, PLR0912 - a branch a kind of fact
    group: Sequence[NodeVerdict], rejections: Sequence[Rejection], cluster: Cluster
) -> str:
    facts = rejections[0].facts
    if not facts:
        return "; ".join(rejections[0].reasons)
    match facts[0]:
        case ResourceFact():
            return "; ".join(_resource_text(group, index) for index in range(len(facts)))
        case TaintFact():
            taints = [fact for fact in facts if isinstance(fact, TaintFact)]
            return " and ".join(f"{taint_text(fact)}{near_miss_text(fact)}" for fact in taints)
        case CordonFact():
            return "cordoned (kubectl uncordon lifts it)"
        case NodeNameFact(wanted=wanted):
            known = "" if wanted in cluster.node_info_by_name else ", which does not exist"
            return f"spec.nodeName is {wanted}{known}"
        case NodeSelectorFact(key="", expression=expression):
            return expression
        case NodeSelectorFact():
            return _selector_text([fact for fact in facts if isinstance(fact, NodeSelectorFact)], rejections)
        case PortFact():
            return f"{', '.join(port_text(fact) for fact in facts if isinstance(fact, PortFact))} taken"
        case TopologyLabelFact(topology_key=topology_key):
            return f"nodes without the label {topology_key}"
        case SkewFact() as fact:
            return _skew_text(fact, rejections)
        case AffinityFact() as fact:
            return _affinity_text(fact)
        case AntiAffinityFact() as fact:
            return f"must be away from {pods_of(fact.selector)} per {fact.topology_key}: {_pods(rejections)}"
        case ExistingAntiAffinityFact() as fact:
            return f"pods that must be away from this one per {fact.topology_key}: {_pods(rejections)}"
        case LeftOutFact():
            return LEFT_OUT
        case AboutStorage():
            return _storage_text(group)
        case AboutPolicies():
            return "; ".join(policy_cause(fact) for fact in facts if isinstance(fact, AboutPolicies))
        case AboutDevices():
            return _device_text(group)
        case _:
            assert_never(facts[0])


def _storage_text(group: Sequence[NodeVerdict]) -> str:
    rejections = {verdict.node: verdict.stopped_by for verdict in group if verdict.stopped_by}
    first = next(iter(rejections.values()))
    texts = []
    for index in range(len(first.facts)):
        facts = {node: rejection.facts[index] for node, rejection in rejections.items()}
        texts.append(storage_cause({node: fact for node, fact in facts.items() if isinstance(fact, StorageFact)}))
    return "; ".join(dict.fromkeys(texts))


def _device_text(group: Sequence[NodeVerdict]) -> str:
    rejections = {verdict.node: verdict.stopped_by for verdict in group if verdict.stopped_by}
    facts = {
        node: [fact for fact in rejection.facts if isinstance(fact, AboutDevices)]
        for node, rejection in rejections.items()
    }
    number = min(len(each) for each in facts.values())
    texts = [device_cause({node: each[index] for node, each in facts.items()}) for index in range(number)]
    return "; ".join(dict.fromkeys(texts))


def _distinct(names: Iterable[str]) -> str:
    every = list(dict.fromkeys(names))
    shown = ", ".join(every[:EXAMPLES])
    return f"{shown}, …" if len(every) > EXAMPLES else shown


def _pods(rejections: Sequence[Rejection]) -> str:
    facts = (fact for rejection in rejections for fact in rejection.facts)
    return _distinct(
        pod for fact in facts if isinstance(fact, AntiAffinityFact | ExistingAntiAffinityFact) for pod in fact.pods
    )


def _resource_text(group: Sequence[NodeVerdict], index: int) -> str:
    """What is needed, and the most that any of these nodes has left."""
    facts = {
        verdict.node: fact
        for verdict in group
        if verdict.stopped_by and isinstance(fact := verdict.stopped_by.facts[index], ResourceFact)
    }
    node, most = max(facts.items(), key=lambda item: item[1].free)
    if most.resource == PODS:
        return "pods: every slot is taken"
    needed = amount(most.resource, most.requested, most.free)
    free = amount(most.resource, most.free, most.requested)
    text = f"{most.resource}: needs {needed}, most free {free} ({node})"
    if all(fact.allocatable == 0 for fact in facts.values()):
        return f"{most.resource}: needs {needed}, these nodes have none"
    if all(fact.requested > fact.allocatable for fact in facts.values()):
        largest = max(fact.allocatable for fact in facts.values())
        return f"{text}; more than any has in all ({amount(most.resource, largest, most.requested)})"
    in_all = sum(max(fact.free, 0) for fact in facts.values())
    if most.requested <= in_all:
        return f"{text}, {amount(most.resource, in_all, most.free)} in pieces on {len(facts)} nodes"
    return text


def _selector_text(facts: Sequence[NodeSelectorFact], rejections: Sequence[Rejection]) -> str:
    prefix = "scheduler-enforced affinity" if facts[0].enforced_by_scheduler else ""
    labels = [fact.expression for fact in facts if fact.term == 0]
    terms: dict[int, list[str]] = {}
    for fact in facts:
        if fact.term:
            terms.setdefault(fact.term, []).append(fact.expression)
    parts = [f"nodeSelector {', '.join(labels)}"] if labels else []
    if terms:
        alternatives = " or ".join(" and ".join(expressions) for expressions in terms.values())
        parts.append(f"{prefix or 'required affinity'} {alternatives}")
    values = sorted(
        {
            f"{f.key}={f.actual}"
            for r in rejections
            for f in r.facts
            if isinstance(f, NodeSelectorFact) and f.actual is not None and f.key != "metadata.name"
        }
    )
    found = f" (nodes have {_distinct(values)})" if values else ""
    return "; ".join(parts) + found


def _skew_text(fact: SkewFact, rejections: Sequence[Rejection]) -> str:
    """The matching pods of each domain that is too full."""
    counts: Mapping[str, int] = {f.domain: f.matching for r in rejections for f in r.facts if isinstance(f, SkewFact)}
    domains = [f"{domain} {count}" for domain, count in sorted(counts.items())]
    return (
        f"{fact.topology_key} would be skewed beyond maxSkew {fact.max_skew}: "
        f"{pods_of(fact.selector)} in {_distinct(domains)}, {minimum_text(fact)}"
    )


def _affinity_text(fact: AffinityFact) -> str:
    text = f"needs {a_pod(fact.selector)} per {fact.topology_key}"
    if fact.found_elsewhere:
        return f"{text}; such pods run elsewhere: {_distinct(fact.found_elsewhere)}"
    namespaces = ", ".join(fact.namespaces) or "any namespace"
    if fact.found_in_other_namespaces:
        return f"{text}; none in {namespaces}, but {_distinct(fact.found_in_other_namespaces)}"
    return f"{text}; none runs in {namespaces}"
