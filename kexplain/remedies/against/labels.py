"""What helps against objections because of labels and names of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.cluster.listers import volumes_of
from kexplain.cluster.siblings import selected_before
from kexplain.diagnosis.meant_labels import labels_added, meant_by, outlived, renewed_since, values_by_key
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import PLACES, Wish
from kexplain.explain.objections.labels import NodeNameFact, NodeSelectorFact, facts_by_term
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_pools import CONTROL_PLANE_LABELS, ROLE_PREFIX, comes_along
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import Requirement, is_label_value
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.claims import node_of
from kexplain.remedies.pod_edits import Edit
from kexplain.remedies.proposal import NodeChange, Proposal, rank_on
from kexplain.remedies.ranking import UNTRIED
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.slips import look_mistyped
from kexplain.shell import command
from kexplain.tables import words
from kexplain.words import joined

#: What labels say of machines that may be taken away.
_SPOT = ("spot", "preemptible", "ec2spot")
#: Whose labels say what a node is: those of Kubernetes itself, of clouds, autoscalers and makers of devices.
_GIVEN_BY = tuple(words("label-domains"))
#: What says which programs a node runs.
_OS = frozenset({"kubernetes.io/os", "beta.kubernetes.io/os"})
_MACHINES = _OS | {"kubernetes.io/arch", "beta.kubernetes.io/arch"}
#: What kubelets may not set, so that people can.
_FOR_PEOPLE = "node-restriction.kubernetes.io"


class AgainstNodeLabels(Against[NodeSelectorFact]):
    """The node does not match the node selector or the required node affinity."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[NodeSelectorFact]]) -> Iterator[Proposal]:
        """Drop what is not met: of the node selector, and of the required term that lacks least."""
        facts = next(iter(facts_by_node.values()))
        by_term = facts_by_term(facts)
        if facts[0].enforced_by_scheduler:
            wanted = " and ".join(fact.expression for fact in by_term[min(by_term)])
            yield proposed("labels/added-affinity", wanted, order=3)
            return
        if moved := _to_its_volume(next(iter(facts_by_node)), facts, home) or _as_before(facts, home):
            yield moved
            return
        dropped: list[tuple[str, Edit]] = []
        for text in _where_added(home, facts):
            yield Proposal(Action.CHECK_MANIFEST, text, rank=Rank.MENDS, order=-UNTRIED)
        if unmet := by_term.pop(0, []):
            text = f"drop {_expressions(unmet)} from the node selector"
            dropped.append((text, pod_edits.without_node_selector(fact.key for fact in unmet)))
        if by_term:
            dropped.append(_relaxed_terms(home.pod, by_term))
        texts, changes = zip(*dropped, strict=True)
        rank = _rank_of_dropping(facts, home)
        proviso = ", if its image is made for others too" if _MACHINES.intersection(each.key for each in facts) else ""
        how = f"{' and '.join(texts)}{proviso}"
        yield proposed("labels/drop", how, edit=pod_edits.in_turn(*changes), rank=rank)
        everything = pod_edits.in_turn(
            pod_edits.without_node_selector(home.pod.spec.node_selector or ()), pod_edits.without_required_node_affinity
        )
        yield proposed("labels/drop-all", edit=everything, rank=rank, order=3, is_fallback=True)

    def node_change(self, node_info: NodeInfo, facts: Sequence[NodeSelectorFact], home: Scene) -> NodeChange | None:
        """Give the node the labels that the pod asks for, unless they say what the node is or where."""
        is_enforced = facts[0].enforced_by_scheduler
        labels = enforced_labels(facts) if is_enforced else missing_labels(home.pod, node_info.node)
        unmet = RequiredNodeAffinity.of(home.pod).unmet(node_info.node)
        is_given = any(_is_given(key, value or "") for key, value in labels.items())
        if not labels or is_given or any(each.operator in ("Gt", "Lt") for each in unmet):
            return None
        if _were_replaced(labels, home):
            return labelling(labels, Rank.MENDS, ", and have their pool give it to new nodes", is_alone=True)
        return _of_labels(labels, node_info, home)


def _of_labels(labels: Mapping[str, str | None], node_info: NodeInfo, home: Scene) -> NodeChange:
    """Labels given to a node that may never have had them."""
    is_lost = _were_lost(labels, node_info, home) or _has_run_there(node_info, home)
    rank = Rank.MENDS if is_lost else rank_on(home, [node_info.name])
    # What it says of itself already is what it is.
    is_other = any(value is None or key in node_info.labels for key, value in labels.items())
    if not is_other and node_info.name in home.unlabelled:
        # What came after all that have them was probably not given them.
        is_later = (node_info.node.metadata.creation_timestamp or "") > home.newest
        rank = Rank.MENDS if is_later else Rank.ADDS_NODES
        return labelling(labels, rank, ", if they are like the others of their pool")
    if not is_lost and (is_other or not home.is_unmet(Wish.LABELS) or look_mistyped(labels, home.cluster)):
        rank = Rank.LAST_RESORT
    return labelling(labels, rank, is_alone=not is_lost)


def _has_run_there(node_info: NodeInfo, home: Scene) -> bool:
    """Whether a volume of the pod is of that node alone: it ran there when that was made, with all it asks for."""
    nodes = {node_of(volume) for _, volume in volumes_of(home.pod, home.cluster.listers)}
    return node_info.labels.get(HOSTNAME, "") in nodes - {""}


def _to_its_volume(node: str, facts: Sequence[NodeSelectorFact], home: Scene) -> Proposal | None:
    """The zone that the pod asks for changed to that of its volume, which is where the node is."""
    labels, keys = home.cluster.node_info_by_name[node].labels, [fact.key for fact in facts]
    if not home.is_out_of_reach or not PLACES.issuperset(keys) or any(key not in labels for key in keys):
        return None
    return _asking({key: labels[key] for key in keys}, ", where its volume is,", facts)


def _as_before(facts: Sequence[NodeSelectorFact], home: Scene) -> Proposal | None:
    """The labels that pods of an earlier template select, where no node has those of the current one."""
    before = selected_before(home.pod, home.cluster) if home.is_unmet(Wish.LABELS) else {}
    is_all = before and all(fact.key in before and not fact.term for fact in facts)
    return _asking(before, " again, as its earlier pods do,", facts) if is_all else None


def _asking(pairs: Mapping[str, str], why: str, facts: Sequence[NodeSelectorFact]) -> Proposal:
    """The pod asking for these labels in place of those that are not met."""
    wanted = joined([f"{key}={value}" for key, value in pairs.items()])
    edit = pod_edits.in_turn(*(pod_edits.asking_for_value(key, value) for key, value in pairs.items()))
    return proposed("labels/others", wanted, why, _expressions(facts), edit=edit)


def _were_lost(labels: Mapping[str, str | None], node_info: NodeInfo, home: Scene) -> bool:
    """Whether such nodes had the labels once: pods that ask for them run there without."""
    pool, stranded = home.places.pool(node_info.name), outlived(home.pod, home.cluster)
    return any(home.places.pool(n.name) == pool and missing_labels(home.pod, n) == labels for _, n, _ in stranded)


def _were_replaced(labels: Mapping[str, str | None], home: Scene) -> bool:
    """Whether all nodes came after what asks for the labels, which none of them has."""
    known, nodes = values_by_key(home.cluster), [home.cluster.node_info_by_name[name].node for name in home.names]
    return not any(key in known for key in labels) and bool(renewed_since(home.pod, nodes, home.cluster))


def _rank_of_dropping(facts: Sequence[NodeSelectorFact], home: Scene) -> Rank:
    """That of asking for none of this: it mends what no node has, but for what the pod is made for."""
    keys = {fact.key for fact in facts}
    # An image for one operating system starts on no other.
    if keys & _OS:
        return Rank.LAST_RESORT
    # Nobody makes another node of the name that is gone; who belongs to it goes with it.
    if home.is_unmet(Wish.NAME) and not comes_along(home.pod):
        return Rank.MENDS
    if keys == {HOSTNAME} and home.is_tied:
        return Rank.MENDS if home.is_unmet(Wish.LABELS) else Rank.LOOSENS
    if not home.is_unmet(Wish.LABELS | Wish.ZONE) and not home.is_contradictory:
        return Rank.LAST_RESORT
    # A selector that contradicts where the volume is may be wrong; one that says what nodes are hardly is.
    is_place = bool(keys & {*PLACES, HOSTNAME})
    return Rank.MENDS if is_place or not home.is_out_of_reach else Rank.LOOSENS


def _where_added(home: Scene, facts: Sequence[NodeSelectorFact]) -> Iterator[str]:
    """What to change where not the pod asks for labels, but its namespace or its runtime class."""
    added = labels_added(home.pod, home.cluster) if home.is_unmet(Wish.LABELS) else {}
    for by in dict.fromkeys(added[fact.key] for fact in facts if fact.key in added):
        named = [fact.expression for fact in facts if added.get(fact.key) == by]
        asked = [each for each in RequiredNodeAffinity.of(home.pod).labels if added.get(each.key) == by]
        meant = [f"{each.key}={near[0]}" for each in asked if (near := meant_by(each, values_by_key(home.cluster)))]
        instead = f", to {joined(meant)}" if meant else ""
        where = by.replace("an annotation", "the annotation")
        yield f"change {where}, which has each pod ask for {joined(named)}{instead}"


def labelling(labels: Mapping[str, str | None], rank: Rank, proviso: str = "", *, is_alone: bool = False) -> NodeChange:
    """Labels set, and those taken off that have no value."""
    new = {key: value for key, value in labels.items() if value is not None}
    gone = [key for key in labels if key not in new]
    pairs = [f"{key}={value}" for key, value in new.items()]

    def labelled(node: Node) -> Node:
        kept = {key: value for key, value in node.labels.items() if key not in labels}
        return replace(node, metadata=replace(node.metadata, labels=kept | new))

    def words(nodes: str) -> str:
        added = f"label {nodes} with {joined(pairs)}" if pairs else ""
        dropped = f"remove the label {joined(gone)} from {nodes}" if gone else ""
        return joined([each for each in (added, dropped) if each]) + proviso

    def line(names: Sequence[str]) -> str:
        return command("kubectl label node", *names, *pairs, *(f"{key}-" for key in gone), flags=["--overwrite"])

    kind = (Action.LABEL_NODE, *sorted(labels.items(), key=str), is_alone)
    order = (1 if proviso else 4) if is_alone else 3 if proviso else 1
    return NodeChange(Action.LABEL_NODE, kind, labelled, words, line, rank, order, is_alone=is_alone)


def enforced_labels(facts: Sequence[NodeSelectorFact]) -> dict[str, str | None]:
    """The labels that a scheduler wants nodes to have, of the term that lacks least; empty if it is not that simple."""
    wanted = min(facts_by_term(facts).values(), key=len)
    known = {each.key: each.expression.removeprefix(f"{each.key}=") for each in wanted if "=" in each.expression}
    return {key: value for key, value in known.items() if is_label_value(value)} if len(known) == len(wanted) else {}


def missing_labels(pod: Pod, node: Node) -> dict[str, str | None]:
    """The labels that the node lacks, None for those that it must not have; empty if there is no telling which."""
    required = RequiredNodeAffinity.of(pod)
    unmet = [each for each in required.labels if not each.matches(node.labels)]
    terms = [[each for each in term.labels if not each.matches(node.labels)] for term in required.terms or ()]
    wanted = {each.key: _wanted(each) for each in (*unmet, *min(terms, key=len, default=[]))}
    known = {key: value for key, value in wanted.items() if value is not False}
    return known if len(known) == len(wanted) else {}


def _is_given(key: str, value: str) -> bool:
    """Whether a label says what a node is, or where, which nobody decides; roles are given by people."""
    if value.lower() in _SPOT:
        return True
    if key.startswith(ROLE_PREFIX):
        return key in CONTROL_PLANE_LABELS
    domain = key.partition("/")[0]
    if domain == _FOR_PEOPLE:
        return False
    return "/" in key and (domain.endswith(_GIVEN_BY) or domain.startswith("karpenter."))


def _wanted(requirement: Requirement) -> str | Literal[False] | None:
    """The value that a label must have, None if it must be gone, False if there is none that a label can have."""
    match requirement.operator:
        case "In":
            possible = sorted(requirement.values)
        case "Exists":
            possible = ["true"]
        case "Gt":
            possible = [str(requirement.bound + 1)]
        case "Lt":
            possible = [str(requirement.bound - 1)]
        case _:
            return None
    return next((value for value in possible if is_label_value(value)), False)


def _expressions(facts: Sequence[NodeSelectorFact]) -> str:
    return " and ".join(fact.expression for fact in facts)


def _relaxed_terms(pod: Pod, by_term: Mapping[int, Sequence[NodeSelectorFact]]) -> tuple[str, Edit]:
    """The least change to the required terms, in words and as an edit."""
    term, unmet = min(by_term.items(), key=lambda item: len(item[1]))
    change = pod_edits.without_expressions(pod, term - 1, (fact.key for fact in unmet)) if unmet[0].key else None
    if change is None:
        return "drop the required node affinity", pod_edits.without_required_node_affinity
    return f"drop {_expressions(unmet)} from the required affinity", change


class AgainstNodeNames(Against[NodeNameFact]):
    """The pod names another node."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[NodeNameFact]]) -> Iterator[Proposal]:
        """Leave the node to the scheduler."""
        yield Proposal(Action.REMOVE_NODE_NAME, "remove spec.nodeName", pod_edits.without_node_name)
