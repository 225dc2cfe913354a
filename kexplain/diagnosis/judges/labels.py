"""Labels that the pod asks for and nodes do not have, or no longer."""

from collections.abc import Iterable, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.siblings import are_siblings
from kexplain.diagnosis.meant_labels import (
    having,
    is_met,
    labels_added,
    meant_by,
    outlived,
    requirements,
    values_by_key,
)  # fmt: skip
from kexplain.diagnosis.places import Place
from kexplain.diagnosis.records import Diagnosis, Kind, Sign, When
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import PLACES, Wish
from kexplain.framework.evidence import NodeLabelsMismatch, OtherNodeName
from kexplain.objects.core import Pod
from kexplain.objects.karpenter import NODE_POOL, NodePool
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import Requirement
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import ask, clauses, joined, near, plural, some, verb

_PLUGIN = "NodeAffinity"


def missing_node(scene: Scene) -> Diagnosis | None:
    """The pod names a node that is not there, or that does not take it."""
    if not scene.circles.unmet & Wish.NAME:
        return None
    for info in scene.cluster.node_infos[:1]:
        for evidence in scene.found(info.name, OtherNodeName):
            near_by = ask(*near(evidence.wanted, scene.cluster.node_info_by_name))
            text = clauses(f"spec.nodeName is {evidence.wanted}, and there is no such node", near_by)
            return Diagnosis(kind=Kind.NODE_MISSING, text=text, plugin="NodeName")
    names = sorted(_pinned_to(scene.pod))
    there = [name for name in names if name in scene.cluster.node_info_by_name]
    if not names or there:
        return None
    text = f"{some(names)}, the only node where it may run, does not exist"
    return Diagnosis(kind=Kind.NODE_MISSING, text=text, plugin=_PLUGIN)


def _pinned_to(pod: Pod) -> set[str]:
    terms = RequiredNodeAffinity.of(pod).terms or ()
    return {value for term in terms for field in term.fields if field.operator == "In" for value in field.values}


# ------------------------------------------------------------------------------------------------ no node has it


def unmet_labels(scene: Scene) -> Diagnosis | None:
    """No node has what the node selector and the required affinity ask for."""
    if not scene.circles.unmet & Wish.LABELS:
        return None
    return _lost(scene) or _unmet(scene, requirements(scene.pod, scene.cluster))


def unmet_zone(scene: Scene) -> Diagnosis | None:
    """No node where the pod belongs is in the zone or region that it asks for."""
    if not scene.circles.unmet & Wish.ZONE:
        return None
    wanted = [each for each in requirements(scene.pod, scene.cluster) if each.key in PLACES]
    known = values_by_key(scene.cluster)
    if not wanted or any(not is_met(each, known) for each in wanted):
        return _unmet(scene, wanted)
    place, asked = scene.place, joined(list(map(str, wanted)))
    text = f"no node of {place.what} has {asked}" if place.is_pool else f"no node that it may use has {asked}"
    return scene.diagnosis(Kind.SELECTOR_UNSATISFIED, text, scene.home, _PLUGIN, evidence=_signs(wanted))


def _unmet(scene: Scene, wanted: Sequence[Requirement]) -> Diagnosis:
    known = values_by_key(scene.cluster)
    missing = [each for each in wanted if not is_met(each, known)]
    if not wanted:
        text = "its required node affinity has no term that a node can match"
        return Diagnosis(kind=Kind.SELECTOR_UNSATISFIED, text=text, plugin=_PLUGIN, nodes=scene.home, retry=When.NEVER)
    if not missing:
        kind = Kind.WISHES_CONTRADICT if len(wanted) > 1 else Kind.SELECTOR_UNSATISFIED
        return _diagnosis(scene, kind, _together(scene, wanted), wanted, scene.home)
    if missing[0].key == HOSTNAME:
        names = joined(sorted(missing[0].values), "or")
        return _diagnosis(scene, Kind.NODE_MISSING, f"there is no node {names}, which it asks for", missing, scene.home)
    empty = _node_pools(missing, scene.cluster)
    if empty:
        text = f"NodePool {joined(empty, 'or')}, which it asks for, has no node"
        return _diagnosis(scene, Kind.SELECTOR_UNSATISFIED, text, missing, scene.home)
    meant = meant_by(missing[0], known)
    text = f"no node has {joined([_label(each, known) for each in missing])}{_added_by(scene, missing)}"
    nodes = having(meant, missing[0], scene.cluster) or scene.home
    return _diagnosis(
        scene,
        Kind.SELECTOR_UNSATISFIED,
        clauses(text, ask(*meant)),
        missing,
        nodes,
        "" if meant else _there(missing[0], known),
    )


def _together(scene: Scene, wanted: Sequence[Requirement]) -> str:
    """That no node where the pod may go has all of it, though some have each."""
    asked, required = joined(list(map(str, wanted))), RequiredNodeAffinity.of(scene.pod)
    if required.only_excludes:
        return f"the required affinity ({asked}) excludes {scene.place.every}"
    if any(required.matches(info.node) for info in scene.infos(scene.circles.reserved)):
        return f"only nodes that are kept for others have {asked}, not {scene.place.nodes}"
    return f"no node has {'both ' if len(wanted) == 2 else ''}{asked}"


def _node_pools(wanted: Sequence[Requirement], cluster: Cluster) -> list[str]:
    """The NodePools of Karpenter whose nodes would have all these labels, as their templates say."""
    found = []
    for pool in cluster.listers.every(NodePool):
        labels = {**(pool.spec.template.metadata.labels or {}), NODE_POOL: pool.name}
        if all(each.key in labels and each.matches(labels) for each in wanted):
            found.append(pool.name)
    return found


def _diagnosis(
    scene: Scene, kind: Kind, text: str, wanted: Sequence[Requirement], nodes: Sequence[str], amounts: str = ""
) -> Diagnosis:
    signs, place = _signs(wanted), scene.places.of(nodes) if nodes else None
    return scene.diagnosis(kind, text, nodes, _PLUGIN, amounts=amounts, evidence=signs, place=place)


def _signs(wanted: Iterable[Requirement]) -> tuple[Sign, ...]:
    return tuple(Sign(text=f"it asks for {each}", label=str(each)) for each in wanted)


def _added_by(scene: Scene, missing: Sequence[Requirement]) -> str:
    """That it is the namespace, or the runtime class, which asks for a label."""
    added = labels_added(scene.pod, scene.cluster)
    by = dict.fromkeys(added[each.key] for each in missing if each.key in added)
    return f", which {joined(list(by))} adds to each pod" if by else ""


def _label(requirement: Requirement, known: Mapping[str, set[str]]) -> str:
    return str(requirement) if requirement.key in known else f"a label {requirement.key}"


def _there(requirement: Requirement, known: Mapping[str, set[str]]) -> str:
    """The values that nodes do have."""
    values = sorted(known.get(requirement.key, ()))
    return f"nodes have {requirement.key}={some(values, 4)}" if values else ""


# ----------------------------------------------------------------------------------------------------- label lost


def lost_label(scene: Scene) -> Diagnosis | None:
    """Nodes that would take the pod had they not lost a label, while those that have it do not."""
    may_be = scene.circles.narrowed & (Wish.LABELS | Wish.ZONE) or scene.everywhere_is(NodeLabelsMismatch)
    return _lost(scene) if may_be else None


def _lost(scene: Scene) -> Diagnosis | None:
    """Pods run on nodes that do not match what they themselves ask for: the nodes have changed."""
    found = outlived(scene.pod, scene.cluster)
    if not found:
        return None
    unmet = list(dict.fromkeys(each for _, _, lost in found for each in lost))
    nodes, pods = dict.fromkeys(node.name for _, node, _ in found), [pod.key for pod, _, _ in found]
    who = "replica" if all(are_siblings(scene.pod, pod) for pod, _, _ in found) else "pod"
    is_gained = all(each.operator in ("NotIn", "DoesNotExist") for each in unmet)
    named = joined(list(map(_gained if is_gained else str, unmet)))
    place = scene.place_of(list(nodes))
    has, without = ("gained", "there") if is_gained else ("lost", "without it")
    text = f"{_nodes_of(place, len(nodes))} {has} the label {named}"
    still = f"{plural(len(pods), who)} still {verb(len(pods), 'runs')} {without}, on {some(list(nodes))}"
    sign = Sign(text=f"nodes have {has} {named}", nodes=tuple(nodes), pods=tuple(pods), label=named)
    return scene.diagnosis(Kind.LABEL_LOST, text, [*nodes], _PLUGIN, amounts=still, evidence=[sign], place=place)


def _gained(unmet: Requirement) -> str:
    """The label that a pod must not meet."""
    return f"{unmet.key}={joined(sorted(unmet.values), 'or')}" if unmet.values else unmet.key


def _nodes_of(place: Place, count: int) -> str:
    if count == 1:
        return f"{place.what} has"
    return f"nodes of pool {place.pool} have" if place.pool else f"{count} nodes have"
