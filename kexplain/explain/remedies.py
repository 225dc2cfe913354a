"""What would help.

A remedy that names nodes has been tried: the pod, so changed, meets no objection there any more (or, for what
has to change outside the pod, nothing else stands in its way).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.explain import edits
from kexplain.explain.details import in_words
from kexplain.explain.edits import Edit
from kexplain.explain.objections import BY_FACT, AnyFact, AnyObjection
from kexplain.explain.objections.objection import Certainty, Lift, Proposal
from kexplain.explain.objections.resources import ResourceFact, freeing, never_fit
from kexplain.explain.records import Cause, NodeVerdict, Rejection, Remedy, RequestSum
from kexplain.explain.slips import slips
from kexplain.framework.status import Status
from kexplain.objects.core import Pod
from kexplain.words import some

#: Asks every filter about a changed pod: the objections by node and plugin.
Objections = Callable[[Pod, Sequence[str]], Mapping[str, Mapping[str, Status]]]
FactsByNode = Mapping[str, Sequence[AnyFact]]

#: How many causes remedies are sought for.
CAUSES_TRIED = 8
SHOWN = 7


def remedies(
    pod: Pod,
    causes: Sequence[Cause],
    verdicts: Sequence[NodeVerdict],
    requests: Sequence[RequestSum],
    cluster: Cluster,
    objections: Objections,
) -> tuple[Remedy, ...]:
    """Likely slips first, then what was tried and helps, most nodes first; else what the closest node lacks."""
    facts_by_node = {verdict.node: verdict.stopped_by.facts for verdict in verdicts if verdict.stopped_by}
    found: list[tuple[int, Remedy]] = []
    for objection, group in _groups([cause.alone_on for cause in causes[:CAUSES_TRIED]], facts_by_node):
        found += _helpful(objection, pod, group, objections)
    found.sort(key=lambda each: (each[0], -len(each[1].nodes)))
    helpful = [remedy for _, remedy in found]
    mistyped = list(slips(pod, requests, cluster))
    if not helpful and not mistyped:
        helpful += _closest(pod, verdicts, objections, cluster)
    return (*mistyped, *helpful)[:SHOWN]


def _groups(
    nodes_by_cause: Iterable[Sequence[str]], facts_by_node: FactsByNode
) -> Iterable[tuple[AnyObjection, FactsByNode]]:
    """The nodes that one objection alone keeps the pod from, by cause, with that objection."""
    groups: dict[Hashable, tuple[AnyObjection, dict[str, Sequence[AnyFact]]]] = {}
    for nodes in nodes_by_cause:
        facts = facts_by_node[nodes[0]] if nodes else ()
        if facts:
            objection = BY_FACT[type(facts[0])]
            _, group = groups.setdefault(objection if objection.spans_causes else nodes, (objection, {}))
            group.update({name: facts_by_node[name] for name in nodes})
    return groups.values()


# ------------------------------------------------------------------------------------------- trying what is proposed


def _helpful(
    objection: AnyObjection, pod: Pod, facts_by_node: FactsByNode, objections: Objections
) -> Iterator[tuple[int, Remedy]]:
    """What helps against the one objection that these nodes have, each with the nodes where it is enough."""
    helped = False
    for proposal in objection.proposals(pod, _own(objection, facts_by_node)):
        nodes = proposal.nodes
        if proposal.edit is not None:
            left = objections(proposal.edit(pod), list(facts_by_node))
            nodes = tuple(name for name in facts_by_node if not left.get(name))
            if not nodes:
                continue
        elif proposal.is_last_resort and helped:
            continue
        helped = True
        yield proposal.order, Remedy(action=proposal.action, text=proposal.text, nodes=nodes)
    lifted = _lifted(facts_by_node)
    if lifted:
        yield 2, lifted


def _own(objection: AnyObjection, facts_by_node: FactsByNode) -> FactsByNode:
    """Without facts of other kinds that the same plugin may have given."""
    return {node: [fact for fact in facts if type(fact) is objection.fact] for node, facts in facts_by_node.items()}


def _lifted(facts_by_node: FactsByNode) -> Remedy | None:
    """What has to change outside the pod, where that takes the least effort or else helps on most nodes.

    Nodes with the same words are taken together. Only those are promised on which the pod is sure to fit then.
    """
    kinds = {type(fact) for facts in facts_by_node.values() for fact in facts}
    if not any(BY_FACT[kind].has_lift for kind in kinds):
        return None
    nodes_by_text: dict[str, list[str]] = {}
    lifts_by_text: dict[str, list[Lift]] = {}
    for node, facts in facts_by_node.items():
        lifts = [lift for fact in facts if (lift := BY_FACT[type(fact)].lift(fact))]
        text = " and ".join(dict.fromkeys(lift.text for lift in lifts))
        nodes_by_text.setdefault(text, []).append(node)
        lifts_by_text[text] = lifts
    efforts = {text: sum(lift.effort for lift in lifts) for text, lifts in lifts_by_text.items()}
    text, nodes = min(nodes_by_text.items(), key=lambda item: (efforts[item[0]], -len(item[1])))
    if not text:
        return None
    lifts = lifts_by_text[text]
    match max(lift.certainty for lift in lifts):
        case Certainty.FITS:
            return Remedy(action=lifts[0].action, text=text, nodes=tuple(nodes))
        case Certainty.NEEDED:
            return Remedy(action=lifts[0].action, text=f"{text} (for {some(nodes)})")
        case Certainty.NEEDED_ANYWHERE:
            return Remedy(action=lifts[0].action, text=text)


# ------------------------------------------------------------------------------------------------ the closest node


def distance(verdict: NodeVerdict) -> tuple[bool, int, float]:
    """How far the pod is from fitting on the node: never, objections to lift, share of requests missing."""
    rejections = _rejections(verdict)
    facts = sum(len(rejection.facts) for rejection in rejections)
    short = _resource_facts(verdict)
    if not short:
        return False, max(len(rejections), facts), 0.0
    missing = max((fact.requested - fact.free) / fact.requested for fact in short)
    return never_fit(short), max(len(rejections), facts), missing


def _closest(pod: Pod, verdicts: Sequence[NodeVerdict], objections: Objections, cluster: Cluster) -> Iterator[Remedy]:
    """Everything that would have to change for the node that lacks least, if no single change is enough."""
    rejected = [verdict for verdict in verdicts if verdict.stopped_by and not never_fit(_resource_facts(verdict))]
    if not rejected:
        return
    nearest = min(rejected, key=distance)
    texts, edit = _combined(pod, nearest)
    left = objections(edit(pod), [nearest.node]).get(nearest.node, {})
    is_short = any(fact.requested > fact.free for fact in _resource_facts(nearest))
    if texts and set(left) <= ({"NodeResourcesFit"} if is_short else set()):
        text = f"no single change is enough; together: {'; '.join(texts)}"
        yield Remedy(action="combine", text=text, nodes=(nearest.node,))
    else:
        details = "; ".join(rejection.detail for rejection in _rejections(in_words(nearest, pod, cluster)))
        yield Remedy(action="combine", text=f"no single change is enough; {nearest.node} comes closest: {details}")


def _combined(pod: Pod, verdict: NodeVerdict) -> tuple[list[str], Edit]:
    """One change for each objection to the node, and the room that is missing there."""
    proposals = [each for rejection in _rejections(verdict) if (each := _first_edit(pod, rejection, verdict.node))]
    texts = [proposal.text for proposal, _ in proposals]
    short = [fact for fact in _resource_facts(verdict) if fact.requested > fact.free]
    if short:
        texts.append(freeing(short, verdict.node))
    return texts, edits.together(edit for _, edit in proposals)


def _first_edit(pod: Pod, rejection: Rejection, node: str) -> tuple[Proposal, Edit] | None:
    if not rejection.facts:
        return None
    objection = BY_FACT[type(rejection.facts[0])]
    proposals = objection.proposals(pod, _own(objection, {node: rejection.facts}))
    return next(((proposal, proposal.edit) for proposal in proposals if proposal.edit is not None), None)


def _rejections(verdict: NodeVerdict) -> Sequence[Rejection]:
    return (verdict.stopped_by, *verdict.also) if verdict.stopped_by else verdict.also


def _resource_facts(verdict: NodeVerdict) -> list[ResourceFact]:
    return [fact for each in _rejections(verdict) for fact in each.facts if isinstance(fact, ResourceFact)]


def waiting(nominated_node: str, victims: Iterable[str]) -> Remedy:
    """What happens by itself if preemption goes ahead."""
    text = f"wait: the scheduler would evict {some(list(victims))} to make room"
    return Remedy(action="wait-for-preemption", text=text, nodes=(nominated_node,))
