"""What is known to stand in a pod's way, by the objection that is to be lifted, and advice that cannot be tried."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from kexplain.cluster import Cluster
from kexplain.explain.details import in_words
from kexplain.explain.distance import closest_first, rejections, resource_facts
from kexplain.explain.objections import AnyFact
from kexplain.explain.objections.resources import never_fit
from kexplain.explain.records import NodeVerdict
from kexplain.objects.core import Pod
from kexplain.remedies.against import AnyAgainst, against
from kexplain.remedies.proposal import Certainty, Lift
from kexplain.remedies.records import Remedy
from kexplain.remedies.repairs import main
from kexplain.words import some

FactsByNode = Mapping[str, Sequence[AnyFact]]


def groups(
    nodes_by_cause: Iterable[Sequence[str]], facts_by_node: FactsByNode
) -> Iterable[tuple[AnyAgainst, FactsByNode]]:
    """The nodes that one objection alone keeps the pod from, by cause, with that objection."""
    groups: dict[Hashable, tuple[AnyAgainst, dict[str, Sequence[AnyFact]]]] = {}
    for nodes in nodes_by_cause:
        facts = facts_by_node[nodes[0]] if nodes else ()
        if facts:
            answer = main(facts)
            _, group = groups.setdefault(answer if answer.spans_causes else nodes, (answer, {}))
            group.update({name: facts_by_node[name] for name in nodes})
    return groups.values()


def own(answer: AnyAgainst, facts_by_node: FactsByNode) -> FactsByNode:
    """Without facts of other kinds that the same plugin may have given."""
    kind = answer.fact
    if set(map(type, chain.from_iterable(facts_by_node.values()))) == {kind}:
        return facts_by_node
    return {node: [fact for fact in facts if type(fact) is kind] for node, facts in facts_by_node.items()}


def lifted(facts_by_node: FactsByNode) -> Remedy | None:
    """What has to change outside the pod, where that takes the least effort or else helps on most nodes.

    Nodes with the same words are taken together. Only those are promised on which the pod is sure to fit then.
    """
    nodes_by_text: dict[str, list[str]] = {}
    lifts_by_text: dict[str, list[Lift]] = {}
    for node, facts in facts_by_node.items():
        lifts = [lift for fact in facts if (lift := against(type(fact)).lift(fact))]
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


def closest(verdicts: Sequence[NodeVerdict], pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """What stands in the way on the node that lacks least."""

    def may_fit(verdict: NodeVerdict) -> bool:
        return verdict.stopped_by is not None and not never_fit(resource_facts(verdict))

    first = next(closest_first(verdicts, may_fit), None)
    if first is not None:
        lacking = in_words(first, pod, cluster)
        details = "; ".join(rejection.detail for rejection in rejections(lacking))
        yield Remedy(action="combine", text=f"no single change is enough; {lacking.node} comes closest: {details}")
