"""Labels that the pod asks for and nodes do not have, or no longer."""

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.siblings import are_siblings, selected_before
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.meant_labels import (
    having,
    is_met,
    labels_added,
    meant_by,
    outlived,
    renewed_since,
    requirements,
    values_by_key,
)  # fmt: skip
from kexplain.diagnosis.records import Finding, Kind, Relation, Sign, When, finding, link
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import GIVEN, PLACES, Wish
from kexplain.framework.evidence import NodeLabelsMismatch, OtherNodeName
from kexplain.objects.core import Node
from kexplain.objects.karpenter import NODE_POOL, NodePool
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import Requirement
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import joined, near

_PLUGIN = "NodeAffinity"


def missing_node(scene: Scene) -> Finding | None:
    """The pod names a node that is not there, or that does not take it."""
    if not scene.circles.unmet & Wish.NAME:
        return None
    for info in scene.cluster.node_infos[:1]:
        for evidence in scene.objected(info.name, OtherNodeName):
            unknown = told("node-unknown", evidence.wanted, near(evidence.wanted, scene.cluster.node_info_by_name))
            chain = [link(Relation.RUNS_ON, Node, evidence.wanted)]
            return finding(Kind.NODE_MISSING, unknown, "NodeName", chain=chain)
    names = RequiredNodeAffinity.of(scene.pod).names
    there = [name for name in names if name in scene.cluster.node_info_by_name]
    if not names or there:
        return None
    chain = [link(Relation.RUNS_ON, Node, names[0])]
    return finding(Kind.NODE_MISSING, told("only-node-gone", Few.of(names)), _PLUGIN, chain=chain)


# ------------------------------------------------------------------------------------------------ no node has it


def unmet_labels(scene: Scene) -> Finding | None:
    """No node has what the node selector and the required affinity ask for."""
    if not scene.circles.unmet & Wish.LABELS:
        return None
    return _enforced(scene) or _lost(scene) or _unmet(scene, requirements(scene.pod, scene.cluster))


def _enforced(scene: Scene) -> Finding | None:
    """The scheduler is configured to want labels for every pod, which is looked at before what pods ask for."""
    mismatches = [each for name in scene.home[:1] for each in scene.objected(name, NodeLabelsMismatch)]
    labels = [str(label) for each in mismatches if each.enforced for _, unmet in each.unmet_terms for label in unmet]
    if not labels:
        return None
    return finding(Kind.SELECTOR_UNSATISFIED, told("labels-enforced", labels), _PLUGIN, nodes=scene.home)


def unmet_zone(scene: Scene) -> Finding | None:
    """No node where the pod belongs is in the zone or region that it asks for."""
    if not scene.circles.unmet & Wish.ZONE:
        return None
    wanted = [each for each in requirements(scene.pod, scene.cluster) if each.key in PLACES]
    known = values_by_key(scene.cluster)
    if not wanted or any(not is_met(each, known) for each in wanted):
        return _unmet(scene, wanted)
    elsewhere = told("labels-elsewhere", [*map(str, wanted)], scene.place)
    return scene.finding(Kind.SELECTOR_UNSATISFIED, elsewhere, _PLUGIN, scene.home, evidence=_signs(wanted))


def _unmet(scene: Scene, wanted: Sequence[Requirement]) -> Finding:
    known = values_by_key(scene.cluster)
    missing = [each for each in wanted if not is_met(each, known)]
    if not wanted:
        none = told("no-term-matches")
        return finding(Kind.SELECTOR_UNSATISFIED, none, _PLUGIN, nodes=scene.home, retry=When.NEVER)
    if not missing:
        kind = Kind.WISHES_CONTRADICT if len(wanted) > 1 else Kind.SELECTOR_UNSATISFIED
        return _finding(scene, kind, _together(scene, wanted), wanted, scene.home)
    if missing[0].key == HOSTNAME:
        host = told("host-unknown", sorted(missing[0].values))
        return _finding(scene, Kind.NODE_MISSING, host, missing, scene.home)
    empty = _node_pools(missing, scene.cluster)
    if empty:
        return _finding(scene, Kind.SELECTOR_UNSATISFIED, told("node-pools-empty", empty), missing, scene.home)
    return _of_labels(scene, missing)


def _of_labels(scene: Scene, missing: Sequence[Requirement]) -> Finding:
    """Labels that no node has, and what may have been meant, or is there."""
    first, known = missing[0], values_by_key(scene.cluster)
    added, meant = labels_added(scene.pod, scene.cluster), meant_by(first, known)
    labels = [str(each) if each.key in known else f"a label {each.key}" for each in missing]
    by = [*dict.fromkeys(added[each.key] for each in missing if each.key in added)]
    before = [f"{key}={value}" for key, value in selected_before(scene.pod, scene.cluster).items()]
    unmet = told("labels-unmet", labels, first.key, by, meant, Few.of(sorted(known.get(first.key, ())), 4), before)
    lost = _lost_with_nodes(scene, missing) if not meant and not by else None
    if lost is not None:
        return replace(_finding(scene, Kind.LABEL_LOST, lost, missing, scene.home), certain=False)
    return _finding(scene, Kind.SELECTOR_UNSATISFIED, unmet, missing, having(meant, first, scene.cluster) or scene.home)


def _lost_with_nodes(scene: Scene, missing: Sequence[Requirement]) -> Statement | None:
    """That the nodes which had the labels were replaced by others without, where all nodes are newer than the wish."""
    known, nodes = values_by_key(scene.cluster), [info.node for info in scene.infos(scene.home)]
    since = renewed_since(scene.pod, nodes, scene.cluster)
    if not since or any(each.key in known or each.key in GIVEN for each in missing):
        return None
    return told("labels-not-renewed", [*map(str, missing)], scene.place, since)


def _together(scene: Scene, wanted: Sequence[Requirement]) -> Statement:
    """That no node where the pod may go has all of it, though some have each."""
    labels, required = [*map(str, wanted)], RequiredNodeAffinity.of(scene.pod)
    if required.only_excludes:
        return told("labels-excluded", labels, scene.place)
    if any(required.matches(info.node) for info in scene.infos(scene.circles.reserved)):
        return told("labels-reserved", labels, scene.place)
    by = labels_added(scene.pod, scene.cluster)
    added = [each for each in wanted if each.key in by]
    return told("labels-contradict", labels, [*map(str, added)], [*dict.fromkeys(by[each.key] for each in added)])


def _node_pools(wanted: Sequence[Requirement], cluster: Cluster) -> list[str]:
    """The NodePools of Karpenter whose nodes would have all these labels, as their templates say."""
    pools = cluster.listers.every(NodePool)
    labels = {each.name: {**(each.spec.template.metadata.labels or {}), NODE_POOL: each.name} for each in pools}
    return [name for name, own in labels.items() if all(each.key in own and each.matches(own) for each in wanted)]


def _finding(
    scene: Scene, kind: Kind, statement: Statement, wanted: Sequence[Requirement], nodes: Sequence[str]
) -> Finding:
    place = scene.places.of(nodes) if nodes else None
    return scene.finding(kind, statement, _PLUGIN, nodes, place, evidence=_signs(wanted))


def _signs(wanted: Sequence[Requirement]) -> list[Sign]:
    return [Sign(text=str(told("label-asked-for", str(each))), label=str(each)) for each in wanted]


# ----------------------------------------------------------------------------------------------------- label lost


def lost_label(scene: Scene) -> Finding | None:
    """Nodes that would take the pod had they not lost a label, while those that have it do not."""
    may_be = scene.circles.narrowed & (Wish.LABELS | Wish.ZONE) or scene.everywhere_is(NodeLabelsMismatch)
    return _lost(scene) if may_be else None


def _lost(scene: Scene) -> Finding | None:
    """Pods run on nodes that do not match what they themselves ask for: the nodes have changed."""
    found = outlived(scene.pod, scene.cluster)
    if not found:
        return None
    unmet = list(dict.fromkeys(each for *_, lacking in found for each in lacking))
    nodes, pods = tuple(dict.fromkeys(node.name for _, node, _ in found)), tuple(pod.key for pod, _, _ in found)
    is_gained = all(each.operator in ("NotIn", "DoesNotExist") for each in unmet)
    label, place = joined(list(map(_gained if is_gained else str, unmet))), scene.place_of(nodes)
    own = all(are_siblings(scene.pod, pod) for pod, _, _ in found)
    lost = told("label-lost", label, place, Few.of(nodes), len(pods), own=own, gained=is_gained)
    sign = Sign(text=str(told("label-lost-sign", label, gained=is_gained)), nodes=nodes, pods=pods, label=label)
    return scene.finding(Kind.LABEL_LOST, lost, _PLUGIN, nodes, place, evidence=[sign])


def _gained(unmet: Requirement) -> str:
    """The label that a pod must not meet."""
    return f"{unmet.key}={joined(sorted(unmet.values), 'or')}" if unmet.values else unmet.key
