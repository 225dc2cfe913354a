"""What is known to stand in a pod's way, by the objection that is to be lifted, and advice that cannot be tried."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from kexplain.admission.workloads import template_of
from kexplain.cluster import Cluster
from kexplain.diagnosis.reservations import made_nodes, virtual_place
from kexplain.diagnosis.scene import Scene
from kexplain.explain.distance import closest_first, distance, rejections
from kexplain.explain.fares import NodeVerdicts, in_words
from kexplain.explain.objections import BY_FACT, AnyFact
from kexplain.explain.objections.resources import among, but_for_amounts
from kexplain.explain.records import NodeVerdict
from kexplain.load.json_patch import pointer
from kexplain.objects.changes import JSON_PATCH, Change
from kexplain.objects.core import Pod
from kexplain.objects.workload_kinds import template_path
from kexplain.remedies.advice import advice
from kexplain.remedies.against import AnyAgainst, against
from kexplain.remedies.change_sets import main
from kexplain.remedies.proposal import Proposal, rank_on
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import target_of
from kexplain.remedies.trials import Trials
from kexplain.words import joined, some

FactsByNode = Mapping[str, Sequence[AnyFact]]


def groups(by_cause: Iterable[Sequence[str]], facts_by_node: FactsByNode) -> Iterable[tuple[AnyAgainst, FactsByNode]]:
    """The nodes that one objection alone keeps the pod from, by cause, with that objection."""
    groups: dict[Hashable, tuple[AnyAgainst, list[str]]] = {}
    for number, nodes in enumerate(by_cause):
        facts = facts_by_node[nodes[0]] if nodes else ()
        if facts:
            answer = main(facts)
            _, group = groups.setdefault(answer if answer.spans_causes else number, (answer, []))
            group += nodes
    return [(answer, among(facts_by_node, names)) for answer, names in groups.values()]


def of_kind(answer: AnyAgainst, facts_by_node: FactsByNode) -> FactsByNode:
    """Without facts of other kinds that the same plugin may have given."""
    kind = answer.fact
    if set(map(type, chain.from_iterable(but_for_amounts(facts_by_node)))) == {kind}:
        return facts_by_node
    return {node: [fact for fact in facts if type(fact) is kind] for node, facts in facts_by_node.items()}


def done_by_hand(facts_by_node: FactsByNode, home: Scene) -> Remedy | None:
    """What has to change outside the pod, where that takes the least effort or else helps on most nodes.

    Nodes that need the same are taken together. Only those are promised on which the pod is sure to fit then.
    """
    nodes_by_kind: dict[Hashable, list[str]] = {}
    proposals_by_kind: dict[Hashable, list[Proposal]] = {}
    for node, facts in facts_by_node.items():
        found = [(fact, proposal) for fact in facts if (proposal := against(type(fact)).by_hand(fact))]
        if found:
            kind = tuple((BY_FACT[type(fact)].key(fact), proposal.effort) for fact, proposal in found)
            nodes_by_kind.setdefault(kind, []).append(node)
            proposals_by_kind[kind] = [proposal for _, proposal in found]
    if not nodes_by_kind:
        return None
    efforts = {kind: sum(each.effort for each in every) for kind, every in proposals_by_kind.items()}
    least, nodes = min(nodes_by_kind.items(), key=lambda item: (efforts[item[0]], -len(item[1])))
    return _by_hand(proposals_by_kind[least], nodes, home)


def _by_hand(every: Sequence[Proposal], nodes: Sequence[str], home: Scene) -> Remedy:
    text = " and ".join(dict.fromkeys(each.text for each in every))
    rank = max(rank_on(home, nodes, each.rank) for each in every)
    if any(each.is_enough is None for each in every):
        return Remedy(action=every[0].action, text=text, rank=rank)
    if not all(each.is_enough for each in every):
        return Remedy(action=every[0].action, text=f"{text} (for {some(nodes)})", rank=rank)
    return Remedy(action=every[0].action, text=text, nodes=tuple(nodes), rank=rank)


def closest(verdicts: NodeVerdicts, pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """What stands in the way on the node that lacks least."""

    def may_fit(verdict: NodeVerdict) -> bool:
        return verdict.stopped_by is not None and not distance(rejections(verdict))[0]

    first = next(closest_first(verdicts, may_fit, cluster.node_info_by_name), None)
    if first is not None:
        lacking = in_words(first, pod, cluster)
        yield advice("closest", lacking.node, "; ".join(rejection.detail for rejection in rejections(lacking)))


def beside_made_nodes(trials: Trials, home: Scene) -> Iterator[Remedy]:
    """What helps a pod where another scheduler makes the nodes, each for one of its own: to be one of those, or not."""
    found, workload = made_nodes(home), trials.workload
    if label := virtual_place(home):
        yield advice("off-virtual-nodes", workload, label)
    if found is None:
        return
    whose, template = joined(found.schedulers), template_of(workload)
    if template and found.key in (template.metadata.annotations or {}):
        path = pointer((*template_path(workload.kind), "metadata", "annotations", found.key))
        removal: dict[str, Any] = {"patch_type": JSON_PATCH, "patch": [{"op": "remove", "path": path}]}
        taken = Change(target=target_of(workload), verb="patch", in_manifest=not workload.is_stored, **removal)
        yield advice("made-nodes/unmark", found, workload, whose, changes=[taken])
    else:
        yield advice("made-nodes/not-taken", whose)
    yield advice("made-nodes/share", found, whose)


def untried(proposal: Proposal, nodes: Sequence[str], bundle: Sequence[str] = ()) -> Remedy:
    """A proposal as it is reported, with the nodes that it is enough for as far as is known."""
    return Remedy(
        action=proposal.action,
        text=proposal.text,
        nodes=tuple(nodes),
        rank=proposal.rank,
        changes=proposal.changes,
        commands=proposal.commands,
        bundle=tuple(bundle) if len(bundle) > 1 else (),
    )
