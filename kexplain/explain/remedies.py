"""What would help. A remedy that names nodes is certain: nothing else keeps the pod off them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import assert_never

from kexplain.cluster import Cluster
from kexplain.explain.device_records import AboutDevices, MissingDeviceClassFact
from kexplain.explain.device_wording import device_lift
from kexplain.explain.records import (
    AffinityFact,
    AntiAffinityFact,
    AnyFact,
    Cause,
    CordonFact,
    ExistingAntiAffinityFact,
    NodeNameFact,
    NodeSelectorFact,
    NodeVerdict,
    PortFact,
    Remedy,
    ResourceFact,
    SkewFact,
    TaintFact,
    TopologyLabelFact,
)
from kexplain.explain.wording import a_pod, amount, at_most, pods_of, port_text, taint_text
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS
from kexplain.objects.selectors import RequiredNodeAffinity, Requirement

#: How alike a label must be to be suggested.
SIMILARITY = 0.7


def remedies(
    pod: Pod, causes: Sequence[Cause], verdicts: Sequence[NodeVerdict], cluster: Cluster
) -> tuple[Remedy, ...]:
    """Likely slips in the manifest; then the certain remedies, those that open most nodes first."""
    verdict_by_node = {verdict.node: verdict for verdict in verdicts}
    short_of_resources: list[NodeVerdict] = []
    certain: list[Remedy] = []
    for cause in causes:
        alone = [verdict_by_node[name] for name in cause.alone_on]
        if alone and _lacks_resources_only(alone[0]):
            short_of_resources += alone
        elif alone:
            certain.append(_lifted(alone))
    certain += _roomier(short_of_resources)
    certain.sort(key=lambda remedy: -len(remedy.nodes))
    slips = tuple(_selector_slips(pod, cluster))
    if certain or not causes:
        return (*slips, *certain)
    return (*slips, *_closest(verdicts))


def _lacks_resources_only(verdict: NodeVerdict) -> bool:
    facts = verdict.stopped_by.facts if verdict.stopped_by else ()
    return bool(facts) and all(isinstance(fact, ResourceFact) for fact in facts)


def _lifted(alone: Sequence[NodeVerdict]) -> Remedy:
    """What lifts the one objection that these nodes have."""
    rejection = alone[0].stopped_by
    facts = rejection.facts if rejection else ()
    nodes = tuple(verdict.node for verdict in alone)
    if facts and isinstance(facts[0], CordonFact):
        return Remedy(text=f"uncordon {_some(nodes)}", nodes=nodes)
    if facts and isinstance(facts[0], NodeSelectorFact):
        return Remedy(text=_lift_selector([f for f in facts if isinstance(f, NodeSelectorFact)]), nodes=nodes)
    if facts and isinstance(facts[0], SkewFact):
        return _less_even(alone)
    if facts and isinstance(facts[0], ExistingAntiAffinityFact):
        every = (f for v in alone if v.stopped_by for f in v.stopped_by.facts)
        pods = dict.fromkeys(p for f in every if isinstance(f, ExistingAntiAffinityFact) for p in f.pods)
        return Remedy(text=f"move {_some(list(pods))}, or make their anti-affinity preferred", nodes=nodes)
    texts = dict.fromkeys(_lift(fact) for fact in facts)
    if any(isinstance(fact, MissingDeviceClassFact) for fact in facts):
        # Whether there are devices of that class is not known.
        return Remedy(text=" and ".join(texts))
    plugin = rejection.plugin if rejection else ""
    return Remedy(text=" and ".join(texts) or f"satisfy {plugin}", nodes=nodes)


def _less_even(alone: Sequence[NodeVerdict]) -> Remedy:
    """The least that the constraint would have to allow."""
    skews = {v.node: f for v in alone if v.stopped_by for f in v.stopped_by.facts if isinstance(f, SkewFact)}
    least = min(fact.skew for fact in skews.values())
    nodes = tuple(name for name, fact in skews.items() if fact.skew == least)
    return Remedy(text=_lift(skews[nodes[0]]), nodes=nodes)


def _lift_selector(facts: Sequence[NodeSelectorFact]) -> str:
    """Drop everything of one alternative, the shortest."""
    by_term: dict[int, list[NodeSelectorFact]] = {}
    for fact in facts:
        by_term.setdefault(fact.term, []).append(fact)
    parts = [("the node selector", by_term.pop(0))] if 0 in by_term else []
    if by_term:
        parts.append(("required affinity", min(by_term.values(), key=len)))
    texts = [f"drop {' and '.join(f.expression for f in unmet)} from {where}" for where, unmet in parts]
    labels = any(fact.key and fact.key != "metadata.name" for fact in facts)
    return " and ".join(texts) + (", or label a node so" if labels else "")


def _roomier(short: Sequence[NodeVerdict]) -> Iterable[Remedy]:
    """The smaller request that would fit where most is left, and the least that would have to go for this one."""
    if not short:
        return
    best = max(short, key=_fit)
    facts = _resource_facts(best)
    if _fit(best) > 0 and all(fact.resource != PODS for fact in facts):
        wanted = " and ".join(
            f"at most {at_most(fact.resource, fact.free)} {fact.resource}"
            f" (now {amount(fact.resource, fact.requested, fact.free)})"
            for fact in facts
        )
        yield Remedy(text=f"request {wanted}", nodes=(best.node,))
    holding = [v for v in short if all(fact.requested <= fact.allocatable for fact in _resource_facts(v))]
    if holding:
        nearest = max(holding, key=_fit)
        missing = " and ".join(_missing(fact) for fact in _resource_facts(nearest))
        yield Remedy(text=f"free {missing} on {nearest.node}", nodes=(nearest.node,))


def _missing(fact: ResourceFact) -> str:
    if fact.resource == PODS:
        return "a pod slot"
    return f"{amount(fact.resource, fact.requested - fact.free)} {fact.resource}"


def _resource_facts(verdict: NodeVerdict) -> list[ResourceFact]:
    facts = verdict.stopped_by.facts if verdict.stopped_by else ()
    return [fact for fact in facts if isinstance(fact, ResourceFact)]


def _fit(verdict: NodeVerdict) -> float:
    """How much of what is requested the node could give, of what it has least of."""
    return min((fact.free / fact.requested for fact in _resource_facts(verdict)), default=0.0)


def _lift(fact: AnyFact) -> str:
    match fact:
        case ResourceFact():
            return f"free {amount(fact.resource, fact.requested - fact.free)} {fact.resource}"
        case TaintFact():
            return f"tolerate {taint_text(fact)}, or take the taint off"
        case CordonFact():
            return "uncordon the node"
        case NodeNameFact():
            return "remove spec.nodeName"
        case NodeSelectorFact():
            return _lift_selector([fact])
        case PortFact():
            return f"use another port than {port_text(fact)}, or none: a Service needs no host port"
        case TopologyLabelFact():
            return f"label nodes with {fact.topology_key}"
        case SkewFact():
            return f"allow maxSkew {fact.skew} over {fact.topology_key}, or whenUnsatisfiable: ScheduleAnyway"
        case AffinityFact():
            return f"run {a_pod(fact.selector)} in the node's {fact.topology_key}, or make the affinity preferred"
        case AntiAffinityFact():
            return (
                f"make the anti-affinity to {pods_of(fact.selector)} preferred, or add a domain of {fact.topology_key}"
            )
        case ExistingAntiAffinityFact():
            return f"move {_some(fact.pods)}, or make their anti-affinity preferred"
        case AboutDevices():
            return device_lift(fact)
        case _:
            assert_never(fact)


def _some(names: Sequence[str], limit: int = 3) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{more}"


def _closest(verdicts: Sequence[NodeVerdict]) -> Iterable[Remedy]:
    """Where the least stands in the way, if no single change is enough anywhere."""
    rejected = [verdict for verdict in verdicts if verdict.stopped_by is not None and verdict.also]
    if not rejected:
        return
    nearest = min(rejected, key=lambda verdict: len(verdict.also))
    first = [nearest.stopped_by] if nearest.stopped_by else []
    details = "; ".join(rejection.detail for rejection in (*first, *nearest.also))
    yield Remedy(text=f"no single change is enough; {nearest.node} comes closest: {details}")


def _selector_slips(pod: Pod, cluster: Cluster) -> Iterable[Remedy]:
    """Labels that no node has, and those that may have been meant."""
    required = RequiredNodeAffinity.of(pod)
    expressions = (*required.labels, *(r for term in required.terms or () for r in term.labels))
    values_by_key: dict[str, set[str]] = {}
    for node_info in cluster.node_infos:
        for key, value in node_info.node.labels.items():
            values_by_key.setdefault(key, set()).add(value)
    for requirement in dict.fromkeys(expressions):
        if requirement.operator in ("In", "Exists"):
            text = _slip(requirement, values_by_key)
            if text:
                yield Remedy(text=text)


def _slip(requirement: Requirement, values_by_key: dict[str, set[str]]) -> str:
    key = requirement.key
    known = values_by_key.get(key)
    if known is None:
        close = get_close_matches(key, values_by_key, n=1, cutoff=SIMILARITY)
        if not close:
            return f"no node has a label {key}"
        values = _some(sorted(values_by_key[close[0]]))
        return f"no node has a label {key}: was {close[0]} meant, which nodes have as {values}?"
    if requirement.operator == "Exists" or known & requirement.values:
        return ""
    wanted = " or ".join(sorted(requirement.values))
    close = [m for value in requirement.values for m in get_close_matches(value, known, n=1, cutoff=SIMILARITY)]
    meant = f": was {close[0]} meant?" if close and len(known) > 1 else ""
    return f"no node has {key}={wanted}, only {_some(sorted(known))}{meant}"
