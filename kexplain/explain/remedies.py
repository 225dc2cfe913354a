"""What would help.

A remedy that names nodes has been tried: the pod, so changed, meets no objection there any more (or, for what
has to change on the node itself, nothing else stands in its way).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.explain import edits
from kexplain.explain.device_records import AboutDevices, MissingDeviceClassFact
from kexplain.explain.device_wording import device_lift, device_lift_is_enough
from kexplain.explain.edits import Edit
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
    Rejection,
    Remedy,
    RequestSum,
    ResourceFact,
    SkewFact,
    TaintFact,
)
from kexplain.explain.slips import slips
from kexplain.explain.storage_records import AboutStorage, UnusableClaimFact
from kexplain.explain.storage_wording import storage_effort, storage_lift
from kexplain.explain.wording import a_pod, amount, at_most, pods_of, port_text, taint_text
from kexplain.framework.status import Status
from kexplain.objects.core import Pod, Toleration, TopologySpreadConstraint
from kexplain.objects.requests import PODS
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT
from kexplain.words import some

#: Asks every filter about a changed pod: the objections by node and plugin.
Objections = Callable[[Pod, Sequence[str]], Mapping[str, Mapping[str, Status]]]

#: How many causes remedies are sought for.
CAUSES_TRIED = 8
SHOWN = 7
#: Taints that tell of a node's condition: the node is to be mended, not the pod.
NODE_CONDITIONS = {
    "node.kubernetes.io/not-ready": "is not ready",
    "node.kubernetes.io/unreachable": "is unreachable",
    "node.kubernetes.io/memory-pressure": "is short of memory",
    "node.kubernetes.io/disk-pressure": "is short of disk",
    "node.kubernetes.io/pid-pressure": "is short of process ids",
    "node.kubernetes.io/network-unavailable": "has no network",
    "node.cloudprovider.kubernetes.io/uninitialized": "is not initialized yet",
}
CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something to try. `order` puts what people rather do first."""

    action: str
    text: str
    edit: Edit
    order: int = 2


def remedies(
    pod: Pod,
    causes: Sequence[Cause],
    verdicts: Sequence[NodeVerdict],
    requests: Sequence[RequestSum],
    cluster: Cluster,
    objections: Objections,
) -> tuple[Remedy, ...]:
    """Likely slips first, then what was tried and helps, most nodes first; else what the closest node lacks."""
    by_node = {verdict.node: verdict for verdict in verdicts}
    found: list[tuple[int, Remedy]] = []
    short: list[NodeVerdict] = []
    for cause in causes[:CAUSES_TRIED]:
        alone = [by_node[name] for name in cause.alone_on]
        if alone and _lacks_resources_only(alone[0]):
            short += alone
        elif alone:
            found += _tried(pod, alone, objections)
    found += [(3, remedy) for remedy in _roomier(short)]
    found.sort(key=lambda each: (each[0], -len(each[1].nodes)))
    helpful = [remedy for _, remedy in found]
    mistyped = list(slips(pod, requests, cluster))
    if not helpful and not mistyped:
        helpful += _closest(pod, verdicts, objections)
    return (*mistyped, *helpful)[:SHOWN]


def _lacks_resources_only(verdict: NodeVerdict) -> bool:
    facts = verdict.stopped_by.facts if verdict.stopped_by else ()
    return bool(facts) and all(isinstance(fact, ResourceFact) for fact in facts)


# ------------------------------------------------------------------------------------------- trying what is proposed


def _tried(pod: Pod, alone: Sequence[NodeVerdict], objections: Objections) -> Iterator[tuple[int, Remedy]]:
    """The proposals against the one objection that these nodes have, each with the nodes where it is enough."""
    names = [verdict.node for verdict in alone]
    first = alone[0].stopped_by
    if first is None:
        return
    if first.facts and isinstance(first.facts[0], ExistingAntiAffinityFact):
        yield 2, _moved(alone)
        return
    if first.facts and isinstance(first.facts[0], AboutStorage):
        yield 2, _least_storage(alone)
        return
    if first.facts and isinstance(first.facts[0], AboutDevices):
        yield 2, _other_devices(alone)
        return
    if first.facts and isinstance(first.facts[0], NodeSelectorFact) and first.facts[0].enforced_by_scheduler:
        yield 2, _enforced_labels([fact for fact in first.facts if isinstance(fact, NodeSelectorFact)])
        return
    helped = False
    for proposal in _proposals(pod, first, alone):
        left = objections(proposal.edit(pod), names)
        nodes = tuple(name for name in names if not left.get(name))
        if nodes:
            helped = True
            yield proposal.order, Remedy(action=proposal.action, text=proposal.text, nodes=nodes)
    if not helped:
        yield from _beyond_the_pod(first)


def _moved(alone: Sequence[NodeVerdict]) -> Remedy:
    every = (fact for verdict in alone if verdict.stopped_by for fact in verdict.stopped_by.facts)
    pods = dict.fromkeys(pod for fact in every if isinstance(fact, ExistingAntiAffinityFact) for pod in fact.pods)
    nodes = tuple(verdict.node for verdict in alone)
    return Remedy(
        action="move-pods", text=f"move {some(list(pods))}, or make their anti-affinity preferred", nodes=nodes
    )


def _least_storage(alone: Sequence[NodeVerdict]) -> Remedy:
    """What has to be done on the nodes that need least, those that need the same together.

    Where a claim cannot be used at all, nobody knows yet what its volume will ask of nodes.
    """
    nodes_by_text: dict[str, list[str]] = {}
    effort_by_text: dict[str, int] = {}
    for verdict in alone:
        facts = [fact for fact in _facts(verdict) if isinstance(fact, AboutStorage)]
        text = " and ".join(dict.fromkeys(storage_lift(fact) for fact in facts))
        nodes_by_text.setdefault(text, []).append(verdict.node)
        effort_by_text[text] = sum(storage_effort(fact) for fact in facts)
    text, nodes = min(nodes_by_text.items(), key=lambda item: (effort_by_text[item[0]], -len(item[1])))
    certain = not any(isinstance(fact, UnusableClaimFact) for fact in _facts(alone[0]))
    return Remedy(action="change-storage", text=text, nodes=tuple(nodes) if certain else ())


def _other_devices(alone: Sequence[NodeVerdict]) -> Remedy:
    """What would do on most of the nodes; promised of those only where it is sure to be enough."""
    nodes_by_text: dict[str, list[str]] = {}
    promised_by_text: dict[str, list[str]] = {}
    for verdict in alone:
        facts = [fact for fact in _facts(verdict) if isinstance(fact, AboutDevices)]
        text = " and ".join(dict.fromkeys(device_lift(fact) for fact in facts))
        nodes_by_text.setdefault(text, []).append(verdict.node)
        if all(device_lift_is_enough(fact) for fact in facts):
            promised_by_text.setdefault(text, []).append(verdict.node)
    text = max(nodes_by_text, key=lambda each: len(nodes_by_text[each]))
    promised = tuple(promised_by_text.get(text, ()))
    applies_anywhere = promised or any(isinstance(fact, MissingDeviceClassFact) for fact in _facts(alone[0]))
    where = "" if applies_anywhere else f" (for {some(nodes_by_text[text])})"
    return Remedy(action="change-devices", text=f"{text}{where}", nodes=promised)


def _beyond_the_pod(rejection: Rejection) -> Iterator[tuple[int, Remedy]]:
    """What helps where changing this pod alone does not; nothing is promised of any node."""
    for fact in rejection.facts:
        if isinstance(fact, AntiAffinityFact):
            text = (
                f"make the anti-affinity to {pods_of(fact.selector)} preferred in the template, so that the pods that "
                f"run drop it too; or add a domain of {fact.topology_key}"
            )
            yield 2, Remedy(action="relax-anti-affinity", text=text)


def _proposals(pod: Pod, rejection: Rejection, alone: Sequence[NodeVerdict]) -> Iterator[Proposal]:
    """What could be done about one plugin's objection."""
    facts = rejection.facts
    match facts[0] if facts else None:
        case TaintFact():
            yield _toleration([fact for fact in facts if isinstance(fact, TaintFact)], alone)
        case CordonFact():
            nodes = some([verdict.node for verdict in alone])
            toleration = Toleration(key=UNSCHEDULABLE_TAINT.key, operator="Exists")
            yield Proposal("uncordon", f"uncordon {nodes}", edits.tolerating([toleration]))
        case NodeNameFact():
            yield Proposal("remove-node-name", "remove spec.nodeName", edits.without_node_name)
        case NodeSelectorFact():
            yield from _relaxed_selector(pod, [fact for fact in facts if isinstance(fact, NodeSelectorFact)])
        case PortFact():
            ports = ", ".join(port_text(fact) for fact in facts if isinstance(fact, PortFact))
            text = f"use another port than {ports}, or none: a Service needs no host port"
            yield Proposal("change-host-port", text, edits.without_host_ports)
        case SkewFact():
            every = (fact for verdict in alone for fact in _facts(verdict))
            yield from _more_skew([fact for fact in every if isinstance(fact, SkewFact)])
        case AntiAffinityFact() as fact:
            text = f"make the anti-affinity to {pods_of(fact.selector)} preferred"
            yield Proposal("relax-anti-affinity", text, edits.without_required_anti_affinity)
        case _:
            yield from _attraction([fact for fact in facts if isinstance(fact, AffinityFact)])


def _toleration(taints: Sequence[TaintFact], alone: Sequence[NodeVerdict]) -> Proposal:
    edit = edits.tolerating(
        [Toleration(key=t.key, operator="Equal", value=t.value or None, effect=t.effect) for t in taints]
    )
    names = " and ".join(taint_text(taint) for taint in taints)
    conditions = [NODE_CONDITIONS[taint.key] for taint in taints if taint.key in NODE_CONDITIONS]
    if conditions:
        node = alone[0].node
        text = f"mend {node}, which {conditions[0]}: kubectl describe node {node} says why"
        return Proposal("mend-node", text, edit, order=4)
    order = 5 if any(taint.key in CONTROL_PLANE for taint in taints) else 4
    return Proposal("tolerate", f"tolerate {names}, or take {'it' if len(taints) == 1 else 'them'} off", edit, order)


def _relaxed_selector(pod: Pod, facts: Sequence[NodeSelectorFact]) -> Iterator[Proposal]:
    """Drop what is not met: of the node selector, and of the required term that lacks least."""
    by_term: dict[int, list[NodeSelectorFact]] = {}
    for fact in facts:
        by_term.setdefault(fact.term, []).append(fact)
    texts: list[str] = []
    changes: list[Edit] = []
    if 0 in by_term:
        unmet = by_term.pop(0)
        texts.append(f"drop {' and '.join(fact.expression for fact in unmet)} from the node selector")
        changes.append(edits.without_node_selector(fact.key for fact in unmet))
    if by_term:
        term, unmet = min(by_term.items(), key=lambda item: len(item[1]))
        named = unmet[0].key != ""
        change = edits.without_expressions(pod, term - 1, (fact.key for fact in unmet)) if named else None
        if change is None:
            texts.append("drop the required node affinity")
            changes.append(edits.without_required_node_affinity)
        else:
            texts.append(f"drop {' and '.join(fact.expression for fact in unmet)} from required affinity")
            changes.append(change)
    keys = [fact.key for fact in facts if fact.key]
    labels = (
        ", or label a node so"
        if keys and not any(key.startswith(("kubernetes.io/", "metadata.")) for key in keys)
        else ""
    )
    yield Proposal("relax-node-affinity", " and ".join(texts) + labels, edits.together(changes))


def _enforced_labels(facts: Sequence[NodeSelectorFact]) -> Remedy:
    """Nothing about the pod helps against what its scheduler is configured with."""
    term = min(fact.term for fact in facts)
    wanted = " and ".join(fact.expression for fact in facts if fact.term == term)
    text = f"label a node so that {wanted}, or relax addedAffinity of NodeAffinity in the scheduler's configuration"
    return Remedy(action="label-node", text=text)


def _more_skew(facts: Sequence[SkewFact]) -> Iterator[Proposal]:
    """Count only nodes that the pod may run on, if that is enough; else allow the least skew that does."""
    least = min(facts, key=lambda fact: fact.skew)
    key = least.topology_key

    def honoring(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
        return replace(constraint, node_taints_policy="Honor")

    def looser(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
        return replace(constraint, max_skew=max(constraint.max_skew, least.skew))

    yield Proposal(
        "honor-taints",
        f"set nodeTaintsPolicy: Honor over {key}, so that nodes whose taints keep it off do not count",
        edits.spreading(key, honoring),
        order=1,
    )
    text = f"allow maxSkew {least.skew} over {key}, or whenUnsatisfiable: ScheduleAnyway"
    yield Proposal("relax-spread", text, edits.spreading(key, looser))


def _attraction(facts: Sequence[AffinityFact]) -> Iterator[Proposal]:
    for fact in facts[:1]:
        namespaces = sorted({name.partition("/")[0] for name in fact.found_in_other_namespaces})
        if namespaces:
            text = f"let the affinity look in namespaces: [{', '.join(namespaces)}]"
            yield Proposal("add-namespaces", text, edits.attracted_in(fact.topology_key, namespaces), order=1)
        where = "near enough" if fact.domain is None else f"in the same {fact.topology_key}"
        text = f"run {a_pod(fact.selector)} {where}, or make the affinity preferred"
        yield Proposal("relax-affinity", text, edits.without_required_affinity)


# ------------------------------------------------------------------------------------------------------- resources


def _roomier(short: Sequence[NodeVerdict]) -> Iterator[Remedy]:
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
        yield Remedy(action="request-less", text=f"request {wanted}", nodes=(best.node,))
    holding = [verdict for verdict in short if not _never_fits(verdict)]
    if holding:
        nearest = max(holding, key=_fit)
        yield Remedy(action="free", text=f"free {_missing(nearest)} on {nearest.node}", nodes=(nearest.node,))
    else:
        needed = " and ".join(f"{amount(fact.resource, fact.requested)} {fact.resource}" for fact in facts)
        yield Remedy(action="add-node", text=f"add a node that can hold {needed}: none of these can")


def _missing(verdict: NodeVerdict) -> str:
    return " and ".join(
        "a pod slot"
        if fact.resource == PODS
        else f"{amount(fact.resource, fact.requested - fact.free)} {fact.resource}"
        for fact in _resource_facts(verdict)
    )


def _resource_facts(verdict: NodeVerdict) -> list[ResourceFact]:
    return [fact for fact in _facts(verdict) if isinstance(fact, ResourceFact)]


def _facts(verdict: NodeVerdict) -> Iterator[AnyFact]:
    rejections = (verdict.stopped_by, *verdict.also) if verdict.stopped_by else verdict.also
    return (fact for rejection in rejections for fact in rejection.facts)


def _never_fits(verdict: NodeVerdict) -> bool:
    """Whether the node could not hold the pod if it were empty."""
    return any(fact.requested > fact.allocatable for fact in _resource_facts(verdict))


def _fit(verdict: NodeVerdict) -> float:
    """How much of what is requested the node could give, of what it has least of."""
    return min((fact.free / fact.requested for fact in _resource_facts(verdict)), default=0.0)


# ------------------------------------------------------------------------------------------------ the closest node


def distance(verdict: NodeVerdict) -> tuple[bool, int, float]:
    """How far the pod is from fitting on the node: never, objections to lift, share of requests missing."""
    facts = list(_facts(verdict))
    missing = max(((f.requested - f.free) / f.requested for f in facts if isinstance(f, ResourceFact)), default=0.0)
    rejections = len(verdict.also) + (verdict.stopped_by is not None)
    return _never_fits(verdict), max(rejections, len(facts)), missing


def _closest(pod: Pod, verdicts: Sequence[NodeVerdict], objections: Objections) -> Iterator[Remedy]:
    """Everything that would have to change for the node that lacks least, if no single change is enough."""
    rejected = [verdict for verdict in verdicts if verdict.stopped_by is not None and not _never_fits(verdict)]
    if not rejected:
        return
    nearest = min(rejected, key=distance)
    texts: list[str] = []
    changes: list[Edit] = []
    for rejection in (nearest.stopped_by, *nearest.also):
        proposal = next(_proposals(pod, rejection, [nearest]), None) if rejection else None
        if proposal is not None:
            texts.append(proposal.text)
            changes.append(proposal.edit)
    short = [fact for fact in _resource_facts(nearest) if fact.requested > fact.free]
    if short:
        texts.append(f"free {_missing(nearest)} on {nearest.node}")
    left = objections(edits.together(changes)(pod), [nearest.node]).get(nearest.node, {})
    is_enough = set(left) <= ({"NodeResourcesFit"} if short else set())
    if texts and is_enough:
        yield Remedy(
            action="combine", text=f"no single change is enough; together: {'; '.join(texts)}", nodes=(nearest.node,)
        )
    else:
        first = [nearest.stopped_by] if nearest.stopped_by else []
        details = "; ".join(rejection.detail for rejection in (*first, *nearest.also))
        yield Remedy(action="combine", text=f"no single change is enough; {nearest.node} comes closest: {details}")


def waiting(nominated_node: str, victims: Iterable[str]) -> Remedy:
    """What happens by itself if preemption goes ahead."""
    text = f"wait: the scheduler would evict {some(list(victims))} to make room"
    return Remedy(action="wait-for-preemption", text=text, nodes=(nominated_node,))
